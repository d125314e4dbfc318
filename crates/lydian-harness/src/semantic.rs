//! Semantic scorers outside the program: an embeddings server or a program, asked once per entry and written down, so
//! that scoring stays a pure function (decision 32). Methods never come here: a scorer sees references.

mod embeddings;
mod process;
mod record;

pub use embeddings::{EmbeddingsScorer, EmbeddingsSettings};
pub use process::{ProcessScorer, ProcessSettings};
pub use record::{RECORD_FILE, Recorder, RecorderError, read as read_answers};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lydian_model::semantic::{MANIFEST_SCHEMA, ScorerEntryPoint, ScorerManifest, SemanticAnswer};
use lydian_model::{EntryId, Finite, Sha256Hex};

use crate::finite_file;
use crate::method_digest::{DigestError, folder_digests};
use crate::translator::BoxFuture;
use crate::transport::is_local_endpoint;

/// Name of the manifest in a scorer's folder.
pub const SCORER_FILE: &str = "scorer.json";

/// What a scorer compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The entry.
    pub entry_id: EntryId,
    /// Its source.
    pub source: String,
    /// The output to be judged.
    pub output: String,
    /// What it is compared with.
    pub reference: String,
}

/// Compares meanings.
pub trait SemanticScorer: Send + Sync {
    /// Returns how many comparisons one call takes.
    fn batch_size(&self) -> usize;

    /// Scores each comparison, or says why it cannot; an error means that no comparison can be scored any more.
    fn score<'a>(
        &'a self,
        comparisons: &'a [Comparison],
    ) -> BoxFuture<'a, Result<Vec<Result<f64, String>>, ScorerError>>;

    /// Ends whatever the scorer keeps alive.
    fn shut_down(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// Why a scorer cannot go on, or cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScorerError {
    /// The manifest cannot be read.
    #[error("{}: {problem}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A file of the scorer cannot be read.
    #[error(transparent)]
    Digest(#[from] DigestError),
    /// The scorer cannot be reached or used as configured.
    #[error("the semantic scorer cannot be used: {0}")]
    Unusable(String),
    /// The scorer stopped answering.
    #[error("the semantic scorer does not answer: {0}")]
    Silent(String),
    /// The answers could not be written down.
    #[error(transparent)]
    Record(#[from] RecorderError),
}

/// A scorer's manifest as it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ScorerFolder {
    /// The manifest.
    pub manifest: ScorerManifest,
    /// The folder it lies in.
    pub folder: PathBuf,
    /// Identity of the scorer.
    pub identity: String,
}

impl ScorerFolder {
    /// Reads a manifest, or the one in a folder.
    pub fn read(path: &Path) -> Result<Self, ScorerError> {
        let file = if path.is_dir() {
            path.join(SCORER_FILE)
        } else {
            path.to_owned()
        };
        let fail = |problem: String| ScorerError::Manifest {
            path: file.clone(),
            problem,
        };
        let bytes = finite_file::read(&file).map_err(|error| fail(error.to_string()))?;
        let manifest: ScorerManifest =
            serde_json::from_slice(&bytes).map_err(|error| fail(error.to_string()))?;
        if manifest.schema != MANIFEST_SCHEMA {
            return Err(fail(format!(
                "schema {:?} is not {MANIFEST_SCHEMA}",
                manifest.schema
            )));
        }
        if manifest.scorer_id.trim().is_empty() {
            return Err(fail("scorer_id is empty".to_owned()));
        }
        let folder = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => Path::new(".").to_owned(),
        };
        let files: BTreeMap<String, Sha256Hex> = match &manifest.entry_point {
            ScorerEntryPoint::Process { .. } => folder_digests(&folder)?,
            ScorerEntryPoint::Embeddings { .. } => BTreeMap::new(),
        };
        Ok(Self {
            identity: manifest.identity(&files),
            manifest,
            folder,
        })
    }

    /// Returns whether texts leave this machine.
    pub fn sends_text_away(&self) -> bool {
        match &self.manifest.entry_point {
            ScorerEntryPoint::Embeddings { base_url, .. } => !is_local_endpoint(base_url),
            ScorerEntryPoint::Process { sends_text_away, .. } => *sends_text_away,
        }
    }
}

/// Asks the scorer about every comparison that the record does not answer yet, and writes each answer down before the
/// next question. `on_progress` is told how many were asked about.
pub async fn ask(
    scorer: &dyn SemanticScorer,
    comparisons: &[Comparison],
    recorder: &mut Recorder,
    mut on_progress: impl FnMut(usize),
) -> Result<(), ScorerError> {
    let open: Vec<&Comparison> = comparisons
        .iter()
        .filter(|comparison| !recorder.answers(comparison))
        .collect();
    let mut asked = 0;
    for batch in open.chunks(scorer.batch_size().max(1)) {
        let batch: Vec<Comparison> = batch.iter().map(|comparison| (*comparison).clone()).collect();
        let scores = scorer.score(&batch).await?;
        for (comparison, score) in batch.iter().zip(scores) {
            recorder.write(comparison.answer(score))?;
        }
        asked += batch.len();
        on_progress(asked);
    }
    recorder.sync()?;
    scorer.shut_down().await;
    Ok(())
}

impl Comparison {
    /// Returns what is written down about the comparison.
    fn answer(&self, score: Result<f64, String>) -> SemanticAnswer {
        let score = score.and_then(|score| {
            Finite::new(score).ok_or_else(|| "the scorer answered with a number that is none".to_owned())
        });
        let (score, error) = match score {
            Ok(score) => (Some(score), None),
            Err(error) => (None, Some(error)),
        };
        SemanticAnswer {
            entry_id: self.entry_id.clone(),
            texts_sha256: self.digest(),
            score,
            error,
        }
    }

    fn digest(&self) -> Sha256Hex {
        lydian_model::semantic::texts_sha256(&self.source, &self.output, &self.reference)
    }
}
