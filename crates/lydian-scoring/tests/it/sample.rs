//! Small corpora and predictions for tests.

use std::collections::BTreeMap;

use lydian_model::{Entry, EntryId, Prediction};
use lydian_scoring::{Scored, ScoringContext, score};

/// Sources, references and an honest weak system's outputs: authored for these tests.
pub(crate) const SENTENCES: [(&str, &str, &str); 12] = [
    ("Bom dia, senhora.", "Bos días, señora.", "Bos dias, señora."),
    (
        "O cão dorme na casa.",
        "O can dorme na casa.",
        "O can dorme na casa.",
    ),
    (
        "Onde fica a estação?",
        "Onde está a estación?",
        "Onde queda a estación?",
    ),
    ("Gosto muito de ler.", "Gústame moito ler.", "Gosto moito de ler."),
    ("A chuva não para.", "A choiva non para.", "A chuvia non para."),
    (
        "Os meninos brincam no jardim.",
        "Os nenos xogan no xardín.",
        "Os nenos brincan no xardín.",
    ),
    (
        "Quanto custa este livro?",
        "Canto custa este libro?",
        "Canto custa este libro?",
    ),
    (
        "Ela chegou ontem à noite.",
        "Ela chegou onte pola noite.",
        "Ela chegou onte á noite.",
    ),
    (
        "Fecha a janela, por favor.",
        "Pecha a xanela, por favor.",
        "Fecha a xanela, por favor.",
    ),
    ("Temos fome e sede.", "Temos fame e sede.", "Temos fame e sede."),
    (
        "O mar está calmo hoje.",
        "O mar está calmo hoxe.",
        "O mar está calmo hoxe.",
    ),
    (
        "Não sei o que dizer.",
        "Non sei que dicir.",
        "Non sei o que dicir.",
    ),
];

/// Returns the sample corpus with difficulties 1 to 3 in turn.
pub(crate) fn entries() -> Vec<Entry> {
    SENTENCES
        .iter()
        .zip(0_u8..)
        .map(|((source, reference, _), number)| Entry {
            difficulty: Some(number % 3 + 1),
            register: (number % 2 == 0).then(|| "conversational".to_owned()),
            ..Entry::new(EntryId::integer(i64::from(number)), *source, *reference)
        })
        .collect()
}

/// Returns one answer per entry.
pub(crate) fn answers(
    entries: &[Entry],
    output: impl Fn(usize, &Entry) -> String,
) -> BTreeMap<EntryId, Prediction> {
    entries
        .iter()
        .enumerate()
        .map(|(index, entry)| {
            let answer = Prediction::of_text(entry.id.clone(), output(index, entry));
            (entry.id.clone(), answer)
        })
        .collect()
}

/// Returns the honest weak system's answers.
pub(crate) fn honest(entries: &[Entry]) -> BTreeMap<EntryId, Prediction> {
    answers(entries, |index, _| SENTENCES[index].2.to_owned())
}

/// Scores with an empty context.
pub(crate) fn scored(entries: &[Entry], predictions: &BTreeMap<EntryId, Prediction>) -> Scored {
    let selected: Vec<&Entry> = entries.iter().collect();
    score(&selected, predictions, &ScoringContext::default()).unwrap()
}
