//! `lydian dialect run`: what a method is asked, what it is never told, and the report that follows.

use serde_json::Value;

use super::providers::Server;
use super::workshop::{Workshop, examples};

const ITEMS: usize = 30;

/// Answers every question with C and every text with a German sentence.
const ANSWERS: &str = "[[rule]]\ncontains = \"Frage:\"\nanswer = \"Das ist klar.\\n\\nAntwort: C\"\n\
                       [[rule]]\nanswer = \"Alle Menschen haben das Recht auf Leben.\"\n";
/// The same as a program: questions are the lines that have options.
const PROGRAM: &str = "while IFS= read -r line; do case \"$line\" in *'A) '*'D) '*) echo 'Antwort: C';; \
                       *) printf '%s\\n' \"Alle Menschen haben das Recht auf Leben.\";; esac; done\n";

/// A shop with the example's items.
pub(super) fn shop() -> Workshop {
    let shop = Workshop::new();
    for name in ["items.json", "answers-first.jsonl", "answers-second.jsonl"] {
        let from = examples().join("udhr-gsw-dialect").join(name);
        std::fs::copy(from, shop.path(name)).expect("a writable folder");
    }
    shop
}

fn with_method(model: &str) -> Workshop {
    let shop = shop();
    shop.lydian(&["method", "init", "raw-llm", "m", "--model", model])
        .expect(0);
    shop
}

fn items(shop: &Workshop) -> Vec<Value> {
    let file: Value = serde_json::from_slice(&std::fs::read(shop.path("items.json")).unwrap()).unwrap();
    file["entries"].as_array().unwrap().clone()
}

pub(super) fn report(shop: &Workshop, run: &str) -> Value {
    let bytes = std::fs::read(shop.path(run).join("dialect-report.json")).expect("a report");
    serde_json::from_slice(&bytes).expect("JSON")
}

#[test]
fn a_model_is_asked_by_item_type_and_the_prompts_are_recorded() {
    let server = Server::start(ANSWERS);
    let shop = with_method("m-ok");
    let run = ["dialect", "run", "items.json", "--method", "m", "--base-url"];
    let ended = shop
        .lydian(&[&run[..], &[&server.url(), "--out", "r"]].concat())
        .expect(0);
    assert!(
        ended
            .stdout
            .starts_with("Refusals: 0/30 = 0.0 % [0.0, 11.4] of all items\n"),
        "{}",
        ended.stdout
    );
    assert_eq!(server.stats().requests, ITEMS as u64);
    let report = report(&shop, "r");
    let run = &report["answers"]["run"];
    assert_eq!(
        (&run["method_id"], &run["model_slug"], &run["complete"]),
        (&"m".into(), &"m-ok".into(), &true.into())
    );
    let origins: Vec<(&String, &Value)> = run["prompts"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(item_type, prompt)| (item_type, &prompt["origin"]))
        .collect();
    let named = ["T1", "T2", "T3", "T4"].map(str::to_owned);
    let (method, shipped) = (Value::from("method"), Value::from("shipped"));
    assert_eq!(
        origins,
        [
            (&named[0], &method),
            (&named[1], &shipped),
            (&named[2], &shipped),
            (&named[3], &shipped)
        ]
    );
    let asked = run["prompts"]["T2"]["user"].as_str().unwrap();
    assert!(asked.contains("{question}\n{options}"), "{asked}");
    // Every question was answered with C, and that letter was read.
    let chosen = report["items"].as_array().unwrap();
    let chosen = chosen.iter().filter(|item| item["item_type"] != "T1");
    assert!(chosen.clone().all(|item| item["letter"] == "C"));
    assert_eq!(chosen.count(), 10);
    let alsatian = &report["rows"][4];
    assert_eq!(
        (&alsatian["dialect"], &alsatian["outcomes"]["ok"]),
        (&"alsatian".into(), &28.into())
    );
    let page = std::fs::read_to_string(shop.path("r/report.html")).unwrap();
    assert!(page.contains("<summary>T4, dialect identification: shipped</summary>"));
}

