//! Detectors of code-switching and hallucination on single outputs and on bad runs.
use lydian_language::{FindingKind, Findings, Language, LanguageTag, Pair, detect, numbers};

fn language(tag: &str) -> Language {
    Language::builtin(&LanguageTag::parse(tag).unwrap()).unwrap()
}

fn findings(languages: (&str, &str), source: &str, output: &str) -> Findings {
    let (from, to) = (language(languages.0), language(languages.1));
    detect(&from, &to, &[Pair { source, output }]).remove(0)
}

fn kinds(languages: (&str, &str), source: &str, output: &str) -> Vec<FindingKind> {
    findings(languages, source, output)
        .findings
        .into_iter()
        .map(|f| f.kind)
        .collect()
}

#[test]
fn right_translations_of_reported_cases_are_not_accused() {
    for (languages, source, output) in [
        (
            ("eng", "deu"),
            "The dog sees the cat.",
            "Der Hund sieht die Katze.",
        ),
        (
            ("eng", "fra"),
            "Call 555 123 4567 today",
            "Appelez 555 123 4567 aujourd'hui",
        ),
        (
            ("eng", "deu"),
            "Anna, Peter, Maria and Josef are coming.",
            "Anna, Peter, Maria und Josef kommen.",
        ),
        (("eng", "fin"), "OK", "Kyllä, sopii hyvin"),
        (("eng", "fin"), "Tom", "Tom"),
        (
            ("eng", "tha"),
            "Our class has forty-five students.",
            "ห้องเรียนของเรามีนักเรียน 45 คน",
        ),
        (
            ("eng", "cym"),
            "Tom supports Swansea.",
            "Mae Tom yn cefnogi Abertawe.",
        ),
        (
            ("dan", "fao"),
            "New York er den største by i verden.",
            "New York er størsti býurin í heimin.",
        ),
        (("eng", "guj"), "There are 300,000 people.", "૩૦૦૦૦૦ લોકો છે."),
        (
            ("eng", "fra"),
            "The train leaves at 7 pm.",
            "Le train part à 19 heures.",
        ),
        (("eng", "mya"), "What is life?", "ဘ၀ ဆိုတာ ဘာလဲ"),
        (
            ("eng", "deu"),
            "See https://example.org for {name}.",
            "Siehe https://example.org für {name}.",
        ),
        (("eng", "zsm"), "Ha ha ha ha!", "Ha ha ha ha!"),
    ] {
        let found = findings(languages, source, output);
        let copied_laughter = source == output && source.starts_with("Ha");
        assert!(
            found.findings.is_empty() || copied_laughter,
            "{output}: {found:?}"
        );
    }
}

