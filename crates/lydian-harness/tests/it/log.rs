//! A call log that counts, and one endpoint wired to the fake provider.

use lydian_harness::endpoint::{Call, CallResult, Endpoint, EndpointSettings, RetryPolicy};
use lydian_harness::fake_provider::{FakeProvider, Script};
use lydian_harness::limit::LimitSettings;
use lydian_harness::provider::{Parameters, Prompt, ProviderKind, TranslationRequest, Turn};
use lydian_harness::secret::Secret;
use lydian_harness::translator::{BoxFuture, CallLog, EarlierAnswer, LogError, ReceivedCall, SentCall, Stop};
use lydian_harness::transport::{HttpTransport, Timeouts, endpoint_identity};
use lydian_model::EntryId;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Keeps what it is told.
#[derive(Debug, Default)]
pub(crate) struct TestLog {
    sent: AtomicU64,
    pub(crate) received: Mutex<Vec<ReceivedCall>>,
    pub(crate) earlier: Mutex<Vec<(String, EarlierAnswer)>>,
}

impl TestLog {
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::SeqCst)
    }
}

impl CallLog for TestLog {
    fn sent<'a>(&'a self, _: &'a SentCall) -> BoxFuture<'a, Result<u64, LogError>> {
        Box::pin(async { Ok(self.sent.fetch_add(1, Ordering::SeqCst) + 1) })
    }

    fn received<'a>(&'a self, call: &'a ReceivedCall) -> BoxFuture<'a, Result<(), LogError>> {
        self.received.lock().unwrap().push(call.clone());
        Box::pin(async { Ok(()) })
    }

    fn earlier_answer(&self, _: &EntryId, request_sha256: &str) -> Option<EarlierAnswer> {
        let earlier = self.earlier.lock().unwrap();
        earlier
            .iter()
            .find(|(sha256, _)| sha256 == request_sha256)
            .map(|(_, answer)| answer.clone())
    }
}

/// Waits of milliseconds instead of seconds.
pub(crate) fn hasty() -> RetryPolicy {
    RetryPolicy {
        patience: Duration::from_secs(3),
        longest_wait: Duration::from_secs(5),
        first_wait: Duration::from_millis(5),
        error_attempts: 4,
        doubtful_attempts: 3,
    }
}

pub(crate) fn settings(kind: ProviderKind, base_url: &str, concurrency: usize) -> EndpointSettings {
    EndpointSettings {
        kind,
        identity: endpoint_identity(base_url).unwrap(),
        limit: LimitSettings {
            concurrency,
            requests_per_minute: None,
        },
        seed: 7,
        retry: hasty(),
        price: None,
        budget: None,
        pool: None,
        cache: None,
        clock: std::sync::Arc::new(|| "2026-01-01T00:00:00Z".into()),
    }
}

pub(crate) fn timeouts() -> Timeouts {
    let ms = Duration::from_millis;
    Timeouts {
        connect: ms(2000),
        idle: ms(400),
        total: ms(800),
    }
}

pub(crate) fn connect(settings: EndpointSettings) -> Endpoint<HttpTransport> {
    let key = Some(Secret::new("sk-canary".into()));
    let transport = HttpTransport::new(settings.kind, &settings.identity, key, &[], timeouts()).unwrap();
    Endpoint::new(transport, settings)
}

/// Starts a server with a script in TOML.
pub(crate) async fn serve(script: &str) -> FakeProvider {
    FakeProvider::start(([127, 0, 0, 1], 0).into(), Script::parse(script).unwrap())
        .await
        .unwrap()
}

pub(crate) fn request(model: &str, text: &str) -> TranslationRequest {
    TranslationRequest {
        model: model.into(),
        source_language: "en".into(),
        target_language: "crk".into(),
        prompt: Prompt::Chat {
            system: "Translate into Cree.".into(),
            turns: vec![Turn::User(text.into())],
            tools: vec![],
        },
        parameters: Parameters::default(),
    }
}

pub(crate) async fn ask(
    endpoint: &Endpoint<HttpTransport>,
    log: &TestLog,
    model: &str,
    text: &str,
) -> Result<CallResult, Stop> {
    call(endpoint, log, &request(model, text)).await
}

pub(crate) async fn call<T: lydian_harness::transport::Transport>(
    endpoint: &Endpoint<T>,
    log: &TestLog,
    request: &TranslationRequest,
) -> Result<CallResult, Stop> {
    let ids = [EntryId::text("e")];
    endpoint
        .call(
            &Call {
                entry_ids: &ids,
                request,
                sample: 0,
                source_characters: 3,
            },
            log,
        )
        .await
}
