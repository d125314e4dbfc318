//! A script: rules that change behaviour per request, and the translations to give.

use super::asked::{Asked, BatchItem};
use super::behaviour::{BatchMode, Behaviour, Failing};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a fake provider is told to do, from a TOML or JSON file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The only key accepted; any key, or none, when absent.
    #[serde(default)]
    key: Option<String>,
    /// Rules; the first that matches a request decides.
    #[serde(default, rename = "rule")]
    rules: Vec<Rule>,
    /// Translations by source text; a list gives one answer per turn, so that a repair gets another.
    #[serde(default)]
    answers: BTreeMap<String, Vec<String>>,
}

/// One rule of a script. All conditions must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The model's name, `*` at the end standing for anything.
    #[serde(default)]
    model: Option<String>,
    /// A text the last user turn contains.
    #[serde(default)]
    contains: Option<String>,
    /// First and last request number, counted from 1 over the server's life.
    #[serde(default)]
    requests: Option<(u64, u64)>,
    /// Every n-th request.
    #[serde(default)]
    every: Option<u64>,
    /// Behaviour in the words of a model name, such as `429-2` or `slow-200+len`.
    #[serde(default)]
    behaviour: Option<String>,
    /// Value of the `Retry-After` header of an error.
    #[serde(default)]
    retry_after: Option<String>,
    /// How often the same request fails before it succeeds.
    #[serde(default)]
    times: Option<u32>,
    /// Milliseconds to wait before answering.
    #[serde(default)]
    delay_ms: Option<u64>,
    /// The text of the answer.
    #[serde(default)]
    answer: Option<String>,
    /// Status of a literal response.
    #[serde(default)]
    status: Option<u16>,
    /// Body of a literal response.
    #[serde(default)]
    body: Option<String>,
}

/// Why a script was refused.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file is neither valid TOML nor valid JSON of this form.
    #[error("the script is not valid: {0}")]
    Syntax(String),
    /// A behaviour that does not exist.
    #[error("rule {rule}: unknown behaviour {name:?}")]
    UnknownBehaviour {
        /// Number of the rule, from 1.
        rule: usize,
        /// The unknown part.
        name: String,
    },
}

impl Script {
    /// Reads a script; a text that starts with `{` is JSON, any other TOML.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let script: Self = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| ScriptError::Syntax(error.to_string()))?
        } else {
            toml::from_str(text).map_err(|error| ScriptError::Syntax(error.to_string()))?
        };
        for (index, rule) in script.rules.iter().enumerate() {
            let mut probe = Behaviour::default();
            for part in rule.behaviour.iter().flat_map(|text| text.split('+')) {
                if !probe.add(part) {
                    return Err(ScriptError::UnknownBehaviour {
                        rule: index + 1,
                        name: part.to_owned(),
                    });
                }
            }
        }
        Ok(script)
    }

    /// Returns a script that answers with these translations.
    pub fn with_answers(answers: impl IntoIterator<Item = (String, String)>) -> Self {
        let answers = answers
            .into_iter()
            .map(|(source, target)| (source, vec![target]))
            .collect();
        Self {
            answers,
            ..Self::default()
        }
    }

    pub(super) fn rule_for(&self, asked: &Asked, number: u64) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.matches(asked, number))
    }

    pub(super) fn accepts_key(&self, asked: &Asked) -> bool {
        self.key.is_none() || self.key == asked.key
    }

    /// Returns the text the server answers with.
    pub(super) fn translate(&self, asked: &Asked, behaviour: &Behaviour) -> String {
        if let Some(text) = behaviour.text() {
            return text.to_owned();
        }
        if let Some(items) = asked.batch() {
            return self.batch(&items, behaviour.batch);
        }
        let text = self.single(&asked.user_turns);
        if behaviour.html_entities {
            return text
                .replace('&', "&amp;")
                .replace('\'', "&#39;")
                .replace('"', "&quot;");
        }
        text
    }

    /// Looks for the newest turn that ends in a known source; later turns are repairs and get later answers.
    fn single(&self, turns: &[String]) -> String {
        for (later, turn) in turns.iter().rev().enumerate() {
            if let Some(answers) = self
                .answers
                .get(turn.as_str())
                .or_else(|| self.answers.get(last_paragraph(turn)))
                && let Some(answer) = answers.get(later).or_else(|| answers.last())
            {
                return answer.clone();
            }
        }
        // Few-shot examples are turns too, and come first; a repair repeats no source.
        let asked = turns
            .iter()
            .rev()
            .find(|turn| !turn.starts_with("That translation was not accepted"));
        asked.map(|turn| pseudo(last_paragraph(turn))).unwrap_or_default()
    }

    fn batch(&self, items: &[BatchItem], mode: BatchMode) -> String {
        let mut texts: Vec<String> = items
            .iter()
            .map(|item| self.single(std::slice::from_ref(&item.source)))
            .collect();
        if mode == BatchMode::Shifted {
            texts.rotate_right(1);
        }
        let mut answers: Vec<Value> = items
            .iter()
            .zip(&texts)
            .map(|(item, text)| json!({"id": item.id, "source": item.source, "translation": text}))
            .collect();
        match mode {
            // A model that loses its place repeats the neighbour's source with the neighbour's translation.
            BatchMode::Shifted => {
                let sources: Vec<&str> = items.iter().map(|item| item.source.as_str()).collect();
                for (index, answer) in answers.iter_mut().enumerate() {
                    answer["source"] = json!(sources[(index + sources.len() - 1) % sources.len()]);
                }
            }
            BatchMode::Swapped if answers.len() > 1 => answers.swap(0, 1),
            BatchMode::Skipping if answers.len() > 1 => {
                answers.remove(1);
            }
            _ => {}
        }
        let list = json!({"translations": answers}).to_string();
        if mode == BatchMode::Preamble {
            format!("Here are the translations:\n{list}")
        } else {
            list
        }
    }
}

