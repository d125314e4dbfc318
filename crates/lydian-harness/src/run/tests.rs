//! Tests of the run loop with methods that misbehave on purpose, in virtual time.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

use super::*;
use crate::journal::Contents;
use crate::journal::fixture::{create, execution, id};
use crate::provider::RawResponse;
use crate::translator::{BoxFuture, CallLog, ReceivedCall, SentCall};

type Reaction = (Duration, Result<Vec<Prediction>, Stop>);
type Behaviour = Box<dyn Fn(&SourceEntry) -> Reaction + Send + Sync>;

/// A method that does what a closure says and watches how it is called.
struct Scripted {
    behaviour: Behaviour,
    batch: usize,
    asked: Mutex<Vec<Vec<EntryId>>>,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
    withdrawn: Vec<Prediction>,
}

impl Scripted {
    fn new(behaviour: impl Fn(&SourceEntry) -> Reaction + Send + Sync + 'static) -> Self {
        Self {
            behaviour: Box::new(behaviour),
            batch: 1,
            asked: Mutex::default(),
            in_flight: AtomicUsize::new(0),
            most_in_flight: AtomicUsize::new(0),
            withdrawn: Vec::new(),
        }
    }
}

impl Translator for Scripted {
    fn batch_size(&self) -> usize {
        self.batch
    }

    fn translate<'a>(
        &'a self,
        entries: &'a [SourceEntry],
        _log: &'a dyn CallLog,
    ) -> BoxFuture<'a, Result<Vec<Prediction>, Stop>> {
        Box::pin(async move {
            let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_in_flight.fetch_max(now, Ordering::SeqCst);
            let ids = entries.iter().map(|entry| entry.id.clone()).collect();
            self.asked.lock().unwrap().push(ids);
            let mut predictions = Vec::new();
            for entry in entries {
                let (time, result) = (self.behaviour)(entry);
                tokio::time::sleep(time).await;
                predictions.extend(result?);
            }
            self.in_flight.fetch_sub(1, Ordering::SeqCst);
            Ok(predictions)
        })
    }

    fn shut_down(&self) -> BoxFuture<'_, Vec<Prediction>> {
        Box::pin(std::future::ready(self.withdrawn.clone()))
    }
}

fn echo(entry: &SourceEntry) -> Vec<Prediction> {
    vec![Prediction::of_text(entry.id.clone(), format!("out {}", entry.id))]
}

fn number(entry: &SourceEntry) -> u64 {
    entry.id.as_str().parse().unwrap()
}

fn entries(count: i64) -> Vec<SourceEntry> {
    (1..=count)
        .map(|number| SourceEntry {
            id: id(number),
            source: "text".into(),
            context: None,
            register: None,
            domain: None,
            prompt: None,
            options: Vec::new(),
        })
        .collect()
}

struct Run {
    _parent: tempfile::TempDir,
    folder: PathBuf,
    count: i64,
    interruption: watch::Sender<Interruption>,
}

impl Run {
    fn new(count: i64) -> Self {
        let parent = tempfile::tempdir().unwrap();
        Self {
            folder: parent.path().join("run"),
            _parent: parent,
            count,
            interruption: watch::Sender::new(Interruption::None),
        }
    }

    async fn execute(&self, method: Scripted, concurrency: usize) -> (RunEnd, Contents, Arc<Scripted>) {
        let (journal, answered) = if self.folder.exists() {
            let (journal, contents) = Journal::resume(&self.folder, execution()).unwrap();
            (journal, contents.answers.into_keys().collect())
        } else {
            (create(&self.folder, self.count).unwrap(), BTreeSet::new())
        };
        let translator = Arc::new(method);
        let work = Work {
            translator: translator.clone(),
            entries: entries(self.count),
            answered,
        };
        let options = RunOptions {
            concurrency,
            grace: Duration::from_secs(30),
        };
        let control = Control {
            interruption: self.interruption.subscribe(),
            on_progress: Box::new(|_| {}),
        };
        let end = run(work, journal, options, control).await.unwrap();
        (end, Journal::read(&self.folder).unwrap(), translator)
    }

    fn interrupt_after(&self, seconds: u64, interruption: Interruption) {
        let sender = self.interruption.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            sender.send_replace(interruption);
        });
    }
}

