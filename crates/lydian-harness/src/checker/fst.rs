//! A check that a morphological analyser knows every word (B §4.1).

use std::collections::BTreeSet;

use lydian_language::{Language, source_names};

use super::{AnalyserIdentity, CheckError, Checker, Verdict};
use crate::translator::BoxFuture;

/// Rejects words that the analyser of the target language does not know, and names words near them.
#[derive(Debug)]
pub struct FstGate {
    source: Language,
    target: Language,
    identity: AnalyserIdentity,
}

impl FstGate {
    /// Asks the target language's analyser; names of the source may stay as they are. `language_card` is recorded
    /// with every run. The error says why there is no analyser.
    pub fn new(source: Language, target: Language, language_card: Option<String>) -> Result<Self, String> {
        let analyser = target.analyser().map_err(str::to_owned)?;
        let identity = AnalyserIdentity {
            version: analyser.version(),
            sha256: analyser.sha256().to_owned(),
            language_card,
        };
        Ok(Self {
            source,
            target,
            identity,
        })
    }

    fn verdict(&self, source: &str, output: &str) -> Result<Verdict, String> {
        let names = source_names(source, &self.source.card);
        let mut checker = self.target.fst_checker()?;
        let found = checker.check(output, &names);
        let mut seen = BTreeSet::new();
        let rejected: Vec<String> = found
            .rejected()
            .filter(|word| seen.insert(*word))
            .map(str::to_owned)
            .collect();
        let lines: Vec<String> = rejected
            .iter()
            .map(|word| line(word, &checker.suggestions(word), self.target.card.name()))
            .collect();
        Ok(Verdict {
            rejected,
            message: lines.join("\n"),
        })
    }
}

/// One sentence about a rejected word, for the model to read.
fn line(word: &str, near: &[String], language: &str) -> String {
    let no_word = format!("{word:?} is not a word of {language}");
    if near.is_empty() {
        format!("{no_word}.")
    } else {
        format!("{no_word}; words like it: {}.", near.join(", "))
    }
}

impl Checker for FstGate {
    fn name(&self) -> &'static str {
        "fst"
    }

    fn check<'a>(&'a self, source: &'a str, output: &'a str) -> BoxFuture<'a, Result<Verdict, CheckError>> {
        let verdict = self.verdict(source, output).map_err(|problem| CheckError {
            name: "fst".into(),
            problem,
        });
        Box::pin(std::future::ready(verdict))
    }

    fn analyser(&self) -> Option<AnalyserIdentity> {
        Some(self.identity.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydian_language::{Card, LanguageTag};

    const ANALYSER: &[u8] = include_bytes!("../../../lydian-hfstol/tests/fixtures/plain.olw.hfstol");

    fn gate() -> FstGate {
        let sha256 = lydian_language::hex_sha256(ANALYSER);
        let card = r#"
            schema = "lydian.language-card/1"
            language = "crk"
            names = { en = "Plains Cree" }
            scripts = ["Latn"]
            [words]
            allow = ["Saskatoon"]
            [analyser]
            file = "crk.hfstol"
            sha256 = "SHA256"
            published_at = "fixtures"
            licence = "MIT"
            version = "toy-1"
            tags = "plus"
            self_test = { accepts = ["atim"] }
        "#;
        let target = Language::open(
            Card::parse("card.toml", &card.replace("SHA256", &sha256)).unwrap(),
            |_| Ok(ANALYSER.to_vec()),
        );
        let source = Language::builtin(&LanguageTag::parse("eng").unwrap()).unwrap();
        FstGate::new(source, target, None).unwrap()
    }

    #[tokio::test]
    async fn rejected_words_are_named_once_with_words_near_them() {
        let verdict = gate()
            .check("I see him.", "Wapamêw wapamêw zzzzzzzz!")
            .await
            .unwrap();
        assert_eq!(verdict.rejected, ["Wapamêw", "wapamêw", "zzzzzzzz"]);
        let lines: Vec<&str> = verdict.message.lines().collect();
        assert_eq!(
            lines[1],
            "\"wapamêw\" is not a word of Plains Cree; words like it: wâpamêw, wâpamêk."
        );
        assert_eq!(lines[2], "\"zzzzzzzz\" is not a word of Plains Cree.");
    }

    #[tokio::test]
    async fn known_words_numbers_and_names_are_accepted() {
        for output in ["Wâpamêw!", "wâpamêw 12 Saskatoon", "wâpamêw Toronto"] {
            let verdict = gate().check("He is in Toronto.", output).await.unwrap();
            assert!(verdict.accepted(), "{output}: {verdict:?}");
        }
        assert_eq!(gate().analyser().unwrap().version, "toy-1");
    }

    #[test]
    fn without_an_analyser_there_is_no_gate() {
        let open = |tag| Language::builtin(&LanguageTag::parse(tag).unwrap()).unwrap();
        let reason = FstGate::new(open("eng"), open("crk"), None).unwrap_err();
        assert!(
            reason.contains("lydian language add-analyser crk FILE"),
            "{reason}"
        );
    }
}
