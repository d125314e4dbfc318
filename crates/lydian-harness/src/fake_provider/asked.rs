//! What a request asks for, whichever wire form it uses.

use super::connection::HttpRequest;
use serde_json::Value;

/// The wire forms the server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    OpenAi,
    Anthropic,
    Gemini,
    DeepL,
    GoogleTranslate,
    LibreTranslate,
}

/// A request in neutral terms.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) form: Form,
    pub(super) model: String,
    /// The texts of the user's turns, oldest first; one for engines.
    pub(super) user_turns: Vec<String>,
    /// Results of tools in the conversation.
    pub(super) tool_results: Vec<String>,
    /// Names of the tools offered.
    pub(super) tools: Vec<String>,
    pub(super) max_tokens: Option<u64>,
    pub(super) key: Option<String>,
    /// Bytes of everything said, for token counts.
    pub(super) prompt_bytes: usize,
}

/// An item of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BatchItem {
    pub(super) id: String,
    pub(super) source: String,
}

impl Asked {
    /// Reads a request, or returns `None` if its path belongs to no wire form.
    pub(super) fn read(request: &HttpRequest) -> Option<Self> {
        if request.method != "POST" {
            return None;
        }
        let (default_model, path) = split_model_prefix(&request.path);
        let (form, path_model) = form_of(path)?;
        let body = serde_json::from_slice::<Value>(&request.body).unwrap_or(Value::Null);
        let mut asked = Self {
            form,
            model: path_model
                .or_else(|| body.get("model").and_then(Value::as_str))
                .filter(|model| !model.is_empty())
                .unwrap_or(default_model)
                .to_owned(),
            user_turns: Vec::new(),
            tool_results: Vec::new(),
            tools: Vec::new(),
            max_tokens: None,
            key: key(form, request, &body),
            prompt_bytes: 0,
        };
        match form {
            Form::OpenAi => asked.read_openai(&body),
            Form::Anthropic => asked.read_anthropic(&body),
            Form::Gemini => asked.read_gemini(&body),
            Form::DeepL => asked.say(body.pointer("/text/0")),
            Form::GoogleTranslate => asked.say(body.pointer("/q/0").or_else(|| body.get("q"))),
            Form::LibreTranslate => asked.say(body.get("q")),
        }
        Some(asked)
    }

    fn say(&mut self, text: Option<&Value>) {
        let text = text.map(text_of).unwrap_or_default();
        self.prompt_bytes += text.len();
        self.user_turns.push(text);
    }

    fn read_openai(&mut self, body: &Value) {
        for message in array(body.get("messages")) {
            let text = text_of(message.get("content").unwrap_or(&Value::Null));
            self.prompt_bytes += text.len();
            match message.get("role").and_then(Value::as_str) {
                Some("user") => self.user_turns.push(text),
                Some("tool") => self.tool_results.push(text),
                _ => {}
            }
        }
        self.tools = names(
            array(body.get("tools"))
                .iter()
                .filter_map(|tool| tool.pointer("/function/name")),
        );
        self.max_tokens = body
            .get("max_tokens")
            .or_else(|| body.get("max_completion_tokens"))
            .and_then(Value::as_u64);
    }

    fn read_anthropic(&mut self, body: &Value) {
        self.prompt_bytes += body.get("system").map(text_of).unwrap_or_default().len();
        for message in array(body.get("messages")) {
            let content = message.get("content").unwrap_or(&Value::Null);
            let results = array(Some(content))
                .iter()
                .filter(|part| part["type"] == "tool_result");
            self.tool_results
                .extend(results.map(|part| text_of(&part["content"])));
            let text = text_of(content);
            self.prompt_bytes += text.len();
            if message["role"] == "user" && !text.is_empty() {
                self.user_turns.push(text);
            }
        }
        self.tools = names(
            array(body.get("tools"))
                .iter()
                .filter_map(|tool| tool.get("name")),
        );
        self.max_tokens = body.get("max_tokens").and_then(Value::as_u64);
    }

    fn read_gemini(&mut self, body: &Value) {
        self.prompt_bytes += body
            .pointer("/systemInstruction/parts")
            .map(text_of)
            .unwrap_or_default()
            .len();
        for content in array(body.get("contents")) {
            let parts = content.get("parts").unwrap_or(&Value::Null);
            let results = array(Some(parts))
                .iter()
                .filter_map(|part| part.pointer("/functionResponse/response/result"));
            self.tool_results.extend(results.map(text_of));
            let text = text_of(parts);
            self.prompt_bytes += text.len();
            if content["role"] != "model" && !text.is_empty() {
                self.user_turns.push(text);
            }
        }
        let declarations = body.pointer("/tools/0/functionDeclarations");
        self.tools = names(array(declarations).iter().filter_map(|tool| tool.get("name")));
        self.max_tokens = body
            .pointer("/generationConfig/maxOutputTokens")
            .and_then(Value::as_u64);
    }

