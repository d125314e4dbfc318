//! Nothing that stands in a corpus, a card, a manifest or any other file acts on the terminal it is shown on.

use serde_json::{Value, json};

use crate::run::workshop::{Ended, Workshop};

/// Moves the cursor, sets the title, turns the direction of what follows, begins a line, in C0, C1 and format characters.
const HOSTILE: &str =
    "a\u{202e}b\u{2066}c\u{1b}[2Jd\u{1b}]0;t\u{7}e\u{9b}Kf\u{85}g\u{7f}h\u{2028}i\rj\u{202b}k";
/// What an identifier may hold of it.
const HOSTILE_ID: &str = "a\u{202e}b\u{2066}c\u{2028}d";

/// Returns what of a text acts on a terminal, beside the colours of the program's own words.
fn active(text: &str) -> Vec<char> {
    let mut text = text.to_owned();
    for color in ["0", "1", "2", "31", "32", "33", "34", "35", "36"] {
        text = text.replace(&format!("\u{1b}[{color}m"), "");
    }
    text.chars()
        .filter(|character| {
            matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
                || (character.is_control() && !matches!(character, '\n' | '\t'))
        })
        .collect()
}

fn lydian(shop: &Workshop, arguments: &[&str]) -> Ended {
    let mut command = shop.command(arguments);
    // On a pipe every escape sequence would be taken out, foreign ones too.
    command.args(["--color", "always"]).env_remove("NO_COLOR");
    let ended: Ended = command.output().expect("lydian starts").into();
    for (stream, text) in [("stdout", &ended.stdout), ("stderr", &ended.stderr)] {
        let found = active(text);
        assert!(
            found.is_empty(),
            "{arguments:?}: {stream} holds {found:?}: {text:?}"
        );
        assert!(!text.contains("panicked"), "{arguments:?}: {text}");
    }
    ended
}

/// Writes a corpus, two methods and two runs full of characters that act on terminals.
fn shop() -> Workshop {
    let shop = Workshop::new();
    let entry = |id: &str, segment: &str| {
        json!({"id": id, "source": HOSTILE, "reference": format!("{HOSTILE} {HOSTILE}"), "segment": segment,
            "difficulty": 2, "provenance": HOSTILE, "register": HOSTILE, "context": HOSTILE, "domain": "edu",
            "notes": HOSTILE, "variants": [HOSTILE], HOSTILE: HOSTILE, "refrence": HOSTILE})
    };
    let corpus = json!({
        "dataset": {"id": HOSTILE, "version": "1.0.0", "language_pair": HOSTILE, "source_language": "pt",
            "target_language": "gl", "created": "2026-11-30", "license": "CC0-1.0", "provenance": [HOSTILE]},
        "entries": [entry(HOSTILE_ID, "development"), entry("2", "development"), entry("3", "development")]
    });
    shop.write("corpus.json", &corpus.to_string());
    shop.write(
        "broken.json",
        &json!({"entries": [{"id": 1, "source": 1, HOSTILE: 2, "domain": HOSTILE, "segment": HOSTILE}]})
            .to_string(),
    );
    for (name, output) in [("one", HOSTILE.to_owned()), ("two", format!("{HOSTILE}!"))] {
        std::fs::create_dir(shop.path(name)).expect("a folder");
        let manifest = json!({"name": format!("{HOSTILE} {name}"), "method_id": name, "class": "api",
            "description": HOSTILE, "version": HOSTILE, "condition": HOSTILE,
            "entry_point": {"type": "replay", "predictions": "p.jsonl", "engine": HOSTILE}, "dependencies": [
                {"id": HOSTILE, "kind": "service", "license": "proprietary", "access": "external-api", "notes": HOSTILE}]});
        shop.write(&format!("{name}/method.json"), &manifest.to_string());
        let lines: String = [HOSTILE_ID, "2", "3"]
            .iter()
            .map(|id| json!({"id": id, "output": output}).to_string() + "\n")
            .collect();
        shop.write(&format!("{name}/p.jsonl"), &lines);
        lydian(
            &shop,
            &[
                "run",
                "corpus.json",
                "--method",
                name,
                "--out",
                &format!("run {name}"),
            ],
        )
        .expect(0);
    }
    shop
}

