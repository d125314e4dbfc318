//! One budget for a whole sweep, by the provider's own count.

use super::stage::{Server, cards, printed, shop, write_plan};

#[test]
fn no_cent_above_the_budget_and_more_money_finishes() {
    let server = Server::start();
    let shop = shop(20);
    let axes = "model = [\"m-ok\", \"m-slow-20\"]\ntemperature = [0.0, 0.7]";
    write_plan(&shop, &server.url(), "budget_usd = 0.002", axes);
    let ended = shop
        .lydian(&["sweep", "run", "sweep.toml", "--out", "s", "--json"])
        .expect(6);
    let first = printed(&ended.stdout);
    let charged = server.stats().charged_nano_usd;
    assert!(charged <= 2_000_000, "{charged}");
    assert!(charged > 1_500_000, "{charged}: the budget is used");
    let spent = first["spent_usd"].as_f64().unwrap();
    assert!((spent - charged as f64 / 1e9).abs() < 1e-12, "{spent} {charged}");
    // What is spent counts when the sweep goes on.
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(6);
    assert!(server.stats().charged_nano_usd <= 2_000_000);
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s", "--budget", "1"])
        .expect(0);
    let stats = server.stats();
    assert_eq!((stats.requests, stats.repeated), (80, 0));
    assert_eq!(cards(&shop, "s").len(), 5);
}

#[test]
fn a_budget_with_an_unknown_price_sends_nothing() {
    let server = Server::start();
    let shop = shop(4);
    write_plan(&shop, &server.url(), "budget_usd = 1", "model = [\"m-unpriced\"]");
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(2)
        .says("the price of the model is unknown");
    assert_eq!(server.stats().requests, 0);
    write_plan(
        &shop,
        &server.url(),
        "budget_usd = 1\nallow_unpriced = true",
        "model = [\"m-unpriced\"]",
    );
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    assert_eq!(server.stats().requests, 4);
}
