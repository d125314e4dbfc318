//! How the server behaves: read from a model name such as `m-slow-200+429-2`.

use super::asked::Asked;
use super::reply::{Content, FakeAnswer};
use std::time::Duration;

/// How a request is treated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behaviour {
    delay_ms: u64,
    random_delay_ms: u64,
    pub(super) per_second: Option<f64>,
    failing: Option<(Failing, Option<u32>)>,
    content: Option<(Content, Option<u32>)>,
    usage: UsageMode,
    alternating_upstream: bool,
    reports_cost: bool,
    pub(super) batch: BatchMode,
    pub(super) html_entities: bool,
    text: Option<String>,
}

/// A response that is not an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failing {
    Status {
        status: u16,
        retry_after: Option<String>,
    },
    ErrorIn200 {
        status: u16,
    },
    Raw {
        status: u16,
        body: String,
    },
    Policy,
    Quota,
    Reset,
    Cut,
    Hang,
}

/// What the server says about tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum UsageMode {
    /// Counts of the texts.
    #[default]
    Counted,
    /// No usage at all.
    Missing,
    /// Fixed counts with cached and reasoning tokens.
    Cached,
}

/// How a batch is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BatchMode {
    /// Every id with its own translation.
    #[default]
    Correct,
    /// Translations moved by one, ids kept.
    Shifted,
    /// The second item left out.
    Skipping,
    /// The first two items out of order.
    Swapped,
    /// A text around the list.
    Preamble,
}

impl Behaviour {
    /// Reads a model name; what it does not understand behaves well.
    pub fn of_model(model: &str) -> Self {
        let mut behaviour = Self::default();
        let name = model.rsplit('/').next().unwrap_or(model);
        let Some(parts) = name.strip_prefix("m-") else {
            return behaviour;
        };
        for part in parts.split('+') {
            behaviour.add(part);
        }
        behaviour
    }

    /// Returns the text that every answer has.
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Gives every answer this text.
    pub(super) fn set_text(&mut self, text: &str) {
        self.text = Some(text.to_owned());
    }

    /// Adds one part of a name; returns whether it was understood.
    pub(super) fn add(&mut self, part: &str) -> bool {
        let (name, number) = match part.rsplit_once('-') {
            Some((name, digits)) => match digits.parse::<u64>() {
                Ok(number) => (name, Some(number)),
                Err(_) => (part, None),
            },
            None => (part, None),
        };
        let times = number.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        if let Some(failing) = failing_of(name) {
            self.failing = Some((failing, times));
            return true;
        }
        match name {
            "ok" => {}
            "slow" => self.delay_ms = number.unwrap_or(200),
            "jitter" => self.random_delay_ms = number.unwrap_or(200),
            "rate" => self.per_second = Some(number.unwrap_or(20) as f64),
            "nousage" => self.usage = UsageMode::Missing,
            "cached" => self.usage = UsageMode::Cached,
            "cost" => self.reports_cost = true,
            "upstreams" => self.alternating_upstream = true,
            "entities" => self.html_entities = true,
            "batchshift" => self.batch = BatchMode::Shifted,
            "batchskip" => self.batch = BatchMode::Skipping,
            "batchswap" => self.batch = BatchMode::Swapped,
            "batchtext" => self.batch = BatchMode::Preamble,
            _ => {
                let content = match name {
                    "len" => Content::Cut,
                    "reasonout" => Content::ReasoningOnly,
                    "filter" => Content::Filtered,
                    "refusal" => Content::Refused,
                    "empty" => Content::Empty,
                    "tool" => Content::ToolCall,
                    _ => return false,
                };
                self.content = Some((content, times));
            }
        }
        true
    }

    pub(super) fn delay(&self, body: &[u8]) -> Duration {
        let random = if self.random_delay_ms == 0 {
            0
        } else {
            hash(body) % self.random_delay_ms
        };
        Duration::from_millis(self.delay_ms + random)
    }

