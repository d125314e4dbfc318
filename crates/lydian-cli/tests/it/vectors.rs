//! Checks the three worked run cards that the documentation shows.

use std::path::{Path, PathBuf};
use std::process::Command;

use lydian_model::{Sha256Hex, canonical_bytes};
use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in crates/")
}

fn vectors() -> Vec<(PathBuf, Value)> {
    ["copy", "part", "model"]
        .map(|name| {
            let file = root().join("fixtures/vectors").join(name).with_extension("json");
            let text = std::fs::read_to_string(&file).expect("a vector");
            let card = serde_json::from_str(&text).expect("a card");
            assert_eq!(
                text.into_bytes(),
                [canonical_bytes(&card), b"\n".to_vec()].concat(),
                "{name}"
            );
            (file, card)
        })
        .into()
}

/// Returns the eight components as the documentation states them, taken from the card alone.
fn components(card: &Value) -> Value {
    let file = card["dataset"]["sha256"].as_str().expect("a digest");
    let ids = card["selection"]["entry_ids"].as_array().expect("ids");
    let ids: Vec<String> = ids
        .iter()
        .map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned))
        .collect();
    let selection = Sha256Hex::of_canonical(&ids);
    let dataset = if card["selection"]["complete"] == true {
        file.to_owned()
    } else {
        Sha256Hex::of(format!("{file}:{selection}").as_bytes())
            .as_str()
            .to_owned()
    };
    json!({
        "batch_size": card["batch_size"].as_u64().unwrap_or(1),
        "condition": card["condition"],
        "dataset.sha256": dataset,
        "harness_version": card["harness_version"],
        "model_slug": card["model_slug"],
        "system_prompt_sha256": card["system_prompt_sha256"],
        "temperature": card["temperature"],
        "tools_enabled": card["tools_enabled"],
    })
}

#[test]
fn fingerprints_are_those_of_the_documented_bytes() {
    let page = std::fs::read_to_string(root().join("docs/specification/identity.md")).expect("the page");
    for (file, card) in vectors() {
        let bytes = canonical_bytes(&components(&card));
        let fingerprint = Sha256Hex::of(&bytes);
        assert_eq!(card["fingerprint"], fingerprint.as_str(), "{}", file.display());
        let shown = String::from_utf8(bytes).expect("UTF-8");
        assert!(page.contains(&shown), "identity.md does not show {shown}");
        assert!(
            page.contains(fingerprint.as_str()),
            "identity.md does not show {fingerprint:?}"
        );
    }
}

#[test]
fn setup_fingerprints_cover_the_eight_components_and_eight_more() {
    const FURTHER: [&str; 8] = [
        "coaching_data_sha256",
        "endpoint",
        "fst_version",
        "max_retries",
        "method_sha256",
        "parameters",
        "post_processing",
        "seed",
    ];
    for (file, card) in vectors() {
        let mut setup = components(&card);
        for name in FURTHER {
            setup[name] = card[name].clone();
        }
        let digest = Sha256Hex::of_canonical(&setup);
        assert_eq!(card["setup_fingerprint"], digest.as_str(), "{}", file.display());
    }
}

#[test]
fn hashes_cover_the_card_with_an_empty_hash() {
    for (file, card) in vectors() {
        let mut emptied = card.clone();
        emptied["run_card_hash"] = json!("");
        assert_eq!(
            card["run_card_hash"],
            Sha256Hex::of_canonical(&emptied).as_str(),
            "{}",
            file.display()
        );
    }
}

#[test]
fn worked_cards_are_intact() {
    for (file, _) in vectors() {
        let output = Command::new(env!("CARGO_BIN_EXE_lydian"))
            .args(["card", "verify"])
            .arg(&file)
            .output()
            .expect("the command starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}
