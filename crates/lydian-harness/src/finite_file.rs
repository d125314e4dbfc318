//! Files that end: a device or a file beyond a limit is refused before it fills the memory.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// No file is read beyond this size.
pub const MOST_BYTES: u64 = 4 << 30;

/// Returns the bytes of a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_open(File::open(path)?)
}

/// Returns the text of a file.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "is not UTF-8"))
}

/// Returns the bytes of an open file. The error of a device is of the kind `InvalidInput`, that of a file with more than
/// [`MOST_BYTES`] of the kind `FileTooLarge`; both say what was expected.
pub fn read_open(file: File) -> io::Result<Vec<u8>> {
    if is_device(&file.metadata()?) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "is a device, expected a file",
        ));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "has more than 4 GiB, expected a file",
        ));
    }
    Ok(bytes)
}

#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata.file_type().is_char_device() || metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_refused_and_a_file_is_read() {
        let error = read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.to_string(), "is a device, expected a file");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "words").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "words");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(
            read_to_string(&path).unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
    }
}