#[test]
fn a_copy_of_the_source_is_both_faults() {
    for (languages, text) in [
        (("eng", "crk"), "The cat sleeps."),
        (("eng", "fra"), "Hello."),
        (("fra", "hau"), "Le président a démissionné hier."),
        (("por", "glg"), "A casa do meu pai é grande."),
    ] {
        let found = findings(languages, text, text);
        assert!(
            found.code_switching() && found.hallucination(),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn source_words_in_the_output_are_found_wherever_they_stand() {
    for (output, kind) in [
        ("niwâpamâw the dog and the cat", FindingKind::SourceRun),
        ("niwâpamâw the atim and minôs", FindingKind::SourceWords),
    ] {
        let found = kinds(("eng", "crk"), "I see the dog and the cat.", output);
        assert!(found.contains(&kind), "{output}: {found:?}");
    }
    assert_eq!(
        kinds(("eng", "tha"), "I drink cold water", "ฉันดื่ม cold water"),
        [FindingKind::SourceScript]
    );
    let apart = kinds(
        ("eng", "fra"),
        "a man in the house was old",
        "was vieux man house",
    );
    assert!(
        !apart.contains(&FindingKind::SourceRun),
        "no run: the words stand apart"
    );
}

#[test]
fn verdicts_do_not_depend_on_the_order_of_entries() {
    let (from, to) = (language("eng"), language("arb"));
    let mut pairs: Vec<Pair<'_>> = (0..12)
        .map(|_| Pair {
            source: "Good morning",
            output: "صباح الخير",
        })
        .collect();
    pairs.insert(
        0,
        Pair {
            source: "Fine, thank you",
            output: "fine thank you",
        },
    );
    let forward = detect(&from, &to, &pairs);
    pairs.reverse();
    let mut backward = detect(&from, &to, &pairs);
    backward.reverse();
    assert_eq!(forward, backward);
    assert!(forward[0].code_switching() && forward[1].findings.is_empty());
}

#[test]
fn loops_of_words_phrases_and_characters_are_found() {
    for output in [
        "talo talo talo talo",
        "minä olen täällä minä olen täällä minä olen täällä",
        "ja sitten hän lähti kotiin ja sitten hän lähti kotiin",
        "kotiinkotiinkotiinkotiinkotiin",
        "aaaaaaaaaaaaaaaa",
    ] {
        assert_eq!(
            kinds(("eng", "fin"), "He went home.", output),
            [FindingKind::Loop],
            "{output}"
        );
    }
    assert_eq!(
        kinds(("eng", "tha"), "I drink water", "ฉันดื่มน้ำฉันดื่มน้ำฉันดื่มน้ำฉันดื่มน้ำ"),
        [FindingKind::Loop]
    );
    assert_eq!(
        kinds(("eng", "fin"), "No, no, no, no!", "Ei, ei, ei, ei!"),
        [],
        "the source repeats as often"
    );
}

#[test]
fn numbers_and_markup_without_counterpart_are_found() {
    let eng_fin = ("eng", "fin");
    assert_eq!(
        kinds(eng_fin, "I have 17 cows.", "Minulla on 18 lehmää."),
        [FindingKind::Number]
    );
    assert_eq!(
        kinds(eng_fin, "I have cows.", "Minulla on 18 lehmää."),
        [FindingKind::Number]
    );
    assert_eq!(
        kinds(eng_fin, "I have one cow.", "Minulla on 1847 lehmää."),
        [FindingKind::Number]
    );
    assert_eq!(
        kinds(eng_fin, "I have eighteen cows.", "Minulla on 18 lehmää."),
        []
    );
    assert_eq!(
        kinds(eng_fin, "I have 18 cows.", "Minulla on kahdeksantoista lehmää."),
        []
    );
    assert_eq!(
        kinds(eng_fin, "Hello {name}!", "Hei {nimi}!"),
        [FindingKind::Markup]
    );
    assert_eq!(kinds(eng_fin, "Hello %s!", "Hei!"), [FindingKind::Markup]);
    assert_eq!(
        kinds(eng_fin, "Read it.", "Lue se: https://example.com/x"),
        [FindingKind::Markup]
    );
}

#[test]
fn a_third_script_is_hallucination_and_the_scripts_of_the_card_are_not() {
    assert_eq!(
        kinds(("eng", "fin"), "We go home.", "Мы идём домой."),
        [FindingKind::WrongScript]
    );
    assert_eq!(
        kinds(("eng", "tha"), "We go home.", "เรา 回家"),
        [FindingKind::WrongScript]
    );
    assert_eq!(kinds(("eng", "crk"), "I see him.", "ᓂᐚᐸᒫᐤ"), []);
    assert_eq!(kinds(("eng", "kaz"), "You eat meat.", "Sen et jeısiń."), []);
}

#[test]
fn an_output_far_longer_than_the_others_is_an_outlier_and_short_runs_have_none() {
    let (from, to) = (language("eng"), language("fin"));
    let sources: Vec<String> = (0..20)
        .map(|i| format!("The house number {i} is red today."))
        .collect();
    let mut outputs: Vec<String> = (0..20)
        .map(|i| format!("Talo numero {i} on tänään punainen."))
        .collect();
    let tail = (0..60)
        .map(|i| char::from(b'a' + i % 26).to_string() + "jutella ")
        .collect::<String>();
    outputs[7].push_str(&tail);
    let pairs: Vec<Pair<'_>> = sources
        .iter()
        .zip(&outputs)
        .map(|(source, output)| Pair { source, output })
        .collect();
    let found = detect(&from, &to, &pairs);
    assert!(
        found[7].findings.iter().any(|f| f.kind == FindingKind::Length),
        "{:?}",
        found[7]
    );
    assert!(
        found
            .iter()
            .enumerate()
            .all(|(i, f)| i == 7 || f.findings.is_empty())
    );
    assert!(
        detect(&from, &to, &pairs[5..9])[2]
            .findings
            .iter()
            .all(|f| f.kind != FindingKind::Length)
    );
}

#[test]
fn a_run_that_copies_or_leaks_everywhere_is_found_everywhere() {
    let (from, to) = (language("eng"), language("fin"));
    let sources: Vec<String> = (0..30)
        .map(|i| format!("The old man walked to house number {i} with his dog."))
        .collect();
    let leaking: Vec<String> = (0..30)
        .map(|i| format!("Vanha mies walked to house number {i} koiran kanssa."))
        .collect();
    let copied: Vec<Pair<'_>> = sources.iter().map(|s| Pair { source: s, output: s }).collect();
    assert!(detect(&from, &to, &copied).iter().all(Findings::code_switching));
    let leaked: Vec<Pair<'_>> = sources
        .iter()
        .zip(&leaking)
        .map(|(source, output)| Pair { source, output })
        .collect();
    assert!(detect(&from, &to, &leaked).iter().all(Findings::code_switching));
}

#[test]
fn an_empty_output_has_no_findings_of_its_own() {
    assert!(
        findings(("eng", "fin"), "Hello {name} 17", "  ")
            .findings
            .is_empty()
    );
}

#[test]
fn numbers_are_read_in_every_script_and_notation() {
    for (text, expected) in [
        ("1,234,567 and 3.14", vec!["1234567", "3", "14"]),
        ("٣٠٠ ୧୨", vec!["300", "12"]),
        ("1 234 12:30 007", vec!["1", "234", "12", "30", "7"]),
        ("1\u{202f}234", vec!["1234"]),
        ("ဘ၀", vec![]),
    ] {
        assert_eq!(numbers(text), expected, "{text}");
    }
}

#[test]
fn the_longest_run_is_shown_also_where_every_word_repeats() {
    let source = format!("{}the dog and the cat", "dog ".repeat(20_000));
    let output = "niwâpamâw dog dog niya the dog and the cat niya the dog and";
    let found = findings(("eng", "crk"), &source, output);
    let runs: Vec<_> = found
        .findings
        .iter()
        .filter(|finding| finding.kind == FindingKind::SourceRun)
        .map(|finding| finding.evidence.as_str())
        .collect();
    // The words of the source that are compared end before its only passage.
    assert_eq!(runs, Vec::<&str>::new());
    let found = findings(("eng", "crk"), &source[64_000..], output);
    assert!(
        found
            .findings
            .iter()
            .any(|finding| finding.evidence == "the dog and the cat"),
        "{found:?}"
    );
}

#[test]
fn a_small_word_of_the_source_tells_close_relatives_apart() {
    let galician = ("por", "glg");
    let source = "Ela vive com os outros na cidade.";
    assert_eq!(
        kinds(galician, source, "Ela vive com os outros na vila."),
        [FindingKind::SourceRun]
    );
    assert_eq!(kinds(galician, source, "Ela vive cos outros na cidade."), []);
    // The same words without one could stand in either language.
    let either = "A casa grande é branca.";
    assert_eq!(kinds(galician, either, "A casa grande é alta."), []);
}
