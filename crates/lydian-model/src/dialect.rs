//! Dialect items: documents whose `dataset.kind` is `dialect_items` (D, decisions 34-39).

mod answers;
mod choice;
mod dataset;
mod fields;
mod gate_texts;
mod item;
mod item_prompt;
mod keyword;
mod read;
mod read_keyword;
mod rules;

pub use answers::{AnswersFile, AnswersFormat, read_answers};
pub use choice::{Letter, Options};
pub use dataset::{Contrast, DialectLists, Fact, RefutedContrast};
pub use gate_texts::{GATE_TEXTS_SCHEMA, GateText, GateTextFormat, GateTexts};
pub use item::{Choice, DialectItem, DialectItems, ItemType, SourceRef, Task, UNCERTAIN};
pub use item_prompt::{ItemPromptText, PromptOrigin};
pub use keyword::{Keyword, KeywordWeight, PartOfSpeech};
pub use read::read_items;
pub use rules::{Strictness, check_items};

/// The value of `dataset.kind` by which an item file is known.
pub const ITEMS_KIND: &str = "dialect_items";

/// The JSON Schema of item files (2020-12). It describes their shape; what it cannot say, such as the
/// self-coverage of keywords, `lydian dialect validate` checks.
pub const ITEMS_JSON_SCHEMA: &str = include_str!("../data/dialect-items.schema.json");
