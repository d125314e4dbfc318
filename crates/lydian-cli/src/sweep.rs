//! Sweeps: the plan bound to corpus and methods, its folder, its runs and its matrix.

pub(crate) mod bind;
pub(crate) mod estimate;
pub(crate) mod execute;
pub(crate) mod folder;
pub(crate) mod matrix;
pub(crate) mod progress;
pub(crate) mod queue;

use std::path::PathBuf;

use lydian_report::sweep::{Format, report};
use lydian_scoring::sweep::SweepMatrix;

use crate::error::CommandResult;
use crate::files;
use folder::SweepFolder;

/// Writes matrix and page into the folder of a sweep and returns the page's path.
pub(crate) fn write_report(folder: &SweepFolder, matrix: &SweepMatrix) -> CommandResult<PathBuf> {
    let mut data = serde_json::to_vec_pretty(matrix).map_err(std::io::Error::from)?;
    data.push(b'\n');
    files::write_atomically(&folder.path.join("matrix.json"), &data)?;
    let page = folder.path.join("report.html");
    files::write_atomically(&page, report(matrix, Format::Html).as_bytes())?;
    Ok(page)
}
