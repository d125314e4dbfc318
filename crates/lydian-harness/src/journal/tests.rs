//! Tests of the journal against real files.

use std::io::Write;

use super::fixture::{create, execution, id, setup};
use super::*;

/// A journal of three entries: 1 answered, 2 failed and then answered twice, 3 failed; the process was killed.
fn killed_run() -> (tempfile::TempDir, PathBuf) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("mit Leerzeichen und ê");
    let journal = create(&folder, 3).unwrap();
    journal.append_answer(Prediction::of_text(id(1), "one")).unwrap();
    journal
        .append_answer(Prediction::failed(id(2), "time-out"))
        .unwrap();
    journal.append_answer(Prediction::of_text(id(2), "two")).unwrap();
    journal.append_answer(Prediction::of_text(id(2), "late")).unwrap();
    journal.append_answer(Prediction::failed(id(3), "crash")).unwrap();
    drop(journal);
    (parent, folder)
}

#[test]
fn the_first_answer_that_is_not_a_failure_is_accepted() {
    let (_parent, folder) = killed_run();
    let contents = Journal::read(&folder).unwrap();
    assert_eq!(contents.setup, setup(3));
    assert_eq!(contents.inputs["corpus"], "corpus.json");
    assert_eq!(contents.prediction(&id(2)).unwrap().output, "two");
    assert_eq!(
        contents.prediction(&id(3)).unwrap().error.as_deref(),
        Some("crash")
    );
    assert_eq!(contents.open_entries(), [&id(3)]);
    assert_eq!((contents.executions, contents.end), (1, None));
}

#[test]
fn a_torn_last_record_is_cut_off_and_the_rest_kept() {
    let (_parent, folder) = killed_run();
    let path = folder.join(JOURNAL_FILE);
    let whole = fs::read(&path).unwrap();
    let before_last = whole[..whole.len() - 1]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .unwrap()
        + 1;
    for length in before_last + 1..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let (journal, contents) = Journal::resume(&folder, execution()).unwrap();
        assert_eq!(contents.torn_bytes, (length - before_last) as u64);
        assert_eq!(contents.open_entries(), [&id(3)]);
        journal
            .append_answer(Prediction::of_text(id(3), "three"))
            .unwrap();
        journal.close(EndReason::Finished).unwrap();
        let again = Journal::read(&folder).unwrap();
        assert_eq!((again.torn_bytes, again.answers.len()), (0, 3), "cut at {length}");
    }
}

#[test]
fn zeros_at_the_end_as_a_power_cut_leaves_them_are_cut_off() {
    let (_parent, folder) = killed_run();
    let path = folder.join(JOURNAL_FILE);
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(&[0; 5000]).unwrap();
    file.write_all(b"\n{\"check\":\n").unwrap();
    let contents = Journal::read(&folder).unwrap();
    assert_eq!((contents.torn_bytes, contents.answers.len()), (5011, 2));
}

