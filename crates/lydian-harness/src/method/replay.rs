//! Recorded outputs: a human baseline, another system, an earlier run.

use std::collections::BTreeMap;
use std::sync::Arc;

use lydian_model::prediction::CostSource;
use lydian_model::predictions::PredictionsFile;
use lydian_model::{EntryId, NanoUsd, Prediction, Sha256Hex, SourceEntry};

use crate::translator::{BoxFuture, CallLog, Stop, Translator};

/// Outputs by entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    outputs: Arc<BTreeMap<EntryId, String>>,
    sha256: Sha256Hex,
}

impl Recorded {
    /// Takes the outputs of a predictions file.
    pub fn new(file: PredictionsFile) -> Self {
        let outputs = file.lines.into_iter().map(|line| (line.id, line.output));
        Self {
            outputs: Arc::new(outputs.collect()),
            sha256: file.sha256,
        }
    }

    /// Returns the digest of the file's bytes.
    pub const fn sha256(&self) -> &Sha256Hex {
        &self.sha256
    }
}

/// What the recorded outputs cost to produce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedCost {
    /// Nothing: the method runs on the user's own machine.
    Local,
    /// Nobody recorded it.
    Unknown,
}

/// Answers with recorded outputs; an entry without one fails.
#[derive(Clone, Debug)]
pub struct Replay {
    recorded: Recorded,
    cost: RecordedCost,
}

impl Replay {
    /// Prepares the outputs of a file.
    pub const fn new(recorded: Recorded, cost: RecordedCost) -> Self {
        Self { recorded, cost }
    }

    fn prediction(&self, entry: &SourceEntry) -> Prediction {
        let Some(output) = self.recorded.outputs.get(&entry.id) else {
            return Prediction {
                attempts: 0,
                ..Prediction::failed(
                    entry.id.clone(),
                    "the predictions file has no line for this entry",
                )
            };
        };
        let prediction = Prediction::of_text(entry.id.clone(), output.clone());
        match self.cost {
            RecordedCost::Unknown => prediction,
            RecordedCost::Local => Prediction {
                cost_usd: Some(NanoUsd::ZERO),
                cost_source: CostSource::Local,
                ..prediction
            },
        }
    }
}

impl Translator for Replay {
    fn translate<'a>(
        &'a self,
        entries: &'a [SourceEntry],
        _log: &'a dyn CallLog,
    ) -> BoxFuture<'a, Result<Vec<Prediction>, Stop>> {
        let predictions = entries.iter().map(|entry| self.prediction(entry)).collect();
        Box::pin(std::future::ready(Ok(predictions)))
    }
}
