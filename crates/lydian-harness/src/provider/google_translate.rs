//! Google Cloud Translation v2 (Basic).

use super::request::{ALL_SAMPLING, put_extra};
use super::status::{failure, object, status_in, text, translated};
use super::{Answer, Failure, FailureKind, RawResponse, RequestError, TranslationRequest, WireRequest};
use serde_json::{Map, Value, json};

pub(super) fn wire_request(request: &TranslationRequest) -> Result<WireRequest, RequestError> {
    let source = request.text("google-translate")?;
    let mut body = Map::new();
    body.insert("q".into(), json!([source]));
    body.insert("source".into(), json!(request.source_language));
    body.insert("target".into(), json!(request.target_language));
    // Without this the service takes the text for HTML and answers with entities such as `&#39;`.
    body.insert("format".into(), json!("text"));
    if !request.model.is_empty() {
        body.insert("model".into(), json!(request.model));
    }
    put_extra(&mut body, &request.parameters.extra);
    Ok(WireRequest {
        path: "/language/translate/v2".into(),
        headers: Vec::new(),
        body: Value::Object(body),
        adjustments: request.parameters.not_sent(&ALL_SAMPLING),
    })
}

pub(super) fn classify(response: &RawResponse) -> Result<Answer, Failure> {
    if response.status != 200 {
        return Err(error(response));
    }
    let body = object(response)?;
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return Err(error(response));
    }
    translated(
        response,
        body.pointer("/data/translations/0"),
        "translatedText",
        "model",
    )
}

fn error(response: &RawResponse) -> Failure {
    let body = serde_json::from_slice::<Value>(&response.body).unwrap_or(Value::Null);
    let error = body.get("error").unwrap_or(&Value::Null);
    let status = if response.status == 200 {
        error.get("code").and_then(status_in).unwrap_or(500)
    } else {
        response.status
    };
    let message = text(error, &["message"]).map_or_else(|| response.excerpt(), str::to_owned);
    let mut failure = failure(response, status, &message);
    // The service reports limits as 403 and a wrong key as 400.
    let reason = error
        .pointer("/errors/0/reason")
        .and_then(Value::as_str)
        .unwrap_or_default();
    failure.kind = match reason {
        "rateLimitExceeded" | "userRateLimitExceeded" => FailureKind::RateLimited,
        "dailyLimitExceeded" | "quotaExceeded" => FailureKind::Quota,
        "keyInvalid" | "badRequest" if message.contains("API key") => FailureKind::Authentication,
        _ => failure.kind,
    };
    failure
}

#[cfg(test)]
mod tests {
    use super::super::{Parameters, Prompt};
    use super::*;
    use lydian_model::Outcome;

    #[test]
    fn the_text_is_declared_to_be_plain() {
        let request = TranslationRequest {
            model: String::new(),
            source_language: "en".into(),
            target_language: "sw".into(),
            prompt: Prompt::Text("it's".into()),
            parameters: Parameters::default(),
        };
        let wire = wire_request(&request).unwrap();
        assert_eq!(
            wire.body,
            json!({"q": ["it's"], "source": "en", "target": "sw", "format": "text"})
        );
    }

    #[test]
    fn an_answer_is_read() {
        let body = r#"{"data":{"translations":[{"translatedText":"mbwa","model":"nmt"}]}}"#;
        let answer = classify(&RawResponse::of(200, body)).unwrap();
        assert_eq!(
            (answer.outcome, answer.text.as_deref()),
            (Outcome::Ok, Some("mbwa"))
        );
        assert_eq!(answer.served.model_id.as_deref(), Some("nmt"));
    }

    #[test]
    fn failures_are_told_apart() {
        use FailureKind::*;
        let error = |code: u16, reason: &str, message: &str| {
            format!(
                r#"{{"error":{{"code":{code},"message":"{message}","errors":[{{"reason":"{reason}"}}]}}}}"#
            )
        };
        for (status, body, kind) in [
            (403, error(403, "userRateLimitExceeded", "m"), RateLimited),
            (403, error(403, "dailyLimitExceeded", "m"), Quota),
            (403, error(403, "forbidden", "m"), Forbidden),
            (
                400,
                error(400, "badRequest", "API key not valid."),
                Authentication,
            ),
            (400, error(400, "invalid", "Invalid Value"), BadRequest),
            (200, error(503, "backendError", "m"), Unavailable),
            (200, r#"{"data":{"translations":[]}}"#.to_owned(), BadResponse),
        ] {
            assert_eq!(
                classify(&RawResponse::of(status, &body)).unwrap_err().kind,
                kind,
                "{status} {body}"
            );
        }
    }
}
