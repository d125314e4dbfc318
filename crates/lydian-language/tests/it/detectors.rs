//! The detectors on real translations: false alarms and recall.
#![expect(clippy::print_stdout, reason = "a skipped test says why")]
use lydian_language::{Audit, FindingKind, Language, LanguageTag, Pair, audit, detect};
use std::path::PathBuf;

struct Corpus {
    name: String,
    source_language: String,
    target_language: String,
    pairs: Vec<(String, String)>,
}

fn corpora() -> Vec<Corpus> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/corpora");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: no corpora at {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = files.map(|f| f.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "json"))
        .map(|p| read(&p))
        .collect()
}

fn read(path: &std::path::Path) -> Corpus {
    let value: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
    Corpus {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        source_language: text(&value["language_pair"]["source"]),
        target_language: text(&value["language_pair"]["target"]),
        pairs: value["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| (text(&e["source"]), text(&e["reference"])))
            .collect(),
    }
}

fn language(tag: &str) -> Language {
    Language::builtin(&LanguageTag::parse(tag).unwrap()).unwrap()
}

/// Faults of which at least 95 of 100 have to be found.
const NAMED: [&str; 11] = [
    "source_copied",
    "sentence_loop",
    "phrase_loop",
    "number_changed",
    "number_invented",
    "address_invented",
    "address_changed",
    "placeholder_changed",
    "placeholder_lost",
    "wrong_script",
    "source_words_together",
];

#[test]
fn human_translations_raise_few_alarms_and_planted_faults_are_found() {
    let mut halves = [Audit::default(), Audit::default()];
    for (number, corpus) in corpora().into_iter().enumerate() {
        let pairs: Vec<Pair<'_>> = corpus
            .pairs
            .iter()
            .map(|(source, output)| Pair { source, output })
            .collect();
        let result = audit(
            &language(&corpus.source_language),
            &language(&corpus.target_language),
            &pairs,
        );
        let most = (result.entries / 50).max(1);
        assert!(
            result.false_alarms <= most,
            "{}: {:?}",
            corpus.name,
            result.alarms
        );
        halves[number % 2].add(&result);
    }
    for half in halves.iter().filter(|half| half.entries > 0) {
        assert!(
            half.false_alarms * 200 < half.entries,
            "{} of {}",
            half.false_alarms,
            half.entries
        );
        for kind in NAMED {
            let recall = half.recall[kind];
            assert!(recall.found * 100 >= recall.planted * 95, "{kind}: {recall:?}");
        }
        // Of all pairs, also those in which names are not looked for.
        for (kind, percent) in [("name_changed", 25), ("name_invented", 40)] {
            let recall = half.recall[kind];
            assert!(
                recall.found * 100 >= recall.planted * percent,
                "{kind}: {recall:?}"
            );
        }
    }
}

#[test]
fn long_formal_text_between_related_languages_raises_few_alarms() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut all = Audit::default();
    for name in ["por-glg", "fra-cat", "mkd-bul", "rus-ukr", "bre-fra"] {
        let value: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join(name).join("corpus.json")).unwrap()).unwrap();
        let text = |v: &serde_json::Value| v.as_str().unwrap().to_owned();
        let entries: Vec<(String, String)> = value["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| (text(&e["source"]), text(&e["reference"])))
            .collect();
        let pairs: Vec<Pair<'_>> = entries
            .iter()
            .map(|(source, output)| Pair { source, output })
            .collect();
        let (from, to) = name.split_once('-').unwrap();
        let result = audit(&language(from), &language(to), &pairs);
        assert!(result.false_alarms <= 1, "{name}: {:?}", result.alarms);
        all.add(&result);
    }
    assert_eq!(all.entries, 276);
}

/// Returns the numbers that the source is said not to have.
fn numbers_found(source: &str, target: &str, text: &str, output: &str) -> Option<String> {
    let pair = Pair { source: text, output };
    let found = detect(&language(source), &language(target), &[pair]);
    let numbers = found[0].findings.iter().filter(|f| f.kind == FindingKind::Number);
    numbers.map(|finding| finding.evidence.clone()).next()
}

#[test]
fn a_changed_number_is_found_though_it_resembles_the_right_one() {
    for (text, output, number) in [
        ("He was born in 1948.", "Er ist 1984 geboren.", "1984"),
        ("He was born in 1948.", "Er ist 8491 geboren.", "8491"),
        ("He was born in 1948.", "Er ist 48 geboren.", "48"),
        ("We have 12 dogs.", "Wir haben 21 Hunde.", "21"),
        ("We have 12 dogs.", "Wir haben 24 Hunde.", "24"),
        ("I am with 12 dogs.", "Ich bin mit 24 Hunden da.", "24"),
        ("We have 12 dogs.", "Wir haben 1200 Hunde.", "1200"),
        ("We have 12 dogs.", "Wir haben 1912 Hunde.", "1912"),
        ("I wrote three letters.", "Ich schrieb 30 Briefe.", "30"),
        ("I wrote three letters.", "Ich schrieb 37 Briefe.", "37"),
        ("I wrote three letters.", "Ich schrieb 300 Briefe.", "300"),
        (
            "Three men wrote seven letters.",
            "3 Männer schrieben 1984 Briefe.",
            "1984",
        ),
        ("Call 555 1234 now.", "Ruf jetzt 555 1243 an.", "1243"),
    ] {
        assert_eq!(
            numbers_found("eng", "deu", text, output).as_deref(),
            Some(number),
            "{output}"
        );
    }
    let article = numbers_found("fra", "deu", "J'ai vu un chien.", "Ich sah 12 Hunde.");
    assert_eq!(article.as_deref(), Some("12"));
}

