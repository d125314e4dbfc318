//! An embeddings server as scorer: the cosine between the vectors of output and reference.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::{Comparison, ScorerError, SemanticScorer};
use crate::provider::{ProviderKind, RawResponse, WireRequest};
use crate::secret::Secret;
use crate::translator::BoxFuture;
use crate::transport::{HttpTransport, Timeouts, Transport};

/// Comparisons per request; each holds two texts at most.
const BATCH: usize = 32;
/// How often a request is made that was not answered properly.
const ATTEMPTS: u32 = 4;
/// How much of an answer that is none is shown.
const SHOWN: usize = 200;

/// How an embeddings server is asked.
#[derive(Clone, Debug)]
pub struct EmbeddingsSettings {
    /// Base URL.
    pub base_url: String,
    /// The model, as the server names it.
    pub model: String,
    /// Written before every text.
    pub prefix: String,
    /// The key.
    pub key: Option<Secret>,
    /// Wait before the first repetition; it doubles.
    pub first_wait: Duration,
    /// Longest wait for the answer to one request.
    pub timeout: Duration,
}

/// A server that answers `POST {base_url}/embeddings` as OpenAI does.
#[derive(Debug)]
pub struct EmbeddingsScorer<T = HttpTransport> {
    transport: T,
    model: String,
    prefix: String,
    first_wait: Duration,
}

#[derive(Deserialize)]
struct Reply {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f64>,
}

/// Why a request has no vectors.
enum Problem {
    /// This request cannot be answered, others may.
    Texts(String),
    /// No request can.
    Server(ScorerError),
}

impl EmbeddingsScorer<HttpTransport> {
    /// Prepares a client; nothing is sent.
    pub fn new(settings: EmbeddingsSettings) -> Result<Self, ScorerError> {
        let usual = Timeouts::default();
        let timeouts = Timeouts {
            idle: usual.idle.min(settings.timeout),
            total: settings.timeout,
            ..usual
        };
        let transport = HttpTransport::new(
            ProviderKind::OpenAi,
            &settings.base_url,
            settings.key,
            &[],
            timeouts,
        )
        .map_err(|error| ScorerError::Unusable(error.to_string()))?;
        Ok(Self {
            transport,
            model: settings.model,
            prefix: settings.prefix,
            first_wait: settings.first_wait,
        })
    }
}

impl<T: Transport> EmbeddingsScorer<T> {
    async fn cosines(&self, comparisons: &[Comparison]) -> Result<Vec<f64>, Problem> {
        let texts = comparisons
            .iter()
            .flat_map(|comparison| [comparison.output.as_str(), comparison.reference.as_str()]);
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut inputs = Vec::new();
        for text in texts {
            numbers.entry(text).or_insert_with(|| {
                inputs.push(format!("{}{text}", self.prefix));
                inputs.len() - 1
            });
        }
        let vectors = self.vectors(&inputs).await?;
        let vector = |text: &str| &vectors[numbers[text]];
        Ok(comparisons
            .iter()
            .map(|comparison| cosine(vector(&comparison.output), vector(&comparison.reference)))
            .collect())
    }

    async fn vectors(&self, inputs: &[String]) -> Result<Vec<Vec<f64>>, Problem> {
        let request = WireRequest {
            path: "/embeddings".into(),
            headers: Vec::new(),
            body: json!({"model": self.model, "input": inputs, "encoding_format": "float"}),
            adjustments: Vec::new(),
        };
        let mut wait = self.first_wait;
        let mut last = String::new();
        for attempt in 1..=ATTEMPTS {
            match self.transport.send(&request).await {
                Ok(response) if response.status == 200 => {
                    return read(&response, inputs.len()).map_err(Problem::Texts);
                }
                Ok(response) => {
                    last = format!("status {}: {}", response.status, shown(&response.body));
                    match response.status {
                        400 | 413 | 422 => return Err(Problem::Texts(last)),
                        408 | 409 | 429 | 500..=599 => {}
                        _ => return Err(Problem::Server(ScorerError::Unusable(last))),
                    }
                }
                Err(failure) => last = failure.message,
            }
            if attempt < ATTEMPTS {
                tokio::time::sleep(wait).await;
                wait *= 2;
            }
        }
        Err(Problem::Server(ScorerError::Silent(last)))
    }
}

