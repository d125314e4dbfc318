//! What every method offers the run loop, and what the run loop offers every method.

use crate::provider::{Failure, RawResponse};
use lydian_model::{EntryId, NanoUsd, Prediction, SourceEntry};
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::time::Duration;

/// A future that can be kept behind a trait object.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Turns entries into predictions.
pub trait Translator: Send + Sync {
    /// Returns how many entries one call takes; 1 unless the method batches.
    fn batch_size(&self) -> usize {
        1
    }

    /// Translates up to [`Translator::batch_size`] entries. Every paid request is told to `log` before it is made,
    /// and its answer before it is used. The predictions come back in any order, one per entry; an entry whose
    /// method failed is a prediction with outcome `failed`. [`Stop`] means that no entry after these can succeed
    /// either: the entries stay open and a later run asks for them again.
    fn translate<'a>(
        &'a self,
        entries: &'a [SourceEntry],
        log: &'a dyn CallLog,
    ) -> BoxFuture<'a, Result<Vec<Prediction>, Stop>>;

    /// Tells the method which folder the run has, for what it writes beside its answers.
    fn keep_files_in(&self, _folder: &Path) {}

    /// Takes the method's remarks for the user since the last time.
    fn take_notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Ends whatever the method keeps alive. Returns a failure for every entry whose earlier answer turned out not to
    /// be trusted, such as all answers of a program that wrote more lines than it was given.
    fn shut_down(&self) -> BoxFuture<'_, Vec<Prediction>> {
        Box::pin(std::future::ready(Vec::new()))
    }
}

/// Where a method's requests and answers are written down. The journal is one; tests count with another.
pub trait CallLog: Send + Sync {
    /// Records that a request is about to be sent and returns its number in this run. A request may be paid as soon
    /// as it is sent, so the record must survive a killed process before this returns.
    fn sent<'a>(&'a self, call: &'a SentCall) -> BoxFuture<'a, Result<u64, LogError>>;

    /// Records what came back, before anyone uses it.
    fn received<'a>(&'a self, call: &'a ReceivedCall) -> BoxFuture<'a, Result<(), LogError>>;

    /// Returns the answer that an interrupted execution of this run already got for the same request of this entry.
    fn earlier_answer(&self, entry_id: &EntryId, request_sha256: &str) -> Option<EarlierAnswer>;
}

/// A request about to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentCall {
    /// The entries it is for.
    pub entry_ids: Vec<EntryId>,
    /// Digest of the whole request and its endpoint.
    pub request_sha256: String,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// The most it can cost, if that is known.
    pub budgeted: Option<NanoUsd>,
}

/// What came back for a request.
#[derive(Clone, Debug, PartialEq)]
pub struct ReceivedCall {
    /// The number that [`CallLog::sent`] gave.
    pub number: u64,
    /// The entries it is for.
    pub entry_ids: Vec<EntryId>,
    /// Digest of the whole request and its endpoint.
    pub request_sha256: String,
    /// The response of an answer, or why there is none.
    pub result: Result<RawResponse, Failure>,
    /// How long it took.
    pub latency: Duration,
    /// What it counts against a budget: what it cost, or the most it could.
    pub budgeted: Option<NanoUsd>,
}

/// An answer found in the journal of an interrupted run.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierAnswer {
    /// The response as it was received.
    pub response: RawResponse,
    /// The request's number.
    pub number: u64,
    /// How long it took then.
    pub latency: Duration,
}

/// The log could not be written: nothing may be sent any more.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct LogError(pub String);

/// Why a whole run cannot go on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Stop {
    /// The key is missing or wrong.
    #[error("the endpoint does not accept the key: {0}")]
    Authentication(Failure),
    /// The key may not use the model, the endpoint does not exist, or it accepts no request of this form.
    #[error("the endpoint cannot be used as configured: {0}")]
    Unusable(Failure),
    /// No credit or quota is left, or the provider asks to come back after a long time.
    #[error("the provider has no quota left for now: {0}")]
    Quota(Failure),
    /// The provider did not answer anyone for a long time.
    #[error("the provider has not answered for {seconds} seconds: {failure}", seconds = .waited.as_secs())]
    Unavailable {
        /// The last failure.
        failure: Failure,
        /// How long it was waited.
        waited: Duration,
    },
    /// The next request could cost more than the budget has left.
    #[error("the budget is used up: {}{left} USD are left", next_cost(*needed))]
    Budget {
        /// Upper bound of the next request's cost, in dollars; 0 if it is not known.
        needed: f64,
        /// What is left, in dollars.
        left: f64,
    },
    /// A budget was set, but the price of the model is unknown.
    #[error("the budget cannot be kept: {0}")]
    Unpriced(String),
    /// The journal could not be written.
    #[error("the journal cannot be written: {0}")]
    Log(#[from] LogError),
    /// The method was asked and gave no answer, several times in a row.
    #[error("the method gives no answers: {0}")]
    NoAnswers(String),
    /// The method itself is broken in a way that concerns every entry.
    #[error("the method cannot be run: {0}")]
    Method(String),
}

fn next_cost(needed: f64) -> String {
    if needed > 0.0 {
        format!("the next request may cost {needed} USD, ")
    } else {
        String::new()
    }
}
