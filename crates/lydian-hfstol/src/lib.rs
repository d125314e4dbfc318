//! Reader for HFST optimised-lookup transducers: the analyses of a word.
//!
//! The reader works on the bytes of a file, weighted or unweighted, with a header or without, answers as
//! libhfst's `hfst-lookup` does, and bounds every search, so that no file and no word can hang or crash it.
//! `.zhfst` speller archives are opened with [`acceptor`].
#![forbid(unsafe_code)]

mod alphabet;
mod archive;
mod error;
mod flags;
mod header;
mod lookup;
mod search;
mod suggest;
mod tables;
mod transducer;

pub use archive::{acceptor, is_archive};
pub use error::ReadError;
pub use header::MAX_FILE_BYTES;
pub use lookup::{Acceptance, Analysis, Limit, Limits, Lookup};
pub use suggest::{SuggestLimits, Suggestion};
pub use transducer::{Searcher, Transducer};