impl Rule {
    fn matches(&self, asked: &Asked, number: u64) -> bool {
        let model = self
            .model
            .as_deref()
            .is_none_or(|pattern| match pattern.strip_suffix('*') {
                Some(prefix) => asked.model.starts_with(prefix),
                None => asked.model == pattern,
            });
        let text = asked.user_turns.last().map_or("", String::as_str);
        model
            && self.contains.as_deref().is_none_or(|part| text.contains(part))
            && self
                .requests
                .is_none_or(|(first, last)| (first..=last).contains(&number))
            && self
                .every
                .is_none_or(|every| every > 0 && number.is_multiple_of(every))
    }

    pub(super) fn behaviour(&self) -> Behaviour {
        let mut behaviour = Behaviour::default();
        for part in self.behaviour.iter().flat_map(|text| text.split('+')) {
            // Unknown parts were refused when the script was read.
            behaviour.add(part);
        }
        if self.status.is_some() || self.body.is_some() {
            let body = self.body.clone().unwrap_or_default();
            behaviour.set_failing(
                Failing::Raw {
                    status: self.status.unwrap_or(200),
                    body,
                },
                None,
            );
        }
        if let Some(text) = &self.answer {
            behaviour.set_text(text);
        }
        if let Some(milliseconds) = self.delay_ms {
            behaviour.set_delay(milliseconds);
        }
        if let Some(value) = &self.retry_after {
            behaviour.set_retry_after(value);
        }
        if let Some(times) = self.times {
            behaviour.set_times(times);
        }
        behaviour
    }
}

/// Returns what follows the last empty line.
fn last_paragraph(text: &str) -> &str {
    text.rsplit("\n\n").next().unwrap_or(text).trim()
}

/// Returns a translation into no language: every word backwards.
fn pseudo(source: &str) -> String {
    source
        .split(' ')
        .map(|word| word.chars().rev().collect::<String>())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_toml_or_json() {
        let toml = "key = \"k\"\n[[rule]]\nmodel = \"m-*\"\nevery = 20\nbehaviour = \"429\"\nretry_after = \"7\"\n\
                    [answers]\n\"dog\" = [\"atimm\", \"atim\"]\n";
        let script = Script::parse(toml).unwrap();
        assert_eq!(script.single(&["dog".into()]), "atimm");
        assert_eq!(
            script.single(&["Translate:\n\ndog".into(), "rejected: atimm".into()]),
            "atim"
        );
        assert!(Script::parse(r#"{"rule": [{"behaviour": "len"}]}"#).is_ok());
    }

    #[test]
    fn a_misspelt_behaviour_is_named() {
        let error = Script::parse("[[rule]]\nbehaviour = \"slow-5+lenn\"")
            .unwrap_err()
            .to_string();
        assert_eq!(error, "rule 1: unknown behaviour \"lenn\"");
    }

    #[test]
    fn an_unknown_source_is_answered_backwards() {
        assert_eq!(
            Script::default().single(&["Translate.\n\nthe dog".into()]),
            "eht god"
        );
    }

    #[test]
    fn broken_batches_have_the_faults_they_are_named_after() {
        let items: Vec<BatchItem> = ["ab", "cd", "ef"]
            .iter()
            .enumerate()
            .map(|(index, source)| BatchItem {
                id: index.to_string(),
                source: (*source).to_owned(),
            })
            .collect();
        let script = Script::default();
        let ids = |mode| {
            let value: Value = serde_json::from_str(&script.batch(&items, mode)).unwrap();
            let list = value["translations"].as_array().unwrap().clone();
            list.iter()
                .map(|item| {
                    format!(
                        "{}={}",
                        item["id"].as_str().unwrap(),
                        item["translation"].as_str().unwrap()
                    )
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(BatchMode::Correct), ["0=ba", "1=dc", "2=fe"]);
        assert_eq!(ids(BatchMode::Shifted), ["0=fe", "1=ba", "2=dc"]);
        assert_eq!(ids(BatchMode::Skipping), ["0=ba", "2=fe"]);
        assert_eq!(ids(BatchMode::Swapped), ["1=dc", "0=ba", "2=fe"]);
    }
}
