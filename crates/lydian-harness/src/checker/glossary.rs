//! A rule that terms of the source appear in their prescribed translation.

use super::{CheckError, Checker, Verdict};
use crate::prompt::Term;
use crate::translator::BoxFuture;

/// Rejects outputs that lack the prescribed translation of a term of the source.
#[derive(Clone, Debug)]
pub struct GlossaryChecker {
    terms: Vec<Term>,
}

/// A glossary file that is not valid.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("glossary line {line}: expected a term, a tab and at least one translation")]
pub struct GlossaryError {
    /// Number of the line, from 1.
    pub line: usize,
}

impl GlossaryChecker {
    /// Reads tab-separated lines of a term and its translations; lines that start with `#` are remarks.
    pub fn parse(text: &str) -> Result<Self, GlossaryError> {
        let mut terms = Vec::new();
        for (index, line) in text
            .split('\n')
            .map(|line| line.trim_end_matches('\r'))
            .enumerate()
        {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let mut fields = line
                .split('\t')
                .map(str::trim)
                .filter(|field| !field.is_empty())
                .map(str::to_owned);
            let term = fields.next().unwrap_or_default();
            let translations: Vec<String> = fields.collect();
            if translations.is_empty() {
                return Err(GlossaryError { line: index + 1 });
            }
            terms.push(Term {
                term,
                translations,
                note: None,
            });
        }
        Ok(Self { terms })
    }
}

impl Checker for GlossaryChecker {
    fn name(&self) -> &'static str {
        "glossary"
    }

    fn check<'a>(&'a self, source: &'a str, output: &'a str) -> BoxFuture<'a, Result<Verdict, CheckError>> {
        let lower = output.to_lowercase();
        let missing: Vec<&Term> = self
            .terms
            .iter()
            .filter(|term| crate::prompt::contains_words(source, &term.term))
            .filter(|term| {
                !term
                    .translations
                    .iter()
                    .any(|translation| lower.contains(&translation.to_lowercase()))
            })
            .collect();
        let lines: Vec<String> = missing
            .iter()
            .map(|term| {
                format!(
                    "{:?} is to be translated as {}.",
                    term.term,
                    term.translations.join(" or ")
                )
            })
            .collect();
        let rejected = missing.iter().map(|term| term.term.clone()).collect();
        Box::pin(async move {
            Ok(Verdict {
                rejected,
                message: lines.join("\n"),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_missing_term_is_named_with_its_translation() {
        let checker = GlossaryChecker::parse("# Cree\ndog\tatim\tatimos\n\nwater\tnipiy\r\n").unwrap();
        assert!(checker.check("The dog.", "Atimos.").await.unwrap().accepted());
        assert!(checker.check("Hotdogs", "x").await.unwrap().accepted());
        let verdict = checker.check("dog, water", "nipiy").await.unwrap();
        assert_eq!(verdict.rejected, ["dog"]);
        assert_eq!(verdict.message, "\"dog\" is to be translated as atim or atimos.");
    }

    #[test]
    fn a_line_without_a_translation_is_named() {
        assert_eq!(
            GlossaryChecker::parse("dog\tatim\ncat\n").unwrap_err(),
            GlossaryError { line: 2 }
        );
    }
}
