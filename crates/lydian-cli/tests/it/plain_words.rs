//! What people without training in computers meet: words that agree, and files that are not what they seem.

use serde_json::{Value, json};

use crate::run::workshop::{Workshop, corpus};

/// Returns places where the number one stands before a plural, a sentence has two full stops, or a metric has the name
/// that documents give it.
fn clumsy(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plural = |word: &str| {
        let word = word.trim_end_matches(|character: char| !character.is_alphanumeric());
        word.len() > 3
            && word.ends_with('s')
            && !word.ends_with("ss")
            && !["uses", "this", "does"].contains(&word)
    };
    let mut found: Vec<String> = words
        .windows(3)
        .filter(|found| found[0] == "1" && (plural(found[1]) || found[2] == "have" || found[2] == "hold"))
        .map(|found| found.join(" "))
        .collect();
    found.extend(
        words
            .iter()
            .filter(|word| word.ends_with("..") && !word.ends_with("..."))
            .chain(words.iter().filter(|word| word.contains("chrf_plus_plus")))
            .map(|word| (*word).to_owned()),
    );
    found
}

fn one_entry() -> Value {
    json!({"id": 1, "source": "One word.", "reference": "Unha palabra.", "segment": "development", "difficulty": 1,
        "provenance": "textbook", "register": "formal", "domain": "edu"})
}

#[test]
fn one_of_a_thing_is_not_called_many() {
    let shop = Workshop::new();
    shop.write("corpus.json", &corpus(&[one_entry()]).to_string());
    let mut gold = one_entry();
    gold["segment"] = "gold_standard".into();
    shop.write("gold.json", &corpus(&[gold]).to_string());
    shop.write("short.jsonl", "{\"id\": 1, \"output\": \"\"}\n");
    shop.write("t.tsv", "source\treference\n\"a \"\"b\"\" c\"\tx\n");
    shop.write(
        "t.tmx",
        "<tmx version=\"1.4\"><header srclang=\"pt\"/><body><tu><tuv xml:lang=\"pt\"><seg>a<ph/></seg></tuv>\
         <tuv xml:lang=\"gl\"><seg>b</seg></tuv></tu><tu><tuv xml:lang=\"pt\"><seg>c</seg></tuv></tu></body></tmx>",
    );
    shop.write("ref", "a\u{200b} b c\n\nc d\n");
    shop.write("hyp", "a b c\nx\nc d\n");
    shop.write("one", "a b\n");
    for arguments in [
        &["corpus", "validate", "corpus.json", "--onboarding", "--all"][..],
        &["corpus", "stats", "corpus.json"],
        &["corpus", "import", "t.tsv", "-o", "tsv.json"],
        &["corpus", "import", "t.tmx", "-o", "tmx.json"],
        &["corpus", "convert", "corpus.json", "--to", "text", "-o", "only"],
        &["run", "gold.json", "--method", "copy"],
        &["run", "corpus.json", "--method", "copy", "--dry-run"],
        &["run", "corpus.json", "--method", "copy", "--out", "r"],
        &["run", "corpus.json", "--predictions", "short.jsonl", "--out", "s"],
        &["card", "r"],
        &["card", "cite", "r"],
        &["card", "verify", "r", "--corpus", "corpus.json"],
        &["compare", "r", "s"],
        &["compare", "r", "s", "--format", "markdown"],
        &["runs", "diff", "r", "s"],
        &["runs", "ls", "."],
        &["runs", "show", "r"],
        &["cost", "programme", "--languages", "1", "--new", "1"],
        &["language", "show", "glg"],
        &[
            "score", "ref", "-i", "hyp", "-m", "chrf", "--source", "hyp", "-f", "text",
        ],
        &["score", "ref", "-i", "one", "-m", "chrf", "-f", "text"],
    ] {
        let ended = shop.lydian(arguments);
        let text = format!("{}\n{}", ended.stdout, ended.stderr);
        let found = clumsy(&text);
        assert!(found.is_empty(), "{arguments:?}: {found:?} in {text}");
    }
}

