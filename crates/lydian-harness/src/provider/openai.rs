//! Chat completions as `OpenAI` defined them and many servers speak them.

use super::request::put_extra;
use super::status::{bad_response, failure, object, request_id, status_in, text};
use super::{
    Answer, Failure, FailureKind, RawResponse, RequestError, ToolCall, TranslationRequest, Truncation, Turn,
    WireRequest,
};
use lydian_model::prediction::Served;
use lydian_model::{NanoUsd, Outcome, TokenUsage};
use serde_json::{Map, Value, json};

pub(super) fn wire_request(request: &TranslationRequest) -> Result<WireRequest, RequestError> {
    let (system, turns, tools) = request.chat("openai")?;
    let mut messages = Vec::with_capacity(turns.len() + 1);
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system}));
    }
    messages.extend(turns.iter().map(message));
    let parameters = &request.parameters;
    let mut body = Map::new();
    body.insert("model".into(), json!(request.model));
    body.insert("messages".into(), Value::Array(messages));
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            body.insert(name.to_owned(), value);
        }
    };
    put("temperature", parameters.temperature.map(|value| json!(value)));
    put("top_p", parameters.top_p.map(|value| json!(value)));
    put(
        "max_tokens",
        parameters.max_output_tokens.map(|value| json!(value)),
    );
    put("seed", parameters.seed.map(|value| json!(value)));
    put(
        "reasoning_effort",
        parameters.reasoning_effort.as_ref().map(|value| json!(value)),
    );
    put(
        "stop",
        (!parameters.stop.is_empty()).then(|| json!(parameters.stop)),
    );
    put("tools", (!tools.is_empty()).then(|| {
        Value::Array(
            tools
                .iter()
                .map(|tool| {
                    let function =
                        json!({"name": tool.name, "description": tool.description, "parameters": tool.schema});
                    json!({"type": "function", "function": function})
                })
                .collect(),
        )
    }));
    // Reasoning models of OpenAI refuse the older name; a method that sets the newer one means it instead.
    if parameters.extra.contains_key("max_completion_tokens") {
        body.remove("max_tokens");
    }
    put_extra(&mut body, &parameters.extra);
    Ok(WireRequest {
        path: "/chat/completions".into(),
        headers: Vec::new(),
        body: Value::Object(body),
        adjustments: Vec::new(),
    })
}

fn message(turn: &Turn) -> Value {
    match turn {
        Turn::User(content) => json!({"role": "user", "content": content}),
        Turn::Assistant { text, tool_calls } if tool_calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        Turn::Assistant { text, tool_calls } => {
            let calls: Vec<Value> = tool_calls
                .iter()
                .map(|call| {
                    let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
                    json!({"id": call.id, "type": "function", "function": function})
                })
                .collect();
            let content = if text.is_empty() { Value::Null } else { json!(text) };
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
        Turn::Tool { call_id, content, .. } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": content})
        }
    }
}

pub(super) fn classify(response: &RawResponse) -> Result<Answer, Failure> {
    if response.status != 200 {
        return from_error(response, response.status);
    }
    let body = object(response)?;
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return from_error(response, 500);
    }
    let choice = body
        .get("choices")
        .and_then(|choices| choices.get(0))
        .filter(|choice| choice.is_object());
    let Some(choice) = choice else {
        return Err(bad_response(
            response,
            &format!("the answer holds no choice: {}", response.excerpt()),
        ));
    };
    if choice.get("error").is_some_and(|error| !error.is_null()) {
        return from_error_value(response, 500, &choice["error"]);
    }
    let served = served(response, &body, choice);
    if served.finish_reason.as_deref() == Some("error") {
        return Err(failure(
            response,
            502,
            "the provider ended the answer with finish reason \"error\"",
        ));
    }
    let mut answer = judge(choice, served);
    answer.usage = body.get("usage").and_then(usage);
    if answer.truncation.is_some() && answer.text.is_none() {
        answer.truncation = Some(Truncation::ReasoningOnly);
    }
    answer.reported_cost = body
        .pointer("/usage/cost")
        .and_then(Value::as_f64)
        .and_then(NanoUsd::from_dollars);
    Ok(answer)
}

