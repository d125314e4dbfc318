//! Semantic scorers: how one is reached, and the answers it gave for a run (B §3.7, decision 32).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{EntryId, Finite, Sha256Hex};

/// Schema name and version of a scorer's manifest.
pub const MANIFEST_SCHEMA: &str = "lydian.semantic-scorer/1";
/// Schema name and version of recorded answers.
pub const RECORD_SCHEMA: &str = "lydian.semantic-record/1";

/// How a scorer is reached: `scorer.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScorerManifest {
    /// [`MANIFEST_SCHEMA`].
    pub schema: String,
    /// A name for the scorer, such as `multilingual-e5-small-q4`.
    pub scorer_id: String,
    /// What scores.
    pub entry_point: ScorerEntryPoint,
}

/// What scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ScorerEntryPoint {
    /// A server that answers `POST {base_url}/embeddings` as OpenAI does; the score is the cosine of output and
    /// reference.
    Embeddings {
        /// Base URL, such as `http://127.0.0.1:8080/v1`.
        base_url: String,
        /// The model, as the server names it.
        model: String,
        /// Written before every text, as some encoders expect.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        prefix: String,
        /// Reference to a key, `env:NAME` or `file:PATH`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// A program that speaks the plugin protocol and scores from 0 to 1.
    Process {
        /// Program and arguments; a program that is a file beside the manifest is found there.
        command: Vec<String>,
        /// Names of environment variables the program may see beside `PATH` and `LANG`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        environment: Vec<String>,
        /// Whether the program sends texts to another machine.
        sends_text_away: bool,
        /// Passed to the program.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        parameters: Map<String, Value>,
    },
}

/// The parts of a manifest that decide a score. Where a server listens and which key opens it do not.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum Deciding<'m> {
    Embeddings {
        model: &'m str,
        prefix: &'m str,
    },
    Process {
        command: &'m [String],
        parameters: &'m Map<String, Value>,
        files: &'m BTreeMap<String, Sha256Hex>,
    },
}

impl ScorerManifest {
    /// Returns the name by which cards and records know the scorer: its id and a digest of what decides its scores.
    /// `files` are the digests of a program's files.
    pub fn identity(&self, files: &BTreeMap<String, Sha256Hex>) -> String {
        let deciding = match &self.entry_point {
            ScorerEntryPoint::Embeddings { model, prefix, .. } => Deciding::Embeddings { model, prefix },
            ScorerEntryPoint::Process {
                command, parameters, ..
            } => Deciding::Process {
                command,
                parameters,
                files,
            },
        };
        let digest = Sha256Hex::of_canonical(&deciding);
        format!("{}#{}", self.scorer_id, &digest.as_str()[..12])
    }
}

/// One line of recorded answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SemanticRecord {
    /// The first line: who answers.
    Scorer {
        /// [`RECORD_SCHEMA`].
        schema: String,
        /// Identity of the scorer.
        scorer: String,
    },
    /// What it said about one entry.
    Answer(SemanticAnswer),
}

/// What a scorer said about one entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SemanticAnswer {
    /// The entry.
    pub entry_id: EntryId,
    /// Digest of the texts it was asked about ([`texts_sha256`]).
    pub texts_sha256: Sha256Hex,
    /// The score as the scorer gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Finite>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The answers of one scorer for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct SemanticAnswers {
    /// Identity of the scorer.
    pub scorer: String,
    /// The last answer for each entry.
    pub by_entry: BTreeMap<EntryId, SemanticAnswer>,
}

/// Recorded answers that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SemanticReadError {
    /// The first line names no scorer.
    #[error("line 1 does not name the scorer")]
    NoScorer,
    /// The document has another version.
    #[error("schema {0:?} is not {RECORD_SCHEMA}")]
    Schema(String),
    /// A line is no record.
    #[error("line {line}: {problem}")]
    Line {
        /// One-based number of the line.
        line: usize,
        /// What is wrong.
        problem: String,
    },
}

impl SemanticAnswers {
    /// Reads the lines. What follows the last line feed was cut off by a killed process and is left out.
    pub fn read(bytes: &[u8]) -> Result<Self, SemanticReadError> {
        let whole = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let mut lines = bytes[..whole].split(|byte| *byte == b'\n').zip(1..);
        let parse = |line: &[u8], number: usize| {
            serde_json::from_slice::<SemanticRecord>(line).map_err(|error| SemanticReadError::Line {
                line: number,
                problem: error.to_string(),
            })
        };
        let (first, _) = lines.next().ok_or(SemanticReadError::NoScorer)?;
        let scorer = match parse(first, 1) {
            Ok(SemanticRecord::Scorer { schema, scorer }) if schema == RECORD_SCHEMA => scorer,
            Ok(SemanticRecord::Scorer { schema, .. }) => return Err(SemanticReadError::Schema(schema)),
            Ok(SemanticRecord::Answer(_)) | Err(_) => return Err(SemanticReadError::NoScorer),
        };
        let mut by_entry = BTreeMap::new();
        for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
            match parse(line, number)? {
                SemanticRecord::Answer(answer) => by_entry.insert(answer.entry_id.clone(), answer),
                SemanticRecord::Scorer { .. } => {
                    return Err(SemanticReadError::Line {
                        line: number,
                        problem: "a second scorer".to_owned(),
                    });
                }
            };
        }
        Ok(Self { scorer, by_entry })
    }
}

/// Returns the digest of what a scorer is asked about.
pub fn texts_sha256(source: &str, output: &str, reference: &str) -> Sha256Hex {
    Sha256Hex::of_canonical(&[source, output, reference])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(base_url: &str, model: &str) -> ScorerManifest {
        ScorerManifest {
            schema: MANIFEST_SCHEMA.to_owned(),
            scorer_id: "e5".to_owned(),
            entry_point: ScorerEntryPoint::Embeddings {
                base_url: base_url.to_owned(),
                model: model.to_owned(),
                prefix: "query: ".to_owned(),
                key: None,
            },
        }
    }

    #[test]
    fn another_port_is_the_same_scorer_and_another_model_is_not() {
        let identity = |url, model| manifest(url, model).identity(&BTreeMap::new());
        let here = identity("http://127.0.0.1:1/v1", "m");
        assert_eq!(here, identity("http://127.0.0.1:2/v1", "m"));
        assert_ne!(here, identity("http://127.0.0.1:1/v1", "n"));
        assert!(here.starts_with("e5#"));
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_the_last_answer_counts() {
        let header = format!("{{\"type\":\"scorer\",\"schema\":\"{RECORD_SCHEMA}\",\"scorer\":\"s\"}}\n");
        let texts = texts_sha256("a", "b", "c");
        let line = |score: &str| {
            format!("{{\"type\":\"answer\",\"entry_id\":1,\"texts_sha256\":\"{texts}\",{score}}}\n")
        };
        let whole = format!("{header}{}{}", line("\"error\":\"busy\""), line("\"score\":0.5"));
        let torn = format!("{whole}{{\"type\":\"ans");
        let read = SemanticAnswers::read(torn.as_bytes()).unwrap();
        assert_eq!(read.by_entry[&EntryId::integer(1)].score, Finite::new(0.5));
        assert_eq!(SemanticAnswers::read(b""), Err(SemanticReadError::NoScorer));
        let bad = format!("{whole}{{}}\n");
        assert!(matches!(
            SemanticAnswers::read(bad.as_bytes()),
            Err(SemanticReadError::Line { line: 4, .. })
        ));
        let other = header.replace("/1", "/2");
        assert!(matches!(
            SemanticAnswers::read(other.as_bytes()),
            Err(SemanticReadError::Schema(_))
        ));
    }
}
