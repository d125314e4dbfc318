//! A dialect item: a dialect text and what is asked about it (D §1).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Contrast, DialectLists, Keyword, Letter, Options};
use crate::{Domain, EntryId, Segment, SourceEntry};

/// The dialect name of items whose dialect is not known; they are reported apart (D §5).
pub const UNCERTAIN: &str = "uncertain";

/// A dialect corpus that validation found usable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialectItems {
    /// The dataset's id.
    pub id: String,
    /// The dataset's version.
    pub version: String,
    /// The dataset-level lists.
    pub lists: DialectLists,
    /// The items in file order.
    pub items: Vec<DialectItem>,
}

/// The four item types (D §1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum ItemType {
    /// Translation into the standard language, scored 0 to 2.
    T1,
    /// Comprehension, four options.
    T2,
    /// A fact told in dialect, four options.
    T3,
    /// Identification of the dialect, four options.
    T4,
}

/// One item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialectItem {
    /// Identifier, unique in the corpus.
    pub id: EntryId,
    /// The text in dialect.
    pub source: String,
    /// The text in the standard language; for multiple choice the text of the right option.
    pub reference: String,
    /// The dialect, one of the dataset's list, or `uncertain`.
    pub dialect: String,
    /// The spelling: `dieth`, `marti`, a house style, `ad_hoc`, `unknown` (D §5).
    pub orthography: String,
    /// Why the text counts as this dialect.
    pub dialect_evidence: Vec<String>,
    /// What is asked.
    pub task: Task,
    /// Where the text comes from.
    pub source_ref: Option<SourceRef>,
    /// The fields written for the benchmark rather than found.
    pub authored_fields: Vec<String>,
    /// Partition.
    pub segment: Segment,
    /// Communicative function, for the method.
    pub context: Option<String>,
    /// Formality, for the method.
    pub register: Option<String>,
    /// Application domain, for the method.
    pub domain: Option<Domain>,
}

/// What an item asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// T1: translate; scored by the keywords.
    Translation {
        /// The content words of the reference, at least one.
        keywords: Vec<Keyword>,
    },
    /// T2: what does the text mean?
    Comprehension(Choice),
    /// T3: what fact does it tell?
    Culture {
        /// The question.
        choice: Choice,
        /// The fact it rests on.
        fact_id: String,
    },
    /// T4: which dialect is it?
    Identification {
        /// The question.
        choice: Choice,
        /// The forms that decide, at least one.
        contrasts: Vec<Contrast>,
    },
}

/// A question with four options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The question.
    pub prompt: String,
    /// The options.
    pub options: Options,
    /// The letter of the right one.
    pub correct_answer: Letter,
}

/// The origin of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRef {
    /// Its licence.
    pub license: String,
    /// Whom to name.
    pub attribution: String,
}

impl ItemType {
    /// Every type in order.
    pub const ALL: [Self; 4] = [Self::T1, Self::T2, Self::T3, Self::T4];
    /// The multiple-choice types.
    pub const CHOICES: [Self; 3] = [Self::T2, Self::T3, Self::T4];

    /// Returns the name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::T1 => "T1",
            Self::T2 => "T2",
            Self::T3 => "T3",
            Self::T4 => "T4",
        }
    }

    /// Returns what the type tests, in a word.
    pub fn title(self) -> &'static str {
        match self {
            Self::T1 => "translation",
            Self::T2 => "comprehension",
            Self::T3 => "culture in dialect",
            Self::T4 => "dialect identification",
        }
    }

    /// Returns the type with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|item_type| item_type.name() == name)
    }
}

impl Task {
    /// Returns the type of the item.
    pub fn item_type(&self) -> ItemType {
        match self {
            Self::Translation { .. } => ItemType::T1,
            Self::Comprehension(_) => ItemType::T2,
            Self::Culture { .. } => ItemType::T3,
            Self::Identification { .. } => ItemType::T4,
        }
    }

    /// Returns the question of a multiple-choice item.
    pub fn choice(&self) -> Option<&Choice> {
        match self {
            Self::Translation { .. } => None,
            Self::Comprehension(choice)
            | Self::Culture { choice, .. }
            | Self::Identification { choice, .. } => Some(choice),
        }
    }

    /// Returns the keywords of a translation item, else none.
    pub fn keywords(&self) -> &[Keyword] {
        match self {
            Self::Translation { keywords } => keywords,
            Self::Comprehension(_) | Self::Culture { .. } | Self::Identification { .. } => &[],
        }
    }
}

impl DialectItem {
    /// Returns the type of the item.
    pub fn item_type(&self) -> ItemType {
        self.task.item_type()
    }
}

impl From<&DialectItem> for SourceEntry {
    /// What a method sees (decision 29a): the text, and for multiple choice the question and its options.
    fn from(item: &DialectItem) -> Self {
        let choice = item.task.choice();
        Self {
            id: item.id.clone(),
            source: item.source.clone(),
            context: item.context.clone(),
            register: item.register.clone(),
            domain: item.domain,
            prompt: choice.map(|choice| choice.prompt.clone()),
            options: choice.map_or_else(Vec::new, |choice| {
                choice.options.texts().map(str::to_owned).to_vec()
            }),
        }
    }
}
