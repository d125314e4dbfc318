//! What `lydian run` and `lydian resume` refuse, with which words and exit code.

use serde_json::json;

use super::workshop::{Workshop, corpus};

#[test]
fn an_existing_run_folder_is_never_overwritten() {
    let shop = Workshop::new();
    shop.write_corpus(2);
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "r"])
        .expect(0);
    let before = shop.card("r");
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "r"])
        .expect(2)
        .says("exists already");
    assert_eq!(shop.card("r"), before);
    std::fs::write(shop.path("file"), "mine").unwrap();
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "file"])
        .expect(2);
    assert_eq!(std::fs::read_to_string(shop.path("file")).unwrap(), "mine");
}

#[test]
fn secret_segments_are_refused_whatever_the_flags() {
    let shop = Workshop::new();
    let entry =
        |id: i64, segment: &str| json!({"id": id, "source": "SECRET", "reference": "r", "segment": segment});
    shop.write(
        "corpus.json",
        &corpus(&[entry(1, "development"), entry(2, "gold_standard")]).to_string(),
    );
    for arguments in [
        vec!["--segment", "gold_standard"],
        vec!["--segment", "held_out", "--segment", "development"],
        vec!["--ids", "2"],
    ] {
        let mut all = vec!["run", "corpus.json", "--method", "copy", "--out", "r"];
        all.extend(arguments);
        shop.lydian(&all).expect(2).says("secret");
        assert!(!shop.path("r").exists());
    }
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "r"])
        .expect(0);
    assert_eq!(shop.card("r")["selection"]["entry_ids"], json!([1]));
    shop.write("corpus.json", &corpus(&[entry(2, "gold_standard")]).to_string());
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "s"])
        .expect(2)
        .says("secret");
}

#[test]
fn text_of_a_corpus_without_segments_leaves_the_machine_only_when_told_so() {
    let shop = Workshop::new();
    shop.write(
        "corpus.json",
        &corpus(&[json!({"id": 1, "source": "s", "reference": "r"})]).to_string(),
    );
    let method = json!({
        "name": "m", "method_id": "m", "class": "raw-llm",
        "entry_point": {"type": "provider", "provider": "openai", "base_url": "https://models.example/v1", "key": "env:NO_SUCH_KEY"},
        "parameters": {"model": "m-ok"},
        "dependencies": [{"id": "m", "kind": "model", "license": "proprietary", "access": "external-api", "substitutable": true}]
    });
    std::fs::create_dir_all(shop.path("m/prompts")).unwrap();
    shop.write("m/method.json", &method.to_string());
    shop.write(
        "m/prompts/default.toml",
        "system = \"Translate.\"\nuser = \"{source}\"\n",
    );
    shop.lydian(&["run", "corpus.json", "--method", "m", "--out", "r"])
        .expect(2)
        .says("names no segments");
    shop.lydian(&[
        "run",
        "corpus.json",
        "--method",
        "m",
        "--out",
        "r",
        "--segment",
        "development",
    ])
    .expect(4)
    .says("env:NO_SUCH_KEY holds no key");
    assert!(!shop.path("r").exists());
}

#[test]
fn a_source_with_a_line_break_is_refused_before_anything_runs() {
    let shop = Workshop::new();
    shop.write(
        "corpus.json",
        &corpus(&[json!({"id": "a1", "source": "one\ntwo", "reference": "r"})]).to_string(),
    );
    shop.lydian(&["run", "corpus.json", "--method", "command:cat", "--out", "r"])
        .expect(2)
        .says("entry a1 holds a line break")
        .says("plugin protocol");
    assert!(!shop.path("r").exists());
}

#[test]
fn wrong_names_say_what_there_is() {
    let shop = Workshop::new();
    shop.write_corpus(2);
    shop.lydian(&["run", "corpus.json", "--method", "no-such"])
        .expect(2)
        .says("command:\"PROGRAM ARGUMENTS\"");
    shop.lydian(&["run", "corpsu.json", "--method", "copy"])
        .expect(2)
        .says("did you mean corpus.json?");
    shop.lydian(&["run", "corpus.json"])
        .expect(2)
        .says("no method is named");
    shop.lydian(&["run", ".", "--method", "copy"])
        .expect(2)
        .says("without example.toml");
    shop.lydian(&["run", "corpus.json", "--method", "apertium:xx-yy"])
        .expect(2)
        .says("apt install");
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--ids", "99"])
        .expect(2)
        .says("no entry 99");
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--domain", "conv"])
        .expect(2)
        .says("none of the 2 entries");
    shop.lydian(&["resume", "nowhere"])
        .expect(2)
        .says("not a run folder");
}

