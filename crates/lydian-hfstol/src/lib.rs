//! Reader for HFST optimised-lookup transducers: the analyses of a word.
#![forbid(unsafe_code)]
