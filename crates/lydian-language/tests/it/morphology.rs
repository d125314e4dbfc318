//! Morphological accuracy on the worked examples of the specification.
use lydian_language::morphology::{AffixCredit, Gold, GoldProblem, MorphCounts, Units, compare, parse_gold};
use lydian_language::{Analyser, AnalyserCard, Card, FstChecker, WordFinder, WordRules};
use std::path::PathBuf;

const REFERENCE: &str = "niwâpamâw atim";
const SEGMENTED: &str = "ni-wâpam-âw atim | 1sg-see.TA-3sg.DIR dog.AN";
const ANALYSED: &str = "wâpamêw+V+TA+Ind+1Sg+3SgO atim+N+A+Sg";

fn card() -> Card {
    let text = r#"
        schema = "lydian.language-card/1"
        language = "crk"
        names = { en = "Plains Cree" }
        scripts = ["Latn"]
        [analyser]
        published_at = "tests/fixtures/morphology.lexc"
        licence = "MIT OR Apache-2.0"
        tags = "plus"
        excluded_tags = ["+Err/*"]
        ignored_tags = ["+Use/*"]
        self_test = { accepts = ["atim"], rejects = ["xyz"] }
    "#;
    Card::parse("card.toml", text).unwrap()
}

fn count(field: &str, output: &str, credit: AffixCredit) -> MorphCounts {
    let card = card();
    let analyser_card: &AnalyserCard = card.analyser.as_ref().unwrap();
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/morphology.hfstol");
    let analyser = Analyser::open(std::fs::read(file).unwrap(), analyser_card).unwrap();
    let mut checker = FstChecker::new(&analyser, &card, &[]);
    let finder = WordFinder::new(&card.words);
    let gold = parse_gold(field, REFERENCE, &finder, Some(analyser_card)).unwrap();
    compare(&gold, output, &finder, Some(&mut checker), credit).unwrap()
}

fn triple(counts: MorphCounts) -> Triple {
    (counts.matched, counts.predicted, counts.gold)
}

/// Units found, units of the output, units of the gold.
type Triple = (u64, u64, u64);

/// Outputs with the counts of analyses and of segments.
const EXAMPLES: [(&str, Triple, Triple); 10] = [
    ("niwâpamâw atim", (10, 10, 10), (4, 4, 4)),
    ("atim niwâpamâw", (10, 10, 10), (4, 4, 4)),
    ("kiwâpamâw atim", (9, 10, 10), (3, 4, 4)),
    ("niwâpamâwak atimwak", (8, 10, 10), (2, 4, 4)),
    ("niwâpamâw", (6, 6, 10), (3, 3, 4)),
    ("niwâpamâw minôs", (9, 10, 10), (3, 4, 4)),
    ("niwapamaw atim", (4, 5, 10), (2, 3, 4)),
    ("nimôhcowin", (3, 5, 10), (1, 2, 4)),
    ("niwâpamâw atim atim atim", (10, 18, 10), (4, 6, 4)),
    ("", (0, 0, 10), (0, 0, 4)),
];

#[test]
fn with_credit_for_every_affix_the_counts_are_those_of_the_examples() {
    for (output, analyses, segments) in EXAMPLES {
        assert_eq!(
            triple(count(ANALYSED, output, AffixCredit::Always)),
            analyses,
            "{output}"
        );
        assert_eq!(
            triple(count(SEGMENTED, output, AffixCredit::Always)),
            segments,
            "{output}"
        );
    }
}

#[test]
fn affixes_of_another_stem_earn_nothing() {
    let segments = |output| triple(count(SEGMENTED, output, AffixCredit::WithStem));
    assert_eq!(segments("nimôhcowin"), (0, 1, 4));
    assert_eq!(segments("niwapamaw atim"), (1, 2, 4));
    assert_eq!(segments("kiwâpamâw atim"), (3, 4, 4));
    let analyses = |output| triple(count(ANALYSED, output, AffixCredit::WithStem));
    // A verb stands for a verb; a noun against a verb shares nothing although both are singular.
    assert_eq!(analyses("nimôhcowin"), (3, 5, 10));
    assert_eq!(analyses("minôs minôs"), (3, 8, 10));
}

#[test]
fn precision_recall_and_f1_are_those_of_the_specification() {
    let counts = count(ANALYSED, "niwâpamâw", AffixCredit::WithStem);
    assert_eq!(
        (counts.precision(), counts.recall(), counts.f1()),
        (1.0, 0.6, 0.75)
    );
    assert_eq!(counts.lemmas_matched, 1);
    assert_eq!(
        (
            count(ANALYSED, "", AffixCredit::WithStem).f1(),
            MorphCounts::default().precision()
        ),
        (0.0, 0.0)
    );
    let mut sum = counts;
    sum.add(counts);
    assert_eq!(triple(sum), (12, 12, 20));
}

#[test]
fn hyphens_of_the_spelling_are_no_leftovers() {
    let finder = WordFinder::new(&WordRules::default());
    let gold = parse_gold("ê-wâpam-ât | CNJ-see.TA-3sg", "ê-wâpamât", &finder, None).unwrap();
    let counts = compare(&gold, "Ê-wâpamât", &finder, None, AffixCredit::WithStem).unwrap();
    assert_eq!(triple(counts), (3, 3, 3));
}

#[test]
fn what_is_wrong_with_a_gold_analysis_is_said() {
    let finder = WordFinder::new(&WordRules::default());
    let read = |field: &str| parse_gold(field, REFERENCE, &finder, None).unwrap_err();
    assert_eq!(read("  "), GoldProblem::Empty);
    assert_eq!(
        read("ni-wâpam-âw atim | 1-see dog"),
        GoldProblem::Uneven {
            word: 1,
            segments: 3,
            glosses: 2
        }
    );
    assert_eq!(
        read("ni-wâpam-âw atim | 1-see-3"),
        GoldProblem::Uneven {
            word: 2,
            segments: 2,
            glosses: 1
        }
    );
    assert_eq!(
        read("ni-wâpam-ê atim | 1-see-3 dog"),
        GoldProblem::NotSurface("niwâpamê".into())
    );
    assert_eq!(read(ANALYSED), GoldProblem::NoAnalyser);
}

#[test]
fn analyses_need_an_analyser_and_segments_do_not() {
    let finder = WordFinder::new(&WordRules::default());
    let units = Units {
        lemma: "atim".into(),
        tags: vec!["+N".into()],
    };
    assert_eq!(
        compare(
            &Gold::Analyses(vec![units]),
            "atim",
            &finder,
            None,
            AffixCredit::WithStem
        ),
        None
    );
}
