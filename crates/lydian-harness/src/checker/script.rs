//! A rule for the scripts an output may use.

use super::{CheckError, Checker, Verdict};
use crate::translator::BoxFuture;
use std::collections::BTreeSet;
use unicode_script::{Script, UnicodeScript};

/// Rejects words with letters of other scripts.
#[derive(Clone, Debug)]
pub struct ScriptChecker {
    scripts: Vec<Script>,
}

/// A script code that is not in ISO 15924 as Unicode knows it.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown script {0:?}; give an ISO 15924 code such as Latn or Cans")]
pub struct UnknownScript(pub String);

impl ScriptChecker {
    /// Accepts letters of these scripts; characters common to all scripts are always accepted.
    pub fn new(codes: &[String]) -> Result<Self, UnknownScript> {
        let script = |code: &String| Script::from_short_name(code).ok_or_else(|| UnknownScript(code.clone()));
        Ok(Self {
            scripts: codes.iter().map(script).collect::<Result<_, _>>()?,
        })
    }

    fn accepts(&self, c: char) -> bool {
        let script = c.script();
        matches!(script, Script::Common | Script::Inherited) || self.scripts.contains(&script)
    }
}

impl Checker for ScriptChecker {
    fn name(&self) -> &'static str {
        "script"
    }

    fn check<'a>(&'a self, _: &'a str, output: &'a str) -> BoxFuture<'a, Result<Verdict, CheckError>> {
        let foreign: BTreeSet<&str> = output
            .split_whitespace()
            .filter(|word| !word.chars().all(|c| self.accepts(c)))
            .collect();
        let rejected: Vec<String> = foreign.into_iter().map(str::to_owned).collect();
        let message = if rejected.is_empty() {
            String::new()
        } else {
            let names: Vec<&str> = self.scripts.iter().map(|script| script.full_name()).collect();
            format!("Write in the {} script only.", names.join(" or "))
        };
        Box::pin(async { Ok(Verdict { rejected, message }) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn words_of_other_scripts_are_named() {
        let checker = ScriptChecker::new(&["Cans".into()]).unwrap();
        assert!(checker.check("", "ᐊᑎᒼ 12, ᓂᐚᐸᒫᐤ!").await.unwrap().accepted());
        let verdict = checker.check("", "ᐊᑎᒼ dog ᑭa dog").await.unwrap();
        assert_eq!(verdict.rejected, ["dog", "ᑭa"]);
        assert_eq!(verdict.message, "Write in the Canadian_Aboriginal script only.");
    }

    #[test]
    fn an_unknown_code_is_refused() {
        assert_eq!(
            ScriptChecker::new(&["Latin1".into()]).unwrap_err(),
            UnknownScript("Latin1".into())
        );
    }
}
