//! Answers and errors in each wire form.

use super::asked::{Asked, Form};
use super::behaviour::UsageMode;
use serde_json::{Value, json};

/// An HTTP response.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

/// What kind of answer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Text,
    Cut,
    ReasoningOnly,
    Filtered,
    Refused,
    Empty,
    ToolCall,
}

/// An answer before it takes a wire form.
#[derive(Debug)]
pub(super) struct FakeAnswer {
    content: Content,
    text: String,
    usage: Option<Tokens>,
    cost: bool,
    upstreams: bool,
}

/// Tokens of one answer; input includes cached, output includes reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) input: u64,
    cached: u64,
    pub(super) output: u64,
    reasoning: u64,
}

/// The server's prices in nano-USD per token.
const INPUT_PRICE: u64 = 1_000;
const OUTPUT_PRICE: u64 = 2_000;
/// Words of the refusal.
const REFUSAL: &str = "I can't help with that.";

impl Reply {
    pub(super) fn json(status: u16, body: &str) -> Self {
        Self {
            status,
            content_type: "application/json",
            headers: Vec::new(),
            body: body.to_owned(),
        }
    }

    pub(super) fn text(status: u16, body: &str) -> Self {
        let is_html = body.starts_with('<');
        let content_type = if is_html { "text/html" } else { "application/json" };
        Self {
            content_type,
            ..Self::json(status, body)
        }
    }

    fn value(status: u16, body: &Value) -> Self {
        Self::json(status, &body.to_string())
    }
}

impl FakeAnswer {
    pub(super) fn new(asked: &Asked, content: Content, translation: String) -> Self {
        let mut content = content;
        let mut text = match content {
            Content::Text => translation,
            Content::Cut => translation
                .chars()
                .take(translation.chars().count().div_ceil(2))
                .collect(),
            Content::Refused => REFUSAL.to_owned(),
            Content::ReasoningOnly | Content::Filtered | Content::Empty | Content::ToolCall => String::new(),
        };
        let limit = asked.max_tokens.unwrap_or(u64::MAX);
        let mut output = tokens_of(text.len());
        if content == Content::Text && output > limit {
            content = Content::Cut;
            let bytes = usize::try_from(limit.saturating_mul(4)).unwrap_or(usize::MAX);
            text = text
                .char_indices()
                .take_while(|(start, c)| start + c.len_utf8() < bytes)
                .map(|(_, c)| c)
                .collect();
            output = limit;
        }
        let reasoning = if content == Content::ReasoningOnly {
            limit.min(250)
        } else {
            0
        };
        let usage = Tokens {
            input: tokens_of(asked.prompt_bytes),
            cached: 0,
            output: output + reasoning,
            reasoning,
        };
        Self {
            content,
            text,
            usage: Some(usage),
            cost: false,
            upstreams: false,
        }
    }

    pub(super) fn with_usage(mut self, mode: UsageMode) -> Self {
        match mode {
            UsageMode::Counted => {}
            UsageMode::Missing => self.usage = None,
            UsageMode::Cached => {
                self.usage = Some(Tokens {
                    input: 2006,
                    cached: 1920,
                    output: 300,
                    reasoning: 250,
                });
            }
        }
        self
    }

    pub(super) fn with_cost(mut self, reports: bool) -> Self {
        self.cost = reports;
        self
    }

    pub(super) fn with_upstreams(mut self, alternating: bool) -> Self {
        self.upstreams = alternating;
        self
    }

    /// Returns the tokens, also when they are not told to the client.
    pub(super) fn tokens(&self) -> Tokens {
        self.usage.unwrap_or(Tokens {
            input: 0,
            cached: 0,
            output: 0,
            reasoning: 0,
        })
    }

    /// Returns what the server charges.
    pub(super) fn cost_nano_usd(&self) -> u64 {
        let tokens = self.tokens();
        tokens.input * INPUT_PRICE + tokens.output * OUTPUT_PRICE
    }
}

fn tokens_of(bytes: usize) -> u64 {
    (bytes as u64).div_ceil(4)
}

impl Form {
    /// Writes an answer.
    pub(super) fn answer(self, asked: &Asked, answer: &FakeAnswer, number: u64) -> Reply {
        let body = match self {
            Self::OpenAi => openai(asked, answer, number),
            Self::Anthropic => anthropic(asked, answer, number),
            Self::Gemini => gemini(asked, answer, number),
            Self::DeepL => {
                let billed = asked.user_turns.first().map_or(0, |text| text.chars().count());
                json!({"translations": [{"detected_source_language": "EN", "text": answer.text,
                    "billed_characters": billed, "model_type_used": "quality_optimized"}]})
            }
            Self::GoogleTranslate => json!({"data": {"translations": [{"translatedText": answer.text}]}}),
            Self::LibreTranslate => json!({"translatedText": answer.text}),
        };
        let mut reply = Reply::value(200, &body);
        reply.headers.push(("x-request-id", format!("req-{number}")));
        reply
    }

    /// Writes an HTTP error.
    pub(super) fn error(self, status: u16, retry_after: Option<&str>, message: &str) -> Reply {
        let body = match self {
            Self::OpenAi => json!({"error": {"message": message, "type": "error", "code": status}}),
            Self::Anthropic => {
                json!({"type": "error", "error": {"type": anthropic_error(status), "message": message}})
            }
            Self::Gemini | Self::GoogleTranslate => {
                json!({"error": {"code": status, "message": message, "status": "ERROR"}})
            }
            Self::DeepL => json!({"message": message}),
            Self::LibreTranslate => json!({"error": message}),
        };
        let mut reply = Reply::value(status, &body);
        reply
            .headers
            .extend(retry_after.map(|value| ("retry-after", value.to_owned())));
        reply
    }

