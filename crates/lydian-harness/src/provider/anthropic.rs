//! Anthropic Messages.

use super::request::put_extra;
use super::status::{bad_response, failure, object, request_id, text};
use super::{
    Adjustment, AdjustmentKind, Answer, Failure, FailureKind, RawResponse, RequestError, ToolCall,
    TranslationRequest, Truncation, Turn, WireRequest,
};
use lydian_model::prediction::Served;
use lydian_model::{Outcome, TokenUsage};
use serde_json::{Map, Value, json};

/// The interface demands a token limit; this one is sent, and reported, when the method names none.
const DEFAULT_MAX_TOKENS: u32 = 4096;

pub(super) fn wire_request(request: &TranslationRequest) -> Result<WireRequest, RequestError> {
    let (system, turns, tools) = request.chat("anthropic")?;
    let parameters = &request.parameters;
    let mut adjustments = parameters.not_sent(&["seed", "reasoning_effort"]);
    if parameters.max_output_tokens.is_none() && !parameters.extra.contains_key("max_tokens") {
        adjustments.push(Adjustment {
            parameter: "max_output_tokens".into(),
            kind: AdjustmentKind::Added(DEFAULT_MAX_TOKENS.to_string()),
        });
    }
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert(
        "max_tokens".into(),
        json!(parameters.max_output_tokens.unwrap_or(DEFAULT_MAX_TOKENS)),
    );
    body.insert("messages".into(), Value::Array(messages(turns)));
    if !system.is_empty() {
        body.insert("system".into(), json!(system));
    }
    if let Some(temperature) = parameters.temperature {
        body.insert("temperature".into(), json!(temperature));
    }
    if let Some(top_p) = parameters.top_p {
        body.insert("top_p".into(), json!(top_p));
    }
    if !parameters.stop.is_empty() {
        body.insert("stop_sequences".into(), json!(parameters.stop));
    }
    if !tools.is_empty() {
        let tools = tools.iter().map(
            |tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.schema}),
        );
        body.insert("tools".into(), tools.collect());
    }
    put_extra(&mut body, &parameters.extra);
    Ok(WireRequest {
        path: "/v1/messages".into(),
        headers: vec![("anthropic-version", "2023-06-01".into())],
        body: Value::Object(body),
        adjustments,
    })
}

/// Tool results are user turns here, and several in a row share one.
fn messages(turns: &[Turn]) -> Vec<Value> {
    let mut messages: Vec<Value> = Vec::with_capacity(turns.len());
    let mut results: Vec<Value> = Vec::new();
    for turn in turns {
        if let Turn::Tool { call_id, content, .. } = turn {
            results.push(json!({"type": "tool_result", "tool_use_id": call_id, "content": content}));
            continue;
        }
        if !results.is_empty() {
            messages.push(json!({"role": "user", "content": std::mem::take(&mut results)}));
        }
        messages.push(match turn {
            Turn::User(content) => json!({"role": "user", "content": content}),
            Turn::Assistant { text, tool_calls } if tool_calls.is_empty() => {
                json!({"role": "assistant", "content": text})
            }
            Turn::Assistant { text, tool_calls } => {
                let mut parts = Vec::new();
                if !text.is_empty() {
                    parts.push(json!({"type": "text", "text": text}));
                }
                parts.extend(tool_calls.iter().map(|call| {
                    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments})
                }));
                json!({"role": "assistant", "content": parts})
            }
            Turn::Tool { .. } => continue,
        });
    }
    if !results.is_empty() {
        messages.push(json!({"role": "user", "content": results}));
    }
    messages
}

