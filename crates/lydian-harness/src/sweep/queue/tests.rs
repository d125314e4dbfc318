//! Leases and money against a real PostgreSQL: what a worker that lost its lease cannot do any more.
//!
//! `LYDIAN_TEST_POSTGRES` holds the address of a database in which schemas may be created. Without it these tests say so and are
//! skipped.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use lydian_model::{NanoUsd, Prediction, Sha256Hex};

use super::database::Database;
use super::lease::{ChunkEnd, Found, Lease};
use super::log::QueueLog;
use super::pool::SharedPool;
use super::{QueuedRun, QueuedSweep};
use crate::endpoint::Unpriced;
use crate::journal::fixture::{id, setup};
use crate::pool::Pool;
use crate::translator::SentCall;

const SWEEP: &str = "s";
const LEASE: Duration = Duration::from_secs(3600);

/// A sweep of one run with two entries in a schema of its own.
struct Queue {
    database: Arc<Database>,
    schema: String,
    run: Sha256Hex,
}

#[expect(clippy::disallowed_methods, reason = "the test's own setting")]
fn address() -> Option<String> {
    std::env::var("LYDIAN_TEST_POSTGRES")
        .ok()
        .filter(|text| !text.is_empty())
}

impl Queue {
    #[expect(clippy::print_stdout, reason = "a skipped test says so")]
    async fn new(test: &str) -> Option<Self> {
        let Some(address) = address() else {
            println!("skipped: LYDIAN_TEST_POSTGRES names no database");
            return None;
        };
        let schema = format!("lydian_queue_{test}_{}", std::process::id());
        let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls)
            .await
            .unwrap();
        tokio::spawn(async move { drop(connection.await) });
        client
            .batch_execute(&format!("CREATE SCHEMA {schema}"))
            .await
            .unwrap();
        let joint = if address.contains('?') { '&' } else { '?' };
        let database = Database::open(&format!("{address}{joint}options=-csearch_path%3D{schema}"))
            .await
            .unwrap();
        let run = Sha256Hex::of(b"run");
        let sweep = QueuedSweep {
            name: SWEEP.into(),
            harness_version: "1".into(),
            dataset_sha256: Sha256Hex::of(b"corpus"),
            budget: Some(NanoUsd::new(1_000)),
            allow_unpriced: false,
            interval: None,
        };
        let queued = QueuedRun {
            setup_fingerprint: run.clone(),
            setup: setup(2),
            batch_size: 1,
        };
        database.submit(&sweep, &[queued], 10).await.unwrap();
        Some(Self {
            database,
            schema,
            run,
        })
    }

    async fn execute(&self, statement: &str) {
        self.database
            .run(|client| async move { client.batch_execute(statement).await })
            .await
            .unwrap();
    }

    async fn number(&self, query: &str) -> i64 {
        let row = self
            .database
            .run(|client| async move { client.query_one(query, &[]).await });
        row.await.unwrap().get(0)
    }

    /// Lets a worker join and lease the run's only chunk.
    async fn worker(&self, name: &str) -> (Lease, QueueLog, SharedPool) {
        self.database.announce(SWEEP, name, "test", LEASE).await.unwrap();
        let runs = Arc::new(vec![self.run.to_string()]);
        let Found::Chunk(lease) = self.database.claim(SWEEP, name, &runs, LEASE).await.unwrap() else {
            panic!("no chunk for {name}");
        };
        let log = QueueLog::open(Arc::clone(&self.database), SWEEP, name, &lease)
            .await
            .unwrap();
        log.begin().await.unwrap();
        let pool = SharedPool {
            database: Arc::clone(&self.database),
            sweep: SWEEP.into(),
            worker: name.into(),
            budget: Some(Unpriced::Refused),
            reservations: AtomicU64::new(0),
            runtime: tokio::runtime::Handle::current(),
        };
        (lease, log, pool)
    }

    /// Does what time does to a worker that gives no sign of life.
    async fn let_leases_run_out(&self) {
        self.execute("UPDATE lydian_chunk SET lease_until = '-infinity' WHERE state = 'leased'")
            .await;
        self.execute("UPDATE lydian_worker SET alive_until = '-infinity'")
            .await;
    }

    async fn drop_schema(self) {
        self.execute(&format!("DROP SCHEMA {} CASCADE", self.schema))
            .await;
    }
}

fn call(number: i64) -> SentCall {
    SentCall {
        entry_ids: vec![id(number)],
        request_sha256: format!("request {number}"),
        attempt: 1,
        budgeted: None,
    }
}

