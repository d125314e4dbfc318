//! Dialect items scored without a judge: coverage, gates, letters, verdicts and the report per dialect (D).

mod checks;
mod compare;
mod coverage;
mod gate_sentences;
mod gate_training;
mod gate_words;
mod judge_choice;
mod judge_translation;
mod language_gate;
mod mcq;
mod measure;
mod normalise;
mod refusal;
mod refusal_patterns;
mod report;
mod stemmer;
mod stopwords;
mod suggest;
mod verdict;

pub use checks::check_scorability;
pub use compare::{
    COMPARISON_SCHEMA, ComparisonError, DialectComparison, ExactTest, Measure, PairedTest, compare,
};
pub use coverage::{Coverage, CoverageScore, KeywordField, KeywordMatch, MatchedBy, coverage};
pub use gate_sentences::{SentencesError, sentences};
pub use gate_training::{TrainingError, TrainingText, gate_text_note, train_gate};
pub use language_gate::{GateClass, GateScores, GateTableError, LanguageGate};
pub use mcq::{McqChoice, McqReading, McqRule, read_letter};
pub use measure::{
    ExpectedLetter, LetterCase, MEASUREMENT_SCHEMA, Rate, RefusalCase, StemCase, TranslationCase,
    measure_coverage, measure_letters, measure_refusals, measure_stems,
};
pub use normalise::{Word, contains_quote, fold, folded_words, is_undrawn, without_quotes, words};
pub use refusal::{ItemGuard, RefusalPattern, find_refusal};
pub use report::{
    AnswersError, AnswersNote, BootstrapNote, ChoiceCell, ConstantBaseline, Counters, DatasetNote,
    DialectReport, DialectRow, OrthographyCell, OrthographyCount, OutcomeCounts, PositionCell, REPORT_SCHEMA,
    RowKey, RunNote, Share, TranslationCell, report,
};
pub use stemmer::{Participle, stems};
pub use suggest::suggest_keywords;
pub use verdict::{Decision, Flag, GateSums, ItemVerdict, Label, judge};