pub(super) fn classify(response: &RawResponse) -> Result<Answer, Failure> {
    if response.status != 200 {
        return Err(error(response, response.status));
    }
    let body = object(response)?;
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return Err(error(response, 500));
    }
    let Some(content) = body.get("content").and_then(Value::as_array) else {
        return Err(bad_response(
            response,
            &format!("the answer holds no content: {}", response.excerpt()),
        ));
    };
    let joined: String = parts(content, "text")
        .filter_map(|part| text(part, &["text"]))
        .collect();
    let tool_calls: Vec<ToolCall> = parts(content, "tool_use")
        .filter_map(|part| {
            Some(ToolCall {
                id: text(part, &["id"])?.to_owned(),
                name: text(part, &["name"])?.to_owned(),
                arguments: part.get("input").cloned().unwrap_or(Value::Null),
            })
        })
        .collect();
    let reason = text(&body, &["stop_reason"]);
    let outcome = match reason {
        Some("refusal") => Outcome::Refused,
        Some("max_tokens" | "model_context_window_exceeded") => Outcome::Truncated,
        _ if !tool_calls.is_empty() => Outcome::Ok,
        _ if joined.trim().is_empty() => Outcome::Empty,
        _ => Outcome::Ok,
    };
    let served = Served {
        model_id: text(&body, &["model"]).map(str::to_owned),
        finish_reason: reason.map(str::to_owned),
        request_id: request_id(response).or_else(|| text(&body, &["id"]).map(str::to_owned)),
        ..Served::default()
    };
    let mut answer = Answer::new(outcome, served);
    answer.text = (!joined.is_empty()).then_some(joined);
    if outcome == Outcome::Refused {
        answer.refusal = answer
            .text
            .clone()
            .or_else(|| Some("stop reason: refusal".into()));
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
    answer.usage = body.get("usage").and_then(usage);
    Ok(answer)
}

fn parts<'a>(content: &'a [Value], kind: &'static str) -> impl Iterator<Item = &'a Value> {
    content
        .iter()
        .filter(move |part| text(part, &["type"]) == Some(kind))
}

/// Here cached tokens stand outside `input_tokens`, and thinking inside `output_tokens` without a count of its own.
fn usage(usage: &Value) -> Option<TokenUsage> {
    let count = |name: &str| usage.get(name).and_then(Value::as_u64);
    let (input, output) = (count("input_tokens"), count("output_tokens"));
    if input.is_none() && output.is_none() {
        return None;
    }
    Some(TokenUsage {
        uncached_input: input,
        cache_read: count("cache_read_input_tokens"),
        cache_write: count("cache_creation_input_tokens"),
        output_text: output,
        reasoning: None,
    })
}