    /// Writes an error that hides behind status 200.
    pub(super) fn error_in_200(self, status: u16) -> Reply {
        Reply {
            status: 200,
            ..self.error(status, None, "hidden error")
        }
    }

    /// Writes an error that is a decision about the text.
    pub(super) fn policy_error(self) -> Reply {
        if self == Self::OpenAi {
            let error = json!({"message": "the prompt was filtered", "code": "content_filter"});
            return Reply::value(400, &json!({"error": error}));
        }
        self.error(400, None, "the text was refused by policy")
    }

    /// Writes the error for an account without credit.
    pub(super) fn quota_error(self) -> Reply {
        match self {
            Self::OpenAi => {
                let error =
                    json!({"message": "You exceeded your current quota", "code": "insufficient_quota"});
                Reply::value(429, &json!({"error": error}))
            }
            Self::DeepL => self.error(456, None, "Quota exceeded"),
            _ => self.error(402, None, "no credit left"),
        }
    }
}

fn openai(asked: &Asked, answer: &FakeAnswer, number: u64) -> Value {
    let reason = match answer.content {
        Content::Text | Content::Empty | Content::Refused => "stop",
        Content::Cut | Content::ReasoningOnly => "length",
        Content::Filtered => "content_filter",
        Content::ToolCall => "tool_calls",
    };
    let refused = answer.content == Content::Refused;
    let mut message = json!({
        "role": "assistant",
        "content": if refused || answer.text.is_empty() { Value::Null } else { json!(answer.text) },
        "refusal": if refused { json!(answer.text) } else { Value::Null },
    });
    if answer.content == Content::ToolCall {
        let function = json!({"name": first_tool(asked), "arguments": tool_arguments(asked).to_string()});
        message["tool_calls"] = json!([{"id": "call-1", "type": "function", "function": function}]);
    }
    let mut body = json!({
        "id": format!("gen-{number}"),
        "object": "chat.completion",
        "model": asked.model,
        "choices": [{"index": 0, "finish_reason": reason, "message": message}],
    });
    if answer.upstreams {
        body["provider"] = json!(if number.is_multiple_of(2) {
            "Azure"
        } else {
            "OpenAI"
        });
    }
    if let Some(tokens) = answer.usage {
        body["usage"] = json!({
            "prompt_tokens": tokens.input,
            "completion_tokens": tokens.output,
            "total_tokens": tokens.input + tokens.output,
            "prompt_tokens_details": {"cached_tokens": tokens.cached},
            "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
        });
        if answer.cost {
            body["usage"]["cost"] = json!(answer.cost_nano_usd() as f64 / 1e9);
        }
    }
    body
}

fn anthropic(asked: &Asked, answer: &FakeAnswer, number: u64) -> Value {
    let reason = match answer.content {
        Content::Text | Content::Empty => "end_turn",
        Content::Cut | Content::ReasoningOnly => "max_tokens",
        Content::Filtered | Content::Refused => "refusal",
        Content::ToolCall => "tool_use",
    };
    let content = match answer.content {
        Content::ToolCall => {
            json!([{"type": "tool_use", "id": "call-1", "name": first_tool(asked), "input": tool_arguments(asked)}])
        }
        Content::ReasoningOnly => json!([{"type": "thinking", "thinking": "…"}]),
        _ if answer.text.is_empty() => json!([]),
        _ => json!([{"type": "text", "text": answer.text}]),
    };
    let mut body = json!({"id": format!("msg-{number}"), "type": "message", "role": "assistant",
        "model": asked.model, "content": content, "stop_reason": reason, "stop_sequence": null});
    if let Some(tokens) = answer.usage {
        body["usage"] = json!({"input_tokens": tokens.input - tokens.cached,
            "cache_read_input_tokens": tokens.cached, "cache_creation_input_tokens": 0,
            "output_tokens": tokens.output});
    }
    body
}

fn gemini(asked: &Asked, answer: &FakeAnswer, number: u64) -> Value {
    let reason = match answer.content {
        Content::Text | Content::Empty | Content::ToolCall => "STOP",
        Content::Cut | Content::ReasoningOnly => "MAX_TOKENS",
        Content::Filtered | Content::Refused => "PROHIBITED_CONTENT",
    };
    let parts = match answer.content {
        Content::ToolCall => {
            json!([{"functionCall": {"name": first_tool(asked), "args": tool_arguments(asked)}}])
        }
        Content::Text | Content::Cut if !answer.text.is_empty() => json!([{"text": answer.text}]),
        _ => json!([]),
    };
    let mut body = json!({
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}],
        "modelVersion": asked.model,
        "responseId": format!("r-{number}"),
    });
    if let Some(tokens) = answer.usage {
        body["usageMetadata"] = json!({"promptTokenCount": tokens.input, "cachedContentTokenCount": tokens.cached,
            "candidatesTokenCount": tokens.output - tokens.reasoning, "thoughtsTokenCount": tokens.reasoning,
            "totalTokenCount": tokens.input + tokens.output});
    }
    body
}

fn anthropic_error(status: u16) -> &'static str {
    match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        402 => "billing_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    }
}

fn first_tool(asked: &Asked) -> &str {
    asked.tools.first().map_or("lookup", String::as_str)
}

/// Asks the tool for the first word of the text.
fn tool_arguments(asked: &Asked) -> Value {
    let text = asked.user_turns.last().map_or("", String::as_str);
    json!({"word": text.split_whitespace().last().unwrap_or_default()})
}