#[test]
fn a_file_of_an_office_program_is_called_what_it_is() {
    let shop = Workshop::new();
    let zip = |content: &str| [&b"PK\x03\x04\x14\0"[..], content.as_bytes()].concat();
    let utf_16: Vec<u8> = std::iter::once(0xFEFF)
        .chain("{\"entries\": []}".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    for (name, bytes, what, remedy) in [
        (
            "c.docx",
            zip("[Content_Types].xml word/document.xml"),
            "document of a word processor (.docx)",
            "copy the sentences into a spreadsheet",
        ),
        (
            "c.ods",
            zip("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
            "OpenDocument spreadsheet (.ods)",
            "save it as an Excel workbook (.xlsx) or as CSV",
        ),
        (
            "c.xlsx",
            zip("[Content_Types].xml xl/workbook.xml"),
            "Excel workbook",
            "makes a corpus of it",
        ),
        ("c.json", utf_16, "text in UTF-16", "save it again as UTF-8"),
        (
            "c.csv",
            b"source;reference\na;b\n".to_vec(),
            "",
            "makes a corpus of it",
        ),
    ] {
        std::fs::write(shop.path(name), bytes).expect("a file");
        shop.lydian(&["run", name, "--method", "copy"])
            .expect(3)
            .says(what)
            .says(remedy);
    }
    shop.lydian(&["corpus", "import", "c.docx", "-o", "x.json"])
        .expect(3)
        .says("copy the sentences into a spreadsheet");
    shop.lydian(&[
        "corpus",
        "import",
        "c.csv",
        "-o",
        "from-semicolons.json",
        "--source-language",
        "pt",
        "--target-language",
        "gl",
    ])
    .expect(0);
}

#[test]
fn curly_quotation_marks_are_pointed_at() {
    let shop = Workshop::new();
    shop.write("c.json", "{\n“entries”: [{\"id\": 1}]\n}");
    shop.write("d.json", "[{\"id”: 1, \"source\": \"a\", \"reference\": \"b\"}]");
    std::fs::create_dir(shop.path("m")).expect("a folder");
    shop.write("m/method.json", "{\n\"name\": “m”}");
    shop.write("good.json", &corpus(&[one_entry()]).to_string());
    std::fs::create_dir(shop.path("e")).expect("a folder");
    shop.write("e/example.toml", "corpus = “c.json”\nmethod = \"copy\"\n");
    shop.write("mine.toml", "schema = “x”\n");
    for (arguments, mark) in [
        (&["corpus", "validate", "c.json"][..], "“"),
        (&["corpus", "validate", "d.json"], "”"),
        (&["run", "good.json", "--method", "m"], "“"),
        (&["run", "e"], "“"),
        (&["cost", "language", "--from", "mine.toml"], "“"),
    ] {
        let ended = shop.lydian(arguments).expect(3);
        let text = format!("{}{}", ended.stdout, ended.stderr);
        assert!(
            text.contains(&format!("curly quotation mark {mark} stands where")),
            "{arguments:?}: {text}"
        );
    }
}

#[test]
fn a_field_under_another_name_leads_to_its_own() {
    let shop = Workshop::new();
    for (name, words) in [
        ("translation", "rename \"translation\" to reference"),
        ("target", "rename \"target\" to reference"),
        ("ref", "rename \"ref\" to reference"),
        (
            "hypothesis",
            "add reference, or rename \"hypothesis\" if it holds it",
        ),
    ] {
        shop.write(
            "c.json",
            &json!([{"id": 1, "source": "a", name: "b"}]).to_string(),
        );
        shop.lydian(&["run", "c.json", "--method", "copy"])
            .expect(3)
            .says(words);
    }
}

#[test]
fn a_run_that_did_not_end_leads_to_its_continuation() {
    let shop = Workshop::new();
    shop.write("corpus.json", &corpus(&[one_entry()]).to_string());
    for name in ["a", "b"] {
        shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", name])
            .expect(0);
    }
    std::fs::remove_file(shop.path("b/run-card.json")).expect("a card");
    for arguments in [&["compare", "a", "b"][..], &["card", "b"], &["report", "a", "b"]] {
        shop.lydian(arguments).expect(2).says("`lydian resume b`");
    }
}
