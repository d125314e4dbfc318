//! `DeepL` v2.

use super::request::{ALL_SAMPLING, put_extra};
use super::status::{failure, object, text, translated};
use super::{Answer, Failure, RawResponse, RequestError, TranslationRequest, WireRequest};
use serde_json::{Map, Value, json};

pub(super) fn wire_request(request: &TranslationRequest) -> Result<WireRequest, RequestError> {
    let source = request.text("deepl")?;
    let mut body = Map::new();
    body.insert("text".into(), json!([source]));
    // The service writes tags in capitals, and a source without its region.
    let language = request
        .source_language
        .split(['-', '_'])
        .next()
        .unwrap_or_default();
    body.insert("source_lang".into(), json!(language.to_ascii_uppercase()));
    body.insert(
        "target_lang".into(),
        json!(request.target_language.to_ascii_uppercase()),
    );
    body.insert("show_billed_characters".into(), json!(true));
    if !request.model.is_empty() {
        body.insert("model_type".into(), json!(request.model));
    }
    put_extra(&mut body, &request.parameters.extra);
    Ok(WireRequest {
        path: "/v2/translate".into(),
        headers: Vec::new(),
        body: Value::Object(body),
        adjustments: request.parameters.not_sent(&ALL_SAMPLING),
    })
}

pub(super) fn classify(response: &RawResponse) -> Result<Answer, Failure> {
    if response.status != 200 {
        let body = serde_json::from_slice::<Value>(&response.body).unwrap_or(Value::Null);
        let message = text(&body, &["message"]).map_or_else(|| response.excerpt(), str::to_owned);
        return Err(failure(response, response.status, &message));
    }
    let body = object(response)?;
    let translation = body.get("translations").and_then(|all| all.get(0));
    let mut answer = translated(response, translation, "text", "model_type_used")?;
    answer.billed_characters =
        translation.and_then(|translation| translation.get("billed_characters")?.as_u64());
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::super::{FailureKind, Parameters, Prompt};
    use super::*;
    use lydian_model::Outcome;

    #[test]
    fn the_request_has_the_documented_form() {
        let request = TranslationRequest {
            model: String::new(),
            source_language: "en-GB".into(),
            target_language: "pt-BR".into(),
            prompt: Prompt::Text("dog".into()),
            parameters: Parameters {
                temperature: Some(0.0),
                ..Parameters::default()
            },
        };
        let wire = wire_request(&request).unwrap();
        assert_eq!(
            wire.body,
            json!({"text": ["dog"], "source_lang": "EN", "target_lang": "PT-BR", "show_billed_characters": true})
        );
        assert_eq!(wire.adjustments[0].parameter, "temperature");
    }

    #[test]
    fn billed_characters_are_read() {
        let body = r#"{"translations":[{"detected_source_language":"EN","text":"cão","billed_characters":3,
            "model_type_used":"quality_optimized"}]}"#;
        let answer = classify(&RawResponse::of(200, body)).unwrap();
        assert_eq!(
            (answer.outcome, answer.text.as_deref()),
            (Outcome::Ok, Some("cão"))
        );
        assert_eq!(answer.billed_characters, Some(3));
        assert!(answer.is_clean());
    }

    #[test]
    fn failures_are_told_apart() {
        use FailureKind::*;
        for (status, body, kind) in [
            (403, "", Forbidden),
            (456, r#"{"message":"Quota exceeded"}"#, Quota),
            (429, r#"{"message":"Too many requests"}"#, RateLimited),
            (
                400,
                r#"{"message":"Value for 'target_lang' not supported."}"#,
                BadRequest,
            ),
            (200, r#"{"translations":[]}"#, BadResponse),
            (200, r#"{"translations":[{}]}"#, BadResponse),
        ] {
            assert_eq!(
                classify(&RawResponse::of(status, body)).unwrap_err().kind,
                kind,
                "{status} {body}"
            );
        }
    }
}
