//! Cases that users of other tools reported, numbered, each as a test of what is right here; below them what was measured
//! on those tools.
use lydian_language::{
    Allowance, Analyser, Card, CheckedWord, Fallback, FstChecker, Language, LanguageTag, Rejection,
    SelfTestVerdict, TextCheck, Verdict, WordCache, source_names,
};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(name),
    )
    .unwrap()
}

fn toy(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../lydian-hfstol/tests/fixtures");
    std::fs::read(folder.join(name)).unwrap()
}

fn card() -> Card {
    let text = r#"
        schema = "lydian.language-card/1"
        language = "mul"
        names = { en = "Reported words" }
        scripts = ["Latn", "Cyrl", "Cans"]
        [words]
        allow = ["Saskatoon"]
        inner_spaces = ["\u202F"]
        [[orthography]]
        id = "circumflex"
        script = "Latn"
        normalise = [{ from = "ī", to = "î" }, { from = "ā", to = "â" }]
        [analyser]
        published_at = "tests/fixtures/reports.lexc"
        licence = "MIT OR Apache-2.0"
        tags = "plus"
        excluded_tags = ["+Err/*"]
        self_test = { accepts = ["atim", "tore"], rejects = ["xyz"], analyses = ["atim+N+Sg"] }
    "#;
    Card::parse("card.toml", text).unwrap()
}

fn check(text: &str) -> TextCheck {
    check_with(&fixture("reports.hfstol"), text)
}

fn check_with(bytes: &[u8], text: &str) -> TextCheck {
    let card = card();
    let analyser = Analyser::open(bytes.to_vec(), card.analyser.as_ref().unwrap()).unwrap();
    FstChecker::new(&analyser, &card, &[]).check(text, &BTreeSet::new())
}

fn verdicts(text: &str) -> Vec<(String, Verdict)> {
    check(text)
        .words
        .into_iter()
        .map(|CheckedWord { text, verdict }| (text, verdict))
        .collect()
}

fn accepted(text: &str, by: Fallback) {
    for (word, verdict) in verdicts(text) {
        assert_eq!(verdict, Verdict::Accepted(by), "{word} of {text}");
    }
}

fn rejected(text: &str) {
    assert_eq!(check(text).valid(), Some(false), "{text}");
}

fn suggestions(word: &str) -> Vec<String> {
    let card = card();
    let analyser = Analyser::open(fixture("reports.hfstol"), card.analyser.as_ref().unwrap()).unwrap();
    FstChecker::new(&analyser, &card, &[]).suggestions(word)
}

#[test]
fn report_01_giella_core_325_a_small_letter_does_not_stand_for_the_capital_of_a_name() {
    accepted("Trond Oslo", Fallback::AsIs);
    rejected("trond");
    accepted("tore", Fallback::AsIs);
    accepted("Tore", Fallback::Case);
}

#[test]
fn report_02_apertium_python_99_a_sentence_with_capitals_is_analysed() {
    let check = check("Сен қалай жасадың?");
    assert_eq!((check.accepted(), check.checked()), (3, 3));
}

#[test]
fn report_03_hfst_19_capitals_outside_ascii_are_folded() {
    accepted("Эртең", Fallback::Case);
    accepted("ЭРТЕҢ", Fallback::Case);
}

#[test]
fn report_04_divvunspell_39_and_22_capitals_throughout_are_accepted() {
    accepted("IDENTITETE OSLO", Fallback::Case);
}

#[test]
fn report_05_divvunspell_17_punctuation_after_a_word_is_no_part_of_it() {
    accepted("word, word. word; (word) “word” «word»", Fallback::AsIs);
}

#[test]
fn report_06_hfst_416_an_unknown_word_is_not_cut_into_letters() {
    assert_eq!(
        verdicts("aldsjf."),
        [("aldsjf".to_owned(), Verdict::Rejected(Rejection::NotFound))]
    );
}

#[test]
fn report_07_hfst_264_a_plus_tag_is_not_shadowed_by_the_plus_sign() {
    let generator = lydian_hfstol::Transducer::new(fixture("reports-generator.hfstol")).unwrap();
    assert_eq!(
        generator.lookup("båadtsoeh+A+Attr").analyses[0].text(),
        "båadtsoeh"
    );
}

#[test]
fn report_08_hfst_497_and_367_letters_with_combining_marks_are_found_in_both_normal_forms() {
    for text in ["bək̓ʷ kunst́", "bək\u{313}ʷ kunst\u{301}"] {
        assert_eq!(check(text).valid(), Some(true), "{text}");
    }
}

