//! Authored cases in `fixtures/dialect`: stem pairs, refusals, multiple-choice answers.

use lydian_model::dialect::{Keyword, Letter, Options, PartOfSpeech};
use lydian_scoring::dialect::{ItemGuard, McqChoice, coverage, find_refusal, read_letter};

const STEM_PAIRS: &str = include_str!("../../../../../fixtures/dialect/stem_pairs.tsv");
const REFUSALS: &str = include_str!("../../../../../fixtures/dialect/refusal_cases.tsv");
const ANSWERS: &str = include_str!("../../../../../fixtures/dialect/mcq_public.tsv");
const OPTION_SETS: &str = include_str!("../../../../../fixtures/dialect/mcq_option_sets.json");

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

#[test]
fn the_stemmer_decides_all_sixty_pairs_as_specified() {
    let mut right = 0;
    for row in rows(STEM_PAIRS) {
        let pos = PartOfSpeech::from_tag(row[2]).unwrap();
        let keyword = Keyword {
            word: row[1].to_owned(),
            lemma: row[1].to_owned(),
            pos,
            weight: pos.weight(),
            forms: Vec::new(),
            synonyms: Vec::new(),
        };
        let matched = if coverage(&[keyword], row[3]).is_complete() {
            "match"
        } else {
            "no"
        };
        assert_eq!(matched, row[7], "pair {}: {} / {}", row[0], row[1], row[3]);
        right += usize::from(matched == row[4]);
    }
    // What the closure decides as a reader would: 37 of 60, as documented.
    assert_eq!(right, 37);
}

