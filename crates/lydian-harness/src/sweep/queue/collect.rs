//! Taking the results out of the queue, run by run, as the records of a journal.

use lydian_model::{EntryId, Prediction, RunSetup};

use super::QueueError;
use super::database::Database;
use crate::journal::{EndReason, Record};

/// What the queue knows of a run.
#[derive(Clone, Debug)]
pub struct CollectedRun {
    /// What was run.
    pub setup: RunSetup,
    /// RFC 3339 UTC time at which the first worker began.
    pub began: String,
    /// Requests, responses and answers in the order in which they were written.
    pub records: Vec<Record>,
}

impl Database {
    /// Returns what is known of a run; `None` if no worker has begun it.
    pub async fn collect(&self, sweep: &str, run: &str) -> Result<Option<CollectedRun>, QueueError> {
        let statement = "
            SELECT setup, to_char(began AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')
            FROM lydian_run WHERE sweep = $1 AND setup_fingerprint = $2 AND began IS NOT NULL";
        let row = self
            .run(|client| async move { client.query_opt(statement, &[&sweep, &run]).await })
            .await?;
        let Some(row) = row else { return Ok(None) };
        let setup: RunSetup = parsed("lydian_run", run, row.get(0))?;
        let mut records = self.requests(sweep, run).await?;
        let answers = self.answers(sweep, run).await?;
        let complete = setup.selection.entry_ids.iter().all(|id| {
            answers.iter().any(|record| match record {
                Record::Answer { prediction, .. } => {
                    prediction.entry_id == *id && prediction.outcome != lydian_model::Outcome::Failed
                }
                _ => false,
            })
        });
        records.extend(answers);
        // Sorted by time, answers after the responses they are read from.
        records.sort_by_key(at_ms);
        if complete {
            let at_ms = records.last().map_or(0, at_ms);
            records.push(Record::Ended {
                at_ms,
                reason: EndReason::Finished,
                stop: None,
            });
        }
        Ok(Some(CollectedRun {
            setup,
            began: row.get(1),
            records,
        }))
    }

    async fn requests(&self, sweep: &str, run: &str) -> Result<Vec<Record>, QueueError> {
        let statement = "
            SELECT greatest(extract(epoch FROM record.at - run.began) * 1000, 0)::bigint, record.record
            FROM lydian_record AS record
            JOIN lydian_run AS run ON run.sweep = record.sweep AND run.setup_fingerprint = record.run
            WHERE record.sweep = $1 AND record.run = $2 ORDER BY record.id";
        let rows = self
            .run(|client| async move { client.query(statement, &[&sweep, &run]).await })
            .await?;
        rows.iter()
            .map(|row| {
                let time = u64::try_from(row.get::<_, i64>(0)).unwrap_or(0);
                Ok(timed(parsed("lydian_record", run, row.get(1))?, time))
            })
            .collect()
    }

    async fn answers(&self, sweep: &str, run: &str) -> Result<Vec<Record>, QueueError> {
        let statement = "
            SELECT greatest(extract(epoch FROM answer.at - run.began) * 1000, 0)::bigint, answer.prediction
            FROM lydian_answer AS answer
            JOIN lydian_run AS run ON run.sweep = answer.sweep AND run.setup_fingerprint = answer.run
            WHERE answer.sweep = $1 AND answer.run = $2 ORDER BY answer.at, answer.entry_id";
        let rows = self
            .run(|client| async move { client.query(statement, &[&sweep, &run]).await })
            .await?;
        rows.iter()
            .map(|row| {
                Ok(Record::Answer {
                    at_ms: u64::try_from(row.get::<_, i64>(0)).unwrap_or(0),
                    prediction: parsed("lydian_answer", run, row.get(1))?,
                })
            })
            .collect()
    }

    /// Makes answers void: the entries are open again, and so are the run's chunks.
    pub(super) async fn withdraw(
        &self,
        sweep: &str,
        run: &str,
        void: &[Prediction],
    ) -> Result<(), QueueError> {
        for prediction in void {
            let entry: &EntryId = &prediction.entry_id;
            let id = entry.as_str();
            let text =
                serde_json::to_string(prediction).expect("predictions have string keys and finite numbers");
            let text = text.as_str();
            let statement = "
                UPDATE lydian_answer SET failed = true, prediction = $4
                WHERE sweep = $1 AND run = $2 AND entry_id = $3";
            self.run(|client| async move { client.execute(statement, &[&sweep, &run, &id, &text]).await })
                .await?;
        }
        let statement =
            "UPDATE lydian_chunk SET state = 'open' WHERE sweep = $1 AND run = $2 AND state = 'done'";
        self.run(|client| async move { client.execute(statement, &[&sweep, &run]).await })
            .await?;
        Ok(())
    }
}

fn at_ms(record: &Record) -> u64 {
    match record {
        Record::Setup { .. } | Record::Active { .. } => 0,
        Record::Sent { at_ms, .. }
        | Record::Received { at_ms, .. }
        | Record::Answer { at_ms, .. }
        | Record::Withdrawn { at_ms, .. }
        | Record::Ended { at_ms, .. } => *at_ms,
    }
}

/// Returns a request's record with the time at which the database wrote it.
fn timed(record: Record, time: u64) -> Record {
    match record {
        Record::Sent {
            number,
            entry_ids,
            request_sha256,
            attempt,
            budgeted_usd,
            ..
        } => Record::Sent {
            at_ms: time,
            number,
            entry_ids,
            request_sha256,
            attempt,
            budgeted_usd,
        },
        Record::Received {
            number,
            entry_ids,
            request_sha256,
            seconds,
            response,
            failure,
            budgeted_usd,
            ..
        } => Record::Received {
            at_ms: time,
            number,
            entry_ids,
            request_sha256,
            seconds,
            response,
            failure,
            budgeted_usd,
        },
        other => other,
    }
}

fn parsed<T: serde::de::DeserializeOwned>(
    table: &'static str,
    run: &str,
    text: &str,
) -> Result<T, QueueError> {
    serde_json::from_str(text).map_err(|error| QueueError::Row {
        table,
        row: format!("run {run}"),
        problem: error.to_string(),
    })
}
