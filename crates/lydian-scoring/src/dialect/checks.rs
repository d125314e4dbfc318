//! Checks of items that need the scorer: does the reference reach its own keywords, what would an echo score?

use lydian_model::diagnostic::{Diagnostic, Place, Severity};
use lydian_model::dialect::{Choice, Contrast, DialectItem, DialectItems, Keyword, Letter, Task};

use super::coverage::{CoverageScore, coverage};
use super::normalise::{folded_words, words};

/// Keywords that weigh less than this in all make one miss decide.
const LEAST_WEIGHT_HALVES: u64 = 6;

/// Words that negate a sentence, folded.
const NEGATIONS: [&str; 13] = [
    "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "niemand", "nichts",
    "weder", "nirgends",
];

/// Words so frequent that hardly a German sentence goes without one of them, in lower case.
const EVERYWHERE: &str = "der die das den dem des ein eine einen einem einer eines und oder in im an am auf aus bei mit \
                          nach von vom zu zum zur für über ist sind war hat haben wird werden er sie es wir ich sich nicht \
                          auch als dass man jeder jede jedes alle";

/// Returns the findings of the scorer about items whose shape is right (decision 35).
pub fn check_scorability(items: &DialectItems) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, item) in items.items.iter().enumerate() {
        let mut notes = Notes {
            item,
            at,
            found: &mut found,
        };
        match &item.task {
            Task::Translation { keywords } => {
                check_coverage(keywords, &mut notes);
                check_spellings(keywords, &mut notes);
                check_negation(&mut notes);
            }
            Task::Comprehension(choice) | Task::Culture { choice, .. } => check_options(choice, &mut notes),
            Task::Identification { choice, contrasts } => {
                check_options(choice, &mut notes);
                check_forms(contrasts, &mut notes);
            }
        }
    }
    found
}

/// The findings about one item.
struct Notes<'a> {
    item: &'a DialectItem,
    at: usize,
    found: &'a mut Vec<Diagnostic>,
}

impl Notes<'_> {
    fn add(
        &mut self,
        severity: Severity,
        (check, rule): (&'static str, &'static str),
        key: &str,
        (message, fix): (String, &str),
    ) {
        self.found.push(Diagnostic {
            severity,
            check,
            rule,
            place: Place {
                pointer: Some(format!("/entries/{}/{key}", self.at)),
                entry_id: Some(self.item.id.clone()),
                ..Place::default()
            },
            message,
            fix: fix.to_owned(),
        });
    }
}

/// The reference must reach its own keywords, one miss should not decide, and the source should not reach them.
fn check_coverage(keywords: &[Keyword], notes: &mut Notes<'_>) {
    let own = coverage(keywords, &notes.item.reference);
    if !own.is_complete() {
        let missed: Vec<&str> = own
            .keywords
            .iter()
            .filter(|row| row.matched.is_none())
            .map(|row| row.keyword.as_str())
            .collect();
        let message = format!(
            "the reference does not reach its own keywords: nothing matches {}",
            missed.join(", ")
        );
        let fix = "write each keyword's `word` as it stands in the reference";
        notes.add(
            Severity::Error,
            ("self_coverage", "decision 35"),
            "keywords",
            (message, fix),
        );
    }
    if own.total_halves < LEAST_WEIGHT_HALVES {
        let message = format!(
            "the keywords weigh {} in all: one miss decides the score",
            own.total_halves as f64 / 2.0
        );
        let fix = "prefer sentences with a total weight of at least 3";
        notes.add(
            Severity::Warning,
            ("thin_keywords", "D §2"),
            "keywords",
            (message, fix),
        );
    }
    if coverage(keywords, &notes.item.source).score() == CoverageScore::Correct {
        let message =
            "copying the source reaches every threshold; only the language gate stops it".to_owned();
        let fix = "prefer a sentence whose content words differ from the standard language";
        notes.add(Severity::Hint, ("echo_scores", "D §2"), "source", (message, fix));
    }
}

/// Forms and synonyms of the most frequent words alone stand in any answer.
fn check_spellings(keywords: &[Keyword], notes: &mut Notes<'_>) {
    for keyword in keywords {
        let mut texts = keyword.forms.iter().chain(&keyword.synonyms);
        let is_common = |word: &str| {
            EVERYWHERE
                .split_whitespace()
                .any(|known| known == word.to_lowercase())
        };
        let empty = |text: &&String| words(text).iter().all(|word| is_common(word.text));
        if let Some(text) = texts.find(empty) {
            let message = format!(
                "`{text}`, which counts as `{}`, is made of the most frequent words: hardly an answer goes without them",
                keyword.word
            );
            let fix = "use words with content, or a longer phrase";
            notes.add(
                Severity::Warning,
                ("frequent_word", "D §2"),
                "keywords",
                (message, fix),
            );
        }
    }
}

/// A negation weighs nothing.
fn check_negation(notes: &mut Notes<'_>) {
    let reference = notes.item.reference.as_str();
    let negation = words(reference)
        .into_iter()
        .find(|word| NEGATIONS.contains(&word.folded.as_str()));
    if let Some(word) = negation {
        let message = format!(
            "the reference has the negation `{}`, which weighs nothing: an answer without it scores full",
            word.text
        );
        let fix = "add a T2 item that asks about the negation";
        notes.add(
            Severity::Warning,
            ("negation", "D §2"),
            "reference",
            (message, fix),
        );
    }
}

/// Options that a reader cannot tell apart although their characters differ; equal texts are found with the shape.
fn check_options(choice: &Choice, notes: &mut Notes<'_>) {
    let folded = choice.options.texts().map(folded_words);
    let plain = |letter: Letter| {
        let text = choice.options.text(letter).to_lowercase();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for (at, option) in Letter::ALL.into_iter().zip(&folded) {
        let mut others = Letter::ALL.into_iter().zip(&folded);
        let earlier =
            others.find(|(letter, other)| *letter < at && *other == option && plain(*letter) != plain(at));
        let message = match earlier {
            _ if option.is_empty() => format!("the option {at} has no word"),
            Some((letter, _)) => format!("the options {letter} and {at} have the same words"),
            None => continue,
        };
        let fix = "write four options that a reader can tell apart";
        notes.add(
            Severity::Error,
            ("indistinct_option", "D §3"),
            "options",
            (message, fix),
        );
    }
}

/// A form that decides should stand in the text.
fn check_forms(contrasts: &[Contrast], notes: &mut Notes<'_>) {
    let source = folded_words(&notes.item.source);
    for contrast in contrasts {
        let form = folded_words(&contrast.form);
        if source.windows(form.len().max(1)).any(|window| window == form) {
            continue;
        }
        let message = format!(
            "the form `{}` does not stand in the source as a word",
            contrast.form
        );
        let fix = "name the form as it is written there, or explain it in `notes`";
        notes.add(
            Severity::Warning,
            ("absent_form", "D §5"),
            "contrasts",
            (message, fix),
        );
    }
}
