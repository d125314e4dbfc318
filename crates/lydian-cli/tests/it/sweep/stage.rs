//! What sweeps are tested with: a fake provider that counts, plans over methods behind it, and their cards.

use std::collections::BTreeMap;

use lydian_harness::fake_provider::{FakeProvider, Script, Stats};
use serde_json::Value;

use crate::run::workshop::{Workshop, comparable};

/// A fake provider with a runtime of its own.
pub(super) struct Server {
    runtime: tokio::runtime::Runtime,
    provider: FakeProvider,
}

impl Server {
    pub(super) fn start() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let script = Script::parse("").expect("a script");
        let provider = runtime
            .block_on(FakeProvider::start(([127, 0, 0, 1], 0).into(), script))
            .expect("a port");
        Self { runtime, provider }
    }

    pub(super) fn url(&self) -> String {
        self.provider.base_url()
    }

    pub(super) fn stats(&self) -> Stats {
        self.runtime.block_on(async { self.provider.stats() })
    }
}

/// The prices by which the fake provider charges.
const PRICES: &str = "schema = \"lydian/prices@1\"\nas_of = \"2026-01-01\"\n[[price]]\nmodel = \"m-ok\"\ninput = \"1.00\"\noutput = \"2.00\"\n\
                      [[price]]\nmodel = \"m-slow-20\"\ninput = \"1.00\"\noutput = \"2.00\"\n\
                      [[price]]\nmodel = \"m-rate-40\"\ninput = \"1.00\"\noutput = \"2.00\"\n\
                      [[price]]\nmodel = \"m-jitter-30\"\ninput = \"1.00\"\noutput = \"2.00\"\n";

/// A folder with a corpus, prices and a method behind a provider.
pub(super) fn shop(entries: usize) -> Workshop {
    let shop = Workshop::new();
    shop.write_corpus(entries);
    shop.write("prices.toml", PRICES);
    shop.lydian(&["method", "init", "raw-llm", "m", "--model", "m-ok"])
        .expect(0);
    shop
}

/// Writes `sweep.toml`: a method behind `url` over these axes, and the source as floor.
pub(super) fn write_plan(shop: &Workshop, url: &str, head: &str, axes: &str) {
    shop.write(
        "sweep.toml",
        &format!(
            "schema = \"lydian/sweep@1\"\nname = \"s\"\ncorpus = \"corpus.json\"\n{head}\n\
             [endpoint]\nbase_url = \"{url}\"\nprices = \"prices.toml\"\nconcurrency = 4\n\
             [axes]\n{axes}\n\
             [[method]]\nid = \"llm\"\nmethod = \"m\"\nrole = \"under_test\"\nparameters = {{ max_output_tokens = 50 }}\n\
             [[method]]\nid = \"floor\"\nmethod = \"copy\"\nshared_axes = false\n"
        ),
    );
}

/// Returns the cards of a sweep's folder by run, without what may differ between two executions (decision 25).
pub(super) fn cards(shop: &Workshop, folder: &str) -> BTreeMap<String, Value> {
    let runs = shop.path(folder).join("runs");
    let mut cards = BTreeMap::new();
    for item in std::fs::read_dir(&runs).expect("runs") {
        let path = item.expect("a folder").path();
        let Ok(bytes) = std::fs::read(path.join("run-card.json")) else {
            continue;
        };
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        cards.insert(
            name,
            without_request_ids(comparable(serde_json::from_slice(&bytes).expect("JSON"))),
        );
    }
    cards
}

/// Returns a card without the numbers by which the provider calls its own requests.
pub(super) fn without_request_ids(mut card: Value) -> Value {
    for result in card["results"].as_array_mut().expect("results") {
        if let Some(served) = result["served"].as_object_mut() {
            served.remove("request_id");
        }
    }
    card
}

/// Fails unless both sweeps have the same cards; names the first run and field that differ.
pub(super) fn assert_same_cards(left: &BTreeMap<String, Value>, right: &BTreeMap<String, Value>) {
    let names = |cards: &BTreeMap<String, Value>| cards.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(left), names(right));
    for (name, card) in left {
        let other = right[name].as_object().expect("an object");
        for (field, value) in card.as_object().expect("an object") {
            assert!(
                *value == other[field],
                "{name}: {field}: {value} is not {}",
                other[field]
            );
        }
        assert_eq!(card.as_object().map(serde_json::Map::len), Some(other.len()));
    }
}

/// Returns what a command printed as JSON.
pub(super) fn printed(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON object")
}