#[test]
fn the_same_number_in_another_form_is_none_that_the_source_lacks() {
    for (source, text, output) in [
        ("eng", "Call 555 1234 now.", "Ruf jetzt 5 551 234 an."),
        ("eng", "Come at 3 p.m. today.", "Komm heute um 15 Uhr."),
        ("eng", "It was 9:30 in the evening.", "Es war 21:30 am Abend."),
        (
            "eng",
            "The winter of 2018–19 was cold.",
            "Der Winter 2019 war kalt.",
        ),
        ("eng", "The class of '48 met.", "Die Klasse von 1948 traf sich."),
        ("eng", "It has 3 million people.", "Es hat 3000000 Einwohner."),
        (
            "eng",
            "He was born in nineteen eighty-four.",
            "Er ist 1984 geboren.",
        ),
        (
            "eng",
            "We have two thousand three hundred and forty-five books.",
            "Wir haben 2345 Bücher.",
        ),
        (
            "fra",
            "Il a quatre-vingt-dix-sept ans et moi vingt et un.",
            "Er ist 97 und ich 21.",
        ),
        ("spa", "Tengo treinta y dos libros.", "Ich habe 32 Bücher."),
    ] {
        assert_eq!(numbers_found(source, "deu", text, output), None, "{output}");
    }
}

/// Returns what is said of the names of the last pair, which stands among the others in one run.
fn names_found(source: &str, target: &str, pairs: &[(&str, &str)]) -> Option<String> {
    let pairs: Vec<Pair<'_>> = pairs
        .iter()
        .map(|(source, output)| Pair { source, output })
        .collect();
    let found = detect(&language(source), &language(target), &pairs);
    let names = found.last()?.findings.iter();
    names
        .filter(|finding| finding.kind == FindingKind::Name)
        .map(|finding| finding.evidence.clone())
        .next()
}

#[test]
fn a_name_that_the_source_does_not_have_is_found() {
    let found = |target, source, output| names_found("eng", target, &[(source, output)]);
    assert_eq!(
        found("fao", "He lives in Boston.", "Hann býr í Okafor."),
        Some("Boston→Okafor".into())
    );
    assert_eq!(
        found("kaz", "I saw Laurie.", "Мен кеше Петровты көрдім.").as_deref(),
        Some("Laurie→Петровты")
    );
    assert_eq!(
        found("fao", "The rain has stopped.", "Nú er Marchetti steðgað.").as_deref(),
        Some("Marchetti")
    );
    // A translated name may have any form, also where it opens the sentence; a second name may not.
    assert_eq!(
        found("cym", "Swansea is in the west.", "Yn y gorllewin mae Abertawe."),
        None
    );
    assert_eq!(
        found("cym", "She speaks English.", "Mae hi'n siarad Saesneg."),
        None
    );
    assert_eq!(
        found(
            "cym",
            "Laurie saw how Boston speaks English.",
            "Gwelodd Laurie sut mae Okafor yn siarad Saesneg."
        )
        .as_deref(),
        Some("Boston→Okafor Saesneg")
    );
}

#[test]
fn names_in_another_spelling_script_or_case_are_no_inventions() {
    for (source, target, text, output) in [
        (
            "eng",
            "kaz",
            "I met Charlie in Samarkand.",
            "Мен Чарлиді Самарқандта кездестірдім.",
        ),
        ("eng", "uzb", "He lives in Bukhara.", "U Buxoroda yashaydi."),
        ("eng", "zul", "We saw Tom.", "Sibone uTom."),
        // Nouns have capitals, or the language has no list of names that translate, or no capitals at all.
        (
            "eng",
            "deu",
            "The rain has stopped.",
            "Jetzt hat der Regen aufgehört.",
        ),
        ("fra", "hau", "Il parle anglais.", "Yana jin Ingilishi."),
        ("eng", "tha", "He lives in Boston.", "เขาอยู่ Okafor"),
    ] {
        assert_eq!(names_found(source, target, &[(text, output)]), None, "{output}");
    }
}

#[test]
fn what_other_outputs_call_the_same_person_is_that_person() {
    let others = [
        ("This is Tom.", "ʻO Koma koʻu inoa."),
        ("I know Tom well.", "Ua ʻike au iā Koma."),
    ];
    let last = ("We like Tom's dog.", "Makemake mākou i ka ʻīlio a Koma.");
    assert!(names_found("eng", "haw", &[last]).is_some());
    assert_eq!(names_found("eng", "haw", &[others[0], others[1], last]), None);
}