#[test]
fn an_invalid_corpus_or_predictions_file_names_every_problem() {
    let shop = Workshop::new();
    let twice = json!({"id": 1, "source": "s", "reference": "r"});
    shop.write("twice.json", &corpus(&[twice.clone(), twice]).to_string());
    shop.lydian(&["run", "twice.json", "--method", "copy", "--out", "r"])
        .expect(3)
        .says("duplicate_id");
    shop.write_corpus(2);
    shop.write(
        "out.jsonl",
        "{\"id\": 1, \"output\": \"a\"}\n{\"id\": 9, \"output\": \"b\"}\n{\"id\": 8, \"output\": \"c\"}\n",
    );
    shop.lydian(&["run", "corpus.json", "--predictions", "out.jsonl", "--out", "r"])
        .expect(3)
        .says("no entry 9")
        .says("no entry 8");
    assert!(!shop.path("r").exists());
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_reported_and_nothing_is_left() {
    let shop = Workshop::new();
    shop.write_corpus(2);
    shop.write("file", "");
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "file/r"])
        .expect(2)
        .says("cannot make the run folder file/r")
        .says("a part of the path is a file")
        .never_says("resume");
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "/proc/r"])
        .expect(1)
        .says("cannot make the run folder /proc/r")
        .says("nothing was run");
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "new/deep/r"])
        .expect(0);
}

#[test]
fn a_run_does_not_go_on_with_another_corpus_or_method() {
    let shop = Workshop::new();
    shop.write_corpus(3);
    shop.write("out.jsonl", "{\"id\": 1, \"output\": \"a\"}\n");
    let run = ["run", "corpus.json", "--predictions", "out.jsonl", "--out", "r"];
    shop.lydian(&run).expect(5);
    let card = shop.card("r");
    let text = std::fs::read_to_string(shop.path("corpus.json")).unwrap();

    let mut reordered: serde_json::Value = serde_json::from_str(&text).unwrap();
    reordered["entries"].as_array_mut().unwrap().reverse();
    shop.write("corpus.json", &reordered.to_string());
    shop.lydian(&["resume", "r"])
        .expect(3)
        .says("is not the corpus the run began with")
        .says("another order");

    shop.write("corpus.json", &text.replace("R 2", "R 22"));
    shop.lydian(&["resume", "r"])
        .expect(3)
        .says("is not the corpus the run began with");

    shop.write("corpus.json", &text);
    shop.write(
        "out.jsonl",
        "{\"id\": 1, \"output\": \"b\"}\n{\"id\": 2, \"output\": \"b\"}\n",
    );
    shop.lydian(&["resume", "r"])
        .expect(3)
        .says("parameters/predictions_sha256 was");
    assert_eq!(shop.card("r"), card, "a refused resume changes nothing");

    std::fs::rename(shop.path("corpus.json"), shop.path("moved.json")).unwrap();
    shop.write("out.jsonl", "{\"id\": 1, \"output\": \"a\"}\n");
    shop.lydian(&["resume", "r"]).expect(2).says("--corpus FILE");
    shop.lydian(&["resume", "r", "--corpus", "moved.json"]).expect(5);
}

#[test]
fn a_corpus_of_another_pair_than_the_methods_is_refused() {
    let shop = Workshop::new();
    shop.write_corpus(2);
    std::fs::create_dir(shop.path("m")).unwrap();
    for (pairs, code, says) in [
        (
            json!(["en-crk"]),
            2,
            "m translates en-crk, and the corpus is from pt to gl",
        ),
        (
            json!(["fra-cat", "glg-por"]),
            2,
            "from pt to gl: the other direction",
        ),
        (
            json!(["english"]),
            3,
            "\"english\", which is no pair of language tags",
        ),
        (json!(["en-crk", "por-glg"]), 0, ""),
        (json!([]), 0, ""),
    ] {
        let method = json!({"name": "m", "method_id": "m", "class": "custom-plugin",
            "entry_point": {"type": "copy"}, "supported_pairs": pairs});
        shop.write("m/method.json", &method.to_string());
        let out = format!("r{}", pairs.to_string().len());
        shop.lydian(&["run", "corpus.json", "--method", "m", "--out", &out])
            .expect(code)
            .says(says);
        assert_eq!(shop.path(&out).exists(), code == 0);
    }
    let mut unnamed = corpus(&[json!({"id": 1, "source": "a", "reference": "b", "segment": "development"})]);
    unnamed["dataset"]["target_language"] = json!("und");
    shop.write("unnamed.json", &unnamed.to_string());
    let method = json!({"name": "m", "method_id": "m", "class": "custom-plugin",
        "entry_point": {"type": "copy"}, "supported_pairs": ["en-crk"]});
    shop.write("m/method.json", &method.to_string());
    shop.lydian(&["run", "unnamed.json", "--method", "m", "--out", "u"])
        .expect(0)
        .says("whether the corpus is of such a pair is not known");
}
