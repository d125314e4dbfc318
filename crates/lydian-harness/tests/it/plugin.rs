//! Plugins that behave, and plugins that do everything else, as real processes.

use crate::log::TestLog;
use lydian_harness::plugin::{Conformance, PluginMethod, PluginSettings, RunInfo};
use lydian_harness::translator::{EarlierAnswer, Stop, Translator};
use lydian_model::prediction::CostSource;
use lydian_model::{EntryId, Outcome, Prediction, SourceEntry};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A plugin in Python whose way of translating is `body`, with `entry`, `request` and `say` at hand.
fn python(body: &str) -> PluginSettings {
    let indented: String = body.lines().map(|line| format!("            {line}\n")).collect();
    let program = format!(
        r#"
import json, sys, time, os
def say(**message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
count = 0
for line in sys.stdin:
    message = json.loads(line)
    kind, request = message["type"], message.get("req")
    if kind == "hello":
        say(type="hello", protocol=1, method={{"id": "test"}}, capabilities={{"max_batch": 8, "max_in_flight": 4}})
    elif kind == "translate":
        for entry in message["entries"]:
            count += 1
            text = entry["source"].upper()
{indented}
        say(type="done", req=request)
    elif kind == "ping":
        say(type="pong", req=request)
    elif kind == "shutdown":
        break
"#
    );
    settings(vec!["python3".into(), "-c".into(), program])
}

const RESULT: &str = "say(type='result', req=request, id=entry['id'], output=text)";

fn settings(command: Vec<String>) -> PluginSettings {
    let run = RunInfo {
        source_lang: "en".into(),
        target_lang: "crk".into(),
        ..RunInfo::default()
    };
    let path = std::env::vars_os()
        .find(|(name, _)| name == "PATH")
        .map(|(_, value)| value)
        .unwrap_or_default();
    PluginSettings {
        environment: BTreeMap::from([("PATH".into(), path.to_string_lossy().into_owned())]),
        entry_timeout: Duration::from_secs(20),
        ..PluginSettings::new(command, PathBuf::from("."), run)
    }
}

fn entries(count: usize) -> Vec<SourceEntry> {
    (1..=count)
        .map(|number| SourceEntry {
            id: EntryId::integer(i64::try_from(number).unwrap()),
            source: format!("dog {number}"),
            context: None,
            register: None,
            domain: None,
            prompt: None,
            options: Vec::new(),
        })
        .collect()
}

/// Translates entries four at a time, one per message.
async fn run(settings: PluginSettings, count: usize) -> (Vec<Prediction>, Vec<String>) {
    let method = Arc::new(PluginMethod::new(settings));
    let mut tasks = tokio::task::JoinSet::new();
    let queue = Arc::new(std::sync::Mutex::new(entries(count)));
    for _ in 0..4 {
        let (method, queue) = (Arc::clone(&method), Arc::clone(&queue));
        tasks.spawn(async move {
            let log = TestLog::default();
            let mut done = Vec::new();
            loop {
                let next = queue.lock().unwrap().pop();
                let Some(entry) = next else { return done };
                done.extend(method.translate(&[entry], &log).await.unwrap());
            }
        });
    }
    let mut predictions: Vec<Prediction> = tasks.join_all().await.into_iter().flatten().collect();
    predictions.sort_by_key(|one| one.entry_id.as_str().parse::<u32>().unwrap());
    method.shut_down().await;
    (predictions, method.take_notes())
}

fn outcomes(predictions: &[Prediction]) -> (usize, Vec<(&str, &str)>) {
    let failed = predictions.iter().filter(|one| one.outcome == Outcome::Failed);
    let failed: Vec<_> = failed
        .map(|one| (one.entry_id.as_str(), one.error.as_deref().unwrap_or_default()))
        .collect();
    for one in predictions.iter().filter(|one| one.outcome == Outcome::Ok) {
        assert_eq!(one.output, format!("DOG {}", one.entry_id));
    }
    (predictions.len() - failed.len(), failed)
}

#[tokio::test]
async fn a_plugin_translates() {
    let body = "say(type='progress', req=request, done=0)\nsay(type='log', level='warn', message='hm')\n\
        say(type='result', req=request, id=entry['id'], output=' ' + text, raw='<' + text + '>', later=1, \
        usage={'prompt_tokens': 12, 'cached_tokens': 2, 'completion_tokens': 5, 'tool_calls': 2, 'cost_usd': 0.000001}, \
        steps=[{'name': 'fst', 'ok': True, 'ms': 3}])";
    let (predictions, notes) = run(python(body), 3).await;
    assert_eq!(outcomes(&predictions), (3, vec![]));
    let one = &predictions[0];
    assert_eq!(
        (one.raw_output.as_deref(), one.tool_call_count),
        (Some("<DOG 1>"), 2)
    );
    assert_eq!(
        (one.cost_usd.unwrap().nanos(), one.cost_source),
        (1_000, CostSource::Provider)
    );
    assert_eq!(one.usage.unwrap().prompt_tokens(), Some(12));
    assert_eq!(
        (one.steps[0].name.as_str(), one.steps[0].seconds.unwrap().get()),
        ("fst", 0.003)
    );
    assert_eq!(notes, ["warn: hm"; 3]);
}

#[tokio::test]
async fn a_crash_costs_only_the_entry_that_causes_it() {
    let body = format!("if text == 'DOG 7': sys.exit(3)\n{RESULT}");
    let (predictions, _) = run(python(&body), 20).await;
    let (ok, failed) = outcomes(&predictions);
    assert_eq!((ok, failed.len()), (19, 1));
    assert_eq!(failed[0].0, "7");
    assert!(failed[0].1.contains("exit status: 3"), "{failed:?}");
}

#[tokio::test]
async fn a_hanging_entry_is_ended_and_the_rest_goes_on() {
    let body = format!("if text == 'DOG 3': time.sleep(1000)\n{RESULT}");
    let hasty = PluginSettings {
        entry_timeout: Duration::from_millis(700),
        ..python(&body)
    };
    let (predictions, _) = run(hasty, 6).await;
    let (ok, failed) = outcomes(&predictions);
    assert_eq!((ok, failed.len()), (5, 1), "{failed:?}");
    assert_eq!(failed[0], ("3", "the plugin was silent for 0.7 s and was ended"));
}

#[tokio::test]
async fn noise_on_standard_output_ends_the_plugin_and_is_shown() {
    let body = format!("if text == 'DOG 2': print('loading model...')\n{RESULT}");
    let (predictions, _) = run(python(&body), 5).await;
    let (ok, failed) = outcomes(&predictions);
    assert_eq!((ok, failed.len()), (4, 1));
    assert!(failed[0].1.ends_with("loading model..."), "{failed:?}");
}

#[tokio::test]
async fn two_megabytes_of_standard_error_do_not_block_and_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plugin.stderr");
    let body = format!("sys.stderr.write('x' * 400000)\n{RESULT}");
    let loud = PluginSettings {
        stderr_file: Some(file.clone()),
        ..python(&body)
    };
    let (predictions, _) = run(loud, 5).await;
    assert_eq!(outcomes(&predictions), (5, vec![]));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 2_000_000);
}

