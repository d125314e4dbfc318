//! Google Gemini `generateContent`.

use super::request::put_extra;
use super::status::{bad_response, failure, object, request_id, status_in, text};
use super::{
    Answer, Failure, FailureKind, RawResponse, RequestError, ToolCall, TranslationRequest, Truncation, Turn,
    WireRequest,
};
use lydian_model::prediction::Served;
use lydian_model::{Outcome, TokenUsage};
use serde_json::{Map, Value, json};

pub(super) fn wire_request(request: &TranslationRequest) -> Result<WireRequest, RequestError> {
    let (system, turns, tools) = request.chat("gemini")?;
    let model = request.model.strip_prefix("models/").unwrap_or(&request.model);
    if model.is_empty()
        || !model
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.@".contains(c))
    {
        return Err(RequestError::BadModel(request.model.clone()));
    }
    let parameters = &request.parameters;
    let mut settings = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            settings.insert(name.to_owned(), value);
        }
    };
    put("temperature", parameters.temperature.map(|value| json!(value)));
    put("topP", parameters.top_p.map(|value| json!(value)));
    put(
        "maxOutputTokens",
        parameters.max_output_tokens.map(|value| json!(value)),
    );
    put("seed", parameters.seed.map(|value| json!(value)));
    put(
        "stopSequences",
        (!parameters.stop.is_empty()).then(|| json!(parameters.stop)),
    );
    let mut body = Map::new();
    body.insert("contents".into(), Value::Array(contents(turns)));
    if !system.is_empty() {
        body.insert("systemInstruction".into(), json!({"parts": [{"text": system}]}));
    }
    if !settings.is_empty() {
        body.insert("generationConfig".into(), Value::Object(settings));
    }
    if !tools.is_empty() {
        let functions: Vec<Value> = tools
            .iter()
            .map(
                |tool| json!({"name": tool.name, "description": tool.description, "parameters": tool.schema}),
            )
            .collect();
        body.insert("tools".into(), json!([{"functionDeclarations": functions}]));
    }
    put_extra(&mut body, &parameters.extra);
    Ok(WireRequest {
        path: format!("/v1beta/models/{model}:generateContent"),
        headers: Vec::new(),
        body: Value::Object(body),
        adjustments: parameters.not_sent(&["reasoning_effort"]),
    })
}

/// Turns of the same role that follow each other share one content, as the interface asks for tool results.
fn contents(turns: &[Turn]) -> Vec<Value> {
    let mut contents: Vec<(&str, Vec<Value>)> = Vec::new();
    for turn in turns {
        let (role, parts) = match turn {
            Turn::User(content) => ("user", vec![json!({"text": content})]),
            Turn::Assistant { text, tool_calls } => {
                let mut parts = Vec::new();
                if !text.is_empty() {
                    parts.push(json!({"text": text}));
                }
                parts.extend(
                    tool_calls
                        .iter()
                        .map(|call| json!({"functionCall": {"name": call.name, "args": call.arguments}})),
                );
                ("model", parts)
            }
            Turn::Tool { name, content, .. } => {
                let response = json!({"name": name, "response": {"result": content}});
                ("user", vec![json!({"functionResponse": response})])
            }
        };
        match contents.last_mut() {
            Some((last, existing)) if *last == role => existing.extend(parts),
            _ => contents.push((role, parts)),
        }
    }
    contents
        .into_iter()
        .map(|(role, parts)| json!({"role": role, "parts": parts}))
        .collect()
}

pub(super) fn classify(response: &RawResponse) -> Result<Answer, Failure> {
    if response.status != 200 {
        return Err(error(response));
    }
    let body = object(response)?;
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return Err(error(response));
    }
    let mut served = Served {
        model_id: text(&body, &["modelVersion"]).map(str::to_owned),
        request_id: request_id(response).or_else(|| text(&body, &["responseId"]).map(str::to_owned)),
        ..Served::default()
    };
    let usage = body.get("usageMetadata").and_then(usage);
    let candidate = body.get("candidates").and_then(|candidates| candidates.get(0));
    let Some(candidate) = candidate else {
        let Some(reason) = body
            .pointer("/promptFeedback/blockReason")
            .and_then(Value::as_str)
        else {
            return Err(bad_response(
                response,
                &format!("the answer holds no candidate: {}", response.excerpt()),
            ));
        };
        served.finish_reason = Some(reason.to_owned());
        let mut answer = Answer::new(Outcome::Filtered, served);
        answer.refusal = Some(format!("the prompt was blocked: {reason}"));
        answer.usage = usage;
        return Ok(answer);
    };
    let reason = text(candidate, &["finishReason"]);
    served.finish_reason = reason.map(str::to_owned);
    if matches!(
        reason,
        Some("OTHER" | "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL")
    ) {
        let reason = reason.unwrap_or_default();
        return Err(failure(
            response,
            502,
            &format!("the provider ended the answer with finish reason {reason:?}"),
        ));
    }
    let mut answer = judge(candidate, served);
    answer.usage = usage;
    Ok(answer)
}

