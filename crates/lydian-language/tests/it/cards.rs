//! Language cards: what is wrong with one is said with file, line and field.
use lydian_language::{
    BuiltinCard, Card, Language, LanguageTag, OrthographyChecker, Profile, normalise, source_names,
};
use std::collections::BTreeSet;

const HEAD: &str = "schema = \"lydian.language-card/1\"\nlanguage = \"crk\"\nnames = { en = \"Plains Cree\" }\nscripts = [\"Latn\"]\n";

fn error(text: &str) -> String {
    Card::parse("card.toml", text).unwrap_err().to_string()
}

#[test]
fn mistakes_name_file_line_and_field() {
    let analyser = "[analyser]\npublished_at = \"x\"\nlicence = \"MIT\"\ntags = \"plus\"\nself_test = { accepts = [\"a\"] }\n";
    for (text, expected) in [
        (
            format!("{HEAD}colour = 1\n"),
            "card.toml line 5: unknown field `colour`",
        ),
        (
            format!("{HEAD}[words]\njoiner = []\n"),
            "card.toml line 6: unknown field `joiner`",
        ),
        (
            HEAD.replace("crk", "Plains Cree"),
            "card.toml line 2: `Plains Cree` is not a well-formed BCP 47 language tag",
        ),
        (
            HEAD.replace("/1", "/9"),
            "card.toml line 1: schema is `lydian.language-card/9`",
        ),
        (
            HEAD.replace("Latn", "latin"),
            "card.toml line 4: script `latin` is no ISO 15924 code",
        ),
        (
            HEAD.replace("[\"Latn\"]", "[]"),
            "card.toml line 4: scripts: at least one",
        ),
        (
            HEAD.replace("en =", "fr ="),
            "card.toml line 3: names: `en` is missing",
        ),
        (
            format!("{HEAD}{analyser}file = \"crk.hfstol\"\n"),
            "card.toml line 10: analyser: `crk.hfstol` has no sha256 that pins it",
        ),
        (
            format!("{HEAD}{analyser}file = \"a\"\nsha256 = \"ABC\"\n"),
            "card.toml line 11: analyser: sha256 is not 64",
        ),
        (
            format!("{HEAD}{}", analyser.replace("[\"a\"]", "[]")),
            "card.toml line 9: analyser: self_test.accepts lists no word",
        ),
        (
            format!("{HEAD}[words]\nallow_file = \"../x\"\n"),
            "card.toml line 6: allow list: `../x` leads out",
        ),
        (
            format!("{HEAD}[words]\njoiners = [\"ab\"]\n"),
            "card.toml line 6: words: `ab` is not one character",
        ),
        (
            format!(
                "{HEAD}[scoring.tiers]\nfluent = 0.5\ndeployable = 0.7\nfunctional = 0.3\nemerging = 0.1\n"
            ),
            "scoring.tiers: the bounds have to fall",
        ),
        (
            format!("{HEAD}[[orthography]]\nid = \"x\"\nscript = \"Cyrl\"\n"),
            "orthography `x`: script `Cyrl` is not among the scripts",
        ),
        (
            format!("{HEAD}[[orthography]]\nid = \"x\"\nscript = \"Latn\"\nscored = true\n"),
            "a scored norm needs `letters` or `exemplars`",
        ),
        (
            format!("{HEAD}[[orthography]]\nid = \"x\"\nscript = \"Latn\"\nexemplars = \"crk\"\n"),
            "no exemplar characters for `crk`",
        ),
        (
            format!("{HEAD}[equivalence]\nsynonyms = [[\"a\"]]\n"),
            "equivalence.synonyms: a set needs two words",
        ),
        ("language = ".to_owned(), "card.toml line 1:"),
        (String::new(), "card.toml line 1: missing field `schema`"),
    ] {
        assert!(
            error(&text).contains(expected),
            "{}\n  expected {expected}",
            error(&text)
        );
    }
}

#[test]
fn the_profile_follows_the_analyser_unless_the_card_says_otherwise() {
    let card = Card::parse("card.toml", HEAD).unwrap();
    assert_eq!(card.profile(), Profile::B);
    let declared = Card::parse("card.toml", &format!("{HEAD}[scoring]\nprofile = \"A\"\n")).unwrap();
    assert_eq!(declared.profile(), Profile::A);
}

#[test]
fn a_card_survives_writing_and_reading() {
    let card = Card::parse("card.toml", HEAD).unwrap();
    let text = toml::to_string(&card).unwrap();
    assert_eq!(Card::parse("card.toml", &text).unwrap(), card);
}

