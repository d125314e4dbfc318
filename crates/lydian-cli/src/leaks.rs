//! Evaluated entries that stand in what the method was shown (decision 21).

use lydian_model::{Entry, RunSetup};
use lydian_scoring::TestLeak;

/// Shorter texts occur in any prompt by chance; they count only where they stand as a text of their own.
const SHORTEST: usize = 16;

/// Returns the entries whose source or reference stands in the system prompt or the coaching data.
pub(crate) fn leaks(entries: &[&Entry], setup: &RunSetup) -> Vec<TestLeak> {
    let places = [
        ("system prompt", Some(setup.system_prompt_used.as_str())),
        ("coaching data", setup.method_config.coaching_prompt.as_deref()),
    ];
    let mut found = Vec::new();
    for (place, text) in places {
        let shown = normalised(text.unwrap_or_default());
        if shown.is_empty() {
            continue;
        }
        for entry in entries {
            let texts = [&entry.source, &entry.reference];
            if texts.into_iter().any(|text| holds(&shown, &normalised(text))) {
                found.push(TestLeak {
                    entry_id: entry.id.clone(),
                    place: place.to_owned(),
                });
            }
        }
    }
    found
}

/// Returns the text in lower case with single spaces, line ends kept, so that layout does not hide a copy.
fn normalised(text: &str) -> String {
    let lines = text.lines().map(|line| {
        line.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn holds(shown: &str, text: &str) -> bool {
    if text.chars().count() >= SHORTEST {
        return shown.contains(text);
    }
    let quoted = format!("\"{text}\"");
    !text.is_empty()
        && shown
            .lines()
            .any(|line| line == text || line.contains(&quoted) || line.split(" → ").any(|side| side == text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_found_anywhere_and_short_ones_only_alone() {
        let shown =
            normalised("Notes.\n[[example]]\nsource = \"Dog\"\nThe  dog sees the cat today.\nhello → tânisi");
        for (text, found) in [
            ("the dog sees the cat", true),
            ("the dog sees the bird", false),
            ("dog", true),
            ("cat", false),
            ("tânisi", true),
            ("", false),
        ] {
            assert_eq!(holds(&shown, &normalised(text)), found, "{text}");
        }
    }
}
