//! Real analysers answer as `hfst-lookup` does. `scripts/make-analysers target/analysers` makes them.
#![expect(clippy::print_stdout, reason = "a skipped test says why")]
use lydian_hfstol::{Acceptance, Limit, Transducer};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ANALYSERS: [&str; 4] = [
    "hin-apertium",
    "urd-apertium",
    "fin-voikko",
    "fin-omorfi-describe",
];

fn analysers() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/analysers");
    if !folder.join("hin-apertium.hfstol").exists() {
        println!("skipped: no analysers in target/analysers: run scripts/make-analysers target/analysers");
        return None;
    }
    Some(folder)
}

/// word → its lines `analysis TAB weight` as the reference tool prints them.
fn hfst_lookup(file: &Path, words: &[&str]) -> Option<BTreeMap<String, Vec<String>>> {
    let started = Command::new("hfst-lookup")
        .args(["--quiet", "--input"])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else {
        println!("skipped: hfst-lookup is not installed");
        return None;
    };
    let mut input = child.stdin.take().unwrap();
    let text = words.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .filter(|l| !l.is_empty())
    {
        let (word, rest) = line.split_once('\t').unwrap();
        answers.entry(word.to_owned()).or_default().push(rest.to_owned());
    }
    Some(answers)
}

fn compare(folder: &Path, name: &str, limit: usize) -> usize {
    let file = folder.join(format!("{name}.hfstol"));
    let text = std::fs::read_to_string(folder.join(format!("{name}.words"))).unwrap();
    let mut words: Vec<&str> = text.lines().take(limit).collect();
    words.sort_unstable();
    words.dedup();
    let Some(reference) = hfst_lookup(&file, &words) else {
        return 0;
    };
    let transducer = Transducer::new(std::fs::read(&file).unwrap()).unwrap();
    let mut searcher = transducer.searcher();
    let mut compared = 0;
    for word in words {
        let Some(expected) = reference.get(word) else {
            continue;
        };
        let found = searcher.lookup(word);
        assert!(
            matches!(found.truncated, None | Some(Limit::Cycle)),
            "{name}: {word}: {found:?}"
        );
        let accepted = searcher.accepts(word) == Acceptance::Accepted;
        assert_eq!(
            accepted,
            expected[0] != format!("{word}+?\tinf"),
            "{name}: {word}: {expected:?}"
        );
        compared += 1;
        if !accepted || found.truncated.is_some() {
            continue;
        }
        let mut ours: Vec<String> = found
            .analyses
            .iter()
            .map(|a| format!("{}\t{:.6}", a.text(), a.weight()))
            .collect();
        let mut theirs = expected.clone();
        ours.sort_unstable();
        theirs.sort_unstable();
        // The reference tool lists an analysis once per path; here each stands once.
        theirs.dedup();
        assert_eq!(ours, theirs, "{name}: {word}");
    }
    compared
}

#[test]
fn thousands_of_words_have_the_analyses_of_the_reference_tool() {
    let Some(folder) = analysers() else { return };
    let compared: usize = ANALYSERS.iter().map(|name| compare(&folder, name, 2_000)).sum();
    assert!(
        compared == 0 || compared > 5_000,
        "only {compared} words were compared"
    );
}

#[test]
#[ignore = "takes minutes: cargo test -p lydian-hfstol -- --ignored"]
fn a_hundred_thousand_words_have_the_analyses_of_the_reference_tool() {
    let Some(folder) = analysers() else { return };
    let compared: usize = ANALYSERS
        .iter()
        .map(|name| compare(&folder, name, usize::MAX))
        .sum();
    println!("{compared} words compared");
    assert!(compared > 100_000, "only {compared} words were compared");
}