    pub(super) fn set_delay(&mut self, milliseconds: u64) {
        self.delay_ms = milliseconds;
    }

    pub(super) fn set_failing(&mut self, failing: Failing, times: Option<u32>) {
        self.failing = Some((failing, times));
    }

    pub(super) fn set_retry_after(&mut self, value: &str) {
        if let Some((Failing::Status { retry_after, .. }, _)) = &mut self.failing {
            *retry_after = Some(value.to_owned());
        }
    }

    pub(super) fn set_times(&mut self, value: u32) {
        if let Some((_, times)) = &mut self.failing {
            *times = Some(value);
        }
    }

    /// Returns the failure for a request that came `before` times already.
    pub(super) fn failing(&self, before: u32) -> Option<Failing> {
        let (failing, times) = self.failing.as_ref()?;
        times.is_none_or(|times| before < times).then(|| failing.clone())
    }

    /// Makes the answer out of a translation.
    pub(super) fn answer(&self, asked: &Asked, translation: String, before: u32) -> FakeAnswer {
        let content = match &self.content {
            // A model that has been given the tool's result answers.
            Some((Content::ToolCall, _)) if !asked.tool_results.is_empty() || asked.tools.is_empty() => {
                Content::Text
            }
            Some((content, times)) if times.is_none_or(|times| before < times) => *content,
            _ => Content::Text,
        };
        FakeAnswer::new(asked, content, translation)
            .with_usage(self.usage)
            .with_cost(self.reports_cost)
            .with_upstreams(self.alternating_upstream)
    }
}

fn failing_of(name: &str) -> Option<Failing> {
    let raw = |body: &str| {
        Some(Failing::Raw {
            status: 200,
            body: body.to_owned(),
        })
    };
    match name {
        "429" => Some(Failing::Status {
            status: 429,
            retry_after: Some("1".into()),
        }),
        "daily" => Some(Failing::Status {
            status: 429,
            retry_after: Some("86400".into()),
        }),
        "quota" => Some(Failing::Quota),
        "policy" => Some(Failing::Policy),
        "err200" => Some(Failing::ErrorIn200 { status: 429 }),
        "choicesnull" => {
            raw(r#"{"id":"gen-1","choices":null,"error":{"code":500,"message":"upstream failed"}}"#)
        }
        "nochoices" => raw(r#"{"id":"gen-1","choices":[]}"#),
        "finisherr" => raw(
            r#"{"id":"gen-1","choices":[{"finish_reason":"error","message":{"role":"assistant","content":"par"}}]}"#,
        ),
        "html" => raw("<html><body>gateway</body></html>"),
        "reset" => Some(Failing::Reset),
        "cut" => Some(Failing::Cut),
        "hang" => Some(Failing::Hang),
        _ => {
            let status = name
                .parse::<u16>()
                .ok()
                .filter(|status| (300..=599).contains(status))?;
            Some(Failing::Status {
                status,
                retry_after: None,
            })
        }
    }
}

/// FNV-1a, so that delays repeat from run to run.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_name_add_up() {
        let behaviour = Behaviour::of_model("vendor/m-slow-250+429-2+nousage");
        assert_eq!(behaviour.delay(b"x"), Duration::from_millis(250));
        assert_eq!(behaviour.usage, UsageMode::Missing);
        assert!(matches!(
            behaviour.failing(1),
            Some(Failing::Status { status: 429, .. })
        ));
        assert_eq!(behaviour.failing(2), None);
    }

    #[test]
    fn a_failure_without_a_number_never_ends() {
        assert!(Behaviour::of_model("m-500").failing(1000).is_some());
    }

    #[test]
    fn other_names_behave_well() {
        assert_eq!(Behaviour::of_model("gpt-4.1-mini"), Behaviour::default());
        assert_eq!(Behaviour::of_model("m-ok"), Behaviour::default());
        assert!(!Behaviour::default().add("no-such-thing"));
    }
}