fn language(tag: &str) -> Language {
    Language::builtin(&LanguageTag::parse(tag).unwrap()).unwrap()
}

#[test]
fn every_card_of_the_program_is_valid_and_stands_in_the_folder_of_its_language() {
    let mut tags = Vec::new();
    for builtin in BuiltinCard::all() {
        let card = builtin.card().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(card.language, builtin.folder());
        assert!(!card.orthographies.is_empty(), "{}", card.language);
        tags.push(card.language);
    }
    for needed in [
        "crk", "fin", "hin", "urd", "por", "glg", "fra", "cat", "bre", "mkd", "bul", "gsw", "rus", "ukr",
    ] {
        assert!(tags.iter().any(|t| t == needed), "{needed}");
    }
}

#[test]
fn a_card_is_found_by_either_code_and_other_languages_have_none() {
    assert_eq!(language("en").card.language, "eng");
    assert_eq!(language("crk-Cans").card.name(), "Plains Cree");
    let unknown = language("qqq");
    assert!(!unknown.has_card);
    assert_eq!(
        unknown.analyser().unwrap_err(),
        "there is no language card for `qqq`"
    );
    assert!(
        language("crk")
            .analyser()
            .unwrap_err()
            .contains("lydian language add-analyser crk FILE")
    );
    assert_eq!(
        language("fra").analyser().unwrap_err(),
        "the language card names no analyser"
    );
}

#[test]
fn the_cree_card_writes_syllabics_in_latin_letters() {
    let card = language("crk").card;
    let syllabics = card.orthographies.iter().find(|o| o.id == "syllabics").unwrap();
    for (text, latin) in [
        ("ᐁ\u{202f}ᐚᐸᒫᐟ", "ê-wâpamât"),
        ("ᓀᐦᐃᔭᐍᐏᐣ", "nêhiyawêwin"),
        ("ᒪᐢᑿ", "maskwa"),
    ] {
        assert_eq!(normalise::rewrite(text, &syllabics.normalise), latin);
    }
}

#[test]
fn letters_of_the_neighbouring_language_do_not_keep_the_norm() {
    for (code, wrong, right) in [
        ("ukr", "мы были", "ми були"),
        ("glg", "a nação não", "a nación non"),
        ("bul", "мы этого", "ние това"),
    ] {
        let checker = OrthographyChecker::new(&language(code).card).unwrap();
        assert!(checker.check(wrong, &BTreeSet::new()).correct() < 2, "{wrong}");
        let check = checker.check(right, &BTreeSet::new());
        assert_eq!(check.correct(), check.words, "{right}");
    }
}

#[test]
fn the_cree_card_knows_both_conventions_and_no_mixture() {
    let checker = OrthographyChecker::new(&language("crk").card).unwrap();
    let wrong = |text: &str| checker.check(text, &BTreeSet::new()).misspelt.len();
    assert_eq!(wrong("ê-wâpamât nêhiyawêwin"), 0);
    assert_eq!(wrong("ē-wāpamāt nēhiyawēwin"), 0);
    assert_eq!(wrong("ᐁ\u{202f}ᐚᐸᒫᐟ"), 0);
    assert_eq!(wrong("ê-wâpamât nēhiyawēwin"), 1);
    assert_eq!(wrong("the dog waapamew"), 3);
    assert!(source_names("I see Buck.", &language("eng").card).contains("Buck"));
}

/// The annotated card of the guide names every field of its tables, and a reader who copies it gets a card that is read.
#[test]
fn the_annotated_card_of_the_guide_is_read_and_names_every_field() {
    let page = include_str!("../../../../docs/add-a-language.md");
    let cards: Vec<&str> = page
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert_eq!(cards.len(), 2);
    for card in &cards {
        Card::parse("docs/add-a-language.md", card).unwrap();
    }
    let annotated = cards[1];
    let lines: Vec<&str> = annotated
        .lines()
        .map(|line| line.trim_start_matches("# "))
        .collect();
    let card = Card::parse("card.toml", annotated).unwrap();
    let stated = toml::Table::try_from(&card).unwrap();
    for table in ["words", "analyser", "equivalence", "glossary", "scoring"] {
        for field in stated[table].as_table().unwrap().keys() {
            let written = lines.iter().any(|line| {
                line.starts_with(&format!("{field} = ")) || *line == format!("[{table}.{field}]")
            });
            assert!(written, "[{table}] {field} is not in the annotated card");
        }
    }
    assert_eq!(card.equivalence.spelling.len(), 2);
    assert!(
        annotated.contains("list capitals too") && annotated.contains("How this analyser writes its tags")
    );
}