#[tokio::test(start_paused = true)]
async fn answers_that_finish_out_of_order_belong_to_their_entries() {
    let run = Run::new(40);
    let method = Scripted::new(|entry| {
        let time = Duration::from_millis(1000 - 20 * number(entry));
        (time, Ok(echo(entry)))
    });
    let (end, contents, method) = run.execute(method, 8).await;
    assert_eq!((end.reason, end.asked, end.failed), (EndReason::Finished, 40, 0));
    for number in 1..=40 {
        let output = &contents.prediction(&id(number)).unwrap().output;
        assert_eq!(output, &format!("out {number}"));
    }
    assert_eq!(method.most_in_flight.load(Ordering::SeqCst), 8);
}

#[tokio::test(start_paused = true)]
async fn an_interruption_lets_calls_in_flight_finish_and_starts_no_others() {
    let run = Run::new(100);
    run.interrupt_after(25, Interruption::Drain);
    let slow = |entry: &SourceEntry| (Duration::from_secs(10), Ok(echo(entry)));
    let (end, contents, _) = run.execute(Scripted::new(slow), 4).await;
    assert_eq!((end.reason, end.asked), (EndReason::Interrupted, 12));
    assert_eq!(contents.answers.len(), 12);
    assert_eq!(contents.end, Some(EndReason::Interrupted));

    run.interruption.send_replace(Interruption::None);
    let (end, contents, method) = run.execute(Scripted::new(slow), 4).await;
    assert_eq!((end.reason, contents.answers.len()), (EndReason::Finished, 100));
    assert_eq!(
        method.asked.lock().unwrap().len(),
        88,
        "nothing is asked for twice"
    );
}

#[tokio::test(start_paused = true)]
async fn calls_that_outlast_the_grace_period_are_abandoned() {
    let run = Run::new(10);
    run.interrupt_after(5, Interruption::Drain);
    let began = Instant::now();
    let endless = |entry: &SourceEntry| (Duration::from_secs(100_000), Ok(echo(entry)));
    let (end, contents, _) = run.execute(Scripted::new(endless), 4).await;
    assert_eq!((end.reason, contents.answers.len()), (EndReason::Interrupted, 0));
    assert_eq!(began.elapsed(), Duration::from_secs(35));
}

#[tokio::test(start_paused = true)]
async fn a_second_interruption_ends_at_once() {
    let run = Run::new(10);
    run.interrupt_after(5, Interruption::Drain);
    run.interrupt_after(6, Interruption::Abort);
    let began = Instant::now();
    let endless = |entry: &SourceEntry| (Duration::from_secs(100_000), Ok(echo(entry)));
    let (end, ..) = run.execute(Scripted::new(endless), 4).await;
    assert_eq!(end.reason, EndReason::Interrupted);
    assert_eq!(began.elapsed(), Duration::from_secs(6));
}

#[tokio::test(start_paused = true)]
async fn an_interruption_after_the_last_call_does_not_make_the_run_incomplete() {
    let run = Run::new(4);
    run.interrupt_after(5, Interruption::Drain);
    let slow = |entry: &SourceEntry| (Duration::from_secs(10), Ok(echo(entry)));
    let (end, ..) = run.execute(Scripted::new(slow), 4).await;
    assert_eq!(end.reason, EndReason::Finished);
}

