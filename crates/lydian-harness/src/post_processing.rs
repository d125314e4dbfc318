//! Named, versioned steps between a raw answer and the output; without any, only outer white space goes.

use std::fmt;
use std::str::FromStr;

/// A step. Its version is part of its name: a step that changes gets a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostProcessing {
    /// Removes one pair of quotation marks around the whole answer, unless the source has such a pair too.
    UnwrapQuotes,
    /// Removes a code fence around the whole answer.
    UnwrapFence,
    /// Removes a leading `<think>…</think>` block, as some local servers leave it in the text.
    DropThinking,
    /// Turns the five basic HTML entities back into characters.
    UnescapeHtml,
}

/// A step that does not exist.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown post-processing step {0:?}; known are {known}", known = PostProcessing::ALL.map(PostProcessing::name).join(", "))]
pub struct UnknownStep(pub String);

const QUOTES: [(char, char); 8] = [
    ('"', '"'),
    ('\'', '\''),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('«', '»'),
    ('»', '«'),
    ('‘', '’'),
];

impl PostProcessing {
    /// Every step.
    pub const ALL: [Self; 4] = [
        Self::UnwrapQuotes,
        Self::UnwrapFence,
        Self::DropThinking,
        Self::UnescapeHtml,
    ];

    /// Returns the name with version.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnwrapQuotes => "unwrap-quotes@1",
            Self::UnwrapFence => "unwrap-fence@1",
            Self::DropThinking => "drop-thinking@1",
            Self::UnescapeHtml => "unescape-html@1",
        }
    }

    fn apply(self, source: &str, text: &str) -> String {
        let unchanged = || text.to_owned();
        match self {
            Self::UnwrapQuotes => match unquoted(text) {
                Some(inner) if unquoted(source).is_none() => inner.trim().to_owned(),
                _ => unchanged(),
            },
            Self::UnwrapFence => {
                let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
                // The first line names the language of the block.
                inner
                    .and_then(|inner| inner.split_once('\n'))
                    .map_or_else(unchanged, |(_, body)| body.trim().to_owned())
            }
            Self::DropThinking => match text
                .strip_prefix("<think>")
                .and_then(|rest| rest.split_once("</think>"))
            {
                Some((_, answer)) => answer.trim().to_owned(),
                None => unchanged(),
            },
            Self::UnescapeHtml => text
                .replace("&#39;", "'")
                .replace("&quot;", "\"")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&"),
        }
    }
}

/// Returns the inside if one pair of quotation marks spans the whole text.
fn unquoted(text: &str) -> Option<&str> {
    QUOTES.iter().find_map(|(open, close)| {
        let inner = text.trim().strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.is_empty() && !inner.contains(*open) && !inner.contains(*close)).then_some(inner)
    })
}

/// Trims the answer and applies the steps in order.
pub fn post_process(steps: &[PostProcessing], source: &str, raw: &str) -> String {
    steps
        .iter()
        .fold(raw.trim().to_owned(), |text, step| step.apply(source, &text))
}

impl FromStr for PostProcessing {
    type Err = UnknownStep;

    fn from_str(name: &str) -> Result<Self, UnknownStep> {
        Self::ALL
            .into_iter()
            .find(|step| step.name() == name)
            .ok_or_else(|| UnknownStep(name.to_owned()))
    }
}

impl fmt::Display for PostProcessing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_steps_only_outer_white_space_goes() {
        for raw in [
            "\"Nein\", sagte er.",
            "'s avonds is het koud",
            "Ja.\nNein.",
            "**fett** und **mehr**",
            "12. März",
        ] {
            assert_eq!(post_process(&[], "x", &format!(" \n{raw}\n")), raw);
        }
    }

    #[test]
    fn quotes_go_only_if_they_span_the_whole_answer() {
        let unwrap = |source, raw| post_process(&[PostProcessing::UnwrapQuotes], source, raw);
        assert_eq!(unwrap("No.", "\"Nein.\""), "Nein.");
        assert_eq!(unwrap("No.", "„Nein.“"), "Nein.");
        assert_eq!(unwrap("\"No.\"", "\"Nein.\""), "\"Nein.\"");
        assert_eq!(unwrap("x", "\"Nein\", sagte \"er\""), "\"Nein\", sagte \"er\"");
        assert_eq!(unwrap("x", "'n Hond blaf."), "'n Hond blaf.");
        assert_eq!(unwrap("x", "\"\""), "\"\"");
    }

    #[test]
    fn fences_and_thinking_go() {
        let steps = [PostProcessing::DropThinking, PostProcessing::UnwrapFence];
        assert_eq!(
            post_process(&steps, "x", "<think>\n1. dog\n</think>\n```text\natim\n```"),
            "atim"
        );
        assert_eq!(post_process(&steps, "x", "```"), "```");
        assert_eq!(
            post_process(&steps, "x", "<think>never ends"),
            "<think>never ends"
        );
    }

    #[test]
    fn entities_are_resolved_once() {
        assert_eq!(
            post_process(&[PostProcessing::UnescapeHtml], "x", "it&#39;s &amp;lt;"),
            "it's &lt;"
        );
    }

    #[test]
    fn every_name_parses_back() {
        for step in PostProcessing::ALL {
            assert_eq!(step.name().parse(), Ok(step));
        }
        assert!("trim".parse::<PostProcessing>().is_err());
    }
}
