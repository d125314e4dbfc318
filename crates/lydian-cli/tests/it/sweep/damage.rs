//! One damaged file in a sweep's folder: it is named with what to do, and everything else is shown and goes on.

use serde_json::Value;

use super::stage::{Server, cards, printed, shop, write_plan};
use crate::run::workshop::Workshop;

/// Returns the run folders of `s`, those behind the provider first.
fn runs(shop: &Workshop) -> Vec<String> {
    let status = shop.lydian(&["sweep", "status", "s", "--json"]);
    let progress = printed(&status.stdout)["progress"].clone();
    progress
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| format!("s/runs/{}", one["run"]["id"].as_str().expect("an id")))
        .collect()
}

fn swept(server: &Server, head: &str) -> Workshop {
    let shop = shop(5);
    write_plan(
        &shop,
        &server.url(),
        head,
        "model = [\"m-ok\"]\ntemperature = [0.0, 0.5]",
    );
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    shop
}

fn cut_in_half(shop: &Workshop, file: &str) {
    let bytes = std::fs::read(shop.path(file)).unwrap();
    std::fs::write(shop.path(file), &bytes[..bytes.len() / 2]).unwrap();
}

/// Damages a response in the middle, so that it is no torn end.
fn damage(shop: &Workshop, run: &str) {
    let file = shop.path(run).join("journal.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"type\":\"received\""));
    let damaged = text.replacen("\"type\":\"received\"", "\"type\":\"deceived\"", 1);
    std::fs::write(&file, damaged).unwrap();
}

#[test]
fn a_damaged_card_is_named_and_made_again_from_its_journal() {
    let server = Server::start();
    let shop = swept(&server, "");
    let whole = cards(&shop, "s");
    let folders = runs(&shop);
    cut_in_half(&shop, &format!("{}/run-card.json", folders[0]));
    // A card of another run is as good as none.
    let other = std::fs::read(shop.path(&folders[2]).join("run-card.json")).unwrap();
    std::fs::write(shop.path(&folders[1]).join("run-card.json"), other).unwrap();

    let report = shop
        .lydian(&["sweep", "report", "s", "--format", "csv"])
        .expect(3)
        .says(&format!("{}/run-card.json", folders[0]))
        .says(&format!(
            "{}/run-card.json is the card of another setup",
            folders[1]
        ))
        .says("`lydian sweep run` makes it again from the journal");
    assert_eq!(report.stdout.lines().count(), 4, "{}", report.stdout);
    let status = printed(&shop.lydian(&["sweep", "status", "s", "--json"]).expect(3).stdout);
    assert_eq!(status["complete"], 3);
    assert_eq!(status["damaged"].as_array().map(Vec::len), Some(2));

    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0)
        .says("it was made again");
    assert_eq!(cards(&shop, "s"), whole);
    assert!(shop.path(&folders[0]).join("run-card.json.damaged").is_file());
    assert_eq!(server.stats().requests, 10);
}

#[test]
fn a_damaged_or_foreign_journal_is_left_alone_and_the_other_runs_go_on() {
    let server = Server::start();
    let shop = swept(&server, "");
    let folders = runs(&shop);
    damage(&shop, &folders[0]);
    shop.write(&format!("{}/journal.jsonl", folders[2]), "what is this?\n");
    // One more value, so that something is left to be run.
    let plan = std::fs::read_to_string(shop.path("sweep.toml")).unwrap();
    shop.write("sweep.toml", &plan.replace("[0.0, 0.5]", "[0.0, 0.5, 0.9]"));
    let run = ["sweep", "run", "sweep.toml", "--out", "s", "--json"];
    let ended = shop
        .lydian(&run)
        .expect(3)
        .says(&format!("{}/journal.jsonl", folders[0]))
        .says(&format!("{}/journal.jsonl", folders[2]))
        .says("away: the run is then made again");
    let ended = printed(&ended.stdout);
    assert_eq!((&ended["complete"], &ended["executed"]), (&2.into(), &1.into()));
    assert_eq!(server.stats().requests, 15);

    shop.lydian(&["sweep", "report", "s"])
        .expect(3)
        .says(&format!("{}/journal.jsonl", folders[0]))
        .says(&format!("{}/journal.jsonl", folders[2]));
    let status = shop.lydian(&["sweep", "status", "s"]).expect(3);
    assert!(
        status
            .stdout
            .contains("2 complete, 0 open, 0 not begun, 2 damaged"),
        "{}",
        status.stdout
    );

    for folder in [&folders[0], &folders[2]] {
        let away = format!("{folder}.away").replace("s/runs/", "");
        std::fs::rename(shop.path(folder), shop.path(&away)).unwrap();
    }
    shop.lydian(&run).expect(0);
    assert_eq!(server.stats().requests, 20);
    shop.lydian(&["sweep", "status", "s"]).expect(0);
}

#[test]
fn what_a_damaged_journal_spent_still_counts_against_the_budget() {
    let server = Server::start();
    let shop = swept(&server, "budget_usd = 1");
    let folders = runs(&shop);
    let before = printed(&shop.lydian(&["sweep", "status", "s", "--json"]).expect(0).stdout);
    damage(&shop, &folders[0]);
    let after = printed(&shop.lydian(&["sweep", "status", "s", "--json"]).expect(3).stdout);
    let counted =
        |status: &Value| status["spent_usd"].as_f64().unwrap() + status["perhaps_paid_usd"].as_f64().unwrap();
    assert!(counted(&before) > 0.0);
    assert!(counted(&after) >= counted(&before) - 1e-12, "{after}");
}

#[test]
fn a_cut_off_list_of_runs_is_written_again() {
    let server = Server::start();
    let shop = swept(&server, "");
    cut_in_half(&shop, "s/sweep.json");
    for command in ["status", "report"] {
        shop.lydian(&["sweep", command, "s"])
            .expect(3)
            .says("s/sweep.json")
            .says("`lydian sweep run` writes the list again");
    }
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "s"])
        .expect(0);
    shop.lydian(&["sweep", "status", "s"]).expect(0);
    assert_eq!(server.stats().requests, 10);
}

#[test]
fn a_part_with_a_damaged_journal_is_merged_without_it() {
    let server = Server::start();
    let shop = swept(&server, "");
    let folders = runs(&shop);
    damage(&shop, &folders[0]);
    let merged = shop
        .lydian(&["sweep", "merge", "merged", "s", "--json"])
        .expect(3)
        .says(&format!("{}/journal.jsonl", folders[0]));
    let merged = printed(&merged.stdout);
    assert_eq!((&merged["complete"], &merged["missing"]), (&2.into(), &1.into()));
}
