//! What is wrong with a sweep plan, and where.

use std::fmt;
use std::ops::Range;

use super::AXES;

/// One thing that is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanProblem {
    /// Line, from 1.
    pub line: usize,
    /// The key concerned, such as `axes.temperature`.
    pub key: String,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for PlanProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}: {}", self.line, self.key, self.problem)
    }
}

/// Collects problems of one text.
pub(super) struct Problems<'t> {
    text: &'t str,
    found: Vec<PlanProblem>,
}

impl<'t> Problems<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self {
            text,
            found: Vec::new(),
        }
    }

    /// Notes a problem at the start of a span.
    pub(super) fn note(&mut self, span: &Range<usize>, key: impl Into<String>, problem: impl Into<String>) {
        self.found.push(PlanProblem {
            line: self.line(span.start),
            key: key.into(),
            problem: problem.into(),
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns the problems in the order of their lines.
    pub(super) fn into_list(mut self) -> Vec<PlanProblem> {
        self.found.sort_by_key(|problem| problem.line);
        self.found
    }

    fn line(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or(self.text);
        before.matches('\n').count() + 1
    }
}

/// Returns the problem of a text that is not TOML, or not of the plan's form.
pub(super) fn of_syntax(text: &str, error: &toml::de::Error) -> PlanProblem {
    let at = error.span().map_or(0, |span| span.start);
    let problems = Problems::of(text);
    let line = problems.line(at);
    let content = text.lines().nth(line - 1).unwrap_or_default();
    let key = content.split_once('=').map_or(content, |(key, _)| key).trim();
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    PlanProblem {
        line,
        key: if key.is_empty() { "plan" } else { key }.to_owned(),
        problem: unknown_field(&message).unwrap_or(message),
    }
}

/// Returns what to say of a key nobody knows: the one that was probably meant, else those that may stand there.
fn unknown_field(message: &str) -> Option<String> {
    let mut names = message
        .strip_prefix("unknown field ")?
        .split('`')
        .skip(1)
        .step_by(2);
    let unknown = names.next()?;
    let allowed: Vec<&str> = names.collect();
    let similarity = |name: &str| strsim::jaro_winkler(unknown, name);
    let nearest = allowed
        .iter()
        .chain(&AXES)
        .copied()
        .filter(|name| similarity(name) > 0.85)
        .max_by(|left, right| similarity(left).total_cmp(&similarity(right)));
    Some(match nearest {
        Some(name) if allowed.contains(&name) => format!("unknown key, did you mean `{name}`?"),
        Some(name) => format!(
            "unknown key here; `{name}` stands with its values under [axes], or with one value under `parameters` of a [[method]]"
        ),
        None => format!("unknown key; known here are {}", allowed.join(", ")),
    })
}
