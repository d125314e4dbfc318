//! `--shard i/n` and `lydian sweep merge`: the cards of one machine, made on several.

use super::stage::{Server, assert_same_cards, cards, printed, shop, write_plan};
use crate::run::workshop::examples;

const AXES: &str = "model = [\"m-ok\", \"m-jitter-30\"]\ntemperature = [0.0, 0.7]";

#[test]
fn merged_parts_have_the_cards_of_one_machine() {
    let server = Server::start();
    let shop = shop(8);
    write_plan(&shop, &server.url(), "", AXES);
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "whole"])
        .expect(0);
    let once = server.stats().requests;
    for part in ["1/3", "2/3"] {
        let out = format!("part-{}", &part[..1]);
        shop.lydian(&["sweep", "run", "sweep.toml", "--shard", part, "--out", &out])
            .expect(0);
    }
    shop.lydian(&["sweep", "merge", "merged", "part-1", "part-2"])
        .expect(5)
        .says("1 of 5 runs are not complete, 1 of them not begun");
    shop.lydian(&["sweep", "run", "sweep.toml", "--shard", "3/3", "--out", "part-3"])
        .expect(0);
    let merged = shop
        .lydian(&["sweep", "merge", "merged", "part-1", "part-2", "part-3", "--json"])
        .expect(0);
    assert_eq!(printed(&merged.stdout)["complete"], 5);
    assert_same_cards(&cards(&shop, "merged"), &cards(&shop, "whole"));
    assert_eq!(cards(&shop, "merged").len(), 5);
    assert_eq!(server.stats().requests, 2 * once);
}

#[test]
fn a_part_says_what_is_made_elsewhere_and_keeps_to_its_share() {
    let server = Server::start();
    let shop = shop(8);
    write_plan(&shop, &server.url(), "budget_usd = 0.0010", AXES);
    shop.lydian(&["sweep", "run", "sweep.toml", "--shard", "1/2", "--out", "p"])
        .expect(6);
    // Half of the budget is this part's.
    assert!(server.stats().charged_nano_usd <= 500_000);
    let status = printed(&shop.lydian(&["sweep", "status", "p", "--json"]).expect(0).stdout);
    assert_eq!(status["elsewhere"], 2);
    shop.lydian(&["sweep", "run", "sweep.toml", "--shard", "2/2", "--out", "p"])
        .expect(3)
        .says("holds part 1/2, not part 2/2");
    shop.lydian(&["sweep", "run", "sweep.toml", "--shard", "3/2"])
        .expect(2);
}

#[test]
fn parts_of_different_plans_are_not_merged() {
    let server = Server::start();
    let shop = shop(4);
    write_plan(&shop, &server.url(), "", AXES);
    shop.lydian(&["sweep", "run", "sweep.toml", "--shard", "1/2", "--out", "a"])
        .expect(0);
    write_plan(&shop, &server.url(), "", "model = [\"m-ok\"]");
    shop.lydian(&["sweep", "run", "sweep.toml", "--shard", "2/2", "--out", "b"])
        .expect(0);
    shop.lydian(&["sweep", "merge", "merged", "a", "b"])
        .expect(3)
        .says("b holds another list of runs than a");
    assert!(!shop.path("merged").exists());
}

/// Answers with what stands in a file that belongs to no method.
const ODD: &str = "while IFS= read -r line; do cat state; done\n";

#[test]
#[cfg(unix)]
fn two_parts_with_different_answers_for_one_run_are_not_merged() {
    let shop = shop(4);
    shop.write("odd.sh", ODD);
    shop.write(
        "sweep.toml",
        "schema = \"lydian/sweep@1\"\nname = \"s\"\ncorpus = \"corpus.json\"\n\
         [[method]]\nid = \"odd\"\nmethod = \"command:sh odd.sh\"\n",
    );
    for (out, state) in [("a", "one\n"), ("same", "one\n"), ("b", "two\n")] {
        shop.write("state", state);
        shop.lydian(&["sweep", "run", "sweep.toml", "--out", out])
            .expect(0);
    }
    shop.lydian(&["sweep", "merge", "merged", "a", "same"]).expect(0);
    assert_same_cards(&cards(&shop, "merged"), &cards(&shop, "a"));
    shop.lydian(&["sweep", "merge", "other", "a", "b"])
        .expect(3)
        .says("are the same run with different answers");
}

#[test]
#[cfg(unix)]
fn merging_keeps_what_stands_beside_the_journal() {
    let shop = shop(4);
    shop.write(
        "sweep.toml",
        "schema = \"lydian/sweep@1\"\nname = \"s\"\ncorpus = \"corpus.json\"\n\
         [[method]]\nid = \"floor\"\nmethod = \"copy\"\n",
    );
    shop.lydian(&["sweep", "run", "sweep.toml", "--out", "part"])
        .expect(0);
    shop.lydian(&["sweep", "merge", "merged", "part"]).expect(0);
    let (name, card) = cards(&shop, "merged").pop_first().unwrap();
    assert!(card["results"][0]["plugin_metrics"]["semantic_score"].is_null());

    // The part is asked about by a scorer after it was merged for the first time.
    let run = format!("part/runs/{name}");
    let scorer = examples().join("scorers/python").display().to_string();
    shop.lydian(&["runs", "rescore", &run, "--semantic", &scorer])
        .expect(0);
    shop.write(&format!("{run}/plugin.stderr"), "said by a program\n");
    shop.lydian(&["sweep", "merge", "merged", "part"]).expect(0);
    for file in ["semantic.jsonl", "plugin.stderr", "run-card-rescored.json"] {
        let read = |folder: &str| std::fs::read(shop.path(&format!("{folder}/runs/{name}/{file}"))).unwrap();
        assert_eq!(read("merged"), read("part"), "{file}");
    }
    let (_, card) = cards(&shop, "merged").pop_first().unwrap();
    assert!(
        card["results"][0]["plugin_metrics"]["semantic_score"]["raw"].is_number(),
        "the answers of the scorer are in the merged card"
    );
}