fn judge(candidate: &Value, served: Served) -> Answer {
    let parts = candidate
        .pointer("/content/parts")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let is_thought = |part: &Value| part.get("thought").and_then(Value::as_bool) == Some(true);
    let joined: String = parts
        .iter()
        .filter(|part| !is_thought(part))
        .filter_map(|part| text(part, &["text"]))
        .collect();
    let tool_calls: Vec<ToolCall> = parts
        .iter()
        .filter_map(|part| part.get("functionCall"))
        .enumerate()
        .filter_map(|(index, call)| {
            Some(ToolCall {
                id: text(call, &["id"]).map_or_else(|| format!("call-{index}"), str::to_owned),
                name: text(call, &["name"])?.to_owned(),
                arguments: call.get("args").cloned().unwrap_or(Value::Null),
            })
        })
        .collect();
    let outcome = match served.finish_reason.as_deref() {
        Some(
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE"
            | "IMAGE_SAFETY",
        ) => Outcome::Filtered,
        Some("MAX_TOKENS") => Outcome::Truncated,
        _ if !tool_calls.is_empty() => Outcome::Ok,
        _ if joined.trim().is_empty() => Outcome::Empty,
        _ => Outcome::Ok,
    };
    let reason = served.finish_reason.clone();
    let mut answer = Answer::new(outcome, served);
    answer.text = (!joined.is_empty()).then_some(joined);
    if outcome == Outcome::Filtered {
        answer.refusal = text(candidate, &["finishMessage"]).map(str::to_owned).or(reason);
    }
    if outcome == Outcome::Truncated {
        let only_reasoning = answer.text.is_none();
        answer.truncation = Some(if only_reasoning {
            Truncation::ReasoningOnly
        } else {
            Truncation::Length
        });
    }
    answer.tool_calls = tool_calls;
    answer
}

/// Here cached tokens are part of the prompt count, and thoughts stand beside the candidates' count.
fn usage(usage: &Value) -> Option<TokenUsage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let prompt = count("promptTokenCount");
    let candidates = count("candidatesTokenCount");
    let thoughts = count("thoughtsTokenCount");
    if prompt.is_none() && candidates.is_none() && thoughts.is_none() {
        return None;
    }
    let cache_read = count("cachedContentTokenCount");
    let tools = count("toolUsePromptTokenCount").unwrap_or(0);
    Some(TokenUsage {
        uncached_input: prompt
            .and_then(|total| total.checked_sub(cache_read.unwrap_or(0)))
            .map(|n| n + tools),
        cache_read,
        cache_write: None,
        // A blocked or reasoning-only answer has no candidates' count: then no text was produced.
        output_text: candidates.or(Some(0)),
        reasoning: thoughts,
    })
}

fn error(response: &RawResponse) -> Failure {
    let body = serde_json::from_slice::<Value>(&response.body).unwrap_or(Value::Null);
    // Errors of the interface come as an object, or, from its streaming twin, as a list with one object.
    let error = body
        .get("error")
        .or_else(|| body.get(0).and_then(|first| first.get("error")))
        .unwrap_or(&Value::Null);
    let status = if response.status == 200 {
        error.get("code").and_then(status_in).unwrap_or(500)
    } else {
        response.status
    };
    let message = text(error, &["message"]).map_or_else(|| response.excerpt(), str::to_owned);
    let mut failure = failure(response, status, &message);
    let details = error
        .get("details")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    if failure.retry_after.is_none() {
        failure.retry_after = details
            .iter()
            .find_map(|detail| text(detail, &["retryDelay"]))
            .and_then(seconds);
    }
    // A wrong key is reported as an invalid argument.
    if details
        .iter()
        .any(|detail| text(detail, &["reason"]) == Some("API_KEY_INVALID"))
    {
        failure.kind = FailureKind::Authentication;
    }
    failure
}

/// Reads a duration such as `39s` or `1.5s`.
fn seconds(text: &str) -> Option<std::time::Duration> {
    let number = text.strip_suffix('s')?.parse::<f64>().ok()?;
    std::time::Duration::try_from_secs_f64(number).ok()
}

#[cfg(test)]
mod tests {
    use super::super::{Parameters, Prompt};
    use super::*;

    fn ok(body: &str) -> RawResponse {
        RawResponse::of(200, body)
    }

    fn request(model: &str) -> TranslationRequest {
        TranslationRequest {
            model: model.into(),
            source_language: "en".into(),
            target_language: "crk".into(),
            prompt: Prompt::Chat {
                system: "S".into(),
                turns: vec![Turn::User("dog".into())],
                tools: vec![],
            },
            parameters: Parameters {
                temperature: Some(0.0),
                max_output_tokens: Some(64),
                ..Parameters::default()
            },
        }
    }