#[tokio::test]
async fn a_worker_whose_lease_was_taken_over_sends_stores_and_settles_nothing() {
    let Some(queue) = Queue::new("fencing").await else {
        return;
    };
    let spent = "SELECT spent_nanos FROM lydian_sweep";
    let reserved = "SELECT reserved_nanos FROM lydian_sweep";
    let answers = "SELECT count(*) FROM lydian_answer";
    let (late_lease, late, pool) = queue.worker("late").await;
    let in_flight = pool.enter(Some(NanoUsd::new(400))).await.unwrap();
    assert!(late.sent_number(&call(1)).await.unwrap().is_some());
    assert_eq!(
        (queue.number(spent).await, queue.number(reserved).await),
        (0, 400)
    );

    queue.let_leases_run_out().await;
    let (lease, next, _) = queue.worker("next").await;
    assert_eq!(lease.chunk, late_lease.chunk);
    assert!(lease.token > late_lease.token);
    // What the late worker had in flight counts in full, and its late answer changes nothing.
    assert_eq!(
        (queue.number(spent).await, queue.number(reserved).await),
        (400, 0)
    );
    in_flight.leave(Some(NanoUsd::new(10))).await;
    assert_eq!(
        (queue.number(spent).await, queue.number(reserved).await),
        (400, 0)
    );
    assert!(!late.keep(&Prediction::of_text(id(1), "late")).await.unwrap());
    assert_eq!(queue.number(answers).await, 0);
    assert_eq!(late.sent_number(&call(2)).await.unwrap(), None);
    assert!(!queue.database.end(&late_lease, &ChunkEnd::Done).await.unwrap());

    assert!(next.keep(&Prediction::of_text(id(1), "next")).await.unwrap());
    // Not even a failure of the new owner gives way to an answer of the old one.
    assert!(next.keep(&Prediction::failed(id(2), "time-out")).await.unwrap());
    assert!(!late.keep(&Prediction::of_text(id(2), "late")).await.unwrap());
    assert!(next.keep(&Prediction::of_text(id(2), "next")).await.unwrap());
    assert!(queue.database.end(&lease, &ChunkEnd::Done).await.unwrap());
    assert_eq!(
        queue
            .number("SELECT count(*) FROM lydian_answer WHERE worker = 'next'")
            .await,
        2
    );
    queue.drop_schema().await;
}

/// The clock of the database is set back by an hour: to it everything it noted lies an hour in the future.
#[tokio::test]
async fn a_clock_that_is_set_back_holds_nobody_up() {
    let Some(queue) = Queue::new("clock").await else {
        return;
    };
    let (_, _, pool) = queue.worker("dead").await;
    pool.hold(Duration::from_secs(1)).await;
    queue
        .execute(
            "UPDATE lydian_sweep SET next_slot = clock_timestamp() + interval '1 hour', last_seen = clock_timestamp() + interval '1 hour',
                 blocked_until = blocked_until + interval '1 hour';
             UPDATE lydian_chunk SET lease_until = clock_timestamp() + interval '59 minutes';
             UPDATE lydian_worker SET alive_until = clock_timestamp() + interval '59 minutes'",
        )
        .await;
    let entered = tokio::time::timeout(Duration::from_secs(60), pool.enter(None)).await;
    assert!(
        entered.is_ok_and(|turn| turn.is_ok()),
        "the next slot is an hour away"
    );
    // The dead worker's lease ran out a minute ago, and another one takes over at once.
    let (lease, _, _) = queue.worker("next").await;
    assert_eq!(lease.token, 2);
    queue.drop_schema().await;
}

/// The clock is set forward by a day: leases run out early, and fencing and reservations keep the promises.
#[tokio::test]
async fn a_clock_that_is_set_forward_costs_a_lease_and_no_promise() {
    let Some(queue) = Queue::new("forward").await else {
        return;
    };
    let (lease, log, pool) = queue.worker("alive").await;
    let turn = pool.enter(Some(NanoUsd::new(400))).await.unwrap();
    queue
        .execute(
            "UPDATE lydian_sweep SET next_slot = next_slot - interval '1 day', last_seen = last_seen - interval '1 day';
             UPDATE lydian_chunk SET lease_until = lease_until - interval '1 day';
             UPDATE lydian_worker SET alive_until = alive_until - interval '1 day'",
        )
        .await;
    // The heartbeat comes before anybody else: the lease goes on.
    let held = queue
        .database
        .heartbeat("alive", vec![lease.chunk], LEASE)
        .await
        .unwrap();
    assert_eq!(held, [(lease.chunk, lease.token)]);
    turn.leave(Some(NanoUsd::new(10))).await;
    assert_eq!(queue.number("SELECT spent_nanos FROM lydian_sweep").await, 10);
    assert!(log.keep(&Prediction::of_text(id(1), "kept")).await.unwrap());
    queue.drop_schema().await;
}

#[tokio::test]
async fn a_lease_that_ran_out_and_that_nobody_took_still_takes_its_answers() {
    let Some(queue) = Queue::new("alone").await else {
        return;
    };
    let (lease, log, _) = queue.worker("cut-off").await;
    queue.let_leases_run_out().await;
    assert!(log.keep(&Prediction::of_text(id(1), "paid")).await.unwrap());
    assert!(queue.database.end(&lease, &ChunkEnd::Done).await.unwrap());
    queue.drop_schema().await;
}