#[test]
fn report_09_giella_core_26_decomposed_text_is_accepted() {
    accepted("niwa\u{302}pama\u{302}w", Fallback::AsIs);
}

#[test]
fn report_10_morphodict_970_macrons_lead_to_the_forms_the_analyser_knows() {
    accepted("ījīn", Fallback::Orthography);
    accepted("niwāpamāw Niwāpamāw", Fallback::Orthography);
}

#[test]
fn report_11_morphodict_218_unmarked_vowel_length_is_rejected_with_the_right_word_beside() {
    rejected("kihci-mohkoman");
    assert_eq!(suggestions("kihci-mohkoman")[0], "kihci-môhkomân");
    assert_eq!(suggestions("Kihci-mohkoman")[0], "kihci-môhkomân");
}

#[test]
fn report_12_morphodict_148_an_apostrophe_of_any_kind_stays_in_the_word() {
    accepted("tân'si ka-nis'tohtaht", Fallback::AsIs);
    accepted("tân’si ka-nis’tohtaht", Fallback::Punctuation);
}

#[test]
fn report_13_morphodict_314_syllabics_carry_a_narrow_space_where_latin_letters_carry_a_hyphen() {
    let cree = Language::builtin(&LanguageTag::parse("crk").unwrap()).unwrap();
    let checker = cree.orthography_checker().unwrap();
    let misspelt = |text: &str| {
        let found = checker.check(text, &BTreeSet::new());
        (found.words, found.misspelt.len())
    };
    assert_eq!(misspelt("ᑮ\u{202f}ᐚᐸᒣᐤ"), (1, 0));
    assert_eq!(misspelt("ᑮ-ᐚᐸᒣᐤ"), (1, 1));
    assert_eq!(misspelt("kî-wâpamêw"), (1, 0));
}

#[test]
fn report_14_morphodict_928_a_relaxed_reading_does_not_accept_a_word() {
    let error_tag = Verdict::Rejected(Rejection::ExcludedTag("+Err/Orth".to_owned()));
    assert_eq!(
        verdicts("k-êsi-pimâcihocik"),
        [("k-êsi-pimâcihocik".to_owned(), error_tag)]
    );
    let fragment = Verdict::Rejected(Rejection::ExcludedTag("+Err/Frag".to_owned()));
    assert_eq!(verdicts("atimô")[0].1, fragment);
    accepted("âtimw", Fallback::AsIs);
}

#[test]
fn report_15_giella_core_151_capitals_after_digits_are_folded() {
    accepted("1700-LOHKU 1700-Lohku", Fallback::Case);
    accepted("1700-lohku", Fallback::AsIs);
}

#[test]
fn report_16_giella_core_160_and_251_digits_with_letters_are_words_and_digits_alone_are_not() {
    let check = check("21bieivi 3-juvllatsihkkel 2026");
    assert_eq!((check.accepted(), check.checked(), check.skipped), (1, 2, 1));
}

#[test]
fn report_17_giella_core_128_a_hyphen_compound_with_a_name_is_one_word() {
    assert_eq!(verdicts("heajos-Oslo").len(), 1);
    accepted("heajos-Oslo", Fallback::AsIs);
}

#[test]
fn report_18_giella_core_167_repeated_hyphens_do_not_join_words() {
    rejected("abstr------muorra");
    accepted("abstr-muorra", Fallback::AsIs);
}

#[test]
fn report_19_hfst_445_a_guesser_takes_unknown_letters_only() {
    let transducer = lydian_hfstol::Transducer::new(toy("unknown.olw.hfstol")).unwrap();
    assert!(transducer.lookup("tak").analyses.is_empty());
    assert_eq!(transducer.lookup("lin").analyses[0].text(), "lin+Guess");
}

#[test]
fn report_20_hfst_263_flags_are_obeyed_in_compounds() {
    let transducer = lydian_hfstol::Transducer::new(toy("compound.olw.hfstol")).unwrap();
    for (word, count) in [
        ("mo", 1),
        ("sel", 1),
        ("rimo", 0),
        ("selri", 0),
        ("riri", 1),
        ("elsegå", 0),
    ] {
        assert_eq!(transducer.lookup(word).analyses.len(), count, "{word}");
    }
}