#[test]
fn no_command_hands_a_terminal_what_files_hold() {
    let shop = shop();
    for arguments in [
        &["card", "run one"][..],
        &["card", "cite", "run one"],
        &["card", "verify", "run one", "--corpus", "corpus.json"],
        &["compare", "run one", "run two"],
        &["compare", "run one", "run two", "--format", "markdown"],
        &["report", "run one", "run two", "--out", "r.html"],
        &["runs", "ls", "."],
        &["runs", "show", "run one"],
        &["runs", "diff", "run one", "run two", "--all"],
        &["runs", "rescore", "run one"],
        &["corpus", "stats", "corpus.json"],
        &["run", "corpus.json", "--method", "one", "--dry-run"],
        &["config", "explain", "corpus.json", "--method", "one"],
        &["method", "check", "one"],
    ] {
        lydian(&shop, arguments).expect(0);
    }
    for arguments in [
        &["corpus", "validate", "corpus.json", "--all"][..],
        &["corpus", "validate", "corpus.json", "--onboarding"],
        &["corpus", "validate", "broken.json"],
        &["corpus", "split", "corpus.json", "--out", "parts", "--seed", "1"],
        &["run", "broken.json", "--method", "copy"],
        &["run", "corpus.json", "--method", HOSTILE],
        &["run", HOSTILE, "--method", "copy"],
        &["dialect", "validate", "corpus.json"],
        &["explain", HOSTILE],
        &["card", HOSTILE],
        &["language", "show", HOSTILE],
        &["method", "class", HOSTILE],
        &[HOSTILE],
        &["run", "corpus.json", "--segment", HOSTILE],
    ] {
        lydian(&shop, arguments);
    }
}

#[test]
fn figures_plans_and_scores_hold_nothing_for_the_terminal() {
    let shop = Workshop::new();
    let assumptions = shop.lydian(&["cost", "--assumptions"]).expect(0).stdout;
    // TOML takes controls only as escapes.
    let escaped: String = HOSTILE
        .chars()
        .map(|character| format!("\\U{:08X}", u32::from(character)))
        .collect();
    let hostile = assumptions.replace("speakers, corpus", &escaped);
    assert_ne!(hostile, assumptions);
    shop.write("mine.toml", &hostile);
    let costed = lydian(&shop, &["cost", "language", "--from", "mine.toml"]).expect(0);
    assert!(costed.stdout.contains("a\u{FFFD}b\u{FFFD}c"), "{}", costed.stdout);

    shop.write(
        "sweep.toml",
        &format!("schema = \"lydian/sweep@1\"\nname = \"s\"\ncorpus = \"{escaped}\"\n[axes]\n\"{escaped}\" = [\"{escaped}\"]\n[[method]]\nid = \"m\"\nmethod = \"{escaped}\"\n"),
    );
    lydian(&shop, &["sweep", "plan", "sweep.toml"]);
    lydian(&shop, &["cost", "sweep", "sweep.toml"]);

    let system = format!("hyp {HOSTILE_ID}\u{1b}[2J");
    shop.write("ref", "one two three four\nfive six seven eight\n");
    for name in [system.as_str(), "hyp2"] {
        shop.write(name, &format!("one {HOSTILE} two\nfive six\n"));
    }
    for arguments in [
        &["score", "ref", "-i", &system, "-m", "chrf", "bleu"][..],
        &["score", "ref", "-i", &system, "hyp2", "-m", "chrf", "-f", "text"],
        &["score", "ref", "-i", &system, "hyp2", "-m", "chrf", "-f", "json"],
        &["score", "ref", "-i", &system, "hyp2", "-m", "chrf", "-f", "latex"],
        &["score", "ref", "-i", &system, "hyp2", "-m", "chrf", "-f", "tsv"],
        &[
            "score", "ref", "-i", &system, "hyp2", "-m", "chrf", "-f", "markdown",
        ],
        &["score", "ref", "-i", &system, "hyp2", "-m", "chrf", "--json"],
        &[
            "score",
            "ref",
            "-i",
            &system,
            "hyp2",
            "-m",
            "chrf",
            "--paired-ar",
            "-f",
            "text",
        ],
        &["score", "ref", "-i", &system, "-m", "chrf", "--explain", "1"],
    ] {
        lydian(&shop, arguments).expect(0);
    }
}

#[test]
fn json_is_exact() {
    let shop = shop();
    let printed = |arguments: &[&str]| -> Value {
        serde_json::from_str(&lydian(&shop, arguments).expect(0).stdout).expect("JSON")
    };
    let card = printed(&["card", "run one", "--json"]);
    assert_eq!(card["method_name"], format!("{HOSTILE} one"));
    assert_eq!(card["results"][1]["predicted"], HOSTILE);
    let compared = printed(&["compare", "run one", "run two", "--json"]);
    assert_eq!(compared["dataset"]["id"], HOSTILE);
    let citation = printed(&["card", "cite", "run one", "--json"]);
    assert!(citation["text"].as_str().expect("text").contains(HOSTILE));
}

#[test]
fn a_document_for_programs_keeps_every_byte() {
    let shop = shop();
    let printed = shop
        .lydian(&["corpus", "convert", "corpus.json", "--to", "jsonl"])
        .expect(0)
        .stdout;
    shop.lydian(&["corpus", "convert", "corpus.json", "-o", "c.jsonl"])
        .expect(0);
    let written = std::fs::read_to_string(shop.path("c.jsonl")).expect("the file");
    assert_eq!(printed, written);
    assert!(printed.contains('\u{202e}'));
}
