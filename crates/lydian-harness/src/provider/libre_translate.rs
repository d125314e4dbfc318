//! `LibreTranslate`.

use super::request::{ALL_SAMPLING, put_extra};
use super::status::{failure, object, text, translated};
use super::{Answer, Failure, FailureKind, RawResponse, RequestError, TranslationRequest, WireRequest};
use serde_json::{Map, Value, json};

pub(super) fn wire_request(request: &TranslationRequest) -> Result<WireRequest, RequestError> {
    let source = request.text("libretranslate")?;
    let mut body = Map::new();
    body.insert("q".into(), json!(source));
    body.insert("source".into(), json!(request.source_language));
    body.insert("target".into(), json!(request.target_language));
    body.insert("format".into(), json!("text"));
    put_extra(&mut body, &request.parameters.extra);
    Ok(WireRequest {
        path: "/translate".into(),
        headers: Vec::new(),
        body: Value::Object(body),
        adjustments: request.parameters.not_sent(&ALL_SAMPLING),
    })
}

pub(super) fn classify(response: &RawResponse) -> Result<Answer, Failure> {
    let body = if response.status == 200 {
        object(response)?
    } else {
        serde_json::from_slice::<Value>(&response.body).unwrap_or(Value::Null)
    };
    if response.status != 200 || body.get("error").is_some() {
        let message = text(&body, &["error"]).map_or_else(|| response.excerpt(), str::to_owned);
        let status = if response.status == 200 {
            500
        } else {
            response.status
        };
        let mut failure = failure(response, status, &message);
        // A missing or wrong key is reported as 403 or 400.
        if matches!(status, 400 | 403) && message.to_ascii_lowercase().contains("api key") {
            failure.kind = FailureKind::Authentication;
        }
        return Err(failure);
    }
    translated(response, Some(&body), "translatedText", "model")
}

#[cfg(test)]
mod tests {
    use super::super::{Parameters, Prompt};
    use super::*;
    use lydian_model::Outcome;

    #[test]
    fn the_key_is_not_part_of_the_request() {
        let request = TranslationRequest {
            model: String::new(),
            source_language: "en".into(),
            target_language: "es".into(),
            prompt: Prompt::Text("dog".into()),
            parameters: Parameters::default(),
        };
        let wire = wire_request(&request).unwrap();
        assert_eq!(
            wire.body,
            json!({"q": "dog", "source": "en", "target": "es", "format": "text"})
        );
    }

    #[test]
    fn an_answer_is_read() {
        let answer = classify(&RawResponse::of(200, r#"{"translatedText":"perro"}"#)).unwrap();
        assert_eq!(
            (answer.outcome, answer.text.as_deref()),
            (Outcome::Ok, Some("perro"))
        );
    }

    #[test]
    fn failures_are_told_apart() {
        use FailureKind::*;
        for (status, body, kind) in [
            (403, r#"{"error":"Invalid API key"}"#, Authentication),
            (403, r#"{"error":"banned"}"#, Forbidden),
            (400, r#"{"error":"crk is not supported"}"#, BadRequest),
            (429, r#"{"error":"Slowdown: 30 per 1 minute"}"#, RateLimited),
            (500, r#"{"error":"Cannot translate text"}"#, Unavailable),
            (200, r#"{"error":"x"}"#, Unavailable),
            (200, "{}", BadResponse),
        ] {
            assert_eq!(
                classify(&RawResponse::of(status, body)).unwrap_err().kind,
                kind,
                "{status} {body}"
            );
        }
    }
}
