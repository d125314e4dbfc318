//! One endpoint as everyone shares it: cache, limit, budget, retries, and the decision when to stop.

mod health;
mod settings;

pub use settings::{Clock, EndpointSettings, RetryPolicy, Unpriced};

use crate::budget::Reservation;
use crate::cache::CacheKey;
use crate::limit::Limiter;
use crate::pool::Turn;
use crate::price::Cost;
use crate::provider::{
    Adjustment, Answer, Failure, FailureKind, RequestError, TranslationRequest, WireRequest,
};
use crate::translator::{CallLog, ReceivedCall, SentCall, Stop};
use crate::transport::Transport;
use health::Health;
use lydian_model::{EntryId, NanoUsd};
use std::time::Duration;
use tokio::time::Instant;

/// Longest wait between two attempts that nobody asked for.
const LONGEST_BACKOFF: Duration = Duration::from_secs(60);

/// An endpoint with its state.
#[derive(Debug)]
pub struct Endpoint<T> {
    transport: T,
    settings: EndpointSettings,
    limiter: Limiter,
    health: Health,
}

/// One request for one or more entries.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The entries it is for.
    pub entry_ids: &'a [EntryId],
    /// The request.
    pub request: &'a TranslationRequest,
    /// Number of the sample, when the same request is made several times on purpose.
    pub sample: u32,
    /// Unicode scalar values of the source text, for engines that bill them.
    pub source_characters: u64,
}

/// How a call ended for its entries.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    /// The answer, or the last failure.
    pub answer: Result<Answer, Failure>,
    /// What it cost to produce.
    pub cost: Cost,
    /// How long the answering request took; `None` for a failure.
    pub latency: Option<Duration>,
    /// The answering request's number in this run; `None` if it came from the cache.
    pub number: Option<u64>,
    /// Requests sent.
    pub attempts: u32,
    /// Where the answer comes from.
    pub origin: Origin,
    /// Parameters that were not sent as asked.
    pub adjustments: Vec<Adjustment>,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The provider, now.
    Provider,
    /// The provider, in an interrupted execution of this run.
    Journal,
    /// The cache.
    Cache,
}

/// A call in its wire form.
struct Prepared {
    wire: WireRequest,
    key: CacheKey,
}

/// What one attempt leaves to be done.
enum Next {
    Done(Box<CallResult>),
    Again,
}

/// The state of one call over its attempts.
struct Progress {
    started: Instant,
    attempts: u32,
    failures: u32,
    errors: u32,
    doubtful: u32,
    answers_seen: u64,
    last: Option<Failure>,
}

/// What was taken for one request. Dropped without being settled, it counts as if the request had cost the most it could.
struct Taken<'b> {
    reservation: Option<Reservation<'b>>,
    turn: Option<Box<dyn Turn>>,
}

impl Taken<'_> {
    /// Gives back what the request did not cost; `None` means that the cost is not known.
    async fn settle(self, cost: Option<NanoUsd>) {
        if let Some(reservation) = self.reservation {
            reservation.settle(cost);
        }
        if let Some(turn) = self.turn {
            turn.leave(cost).await;
        }
    }
}

impl<T: Transport> Endpoint<T> {
    /// Prepares an endpoint.
    pub fn new(transport: T, settings: EndpointSettings) -> Self {
        let limiter = Limiter::new(settings.limit, settings.seed);
        Self {
            transport,
            limiter,
            health: Health::default(),
            settings,
        }
    }

    /// Returns the limit's history, for the journal.
    pub fn limiter(&self) -> &Limiter {
        &self.limiter
    }

    /// Returns the settings.
    pub fn settings(&self) -> &EndpointSettings {
        &self.settings
    }

