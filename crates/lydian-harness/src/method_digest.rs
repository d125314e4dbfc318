//! The digest that identifies a method: its manifest and every file it consists of.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lydian_model::{MethodManifest, Sha256Hex};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Folders and files that come and go without changing what a method does.
const SKIPPED: [&str; 5] = ["__pycache__", "node_modules", "target", "runs", "venv"];
/// Most files a method may consist of; more means that the wrong folder was given.
const MAX_FILES: usize = 20_000;

/// Which files make up a method beside its manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files<'a> {
    /// Those the manifest names, relative to its folder.
    Named(&'a [PathBuf]),
    /// Everything in the manifest's folder: a program may read any of it.
    Folder,
}

/// A method whose files cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DigestError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder holds more than any method.
    #[error("{} holds more than {MAX_FILES} files: give the method a folder of its own", path.display())]
    TooManyFiles {
        /// The folder.
        path: PathBuf,
    },
}

#[derive(Serialize)]
struct Parts<'a> {
    manifest: &'a MethodManifest,
    files: BTreeMap<String, Sha256Hex>,
}

/// Returns the digest of the manifest and the method's files. The manifest's layout and the order of files do not matter.
pub fn method_sha256(
    manifest: &MethodManifest,
    folder: &Path,
    files: Files<'_>,
) -> Result<Sha256Hex, DigestError> {
    let paths = match files {
        Files::Named(paths) => paths.to_vec(),
        Files::Folder => {
            let mut found = Vec::new();
            list(folder, Path::new(""), &mut found)?;
            found
        }
    };
    Ok(Sha256Hex::of_canonical(&Parts {
        manifest,
        files: digests(folder, paths)?,
    }))
}

/// Returns the digests of all files in a folder, by path.
pub fn folder_digests(folder: &Path) -> Result<BTreeMap<String, Sha256Hex>, DigestError> {
    let mut paths = Vec::new();
    list(folder, Path::new(""), &mut paths)?;
    digests(folder, paths)
}

fn digests(folder: &Path, paths: Vec<PathBuf>) -> Result<BTreeMap<String, Sha256Hex>, DigestError> {
    let mut digests = BTreeMap::new();
    for path in paths {
        let name = path.to_string_lossy().replace('\\', "/");
        digests.insert(name, file_sha256(&folder.join(&path))?);
    }
    Ok(digests)
}

/// Returns the digest of a file's bytes without holding them all.
pub fn file_sha256(path: &Path) -> Result<Sha256Hex, DigestError> {
    let io = |source| DigestError::Io {
        path: path.to_path_buf(),
        source,
    };
    let mut file = File::open(path).map_err(io)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(io)? {
            0 => return Ok(Sha256Hex::from_digest(&hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        }
    }
}

/// Lists the files below `folder`, hidden and skipped ones left out. Links to folders are not followed.
fn list(folder: &Path, below: &Path, found: &mut Vec<PathBuf>) -> Result<(), DigestError> {
    let here = folder.join(below);
    let io = |source| DigestError::Io {
        path: here.clone(),
        source,
    };
    for item in fs::read_dir(&here).map_err(io)? {
        let item = item.map_err(io)?;
        let name = item.file_name();
        let text = name.to_string_lossy();
        if text.starts_with('.') || text.ends_with(".pyc") || SKIPPED.contains(&text.as_ref()) {
            continue;
        }
        let path = below.join(&name);
        let kind = item.file_type().map_err(io)?;
        if kind.is_dir() {
            list(folder, &path, found)?;
        } else if path != Path::new("method.json") && folder.join(&path).is_file() {
            found.push(path);
        }
        if found.len() > MAX_FILES {
            return Err(DigestError::TooManyFiles {
                path: folder.to_path_buf(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str) -> MethodManifest {
        serde_json::from_str(text).unwrap()
    }

    const COPY: &str =
        r#"{"name":"C","method_id":"c","class":"custom-plugin","entry_point":{"type":"copy"}}"#;

    #[test]
    fn the_layout_of_the_manifest_does_not_matter_but_its_content_does() {
        let digest = |text: &str| method_sha256(&manifest(text), Path::new("."), Files::Named(&[])).unwrap();
        assert_eq!(digest(COPY), digest(&COPY.replace(',', " ,\n  ")));
        assert_ne!(digest(COPY), digest(&COPY.replace("\"c\"", "\"d\"")));
    }

    #[test]
    fn every_file_of_the_folder_counts_and_caches_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let digest = || method_sha256(&manifest(COPY), folder.path(), Files::Folder).unwrap();
        let empty = digest();
        for name in ["__pycache__", ".git"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("x"), "cache").unwrap();
        }
        assert_eq!(digest(), empty);
        fs::create_dir(folder.path().join("data")).unwrap();
        fs::write(folder.path().join("data/lexicon.txt"), "a").unwrap();
        let with_file = digest();
        assert_ne!(with_file, empty);
        fs::write(folder.path().join("data/lexicon.txt"), "b").unwrap();
        assert_ne!(digest(), with_file);
    }

    #[cfg(unix)]
    #[test]
    fn a_loop_of_links_ends() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("dangling")).unwrap();
        assert!(method_sha256(&manifest(COPY), folder.path(), Files::Folder).is_ok());
    }

    #[test]
    fn a_missing_file_is_named() {
        let files = [PathBuf::from("prompt.txt")];
        let error = method_sha256(&manifest(COPY), Path::new("/nowhere"), Files::Named(&files)).unwrap_err();
        assert!(error.to_string().contains("prompt.txt"), "{error}");
    }
}
