//! The source as output: the honest floor that every method must beat.

use lydian_model::prediction::CostSource;
use lydian_model::{NanoUsd, Prediction, SourceEntry};

use crate::translator::{BoxFuture, CallLog, Stop, Translator};

/// Gives every source back as it is.
#[derive(Clone, Copy, Debug)]
pub struct Copy;

impl Translator for Copy {
    fn translate<'a>(
        &'a self,
        entries: &'a [SourceEntry],
        _log: &'a dyn CallLog,
    ) -> BoxFuture<'a, Result<Vec<Prediction>, Stop>> {
        let copied = entries
            .iter()
            .map(|entry| local(Prediction::of_text(entry.id.clone(), entry.source.clone())));
        Box::pin(std::future::ready(Ok(copied.collect())))
    }
}

/// Marks a prediction as made on this machine: explicitly free (decision 15).
pub(super) fn local(prediction: Prediction) -> Prediction {
    Prediction {
        cost_usd: Some(NanoUsd::ZERO),
        cost_source: CostSource::Local,
        ..prediction
    }
}