    /// Makes one call: from the journal of an interrupted run, from the cache, or from the provider with as many
    /// attempts as it takes.
    pub async fn call(&self, call: &Call<'_>, log: &dyn CallLog) -> Result<CallResult, Stop> {
        let wire = match self.settings.kind.wire_request(call.request) {
            Ok(wire) => wire,
            Err(error @ (RequestError::WrongPrompt { .. } | RequestError::BadModel(_))) => {
                return Err(Stop::Method(error.to_string()));
            }
            Err(RequestError::EmptyText) => {
                return Ok(Self::refused_before_sending("the text to translate is empty"));
            }
        };
        let key = CacheKey::new(&self.settings.identity, &wire, call.sample);
        let prepared = Prepared { wire, key };
        if let Some(result) = self.known_answer(call, &prepared, log) {
            return Ok(result);
        }
        let mut progress = Progress {
            started: Instant::now(),
            attempts: 0,
            failures: 0,
            errors: 0,
            doubtful: 0,
            answers_seen: self.health.answers(),
            last: None,
        };
        loop {
            let next = tokio::select! {
                biased;
                stop = self.health.stopped() => return Err(stop),
                permit = self.limiter.acquire() => {
                    let next = self.attempt(call, &prepared, log, &mut progress).await;
                    drop(permit);
                    next
                }
            };
            match next? {
                Next::Done(result) => return Ok(*result),
                Next::Again => {}
            }
            if let Some(result) = self.given_up(&progress)? {
                return Ok(result);
            }
            tokio::select! {
                biased;
                stop = self.health.stopped() => return Err(stop),
                () = tokio::time::sleep(self.wait(&progress)) => {}
            }
        }
    }

    fn refused_before_sending(message: &str) -> CallResult {
        let failure = Failure {
            kind: FailureKind::BadRequest,
            status: None,
            message: message.to_owned(),
            retry_after: None,
            request_id: None,
        };
        Self::failed(failure, 0)
    }

    fn failed(failure: Failure, attempts: u32) -> CallResult {
        CallResult {
            answer: Err(failure),
            cost: Cost::UNKNOWN,
            latency: None,
            number: None,
            attempts,
            origin: Origin::Provider,
            adjustments: Vec::new(),
        }
    }

    /// Looks for the answer in the journal, then in the cache.
    fn known_answer(&self, call: &Call<'_>, prepared: &Prepared, log: &dyn CallLog) -> Option<CallResult> {
        let Prepared { wire, key } = prepared;
        let first = call.entry_ids.first()?;
        let (answer, latency, number, origin) = if let Some(earlier) = log.earlier_answer(first, key.sha256())
        {
            let answer = self.settings.kind.classify(&earlier.response).ok()?;
            (answer, earlier.latency, Some(earlier.number), Origin::Journal)
        } else {
            let entry = self.settings.cache.as_ref()?.get(key)?;
            let answer = self
                .settings
                .kind
                .classify(&entry.response())
                .ok()
                .filter(Answer::is_clean)?;
            (
                answer,
                Duration::from_millis(entry.latency_ms),
                None,
                Origin::Cache,
            )
        };
        Some(CallResult {
            cost: Cost::of(&answer, self.settings.price.as_ref(), call.source_characters),
            answer: Ok(answer),
            latency: Some(latency),
            number,
            attempts: u32::from(origin == Origin::Journal),
            origin,
            adjustments: wire.adjustments.clone(),
        })
    }

