//! A program that scores outputs instead of translating.

use super::PluginSettings;
use super::message::{ScoreMessage, ScorePair, ToPlugin};
use super::session::{Event, Session};
use crate::semantic::Comparison;
use std::collections::BTreeMap;
use std::time::Duration;

/// A running program that said it scores.
#[derive(Debug)]
pub(crate) struct ScoringSession {
    session: Session,
    timeout: Duration,
}

impl ScoringSession {
    /// Starts the program; one that does not score is refused.
    pub(crate) async fn start(settings: &PluginSettings) -> Result<Self, String> {
        let session = Session::start(settings).await?;
        if !session.hello().capabilities.scores {
            let id = session.hello().method.id.clone();
            session.shut_down().await;
            return Err(format!(
                "{id} does not say that it scores: its hello needs \"capabilities\":{{\"scores\":true}}"
            ));
        }
        Ok(Self {
            session,
            timeout: settings.entry_timeout,
        })
    }

    /// Returns how many comparisons the program takes at a time.
    pub(crate) fn max_batch(&self) -> usize {
        self.session.hello().capabilities.max_batch as usize
    }

    /// Asks for the scores of these comparisons. What is not answered properly is an error of its own.
    pub(crate) async fn score(&self, comparisons: &[Comparison]) -> Result<Vec<Result<f64, String>>, String> {
        match self.exchange(comparisons).await {
            Ok(scores) => Ok(scores),
            Err(reason) => Err(self.session.with_remark(reason).await),
        }
    }

    async fn exchange(&self, comparisons: &[Comparison]) -> Result<Vec<Result<f64, String>>, String> {
        let (req, mut events) = self.session.open()?;
        // An entry may be compared with several references: the number of the comparison is its id here.
        let pairs = comparisons.iter().enumerate();
        let pairs = pairs.map(|(number, comparison)| ScorePair {
            id: number.to_string(),
            source: comparison.source.clone(),
            output: comparison.output.clone(),
            reference: comparison.reference.clone(),
        });
        let message = ToPlugin::Score {
            req,
            pairs: pairs.collect(),
        };
        self.session.send(&message).await?;
        let mut scores: BTreeMap<usize, Result<f64, String>> = BTreeMap::new();
        loop {
            let event = tokio::time::timeout(self.timeout, events.recv()).await;
            match event {
                Err(_) => {
                    let reason = format!("no score within {} s", self.timeout.as_secs());
                    self.session.kill(reason.clone()).await;
                    return Err(reason);
                }
                Ok(None) => return Err(self.session.reason()),
                Ok(Some(Event::Done)) => break,
                Ok(Some(Event::Progress | Event::Result(_))) => {}
                Ok(Some(Event::Score(message))) => {
                    let number = message
                        .id
                        .parse()
                        .ok()
                        .filter(|number| *number < comparisons.len());
                    if let Some(number) = number {
                        let twice = scores.contains_key(&number);
                        let score = if twice {
                            Err("it was scored twice".to_owned())
                        } else {
                            checked(&message)
                        };
                        scores.insert(number, score);
                    }
                }
            }
        }
        let missing = || Err("the scorer gave no score".to_owned());
        Ok((0..comparisons.len())
            .map(|number| scores.remove(&number).unwrap_or_else(missing))
            .collect())
    }

    /// Asks the program to end.
    pub(crate) async fn shut_down(&self) {
        self.session.shut_down().await;
    }
}

/// A score lies between 0 and 1, so that scorers of every scale can be compared.
fn checked(message: &ScoreMessage) -> Result<f64, String> {
    match (message.score, &message.error) {
        (_, Some(error)) => Err(error.clone()),
        (Some(score), None) if (0.0..=1.0).contains(&score) => Ok(score),
        (Some(score), None) => Err(format!("the score {score} is not between 0 and 1")),
        (None, None) => Err("neither a score nor an error".to_owned()),
    }
}
