//! Scores JSON lines `{"hyp": …, "refs": […]}` under all variants of the reference tables.
//!
//! Prints one line per input line: the bits of every sentence score in hexadecimal, and at the end the corpus
//! scores of all lines together. `scripts/metrics-fuzz.py` compares them with sacreBLEU.

use std::io::{self, BufRead, Write};

use lydian_metrics::{Corpus, Numeric};
use serde_json::Value;

#[path = "../tests/it/variants.rs"]
#[expect(dead_code, reason = "the module belongs to the tests")]
mod variants;

fn main() -> io::Result<()> {
    let metrics = variants::sentence_variants();
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let value: Value = serde_json::from_str(&line?)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let references: Vec<String> = value["refs"].as_array().into_iter().flatten().map(text).collect();
        rows.push((text(&value["hyp"]), references));
    }
    for (hypothesis, references) in &rows {
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let scores: Vec<String> = metrics
            .iter()
            .map(
                |(_, metric)| match metric.sentence_score(hypothesis, &references, Numeric::Sacrebleu) {
                    Ok(score) => format!("{:016x}", score.to_bits()),
                    Err(error) => error.to_string(),
                },
            )
            .collect();
        writeln!(output, "{}", scores.join(" "))?;
    }
    let hypotheses: Vec<&str> = rows.iter().map(|(hypothesis, _)| hypothesis.as_str()).collect();
    let streams = rows
        .iter()
        .map(|(_, references)| references.len())
        .max()
        .unwrap_or(0);
    let references: Vec<Vec<Option<&str>>> = (0..streams)
        .map(|stream| {
            rows.iter()
                .map(|(_, references)| references.get(stream).map(String::as_str))
                .collect()
        })
        .collect();
    match Corpus::with_missing(&hypotheses, &references) {
        Ok(corpus) => {
            for (_, metric) in &metrics {
                let score = metric.corpus_score(&corpus, Numeric::Sacrebleu);
                write!(output, "{:016x} ", score.to_bits())?;
            }
            writeln!(output)
        }
        Err(error) => writeln!(output, "{error}"),
    }
}