    /// Sends the request once and judges what comes back.
    async fn attempt(
        &self,
        call: &Call<'_>,
        prepared: &Prepared,
        log: &dyn CallLog,
        progress: &mut Progress,
    ) -> Result<Next, Stop> {
        let Prepared { wire, key } = prepared;
        if let Some(stop) = self.health.stop() {
            return Err(stop);
        }
        let most = self.most_it_can_cost(wire, call.request)?;
        let taken = self.take(most).await?;
        progress.attempts += 1;
        let sent = SentCall {
            entry_ids: call.entry_ids.to_vec(),
            request_sha256: key.sha256().to_owned(),
            attempt: progress.attempts,
            budgeted: most,
        };
        let number = match log.sent(&sent).await {
            Ok(number) => number,
            Err(error) => {
                // Nothing was sent, so nothing was spent.
                taken.settle(Some(NanoUsd::ZERO)).await;
                return Err(self.health.stop_with(Stop::Log(error)));
            }
        };
        let start = Instant::now();
        let response = self.transport.send(wire).await;
        let latency = start.elapsed();
        let (result, response) = match response {
            Ok(response) => (self.settings.kind.classify(&response), Some(response)),
            Err(failure) => (Err(failure), None),
        };
        let cost = match &result {
            Ok(answer) => Cost::of(answer, self.settings.price.as_ref(), call.source_characters),
            Err(failure) if failure.kind.may_be_paid() => Cost::UNKNOWN,
            Err(_) => Cost {
                total: Some(NanoUsd::ZERO),
                ..Cost::UNKNOWN
            },
        };
        let received = ReceivedCall {
            number,
            entry_ids: sent.entry_ids,
            request_sha256: sent.request_sha256,
            result: match (&result, &response) {
                (Ok(_), Some(response)) => Ok(response.clone()),
                (Err(failure), _) => Err(failure.clone()),
                (Ok(_), None) => Err(no_response()),
            },
            latency,
            budgeted: cost.total.or(most),
        };
        let written = log.received(&received).await.map_err(Stop::Log);
        taken.settle(cost.total).await;
        written.map_err(|stop| self.health.stop_with(stop))?;
        match result {
            Ok(answer) => {
                self.limiter.answered();
                self.health.answered();
                if let (Some(cache), Some(response), true) =
                    (&self.settings.cache, &response, answer.is_clean())
                {
                    let latency_ms = u64::try_from(latency.as_millis()).unwrap_or(u64::MAX);
                    // A cache that cannot be written costs money later, but this answer is in the journal.
                    drop(cache.put(key, response, latency_ms, &(self.settings.clock)()));
                }
                Ok(Next::Done(Box::new(CallResult {
                    answer: Ok(answer),
                    cost,
                    latency: Some(latency),
                    number: Some(number),
                    attempts: progress.attempts,
                    origin: Origin::Provider,
                    adjustments: wire.adjustments.clone(),
                })))
            }
            Err(failure) => {
                if let (Some(pool), FailureKind::RateLimited) = (&self.settings.pool, failure.kind) {
                    let usual = Duration::from_secs(1);
                    pool.hold(failure.retry_after.unwrap_or(usual)).await;
                }
                self.judge(failure, progress)
            }
        }
    }