    #[test]
    fn the_request_has_the_documented_form() {
        let wire = wire_request(&request("gemini-2.5-flash")).unwrap();
        assert_eq!(wire.path, "/v1beta/models/gemini-2.5-flash:generateContent");
        assert_eq!(
            wire.body,
            json!({"contents": [{"role": "user", "parts": [{"text": "dog"}]}],
                   "systemInstruction": {"parts": [{"text": "S"}]},
                   "generationConfig": {"temperature": 0.0, "maxOutputTokens": 64}})
        );
    }

    #[test]
    fn a_model_name_cannot_change_the_path() {
        for name in ["a/b", "../x", "a?key=1", "models/", "a b"] {
            assert!(
                matches!(wire_request(&request(name)), Err(RequestError::BadModel(_))),
                "{name}"
            );
        }
        assert!(wire_request(&request("models/gemini-2.5-pro")).is_ok());
    }

    #[test]
    fn thoughts_are_counted_and_not_shown() {
        let answer = classify(&ok(
            r#"{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},
            {"text":"atim"}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":2006,
            "cachedContentTokenCount":1920,"candidatesTokenCount":50,"thoughtsTokenCount":250},
            "modelVersion":"gemini-2.5-flash","responseId":"r1"}"#,
        ))
        .unwrap();
        assert_eq!(
            (answer.outcome, answer.text.as_deref()),
            (Outcome::Ok, Some("atim"))
        );
        let usage = answer.usage.unwrap();
        assert_eq!(
            (usage.prompt_tokens(), usage.completion_tokens()),
            (Some(2006), Some(300))
        );
        assert_eq!((usage.uncached_input, usage.reasoning), (Some(86), Some(250)));
        assert!(answer.is_clean());
    }

    #[test]
    fn decisions_about_a_text_are_told_apart() {
        let candidate = |reason: &str, parts: &str| {
            format!(r#"{{"candidates":[{{"content":{{"parts":{parts}}},"finishReason":"{reason}"}}]}}"#)
        };
        for (body, outcome) in [
            (candidate("STOP", r#"[{"text":"a"}]"#), Outcome::Ok),
            (candidate("STOP", "[]"), Outcome::Empty),
            (candidate("MAX_TOKENS", r#"[{"text":"a"}]"#), Outcome::Truncated),
            (candidate("MAX_TOKENS", "[]"), Outcome::Truncated),
            (candidate("SAFETY", "[]"), Outcome::Filtered),
            (candidate("PROHIBITED_CONTENT", "[]"), Outcome::Filtered),
            (
                candidate("STOP", r#"[{"functionCall":{"name":"lookup","args":{"w":1}}}]"#),
                Outcome::Ok,
            ),
            (
                r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#.to_owned(),
                Outcome::Filtered,
            ),
        ] {
            let answer = classify(&ok(&body)).unwrap();
            assert_eq!(answer.outcome, outcome, "{body}");
            assert_eq!(answer.refusal.is_some(), outcome == Outcome::Filtered, "{body}");
        }
    }

    #[test]
    fn failures_are_told_apart() {
        use FailureKind::*;
        let quota =
            r#"{"error":{"code":429,"message":"m","details":[{"@type":"RetryInfo","retryDelay":"39s"}]}}"#;
        let key = r#"{"error":{"code":400,"message":"m","details":[{"reason":"API_KEY_INVALID"}]}}"#;
        for (status, body, kind, wait) in [
            (429, quota, RateLimited, Some(39)),
            (200, quota, RateLimited, Some(39)),
            (400, key, Authentication, None),
            (
                503,
                r#"[{"error":{"code":503,"message":"m"}}]"#,
                Unavailable,
                None,
            ),
            (200, "{}", BadResponse, None),
            (
                200,
                r#"{"candidates":[{"finishReason":"OTHER"}]}"#,
                Unavailable,
                None,
            ),
        ] {
            let failure = classify(&RawResponse { status, ..ok(body) }).unwrap_err();
            assert_eq!(
                (failure.kind, failure.retry_after.map(|wait| wait.as_secs())),
                (kind, wait),
                "{status} {body}"
            );
        }
    }

    #[test]
    fn tool_results_in_a_row_share_a_content() {
        let tool = |id: &str| Turn::Tool {
            call_id: id.into(),
            name: "lookup".into(),
            content: "r".into(),
        };
        let contents = contents(&[Turn::User("x".into()), tool("1"), tool("2")]);
        assert_eq!(contents.len(), 1);
        assert_eq!(contents[0]["parts"].as_array().unwrap().len(), 3);
    }
}
