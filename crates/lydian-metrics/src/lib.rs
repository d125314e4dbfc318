//! Machine-translation metrics and statistics: strings in, numbers out.
#![forbid(unsafe_code)]
