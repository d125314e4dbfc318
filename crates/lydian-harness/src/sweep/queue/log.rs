//! Requests and responses of a chunk, written to the database before and after each call.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use lydian_model::{EntryId, Finite, Prediction};
use serde::Serialize;
use tokio_postgres::types::ToSql;

use super::QueueError;
use super::database::Database;
use super::lease::Lease;
use crate::journal::{Record, Response};
use crate::provider::RawResponse;
use crate::translator::{BoxFuture, CallLog, EarlierAnswer, LogError, ReceivedCall, SentCall};

/// What a statement is given.
type Parameters<'p> = &'p [&'p (dyn ToSql + Sync)];

/// The journal of a run as the database keeps it.
pub(super) struct QueueLog {
    database: Arc<Database>,
    sweep: String,
    run: String,
    worker: String,
    chunk: i64,
    token: i64,
    earlier: BTreeMap<(EntryId, String), EarlierAnswer>,
}

impl QueueLog {
    /// Opens the log of a leased chunk, with the responses that earlier workers got and did not use.
    pub(super) async fn open(
        database: Arc<Database>,
        sweep: &str,
        worker: &str,
        lease: &Lease,
    ) -> Result<Self, QueueError> {
        let run = lease.run.as_str();
        // A run that is asked for again after it had an answer for an entry never asks for that entry.
        let statement = "
            SELECT record FROM lydian_record
            WHERE sweep = $1 AND run = $2 AND record LIKE '{\"type\":\"received\"%' ORDER BY id";
        let rows = database
            .run(|client| async move { client.query(statement, &[&sweep, &run]).await })
            .await?;
        let mut earlier = BTreeMap::new();
        for row in rows {
            take(&mut earlier, run, row.get(0))?;
        }
        Ok(Self {
            database,
            sweep: sweep.to_owned(),
            run: run.to_owned(),
            worker: worker.to_owned(),
            chunk: lease.chunk,
            token: lease.token,
            earlier,
        })
    }

    async fn write(&self, number: i64, record: &Record) -> Result<(), QueueError> {
        let (sweep, run) = (self.sweep.as_str(), self.run.as_str());
        let text = text_of(record);
        let text = text.as_str();
        let statement = "INSERT INTO lydian_record (sweep, run, number, record) VALUES ($1, $2, $3, $4)";
        self.database
            .run(|client| async move { client.execute(statement, &[&sweep, &run, &number, &text]).await })
            .await?;
        Ok(())
    }

    /// Writes that a request is about to be sent, unless the lease was taken over. Returns whether it is written.
    async fn write_sent(&self, number: i64, record: &Record) -> Result<bool, QueueError> {
        let (sweep, run) = (self.sweep.as_str(), self.run.as_str());
        let text = text_of(record);
        let text = text.as_str();
        let statement = "
            INSERT INTO lydian_record (sweep, run, number, record)
            SELECT $1, $2, $3::bigint, $4 FROM lydian_chunk WHERE id = $5 AND token = $6 AND state = 'leased'";
        let written = self
            .database
            .run(|client| async move {
                let parameters: Parameters<'_> = &[&sweep, &run, &number, &text, &self.chunk, &self.token];
                client.execute(statement, parameters).await
            })
            .await?;
        Ok(written == 1)
    }

    async fn number(&self) -> Result<i64, QueueError> {
        let row = self
            .database
            .run(|client| async move { client.query_one("SELECT nextval('lydian_request')", &[]).await })
            .await?;
        Ok(row.get(0))
    }

    /// Returns the number of a request that may be sent; `None` if the lease was taken over.
    pub(super) async fn sent_number(&self, call: &SentCall) -> Result<Option<u64>, QueueError> {
        let number = self.number().await?;
        let whole = u64::try_from(number).unwrap_or(0);
        let record = Record::Sent {
            at_ms: 0,
            number: whole,
            entry_ids: call.entry_ids.clone(),
            request_sha256: call.request_sha256.clone(),
            attempt: call.attempt,
            budgeted_usd: call.budgeted,
        };
        Ok(self.write_sent(number, &record).await?.then_some(whole))
    }

    /// Keeps an answer, if the lease was not taken over and the entry has none yet; a failure gives way to any answer. Returns
    /// whether it is kept.
    pub(super) async fn keep(&self, prediction: &Prediction) -> Result<bool, QueueError> {
        let (sweep, run, worker) = (self.sweep.as_str(), self.run.as_str(), self.worker.as_str());
        let entry = prediction.entry_id.as_str();
        let failed = prediction.outcome == lydian_model::Outcome::Failed;
        let text = text_of(prediction);
        let text = text.as_str();
        let statement = "
            INSERT INTO lydian_answer (sweep, run, entry_id, failed, worker, prediction)
            SELECT $1, $2, $3, $4::boolean, $5, $6 FROM lydian_chunk WHERE id = $7 AND token = $8 AND state = 'leased'
            ON CONFLICT (sweep, run, entry_id) DO UPDATE
            SET failed = excluded.failed, at = clock_timestamp(), worker = excluded.worker,
                prediction = excluded.prediction
            WHERE lydian_answer.failed";
        let changed = self
            .database
            .run(|client| async move {
                let parameters: Parameters<'_> = &[
                    &sweep,
                    &run,
                    &entry,
                    &failed,
                    &worker,
                    &text,
                    &self.chunk,
                    &self.token,
                ];
                client.execute(statement, parameters).await
            })
            .await?;
        Ok(changed == 1)
    }

    /// Returns the entries of the run that have an answer.
    pub(super) async fn answered(&self) -> Result<Vec<String>, QueueError> {
        let (sweep, run) = (self.sweep.as_str(), self.run.as_str());
        let statement = "SELECT entry_id FROM lydian_answer WHERE sweep = $1 AND run = $2 AND NOT failed";
        let rows = self
            .database
            .run(|client| async move { client.query(statement, &[&sweep, &run]).await })
            .await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Notes when the run began, once.
    pub(super) async fn begin(&self) -> Result<(), QueueError> {
        let (sweep, run) = (self.sweep.as_str(), self.run.as_str());
        let statement = "
            UPDATE lydian_run SET began = clock_timestamp()
            WHERE sweep = $1 AND setup_fingerprint = $2 AND began IS NULL";
        self.database
            .run(|client| async move { client.execute(statement, &[&sweep, &run]).await })
            .await?;
        Ok(())
    }
}

/// Remembers a response by entry and request.
fn take(
    earlier: &mut BTreeMap<(EntryId, String), EarlierAnswer>,
    run: &str,
    text: &str,
) -> Result<(), QueueError> {
    let record: Record = serde_json::from_str(text).map_err(|error| QueueError::Row {
        table: "lydian_record",
        row: format!("run {run}"),
        problem: error.to_string(),
    })?;
    let Record::Received {
        number,
        entry_ids,
        request_sha256,
        seconds,
        response: Some(response),
        ..
    } = record
    else {
        return Ok(());
    };
    let (Some(body), Ok(latency)) = (response.body_bytes(), Duration::try_from_secs_f64(seconds.get()))
    else {
        return Ok(());
    };
    let answer = EarlierAnswer {
        response: RawResponse {
            status: response.status,
            headers: response.headers,
            body,
        },
        number,
        latency,
    };
    for id in entry_ids {
        earlier.insert((id, request_sha256.clone()), answer.clone());
    }
    Ok(())
}

impl CallLog for QueueLog {
    fn sent<'a>(&'a self, call: &'a SentCall) -> BoxFuture<'a, Result<u64, LogError>> {
        Box::pin(async move {
            match self.sent_number(call).await.map_err(|error| log_error(&error))? {
                Some(number) => Ok(number),
                // Nothing is sent any more: the next heartbeat finds that the lease is lost and ends the chunk.
                None => std::future::pending().await,
            }
        })
    }

    fn received<'a>(&'a self, call: &'a ReceivedCall) -> BoxFuture<'a, Result<(), LogError>> {
        let (response, failure) = match &call.result {
            Ok(response) => (Some(Response::of(response)), None),
            Err(failure) => (None, Some(failure.to_string())),
        };
        let record = Record::Received {
            at_ms: 0,
            number: call.number,
            entry_ids: call.entry_ids.clone(),
            request_sha256: call.request_sha256.clone(),
            seconds: Finite::new(call.latency.as_secs_f64()).unwrap_or(Finite::ZERO),
            response,
            failure,
            budgeted_usd: call.budgeted,
        };
        let number = i64::try_from(call.number).unwrap_or(0);
        Box::pin(async move {
            self.write(number, &record)
                .await
                .map_err(|error| log_error(&error))
        })
    }

    fn earlier_answer(&self, entry_id: &EntryId, request_sha256: &str) -> Option<EarlierAnswer> {
        let key = (entry_id.clone(), request_sha256.to_owned());
        self.earlier.get(&key).cloned()
    }
}

fn text_of(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("records and predictions have string keys and finite numbers")
}

fn log_error(error: &QueueError) -> LogError {
    LogError(error.to_string())
}