fn served(response: &RawResponse, body: &Value, choice: &Value) -> Served {
    let owned = |value: Option<&str>| value.map(str::to_owned);
    Served {
        model_id: owned(text(body, &["model"])),
        provider: owned(text(body, &["provider"])),
        finish_reason: owned(text(choice, &["finish_reason"])),
        request_id: request_id(response).or_else(|| owned(text(body, &["id"]))),
        system_fingerprint: owned(text(body, &["system_fingerprint"])),
    }
}

fn judge(choice: &Value, served: Served) -> Answer {
    let message = choice.get("message").unwrap_or(&Value::Null);
    let (content, part_refusal) = content(message.get("content").unwrap_or(&Value::Null));
    let refusal = text(message, &["refusal"]).map(str::to_owned).or(part_refusal);
    let tool_calls = tool_calls(message);
    let reason = served.finish_reason.clone();
    let outcome = match reason.as_deref() {
        Some("content_filter") => Outcome::Filtered,
        _ if refusal.is_some() => Outcome::Refused,
        Some("length") => Outcome::Truncated,
        _ if !tool_calls.is_empty() => Outcome::Ok,
        _ if content.as_deref().is_none_or(|text| text.trim().is_empty()) => Outcome::Empty,
        _ => Outcome::Ok,
    };
    let mut answer = Answer::new(outcome, served);
    answer.truncation = (outcome == Outcome::Truncated).then_some(Truncation::Length);
    answer.text = content;
    answer.refusal = refusal;
    answer.tool_calls = tool_calls;
    answer
}

/// Reads a content that is a string or a list of parts; returns text and refusal.
fn content(value: &Value) -> (Option<String>, Option<String>) {
    let non_empty = |text: String| (!text.is_empty()).then_some(text);
    match value {
        Value::String(text) => (non_empty(text.clone()), None),
        Value::Array(parts) => {
            let joined =
                |name: &str| -> String { parts.iter().filter_map(|part| text(part, &[name])).collect() };
            (non_empty(joined("text")), non_empty(joined("refusal")))
        }
        _ => (None, None),
    }
}

fn tool_calls(message: &Value) -> Vec<ToolCall> {
    let calls = message
        .get("tool_calls")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    calls
        .iter()
        .filter_map(|call| {
            let function = call.get("function")?;
            let arguments = match function.get("arguments") {
                Some(Value::String(text)) => {
                    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
                }
                Some(value) => value.clone(),
                None => Value::Null,
            };
            Some(ToolCall {
                id: text(call, &["id"]).unwrap_or_default().to_owned(),
                name: text(function, &["name"])?.to_owned(),
                arguments,
            })
        })
        .collect()
}

/// Splits the reported totals into disjoint buckets: here cached and reasoning tokens are parts of the totals.
fn usage(usage: &Value) -> Option<TokenUsage> {
    let count = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
    let prompt = count("/prompt_tokens").or_else(|| count("/input_tokens"));
    let completion = count("/completion_tokens").or_else(|| count("/output_tokens"));
    if prompt.is_none() && completion.is_none() {
        return None;
    }
    let cache_read =
        count("/prompt_tokens_details/cached_tokens").or_else(|| count("/prompt_cache_hit_tokens"));
    let cache_write = count("/prompt_tokens_details/cache_write_tokens");
    let reasoning = count("/completion_tokens_details/reasoning_tokens");
    let parts = cache_read.unwrap_or(0).saturating_add(cache_write.unwrap_or(0));
    Some(TokenUsage {
        // Parts larger than their total contradict each other: then the bucket is unknown, not a guess.
        uncached_input: prompt.and_then(|total| total.checked_sub(parts)),
        cache_read,
        cache_write,
        output_text: completion.and_then(|total| total.checked_sub(reasoning.unwrap_or(0))),
        reasoning,
    })
}

fn from_error(response: &RawResponse, status: u16) -> Result<Answer, Failure> {
    match serde_json::from_slice::<Value>(&response.body) {
        Ok(body) => {
            let error = body
                .get("error")
                .filter(|error| !error.is_null())
                .unwrap_or(&body);
            from_error_value(response, status, error)
        }
        Err(_) => Err(failure(response, status, &response.excerpt())),
    }
}

