//! Repeats one operation on files of lines, to be timed from outside; `benches/compare.py` does so beside other tools.
//!
//! Usage: `time-metrics OPERATION METRIC THREADS REPEATS REFERENCES HYPOTHESES [HYPOTHESES]`. Prints the resulting number.

use lydian_metrics::bleu::{Bleu, BleuConfig, Tokenizer};
use lydian_metrics::bootstrap::Bootstrap;
use lydian_metrics::chrf::Chrf;
use lydian_metrics::parity::{randomization_p_value, resample};
use lydian_metrics::randomization::Randomization;
use lydian_metrics::ter::Ter;
use lydian_metrics::{Corpus, Metric, Numeric, StatsTable};

fn metric(name: &str) -> Box<dyn Metric> {
    let tokenized = |tokenizer| {
        Box::new(Bleu::new(BleuConfig {
            tokenizer,
            ..BleuConfig::default()
        }))
    };
    match name {
        "chrf" => Box::new(Chrf::default()),
        "ter" => Box::new(Ter::default()),
        "bleu" => Box::new(Bleu::default()),
        "bleu-intl" => tokenized(Tokenizer::International),
        "bleu-char" => tokenized(Tokenizer::Character),
        "bleu-zh" => tokenized(Tokenizer::Chinese),
        _ => Box::new(Chrf::plus_plus()),
    }
}

/// Runs the operation once and returns its number.
fn run(operation: &str, metric: &dyn Metric, corpora: &[Corpus<'_>], tables: &[StatsTable]) -> f64 {
    match operation {
        "corpus" => metric.corpus_score(&corpora[0], Numeric::Sacrebleu),
        "sentence" => {
            let corpus = &corpora[0];
            let table = metric.table(corpus);
            table
                .rows()
                .map(|row| metric.score(row, Numeric::Sacrebleu))
                .sum()
        }
        "bootstrap" => {
            resample(&[(metric, &tables[0])], Bootstrap::default())[0]
                .confidence()
                .mean
        }
        "paired-bs" => {
            let tables: Vec<StatsTable> = corpora.iter().map(|corpus| metric.table(corpus)).collect();
            let pairs = [(metric, &tables[0]), (metric, &tables[1])];
            let resampled = resample(&pairs, Bootstrap::default());
            resampled[1].p_value(&resampled[0], 0.1)
        }
        "paired-ar" => {
            let tables: Vec<StatsTable> = corpora.iter().map(|corpus| metric.table(corpus)).collect();
            randomization_p_value(metric, &tables[0], &tables[1], Randomization::default())
                .unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}

#[expect(clippy::print_stdout, reason = "the result of the program")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [operation, name, threads, repeats, references, hypotheses @ ..] = arguments.as_slice() else {
        println!("usage: time-metrics OPERATION METRIC THREADS REPEATS REFERENCES HYPOTHESES [HYPOTHESES]");
        return;
    };
    let read = |path: &String| std::fs::read_to_string(path).unwrap_or_default();
    let references = read(references);
    let texts: Vec<String> = hypotheses.iter().map(read).collect();
    let references: Vec<&str> = references.lines().collect();
    let corpora: Vec<Corpus<'_>> = texts
        .iter()
        .filter_map(|text| Corpus::new(&text.lines().collect::<Vec<&str>>(), &[&references]).ok())
        .collect();
    let metric = metric(name);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse().unwrap_or(1))
        .build();
    let Ok(pool) = pool else { return };
    pool.install(|| {
        let tables: Vec<StatsTable> = match operation.as_str() {
            "bootstrap" => corpora.iter().map(|corpus| metric.table(corpus)).collect(),
            _ => Vec::new(),
        };
        let mut result = f64::NAN;
        for _ in 0..repeats.parse().unwrap_or(1) {
            result = run(operation, &*metric, &corpora, &tables);
        }
        println!("{result:?}");
    });
}
