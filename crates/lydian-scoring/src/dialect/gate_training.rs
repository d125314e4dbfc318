//! Trains the language gate's table from texts: counts, smoothed log probabilities, whole numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lydian_model::dialect::GateText;

use super::gate_words::{LONGEST_GRAM, gate_words, grams};
use super::language_gate::GateClass;

/// The number of n-grams a table keeps.
const KEPT_GRAMS: usize = 12_000;
/// An n-gram seen less often in all texts together is ignored.
const LEAST_COUNT: u64 = 2;
/// What is added to every count.
const SMOOTHING: f64 = 0.5;

/// A text to train on, with what the table says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingText {
    /// The class it is an example of.
    pub class: GateClass,
    /// The sentences.
    pub sentences: Vec<String>,
    /// The line the table's notes carry: name, licence, attribution, SHA-256.
    pub note: String,
}

/// Why no table can be trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TrainingError {
    /// A class has no text.
    #[error("the class `{class}` has no text to train on")]
    NoText {
        /// The class.
        class: &'static str,
    },
}

/// Returns the note that the table carries for a text of which `sentences` were used.
pub fn gate_text_note(text: &GateText, sentences: usize) -> String {
    let range = match text.sentences {
        Some((first, last)) => format!("sentences {first} to {last}"),
        None => format!("all {sentences} sentences"),
    };
    format!(
        "{}, {range}; {}; {}; sha256 {}",
        text.file, text.license, text.attribution, text.sha256
    )
}

type Counts = BTreeMap<String, [u64; 5]>;

/// Returns the table trained on the texts, the same bytes on every machine.
///
/// The weight of an n-gram for a class is 1000·ln P(gram | class, length) with 0.5 added to every count,
/// rounded, minus the rounded mean over the classes. Kept are the 12,000 n-grams with the largest product
/// of relative frequency and discrimination (the spread of the weights plus the distance of dialect and
/// German); equals are taken in code point order.
pub fn train_gate(texts: &[TrainingText], licence: &str) -> Result<String, TrainingError> {
    let counts = count(texts);
    let mut totals = [[0_u64; LONGEST_GRAM + 1]; 5];
    for (gram, per_class) in &counts {
        for (class, count) in per_class.iter().enumerate() {
            totals[class][gram.chars().count()] += count;
        }
    }
    if let Some(class) = GateClass::ALL
        .into_iter()
        .find(|class| totals[*class as usize][1] == 0)
    {
        return Err(TrainingError::NoText { class: class.name() });
    }
    let kept: Vec<(&String, &[u64; 5])> = counts
        .iter()
        .filter(|(_, per_class)| per_class.iter().sum::<u64>() >= LEAST_COUNT)
        .collect();
    let mut kinds = [0_u64; LONGEST_GRAM + 1];
    for (gram, _) in &kept {
        kinds[gram.chars().count()] += 1;
    }
    let mut rows: Vec<Row<'_>> = kept
        .into_iter()
        .map(|(gram, per_class)| Row::new(gram, per_class, &totals, &kinds))
        .collect();
    rows.sort_by(|a, b| {
        b.usefulness
            .total_cmp(&a.usefulness)
            .then_with(|| a.gram.cmp(b.gram))
    });
    rows.truncate(KEPT_GRAMS);
    rows.sort_by(|a, b| a.gram.cmp(b.gram));
    Ok(render(texts, licence, &rows))
}

struct Row<'a> {
    gram: &'a str,
    weights: [i64; 5],
    usefulness: f64,
}

