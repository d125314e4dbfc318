//! Speller archives (.zhfst): a zip file that holds an acceptor and an error model.
use crate::error::ReadError;
use crate::header::MAX_FILE_BYTES;
use std::io::{Cursor, Read};

/// Returns whether the bytes are a zip archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Returns the acceptor of a speller archive, a transducer in the optimised-lookup format.
///
/// Acceptors usually carry no tags and only lower-case words: they tell valid words, not analyses.
///
/// ```
/// let archive = include_bytes!("../tests/fixtures/toy.zhfst");
/// let transducer = lydian_hfstol::Transducer::new(lydian_hfstol::acceptor(archive)?)?;
/// assert!(!transducer.lookup("tok").analyses.is_empty());
/// # Ok::<(), lydian_hfstol::ReadError>(())
/// ```
pub fn acceptor(archive: &[u8]) -> Result<Vec<u8>, ReadError> {
    let problem = |e: zip::result::ZipError| ReadError::Archive(e.to_string());
    let mut zip = zip::ZipArchive::new(Cursor::new(archive)).map_err(problem)?;
    let mut names = Vec::new();
    for name in zip.file_names() {
        let name = name.map_err(problem)?;
        if name.starts_with("acceptor.") && has_extension(&name, "hfst") {
            names.push(name.into_owned());
        }
    }
    names.sort_by_key(|name| (name != "acceptor.default.hfst", name.clone()));
    let Some(name) = names.into_iter().next() else {
        return Err(ReadError::Archive("it holds no acceptor.*.hfst".to_owned()));
    };
    let member = zip.by_name(&name).map_err(problem)?;
    let size = member.size();
    if size > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge {
            what: name,
            size,
            limit: MAX_FILE_BYTES,
        });
    }
    let mut bytes = Vec::new();
    // The announced size is not trusted: reading stops one byte after the limit.
    member
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| ReadError::Archive(format!("{name}: {e}")))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge {
            what: name,
            size: bytes.len() as u64,
            limit: MAX_FILE_BYTES,
        });
    }
    Ok(bytes)
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, e)| e.eq_ignore_ascii_case(extension))
}