#[test]
fn report_21_uralic_nlp_19_generation_yields_the_form() {
    let generator = lydian_hfstol::Transducer::new(fixture("reports-generator.hfstol")).unwrap();
    assert_eq!(generator.lookup("käsi+N+Sg+Par").analyses[0].text(), "kättä");
}

#[test]
fn report_22_hfst_402_placeholders_of_the_format_are_never_printed() {
    let transducer = lydian_hfstol::Transducer::new(toy("unknown.olw.hfstol")).unwrap();
    for word in ["foobara", "@_UNKNOWN_SYMBOL_@", "x漢"] {
        for analysis in transducer.lookup(word).analyses {
            assert!(
                word.contains('@') || !analysis.text().contains('@'),
                "{word}: {}",
                analysis.text()
            );
        }
    }
}

#[test]
fn a_prefix_of_a_word_with_a_foreign_character_is_no_word() {
    for word in ["atimz", "niwâpamâwx", "atim漢", "atimж"] {
        rejected(word);
    }
    // A symbol is no letter: the word stands before it.
    accepted("atim😀", Fallback::AsIs);
}

#[test]
fn the_self_test_tells_a_generator_and_a_dead_file_from_an_analyser() {
    let card = card();
    let verdict = |bytes| {
        Analyser::open(bytes, card.analyser.as_ref().unwrap())
            .unwrap()
            .self_test()
    };
    assert_eq!(verdict(fixture("reports.hfstol")), SelfTestVerdict::Works);
    assert_eq!(
        verdict(fixture("reports-generator.hfstol")),
        SelfTestVerdict::Generator
    );
    assert_eq!(verdict(toy("weighted.olw.hfstol")), SelfTestVerdict::Dead);
}

#[test]
fn names_and_loan_words_are_counted_apart() {
    let mut card = card();
    let analyser = Analyser::open(fixture("reports.hfstol"), card.analyser.as_ref().unwrap()).unwrap();
    let names = source_names("Yesterday I saw Montréal.", &card);
    assert_eq!(names, BTreeSet::from(["Montréal".to_owned()]));
    let mut checker = FstChecker::new(&analyser, &card, &["Regina".to_owned()]);
    let check = checker.check("atim Saskatoon Regina Montréal Yesterday xyz", &names);
    let allowed = |at: usize| check.words[at].verdict.clone();
    assert_eq!(allowed(1), Verdict::Allowed(Allowance::Listed));
    assert_eq!(allowed(2), Verdict::Allowed(Allowance::Listed));
    assert_eq!(allowed(3), Verdict::Allowed(Allowance::SourceName));
    assert_eq!((check.accepted(), check.checked(), check.allowed()), (1, 3, 3));
    card.nouns_capitalised = true;
    assert!(source_names("Gestern sah ich Montréal.", &card).is_empty());
}

#[test]
fn a_text_without_words_has_no_verdict_and_a_long_word_is_rejected() {
    assert_eq!(check("... 2026 — 12:30").valid(), None);
    assert_eq!(check("").valid(), None);
    assert_eq!(
        verdicts(&"a".repeat(600))[0].1,
        Verdict::Rejected(Rejection::TooLong)
    );
}

#[test]
fn an_analyser_that_is_not_the_pinned_one_is_refused() {
    let mut analyser = card().analyser.unwrap();
    analyser.sha256 = Some("0".repeat(64));
    let error = Analyser::open(fixture("reports.hfstol"), &analyser)
        .unwrap_err()
        .to_string();
    assert!(error.contains("the card pins 0000"), "{error}");
    assert!(Analyser::open(b"junk".to_vec(), &card().analyser.unwrap()).is_err());
}

#[test]
fn checkers_that_share_a_cache_look_a_word_up_once() {
    let card = card();
    let analyser = Analyser::open(fixture("reports.hfstol"), card.analyser.as_ref().unwrap()).unwrap();
    let text = "atim tore xyz Atim atim xyz";
    let cache = Arc::new(WordCache::default());
    let check = |text: &str| {
        let mut checker = FstChecker::new(&analyser, &card, &[]).sharing(&cache);
        checker.check(text, &BTreeSet::new())
    };
    let first = check(text);
    let words = cache.len();
    assert_eq!((first.words.len(), words), (6, 4));
    assert_eq!(check(text), first);
    assert_eq!(cache.len(), words);
    assert_eq!(
        FstChecker::new(&analyser, &card, &[]).check(text, &BTreeSet::new()),
        first
    );
}
