//! Machine-translation metrics and statistics: strings in, numbers out.
//!
//! Every [`Metric`] turns a segment into a row of integers and the sum of rows into a score. From the rows of a
//! corpus, kept in a [`StatsTable`], come corpus scores, scores of subsets, intervals and tests, without looking
//! at the text again.
//!
//! ```
//! use lydian_metrics::{Corpus, Metric, Numeric, bleu::Bleu, chrf::Chrf, ter::Ter};
//!
//! let hypotheses = ["The dog bit the man.", "It was not unexpected."];
//! let references = ["The dog had bitten the man.", "No one was surprised."];
//! let corpus = Corpus::new(&hypotheses, &[references])?;
//!
//! let metrics: [&dyn Metric; 3] = [&Chrf::plus_plus(), &Bleu::default(), &Ter::default()];
//! for metric in metrics {
//!     let table = metric.table(&corpus);
//!     let score = metric.table_score(&table, Numeric::Exact);
//!     let first_only = metric.score(&table.sum_of([0]), Numeric::Exact);
//!     println!("{} {score:.2}, first segment {first_only:.2}", metric.signature(corpus.reference_count()));
//! }
//! # Ok::<(), lydian_metrics::MetricError>(())
//! ```
//!
//! Scores are computed in one of two [`Numeric`] modes: `Exact` is the same on every machine, `Sacrebleu`
//! reproduces sacreBLEU 2.6.0 to the last bit.
#![forbid(unsafe_code)]

mod alphabet;
pub mod bleu;
pub mod bootstrap;
pub mod calibration;
pub mod chrf;
mod corpus;
mod distance;
pub mod edit_rate;
mod error;
pub mod exact;
mod exact_mean;
pub mod length;
mod metric;
pub mod multiple;
mod ngrams;
mod numeric;
mod overlap;
mod packed;
pub mod parity;
pub mod power;
pub mod proportion;
pub mod randomization;
pub mod ranking;
pub mod rng;
pub mod sentencepiece;
mod signature;
mod special;
mod stats;
pub mod ter;
pub mod text;

pub use corpus::Corpus;
pub use error::MetricError;
pub use metric::{Metric, SignatureField};
pub use numeric::{Numeric, NumpyFloat};
pub use overlap::Overlap;
pub use signature::{SACREBLEU_VERSION, Signature};
pub use stats::StatsTable;