#[test]
fn damage_before_the_end_is_an_error_that_names_the_line() {
    let (_parent, folder) = killed_run();
    let path = folder.join(JOURNAL_FILE);
    let mut bytes = fs::read(&path).unwrap();
    let second_line = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 30;
    bytes[second_line] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = Journal::resume(&folder, execution()).unwrap_err();
    assert!(matches!(error, JournalError::Damaged { line: 2, .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is cut off");
}

#[test]
fn a_journal_of_another_version_is_refused_by_its_name() {
    let (_parent, folder) = killed_run();
    let path = folder.join(JOURNAL_FILE);
    let line = line::framed(br#"{"type":"setup","schema":"lydian.journal/2","setup":{}}"#);
    fs::write(&path, line).unwrap();
    let error = Journal::read(&folder).unwrap_err();
    assert!(
        matches!(&error, JournalError::Schema { found, .. } if found == "lydian.journal/2"),
        "{error}"
    );
}

#[test]
fn a_folder_that_holds_anything_is_never_overwritten() {
    let (_parent, folder) = killed_run();
    let before = fs::read(folder.join(JOURNAL_FILE)).unwrap();
    let error = create(&folder, 1).unwrap_err();
    assert!(matches!(error, JournalError::Exists { .. }), "{error}");
    assert_eq!(fs::read(folder.join(JOURNAL_FILE)).unwrap(), before);
    let names = fs::read_dir(folder.parent().unwrap()).unwrap().count();
    assert_eq!(names, 1, "nothing else is left behind");
}

#[test]
fn what_a_killed_process_left_beside_the_folder_is_removed_and_what_is_in_use_is_not() {
    let parent = tempfile::tempdir().unwrap();
    let folder = |name: &str| {
        let folder = parent.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(LOCK_FILE), "1").unwrap();
        folder
    };
    let abandoned = folder(".r.4000000000.new");
    let in_use = folder(".r.4000000001.new");
    let other = folder(".r.mine.new");
    let _held = RunLock::acquire(&in_use).unwrap();
    create(&parent.path().join("r"), 1).unwrap();
    assert!(!abandoned.exists() && in_use.exists() && other.exists());
}

#[test]
fn an_empty_folder_may_be_used() {
    let parent = tempfile::tempdir().unwrap();
    assert!(create(parent.path(), 1).is_ok());
}

#[test]
fn only_one_process_writes_to_a_run() {
    let (_parent, folder) = killed_run();
    let (first, _) = Journal::resume(&folder, execution()).unwrap();
    let error = Journal::resume(&folder, execution()).unwrap_err();
    let own = std::process::id();
    assert!(
        matches!(error, JournalError::Locked { holder: Some(pid), .. } if pid == own),
        "{error}"
    );
    drop(first);
    assert!(Journal::resume(&folder, execution()).is_ok());
}

#[test]
fn a_withdrawn_answer_leaves_its_entry_open_until_it_is_answered_again() {
    let (_parent, folder) = killed_run();
    let (journal, _) = Journal::resume(&folder, execution()).unwrap();
    journal
        .append_withdrawal(Prediction::failed(id(1), "shifted"))
        .unwrap();
    drop(journal);
    let (journal, contents) = Journal::resume(&folder, execution()).unwrap();
    assert_eq!(contents.open_entries(), [&id(1), &id(3)]);
    assert_eq!(
        contents.prediction(&id(1)).unwrap().error.as_deref(),
        Some("shifted")
    );
    journal
        .append_answer(Prediction::of_text(id(1), "again"))
        .unwrap();
    drop(journal);
    assert_eq!(
        Journal::read(&folder).unwrap().prediction(&id(1)).unwrap().output,
        "again"
    );
}

#[test]
fn request_numbers_do_not_tell_in_which_order_calls_finished() {
    let numbers = |order: [(i64, u64); 3]| {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("run");
        let journal = create(&folder, 3).unwrap();
        for (entry, number) in order {
            let prediction = Prediction {
                request_number: Some(number),
                ..Prediction::of_text(id(entry), "x")
            };
            journal.append_answer(prediction).unwrap();
        }
        drop(journal);
        let predictions = Journal::read(&folder).unwrap().predictions();
        let number = |prediction: &Prediction| prediction.request_number.unwrap();
        predictions.values().map(number).collect::<Vec<_>>()
    };
    assert_eq!(numbers([(1, 7), (2, 9), (3, 9)]), [1, 2, 2]);
    assert_eq!(numbers([(3, 1), (2, 1), (1, 12)]), [1, 2, 2]);
}

#[test]
fn requests_without_an_answer_are_possibly_paid() {
    let (_parent, folder) = killed_run();
    let (journal, _) = Journal::resume(&folder, execution()).unwrap();
    let ids = [id(3)];
    let request = |digest| SentRequest {
        entry_ids: &ids,
        request_sha256: digest,
        attempt: 1,
        budgeted: None,
    };
    let first = journal.append_sent(request("a")).unwrap();
    let second = journal.append_sent(request("b")).unwrap();
    let response = Response::new(200, vec![("x".into(), "y".into())], b"{}".to_vec());
    journal
        .append_received(first, request("a"), Finite::ZERO, Ok(response.clone()))
        .unwrap();
    drop(journal);

    let (journal, contents) = Journal::resume(&folder, execution()).unwrap();
    assert_eq!(contents.in_flight.keys().copied().collect::<Vec<_>>(), [second]);
    assert_eq!(contents.possibly_paid(), [id(3)]);
    assert_eq!(journal.earlier(&id(3), "a").unwrap().response, response);
    assert!(journal.earlier(&id(3), "b").is_none());
    assert_eq!(journal.append_sent(request("c")).unwrap(), second + 1);
}

#[test]
fn a_budget_counts_every_request_that_was_sent() {
    let (_parent, folder) = killed_run();
    let (journal, before) = Journal::resume(&folder, execution()).unwrap();
    assert_eq!(before.budgeted(), before.spent());
    let ids = [id(3)];
    let request = |digest, nanos| SentRequest {
        entry_ids: &ids,
        request_sha256: digest,
        attempt: 1,
        budgeted: Some(NanoUsd::new(nanos)),
    };
    let response = || Ok(Response::new(200, Vec::new(), b"{}".to_vec()));
    let answered = journal.append_sent(request("a", 900)).unwrap();
    let refused = journal.append_sent(request("b", 900)).unwrap();
    journal.append_sent(request("c", 900)).unwrap();
    journal
        .append_received(answered, request("a", 250), Finite::ZERO, response())
        .unwrap();
    journal
        .append_received(refused, request("b", 0), Finite::ZERO, Err("429".into()))
        .unwrap();
    drop(journal);
    let contents = Journal::read(&folder).unwrap();
    // The answer was paid and is not used yet, the last request may have been paid.
    assert_eq!(contents.budgeted(), NanoUsd::new(250 + 900));
    assert_eq!(contents.perhaps_paid(), NanoUsd::new(250 + 900));
}

#[test]
fn responses_of_answered_entries_are_forgotten_unless_their_batch_is_open() {
    let (_parent, folder) = killed_run();
    let (journal, _) = Journal::resume(&folder, execution()).unwrap();
    for (digest, ids) in [("single", vec![id(1)]), ("batch", vec![id(1), id(3)])] {
        let request = SentRequest {
            entry_ids: &ids,
            request_sha256: digest,
            attempt: 1,
            budgeted: None,
        };
        let response = Response::new(200, Vec::new(), Vec::new());
        let number = journal.append_sent(request).unwrap();
        journal
            .append_received(number, request, Finite::ZERO, Ok(response))
            .unwrap();
    }
    drop(journal);
    let (journal, _) = Journal::resume(&folder, execution()).unwrap();
    assert!(journal.earlier(&id(1), "batch").is_some());
    journal
        .append_answer(Prediction::of_text(id(3), "three"))
        .unwrap();
    drop(journal);
    let contents = Journal::read(&folder).unwrap();
    assert!(!contents.received.keys().any(|(_, digest)| digest == "batch"));
}

#[tokio::test(start_paused = true)]
async fn active_time_is_the_sum_of_the_executions() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let journal = create(&folder, 2).unwrap();
    tokio::time::advance(std::time::Duration::from_millis(2500)).await;
    journal.append_answer(Prediction::of_text(id(1), "one")).unwrap();
    tokio::time::advance(std::time::Duration::from_secs(3600)).await;
    drop(journal);
    let (journal, _) = Journal::resume(&folder, execution()).unwrap();
    tokio::time::advance(std::time::Duration::from_millis(1250)).await;
    journal.close(EndReason::Interrupted).unwrap();
    let contents = Journal::read(&folder).unwrap();
    assert!((contents.active_seconds().get() - 3.75).abs() < 1e-9);
    assert_eq!(contents.end, Some(EndReason::Interrupted));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_nothing_more_is_accepted() {
    let file = OpenOptions::new().append(true).open("/dev/full").unwrap();
    let writer = Writer::new(file, 0, Path::new("/dev/full")).unwrap();
    let record = Record::Active {
        began: String::new(),
        program: String::new(),
    };
    assert!(matches!(writer.append(&record), Err(JournalError::Io { .. })));
    assert!(matches!(writer.append(&record), Err(JournalError::Failed { .. })));
    assert!(writer.close().is_err());
}