#[test]
fn a_method_is_never_told_a_reference_a_keyword_or_a_key() {
    let server = Server::start(ANSWERS);
    let shop = with_method("m-ok");
    let shown = shop
        .lydian(&[
            "dialect",
            "run",
            "items.json",
            "--method",
            "m",
            "--show-prompt",
            "30",
        ])
        .expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let requests = shown["requests"].as_array().unwrap();
    assert_eq!(requests.len(), ITEMS);
    let run = ["dialect", "run", "items.json", "--method", "m", "--base-url"];
    shop.lydian(&[&run[..], &[&server.url(), "--out", "r"]].concat())
        .expect(0);
    let journal = std::fs::read_to_string(shop.path("r/journal.jsonl")).unwrap();
    for (item, request) in items(&shop).iter().zip(requests) {
        let messages = request["body"]["messages"].as_array().unwrap();
        let told: String = messages
            .iter()
            .map(|message| message["content"].as_str().unwrap())
            .collect();
        assert!(told.contains(item["source"].as_str().unwrap()), "{told}");
        for field in [
            "correct_answer",
            "keywords",
            "reference",
            "fact_id",
            "contrasts",
            "evidence",
        ] {
            assert!(
                !told.contains(field) && !journal.contains(&format!("\"{field}")),
                "{field}"
            );
        }
        if item["item_type"] == "T1" {
            let reference = item["reference"].as_str().unwrap();
            assert!(!told.contains(reference) && !journal.contains(reference));
            assert_eq!(messages.last().unwrap()["content"], item["source"]);
        } else {
            let question = item["prompt"].as_str().unwrap();
            let right = item["correct_answer"].as_str().unwrap();
            let line = format!("{right}) {}", item["options"][right].as_str().unwrap());
            assert!(told.contains(question) && told.contains(&line), "{told}");
            // The right option is marked by nothing: it stands there once, like the others.
            assert_eq!(told.matches(&line).count(), 1);
            assert_eq!(
                messages.len(),
                1,
                "no translation instruction comes before a question"
            );
        }
    }
}

#[test]
fn a_program_is_asked_on_one_line() {
    let shop = shop();
    shop.write("answer.sh", PROGRAM);
    let run = ["dialect", "run", "items.json", "--method", "command:sh answer.sh"];
    let printed = shop
        .lydian(&[&run[..], &["--out", "r", "--json"]].concat())
        .expect(0);
    let printed: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(
        (&printed["schema"], &printed["items"], &printed["unanswered"]),
        (&"lydian.dialect-run/1".into(), &ITEMS.into(), &0.into())
    );
    let report = report(&shop, "r");
    let prompts = report["answers"]["run"]["prompts"].as_object().unwrap();
    let types: Vec<&String> = prompts.keys().collect();
    assert_eq!(types, ["T2", "T3", "T4"]);
    let right = report["items"].as_array().unwrap();
    let right = right.iter().filter(|item| item["letter"] == "C").count();
    assert_eq!(right, 10);
}

#[test]
fn recorded_answers_score_as_they_do_without_a_run() {
    let shop = shop();
    let run = [
        "dialect",
        "run",
        "items.json",
        "--predictions",
        "answers-first.jsonl",
    ];
    shop.lydian(&[&run[..], &["--out", "r"]].concat()).expect(0);
    let scored = shop
        .lydian(&["dialect", "score", "items.json", "answers-first.jsonl", "--json"])
        .expect(0);
    let scored: Value = serde_json::from_str(&scored.stdout).unwrap();
    let ran = report(&shop, "r");
    for part in ["items", "rows", "uncertain", "refusals", "gate_sha256", "dataset"] {
        assert_eq!(ran[part], scored[part], "{part}");
    }
}

#[test]
fn a_run_folder_is_scored_reported_and_compared_like_answers() {
    let shop = shop();
    for (run, answers) in [("one", "answers-first.jsonl"), ("two", "answers-second.jsonl")] {
        let arguments = [
            "dialect",
            "run",
            "items.json",
            "--predictions",
            answers,
            "--out",
            run,
        ];
        // The second set leaves one item out.
        let code = if run == "one" { 0 } else { 5 };
        shop.lydian(&arguments).expect(code);
    }
    let again = shop
        .lydian(&["dialect", "score", "items.json", "one", "--json"])
        .expect(0);
    let written = std::fs::read_to_string(shop.path("one/dialect-report.json")).unwrap();
    assert_eq!(again.stdout, written);
    for format in ["text", "markdown", "latex", "csv", "html"] {
        let reported = shop
            .lydian(&["dialect", "report", "one", "--format", format])
            .expect(0);
        let scored = shop
            .lydian(&["dialect", "score", "items.json", "one", "--format", format])
            .expect(0);
        assert_eq!(reported.stdout, scored.stdout, "{format}");
        if format == "html" {
            let page = std::fs::read_to_string(shop.path("one/report.html")).unwrap();
            assert_eq!(page, reported.stdout);
        }
    }
    let compare = |first: &str, second: &str| -> Value {
        let compared = shop
            .lydian(&["dialect", "compare", "items.json", first, second, "--json"])
            .expect(0);
        serde_json::from_str(&compared.stdout).unwrap()
    };
    let of_answers = compare("answers-first.jsonl", "answers-second.jsonl");
    assert_eq!(compare("one", "two")["tests"], of_answers["tests"]);
    let listed = shop.lydian(&["runs", "ls", "."]).expect(0);
    assert!(
        listed.stdout.contains("dialect report ./one"),
        "{}",
        listed.stdout
    );
    shop.lydian(&["runs", "rescore", "one"])
        .expect(2)
        .says("lydian dialect score");
}

