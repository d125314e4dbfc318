//! The records of a journal. None of them can hold a reference (decision 29a).

use lydian_model::{EntryId, Finite, NanoUsd, Prediction, RunSetup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::provider::RawResponse;

/// Response headers that are not kept: they can carry a session.
const DROPPED_HEADERS: [&str; 2] = ["set-cookie", "set-cookie2"];

/// Schema name and version of the journal.
pub const SCHEMA: &str = "lydian.journal/1";

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JournalLine {
    /// The first eight hexadecimal digits of the SHA-256 of the record's bytes.
    #[schemars(extend("pattern" = "^[0-9a-f]{8}$"))]
    pub check: String,
    /// The record.
    pub record: Record,
}

/// One record. `at_ms` counts milliseconds since the execution it belongs to began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(
    clippy::large_enum_variant,
    reason = "the setup stands once in a journal; answers must not be boxed one by one"
)]
pub enum Record {
    /// What is run. The first record, and the only one of its kind.
    Setup {
        /// Always [`SCHEMA`].
        schema: String,
        /// The experimental setup.
        setup: RunSetup,
        /// Where this machine found corpus and method, so that the run can be resumed. Not part of the card.
        inputs: Map<String, Value>,
    },
    /// An execution begins: the first by `run`, later ones by `resume`.
    Active {
        /// RFC 3339 UTC time at which it began.
        began: String,
        /// Program name and version.
        program: String,
    },
    /// A request that may be paid is about to be sent.
    Sent {
        /// Milliseconds since the execution began.
        at_ms: u64,
        /// Number of the request in this run.
        number: u64,
        /// Entries it is for.
        entry_ids: Vec<EntryId>,
        /// Digest of the request and its endpoint.
        request_sha256: String,
        /// Number of the attempt, from 1.
        attempt: u32,
        /// The most it can cost, if that is known. It counts against a budget until the answer says what it cost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        budgeted_usd: Option<NanoUsd>,
    },
    /// What came back for a request, before anyone judged it.
    Received {
        /// Milliseconds since the execution began.
        at_ms: u64,
        /// Number of the request in this run.
        number: u64,
        /// Entries it is for.
        entry_ids: Vec<EntryId>,
        /// Digest of the request and its endpoint.
        request_sha256: String,
        /// Seconds the request took.
        seconds: Finite,
        /// The response, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response: Option<Response>,
        /// Why there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
        /// What it counts against a budget from now on; the most it could cost where the cost is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        budgeted_usd: Option<NanoUsd>,
    },
    /// The outcome of an entry. The first one that is not `failed` is accepted.
    Answer {
        /// Milliseconds since the execution began.
        at_ms: u64,
        /// The answer.
        prediction: Prediction,
    },
    /// An answer turned out not to belong to its entry: it and its fellows are void, the entry is open again.
    Withdrawn {
        /// Milliseconds since the execution began.
        at_ms: u64,
        /// A failure that says why.
        prediction: Prediction,
    },
    /// An execution ends in an orderly way.
    Ended {
        /// Milliseconds since the execution began.
        at_ms: u64,
        /// Why it ends.
        reason: EndReason,
        /// What made going on pointless, when it was stopped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stop: Option<String>,
    },
}

/// Why an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// Every entry was asked for.
    Finished,
    /// Somebody interrupted it.
    Interrupted,
    /// Nothing more could succeed, such as a wrong key or a used-up budget.
    Stopped,
}

/// A response as it was received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Header names and values.
    pub headers: Vec<(String, String)>,
    /// The body, if it is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The body in hexadecimal digits, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_hex: Option<String>,
}

impl Record {
    /// Returns when the record was written, in milliseconds since its execution began.
    pub(super) fn at_ms(&self) -> Option<u64> {
        match self {
            Self::Setup { .. } | Self::Active { .. } => None,
            Self::Sent { at_ms, .. }
            | Self::Received { at_ms, .. }
            | Self::Answer { at_ms, .. }
            | Self::Withdrawn { at_ms, .. }
            | Self::Ended { at_ms, .. } => Some(*at_ms),
        }
    }
}

impl Response {
    /// Returns the record of what was received, without headers that can carry a session.
    pub fn of(response: &RawResponse) -> Self {
        let kept = response
            .headers
            .iter()
            .filter(|(name, _)| !DROPPED_HEADERS.contains(&name.to_ascii_lowercase().as_str()));
        Self::new(response.status, kept.cloned().collect(), response.body.clone())
    }

    /// Returns the record of a response with these parts.
    pub fn new(status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> Self {
        let (body, body_hex) = match String::from_utf8(body) {
            Ok(text) => (Some(text), None),
            Err(error) => (None, Some(hex(error.as_bytes()))),
        };
        Self {
            status,
            headers,
            body,
            body_hex,
        }
    }

    /// Returns the body's bytes, or `None` if `body_hex` is not hexadecimal.
    pub fn body_bytes(&self) -> Option<Vec<u8>> {
        match (&self.body, &self.body_hex) {
            (Some(text), _) => Some(text.clone().into_bytes()),
            (None, Some(digits)) => bytes_of_hex(digits),
            (None, None) => Some(Vec::new()),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut digits, byte| {
        write!(digits, "{byte:02x}").expect("writing to a string succeeds");
        digits
    })
}

fn bytes_of_hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.is_ascii() {
        return None;
    }
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_is_not_text_survives() {
        let body = vec![0xff, 0x00, 0x7b];
        let response = Response::new(200, Vec::new(), body.clone());
        let text = serde_json::to_string(&response).unwrap();
        let read: Response = serde_json::from_str(&text).unwrap();
        assert_eq!(read.body_bytes(), Some(body));
    }

    #[test]
    fn a_broken_body_is_no_body() {
        let broken = Response {
            body_hex: Some("0g".into()),
            ..Response::new(200, Vec::new(), vec![0xff])
        };
        assert_eq!(broken.body_bytes(), None);
    }
}