#[tokio::test]
async fn wrong_ids_are_contained() {
    let unknown = "say(type='result', req=request, id='x' if text == 'DOG 2' else entry['id'], output=text)";
    let twice = format!("{RESULT}\nif text == 'DOG 2': {RESULT}");
    let missing = format!("if text != 'DOG 2': {RESULT}");
    let empty =
        "say(type='result', req=request, id=entry['id'], **({} if text == 'DOG 2' else {'output': text}))";
    for (body, error) in [
        (unknown, "the plugin gave no result for this entry"),
        (twice.as_str(), "the plugin answered twice for this entry"),
        (missing.as_str(), "the plugin gave no result for this entry"),
        (empty, "the result holds neither an output nor an error"),
    ] {
        let (predictions, notes) = run(python(body), 4).await;
        assert_eq!(outcomes(&predictions), (3, vec![("2", error)]));
        assert_eq!(notes.len(), usize::from(body == unknown), "{notes:?}");
    }
}

#[tokio::test]
async fn batches_come_back_in_any_order_and_survive_a_crash() {
    let body = "if text == 'DOG 3': sys.exit(1)\nif text == 'DOG 1': continue\n\
        say(type='result', req=request, id=entry['id'], output=text)\n\
        if text == 'DOG 2': say(type='result', req=request, id='1', output='DOG 1')";
    let method = PluginMethod::new(PluginSettings {
        batch_size: 5,
        ..python(body)
    });
    let predictions = method.translate(&entries(5), &TestLog::default()).await.unwrap();
    let (ok, failed) = outcomes(&predictions);
    assert_eq!((ok, failed.len(), failed[0].0), (4, 1, "3"));
}

#[tokio::test]
async fn errors_and_outcomes_are_the_plugins_to_say() {
    let body = "if text == 'DOG 1': say(type='result', req=request, id=entry['id'], outcome='refused')\n\
        elif text == 'DOG 2': say(type='result', req=request, id=entry['id'], output=text, outcome='truncated')\n\
        elif text == 'DOG 3': say(type='result', req=request, id=entry['id'], error={'kind': 'invalid_input', 'message': 'no'})\n\
        elif count == 4: say(type='result', req=request, id=entry['id'], \
        error={'kind': 'rate_limited', 'message': 'slow', 'retryable': True, 'retry_after_s': 0.01})\n\
        else: say(type='result', req=request, id=entry['id'], output=text)";
    let method = PluginMethod::new(python(body));
    let log = TestLog::default();
    let mut seen = Vec::new();
    for entry in entries(4) {
        let one = method.translate(&[entry], &log).await.unwrap().remove(0);
        seen.push((
            one.outcome,
            one.output.clone(),
            one.error.clone().unwrap_or_default(),
            one.attempts,
        ));
    }
    let expected = [
        (Outcome::Refused, "", "", 1),
        (Outcome::Truncated, "DOG 2", "", 1),
        (Outcome::Failed, "", "invalid input: no", 1),
        (Outcome::Ok, "DOG 4", "", 2),
    ];
    assert_eq!(
        seen,
        expected.map(|(outcome, text, error, tries)| (outcome, text.to_owned(), error.to_owned(), tries))
    );
    assert_eq!(log.sent(), 5);
}

