//! Any program as a check: one JSON line in, one JSON line out.

use super::{CheckError, Checker, Verdict};
use crate::line_process::{LineProcess, LineProcessError};
use crate::translator::BoxFuture;
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::Mutex;

/// Longest wait for one verdict.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Asks a program that stays alive between outputs.
#[derive(Debug)]
pub struct CommandChecker {
    process: Mutex<LineProcess>,
}

#[derive(Deserialize)]
struct Reply {
    ok: bool,
    #[serde(default)]
    rejected: Vec<String>,
    #[serde(default)]
    message: String,
}

impl CommandChecker {
    /// Prepares a program; it is started with the first output.
    pub fn new(command: Vec<String>, folder: PathBuf) -> Self {
        Self {
            process: Mutex::new(LineProcess::new(command, folder)),
        }
    }
}

impl Checker for CommandChecker {
    fn name(&self) -> &'static str {
        "command"
    }

    fn check<'a>(&'a self, source: &'a str, output: &'a str) -> BoxFuture<'a, Result<Verdict, CheckError>> {
        Box::pin(async move {
            let fail = |problem: String| CheckError {
                name: "command".into(),
                problem,
            };
            let question = json!({"source": source, "output": output}).to_string();
            let line = self
                .process
                .lock()
                .await
                .ask(&question, TIMEOUT)
                .await
                .map_err(|error: LineProcessError| fail(error.to_string()))?;
            let reply: Reply = serde_json::from_str(&line)
                .map_err(|error| fail(format!("not a verdict ({error}): {line}")))?;
            match reply {
                Reply { ok: true, .. } => Ok(Verdict::default()),
                Reply {
                    rejected, message, ..
                } if rejected.is_empty() && message.is_empty() => Ok(Verdict {
                    rejected,
                    message: "The translation was rejected.".into(),
                }),
                Reply {
                    rejected, message, ..
                } => Ok(Verdict { rejected, message }),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker(script: &str) -> CommandChecker {
        CommandChecker::new(vec!["sh".into(), "-c".into(), script.into()], PathBuf::from("."))
    }

    #[tokio::test]
    async fn a_program_rejects_words() {
        let script = r#"while read -r line; do case "$line" in *bad*)
            echo '{"ok":false,"rejected":["bad"],"message":"no such word"}';; *) echo '{"ok":true}';; esac; done"#;
        let checker = checker(script);
        assert!(checker.check("x", "good").await.unwrap().accepted());
        let verdict = checker.check("x", "bad").await.unwrap();
        assert_eq!(
            (verdict.rejected, verdict.message.as_str()),
            (vec!["bad".to_owned()], "no such word")
        );
        assert!(checker.check("x", "good").await.unwrap().accepted());
    }

    #[tokio::test]
    async fn a_program_that_ends_or_babbles_is_an_error() {
        assert!(
            checker("exit 3")
                .check("x", "y")
                .await
                .unwrap_err()
                .problem
                .contains("ended")
        );
        assert!(
            checker("read x; echo hello")
                .check("x", "y")
                .await
                .unwrap_err()
                .problem
                .contains("not a verdict")
        );
    }
}
