//! Language cards, word finding, lexical and transducer checks, orthography, equivalence rules.
//!
//! Everything here is a function of its arguments: the caller reads files and passes their contents.
#![forbid(unsafe_code)]

mod analyser;
mod audit;
mod builtin;
mod card;
mod consistency;
mod detect;
mod equivalence;
mod exemplars;
mod fst_check;
mod glossary;
mod language;
pub mod markup;
mod meaning;
pub mod morphology;
pub mod normalise;
mod orthography;
mod stem;
mod word;

pub use analyser::{Analyser, AnalyserError, SelfTestVerdict, hex_sha256};
pub use audit::{Alarm, Audit, FaultKind, Recall, audit};
pub use builtin::BuiltinCard;
pub use card::{
    AnalyserCard, CARD_SCHEMA, Card, CardError, Direction, EquivalenceCard, GlossaryCard, LexiconCard,
    Orthography, Profile, ReviewCard, Rewrite, ScoringCard, SelfTest, SemanticCalibration, Source,
    SynonymLevel, TagStyle, Tiers, Violation, WordRules,
};
pub use consistency::{Consistency, consistency};
pub use detect::{Detectors, Finding, FindingKind, Findings, Pair, detect, expected_scripts, numbers};
pub use equivalence::{EqualTo, Equivalence, EquivalentMatch, Rule, VariantLint};
pub use exemplars::{Exemplars, parse_set};
pub use fst_check::{
    Allowance, CheckedWord, Fallback, FstChecker, Rejection, SUGGESTION_DISTANCE, SUGGESTIONS, TextCheck,
    Verdict, WordCache, source_names,
};
pub use glossary::{Glossary, GlossaryError, GlossaryTerm, TermUse, terminology};
pub use language::Language;
pub use lydian_hfstol::Analysis;
pub use lydian_model::LanguageTag;
pub use meaning::{is_in_foreign_script, negation_differs, numbers_differ};
pub use orthography::{Misspelling, Misspelt, OrthographyCheck, OrthographyChecker};
pub use word::{Word, WordFinder, Words};