    /// Returns the items if the last user turn ends in a line that is a JSON list of `{"id","source"}`.
    pub(super) fn batch(&self) -> Option<Vec<BatchItem>> {
        let line = self.user_turns.last()?.lines().last()?;
        let items: Vec<Value> = serde_json::from_str(line).ok()?;
        items
            .iter()
            .map(|item| {
                let id = match item.get("id")? {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                Some(BatchItem {
                    id,
                    source: item.get("source")?.as_str()?.to_owned(),
                })
            })
            .collect::<Option<Vec<_>>>()
            .filter(|items| !items.is_empty())
    }
}

/// Splits `/as/MODEL/rest` into the model and `/rest`.
fn split_model_prefix(path: &str) -> (&str, &str) {
    let Some(rest) = path.strip_prefix("/as/") else {
        return ("m-ok", path);
    };
    rest.find('/')
        .map_or(("m-ok", path), |slash| (&rest[..slash], &rest[slash..]))
}

fn form_of(path: &str) -> Option<(Form, Option<&str>)> {
    let path = path.split('?').next().unwrap_or(path);
    if path.ends_with("/chat/completions") {
        return Some((Form::OpenAi, None));
    }
    if path.ends_with("/messages") {
        return Some((Form::Anthropic, None));
    }
    if let Some(rest) = path.strip_suffix(":generateContent") {
        return Some((Form::Gemini, rest.rsplit('/').next()));
    }
    match path {
        "/v2/translate" => Some((Form::DeepL, None)),
        "/language/translate/v2" => Some((Form::GoogleTranslate, None)),
        "/translate" => Some((Form::LibreTranslate, None)),
        _ => None,
    }
}

fn key(form: Form, request: &HttpRequest, body: &Value) -> Option<String> {
    let header = |name: &str| request.header(name).map(str::to_owned);
    match form {
        Form::OpenAi => {
            header("authorization").and_then(|text| text.strip_prefix("Bearer ").map(str::to_owned))
        }
        Form::Anthropic => header("x-api-key"),
        Form::Gemini | Form::GoogleTranslate => header("x-goog-api-key"),
        Form::DeepL => {
            header("authorization").and_then(|text| text.strip_prefix("DeepL-Auth-Key ").map(str::to_owned))
        }
        Form::LibreTranslate => body.get("api_key").and_then(Value::as_str).map(str::to_owned),
    }
}

fn array(value: Option<&Value>) -> &[Value] {
    value
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

fn names<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<String> {
    values.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns the text of a string, or of the text parts of a list.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(path: &str, body: &str) -> HttpRequest {
        HttpRequest {
            method: "POST".into(),
            path: path.into(),
            headers: vec![],
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn every_form_yields_model_and_text() {
        for (path, body, model) in [
            (
                "/v1/chat/completions",
                r#"{"model":"m-1","messages":[{"role":"user","content":"dog"}]}"#,
                "m-1",
            ),
            (
                "/v1/messages",
                r#"{"model":"m-1","messages":[{"role":"user","content":"dog"}]}"#,
                "m-1",
            ),
            (
                "/v1beta/models/m-1:generateContent",
                r#"{"contents":[{"role":"user","parts":[{"text":"dog"}]}]}"#,
                "m-1",
            ),
            ("/v2/translate", r#"{"text":["dog"]}"#, "m-ok"),
            ("/as/m-429/v2/translate", r#"{"text":["dog"]}"#, "m-429"),
            ("/as/m-429/language/translate/v2", r#"{"q":["dog"]}"#, "m-429"),
            ("/translate", r#"{"q":"dog"}"#, "m-ok"),
        ] {
            let asked = Asked::read(&post(path, body)).unwrap();
            assert_eq!(
                (asked.model.as_str(), asked.user_turns.as_slice()),
                (model, &["dog".to_owned()][..]),
                "{path}"
            );
        }
    }

    #[test]
    fn a_batch_is_the_last_line() {
        let body = serde_json::json!({"messages": [{"role": "user",
            "content": "Translate.\n[{\"id\":1,\"source\":\"a\"},{\"id\":\"x\",\"source\":\"b\"}]"}]});
        let asked = Asked::read(&post("/chat/completions", &body.to_string())).unwrap();
        let ids: Vec<String> = asked.batch().unwrap().into_iter().map(|item| item.id).collect();
        assert_eq!(ids, ["1", "x"]);
    }

    #[test]
    fn other_paths_and_methods_are_not_requests() {
        assert!(Asked::read(&post("/v1/embeddings", "{}")).is_none());
        let get = HttpRequest {
            method: "GET".into(),
            ..post("/v1/messages", "")
        };
        assert!(Asked::read(&get).is_none());
    }
}
