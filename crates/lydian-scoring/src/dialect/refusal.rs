//! Refusals by their wording: answers that decline, or claim not to understand (D §4, decision 38).

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

use super::normalise::{fold, without_quotes};
use super::refusal_patterns::{PATTERNS, Pattern, Scope, TASK_WORDS};

/// A pattern that fired: its name in the documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RefusalPattern(&'static str);

/// The texts of an item that must not count as the answer's own words.
#[derive(Debug, Clone, Copy, Default)]
pub struct ItemGuard<'a> {
    /// Source, reference, prompt and options: removed from the answer before it is read.
    pub quotes: &'a [&'a str],
    /// The reference and the options: a pattern that fires on one of them is switched off for the item.
    pub expected: &'a [&'a str],
}

impl RefusalPattern {
    /// Returns the name of the pattern.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// Returns the first pattern by which an answer declines or claims not to understand.
///
/// Almost every pattern needs the first person (or an assistant that speaks of itself), a negation and a
/// word of the task in one sentence; the others must be the whole answer.
///
/// ```
/// use lydian_scoring::dialect::{ItemGuard, find_refusal};
/// assert!(find_refusal("Ich verstehe diesen Dialekt nicht.", ItemGuard::default()).is_some());
/// assert!(find_refusal("Ich verstehe das nicht, sagte der Mann.", ItemGuard::default()).is_none());
/// ```
pub fn find_refusal(answer: &str, guard: ItemGuard<'_>) -> Option<RefusalPattern> {
    let (own, _) = without_quotes(answer, guard.quotes);
    let switched_off: Vec<RefusalPattern> = guard.expected.iter().flat_map(|text| firing(text)).collect();
    firing(&own).find(|pattern| !switched_off.contains(pattern))
}

fn firing(text: &str) -> impl Iterator<Item = RefusalPattern> + use<> {
    let folded = folded_lines(text);
    let compiled = compiled();
    let whole = trimmed(&folded);
    let mut fired: Vec<bool> = PATTERNS
        .iter()
        .zip(&compiled.patterns)
        .map(|(pattern, regex)| pattern.scope == Scope::Whole && regex.is_match(whole))
        .collect();
    for sentence in sentences(&folded) {
        // Task words are searched for first: they are rare, and looking for them is quick.
        let tasks: Vec<bool> = compiled
            .tasks
            .iter()
            .map(|task| task.is_match(sentence))
            .collect();
        for (at, pattern) in PATTERNS.iter().enumerate() {
            let task = compiled.task_of[at];
            if pattern.scope == Scope::Sentence && !fired[at] && task.is_none_or(|task| tasks[task]) {
                fired[at] = compiled.patterns[at].is_match(sentence);
            }
        }
    }
    let names = PATTERNS.iter().zip(fired).filter(|(_, fired)| *fired);
    names.map(|(pattern, _)| RefusalPattern(pattern.name))
}

/// All patterns ready to be searched for.
struct Compiled {
    /// The patterns, at their places in [`PATTERNS`].
    patterns: Vec<Regex>,
    /// The task words of each language, at their places in [`TASK_WORDS`].
    tasks: Vec<Regex>,
    /// Per pattern the place of the task words that must stand in the same sentence.
    task_of: Vec<Option<usize>>,
}

fn compiled() -> &'static Compiled {
    static COMPILED: OnceLock<Compiled> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let build = |source: &str| {
            RegexBuilder::new(source)
                .unicode(true)
                .build()
                .expect("a test compiles every refusal pattern")
        };
        let pattern = |pattern: &Pattern| match pattern.scope {
            Scope::Whole => build(&format!("^(?:{})$", pattern.regex)),
            Scope::Sentence => build(pattern.regex),
        };
        let task_of = |pattern: &Pattern| {
            let language = pattern.task?;
            TASK_WORDS.iter().position(|(known, _)| *known == language)
        };
        Compiled {
            patterns: PATTERNS.iter().map(pattern).collect(),
            tasks: TASK_WORDS
                .iter()
                .map(|(_, words)| build(&format!(r"\b(?:{words})")))
                .collect(),
            task_of: PATTERNS.iter().map(task_of).collect(),
        }
    })
}

/// Folds line by line, so that line ends stay sentence ends, with plain spaces in between.
fn folded_lines(text: &str) -> String {
    let folded: Vec<String> = text
        .lines()
        .map(|line| fold(line).split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    folded.join("\n")
}

fn sentences(folded: &str) -> impl Iterator<Item = &str> {
    folded
        .split(['.', '!', '?', '\n', ';', ':'])
        .filter(|sentence| !sentence.trim().is_empty())
}

fn trimmed(folded: &str) -> &str {
    folded.trim_matches(|character: char| !character.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fires(answer: &str) -> bool {
        find_refusal(answer, ItemGuard::default()).is_some()
    }

    #[test]
    fn every_pattern_has_a_name_of_its_own_and_task_words_exist() {
        let names: std::collections::BTreeSet<_> = PATTERNS.iter().map(|pattern| pattern.name).collect();
        assert_eq!(names.len(), PATTERNS.len());
        for pattern in PATTERNS {
            assert!(
                pattern
                    .task
                    .is_none_or(|language| TASK_WORDS.iter().any(|(known, _)| *known == language))
            );
        }
    }

    #[test]
    fn a_refusal_in_the_middle_of_an_answer_is_found() {
        assert!(fires(
            "Hallo!\n\nIch kann diesen Satz leider nicht übersetzen. Kann ich sonst helfen?"
        ));
        assert!(!fires("Ich kann heute nicht kommen. Der Satz ist lang."));
    }

    #[test]
    fn typographic_apostrophes_and_spelled_out_umlauts_do_not_matter() {
        assert!(fires("I’m sorry, but I can’t translate this dialect."));
        assert!(fires("Leider kann ich das nicht uebersetzen"));
    }

    #[test]
    fn a_short_claim_of_not_knowing_must_be_the_whole_answer() {
        assert!(fires("Das weiss ich leider nicht."));
        assert!(fires("I don't know."));
        assert!(!fires("Das weiss ich nicht, sagte sie, und ging."));
    }

    #[test]
    fn words_quoted_from_the_item_are_not_the_answers_own() {
        let source = "I verstah dä Dialäkt leider nid.";
        let reference = "Ich verstehe diesen Dialekt leider nicht.";
        let guard = ItemGuard {
            quotes: &[source, reference],
            expected: &[reference],
        };
        assert_eq!(
            find_refusal("«I verstah dä Dialäkt leider nid» heisst das.", guard),
            None
        );
        assert_eq!(find_refusal(reference, guard), None);
        // The pattern that the reference itself fires is off, another one is not.
        assert_eq!(
            find_refusal("Ich verstehe den Dialekt einfach nicht.", guard),
            None
        );
        assert!(find_refusal("Ich kann diesen Satz nicht übersetzen.", guard).is_some());
    }
}