    /// Takes money and a turn for one request, where they are limited.
    async fn take(&self, most: Option<NanoUsd>) -> Result<Taken<'_>, Stop> {
        let reservation = match (&self.settings.budget, most) {
            (Some((budget, _)), Some(amount)) => Some(budget.reserve(amount).await),
            (Some((budget, _)), None) => Some(budget.reserve_unknown()),
            _ => None,
        };
        let reservation = reservation
            .transpose()
            .map_err(|stop| self.health.stop_with(stop))?;
        let mut taken = Taken {
            reservation,
            turn: None,
        };
        if let Some(pool) = &self.settings.pool {
            match pool.enter(most).await {
                Ok(turn) => taken.turn = Some(turn),
                Err(stop) => {
                    taken.settle(Some(NanoUsd::ZERO)).await;
                    return Err(self.health.stop_with(stop));
                }
            }
        }
        Ok(taken)
    }

    /// Returns the most that a request can cost, if the price of the model is known. Without it a budget sends nothing, unless
    /// it was told to.
    fn most_it_can_cost(
        &self,
        wire: &WireRequest,
        request: &TranslationRequest,
    ) -> Result<Option<NanoUsd>, Stop> {
        let bound = match &self.settings.price {
            Some(price) => {
                let prompt_bytes = wire.body.to_string().len() as u64;
                price
                    .upper_bound(prompt_bytes, request.parameters.most_output_tokens())
                    .ok_or("the request has no upper bound: set max_output_tokens")
            }
            None => Err("the price of the model is unknown"),
        };
        let why = match bound {
            Ok(amount) => return Ok(Some(amount)),
            Err(why) => why,
        };
        let own = self.settings.budget.as_ref().map(|(_, unpriced)| *unpriced);
        match own.or_else(|| self.settings.pool.as_ref()?.budget()) {
            None | Some(Unpriced::Allowed) => Ok(None),
            Some(Unpriced::Refused) => {
                let model = &request.model;
                Err(self
                    .health
                    .stop_with(Stop::Unpriced(format!("{why} (model {model:?})"))))
            }
        }
    }

    /// Decides what a failure means for this call and for the endpoint.
    fn judge(&self, failure: Failure, progress: &mut Progress) -> Result<Next, Stop> {
        match failure.kind {
            FailureKind::Authentication => return Err(self.health.stop_with(Stop::Authentication(failure))),
            FailureKind::Forbidden | FailureKind::NotFound => {
                return Err(self.health.stop_with(Stop::Unusable(failure)));
            }
            FailureKind::Quota => return Err(self.health.stop_with(Stop::Quota(failure))),
            FailureKind::RateLimited => {
                if failure
                    .retry_after
                    .is_some_and(|wait| wait > self.settings.retry.longest_wait)
                {
                    return Err(self.health.stop_with(Stop::Quota(failure)));
                }
                self.limiter.rate_limited(failure.retry_after);
            }
            FailureKind::BadRequest => {
                self.limiter.failed();
                if self.health.bad_request(&failure) {
                    return Err(self.health.stop_with(Stop::Unusable(failure)));
                }
                return Ok(Next::Done(Box::new(Self::failed(failure, progress.attempts))));
            }
            FailureKind::BadResponse | FailureKind::Timeout => {
                self.limiter.failed();
                progress.doubtful += 1;
            }
            FailureKind::Unavailable | FailureKind::Unreachable | FailureKind::Connection => {
                self.limiter.failed();
                // While the endpoint answers nobody, attempts do not count: an outage is not this entry's fault.
                let answers = self.health.answers();
                if answers > progress.answers_seen || progress.errors == 0 {
                    progress.errors += 1;
                }
                progress.answers_seen = answers;
            }
        }
        if failure.kind != FailureKind::RateLimited {
            progress.failures += 1;
        }
        progress.last = Some(failure);
        Ok(Next::Again)
    }

    /// Returns the failed call if it is not to be repeated, or stops the endpoint if nobody is answered any more.
    fn given_up(&self, progress: &Progress) -> Result<Option<CallResult>, Stop> {
        let policy = &self.settings.retry;
        let Some(failure) = progress.last.clone() else {
            return Ok(None);
        };
        if progress.errors >= policy.error_attempts || progress.doubtful >= policy.doubtful_attempts {
            return Ok(Some(Self::failed(failure, progress.attempts)));
        }
        let waited = progress.started.elapsed();
        if waited < policy.patience {
            return Ok(None);
        }
        if self.health.answered_since(progress.started)
            || (self.limiter.concurrency() == 1 && self.health.excuse())
        {
            return Ok(Some(Self::failed(failure, progress.attempts)));
        }
        Err(self.health.stop_with(Stop::Unavailable { failure, waited }))
    }

    /// Returns how long to wait before the next attempt. Rate limits wait at the limiter's gate instead.
    fn wait(&self, progress: &Progress) -> Duration {
        let Some(failure) = &progress.last else {
            return Duration::ZERO;
        };
        if failure.kind == FailureKind::RateLimited {
            return Duration::ZERO;
        }
        let doublings = progress.failures.saturating_sub(1).min(16);
        let backoff = self
            .settings
            .retry
            .first_wait
            .saturating_mul(1 << doublings)
            .min(LONGEST_BACKOFF);
        let jittered = backoff.mul_f64(0.5 + 0.5 * self.limiter.random());
        jittered.max(
            failure
                .retry_after
                .unwrap_or_default()
                .min(self.settings.retry.longest_wait),
        )
    }
}

fn no_response() -> Failure {
    Failure {
        kind: FailureKind::BadResponse,
        status: None,
        message: String::new(),
        retry_after: None,
        request_id: None,
    }
}
