//! Several entries in one request: answers are matched by id and must repeat their source; anything doubtful is asked
//! for again alone.

use super::ConnectedMethod;
use super::prediction::{Tally, share};
use crate::endpoint::CallResult;
use crate::provider::{Answer, Prompt, Turn};
use crate::translator::{CallLog, Stop};
use crate::transport::Transport;
use lydian_model::{EntryId, Outcome, Prediction, SourceEntry};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Reply {
    translations: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    id: EntryId,
    source: String,
    translation: String,
}

impl<T: Transport> ConnectedMethod<T> {
    /// Translates several entries with one request where that works, and one by one where it does not.
    pub(super) async fn translate_batch(
        &self,
        entries: &[SourceEntry],
        log: &dyn CallLog,
    ) -> Result<Vec<Prediction>, Stop> {
        let method = &self.method;
        let apart = |entry: &SourceEntry| entry.prompt.is_some() || method.item_prompt(entry).is_some();
        if entries.iter().any(apart) {
            return self.one_by_one(entries, log).await;
        }
        if !method.kind.takes_prompt() || !method.tools.specs().is_empty() || !method.checkers.is_empty() {
            return self.one_by_one(entries, log).await;
        }
        let list: Vec<_> = entries
            .iter()
            .map(|entry| json!({"id": entry.id.as_str(), "source": entry.source}))
            .collect();
        let question = format!("{}\n\n{}", method.prompt.batch(), json!(list));
        let mut turns = method.example_turns();
        turns.push(Turn::User(question));
        let prompt = Prompt::Chat {
            system: method.system_prompt(),
            turns,
            tools: Vec::new(),
        };
        let ids: Vec<EntryId> = entries.iter().map(|entry| entry.id.clone()).collect();
        let result = self.call(&ids, prompt, 0, log).await?;
        let translations = result
            .answer
            .as_ref()
            .map(|answer| read(answer, entries))
            .unwrap_or_default();
        let parts = entries.len() as u64;
        let mut predictions = Vec::with_capacity(entries.len());
        for (index, entry) in (0..).zip(entries) {
            let mut tally = Tally::new();
            let (cost, usage) = share(&result, index, parts);
            tally.add_share(cost, usage, &result);
            match translations.get(&entry.id) {
                Some(text) => predictions.push(Prediction {
                    batch_size: u32::try_from(entries.len()).unwrap_or(u32::MAX),
                    ..self.accept(entry, text, &result, tally)
                }),
                None => predictions.push(self.converse(entry, log, tally).await?),
            }
        }
        Ok(predictions)
    }

    async fn one_by_one(&self, entries: &[SourceEntry], log: &dyn CallLog) -> Result<Vec<Prediction>, Stop> {
        let mut predictions = Vec::with_capacity(entries.len());
        for entry in entries {
            predictions.push(self.translate_one(entry, log).await?);
        }
        Ok(predictions)
    }

    fn accept(&self, entry: &SourceEntry, text: &str, result: &CallResult, tally: Tally) -> Prediction {
        let answer = result.answer.clone().map(|answer| Answer {
            text: Some(text.to_owned()),
            ..answer
        });
        let accepted = CallResult {
            answer,
            ..result.clone()
        };
        tally.prediction(
            entry.id.clone(),
            &entry.source,
            &accepted,
            &self.method.post_processing,
        )
    }
}

/// Returns the translations that can be trusted: their id was asked for once and given once, and the source stands
/// beside it as it was sent.
fn read(answer: &Answer, entries: &[SourceEntry]) -> BTreeMap<EntryId, String> {
    let mut trusted = BTreeMap::new();
    let text = answer.text.as_deref().unwrap_or_default().trim();
    let text = text
        .strip_prefix("```json")
        .and_then(|rest| rest.strip_suffix("```"))
        .unwrap_or(text);
    let Ok(reply) = serde_json::from_str::<Reply>(text) else {
        return trusted;
    };
    if answer.outcome != Outcome::Ok {
        return trusted;
    }
    let mut seen: BTreeMap<&EntryId, u32> = BTreeMap::new();
    for item in &reply.translations {
        *seen.entry(&item.id).or_insert(0) += 1;
    }
    for entry in entries {
        let given = reply.translations.iter().find(|item| item.id == entry.id);
        let Some(item) = given.filter(|item| seen.get(&item.id) == Some(&1)) else {
            continue;
        };
        if item.source.trim() == entry.source.trim() && !item.translation.trim().is_empty() {
            trusted.insert(entry.id.clone(), item.translation.clone());
        }
    }
    // A translation given for two different sources says that the model lost its place somewhere.
    let doubtful = |text: &String, source: &str| {
        entries.iter().any(|other| {
            other.source.trim() != source.trim()
                && reply
                    .translations
                    .iter()
                    .any(|item| item.id == other.id && item.translation.trim() == text.trim())
        })
    };
    for entry in entries {
        if trusted
            .get(&entry.id)
            .is_some_and(|text| doubtful(text, &entry.source))
        {
            trusted.remove(&entry.id);
        }
    }
    trusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::{ProviderKind, RawResponse};

    fn entries() -> Vec<SourceEntry> {
        let entry = |id: i64, source: &str| SourceEntry {
            id: EntryId::integer(id),
            source: source.into(),
            context: None,
            register: None,
            domain: None,
            prompt: None,
            options: Vec::new(),
        };
        vec![entry(1, "one"), entry(2, "two"), entry(3, "three")]
    }

    fn trusted(text: &str) -> String {
        let choice = json!({"finish_reason": "stop", "message": {"content": text}});
        let body = json!({"choices": [choice]}).to_string().into_bytes();
        let answer = ProviderKind::OpenAi
            .classify(&RawResponse {
                status: 200,
                headers: vec![],
                body,
            })
            .unwrap();
        let map = read(&answer, &entries());
        map.iter()
            .map(|(id, text)| format!("{id}={text}"))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn list(items: &[(&str, &str, &str)]) -> String {
        let items: Vec<_> = items
            .iter()
            .map(|(id, source, text)| json!({"id": id, "source": source, "translation": text}))
            .collect();
        json!({"translations": items}).to_string()
    }

    /// Case 22: only what is certain is taken; the rest is asked for again.
    #[test]
    fn only_certain_translations_are_taken() {
        let good = [("3", "three", "drei"), ("1", "one", "eins"), ("2", "two", "zwei")];
        assert_eq!(trusted(&list(&good)), "1=eins 2=zwei 3=drei");
        let skipped = [("1", "one", "eins"), ("3", "three", "drei")];
        assert_eq!(trusted(&list(&skipped)), "1=eins 3=drei");
        let shifted = [("1", "three", "drei"), ("2", "one", "eins"), ("3", "two", "zwei")];
        assert_eq!(trusted(&list(&shifted)), "");
        let twice = [
            ("1", "one", "eins"),
            ("2", "two", "zwei"),
            ("2", "two", "drei"),
            ("3", "three", "x"),
        ];
        assert_eq!(trusted(&list(&twice)), "1=eins 3=x");
        let padded = [("1", "one", "eins"), ("2", "two", "eins"), ("3", "three", "drei")];
        assert_eq!(trusted(&list(&padded)), "3=drei");
        assert_eq!(
            trusted(&format!("```json\n{}\n```", list(&good))),
            "1=eins 2=zwei 3=drei"
        );
        assert_eq!(trusted(&format!("Here they are:\n{}", list(&good))), "");
        assert_eq!(trusted("1. eins\n2. zwei\n3. drei"), "");
        assert_eq!(trusted(&list(&[("1", "one", " ")])), "");
    }
}
