//! Error rates of the scorer's own parts on cases whose right reading is known.

use lydian_model::dialect::{Keyword, Letter, Options, PartOfSpeech};
use schemars::JsonSchema;
use serde::Serialize;

use super::coverage::coverage;
use super::mcq::{McqChoice, read_letter};
use super::refusal::{ItemGuard, find_refusal};
use super::report::Share;
use super::suggest::suggest_keywords;

/// The schema name and version of a list of [`Rate`].
pub const MEASUREMENT_SCHEMA: &str = "lydian.dialect-measurement/1";

/// How often something happened.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Rate {
    /// What.
    pub name: &'static str,
    /// How often, out of how many, with the Wilson interval.
    pub share: Share,
}

/// An answer to a question with options, and what a reader reads in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterCase {
    /// The options.
    pub options: Options,
    /// The answer.
    pub answer: String,
    /// What it says.
    pub expected: ExpectedLetter,
}

/// What a reader reads in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedLetter {
    /// One letter.
    Letter(Letter),
    /// None.
    None,
    /// Several, undecided.
    Ambiguous,
}

/// A text, and whether it declines or claims not to understand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusalCase {
    /// The text.
    pub text: String,
    /// Whether it is a refusal.
    pub refuses: bool,
}

/// A keyword, a word of an output, and whether a reader takes them for the same word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StemCase {
    /// The keyword.
    pub keyword: String,
    /// Its part of speech.
    pub pos: PartOfSpeech,
    /// The word of the output.
    pub output: String,
    /// Whether they are the same word.
    pub same: bool,
}

/// A reference and an output for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslationCase {
    /// The reference.
    pub reference: String,
    /// The output.
    pub output: String,
}

fn rates<const N: usize>(counts: [(&'static str, usize, usize); N]) -> Vec<Rate> {
    counts
        .into_iter()
        .map(|(name, count, of)| Rate {
            name,
            share: Share::new(count as u64, of as u64),
        })
        .collect()
}

/// Measures the letter reader.
pub fn measure_letters(cases: &[LetterCase]) -> Vec<Rate> {
    let read = |case: &LetterCase| match read_letter(&case.answer, &case.options, &[]).choice {
        McqChoice::Letter(letter) => ExpectedLetter::Letter(letter),
        McqChoice::None => ExpectedLetter::None,
        McqChoice::Ambiguous(_) => ExpectedLetter::Ambiguous,
    };
    let pairs: Vec<(ExpectedLetter, ExpectedLetter)> =
        cases.iter().map(|case| (case.expected, read(case))).collect();
    let is_letter = |reading: &ExpectedLetter| matches!(reading, ExpectedLetter::Letter(_));
    let count = |holds: &dyn Fn(&(ExpectedLetter, ExpectedLetter)) -> bool| {
        pairs.iter().filter(|pair| holds(pair)).count()
    };
    let with_letter = count(&|(expected, _)| is_letter(expected));
    let without = pairs.len() - with_letter;
    rates([
        (
            "read_right",
            count(&|(expected, read)| expected == read),
            pairs.len(),
        ),
        (
            "another_letter",
            count(&|(expected, read)| is_letter(expected) && is_letter(read) && expected != read),
            with_letter,
        ),
        (
            "letter_missed",
            count(&|(expected, read)| is_letter(expected) && !is_letter(read)),
            with_letter,
        ),
        (
            "letter_invented",
            count(&|(expected, read)| !is_letter(expected) && is_letter(read)),
            without,
        ),
    ])
}

/// Measures the refusal patterns.
pub fn measure_refusals(cases: &[RefusalCase]) -> Vec<Rate> {
    let (mut refusals, mut found, mut alarms) = (0, 0, 0);
    for case in cases {
        let fires = usize::from(find_refusal(&case.text, ItemGuard::default()).is_some());
        if case.refuses {
            refusals += 1;
            found += fires;
        } else {
            alarms += fires;
        }
    }
    rates([
        ("refusal_found", found, refusals),
        ("false_alarm", alarms, cases.len() - refusals),
    ])
}

/// Measures the stemmer.
pub fn measure_stems(cases: &[StemCase]) -> Vec<Rate> {
    let matches = |case: &StemCase| {
        let keyword = Keyword {
            word: case.keyword.clone(),
            lemma: case.keyword.clone(),
            pos: case.pos,
            weight: case.pos.weight(),
            forms: Vec::new(),
            synonyms: Vec::new(),
        };
        coverage(&[keyword], &case.output).is_complete()
    };
    let verdicts: Vec<(bool, bool)> = cases.iter().map(|case| (case.same, matches(case))).collect();
    let count = |wanted: (bool, bool)| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let same = verdicts.iter().filter(|(same, _)| *same).count();
    rates([
        (
            "decided_right",
            count((true, true)) + count((false, false)),
            verdicts.len(),
        ),
        ("missed", count((true, false)), same),
        ("false_match", count((false, true)), verdicts.len() - same),
    ])
}

/// Scores outputs by the drafted keywords of their references, nothing edited. Pairs whose reference has no content
/// word are left out and counted.
pub fn measure_coverage(cases: &[TranslationCase]) -> Vec<Rate> {
    let mut points = [0_usize; 3];
    let (mut between, mut scored) = (0, 0);
    for case in cases {
        let keywords = suggest_keywords(&case.reference);
        if keywords.is_empty() {
            continue;
        }
        let reached = coverage(&keywords, &case.output);
        scored += 1;
        points[usize::from(reached.score().points())] += 1;
        let share = reached.fraction();
        between += usize::from(share.is_some_and(|share| share > 0.84 && share < 0.85));
    }
    let [zero, one, two] = points;
    rates([
        ("score_0", zero, scored),
        ("score_1", one, scored),
        ("score_2", two, scored),
        ("between_084_and_085", between, scored),
        ("without_content_words", cases.len() - scored, cases.len()),
    ])
}