impl<'a> Row<'a> {
    fn new(gram: &'a str, counts: &[u64; 5], totals: &[[u64; 6]; 5], kinds: &[u64; 6]) -> Self {
        let length = gram.chars().count();
        let mut logs = [0_i64; 5];
        let mut frequency = 0.0;
        for class in 0..5 {
            let (count, total) = (counts[class] as f64, totals[class][length] as f64);
            let probability = (count + SMOOTHING) / (total + SMOOTHING * kinds[length] as f64);
            logs[class] = whole(1000.0 * libm::log(probability));
            frequency += count / total.max(1.0);
        }
        let mean = whole(logs.iter().sum::<i64>() as f64 / 5.0);
        let weights = logs.map(|log| log - mean);
        let spread = weights
            .iter()
            .max()
            .zip(weights.iter().min())
            .map_or(0, |(most, least)| most - least);
        let usefulness = frequency * (spread + (weights[0] - weights[1]).abs()) as f64;
        Self {
            gram,
            weights,
            usefulness,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a logarithm of a probability above 1e-12 times 1000 fits"
)]
fn whole(value: f64) -> i64 {
    value.round() as i64
}

fn count(texts: &[TrainingText]) -> Counts {
    let mut counts = Counts::new();
    for text in texts {
        for word in text.sentences.iter().flat_map(|sentence| gate_words(sentence)) {
            for gram in grams(&word) {
                if let Some(per_class) = counts.get_mut(gram) {
                    per_class[text.class as usize] += 1;
                } else {
                    let mut per_class = [0; 5];
                    per_class[text.class as usize] = 1;
                    counts.insert(gram.to_owned(), per_class);
                }
            }
        }
    }
    counts
}

fn render(texts: &[TrainingText], licence: &str, rows: &[Row<'_>]) -> String {
    let mut table = format!(
        "# language gate of Lydian: weights of character n-grams, 1000 times a natural logarithm\n# licence of this table: {licence}\n"
    );
    for text in texts {
        let note: String = text
            .note
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        writeln!(table, "# {}: {note}", text.class.name()).expect("writing to a string cannot fail");
    }
    table.push_str("gram");
    for class in GateClass::ALL {
        table.push('\t');
        table.push_str(class.name());
    }
    table.push('\n');
    for row in rows {
        table.push_str(row.gram);
        for weight in row.weights {
            write!(table, "\t{weight}").expect("writing to a string cannot fail");
        }
        table.push('\n');
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::LanguageGate;

    fn texts() -> Vec<TrainingText> {
        let sentences = [
            "mir hei nid",
            "wir haben nicht",
            "we have not",
            "nous n'avons pas",
            "non abbiamo",
        ];
        GateClass::ALL
            .into_iter()
            .zip(sentences)
            .map(|(class, sentence)| TrainingText {
                class,
                sentences: vec![sentence.to_owned(); 2],
                note: "authored\nhere".to_owned(),
            })
            .collect()
    }

    #[test]
    fn a_trained_table_reads_back_and_tells_its_own_texts_apart() {
        let table = train_gate(&texts(), "CC0-1.0").unwrap();
        let gate = LanguageGate::parse(&table).unwrap();
        assert!(gate.scores("mir hei nid").says_dialect());
        assert!(!gate.scores("wir haben nicht").says_dialect());
        assert!(table.contains("# gsw: authored here\n"));
    }

    #[test]
    fn the_order_of_sentences_does_not_change_the_rows() {
        let mut longer = texts();
        longer[0].sentences = vec!["mir hei".to_owned(), "si hei nid".to_owned()];
        let forwards = train_gate(&longer, "CC0-1.0");
        longer[0].sentences.reverse();
        assert_eq!(train_gate(&longer, "CC0-1.0"), forwards);
    }

    #[test]
    fn weights_of_a_gram_are_centred() {
        let table = train_gate(&texts(), "CC0-1.0").unwrap();
        for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let sum: i64 = line
                .split('\t')
                .skip(1)
                .map(|weight| weight.parse::<i64>().unwrap())
                .sum();
            assert!(sum.abs() <= 2, "{line}");
        }
    }

    #[test]
    fn a_class_without_text_is_named() {
        let missing: Vec<TrainingText> = texts()
            .into_iter()
            .filter(|text| text.class != GateClass::French)
            .collect();
        assert_eq!(
            train_gate(&missing, "CC0-1.0"),
            Err(TrainingError::NoText { class: "fr" })
        );
    }
}
