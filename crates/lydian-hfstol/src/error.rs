//! Why a file is not a transducer this crate can read.

/// Says why bytes were refused, and what to use instead where there is something.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The file ends before the tables its header announces.
    #[error("the file ends early: {part} needs {needed} bytes and {available} are left")]
    Truncated {
        /// The part that is cut off.
        part: &'static str,
        /// Bytes that the part needs.
        needed: u64,
        /// Bytes that are left in the file.
        available: u64,
    },
    /// A value contradicts the format.
    #[error("damaged transducer: {0}")]
    Damaged(String),
    /// The bytes are a known format that has to be converted first.
    #[error("{format} is not an optimised-lookup transducer: {instead}")]
    OtherFormat {
        /// The name of the format that was recognised.
        format: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// The bytes are a speller archive, which holds a transducer.
    #[error("a speller archive (.zhfst): its acceptor has to be taken out first")]
    SpellerArchive,
    /// The bytes are nothing this crate knows.
    #[error("not an HFST optimised-lookup transducer (.hfstol) or speller archive (.zhfst)")]
    Unrecognised,
    /// The file or an archive member is larger than the limit.
    #[error("{what} has {size} bytes, more than the limit of {limit}")]
    TooLarge {
        /// The file or the archive member.
        what: String,
        /// Its size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The speller archive cannot be read.
    #[error("speller archive: {0}")]
    Archive(String),
}
