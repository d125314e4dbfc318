//! The journal as the place where methods write down their requests.

use std::time::Duration;

use lydian_model::{EntryId, Finite};

use crate::journal::{Journal, Response, SentRequest};
use crate::provider::RawResponse;
use crate::translator::{BoxFuture, CallLog, EarlierAnswer, LogError, ReceivedCall, SentCall};

impl CallLog for Journal {
    fn sent<'a>(&'a self, call: &'a SentCall) -> BoxFuture<'a, Result<u64, LogError>> {
        let request = SentRequest {
            entry_ids: &call.entry_ids,
            request_sha256: &call.request_sha256,
            attempt: call.attempt,
            budgeted: call.budgeted,
        };
        let written = self.append_sent(request).map_err(log_error);
        Box::pin(std::future::ready(written))
    }

    fn received<'a>(&'a self, call: &'a ReceivedCall) -> BoxFuture<'a, Result<(), LogError>> {
        let request = SentRequest {
            entry_ids: &call.entry_ids,
            request_sha256: &call.request_sha256,
            attempt: 1,
            budgeted: call.budgeted,
        };
        let seconds = Finite::new(call.latency.as_secs_f64()).unwrap_or(Finite::ZERO);
        let result = match &call.result {
            Ok(response) => Ok(Response::of(response)),
            Err(failure) => Err(failure.to_string()),
        };
        let written = self
            .append_received(call.number, request, seconds, result)
            .map_err(log_error);
        Box::pin(std::future::ready(written))
    }

    fn earlier_answer(&self, entry_id: &EntryId, request_sha256: &str) -> Option<EarlierAnswer> {
        let received = self.earlier(entry_id, request_sha256)?;
        Some(EarlierAnswer {
            response: RawResponse {
                status: received.response.status,
                headers: received.response.headers.clone(),
                body: received.response.body_bytes()?,
            },
            number: received.number,
            latency: Duration::try_from_secs_f64(received.seconds.get()).ok()?,
        })
    }
}

fn log_error(error: impl std::fmt::Display) -> LogError {
    LogError(error.to_string())
}
