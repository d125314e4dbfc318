//! `lydian cost`: the figures of the specification, and one's own.

use super::stage::printed;
use crate::run::workshop::Workshop;

#[test]
fn a_language_and_a_programme_cost_what_the_specification_says() {
    let shop = Workshop::new();
    let language = printed(&shop.lydian(&["cost", "language", "--json"]).expect(0).stdout);
    assert_eq!(language["establishing_usd"], serde_json::json!([3350.0, 8700.0]));
    assert_eq!(
        language["keeping_usd_per_year"],
        serde_json::json!([1000.0, 3000.0])
    );
    let text = shop.lydian(&["cost", "language"]).expect(0).stdout;
    assert!(
        text.contains("establish a language") && text.contains("3,350–8,700 USD"),
        "{text}"
    );
    let text = shop
        .lydian(&["cost", "programme", "--languages", "5", "--new", "5"])
        .expect(0)
        .stdout;
    assert!(text.contains("25,000–65,000 USD in this year"), "{text}");
    shop.lydian(&["cost", "programme", "--languages", "1", "--new", "2"])
        .expect(2);
    shop.lydian(&["cost"]).expect(2).says("cost language");
}

#[test]
fn printed_assumptions_can_be_edited_and_given_back() {
    let shop = Workshop::new();
    let text = shop.lydian(&["cost", "--assumptions"]).expect(0).stdout;
    shop.write("mine.toml", &text.replace("[2500, 6000]", "[0, 0]"));
    let mine = shop
        .lydian(&["cost", "language", "--from", "mine.toml", "--json"])
        .expect(0);
    assert_eq!(
        printed(&mine.stdout)["establishing_usd"],
        serde_json::json!([850.0, 2700.0])
    );
    shop.write("broken.toml", &text.replace("usd = [500, 1500]", "usd = [500]"));
    shop.lydian(&["cost", "language", "--from", "broken.toml"])
        .expect(3)
        .says("broken.toml")
        .says("line 14");
}
