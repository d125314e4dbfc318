//! What an endpoint is made of, and how long its calls are repeated.

use crate::budget::Budget;
use crate::cache::Cache;
use crate::limit::LimitSettings;
use crate::pool::Pool;
use crate::price::Price;
use crate::provider::ProviderKind;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Returns the present time as RFC 3339 text; the caller decides where it comes from.
pub type Clock = Arc<dyn Fn() -> String + Send + Sync>;

/// How long a call is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// From the first attempt until a call is given up, waits included.
    pub patience: Duration,
    /// Longest wait that a provider may ask for; above it the endpoint is left for later.
    pub longest_wait: Duration,
    /// First wait after an error; doubles with every further one.
    pub first_wait: Duration,
    /// Most failed attempts while the endpoint answers others.
    pub error_attempts: u32,
    /// Most attempts of a kind that may have been paid without an answer.
    pub doubtful_attempts: u32,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(15 * 60),
            longest_wait: Duration::from_secs(10 * 60),
            first_wait: Duration::from_secs(1),
            error_attempts: 6,
            doubtful_attempts: 3,
        }
    }
}

/// What a budget does with a model whose price is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpriced {
    /// Nothing is sent.
    Refused,
    /// The request is sent and does not count.
    Allowed,
}

/// Everything an endpoint is made of but its transport.
pub struct EndpointSettings {
    /// The service.
    pub kind: ProviderKind,
    /// The base URL as [`crate::transport::endpoint_identity`] writes it.
    pub identity: String,
    /// Limit to start from.
    pub limit: LimitSettings,
    /// Seed of the jitter.
    pub seed: u64,
    /// How long to repeat.
    pub retry: RetryPolicy,
    /// What the model costs, if known.
    pub price: Option<Price>,
    /// What may be spent, if limited.
    pub budget: Option<(Arc<Budget>, Unpriced)>,
    /// What is shared with other runs and machines, if anything is.
    pub pool: Option<Arc<dyn Pool>>,
    /// Where clean answers are kept, if they are.
    pub cache: Option<Cache>,
    /// Source of the time at which an answer is stored.
    pub clock: Clock,
}

impl fmt::Debug for EndpointSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("EndpointSettings")
            .field("identity", &self.identity)
            .finish_non_exhaustive()
    }
}