fn error(response: &RawResponse, outer: u16) -> Failure {
    let body = serde_json::from_slice::<Value>(&response.body).unwrap_or(Value::Null);
    let error = body.get("error").unwrap_or(&Value::Null);
    let kind = text(error, &["type"]).unwrap_or_default();
    let status = match kind {
        _ if response.status != 200 => outer,
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "overloaded_error" => 529,
        _ => outer,
    };
    let message = text(error, &["message"]).map_or_else(|| response.excerpt(), str::to_owned);
    let mut failure = failure(response, status, &message);
    // An account without credit is reported as an invalid request.
    if status == 400 && message.contains("credit balance") {
        failure.kind = FailureKind::Quota;
    }
    if failure.request_id.is_none() {
        failure.request_id = text(&body, &["request_id"]).map(str::to_owned);
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::super::{Parameters, Prompt};
    use super::*;

    fn ok(body: &str) -> RawResponse {
        RawResponse::of(200, body)
    }

    fn request(parameters: Parameters, turns: Vec<Turn>) -> TranslationRequest {
        TranslationRequest {
            model: "claude".into(),
            source_language: "en".into(),
            target_language: "crk".into(),
            prompt: Prompt::Chat {
                system: "Translate.".into(),
                turns,
                tools: vec![],
            },
            parameters,
        }
    }

    #[test]
    fn a_zero_temperature_is_sent_and_what_cannot_be_sent_is_named() {
        let parameters = Parameters {
            temperature: Some(0.0),
            seed: Some(7),
            ..Parameters::default()
        };
        let wire = wire_request(&request(parameters, vec![Turn::User("dog".into())])).unwrap();
        assert_eq!(
            wire.body,
            json!({"model": "claude", "max_tokens": 4096, "system": "Translate.", "temperature": 0.0,
                   "messages": [{"role": "user", "content": "dog"}]})
        );
        assert_eq!(
            wire.adjustments,
            [
                Adjustment {
                    parameter: "seed".into(),
                    kind: AdjustmentKind::NotSent
                },
                Adjustment {
                    parameter: "max_output_tokens".into(),
                    kind: AdjustmentKind::Added("4096".into())
                }
            ]
        );
    }

    #[test]
    fn results_of_one_round_of_tools_share_a_turn() {
        let call = |id: &str| ToolCall {
            id: id.into(),
            name: "lookup".into(),
            arguments: json!({"w": id}),
        };
        let result = |id: &str| Turn::Tool {
            call_id: id.into(),
            name: "lookup".into(),
            content: format!("r{id}"),
        };
        let turns = vec![
            Turn::User("x".into()),
            Turn::Assistant {
                text: "let me look".into(),
                tool_calls: vec![call("1"), call("2")],
            },
            result("1"),
            result("2"),
        ];
        let body = wire_request(&request(Parameters::default(), turns)).unwrap().body;
        let messages = body["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 3);
        assert_eq!(
            messages[1]["content"][1],
            json!({"type": "tool_use", "id": "1", "name": "lookup", "input": {"w": "1"}})
        );
        assert_eq!(
            messages[2]["content"][1],
            json!({"type": "tool_result", "tool_use_id": "2", "content": "r2"})
        );
    }

    #[test]
    fn cached_tokens_are_counted_beside_the_input() {
        let answer = classify(&ok(r#"{"id":"msg_1","type":"message","role":"assistant","model":"claude-served",
            "content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"atim"}],"stop_reason":"end_turn",
            "usage":{"input_tokens":86,"cache_creation_input_tokens":100,"cache_read_input_tokens":1920,
            "output_tokens":12}}"#))
        .unwrap();
        assert_eq!(
            (answer.outcome, answer.text.as_deref()),
            (Outcome::Ok, Some("atim"))
        );
        let usage = answer.usage.unwrap();
        assert_eq!(usage.prompt_tokens(), Some(2106));
        assert_eq!(
            (usage.cache_read, usage.cache_write, usage.reasoning),
            (Some(1920), Some(100), None)
        );
        assert_eq!(answer.served.request_id.as_deref(), Some("msg_1"));
        assert!(answer.is_clean());
    }

    #[test]
    fn decisions_about_a_text_are_told_apart() {
        for (reason, content, outcome) in [
            ("end_turn", r#"[{"type":"text","text":"a"}]"#, Outcome::Ok),
            ("end_turn", "[]", Outcome::Empty),
            (
                "max_tokens",
                r#"[{"type":"text","text":"a"}]"#,
                Outcome::Truncated,
            ),
            (
                "max_tokens",
                r#"[{"type":"thinking","thinking":"a"}]"#,
                Outcome::Truncated,
            ),
            ("refusal", "[]", Outcome::Refused),
            (
                "tool_use",
                r#"[{"type":"tool_use","id":"t","name":"lookup","input":{}}]"#,
                Outcome::Ok,
            ),
        ] {
            let body = format!(r#"{{"content":{content},"stop_reason":"{reason}"}}"#);
            let answer = classify(&ok(&body)).unwrap();
            assert_eq!(answer.outcome, outcome, "{body}");
            assert_eq!(answer.is_clean(), outcome == Outcome::Ok, "{body}");
            assert_eq!(answer.refusal.is_some(), outcome == Outcome::Refused);
        }
    }

    #[test]
    fn failures_are_told_apart() {
        use FailureKind::*;
        let error = |kind: &str| {
            format!(r#"{{"type":"error","error":{{"type":"{kind}","message":"m"}},"request_id":"r"}}"#)
        };
        for (status, body, kind) in [
            (200, error("overloaded_error"), Unavailable),
            (200, error("rate_limit_error"), RateLimited),
            (200, r#"{"content":null}"#.to_owned(), BadResponse),
            (401, error("authentication_error"), Authentication),
            (429, error("rate_limit_error"), RateLimited),
            (529, error("overloaded_error"), Unavailable),
            (400, error("invalid_request_error"), BadRequest),
            (
                400,
                r#"{"error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}"#
                    .to_owned(),
                Quota,
            ),
        ] {
            let response = RawResponse { status, ..ok(&body) };
            assert_eq!(classify(&response).unwrap_err().kind, kind, "{status} {body}");
        }
    }
}
