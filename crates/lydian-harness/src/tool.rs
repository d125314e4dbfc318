//! Tools a model may call while it translates: the method's dictionary, or any program.

use crate::line_process::LineProcess;
use crate::prompt::{Coaching, Term};
use crate::provider::{ToolCall, ToolSpec};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio::sync::Mutex;

/// Longest wait for one result.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The tools of a run, from `tools/NAME.toml` of a method.
#[derive(Debug, Default)]
pub struct Toolbox {
    tools: Vec<Tool>,
}

#[derive(Debug)]
struct Tool {
    spec: ToolSpec,
    action: Action,
}

#[derive(Debug)]
enum Action {
    Dictionary(Vec<Term>),
    Command(Box<Mutex<LineProcess>>),
}

/// A tool file that is not valid.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum ToolError {
    /// The file is not valid TOML of this form.
    #[error("the tools are not valid: {0}")]
    Syntax(String),
    /// Two tools of one name.
    #[error("tool {0:?} is defined twice")]
    Twice(String),
    /// The coaching data holds no dictionary.
    #[error("tool {0:?} needs a dictionary in the coaching data")]
    NoDictionary(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "tool")]
    tools: Vec<Definition>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
enum Definition {
    /// Looks words up in the coaching data's dictionary.
    Dictionary {
        #[serde(default = "lookup")]
        name: String,
        #[serde(default = "lookup_description")]
        description: String,
    },
    /// Asks a program: it gets the arguments as a line of JSON and answers with a line.
    Command {
        name: String,
        description: String,
        command: Vec<String>,
        schema: Value,
    },
}

fn lookup() -> String {
    "dictionary".into()
}

fn lookup_description() -> String {
    "Looks up a word of the source language and returns its translations.".into()
}

impl Toolbox {
    /// Reads a tool file.
    pub fn parse(text: &str, coaching: &Coaching, folder: &Path) -> Result<Self, ToolError> {
        let file: File = toml::from_str(text).map_err(|error| ToolError::Syntax(error.to_string()))?;
        let mut tools: Vec<Tool> = Vec::new();
        for definition in file.tools {
            let tool = definition.build(coaching, folder)?;
            if tools.iter().any(|other| other.spec.name == tool.spec.name) {
                return Err(ToolError::Twice(tool.spec.name));
            }
            tools.push(tool);
        }
        Ok(Self { tools })
    }

    /// Returns what the model is told about the tools.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|tool| tool.spec.clone()).collect()
    }

    /// Returns the names, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.tools.iter().map(|tool| tool.spec.name.clone()).collect();
        names.sort_unstable();
        names
    }

    /// Makes a call. Whatever goes wrong is told to the model, which may try again.
    pub async fn call(&self, call: &ToolCall) -> Result<String, String> {
        let Some(tool) = self.tools.iter().find(|tool| tool.spec.name == call.name) else {
            return Err(format!(
                "there is no tool {:?}; there are {}",
                call.name,
                self.names().join(", ")
            ));
        };
        match &tool.action {
            Action::Dictionary(terms) => {
                let word = call
                    .arguments
                    .get("word")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .trim();
                if word.is_empty() {
                    return Err("the argument \"word\" is missing".into());
                }
                let found: Vec<Value> = terms
                    .iter()
                    .filter(|term| term.term.to_lowercase() == word.to_lowercase())
                    .map(|term| json!({"term": term.term, "translations": term.translations, "note": term.note}))
                    .collect();
                Ok(json!({"word": word, "found": found}).to_string())
            }
            Action::Command(process) => process
                .lock()
                .await
                .ask(&call.arguments.to_string(), TIMEOUT)
                .await
                .map_err(|error| error.to_string()),
        }
    }
}

impl Definition {
    fn build(self, coaching: &Coaching, folder: &Path) -> Result<Tool, ToolError> {
        match self {
            Self::Dictionary { name, .. } if coaching.dictionary().is_empty() => {
                Err(ToolError::NoDictionary(name))
            }
            Self::Dictionary { name, description } => {
                let properties = json!({"word": {"type": "string", "description": "the word to look up"}});
                let schema = json!({"type": "object", "properties": properties, "required": ["word"]});
                let action = Action::Dictionary(coaching.dictionary().to_vec());
                Ok(Tool {
                    spec: ToolSpec {
                        name,
                        description,
                        schema,
                    },
                    action,
                })
            }
            Self::Command {
                name,
                description,
                command,
                schema,
            } => {
                let process = LineProcess::new(command, folder.to_owned());
                let action = Action::Command(Box::new(Mutex::new(process)));
                Ok(Tool {
                    spec: ToolSpec {
                        name,
                        description,
                        schema,
                    },
                    action,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COACHING: &str = "[[dictionary]]\nterm = \"Dog\"\ntranslations = [\"atim\"]\n";

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall {
            id: "c".into(),
            name: name.into(),
            arguments,
        }
    }

    #[tokio::test]
    async fn words_are_looked_up_and_faults_are_told_to_the_model() {
        let coaching = Coaching::parse(COACHING).unwrap();
        let toolbox = Toolbox::parse("[[tool]]\ntype = \"dictionary\"\n", &coaching, Path::new(".")).unwrap();
        let found = toolbox
            .call(&call("dictionary", json!({"word": "dog"})))
            .await
            .unwrap();
        assert_eq!(
            found,
            r#"{"word":"dog","found":[{"term":"Dog","translations":["atim"],"note":null}]}"#
        );
        assert!(toolbox.call(&call("dictionary", json!("{"))).await.is_err());
        let unknown = toolbox.call(&call("fst", json!({}))).await.unwrap_err();
        assert_eq!(unknown, "there is no tool \"fst\"; there are dictionary");
    }

    #[tokio::test]
    async fn a_program_is_a_tool() {
        let text = "[[tool]]\ntype = \"command\"\nname = \"shout\"\ndescription = \"d\"\n\
            command = [\"sh\", \"-c\", \"while read -r l; do echo \\\"got $l\\\"; done\"]\nschema = {type = \"object\"}\n";
        let toolbox = Toolbox::parse(text, &Coaching::default(), Path::new(".")).unwrap();
        assert_eq!(
            toolbox.call(&call("shout", json!({"a": 1}))).await.unwrap(),
            "got {\"a\":1}"
        );
    }

    #[test]
    fn faults_of_the_file_are_named() {
        let none = Coaching::default();
        let parse = |text: &str| Toolbox::parse(text, &none, Path::new(".")).unwrap_err();
        assert_eq!(
            parse("[[tool]]\ntype = \"dictionary\""),
            ToolError::NoDictionary("dictionary".into())
        );
        let one =
            "[[tool]]\ntype = \"command\"\nname = \"x\"\ndescription = \"d\"\ncommand = []\nschema = {}\n";
        assert_eq!(parse(&format!("{one}{one}")), ToolError::Twice("x".into()));
        assert!(matches!(
            parse("[[tool]]\ntype = \"python\""),
            ToolError::Syntax(_)
        ));
    }
}
