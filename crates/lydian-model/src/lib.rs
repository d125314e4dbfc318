//! Every document that crosses a file or wire boundary: corpus, method manifest, predictions, run card.
#![forbid(unsafe_code)]