impl<T: Transport> SemanticScorer for EmbeddingsScorer<T> {
    fn batch_size(&self) -> usize {
        BATCH
    }

    fn score<'a>(
        &'a self,
        comparisons: &'a [Comparison],
    ) -> BoxFuture<'a, Result<Vec<Result<f64, String>>, ScorerError>> {
        Box::pin(async move {
            match self.cosines(comparisons).await {
                Ok(scores) => return Ok(scores.into_iter().map(Ok).collect()),
                Err(Problem::Server(error)) => return Err(error),
                Err(Problem::Texts(problem)) if comparisons.len() == 1 => return Ok(vec![Err(problem)]),
                Err(Problem::Texts(_)) => {}
            }
            // One text of the batch may be what the server refuses: each is asked about alone.
            let mut scores = Vec::with_capacity(comparisons.len());
            for comparison in comparisons {
                scores.push(match self.cosines(std::slice::from_ref(comparison)).await {
                    Ok(cosines) => Ok(cosines[0]),
                    Err(Problem::Texts(problem)) => Err(problem),
                    Err(Problem::Server(error)) => return Err(error),
                });
            }
            Ok(scores)
        })
    }
}

/// Returns the vectors in the order of the inputs.
fn read(response: &RawResponse, wanted: usize) -> Result<Vec<Vec<f64>>, String> {
    let reply: Reply = serde_json::from_slice(&response.body)
        .map_err(|error| format!("no embeddings ({error}): {}", shown(&response.body)))?;
    let mut vectors: Vec<Option<Vec<f64>>> = vec![None; wanted];
    for item in reply.data {
        let slot = vectors
            .get_mut(item.index)
            .ok_or_else(|| format!("a vector for text {}, which was not sent", item.index))?;
        *slot = Some(item.embedding);
    }
    let vectors: Vec<Vec<f64>> = vectors
        .into_iter()
        .collect::<Option<_>>()
        .ok_or("vectors are missing")?;
    let length = vectors.first().map_or(0, Vec::len);
    let sound = |vector: &Vec<f64>| {
        vector.len() == length
            && vector.iter().all(|value| value.is_finite())
            && vector.iter().any(|value| *value != 0.0)
    };
    if vectors.iter().all(sound) {
        Ok(vectors)
    } else {
        Err("vectors of different lengths, or without a direction".to_owned())
    }
}

fn cosine(left: &[f64], right: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    (dot(left, right) / (dot(left, left) * dot(right, right)).sqrt()).clamp(-1.0, 1.0)
}

fn shown(body: &[u8]) -> String {
    String::from_utf8_lossy(body).chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(body: &str) -> RawResponse {
        RawResponse {
            status: 200,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn vectors_are_put_in_the_order_of_the_texts() {
        let body = r#"{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}"#;
        assert_eq!(
            read(&response(body), 2).unwrap(),
            [vec![1.0, 0.0], vec![0.0, 1.0]]
        );
    }

    #[test]
    fn answers_without_a_usable_vector_for_every_text_are_refused() {
        for body in [
            r#"{"data":[{"index":0,"embedding":[1,0]}]}"#,
            r#"{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1]}]}"#,
            r#"{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0,0]}]}"#,
            r#"{"data":[{"index":0,"embedding":[1,0]},{"index":7,"embedding":[0,1]}]}"#,
            "busy",
        ] {
            assert!(read(&response(body), 2).is_err(), "{body}");
        }
    }

    #[test]
    fn cosines_are_those_of_the_angle() {
        assert!((cosine(&[3.0, 0.0], &[5.0, 0.0]) - 1.0).abs() < 1e-12);
        assert!(cosine(&[1.0, 0.0], &[0.0, 2.0]).abs() < 1e-12);
        assert!((cosine(&[1.0, 1.0], &[1.0, 0.0]) - 0.5_f64.sqrt()).abs() < 1e-12);
    }
}
