//! Verdicts: what decides between a label and another.

use lydian_model::dialect::Task;
use lydian_model::{EntryId, Outcome, Prediction};
use lydian_scoring::dialect::{
    Decision, Flag, ItemVerdict, Label, LanguageGate, McqRule, check_scorability, judge,
};

use super::items::{answer, carnival, dataset, victim};

fn translated(output: &str) -> ItemVerdict {
    judge(
        &victim(1, "zurich"),
        Some(&answer(1, output)),
        LanguageGate::shipped(),
    )
}

fn identified(output: &str) -> ItemVerdict {
    judge(
        &carnival(1, "bern"),
        Some(&answer(1, output)),
        LanguageGate::shipped(),
    )
}

#[test]
fn a_translation_is_labelled_by_what_decided() {
    let cases = [
        (
            "Das Opfer hat seinen Angreifer nicht gesehen.",
            Label::Correct,
            2,
            Decision::Coverage,
        ),
        (
            "Der Täter sah das Opfer nicht",
            Label::Correct,
            2,
            Decision::Coverage,
        ),
        (
            "Das Opfer hat den Mann nicht gesehen.",
            Label::Partial,
            1,
            Decision::Coverage,
        ),
        ("Die Frau ging nach Hause.", Label::Fail, 0, Decision::Coverage),
        (
            "S Opfer hett sin Agriifer nöd gseh.",
            Label::AnsweredInDialect,
            0,
            Decision::SourceEcho,
        ),
        (
            "«s opfer hett sin agriifer nöd gseh»",
            Label::AnsweredInDialect,
            0,
            Decision::SourceEcho,
        ),
        (
            "Ds Opfer het dr Aagriifer nid chönne gseh, hei si gseit.",
            Label::AnsweredInDialect,
            0,
            Decision::LanguageGate,
        ),
        (
            "Ich kann diesen Dialekt leider nicht übersetzen.",
            Label::Refusal,
            0,
            Decision::RefusalPattern,
        ),
        ("  \u{200B}\n", Label::Empty, 0, Decision::NoText),
    ];
    for (output, label, score, decided_by) in cases {
        let verdict = translated(output);
        assert_eq!(
            (verdict.label, verdict.score, verdict.decided_by),
            (label, score, decided_by),
            "{output}"
        );
    }
}

#[test]
fn a_quoted_source_neither_helps_nor_hurts() {
    let source = "S Opfer hett sin Agriifer nöd gseh.";
    let quoted = translated(&format!("«{source}» heisst: Das Opfer sah den Angreifer nicht."));
    assert_eq!(
        (quoted.label, quoted.has(Flag::SourceRemoved)),
        (Label::Correct, true)
    );
    // The source shares the word Opfer with the reference; repeating it is no translation of it.
    let echoed = translated(&format!("Der Satz lautet auf Hochdeutsch: {source}"));
    assert_eq!(
        (echoed.label, echoed.coverage.unwrap().get().to_bits()),
        (Label::Fail, 0.0_f64.to_bits())
    );
}

#[test]
fn a_hedged_translation_is_scored_like_any_other() {
    let verdict =
        translated("Ich kann den Dialekt nicht sicher verstehen, aber: Das Opfer sah den Angreifer nicht.");
    assert_eq!((verdict.label, verdict.score), (Label::Correct, 2));
    assert!(verdict.has(Flag::Hedged) && verdict.refusal_pattern.is_some());
}

#[test]
fn the_explanation_names_the_word_each_keyword_met() {
    let verdict = translated("Die Opfer erblickten den Angreifer");
    let met: Vec<_> = verdict
        .keywords
        .iter()
        .map(|row| row.matched.as_ref().map(|by| by.output.as_str()))
        .collect();
    assert_eq!(met, [Some("Opfer"), None, Some("Angreifer")]);
    assert_eq!(verdict.total_weight.unwrap().get().to_bits(), 3.0_f64.to_bits());
}

#[test]
fn a_padded_answer_is_flagged_and_scored() {
    let verdict = translated(&format!(
        "Das Opfer sah den Angreifer nicht. {}",
        "Und so weiter. ".repeat(20)
    ));
    assert_eq!(
        (verdict.score, verdict.flags.as_slice()),
        (2, [Flag::Overlong].as_slice())
    );
}

