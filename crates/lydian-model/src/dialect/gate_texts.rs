//! The list of texts that a language gate is trained on, with their digests, licences and attribution.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::Sha256Hex;

/// The schema name and version of [`GateTexts`].
pub const GATE_TEXTS_SCHEMA: &str = "lydian.dialect-gate-texts/1";

/// The texts of a language gate, in the order in which the trained table names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateTexts {
    /// [`GATE_TEXTS_SCHEMA`].
    pub schema: String,
    /// The licence under which the trained table may be passed on.
    pub table_license: String,
    /// The texts.
    pub texts: Vec<GateText>,
}

/// One text of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateText {
    /// The class: `gsw`, `de`, `en`, `fr` or `it`.
    pub class: String,
    /// The file's name, looked for in the folders given.
    pub file: String,
    /// How sentences are read from it.
    pub format: GateTextFormat,
    /// The first and last sentence used, counted from 1; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentences: Option<(usize, usize)>,
    /// The digest of the file.
    pub sha256: Sha256Hex,
    /// Its licence.
    pub license: String,
    /// Whom to name, and where the text comes from.
    pub attribution: String,
}

/// How sentences are read from a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateTextFormat {
    /// One sentence per line.
    Lines,
    /// The `# text = …` lines of a `CoNLL` file.
    ConllText,
    /// The `source` of every entry of a corpus.
    CorpusSource,
    /// The text between the tags of an HTML body, line by line.
    HtmlBody,
}
