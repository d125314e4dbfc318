//! The matrix of a sweep's cards.

use lydian_model::sweep::SweepIndex;
use lydian_scoring::sweep::{MatrixError, SweepMatrix, SweepQuestion, SweepRun, matrix};

use super::folder::SweepFolder;
use crate::documents::{CARD_FILE, read_card};
use crate::error::{CommandError, CommandResult, Exit};

/// Reads the cards of a sweep and computes the matrix. `heat_axes` are the axes across and down.
pub(crate) fn of(
    folder: &SweepFolder,
    index: &SweepIndex,
    heat_axes: Option<(String, String)>,
) -> CommandResult<SweepMatrix> {
    let runs = index
        .runs
        .iter()
        .map(|run| {
            let path = folder.run(&run.id);
            let card = path
                .join(CARD_FILE)
                .is_file()
                .then(|| read_card(&path))
                .transpose()?;
            if card
                .as_ref()
                .is_some_and(|card| card.setup_fingerprint != run.setup_fingerprint)
            {
                return Err(CommandError::new(
                    Exit::InvalidDocument,
                    format!("{} is the card of another setup", path.join(CARD_FILE).display()),
                ));
            }
            Ok(SweepRun {
                id: run.id.clone(),
                method: run.method.clone(),
                role: run.role,
                coordinates: run.coordinates.clone(),
                seed: run.seed,
                label: run.label.clone(),
                card,
            })
        })
        .collect::<CommandResult<Vec<_>>>()?;
    let question = SweepQuestion {
        name: index.name.clone(),
        metric: index.metric,
        heat_axes,
    };
    matrix(&question, &runs).map_err(|error| {
        let exit = match error {
            MatrixError::NoAxis(_) => Exit::Usage,
            MatrixError::OtherCorpus { .. } => Exit::InvalidDocument,
        };
        CommandError::from_error(exit, error)
    })
}
