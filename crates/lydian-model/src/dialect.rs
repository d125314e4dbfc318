//! Dialect items: documents whose `dataset.kind` is `dialect_items` (D, decisions 34-39).

mod choice;
mod keyword;

pub use choice::{Letter, Options};
pub use keyword::{Keyword, KeywordWeight, PartOfSpeech};