#[test]
fn a_part_of_the_items_is_run_reported_and_compared_as_a_part() {
    let shop = shop();
    let run = |extra: &[&str]| {
        let all = [
            &[
                "dialect",
                "run",
                "items.json",
                "--predictions",
                "answers-first.jsonl",
            ],
            extra,
        ]
        .concat();
        shop.lydian(&all).expect(0)
    };
    run(&["--types", "T1", "--limit", "3", "--out", "few"]);
    run(&["--types", "t2,T4", "--out", "choices"]);
    run(&["--out", "all"]);
    let few = report(&shop, "few");
    assert_eq!(
        (
            &few["refusals"]["of"],
            &few["answers"]["run"]["complete"],
            &few["answers"]["missing"]
        ),
        (&3.into(), &false.into(), &0.into())
    );
    let choices = report(&shop, "choices");
    let types: std::collections::BTreeSet<&str> = choices["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["item_type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["T2", "T4"].into());
    let compared = shop
        .lydian(&["dialect", "compare", "items.json", "few", "all", "--json"])
        .expect(0);
    let compared: Value = serde_json::from_str(&compared.stdout).unwrap();
    assert_eq!(compared["dataset"]["items"], 3);
    assert_eq!(compared["left_out"].as_array().unwrap().len(), ITEMS - 3);
    shop.lydian(&["dialect", "compare", "items.json", "few", "choices"])
        .expect(3)
        .says("no item was asked of both");
}

#[test]
fn the_benchmarks_own_prompts_take_the_place_of_the_shipped_ones() {
    let server = Server::start(ANSWERS);
    let shop = with_method("m-ok");
    let given = "[T1]\nsystem = \"Du verstehst Dialekt.\"\nuser = \"Auf Hochdeutsch: {source}\"\n\
                 [T4]\nuser = \"{source}\\nFrage: {question}\\n{options}\\nNur der Buchstabe.\"\n";
    shop.write("prompts.toml", given);
    let run = [
        "dialect",
        "run",
        "items.json",
        "--method",
        "m",
        "--prompts",
        "prompts.toml",
    ];
    let shown = shop
        .lydian(&[&run[..], &["--show-prompt", "30"]].concat())
        .expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let messages = &shown["requests"][0]["body"]["messages"];
    assert_eq!(messages[0]["content"], "Du verstehst Dialekt.");
    assert!(
        messages[1]["content"]
            .as_str()
            .unwrap()
            .starts_with("Auf Hochdeutsch: ")
    );
    let last = &shown["requests"][29]["body"]["messages"][0]["content"];
    assert!(last.as_str().unwrap().ends_with("\nNur der Buchstabe."), "{last}");
    shop.lydian(&[&run[..], &["--base-url", &server.url(), "--out", "r"]].concat())
        .expect(0);
    let prompts = &report(&shop, "r")["answers"]["run"]["prompts"];
    let origin = |item_type: &str| prompts[item_type]["origin"].clone();
    assert_eq!(
        ["T1", "T2", "T3", "T4"].map(origin),
        ["given", "shipped", "shipped", "given"].map(Value::from)
    );
    shop.write("prompts.toml", "[T2]\nuser = \"{source} {question}\"\n");
    shop.lydian(&run)
        .expect(3)
        .says("prompts.toml: T2: user: the placeholder {options} is missing");
}

