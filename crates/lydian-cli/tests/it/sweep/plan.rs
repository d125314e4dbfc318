//! `lydian sweep plan`, and plans that are refused.

use super::stage::{Server, printed, shop, write_plan};
use crate::run::workshop::{Workshop, examples};

#[test]
fn the_example_is_planned_without_key_and_network() {
    let shop = Workshop::new();
    let example = examples().join("por-glg-sweep");
    let planned = shop
        .lydian(&["sweep", "plan", example.to_str().unwrap(), "--json"])
        .expect(0);
    let planned = printed(&planned.stdout);
    assert_eq!((&planned["runs"], &planned["local_runs"]), (&7.into(), &7.into()));
    assert_eq!(planned["translations"], 7 * 58);
    assert_eq!(planned["requests"]["high"], 0);
    let text = shop
        .lydian(&["sweep", "plan", example.to_str().unwrap()])
        .expect(0)
        .stdout;
    assert!(text.contains("spelling=true words=common"), "{text}");
    assert!(!shop.path("sweeps").exists());
}

#[test]
fn requests_cost_and_time_are_those_of_all_runs() {
    let shop = shop(6);
    write_plan(
        &shop,
        "http://127.0.0.1:9",
        "budget_usd = 0.000001",
        "model = [\"m-ok\", \"m-unpriced\"]\ntemperature = [0.0, 0.7]",
    );
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    shop.write(
        "sweep.toml",
        &plan.replace("concurrency = 4", "concurrency = 4\nrequests_per_minute = 12"),
    );
    let planned = printed(
        &shop
            .lydian(&["sweep", "plan", "sweep.toml", "--json"])
            .expect(0)
            .stdout,
    );
    assert_eq!(planned["runs"], 5);
    assert_eq!(planned["requests"]["low"], 24);
    // 24 requests at 12 a minute.
    assert_eq!(planned["seconds"]["low"], 120.0);
    assert!(planned["cost_usd"].is_null());
    assert_eq!(planned["unpriced_models"], serde_json::json!(["m-unpriced"]));
    assert!(planned["known_cost_usd"]["low"].as_f64().unwrap() > 0.0);
    let one = &planned["plan"][0]["cost_usd"];
    let all = &planned["known_cost_usd"];
    let twice = one["high"].as_f64().unwrap() * 2.0;
    assert!((all["high"].as_f64().unwrap() - twice).abs() < 1e-12);
    let text = shop.lydian(&["sweep", "plan", "sweep.toml"]).expect(0).stdout;
    assert!(
        text.contains("less than the sweep may cost") && text.contains("m-unpriced has no price"),
        "{text}"
    );
}

#[test]
fn a_broken_plan_is_refused_with_file_line_and_key() {
    let shop = shop(3);
    write_plan(&shop, "http://127.0.0.1:9", "repeats = 0", "temprature = 0.5");
    shop.lydian(&["sweep", "plan", "sweep.toml"])
        .expect(3)
        .says("sweep.toml: line 4: repeats: must be above 0")
        .says("sweep.toml: line 10: axes.temprature: must be a list of values");
}

#[test]
fn a_parameter_nobody_knows_names_the_run() {
    let shop = shop(3);
    write_plan(&shop, "http://127.0.0.1:9", "", "temprature = [0.5]");
    shop.lydian(&["sweep", "plan", "sweep.toml"])
        .expect(3)
        .says("sweep.toml: line 10: run llm temprature=0.5")
        .says("unknown parameter \"temprature\", did you mean \"temperature\"?");
}

#[test]
fn a_parameter_that_changes_nothing_is_refused() {
    let shop = shop(3);
    write_plan(&shop, "http://127.0.0.1:9", "", "temperature = [0.5]");
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    shop.write("sweep.toml", &plan.replace("shared_axes = false", ""));
    shop.lydian(&["sweep", "plan", "sweep.toml"])
        .expect(3)
        .says("run floor temperature=0.5")
        .says("only providers and plugins take parameters");
}

#[test]
fn two_points_that_are_one_setup_are_refused() {
    let shop = shop(3);
    write_plan(&shop, "http://127.0.0.1:9", "", "model = [\"m-ok\"]");
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    let twin = "[[method]]\nid = \"twin\"\nmethod = \"copy\"\nshared_axes = false\n";
    shop.write("sweep.toml", &format!("{plan}{twin}"));
    shop.lydian(&["sweep", "run", "sweep.toml"])
        .expect(3)
        .says("\"floor\" and \"twin\" are one and the same setup");
    assert!(!shop.path("sweeps").exists());
}

#[test]
fn a_folder_of_something_else_is_left_alone() {
    let server = Server::start();
    let shop = shop(3);
    write_plan(&shop, &server.url(), "", "model = [\"m-ok\"]");
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "m"])
        .expect(2)
        .says("exists and holds no sweep");
    assert_eq!(server.stats().requests, 0);
}

#[test]
#[cfg(unix)]
fn a_pipe_as_corpus_is_refused_and_not_waited_for() {
    let shop = shop(3);
    write_plan(&shop, "http://127.0.0.1:9", "", "model = [\"m-ok\"]");
    std::fs::remove_file(shop.path("corpus.json")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(shop.path("corpus.json"))
        .status();
    assert!(made.expect("mkfifo").success());
    shop.lydian(&["sweep", "plan", "sweep.toml"])
        .expect(2)
        .says("corpus.json: is a pipe or a device, expected a file");
}

#[test]
fn rules_that_leave_no_run_are_refused_with_their_line() {
    let shop = shop(3);
    write_plan(&shop, "http://127.0.0.1:9", "", "model = [\"m-ok\"]");
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    let floor = plan.find("[[method]]\nid = \"floor\"").unwrap();
    shop.write(
        "sweep.toml",
        &format!("{}[[exclude]]\nmodel = \"m-ok\"\n", &plan[..floor]),
    );
    shop.lydian(&["sweep", "plan", "sweep.toml"])
        .expect(3)
        .says("sweep.toml: line 17: exclude: leaves no run");
}

#[test]
fn a_plan_of_local_methods_speaks_of_no_cost_and_no_rate_limit() {
    let shop = shop(3);
    shop.write(
        "sweep.toml",
        "schema = \"lydian/sweep@1\"\nname = \"s\"\ncorpus = \"corpus.json\"\n\
         [[method]]\nid = \"floor\"\nmethod = \"copy\"\n",
    );
    let text = shop.lydian(&["sweep", "plan", "sweep.toml"]).expect(0).stdout;
    assert!(
        text.contains("cost      none: nothing is sent to a provider"),
        "{text}"
    );
    assert!(text.contains("time      that of the local programs"), "{text}");
    write_plan(&shop, "http://127.0.0.1:9", "", "model = [\"m-unpriced\"]");
    let text = shop.lydian(&["sweep", "plan", "sweep.toml"]).expect(0).stdout;
    assert!(
        text.contains("cost      unknown: m-unpriced has no price\n"),
        "{text}"
    );
}
