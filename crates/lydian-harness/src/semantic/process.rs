//! A program as scorer, over the plugin protocol.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::{Comparison, ScorerError, SemanticScorer};
use crate::plugin::{PluginSettings, RunInfo, ScoringSession};
use crate::translator::BoxFuture;

/// Most comparisons in one message, whatever the program says it takes.
const MOST: usize = 1024;

/// How a scoring program is started.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessSettings {
    /// Program and arguments.
    pub command: Vec<String>,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// Its whole environment.
    pub environment: BTreeMap<String, String>,
    /// Tag of the source language.
    pub source_language: String,
    /// Tag of the target language.
    pub target_language: String,
    /// Passed to it.
    pub parameters: Map<String, Value>,
    /// Longest wait for its hello and for the next score.
    pub timeout: Duration,
    /// File for what it writes to standard error.
    pub stderr_file: Option<PathBuf>,
}

/// A running program that scores.
#[derive(Debug)]
pub struct ProcessScorer {
    session: Mutex<ScoringSession>,
    batch: usize,
}

impl ProcessScorer {
    /// Starts the program and asks whether it scores.
    pub async fn start(settings: ProcessSettings) -> Result<Self, ScorerError> {
        let run = RunInfo {
            source_lang: settings.source_language,
            target_lang: settings.target_language,
            seed: None,
            params: settings.parameters,
        };
        let usual = PluginSettings::new(settings.command, settings.folder, run);
        let plugin = PluginSettings {
            environment: settings.environment,
            entry_timeout: settings.timeout,
            start_timeout: settings.timeout,
            stderr_file: settings.stderr_file,
            ..usual
        };
        let session = ScoringSession::start(&plugin)
            .await
            .map_err(ScorerError::Unusable)?;
        Ok(Self {
            batch: session.max_batch().clamp(1, MOST),
            session: Mutex::new(session),
        })
    }
}

impl SemanticScorer for ProcessScorer {
    fn batch_size(&self) -> usize {
        self.batch
    }

    fn score<'a>(
        &'a self,
        comparisons: &'a [Comparison],
    ) -> BoxFuture<'a, Result<Vec<Result<f64, String>>, ScorerError>> {
        Box::pin(async move {
            let session = self.session.lock().await;
            session.score(comparisons).await.map_err(ScorerError::Silent)
        })
    }

    fn shut_down(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move { self.session.lock().await.shut_down().await })
    }
}
