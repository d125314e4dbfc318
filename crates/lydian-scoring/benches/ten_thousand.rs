//! Wall time of scoring, verifying and comparing 10,000 entries with all offline metrics and intervals.
//!
//! `cargo bench -p lydian-scoring` prints one line per step.

use std::collections::BTreeMap;
use std::time::Instant;

use lydian_language::{Card, Language, LanguageTag};
use lydian_model::{Entry, EntryId, Prediction};
use lydian_scoring::{ScoringContext, score};

/// Words from which sentences are drawn; those of the toy analyser of the tests.
const WORDS: [&str; 16] = [
    "casa",
    "can",
    "choiva",
    "libro",
    "mar",
    "fame",
    "sede",
    "nenos",
    "xanela",
    "estación",
    "dorme",
    "custa",
    "hoxe",
    "calmo",
    "moito",
    "tamén",
];

fn main() {
    let entries = entries(10_000);
    let selected: Vec<&Entry> = entries.iter().collect();
    let predictions = outputs(&entries);
    let source = builtin("por");
    let target = with_analyser(builtin("glg").card);
    timed("score, texts only", || {
        score(&selected, &predictions, &ScoringContext::default()).map(|scored| scored.scores.total)
    });
    let context = ScoringContext::for_languages(&source, &target);
    timed("score, all language metrics", || {
        score(&selected, &predictions, &context).map(|scored| scored.scores.total)
    });
    let scored = score(&selected, &predictions, &context)
        .expect("the entries can be scored")
        .scores;
    print(&format!(
        "available weight {}, FST acceptance {:?} of {:?} words",
        scored.composite_coverage.get(),
        scored.fst_acceptance_rate.map(lydian_model::Score::get),
        scored.fst_words_checked
    ));
}

fn timed<T: std::fmt::Debug>(what: &str, step: impl Fn() -> T) {
    let began = Instant::now();
    let result = step();
    print(&format!(
        "{what}: {:.2} s ({result:?})",
        began.elapsed().as_secs_f64()
    ));
}

#[expect(clippy::print_stdout, reason = "a measurement is for people")]
fn print(line: &str) {
    println!("{line}");
}

/// Returns entries of about 36 characters, drawn by a small generator so that every run has the same.
fn entries(count: i64) -> Vec<Entry> {
    let mut state = 12345_u64;
    let mut word = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        WORDS[usize::from((state >> 60) as u8)]
    };
    (0..count)
        .map(|id| {
            let reference: Vec<&str> = (0..6).map(|_| word()).collect();
            Entry {
                difficulty: u8::try_from(id % 5 + 1).ok(),
                ..Entry::new(
                    EntryId::integer(id),
                    format!("frase {id} de proba"),
                    reference.join(" "),
                )
            }
        })
        .collect()
}

/// Returns outputs that miss some words and misspell others.
fn outputs(entries: &[Entry]) -> BTreeMap<EntryId, Prediction> {
    entries
        .iter()
        .map(|entry| {
            let output = entry
                .reference
                .replacen("calmo", "calmado", 1)
                .replacen(" mar", " o mar", 1);
            (entry.id.clone(), Prediction::of_text(entry.id.clone(), output))
        })
        .collect()
}

fn builtin(tag: &str) -> Language {
    let tag = LanguageTag::parse(tag).expect("a well-formed tag");
    Language::builtin(&tag).expect("the program's cards are valid")
}

/// Returns the language with the toy analyser of the tests.
fn with_analyser(card: Card) -> Language {
    let transducer: &[u8] = include_bytes!("../tests/fixtures/galician.hfstol");
    let analyser = format!(
        "schema = \"lydian.language-card/1\"\nlanguage = \"glg\"\nnames = {{ en = \"Galician\" }}\nscripts = [\"Latn\"]\n\
         [analyser]\nfile = \"a\"\nsha256 = \"{}\"\npublished_at = \"tests\"\nlicence = \"MIT\"\ntags = \"plus\"\n\
         self_test = {{ accepts = [\"casa\"] }}\n",
        lydian_language::hex_sha256(transducer)
    );
    let analyser = Card::parse("card.toml", &analyser)
        .expect("a valid card")
        .analyser;
    Language::open(Card { analyser, ..card }, |_| Ok(transducer.to_vec()))
}
