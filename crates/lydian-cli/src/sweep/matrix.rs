//! The matrix of a sweep's cards.

use lydian_model::RunCard;
use lydian_model::sweep::{IndexedRun, SweepIndex};
use lydian_scoring::sweep::{MatrixError, SweepMatrix, SweepQuestion, SweepRun, matrix};

use super::folder::SweepFolder;
use crate::documents::{CARD_FILE, read_card};
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// The matrix of what can be read.
pub(crate) struct Found {
    /// The matrix.
    pub(crate) matrix: SweepMatrix,
    /// Runs whose card cannot be read: their places in the list, what is wrong and what to do.
    pub(crate) damaged: Vec<(usize, String)>,
}

impl Found {
    /// Says what is left out; returns the matrix and the exit code of a command that only shows it.
    pub(crate) fn told(self, context: &Context) -> (SweepMatrix, Exit) {
        for (_, problem) in &self.damaged {
            context.warning(&format!("left out: {problem}"));
        }
        let exit = if self.damaged.is_empty() {
            Exit::Done
        } else {
            Exit::InvalidDocument
        };
        (self.matrix, exit)
    }
}

/// Reads the cards of a sweep and computes the matrix; a card that cannot be read is left out of it. `heat_axes` are the axes
/// across and down.
pub(crate) fn of(
    folder: &SweepFolder,
    index: &SweepIndex,
    heat_axes: Option<(String, String)>,
) -> CommandResult<Found> {
    let mut damaged = Vec::new();
    let mut runs = Vec::with_capacity(index.runs.len());
    for (place, run) in index.runs.iter().enumerate() {
        let card = card(folder, run).unwrap_or_else(|error| {
            damaged.push((place, error.told()));
            None
        });
        runs.push(SweepRun {
            id: run.id.clone(),
            method: run.method.clone(),
            role: run.role,
            coordinates: run.coordinates.clone(),
            seed: run.seed,
            label: run.label.clone(),
            card,
        });
    }
    let question = SweepQuestion {
        name: index.name.clone(),
        metric: index.metric,
        heat_axes,
    };
    let matrix = matrix(&question, &runs).map_err(|error| {
        let exit = match error {
            MatrixError::NoAxis(_) => Exit::Usage,
            MatrixError::OtherCorpus { .. } => Exit::InvalidDocument,
        };
        CommandError::from_error(exit, error)
    })?;
    Ok(Found { matrix, damaged })
}

/// Returns the card of a run, if there is one.
fn card(folder: &SweepFolder, run: &IndexedRun) -> CommandResult<Option<RunCard>> {
    let path = folder.run(&run.id);
    let file = path.join(CARD_FILE);
    if !file.exists() {
        return Ok(None);
    }
    let next = format!(
        "`lydian sweep run` makes it again from the journal, and so does `lydian resume {}`",
        files::quoted(&path)
    );
    let card = read_card(&file).map_err(|error| error.with_hint(&next))?;
    if card.setup_fingerprint == run.setup_fingerprint {
        return Ok(Some(card));
    }
    let message = format!("{} is the card of another setup", file.display());
    Err(CommandError::new(Exit::InvalidDocument, message).with_hint(next))
}
