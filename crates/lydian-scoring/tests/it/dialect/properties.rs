//! Properties that hold for every text.

use lydian_model::dialect::{Letter, Options};
use lydian_scoring::dialect::{
    Coverage, ItemGuard, LanguageGate, coverage, find_refusal, judge, read_letter, stems, without_quotes,
};
use proptest::prelude::*;

use super::items::{answer, carnival, victim};

/// Texts with everything that the readers look for, and arbitrary Unicode in between.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "\\PC{0,12}",
        2 => prop::sample::select(vec![
            "Antwort: ", "Die richtige Antwort ist ", "A", "B", "C", "D", " oder ", "nicht ", "\n", "\\boxed{", "}", "**",
            "<b>", "Option ", ") ", "Bern", "Opfer ", "sah ", "gesehen ", "ge", "t ", "</think>", "\u{200B}", "«", "»",
            "ist falsch. ", "<answer>", "_", "$", "А", "Ａ", "z.B. ", "\u{301}", "ß",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

fn options() -> Options {
    Options {
        a: "Zürich".into(),
        b: "Basel".into(),
        c: "Bern".into(),
        d: "Luzern".into(),
    }
}

fn points(coverage: &Coverage) -> u8 {
    coverage.score().points()
}

proptest! {
    #[test]
    fn more_matched_keywords_never_lower_the_score(before in text(), after in text()) {
        let keywords = victim(1, "bern").task.keywords().to_vec();
        let alone = coverage(&keywords, &before);
        let longer = coverage(&keywords, &format!("{before} {after}"));
        prop_assert!(longer.matched_halves >= alone.matched_halves);
        prop_assert!(points(&longer) >= points(&alone));
        prop_assert!(longer.matched_halves <= longer.total_halves);
    }

    #[test]
    fn a_final_answer_line_decides_whatever_stands_before_it(before in text(), letter in 0_usize..4, colon in any::<bool>()) {
        let letter = Letter::ALL[letter];
        let line = if colon { format!("Antwort: {letter}") } else { format!("**Antwort:** {letter}.") };
        let reading = read_letter(&format!("{before}\n{line}"), &options(), &[]);
        prop_assert_eq!(reading.letter(), Some(letter), "{:?}", reading);
    }

    #[test]
    fn no_answer_makes_a_judge_panic_or_leave_its_range(output in text()) {
        let gate = LanguageGate::shipped();
        let translated = judge(&victim(1, "bern"), Some(&answer(1, &output)), gate);
        prop_assert!(translated.score <= 2);
        let chosen = judge(&carnival(1, "bern"), Some(&answer(1, &output)), gate);
        prop_assert_eq!(chosen.score == 1, chosen.letter == Some(Letter::C));
    }

    #[test]
    fn removing_quotes_leaves_no_quote(output in text(), quote in "[a-cA-C]{1,2}( [a-c]{1,2}){0,2}") {
        let (rest, removed) = without_quotes(&output, &[&quote]);
        prop_assert!(removed > 0 || rest == output);
    }

    #[test]
    fn the_same_text_is_read_the_same_way_twice(output in text()) {
        prop_assert_eq!(read_letter(&output, &options(), &[]), read_letter(&output, &options(), &[]));
        prop_assert_eq!(find_refusal(&output, ItemGuard::default()), find_refusal(&output, ItemGuard::default()));
    }

    #[test]
    fn every_stem_is_a_part_of_the_word_or_of_its_plain_umlauts(word in "[a-zäöü]{1,20}") {
        let plain = word.replace("ae", "a").replace("oe", "o").replace("ue", "u");
        for stem in stems(&word, lydian_scoring::dialect::Participle::Possible) {
            prop_assert!(word.contains(&stem) || plain.contains(&stem), "{}", stem);
        }
    }
}

#[test]
fn an_answer_of_a_megabyte_is_judged_like_any_other() {
    let output = "Opfer ".repeat(175_000);
    let gate = LanguageGate::shipped();
    assert_eq!(
        judge(&victim(1, "bern"), Some(&answer(1, &output)), gate).score,
        0
    );
    assert_eq!(
        judge(&carnival(1, "bern"), Some(&answer(1, &output)), gate).score,
        0
    );
}

#[test]
fn endless_repetitions_of_markup_are_judged_in_linear_time() {
    let gate = LanguageGate::shipped();
    let pieces = [
        "er",
        "A oder ",
        "\\boxed{",
        "<think",
        "[",
        "((((",
        "Antwort: ",
        "ich kann nicht ",
        "\u{301}",
        "S Opfer hett sin ",
    ];
    for piece in pieces {
        let output = piece.repeat(50_000 / piece.len());
        let verdict = judge(&victim(1, "bern"), Some(&answer(1, &output)), gate);
        assert!(verdict.score <= 1, "{piece}");
        let chosen = judge(&carnival(1, "bern"), Some(&answer(1, &output)), gate);
        assert_eq!(chosen.score, 0, "{piece}");
    }
}