#[test]
fn a_method_whose_own_prompt_asks_questions_is_left_to_ask_them() {
    let shop = with_method("m-ok");
    let own = "system = \"Be brief.\"\nuser = \"\"\"\n{source}\nQ: {question}\n{options}\n\"\"\"\n";
    shop.write("m/prompts/default.toml", own);
    let shown = shop
        .lydian(&[
            "dialect",
            "run",
            "items.json",
            "--method",
            "m",
            "--show-prompt",
            "21",
        ])
        .expect(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    let translated = &shown["requests"][0]["body"]["messages"];
    let asked = &shown["requests"][20]["body"]["messages"];
    assert_eq!(translated[1]["content"], items(&shop)[0]["source"]);
    assert_eq!(asked[0]["content"], "Be brief.");
    assert!(asked[1]["content"].as_str().unwrap().contains("\nQ: "), "{asked}");
}

/// The provider's own signals: nothing is read into their texts.
#[test]
fn outcomes_are_counted_per_dialect() {
    let server = Server::start("");
    for (model, outcome, label) in [
        ("m-refusal", "refused", "refusal"),
        ("m-policy", "filtered", "empty"),
        ("m-empty", "empty", "empty"),
    ] {
        let shop = with_method(model);
        let run = [
            "dialect",
            "run",
            "items.json",
            "--method",
            "m",
            "--limit",
            "6",
            "--base-url",
        ];
        shop.lydian(&[&run[..], &[&server.url(), "--out", "r"]].concat())
            .expect(0);
        let report = report(&shop, "r");
        let row = &report["rows"][4];
        assert_eq!(row["outcomes"][outcome], 6, "{model}");
        let items = report["items"].as_array().unwrap();
        assert!(
            items
                .iter()
                .all(|item| item["label"] == label && item["score"] == 0),
            "{model}"
        );
        let refusals = if label == "refusal" { 6 } else { 0 };
        assert_eq!(report["refusals"]["count"], refusals, "{model}");
    }
}

#[test]
fn items_are_no_corpus_and_an_engine_is_asked_no_questions() {
    let shop = shop();
    shop.lydian(&["run", "items.json", "--method", "copy"])
        .expect(2)
        .says("`lydian dialect run ");
    shop.write_corpus(3);
    shop.lydian(&["dialect", "run", "corpus.json", "--method", "copy"])
        .expect(3)
        .says("not_dialect_items");
    shop.lydian(&["dialect", "run", "items.json"])
        .expect(2)
        .says("no method is named");
    shop.lydian(&["method", "init", "api", "engine"]).expect(0);
    let run = ["dialect", "run", "items.json", "--method", "engine", "--dry-run"];
    shop.lydian(&run).expect(2).says("--types T1");
    shop.lydian(&[&run[..], &["--types", "T1"]].concat()).expect(0);
    shop.lydian(&[&run[..5], &["--types", "T5"]].concat())
        .expect(2)
        .says("known types are T1, T2, T3, T4");
    assert!(!shop.path("runs").exists());
}

#[test]
fn secret_items_are_never_run() {
    let shop = shop();
    let text = std::fs::read_to_string(shop.path("items.json")).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    for item in file["entries"].as_array_mut().unwrap() {
        item["segment"] = "gold_standard".into();
    }
    shop.write("secret.json", &file.to_string());
    for choice in [&[][..], &["--segment", "gold_standard"], &["--ids", "1"]] {
        let run = ["dialect", "run", "secret.json", "--method", "copy"];
        shop.lydian(&[&run[..], choice].concat()).expect(2).says("secret");
    }
}

#[test]
fn the_source_as_answer_scores_nothing() {
    let shop = shop();
    shop.lydian(&["dialect", "run", "items.json", "--method", "copy", "--out", "r"])
        .expect(0);
    let report = report(&shop, "r");
    let items = report["items"].as_array().unwrap();
    assert!(items.iter().all(|item| item["score"] == 0));
    let translations = items.iter().filter(|item| item["item_type"] == "T1");
    assert!(
        translations
            .into_iter()
            .all(|item| item["decided_by"] == "source_echo")
    );
}

#[test]
fn items_that_stand_in_the_prompt_are_named() {
    let shop = with_method("m-ok");
    let reference = items(&shop)[2]["reference"].as_str().unwrap().to_owned();
    let given = format!("[T1]\nuser = \"\"\"\nBeispiel: {reference}\n{{source}}\n\"\"\"\n");
    shop.write("prompts.toml", &given);
    let server = Server::start(ANSWERS);
    let run = [
        "dialect",
        "run",
        "items.json",
        "--method",
        "m",
        "--prompts",
        "prompts.toml",
        "--base-url",
    ];
    let ended = shop
        .lydian(&[&run[..], &[&server.url(), "--out", "r"]].concat())
        .expect(0);
    assert_eq!(
        report(&shop, "r")["answers"]["run"]["shown_items"],
        serde_json::json!([3])
    );
    assert!(ended.stdout.contains("hold the text of 3\n"), "{}", ended.stdout);
}
