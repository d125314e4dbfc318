//! Pieces and spBLEU under two small models, as the sentencepiece library and sacreBLEU 2.6.0 find them.
//!
//! `scripts/metrics-sentencepiece.py` trains the models and writes the expected values.

use std::sync::Arc;

use lydian_metrics::bleu::{Bleu, BleuConfig, Order, Tokenizer};
use lydian_metrics::sentencepiece::{ModelError, SentencePiece};
use lydian_metrics::{Corpus, Metric, Numeric};
use serde_json::Value;

const MODELS: [(&str, &[u8]); 2] = [
    ("unigram", include_bytes!("../data/unigram.model")),
    ("bpe", include_bytes!("../data/bpe.model")),
];

fn expected() -> Value {
    serde_json::from_str(include_str!("../data/sentencepiece.json")).unwrap()
}

fn model(bytes: &[u8]) -> SentencePiece {
    SentencePiece::from_bytes("flores101", bytes).unwrap()
}

#[test]
fn pieces_are_those_of_the_library() {
    let expected = expected();
    for (name, bytes) in MODELS {
        let model = model(bytes);
        let rows = expected["models"][name]["pieces"].as_array().unwrap();
        assert!(rows.len() > 30);
        for row in rows {
            let text = row[0].as_str().unwrap();
            let theirs: Vec<&str> = row[1]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            assert_eq!(model.pieces(text), theirs, "{name}: {text:?}");
        }
    }
}

#[test]
fn bleu_of_pieces_is_that_of_sacrebleu() {
    let expected = expected();
    for (name, bytes) in MODELS {
        let expected = &expected["models"][name];
        let tokenizer = Tokenizer::SentencePiece(Arc::new(model(bytes)));
        let bleu = |order| {
            Bleu::new(BleuConfig {
                tokenizer: tokenizer.clone(),
                order,
                ..BleuConfig::default()
            })
        };
        let pairs: Vec<(&str, &str)> = expected["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
            .collect();
        for ((hypothesis, reference), score) in pairs.iter().zip(expected["sentences"].as_array().unwrap()) {
            let ours = bleu(Order::Effective)
                .sentence_score(hypothesis, &[reference], Numeric::Sacrebleu)
                .unwrap();
            assert!(
                (ours - score.as_f64().unwrap()).abs() < 1e-9,
                "{name}: {hypothesis:?}"
            );
        }
        let (hypotheses, references): (Vec<&str>, Vec<&str>) = pairs.into_iter().unzip();
        let corpus = Corpus::new(&hypotheses, &[references]).unwrap();
        let bleu = bleu(Order::Full);
        let score = bleu.corpus_score(&corpus, Numeric::Sacrebleu);
        assert!((score - expected["corpus"].as_f64().unwrap()).abs() < 1e-9);
        assert_eq!(
            bleu.signature(Some(1)).with_sacrebleu_version().to_string(),
            expected["signature"].as_str().unwrap()
        );
    }
}

#[test]
fn a_damaged_model_is_refused_or_works() {
    let (_, bytes) = MODELS[1];
    for cut in (0..bytes.len()).step_by(37) {
        // Cut between two pieces it may still be a model, only a smaller one.
        if let Ok(model) = SentencePiece::from_bytes("cut", &bytes[..cut]) {
            assert!(!model.pieces("Estado <x> 日本").is_empty());
        }
        let mut changed = bytes.to_vec();
        changed[cut] ^= 0x55;
        if let Ok(model) = SentencePiece::from_bytes("changed", &changed) {
            assert!(model.pieces("Artigo 1º").len() < 100);
        }
    }
}

#[test]
fn what_is_wrong_with_a_model_is_said() {
    let error = |bytes: &[u8]| SentencePiece::from_bytes("bad", bytes).unwrap_err();
    let piece = |text: &str, kind: u8| {
        let length = u8::try_from(text.len()).unwrap();
        [&[0x0a, length + 4, 0x0a, length], text.as_bytes(), &[0x18, kind]].concat()
    };
    let unknown = piece("<unk>", 2);
    assert!(SentencePiece::from_bytes("good", &unknown).is_ok());
    assert_eq!(error(&piece("a", 1)), ModelError::UnknownPiece);
    assert_eq!(
        error(&[unknown.clone(), piece("u", 2)].concat()),
        ModelError::UnknownPiece
    );
    assert_eq!(
        error(&[unknown.clone(), piece("a", 1), piece("a", 1)].concat()),
        ModelError::BadPiece { piece: 2 }
    );
    assert_eq!(
        error(&[unknown.clone(), piece("a", 9)].concat()),
        ModelError::BadPiece { piece: 1 }
    );
    // Trainer settings: model type 4, byte fallback on. Normalizer settings: a table of two bytes.
    assert_eq!(
        error(&[&unknown[..], &[0x12, 2, 0x18, 4]].concat()),
        ModelError::UnsupportedType { number: 4 }
    );
    assert_eq!(
        error(&[&unknown[..], &[0x12, 3, 0x98, 2, 1]].concat()),
        ModelError::BytePiece { byte: 0 }
    );
    assert_eq!(
        error(&[&unknown[..], &[0x1a, 4, 0x12, 2, 1, 1]].concat()),
        ModelError::BadReplacements
    );
}
