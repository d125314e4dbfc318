//! A folder in which tests run the `lydian` program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A temporary folder whose name holds a space and a letter beyond ASCII, as people's folders do.
pub(crate) struct Workshop {
    _parent: tempfile::TempDir,
    pub(crate) folder: PathBuf,
}

/// How a command ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workshop {
    pub(crate) fn new() -> Self {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let folder = parent.path().join("mi carpeta ñ");
        std::fs::create_dir(&folder).expect("a folder");
        Self {
            _parent: parent,
            folder,
        }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lydian"));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn lydian(&self, arguments: &[&str]) -> Ended {
        self.command(arguments).output().expect("lydian starts").into()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a writable folder");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn card(&self, run: &str) -> Value {
        let bytes = std::fs::read(self.folder.join(run).join("run-card.json")).expect("a card");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    /// Writes a corpus of `count` entries, `corpus.json`; the reference of entry n is `R n`.
    pub(crate) fn write_corpus(&self, count: usize) {
        let entries: Vec<Value> = (1..=count)
            .map(|n| {
                serde_json::json!({
                    "id": n, "source": format!("word{n} of text"), "reference": format!("R {n}"),
                    "segment": "development", "difficulty": 1 + n % 3, "provenance": "textbook",
                    "register": "formal", "domain": "edu"
                })
            })
            .collect();
        self.write("corpus.json", &corpus(&entries).to_string());
    }
}

pub(crate) fn corpus(entries: &[Value]) -> Value {
    serde_json::json!({
        "dataset": {
            "id": "c", "version": "1.0.0", "language_pair": "pt→gl", "source_language": "pt", "target_language": "gl",
            "created": "2026-11-30", "license": "CC0-1.0", "provenance": ["textbook"]
        },
        "entries": entries
    })
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Ended {
    /// Fails the test unless the command ended with `code`.
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self
    }

    pub(crate) fn never_says(self, text: &str) -> Self {
        assert!(!self.stderr.contains(text), "{text:?} is in: {}", self.stderr);
        self
    }

    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "{text:?} is not in: {}", self.stderr);
        self
    }
}

/// Returns a card without what may differ between two executions of one run (decision 25).
pub(crate) fn comparable(mut card: Value) -> Value {
    let fields = card.as_object_mut().expect("an object");
    for field in ["run_id", "timestamp", "elapsed_seconds", "run_card_hash"] {
        fields.remove(field).expect("every card has it");
    }
    let scores = fields["scores"].as_object_mut().expect("scores");
    scores.retain(|name, _| {
        !name.contains("latency") && !name.contains("per_second") && !name.contains("per_minute")
    });
    for result in fields["results"].as_array_mut().expect("results") {
        result.as_object_mut().expect("a result").remove("latency_s");
    }
    card
}

pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}
