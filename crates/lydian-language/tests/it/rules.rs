//! Orthography, terminology and equivalence by the rules of a card.
use lydian_language::{
    Analyser, Card, EqualTo, Equivalence, EquivalentMatch, FstChecker, Glossary, LanguageTag, Misspelling,
    OrthographyChecker, Rule, VariantLint, source_names, terminology,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

fn card(rest: &str) -> Card {
    let head = "schema = \"lydian.language-card/1\"\nlanguage = \"crk\"\nnames = { en = \"Plains Cree\" }\nscripts = [\"Latn\", \"Cans\"]\n";
    Card::parse("card.toml", &format!("{head}{rest}")).unwrap()
}

fn cree() -> Card {
    card(
        r#"
        [[orthography]]
        id = "sro"
        script = "Latn"
        scored = true
        letters = "a â c ê h i î k m n o ô p s t w y"
        loan_letters = "l r"
        never_together = [["â", "ê", "î", "ô"], ["ā", "ē", "ī", "ō"]]
        normalise = [{ from = "ā", to = "â" }, { from = "ē", to = "ê" }]
        violation = [{ text = "aa", reason = "length is marked with a circumflex" }]
        [[orthography]]
        id = "sro-macron"
        script = "Latn"
        scored = true
        letters = "a ā c ē h i ī k m n o ō p s t w y"
        violation = [{ text = "aa", reason = "length is marked with a macron" }]
        [[orthography]]
        id = "syllabics"
        script = "Cans"
        scored = true
        letters = "ᐁ ᐚ ᐸ ᒫ ᐟ"
        violation = [{ text = "-", reason = "syllabics write no hyphen" }]
        "#,
    )
}

fn misspelt(text: &str) -> Vec<(String, Misspelling)> {
    let checker = OrthographyChecker::new(&cree()).unwrap();
    let check = checker.check(text, &source_names("I saw Buck today.", &cree()));
    check.misspelt.into_iter().map(|m| (m.word, m.problem)).collect()
}

#[test]
fn words_in_any_norm_of_the_card_are_right() {
    assert_eq!(misspelt("niwâpamâw atim, Buck kî-lorêkêw 2026."), []);
    assert_eq!(misspelt("niwāpamāw atim"), []);
    assert_eq!(misspelt("ᐁᐚᐸᒫᐟ"), []);
    let check = OrthographyChecker::new(&cree())
        .unwrap()
        .check("atim wxz", &BTreeSet::new());
    assert_eq!((check.words, check.correct()), (2, 1));
}

#[test]
fn foreign_letters_forbidden_spellings_and_mixed_conventions_are_named() {
    assert_eq!(misspelt("dog")[0].1, Misspelling::Letter("d".into()));
    assert!(matches!(&misspelt("atiim waa")[0].1, Misspelling::Forbidden { text, .. } if text == "aa"));
    assert_eq!(
        misspelt("niwâpamâw wāpam"),
        [("wāpam".into(), Misspelling::Mixed("ā".into()))]
    );
    assert_eq!(misspelt("собака")[0].1, Misspelling::Script("Cyrl"));
}

#[test]
fn morphodict_314_syllabics_carry_no_hyphen() {
    assert!(matches!(&misspelt("ᐁ-ᐚᐸᒫᐟ")[0].1, Misspelling::Forbidden { text, .. } if text == "-"));
}

#[test]
fn a_card_without_a_settled_norm_gives_no_score() {
    assert!(OrthographyChecker::new(&card("")).is_none());
    let letters_only = card("[[orthography]]\nid = \"x\"\nscript = \"Latn\"\nletters = \"a b\"\n");
    assert!(OrthographyChecker::new(&letters_only).is_none());
}

fn plain(tag: &str) -> Card {
    Card::unknown(&LanguageTag::parse(tag).unwrap())
}

fn terms(glossary: &str, source: &str, output: &str) -> Vec<(String, usize, usize)> {
    let glossary = Glossary::parse("g.tsv", &format!("source\ttarget\tforbidden\n{glossary}")).unwrap();
    let mut english = plain("eng");
    english.lexicon.endings = vec!["s".into()];
    let mut uses: Vec<_> = terminology(&glossary, (&english, &plain("fra")), (source, output), None)
        .into_iter()
        .map(|u| (u.term, u.expected, u.rendered))
        .collect();
    uses.sort();
    uses
}

#[test]
fn terms_are_counted_by_occurrence_at_word_borders() {
    let found = terms("cat\tchat", "A cat and a cat.", "les achats du chat");
    assert_eq!(found, [("cat".into(), 2, 1)]);
    assert_eq!(terms("cat\tchat", "The category.", "chat"), []);
    assert_eq!(
        terms("king\troi", "Two kings.", "Deux roi"),
        [("king".into(), 1, 1)]
    );
}

#[test]
fn signs_and_decomposed_letters_and_scripts_without_spaces_are_found() {
    assert_eq!(
        terms("C++\tC++", "Learn C++ now", "Apprends C++ !"),
        [("C++".into(), 1, 1)]
    );
    assert_eq!(
        terms("C++\tC++", "Learn C++ now", "Apprends XC++ !"),
        [("C++".into(), 1, 0)]
    );
    assert_eq!(
        terms("school\técole", "A school", "une e\u{301}cole"),
        [("school".into(), 1, 1)]
    );
    assert_eq!(terms("cat\tแมว", "A cat", "ฉันมีแมวสองตัว"), [("cat".into(), 1, 1)]);
}

#[test]
fn the_longest_term_takes_its_words_and_a_forbidden_rendering_takes_one_away() {
    let found = terms(
        "New York\tNew York\nNew York City\tNYC",
        "New York City is big.",
        "NYC est grande.",
    );
    assert_eq!(found, [("New York City".into(), 1, 1)]);
    assert_eq!(
        terms("cat\tchat\tminet", "A cat.", "Un chat, un minet."),
        [("cat".into(), 1, 0)]
    );
}

#[test]
fn a_broken_glossary_names_the_line() {
    for (text, message) in [
        (
            "cat\tchat\n",
            "g.tsv line 1: the first line has to be: source TAB target [TAB forbidden]",
        ),
        (
            "source\ttarget\ncat\n",
            "g.tsv line 2: a term needs a source and at least one target",
        ),
        (
            "source\ttarget\ncat\tchat\n\ncat\tminou\n",
            "g.tsv line 4: `cat` stands in the glossary already",
        ),
        (
            "source\ttarget\na\tb\tc\td\n",
            "g.tsv line 2: more than three columns",
        ),
    ] {
        assert_eq!(Glossary::parse("g.tsv", text).unwrap_err().to_string(), message);
    }
}

fn equivalent(card: &Card, output: &str, reference: &str) -> Option<Vec<Rule>> {
    Equivalence::new(card)
        .find(output, reference, &[], None)
        .map(|m| m.rules)
}

fn rules() -> Card {
    card(
        r#"
        [[orthography]]
        id = "sro"
        script = "Latn"
        normalise = [{ from = "ā", to = "â" }]
        [equivalence]
        optional_words = ["êkwa", "mâka"]
        synonyms = [["atim", "acimosis"]]
        free_word_order = true
        loose_attachment = true
        "#,
    )
}

#[test]
fn the_fewest_rules_that_make_texts_equal_are_named() {
    let card = rules();
    for (output, reference, expected) in [
        ("niwâpamâw atim", " niwâpamâw atim ", vec![]),
        ("“niwâpamâw atim”", "«niwâpamâw atim»", vec![Rule::Typography]),
        ("niwāpamāw atim", "niwâpamâw atim", vec![Rule::Spelling]),
        ("kî wâpamêw", "kî-wâpamêw", vec![Rule::Attachment]),
        ("êkwa niwâpamâw", "niwâpamâw", vec![Rule::OptionalWord]),
        ("niwâpamâw acimosis", "niwâpamâw atim", vec![Rule::Synonym]),
        ("Atim niwâpamâw", "Niwâpamâw atim", vec![Rule::WordOrder]),
        (
            "Acimosis êkwa niwāpamāw.",
            "Niwâpamâw atim",
            vec![
                Rule::Typography,
                Rule::Spelling,
                Rule::OptionalWord,
                Rule::Synonym,
                Rule::WordOrder,
            ],
        ),
    ] {
        assert_eq!(
            equivalent(&card, output, reference),
            Some(expected),
            "{output} / {reference}"
        );
    }
}

#[test]
fn other_words_other_questions_other_numbers_and_empty_outputs_are_not_equal() {
    let card = rules();
    for (output, reference) in [
        ("minôs", "atim"),
        ("atim?", "atim."),
        ("2 atim", "3 atim"),
        ("", "êkwa"),
        ("atim atim", "atim"),
        ("", ""),
    ] {
        assert_eq!(
            equivalent(&card, output, reference),
            None,
            "{output} / {reference}"
        );
    }
    assert_eq!(
        equivalent(&plain("fra"), "b a", "a b"),
        None,
        "word order is free only where the card says so"
    );
}

#[test]
fn a_listed_variant_is_named_by_its_number() {
    let card = plain("crk");
    let variants = ["tânisi".to_owned(), "wâciyê".to_owned()];
    let found = Equivalence::new(&card)
        .find("wâciyê", "tân'si", &variants, None)
        .unwrap();
    assert_eq!(
        found,
        EquivalentMatch {
            to: EqualTo::Variant(1),
            rules: vec![]
        }
    );
}

#[test]
fn synonyms_compare_lemmas_with_equal_tags_through_the_analyser() {
    let mut card = card(
        r#"
        [equivalence]
        synonyms = [["atim", "minôs"]]
        synonym_level = "lemma"
        [analyser]
        published_at = "tests/fixtures/morphology.lexc"
        licence = "MIT OR Apache-2.0"
        tags = "plus"
        self_test = { accepts = ["atim"] }
        "#,
    );
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/morphology.hfstol");
    let analyser = Analyser::open(std::fs::read(file).unwrap(), card.analyser.as_ref().unwrap()).unwrap();
    card.equivalence.free_word_order = true;
    let mut checker = FstChecker::new(&analyser, &card, &[]);
    let rules = Equivalence::new(&card);
    let mut find = |output: &str, reference: &str| {
        rules
            .find(output, reference, &[], Some(&mut checker))
            .map(|m| m.rules)
    };
    assert_eq!(find("minôs", "atim"), Some(vec![Rule::Synonym]));
    assert_eq!(find("minôs", "atimwak"), None, "another number");
    assert_eq!(
        find("atim niwâpamâw", "niwâpamâw atim"),
        Some(vec![Rule::WordOrder])
    );
}

#[test]
fn free_word_order_moves_no_negation_to_another_word() {
    let card = card(
        r#"
        [lexicon]
        negation_words = ["ne"]
        [equivalence]
        free_word_order = true
        "#,
    );
    for (output, reference, equal) in [
        ("la katon la viro ne vidas", "la viro ne vidas la katon", true),
        (
            "la viro vidas la katon la hundo ne vidas",
            "la viro ne vidas la katon la hundo vidas",
            false,
        ),
        (
            "vidas la hundon kaj ne la katon",
            "ne vidas la hundon kaj la katon",
            false,
        ),
        ("mi vidas ke li ne venas", "mi ne vidas ke li venas", false),
    ] {
        let expected = equal.then(|| vec![Rule::WordOrder]);
        assert_eq!(
            equivalent(&card, output, reference),
            expected,
            "{output} / {reference}"
        );
    }
}

#[test]
fn a_negation_is_no_optional_word() {
    let text = r#"
        [lexicon]
        negation_words = ["ne"]
        [equivalence]
        optional_words = ["tre", "ne"]
        "#;
    let head = "schema = \"lydian.language-card/1\"\nlanguage = \"epo\"\nnames = { en = \"Esperanto\" }\nscripts = [\"Latn\"]\n";
    let error = Card::parse("card.toml", &format!("{head}{text}"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("optional_words: `ne` negates"), "{error}");
}

#[test]
fn hitting_the_very_reference_every_time_is_suspicious() {
    let same = EquivalentMatch {
        to: EqualTo::Reference,
        rules: vec![],
    };
    let other = EquivalentMatch {
        to: EqualTo::Variant(0),
        rules: vec![],
    };
    let lint = |found: &[Option<&EquivalentMatch>]| {
        let mut lint = VariantLint::default();
        for found in found {
            lint.add(*found);
        }
        lint.is_suspicious()
    };
    assert!(lint(&[Some(&same); 10]));
    assert!(!lint(&[Some(&same); 9]));
    let mut mixed = vec![Some(&same); 15];
    mixed.extend([Some(&other), Some(&other), None]);
    assert!(!lint(&mixed));
}