#[tokio::test(start_paused = true)]
async fn when_nothing_can_succeed_the_rest_stays_open() {
    let run = Run::new(50);
    let method = Scripted::new(|entry| {
        let result = match number(entry) {
            7 => Err(Stop::Method("out of order".into())),
            _ => Ok(echo(entry)),
        };
        (Duration::from_secs(1), result)
    });
    let (end, contents, _) = run.execute(method, 3).await;
    assert_eq!(end.reason, EndReason::Stopped);
    assert!(matches!(end.stop, Some(Stop::Method(_))));
    assert_eq!(contents.answers.len(), 8, "calls in flight are kept");
    assert!(
        contents.failures.is_empty(),
        "an entry that was not asked for has not failed"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failed_entry_is_asked_for_again_by_the_next_execution_only() {
    let run = Run::new(3);
    let method = Scripted::new(|entry| {
        let result = match number(entry) {
            2 => vec![Prediction::failed(entry.id.clone(), "time-out")],
            3 => Vec::new(),
            _ => echo(entry),
        };
        (Duration::ZERO, Ok(result))
    });
    let (end, contents, method) = run.execute(method, 1).await;
    assert_eq!((end.reason, end.failed), (EndReason::Finished, 2));
    assert_eq!(method.asked.lock().unwrap().len(), 3);
    let nothing = contents.prediction(&id(3)).unwrap().error.clone().unwrap();
    assert!(nothing.contains("returned nothing"), "{nothing}");

    let (end, contents, _) = run
        .execute(Scripted::new(|entry| (Duration::ZERO, Ok(echo(entry)))), 1)
        .await;
    assert_eq!((end.asked, end.failed, contents.answers.len()), (2, 0, 3));
}

#[tokio::test(start_paused = true)]
async fn an_answer_for_an_entry_nobody_asked_for_stops_the_run() {
    let run = Run::new(2);
    let method = Scripted::new(|_| (Duration::ZERO, Ok(vec![Prediction::of_text(id(99), "x")])));
    let (end, contents, _) = run.execute(method, 1).await;
    assert!(matches!(end.stop, Some(Stop::Method(_))));
    assert!(contents.answers.is_empty());
}

#[tokio::test(start_paused = true)]
async fn batches_are_cut_the_same_in_every_execution() {
    let run = Run::new(10);
    let batched = |behaviour: fn(&SourceEntry) -> Reaction| Scripted {
        batch: 4,
        ..Scripted::new(behaviour)
    };
    let first = batched(|entry| match number(entry) {
        6 => (
            Duration::ZERO,
            Ok(vec![Prediction::failed(entry.id.clone(), "x")]),
        ),
        _ => (Duration::ZERO, Ok(echo(entry))),
    });
    run.execute(first, 1).await;
    let again = |entry: &SourceEntry| {
        let prediction = Prediction::of_text(entry.id.clone(), "second");
        (Duration::ZERO, Ok(vec![prediction]))
    };
    let (end, contents, method) = run.execute(batched(again), 1).await;
    let batch: Vec<EntryId> = (5..=8).map(id).collect();
    assert_eq!(*method.asked.lock().unwrap(), [batch]);
    assert_eq!(end.asked, 1);
    assert_eq!(
        contents.prediction(&id(5)).unwrap().output,
        "out 5",
        "the first answer stands"
    );
    assert_eq!(contents.prediction(&id(6)).unwrap().output, "second");
}

#[tokio::test(start_paused = true)]
async fn answers_withdrawn_at_the_end_leave_their_entries_open() {
    let run = Run::new(2);
    let method = Scripted {
        withdrawn: vec![Prediction::failed(id(1), "shifted")],
        ..Scripted::new(|entry| (Duration::ZERO, Ok(echo(entry))))
    };
    let (_, contents, _) = run.execute(method, 1).await;
    assert_eq!(contents.open_entries(), [&id(1)]);
}

#[tokio::test]
async fn a_response_in_the_journal_is_found_by_entry_and_request() {
    let run = Run::new(2);
    let journal = create(&run.folder, 2).unwrap();
    let log: &dyn CallLog = &journal;
    let call = SentCall {
        entry_ids: vec![id(1)],
        request_sha256: "abc".into(),
        attempt: 1,
        budgeted: None,
    };
    let number = log.sent(&call).await.unwrap();
    let response = RawResponse {
        status: 200,
        headers: vec![
            ("Set-Cookie".into(), "session".into()),
            ("x-request-id".into(), "r".into()),
        ],
        body: vec![0xff, 0],
    };
    let received = ReceivedCall {
        number,
        entry_ids: call.entry_ids,
        request_sha256: call.request_sha256,
        result: Ok(response.clone()),
        latency: Duration::from_millis(1500),
        budgeted: None,
    };
    log.received(&received).await.unwrap();
    drop(journal);

    let (journal, _) = Journal::resume(&run.folder, execution()).unwrap();
    let earlier = journal.earlier_answer(&id(1), "abc").unwrap();
    assert_eq!((earlier.number, earlier.latency), (number, received.latency));
    assert_eq!(earlier.response.body, response.body);
    assert_eq!(earlier.response.headers, [("x-request-id".into(), "r".into())]);
    assert!(journal.earlier_answer(&id(2), "abc").is_none());
}