#[tokio::test]
async fn a_broken_plugin_stops_the_run() {
    for (command, part) in [
        (vec!["no-such-plugin".to_owned()], "cannot be started"),
        (vec!["sh".into(), "-c".into(), "exit 5".into()], "exit status: 5"),
        (
            vec!["sh".into(), "-c".into(), "read x; echo hello".into()],
            "no message",
        ),
        (
            vec![
                "sh".into(),
                "-c".into(),
                "read x; echo '{\"type\":\"hello\",\"protocol\":9,\"method\":{\"id\":\"m\"}}'; read x".into(),
            ],
            "protocol 9",
        ),
        (vec!["sleep".into(), "100".into()], "did not say hello within 1 s"),
        (vec![], "no program"),
    ] {
        let method = PluginMethod::new(PluginSettings {
            start_timeout: Duration::from_secs(1),
            ..settings(command)
        });
        let Err(Stop::Method(reason)) = method.translate(&entries(1), &TestLog::default()).await else {
            panic!("{part}")
        };
        assert!(reason.contains(part), "{reason}");
    }
    let method = PluginMethod::new(python("sys.exit(1)"));
    let log = TestLog::default();
    let mut stopped = false;
    for entry in entries(12) {
        stopped |= method.translate(&[entry], &log).await.is_err();
    }
    assert!(stopped);
}

#[tokio::test]
async fn a_plugin_sees_only_the_environment_it_is_given() {
    let body = "say(type='result', req=request, id=entry['id'], output=','.join(sorted(os.environ)))";
    let one = run(python(body), 1).await.0.remove(0);
    let inherited = |name: &str| name.starts_with("CARGO") || name == "HOME";
    assert!(
        one.output.contains("PATH") && !one.output.split(',').any(inherited),
        "{}",
        one.output
    );
}

#[tokio::test]
async fn an_answer_in_the_journal_is_not_asked_for_again() {
    let method = PluginMethod::new(python(RESULT));
    let log = TestLog::default();
    let first = method.translate(&entries(1), &log).await.unwrap();
    let received = log.received.lock().unwrap()[0].clone();
    let resumed = TestLog::default();
    let answer = EarlierAnswer {
        response: received.result.unwrap(),
        number: 9,
        latency: received.latency,
    };
    resumed
        .earlier
        .lock()
        .unwrap()
        .push((received.request_sha256, answer));
    let again = method.translate(&entries(1), &resumed).await.unwrap();
    assert_eq!(
        (again[0].output.as_str(), again[0].request_number),
        (first[0].output.as_str(), Some(9))
    );
    assert_eq!(resumed.sent(), 0);
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/plugins")
        .join(name)
}

/// Returns whether a program is there; says so if it is not.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn available(program: &str) -> bool {
    let found = std::process::Command::new(program)
        .arg("--version")
        .output()
        .is_ok();
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

#[tokio::test]
async fn the_examples_conform() {
    let rust = PathBuf::from(env!("CARGO_BIN_EXE_plugin-example"));
    for (command, folder, needs) in [
        (
            vec!["python3".to_owned(), "dictionary.py".into()],
            example("python"),
            "python3",
        ),
        (vec!["./plugin.sh".into()], example("shell"), "jq"),
        (vec![rust.display().to_string()], example("rust"), "sh"),
    ] {
        if !available(needs) {
            continue;
        }
        let report = Conformance::check(&PluginSettings {
            folder,
            ..settings(command.clone())
        })
        .await;
        assert!(report.passed(), "{command:?}: {report:?}");
        assert_eq!(report.checks.len(), 9);
    }
}

#[tokio::test]
async fn conformance_names_what_is_wrong() {
    for (body, check) in [
        ("pass", "translates one entry"),
        (
            "say(type='result', req=request, id='x', output='y')",
            "translates one entry",
        ),
        (
            "if '\\n' not in text: say(type='result', req=request, id=entry['id'], output=text)",
            "keeps unusual characters apart",
        ),
    ] {
        let hasty = PluginSettings {
            entry_timeout: Duration::from_secs(2),
            ..python(body)
        };
        let report = Conformance::check(&hasty).await;
        let wrong: Vec<&str> = report
            .checks
            .iter()
            .filter(|one| one.problem.is_some())
            .map(|one| one.name)
            .collect();
        assert_eq!(wrong.first(), Some(&check), "{report:?}");
    }
}

#[test]
fn the_published_schema_is_that_of_the_messages() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/plugin-protocol.schema.json");
    if std::env::vars_os().any(|(name, _)| name == "LYDIAN_UPDATE") {
        std::fs::write(&file, lydian_harness::plugin::schema()).unwrap();
    }
    let published = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        published,
        lydian_harness::plugin::schema(),
        "LYDIAN_UPDATE=1 writes it anew"
    );
}