#[test]
fn all_thirty_refusal_cases_are_told_apart() {
    let mut wrong = Vec::new();
    for row in rows(REFUSALS) {
        let hit = find_refusal(row[2], ItemGuard::default());
        if hit.is_some() != (row[3] == "yes") {
            wrong.push(format!("{}: {:?} {}", row[0], hit, row[2]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn all_forty_public_answers_are_read_as_expected() {
    let sets: serde_json::Value = serde_json::from_str(OPTION_SETS).unwrap();
    let options = |set: &str| {
        let text = |letter: &str| sets[set][letter].as_str().unwrap().to_owned();
        Options {
            a: text("A"),
            b: text("B"),
            c: text("C"),
            d: text("D"),
        }
    };
    let mut wrong = Vec::new();
    for row in rows(ANSWERS) {
        let answer = row[2].replace("\\n", "\n");
        let reading = read_letter(&answer, &options(row[1]), &[]);
        let (kind, letter) = match &reading.choice {
            McqChoice::Letter(letter) => ("letter", letter.as_str()),
            McqChoice::None => ("none", ""),
            McqChoice::Ambiguous(_) => ("ambiguous", ""),
        };
        if (kind, letter) != (row[3], row[4]) {
            wrong.push(format!("{}: {reading:?} for {answer:?}", row[0]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn further_answers_are_read_as_a_reader_would() {
    let options = Options {
        a: "Zürich".into(),
        b: "Basel".into(),
        c: "Bern".into(),
        d: "Luzern".into(),
    };
    let cases: &[(&str, Option<Letter>)] = &[
        ("Die Antwort ist nicht A, sondern C.", Some(Letter::C)),
        (
            "A ist falsch, B ist falsch, C ist richtig, D ist falsch.",
            Some(Letter::C),
        ),
        ("A, B und D passen nicht. Also C.", Some(Letter::C)),
        ("Weder A noch B, wohl D.", Some(Letter::D)),
        ("Antwort (A, B, C oder D): B", Some(Letter::B)),
        ("Antwort A–D: C", None),
        ("Antwort:\nA) Zürich\nB) Basel\nC) Bern\nD) Luzern", None),
        ("{\"answer\": \"C\"}", Some(Letter::C)),
        ("<answer>C</answer>", Some(Letter::C)),
        ("**Finale Antwort:** \\boxed{\\text{B}}", Some(Letter::B)),
        ("D Fasnacht isch z Basel.", Some(Letter::B)),
        ("D Antwort isch C", Some(Letter::C)),
        ("La réponse correcte est D.", Some(Letter::D)),
        ("La risposta giusta è la B.", Some(Letter::B)),
        ("Falsche Antwort: A", None),
        ("Antwort: AB", None),
        ("Nicht Bern.", None),
        ("Ich denke, es ist C) Bern.", Some(Letter::C)),
        ("Nicht A) Zürich, sondern C) Bern", Some(Letter::C)),
        ("Antwort: C. A und B haben andere Formen.", Some(Letter::C)),
        ("Die richtige Antwort ist B.\nAntwort: C", Some(Letter::C)),
        ("z.B. in D.C. spricht man so", None),
        ("Option C", Some(Letter::C)),
        ("Antwort: c", Some(Letter::C)),
        ("Answer: a car", None),
        ("Bei 20 °C", None),
        (
            "- A: falsch\n- B: falsch\n- C: richtig\n- D: falsch",
            Some(Letter::C),
        ),
        ("A oder B ist richtig", None),
        ("Ich wähle B, weil «hän» baslerisch ist.", Some(Letter::B)),
        ("Bern (C)", Some(Letter::C)),
        ("Bern, aber B", None),
        ("Lösung = D", Some(Letter::D)),
        ("Bleibt nur noch B.", Some(Letter::B)),
        ("Antwort: B (nicht C)", Some(Letter::B)),
        ("It can't be A. The answer is D", Some(Letter::D)),
        ("Antwort: Bern", Some(Letter::C)),
        ("(c)", Some(Letter::C)),
        ("C\n\nC", Some(Letter::C)),
        ("🅲", Some(Letter::C)),
        ("", None),
    ];
    let mut wrong = Vec::new();
    for (answer, expected) in cases {
        let reading = read_letter(answer, &options, &[]);
        if reading.letter() != *expected {
            wrong.push(format!("{answer:?}: {reading:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_quoted_source_names_no_option() {
    let options = Options {
        a: "1848".into(),
        b: "1996".into(),
        c: "1998".into(),
        d: "1928".into(),
    };
    let source = "si si 1848 abgschafft worde, im Kanton Uri 1928, in Nidwalde 1996";
    let answer = format!("Im Satz «{source}» steht es: 1928");
    assert_eq!(
        read_letter(&answer, &options, &[source]).letter(),
        Some(Letter::D)
    );
}

/// Refusals that were written after the patterns, without looking at them. The patterns of that time found 33
/// of the 40; those for the other seven were added afterwards.
#[test]
fn a_second_set_of_forty_refusals_is_found() {
    let refusals = [
        "Ich kann den Text leider nicht ins Hochdeutsche übertragen.",
        "Leider verstehe ich kein Schweizerdeutsch.",
        "Entschuldigung, aber Schweizerdeutsch beherrsche ich nicht.",
        "Mir fehlen die nötigen Kenntnisse des Dialekts, um diesen Satz zu übersetzen.",
        "Ich bin mir nicht sicher, was dieser Satz bedeutet.",
        "Dieser Satz ist für mich unverständlich.",
        "Eine Übersetzung ist mir leider nicht möglich.",
        "Ich kann keine verlässliche Übersetzung liefern.",
        "Tut mir leid, das kann ich nicht übersetzen.",
        "Dabei kann ich Ihnen nicht helfen.",
        "Ich habe keine Informationen über diesen Dialekt.",
        "Aufgrund des Dialekts ist es mir nicht möglich, die Frage zu beantworten.",
        "Als KI habe ich keinen Zugriff auf Dialektwörterbücher.",
        "Der Satz ergibt für mich keinen Sinn.",
        "Ich weiss nicht, was dieser Satz bedeutet.",
        "Ich kann nicht bestimmen, welcher Dialekt das ist.",
        "Es ist mir nicht möglich, den Dialekt zu erkennen.",
        "Ich bin leider nicht in der Lage, Dialekte zu verstehen.",
        "I'm afraid I can't translate this sentence.",
        "I am not able to understand Swiss German dialects.",
        "I do not know this dialect.",
        "Sorry, I can't help with that request.",
        "I don't have enough information to answer this question.",
        "Unfortunately, I am unable to determine the dialect.",
        "I can't understand what this sentence says.",
        "As a language model, I can't reliably translate dialects.",
        "This dialect is unfamiliar to me.",
        "I have no knowledge of this dialect.",
        "Je ne parle pas le suisse allemand.",
        "Désolé, je suis incapable de traduire cette phrase.",
        "Je ne peux malheureusement pas répondre à cette question.",
        "Non conosco questo dialetto svizzero.",
        "Mi dispiace, non posso tradurre questo testo.",
        "Non sono in grado di rispondere alla domanda.",
        "Das verstahn i nöd.",
        "Ich chan de Satz nöd übersetze.",
        "Sorry, i cha ke Bärndütsch.",
        "Tuet mr leid, i verstoh dä Satz nit.",
        "Weiss nöd.",
        "Ich kann dazu keine Aussage machen.",
    ];
    let missed: Vec<&str> = refusals
        .into_iter()
        .filter(|answer| find_refusal(answer, ItemGuard::default()).is_none())
        .collect();
    assert_eq!(missed, [""; 0]);
}