/// Reads an error object. A policy decision about this text is an answer (`filtered`), all else a failure.
fn from_error_value(response: &RawResponse, outer: u16, error: &Value) -> Result<Answer, Failure> {
    let inner = error
        .get("code")
        .and_then(status_in)
        .or_else(|| error.get("status").and_then(status_in));
    let status = if response.status == 200 {
        inner.unwrap_or(outer)
    } else {
        outer
    };
    let code = text(error, &["code"])
        .or_else(|| text(error, &["type"]))
        .unwrap_or_default();
    let message = error
        .as_str()
        .or_else(|| text(error, &["message", "detail"]))
        .unwrap_or_default();
    let upstream = error
        .pointer("/metadata/raw")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut message = if message.is_empty() {
        response.excerpt()
    } else {
        message.to_owned()
    };
    if !upstream.is_empty() {
        message = format!("{message} (upstream: {upstream})");
    }
    let policy = matches!(
        code,
        "content_filter" | "content_policy_violation" | "content_policy"
    ) || error.pointer("/innererror/code").and_then(Value::as_str)
        == Some("ResponsibleAIPolicyViolation")
        || error.pointer("/metadata/reasons").is_some_and(Value::is_array);
    if policy && matches!(status, 400 | 403) {
        let served = Served {
            finish_reason: Some(if code.is_empty() { "content_filter" } else { code }.to_owned()),
            request_id: request_id(response),
            ..Served::default()
        };
        let mut answer = Answer::new(Outcome::Filtered, served);
        answer.refusal = Some(message);
        return Ok(answer);
    }
    let mut failure = failure(response, status, &message);
    if matches!(code, "insufficient_quota" | "billing_hard_limit_reached") {
        failure.kind = FailureKind::Quota;
    }
    Err(failure)
}

#[cfg(test)]
mod tests {
    use super::super::{Parameters, Prompt, ToolSpec};
    use super::*;

    fn ok(body: &str) -> RawResponse {
        RawResponse::of(200, body)
    }

    fn status(status: u16, body: &str) -> RawResponse {
        RawResponse { status, ..ok(body) }
    }

    fn choice(choice: &str) -> RawResponse {
        ok(&format!(
            r#"{{"id":"gen-1","model":"m-served","choices":[{choice}]}}"#
        ))
    }

    fn request(parameters: Parameters) -> TranslationRequest {
        TranslationRequest {
            model: "m".into(),
            source_language: "en".into(),
            target_language: "crk".into(),
            prompt: Prompt::Chat {
                system: "Translate.".into(),
                turns: vec![Turn::User("dog".into())],
                tools: vec![],
            },
            parameters,
        }
    }

    #[test]
    fn a_zero_temperature_is_sent() {
        let wire = wire_request(&request(Parameters {
            temperature: Some(0.0),
            ..Parameters::default()
        }))
        .unwrap();
        let messages =
            json!([{"role": "system", "content": "Translate."}, {"role": "user", "content": "dog"}]);
        assert_eq!(
            wire.body,
            json!({"model": "m", "messages": messages, "temperature": 0.0})
        );
        assert!(wire.adjustments.is_empty());
    }

