//! Fake embeddings: counts of letter triples, which know how texts look and nothing of what they mean.

use serde_json::{Value, json};

use super::connection::HttpRequest;
use super::reply::Reply;

/// Length of a vector.
const DIMENSIONS: usize = 64;
/// What the answer calls the model, whatever was asked for, so that no record can pass for a real encoder's.
pub(super) const MODEL: &str = "lydian-fake-embeddings";

/// Answers a request for embeddings; `None` if it is none.
pub(super) fn answer(request: &HttpRequest) -> Option<Reply> {
    let path = request.path.split('?').next().unwrap_or_default();
    if request.method != "POST" || !path.ends_with("/embeddings") {
        return None;
    }
    let texts = serde_json::from_slice::<Value>(&request.body)
        .ok()
        .and_then(|body| texts(body.get("input")?));
    let Some(texts) = texts else {
        let problem = json!({"error": {"message": "input: expected a text or a list of texts", "code": 400}});
        return Some(Reply::json(400, &problem.to_string()));
    };
    let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": vector(text)}))
        .collect();
    let tokens = characters.div_ceil(4);
    let answer = json!({"object": "list", "model": MODEL, "data": data,
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens}});
    Some(Reply::json(200, &answer.to_string()))
}

fn texts(input: &Value) -> Option<Vec<String>> {
    match input {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(list) => list.iter().map(|text| text.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}

/// Counts the triples of letters in buckets; the first bucket is never empty, so that every vector has a direction.
fn vector(text: &str) -> Vec<f64> {
    let mut counts = vec![0.0; DIMENSIONS];
    counts[0] = 1.0;
    let padded: Vec<char> = format!("  {}  ", text.to_lowercase()).chars().collect();
    for triple in padded.windows(3) {
        let hash = triple.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, c| {
            (hash ^ u64::from(u32::from(*c))).wrapping_mul(0x0100_0000_01b3)
        });
        let bucket = usize::try_from(hash >> 32).unwrap_or_default() % DIMENSIONS;
        counts[bucket] += 1.0;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(body: &str) -> Value {
        let request = HttpRequest {
            method: "POST".into(),
            path: "/v1/embeddings".into(),
            headers: vec![],
            body: body.as_bytes().to_vec(),
        };
        serde_json::from_str(&answer(&request).unwrap().body).unwrap()
    }

    #[test]
    fn vectors_depend_on_nothing_but_the_text_and_name_their_maker() {
        let reply = asked(r#"{"model":"text-embedding-3-large","input":["a dog","a dog","the sea"]}"#);
        assert_eq!(reply["model"], MODEL);
        assert_eq!(reply["data"][0]["embedding"], reply["data"][1]["embedding"]);
        assert_ne!(reply["data"][0]["embedding"], reply["data"][2]["embedding"]);
        assert_eq!(
            asked(r#"{"input":""}"#)["data"][0]["embedding"]
                .as_array()
                .unwrap()
                .len(),
            64
        );
        assert_eq!(asked("{}")["error"]["code"], 400);
    }
}
