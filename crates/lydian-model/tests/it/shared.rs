//! The optional folder of real data beside the repository.

use std::path::PathBuf;

/// Returns a folder of the shared data, or says why the test is skipped.
#[expect(clippy::print_stderr, reason = "a skipped test says why")]
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(name);
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}
