//! Tests of the command method with small shell programs.

use std::path::PathBuf;

use super::*;
use crate::translator::{EarlierAnswer, LogError, ReceivedCall, SentCall};

/// A local program makes no paid calls.
struct NoLog;

impl CallLog for NoLog {
    fn sent<'a>(&'a self, _: &'a SentCall) -> BoxFuture<'a, Result<u64, LogError>> {
        panic!("a command makes no calls")
    }

    fn received<'a>(&'a self, _: &'a ReceivedCall) -> BoxFuture<'a, Result<(), LogError>> {
        panic!("a command makes no calls")
    }

    fn earlier_answer(&self, _: &EntryId, _: &str) -> Option<EarlierAnswer> {
        None
    }
}

fn program(script: &str) -> Command {
    let command = vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()];
    Command {
        process: LineProcess::new(command, PathBuf::from(".")),
        timeout: Duration::from_millis(500),
        start_timeout: Duration::from_secs(10),
        idle: Mutex::default(),
        deaths: AtomicU32::new(0),
        items: None,
        languages: (String::new(), String::new()),
    }
}

fn entry(number: i64, source: &str) -> SourceEntry {
    SourceEntry {
        id: EntryId::integer(number),
        source: source.into(),
        context: None,
        register: None,
        domain: None,
        prompt: None,
        options: Vec::new(),
    }
}

async fn ask(program: &Command, number: i64, source: &str) -> Result<Prediction, Stop> {
    let entries = [entry(number, source)];
    let mut predictions = program.translate(&entries, &NoLog).await?;
    Ok(predictions.remove(0))
}

const ECHO: &str = "while IFS= read -r line; do printf '%s\\n' \"$line\"; done";

#[tokio::test]
async fn one_process_answers_all_entries_and_the_text_arrives_as_it_is() {
    let program =
        program("n=0; while IFS= read -r line; do n=$((n+1)); printf '%s %s\\n' $n \"$line\"; done");
    assert_eq!(
        ask(&program, 1, "  ê\u{2028}\t'\"\\ ").await.unwrap().output,
        "1   ê\u{2028}\t'\"\\ "
    );
    let second = ask(&program, 2, "b").await.unwrap();
    assert_eq!(second.output, "2 b");
    assert_eq!(second.cost_usd.map(lydian_model::NanoUsd::nanos), Some(0));
    assert!(second.latency_seconds.is_some());
    assert!(program.shut_down().await.is_empty());
}

#[tokio::test]
async fn a_crash_costs_one_entry_and_the_next_gets_a_new_process() {
    let program = program(
        "while IFS= read -r line; do case $line in bad) echo 'no such word' >&2; exit 3;; esac; echo \"$line\"; done",
    );
    assert_eq!(ask(&program, 1, "a").await.unwrap().output, "a");
    let crashed = ask(&program, 2, "bad").await.unwrap();
    assert_eq!(crashed.outcome, Outcome::Failed);
    assert!(crashed.error.unwrap().contains("no such word"));
    assert_eq!(ask(&program, 3, "c").await.unwrap().output, "c");
}

#[tokio::test]
async fn a_hang_costs_one_entry() {
    let program =
        program("while IFS= read -r line; do case $line in hang) sleep 100;; esac; echo \"$line\"; done");
    assert_eq!(ask(&program, 1, "a").await.unwrap().output, "a");
    let hung = ask(&program, 2, "hang").await.unwrap();
    assert_eq!(hung.outcome, Outcome::Failed);
    assert_eq!(ask(&program, 3, "c").await.unwrap().output, "c");
}

#[tokio::test]
async fn a_program_that_only_dies_stops_the_run() {
    let program = program("exit 1");
    for number in 1..MOST_DEATHS {
        let prediction = ask(&program, i64::from(number), "a").await.unwrap();
        assert_eq!(prediction.outcome, Outcome::Failed);
    }
    assert!(matches!(ask(&program, 9, "a").await, Err(Stop::NoAnswers(_))));
}

#[tokio::test]
async fn a_program_that_does_not_exist_stops_the_run_at_once() {
    let program = Command {
        process: LineProcess::new(vec!["no-such-program-here".into()], PathBuf::from(".")),
        ..program(ECHO)
    };
    let Err(Stop::Method(problem)) = ask(&program, 1, "a").await else {
        panic!("it ran");
    };
    assert!(problem.contains("no-such-program-here"), "{problem}");
}

#[tokio::test]
async fn answers_of_a_program_with_a_greeting_are_withdrawn() {
    let program = program(&format!("echo 'model loaded'; {ECHO}"));
    // The greeting passes for the first answer; afterwards the first real answer is left over.
    assert_eq!(ask(&program, 1, "a").await.unwrap().output, "model loaded");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(matches!(ask(&program, 2, "b").await, Err(Stop::Method(_))));
    let withdrawn = program.shut_down().await;
    assert_eq!(withdrawn.len(), 1);
    assert_eq!(
        (withdrawn[0].entry_id.as_str(), withdrawn[0].outcome),
        ("1", Outcome::Failed)
    );
}

#[tokio::test]
async fn a_line_left_over_at_the_end_withdraws_the_answers_too() {
    let program = program(&format!("{ECHO}; echo 'done'"));
    ask(&program, 1, "a").await.unwrap();
    ask(&program, 2, "b").await.unwrap();
    assert_eq!(program.shut_down().await.len(), 2);
}

#[tokio::test]
async fn an_answer_that_is_not_utf_8_is_unparsable() {
    let program = program("while read -r line; do printf '\\377\\n'; done");
    let prediction = ask(&program, 1, "a").await.unwrap();
    assert_eq!(
        (prediction.outcome, prediction.output.as_str()),
        (Outcome::Unparsable, "")
    );
    assert_eq!(prediction.raw_output.as_deref(), Some("\u{fffd}"));
}

#[tokio::test]
async fn a_source_with_a_line_break_is_never_sent() {
    let program = program(ECHO);
    for source in ["a\nb", "a\rb"] {
        let prediction = ask(&program, 1, source).await.unwrap();
        assert_eq!((prediction.outcome, prediction.attempts), (Outcome::Failed, 0));
    }
    let entries = [entry(1, "a"), entry(7, "a\nb")];
    let Err(MethodError::Entries { problem, hint }) = check_entries(&entries) else {
        panic!("not refused");
    };
    assert!(
        problem.contains("entry 7 ") && hint.contains("plugin protocol"),
        "{problem}"
    );
    assert!(check_entries(&entries[..1]).is_ok());
}