    #[test]
    fn nothing_is_sent_that_was_not_asked_for() {
        let wire = wire_request(&request(Parameters::default())).unwrap();
        let mut names: Vec<&str> = wire
            .body
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["messages", "model"]);
    }

    #[test]
    fn extra_fields_go_through_and_replace_older_names() {
        let extra = json!({"max_completion_tokens": 9, "provider": {"order": ["x"]}, "temperature": null});
        let parameters = Parameters {
            max_output_tokens: Some(9),
            temperature: Some(0.5),
            extra: extra.as_object().unwrap().clone(),
            ..Parameters::default()
        };
        let body = wire_request(&request(parameters)).unwrap().body;
        assert_eq!(body["max_completion_tokens"], 9);
        assert_eq!(body["provider"]["order"][0], "x");
        assert!(body.get("max_tokens").is_none() && body.get("temperature").is_none());
    }

    #[test]
    fn tool_turns_have_the_documented_form() {
        let call = ToolCall {
            id: "c1".into(),
            name: "lookup".into(),
            arguments: json!({"word": "dog"}),
        };
        let mut asked = request(Parameters::default());
        let schema = json!({"type": "object"});
        asked.prompt = Prompt::Chat {
            system: String::new(),
            turns: vec![
                Turn::Assistant {
                    text: String::new(),
                    tool_calls: vec![call],
                },
                Turn::Tool {
                    call_id: "c1".into(),
                    name: "lookup".into(),
                    content: "atim".into(),
                },
            ],
            tools: vec![ToolSpec {
                name: "lookup".into(),
                description: "d".into(),
                schema,
            }],
        };
        let body = wire_request(&asked).unwrap().body;
        let function = json!({"name": "lookup", "arguments": "{\"word\":\"dog\"}"});
        let calls = json!([{"id": "c1", "type": "function", "function": function}]);
        assert_eq!(
            body["messages"],
            json!([{"role": "assistant", "content": null, "tool_calls": calls},
                   {"role": "tool", "tool_call_id": "c1", "content": "atim"}])
        );
        assert_eq!(body["tools"][0]["function"]["name"], "lookup");
    }

    #[test]
    fn an_ordinary_answer_keeps_everything_the_provider_said() {
        let mut response = ok(
            r#"{"id":"gen-1","object":"chat.completion","model":"vendor/m-2025","provider":"Azure",
            "system_fingerprint":"fp_1","choices":[{"index":0,"finish_reason":"stop",
            "message":{"role":"assistant","content":"atim","refusal":null}}],
            "usage":{"prompt_tokens":2006,"completion_tokens":300,"total_tokens":2306,"cost":0.000123456789,
            "prompt_tokens_details":{"cached_tokens":1920},"completion_tokens_details":{"reasoning_tokens":250}}}"#,
        );
        response.headers.push(("x-request-id".into(), "req_9".into()));
        let answer = classify(&response).unwrap();
        assert_eq!(
            (answer.outcome, answer.text.as_deref()),
            (Outcome::Ok, Some("atim"))
        );
        let usage = TokenUsage {
            uncached_input: Some(86),
            cache_read: Some(1920),
            cache_write: None,
            output_text: Some(50),
            reasoning: Some(250),
        };
        assert_eq!(answer.usage, Some(usage));
        assert_eq!(answer.reported_cost, Some(NanoUsd::new(123_457)));
        let served = Served {
            model_id: Some("vendor/m-2025".into()),
            provider: Some("Azure".into()),
            finish_reason: Some("stop".into()),
            request_id: Some("req_9".into()),
            system_fingerprint: Some("fp_1".into()),
        };
        assert_eq!(answer.served, served);
        assert!(answer.is_clean());
    }

    #[test]
    fn decisions_about_a_text_are_told_apart() {
        for (body, outcome, clean) in [
            (
                r#"{"finish_reason":"stop","message":{"content":"a"}}"#,
                Outcome::Ok,
                true,
            ),
            (
                r#"{"finish_reason":null,"message":{"content":"a"}}"#,
                Outcome::Ok,
                false,
            ),
            (
                r#"{"finish_reason":"stop","message":{"content":[{"type":"text","text":"a"}]}}"#,
                Outcome::Ok,
                true,
            ),
            (
                r#"{"finish_reason":"length","message":{"content":"a"}}"#,
                Outcome::Truncated,
                false,
            ),
            (
                r#"{"finish_reason":"length","message":{"content":null}}"#,
                Outcome::Truncated,
                false,
            ),
            (
                r#"{"finish_reason":"content_filter","message":{"content":""}}"#,
                Outcome::Filtered,
                false,
            ),
            (
                r#"{"finish_reason":"stop","message":{"content":null,"refusal":"I can't"}}"#,
                Outcome::Refused,
                false,
            ),
            (
                r#"{"finish_reason":"stop","message":{"content":" \n"}}"#,
                Outcome::Empty,
                false,
            ),
            (r#"{"finish_reason":"stop","message":{}}"#, Outcome::Empty, false),
            (r#"{"finish_reason":"stop"}"#, Outcome::Empty, false),
        ] {
            let answer = classify(&choice(body)).unwrap();
            assert_eq!((answer.outcome, answer.is_clean()), (outcome, clean), "{body}");
        }
    }

    #[test]
    fn reasoning_that_used_all_tokens_is_named() {
        let answer = classify(&choice(
            r#"{"finish_reason":"length","message":{"content":null}}"#,
        ))
        .unwrap();
        assert_eq!(answer.truncation, Some(Truncation::ReasoningOnly));
        let answer = classify(&choice(r#"{"finish_reason":"length","message":{"content":"a"}}"#)).unwrap();
        assert_eq!(answer.truncation, Some(Truncation::Length));
    }

    #[test]
    fn a_missing_usage_is_unknown_not_zero() {
        assert_eq!(
            classify(&choice(r#"{"finish_reason":"stop","message":{"content":"a"}}"#))
                .unwrap()
                .usage,
            None
        );
    }

    #[test]
    fn cached_tokens_above_the_total_leave_the_rest_unknown() {
        let usage = usage(&json!({"prompt_tokens": 5, "completion_tokens": 1,
            "prompt_tokens_details": {"cached_tokens": 9}}))
        .unwrap();
        assert_eq!((usage.uncached_input, usage.cache_read), (None, Some(9)));
    }

    #[test]
    fn failures_are_told_apart() {
        use FailureKind::*;
        for (response, kind, code) in [
            (
                ok(r#"{"error":{"code":429,"message":"slow down","metadata":{"raw":"up"}}}"#),
                RateLimited,
                429,
            ),
            (ok(r#"{"error":{"code":"502","message":"x"}}"#), Unavailable, 502),
            (
                ok(r#"{"choices":null,"error":{"code":500,"message":"x"}}"#),
                Unavailable,
                500,
            ),
            (ok(r#"{"error":"model crashed"}"#), Unavailable, 500),
            (ok(r#"{"choices":[]}"#), BadResponse, 200),
            (ok(r#"{"choices":[null]}"#), BadResponse, 200),
            (ok("<html>gateway</html>"), BadResponse, 200),
            (ok(""), BadResponse, 200),
            (ok("[]"), BadResponse, 200),
            (
                choice(r#"{"finish_reason":"error","message":{"content":"part"}}"#),
                Unavailable,
                502,
            ),
            (
                choice(r#"{"error":{"code":429},"message":{"content":""}}"#),
                RateLimited,
                429,
            ),
            (
                status(401, r#"{"error":{"message":"bad key","code":"invalid_api_key"}}"#),
                Authentication,
                401,
            ),
            (status(403, r#"{"error":{"message":"no"}}"#), Forbidden, 403),
            (status(404, "not here"), NotFound, 404),
            (
                status(402, r#"{"error":{"code":402,"message":"credits"}}"#),
                Quota,
                402,
            ),
            (
                status(429, r#"{"error":{"code":"insufficient_quota","message":"x"}}"#),
                Quota,
                429,
            ),
            (status(429, r#"{"error":{"message":"x"}}"#), RateLimited, 429),
            (
                status(
                    400,
                    r#"{"error":{"code":"context_length_exceeded","message":"x"}}"#,
                ),
                BadRequest,
                400,
            ),
            (
                status(500, r#"{"error":{"code":401,"message":"x"}}"#),
                Unavailable,
                500,
            ),
            (status(529, "{}"), Unavailable, 529),
        ] {
            let failure = classify(&response).unwrap_err();
            assert_eq!((failure.kind, failure.status), (kind, Some(code)), "{response:?}");
        }
    }

    #[test]
    fn the_upstream_message_is_kept() {
        let response =
            ok(r#"{"error":{"code":429,"message":"slow down","metadata":{"raw":"tokens per min"}}}"#);
        let failure = classify(&response).unwrap_err();
        assert_eq!(failure.message, "slow down (upstream: tokens per min)");
    }

    #[test]
    fn a_policy_error_is_a_decision_about_the_text() {
        for response in [
            status(400, r#"{"error":{"code":"content_filter","message":"policy"}}"#),
            status(
                400,
                r#"{"error":{"message":"policy","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#,
            ),
            status(
                403,
                r#"{"error":{"code":403,"message":"flagged","metadata":{"reasons":["violence"]}}}"#,
            ),
        ] {
            let answer = classify(&response).unwrap();
            assert_eq!(answer.outcome, Outcome::Filtered, "{response:?}");
            assert!(answer.refusal.is_some() && !answer.is_clean());
        }
    }

    #[test]
    fn tool_calls_are_read_even_if_their_arguments_are_not_json() {
        let answer = classify(&choice(
            r#"{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[
            {"id":"c1","type":"function","function":{"name":"lookup","arguments":"{\"word\":\"dog\"}"}},
            {"id":"c2","type":"function","function":{"name":"lookup","arguments":"{"}}]}}"#,
        ))
        .unwrap();
        assert_eq!(answer.tool_calls[0].arguments, json!({"word": "dog"}));
        assert_eq!(answer.tool_calls[1].arguments, json!("{"));
        assert_eq!(answer.outcome, Outcome::Ok);
    }
}
