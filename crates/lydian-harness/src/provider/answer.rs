//! What came back, in terms no provider owns.

use lydian_model::prediction::Served;
use lydian_model::{NanoUsd, Outcome, TokenUsage};
use serde_json::Value;
use std::time::Duration;

/// A response before anyone has judged it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawResponse {
    /// HTTP status.
    pub status: u16,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as received.
    pub body: Vec<u8>,
}

impl RawResponse {
    /// Makes a response without headers.
    #[cfg(test)]
    pub(super) fn of(status: u16, body: &str) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
        }
    }

    /// Returns the first value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Returns the beginning of the body as text, for messages.
    pub fn excerpt(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let mut excerpt: String = text
            .chars()
            .take(300)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        if excerpt.len() < text.len() {
            excerpt.push('…');
        }
        excerpt
    }
}

/// A decision of the provider about one request.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What the answer is worth; never [`Outcome::Failed`] here.
    pub outcome: Outcome,
    /// The text, also a truncated one; `None` if there was none.
    pub text: Option<String>,
    /// The provider's own refusal or filter message.
    pub refusal: Option<String>,
    /// Why a truncated answer was cut.
    pub truncation: Option<Truncation>,
    /// Tools the model wants to be called before it answers.
    pub tool_calls: Vec<ToolCall>,
    /// Token counts as reported; `None` if nothing was reported.
    pub usage: Option<TokenUsage>,
    /// Characters an engine bills.
    pub billed_characters: Option<u64>,
    /// The price the provider itself names.
    pub reported_cost: Option<NanoUsd>,
    /// Who answered, and the finish reason in the provider's own words.
    pub served: Served,
}

/// Why an answer was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// The text reached the token limit.
    Length,
    /// Hidden reasoning used the whole limit and no text came.
    ReasoningOnly,
}

/// A tool call a model asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The provider's id of the call.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// Arguments; the raw text if it was not JSON.
    pub arguments: Value,
}

/// A response without a decision: nothing to score, perhaps worth another try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What the caller can do about it.
    pub kind: FailureKind,
    /// HTTP status, or the status found in the body of a 200.
    pub status: Option<u16>,
    /// The provider's message, shortened.
    pub message: String,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
    /// The provider's id of the request.
    pub request_id: Option<String>,
}

/// What a caller can do about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// Too many requests: wait, then try again; does not use up error retries.
    RateLimited,
    /// The account has no credit or quota left: stop the endpoint, resume later.
    Quota,
    /// The key is missing or wrong: stop the endpoint.
    Authentication,
    /// The key may not use this model: stop the endpoint.
    Forbidden,
    /// No such endpoint or model: stop the endpoint.
    NotFound,
    /// The provider does not accept this request.
    BadRequest,
    /// The provider had an error of its own: try again.
    Unavailable,
    /// The response makes no sense: try again, but not often, since it may have been paid.
    BadResponse,
    /// No connection came about, so nothing was sent: try again.
    Unreachable,
    /// The connection broke while the request or response was on its way: try again.
    Connection,
    /// No response in time: try again, but not often, since it may have been paid.
    Timeout,
}

impl FailureKind {
    /// Returns the name used in journals.
    pub fn name(self) -> &'static str {
        match self {
            Self::RateLimited => "rate_limited",
            Self::Quota => "quota",
            Self::Authentication => "authentication",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::BadRequest => "bad_request",
            Self::Unavailable => "unavailable",
            Self::BadResponse => "bad_response",
            Self::Unreachable => "unreachable",
            Self::Connection => "connection",
            Self::Timeout => "timeout",
        }
    }

    /// Returns whether no further request can succeed until somebody changes something.
    pub fn stops_endpoint(self) -> bool {
        matches!(
            self,
            Self::Quota | Self::Authentication | Self::Forbidden | Self::NotFound
        )
    }

    /// Returns whether the provider may have charged for the request.
    pub fn may_be_paid(self) -> bool {
        matches!(self, Self::BadResponse | Self::Connection | Self::Timeout)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.kind.name())?;
        if let Some(status) = self.status {
            write!(formatter, " (status {status})")?;
        }
        if !self.message.is_empty() {
            write!(formatter, ": {}", self.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

impl Answer {
    /// Starts an answer with nothing known but its outcome.
    pub(super) fn new(outcome: Outcome, served: Served) -> Self {
        Self {
            outcome,
            text: None,
            refusal: None,
            truncation: None,
            tool_calls: Vec::new(),
            usage: None,
            billed_characters: None,
            reported_cost: None,
            served,
        }
    }

    /// Returns whether the answer is complete and may be stored for reuse: an `ok` outcome whose finish reason says
    /// that the model or engine was done.
    pub fn is_clean(&self) -> bool {
        let done = |reason: &str| {
            matches!(
                reason,
                "stop" | "end_turn" | "stop_sequence" | "STOP" | "tool_calls" | "tool_use" | "translated"
            )
        };
        self.outcome == Outcome::Ok && self.served.finish_reason.as_deref().is_some_and(done)
    }
}
