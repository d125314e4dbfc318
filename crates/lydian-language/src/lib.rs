//! Language cards, word finding, lexical and transducer checks, orthography, equivalence rules.
#![forbid(unsafe_code)]
