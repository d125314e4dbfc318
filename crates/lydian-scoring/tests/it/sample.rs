//! Small corpora and predictions for tests.

use std::collections::BTreeMap;

use lydian_model::corpus::read::{CorpusFile, ReadOptions, read_corpus};
use lydian_model::prediction::{CostSource, Served};
use lydian_model::run_card::{Environment, Measured};
use lydian_model::run_setup::{DatasetIdentity, HARNESS_VERSION, MethodConfig, MethodIdentity, Selection};
use lydian_model::{
    Corpus, Dataset, DependencyClass, Entry, EntryId, Finite, MethodClass, NanoUsd, Prediction, RunCard,
    RunSetup, Sha256Hex, TokenUsage,
};
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

/// Returns the corpus file that holds these entries.
pub(crate) fn corpus_file(entries: &[Entry]) -> CorpusFile {
    let corpus = Corpus {
        dataset: Dataset {
            id: "sample".into(),
            version: "1.0.0".into(),
            language_pair: "POR→GLG".into(),
            source_language: "por".into(),
            target_language: "glg".into(),
            created: "2026-11-30".into(),
            license: "CC0-1.0".into(),
            ..Dataset::default()
        },
        entries: entries.to_vec(),
        extra: serde_json::Map::new(),
    };
    let bytes = serde_json::to_vec(&corpus).unwrap();
    read_corpus(bytes.as_slice(), &ReadOptions::default()).unwrap()
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

/// Returns the setup of a run over all `entries`.
pub(crate) fn setup(entries: &[Entry]) -> RunSetup {
    RunSetup {
        run_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427".into(),
        harness_version: HARNESS_VERSION.into(),
        timestamp: "2026-11-30T12:00:00Z".into(),
        method: MethodIdentity {
            method_id: "sample".into(),
            name: "Sample".into(),
            method_class: MethodClass::RawLlm,
            dependency_class: DependencyClass::A1,
            method_sha256: Sha256Hex::of(b"method"),
        },
        model_slug: "sample/model".into(),
        condition: "baseline".into(),
        temperature: Finite::new(0.3),
        system_prompt_used: "Translate.".into(),
        coaching_data_sha256: Some(Sha256Hex::of(b"coaching")),
        fst_version: Some("1".into()),
        tools_enabled: vec!["dictionary".into()],
        batch_size: Some(2),
        max_retries: Some(3),
        method_config: MethodConfig::default(),
        parameters: BTreeMap::from([("top_p".into(), 0.5.into())]),
        seed: Some(7),
        endpoint: Some("https://example.org/v1".into()),
        post_processing: vec!["trim".into()],
        dataset: DatasetIdentity {
            id: "sample".into(),
            version: "1.0.0".into(),
            language_pair: "POR→GLG".into(),
            source_language: "por".into(),
            target_language: "glg".into(),
            license: Some("CC0-1.0".into()),
            sha256: Sha256Hex::of(b"corpus"),
            file_entry_count: entries.len() as u64,
            values_from: BTreeMap::new(),
        },
        selection: Selection {
            entry_ids: entries.iter().map(|entry| entry.id.clone()).collect(),
            complete: true,
            ..Selection::default()
        },
    }
}

/// Returns the card of a run in which every measurement was made.
pub(crate) fn card(
    setup: &RunSetup,
    entries: &[Entry],
    predictions: &BTreeMap<EntryId, Prediction>,
) -> RunCard {
    let context = ScoringContext {
        elapsed_seconds: Finite::new(12.5),
        ..ScoringContext::default()
    };
    card_in(setup, entries, predictions, &context)
}

/// Returns the card of a run scored in a context that knows its time.
pub(crate) fn card_in(
    setup: &RunSetup,
    entries: &[Entry],
    predictions: &BTreeMap<EntryId, Prediction>,
    context: &ScoringContext<'_>,
) -> RunCard {
    let elapsed_seconds = context.elapsed_seconds.unwrap();
    let selected: Vec<&Entry> = entries.iter().collect();
    let scored = score(&selected, predictions, context).unwrap();
    RunCard::new(
        setup,
        Measured {
            elapsed_seconds,
            model_id: Some("sample/model-1".into()),
            scores: scored.scores,
            totals: scored.totals,
            results: scored.results,
            environment: Environment {
                program: "lydian 0.1.0".into(),
                scorer_version: "1".into(),
                language_card: None,
            },
        },
    )
}

/// Returns the honest answers with every measurement a provider can give.
pub(crate) fn measured(entries: &[Entry]) -> BTreeMap<EntryId, Prediction> {
    let mut predictions = honest(entries);
    for (prediction, number) in predictions.values_mut().zip(1_u32..) {
        *prediction = Prediction {
            raw_output: Some(format!("{}\n", prediction.output)),
            latency_seconds: Finite::new(f64::from(number) / 8.0),
            request_number: Some(u64::from(number)),
            attempts: 2,
            usage: Some(TokenUsage {
                uncached_input: Some(30),
                cache_read: Some(10),
                cache_write: Some(2),
                output_text: Some(5),
                reasoning: Some(15),
            }),
            cost_usd: Some(NanoUsd::new(u64::from(number) * 1_000_000)),
            cost_source: CostSource::Table,
            served: Some(Served {
                model_id: Some("sample/model-1".into()),
                ..Served::default()
            }),
            ..prediction.clone()
        };
    }
    predictions
}