#[test]
fn a_reference_with_the_sources_own_words_is_no_echo() {
    let mut item = victim(1, "bern");
    item.source = "Opfer sah Angreifer".to_owned();
    item.reference = "Opfer sah Angreifer".to_owned();
    let verdict = judge(
        &item,
        Some(&answer(1, "Opfer sah Angreifer")),
        LanguageGate::shipped(),
    );
    assert_eq!((verdict.label, verdict.flags.len()), (Label::Correct, 0));
}

#[test]
fn a_choice_is_labelled_by_what_decided() {
    let letter = |rule| Decision::Letter(rule);
    let cases = [
        ("C", Label::Correct, letter(McqRule::WholeAnswer)),
        ("Antwort: B", Label::Incorrect, letter(McqRule::LastLine)),
        ("A oder C", Label::Ambiguous, letter(McqRule::LoneCapital)),
        ("Das ist Berndeutsch.", Label::Unparsed, letter(McqRule::NoLetter)),
        (
            "Ich kann den Dialekt leider nicht bestimmen.",
            Label::Refusal,
            Decision::RefusalPattern,
        ),
        ("", Label::Empty, Decision::NoText),
    ];
    for (output, label, decided_by) in cases {
        let verdict = identified(output);
        assert_eq!(
            (verdict.label, verdict.decided_by),
            (label, decided_by),
            "{output}"
        );
        assert_eq!(verdict.score, u8::from(label == Label::Correct), "{output}");
    }
    let hedged = identified("Ich kann den Dialekt nicht sicher bestimmen. Antwort: C");
    assert_eq!((hedged.label, hedged.has(Flag::Hedged)), (Label::Correct, true));
}

#[test]
fn the_source_of_the_item_is_never_taken_for_a_refusal() {
    let verdict = identified("«Mir heere nid, won d Fasnacht uf de Bärn isch» ist B oder C.");
    assert_eq!((verdict.label, verdict.refusal_pattern), (Label::Ambiguous, None));
}

#[test]
fn outcomes_of_the_provider_decide_before_the_text() {
    let of = |outcome| {
        let prediction = Prediction {
            outcome,
            ..answer(1, "C")
        };
        let verdict = judge(&carnival(1, "bern"), Some(&prediction), LanguageGate::shipped());
        (verdict.label, verdict.score)
    };
    assert_eq!(of(Outcome::Refused), (Label::Refusal, 0));
    assert_eq!(of(Outcome::Failed), (Label::Missing, 0));
    assert_eq!(of(Outcome::Filtered), (Label::Empty, 0));
    assert_eq!(of(Outcome::Truncated), (Label::Correct, 1));
    assert_eq!(
        judge(&carnival(1, "bern"), None, LanguageGate::shipped()).label,
        Label::Missing
    );
}

#[test]
fn items_that_cannot_be_scored_fairly_are_found() {
    let mut broken = victim(1, "zurich");
    broken.reference = "Das Opfer erblickte den Angreifer nicht.".to_owned();
    let found = check_scorability(&dataset(vec![victim(2, "bern"), broken]));
    let checks: Vec<(&str, &EntryId)> = found
        .iter()
        .map(|finding| (finding.check, finding.place.entry_id.as_ref().unwrap()))
        .collect();
    let (first, second) = (EntryId::integer(2), EntryId::integer(1));
    assert_eq!(
        checks,
        [
            ("negation", &first),
            ("self_coverage", &second),
            ("negation", &second)
        ]
    );
    assert!(
        found[1].message.ends_with("nothing matches sah"),
        "{}",
        found[1].message
    );
}

#[test]
fn options_that_look_alike_and_spellings_that_match_anything_are_found() {
    let mut item = carnival(1, "bern");
    let Task::Identification { choice, .. } = &mut item.task else {
        panic!("the item is T4")
    };
    (choice.options.b, choice.options.d) = ("Zürich\u{200B}".into(), "\u{200B}…".into());
    let mut translated = victim(2, "bern");
    let Task::Translation { keywords } = &mut translated.task else {
        panic!("the item is T1")
    };
    keywords[0].synonyms = vec!["das".into()];
    let found = check_scorability(&dataset(vec![item, translated]));
    let messages: Vec<(&str, &str)> = found
        .iter()
        .map(|finding| (finding.check, finding.message.as_str()))
        .collect();
    assert_eq!(
        messages[..3],
        [
            ("indistinct_option", "the options A and B have the same words"),
            ("indistinct_option", "the option D has no word"),
            (
                "frequent_word",
                "`das`, which counts as `Opfer`, is made of the most frequent words: hardly an answer goes without them"
            ),
        ]
    );
}
