//! Methods made again out of run cards.

use super::providers::Server;
use super::workshop::Workshop;

/// Makes a method of a class and runs it against the server.
fn made_and_run(shop: &Workshop, server: &Server, class: &str, folder: &str) {
    shop.lydian(&["method", "init", class, "method", "--model", "m-ok"])
        .expect(0);
    let url = server.url();
    let given = ["--method", "method", "--base-url", &url, "--out", folder];
    shop.lydian(&[&["run", "corpus.json"], &given[..]].concat())
        .expect(0);
    std::fs::remove_dir_all(shop.path("method")).unwrap();
}

#[test]
fn an_installed_card_runs_the_same_method() {
    let server = Server::start("");
    let shop = Workshop::new();
    shop.write_corpus(5);
    made_and_run(&shop, &server, "coached-llm", "a");
    shop.lydian(&["install", "a", "again"]).expect(0);
    shop.lydian(&["run", "corpus.json", "--method", "again", "--out", "b"])
        .expect(0);
    let (first, second) = (shop.card("a"), shop.card("b"));
    for field in [
        "fingerprint",
        "system_prompt_used",
        "coaching_data_sha256",
        "method_config",
        "endpoint",
    ] {
        assert_eq!(first[field], second[field], "{field}");
    }
    made_and_run(&shop, &server, "pipeline", "c");
    shop.lydian(&["install", "c", "other"])
        .expect(3)
        .says("does not carry its method");
}

#[test]
fn a_card_does_not_choose_where_its_method_is_written() {
    let server = Server::start("");
    let shop = Workshop::new();
    shop.write_corpus(3);
    made_and_run(&shop, &server, "coached-llm", "a");
    let outside = shop.path("outside");
    for name in ["prompt_version", "coaching_config"] {
        for path in [outside.to_str().unwrap(), "../outside", ".."] {
            let mut card = shop.card("a");
            card["parameters"][name] = path.into();
            shop.write("foreign.json", &card.to_string());
            shop.lydian(&["install", "foreign.json", "made"])
                .expect(3)
                .says(name);
            assert!(!shop.path("made").exists() && !shop.path("outside.toml").exists());
        }
    }
}
