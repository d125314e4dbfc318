//! Holds the numbers in README and guide to what the commands print.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in crates/")
}

/// Returns the first line that a run of an example prints.
fn first_line(arguments: &[&str]) -> String {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let output = Command::new(env!("CARGO_BIN_EXE_lydian"))
        .current_dir(root())
        .arg("run")
        .args(arguments)
        .arg("--out")
        .arg(scratch.path().join("run"))
        .output()
        .expect("the command starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .next()
        .expect("a line")
        .to_owned()
}

/// Returns the score with its interval, as `60.1 (57.2–62.9)`.
fn score(arguments: &[&str]) -> String {
    let line = first_line(arguments);
    let (score, rest) = line.split_once(" chrF++ (").expect("a score with its interval");
    let score = score.rsplit(' ').next().expect("a score");
    let interval = rest.split(')').next().expect("an interval");
    format!("{score} ({interval})")
}

#[test]
fn the_readme_quotes_what_its_first_command_prints() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    assert!(readme.contains("cargo run --release -- run examples/por-glg\n"));
    assert!(
        readme.contains(&first_line(&["examples/por-glg"])),
        "README.md quotes another line"
    );
    let floor = score(&["examples/por-glg", "--method", "copy"]);
    let floor = floor.split(' ').next().expect("a score");
    assert!(
        readme.contains(&format!("scores {floor} (`--method copy`)")),
        "the floor is {floor}"
    );
}

#[test]
fn the_guide_tabulates_what_the_examples_score() {
    let guide = std::fs::read_to_string(root().join("docs/guide/getting-started.md")).expect("the guide");
    let rows: Vec<Vec<&str>> = guide
        .lines()
        .filter(|line| line.starts_with("| `examples/"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let example = row[0].trim_matches('`');
        assert_eq!(row[1], score(&[example]), "{example}");
        assert_eq!(row[2], score(&[example, "--method", "copy"]), "{example}, floor");
    }
}

/// Returns the results of the first example's run, by the output.
fn results() -> Vec<serde_json::Value> {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path().join("run");
    let output = Command::new(env!("CARGO_BIN_EXE_lydian"))
        .current_dir(root())
        .args(["run", "examples/por-glg", "--quiet", "--out"])
        .arg(&folder)
        .output()
        .expect("the command starts");
    assert!(output.status.success());
    let bytes = std::fs::read(folder.join("run-card.json")).expect("a card");
    let card: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    card["results"].as_array().expect("results").clone()
}

#[test]
fn the_page_for_speakers_quotes_sentences_and_scores_of_the_example() {
    let page = std::fs::read_to_string(root().join("docs/guide/for-speakers.md")).expect("the page");
    let results = results();
    let mut seen = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [_, output, reference, score] = cells.as_slice() else {
            continue;
        };
        let Ok(score) = score.parse::<f64>() else { continue };
        let found = results
            .iter()
            .find(|result| result["predicted"] == *output)
            .unwrap_or_else(|| panic!("no entry has the output {output}"));
        assert_eq!(found["expected"], *reference);
        let computed = found["chrf_score"].as_f64().expect("a score");
        assert_eq!(format!("{computed:.1}"), format!("{score:.1}"), "{output}");
        seen += 1;
    }
    assert_eq!(seen, 2);
    // The picture shows the numbers of the same run.
    let drawn = std::fs::read_to_string(root().join("docs/guide/chrf-60.svg")).expect("the picture");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    for number in ["60.1", "57.2–62.9", "43.8"] {
        assert!(readme.contains(number), "README.md no longer says {number}");
        assert!(drawn.contains(number) && page.contains(number), "{number}");
    }
}
