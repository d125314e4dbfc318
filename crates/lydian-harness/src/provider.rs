//! Providers and engines: one neutral request, one neutral answer, one thin wire form per service.

mod answer;
mod anthropic;
mod deepl;
mod gemini;
mod google_translate;
mod libre_translate;
mod openai;
mod request;
mod status;

pub use answer::{Answer, Failure, FailureKind, RawResponse, ToolCall, Truncation};
pub use request::{
    Adjustment, AdjustmentKind, Parameters, Prompt, RequestError, ToolSpec, TranslationRequest, Turn,
    WireRequest,
};

use std::fmt;
use std::str::FromStr;

/// The services whose wire form is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderKind {
    /// Chat completions as spoken by `OpenAI`, `OpenRouter`, `vLLM`, Ollama, llama.cpp and LM Studio.
    OpenAi,
    /// Anthropic Messages.
    Anthropic,
    /// Google Gemini `generateContent`.
    Gemini,
    /// `DeepL` v2.
    DeepL,
    /// Google Cloud Translation v2 (Basic).
    GoogleTranslate,
    /// `LibreTranslate`.
    LibreTranslate,
}

/// Where a provider expects its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// A header whose value is this prefix followed by the key.
    Header {
        /// Name of the header.
        name: &'static str,
        /// Text before the key.
        prefix: &'static str,
    },
    /// A field of the JSON body.
    BodyField(&'static str),
}

/// A provider name that is not known.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown provider {0:?}; known are {known}", known = ProviderKind::ALL.map(ProviderKind::name).join(", "))]
pub struct UnknownProvider(pub String);

impl ProviderKind {
    /// Every known provider, in the order they are documented.
    pub const ALL: [Self; 6] = [
        Self::OpenAi,
        Self::Anthropic,
        Self::Gemini,
        Self::DeepL,
        Self::GoogleTranslate,
        Self::LibreTranslate,
    ];

    /// Returns the name used in method folders and cards.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::DeepL => "deepl",
            Self::GoogleTranslate => "google-translate",
            Self::LibreTranslate => "libretranslate",
        }
    }

    /// Returns the service's public base URL, which any method folder or `--base-url` can replace.
    pub fn default_base_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
            Self::Gemini => "https://generativelanguage.googleapis.com",
            Self::DeepL => "https://api.deepl.com",
            Self::GoogleTranslate => "https://translation.googleapis.com",
            Self::LibreTranslate => "https://libretranslate.com",
        }
    }

    /// Returns whether the service is asked with a prompt rather than with a text and two languages.
    pub fn takes_prompt(self) -> bool {
        matches!(self, Self::OpenAi | Self::Anthropic | Self::Gemini)
    }

    /// Returns where the key goes.
    pub fn key_place(self) -> KeyPlace {
        match self {
            Self::OpenAi => KeyPlace::Header {
                name: "authorization",
                prefix: "Bearer ",
            },
            Self::Anthropic => KeyPlace::Header {
                name: "x-api-key",
                prefix: "",
            },
            Self::Gemini | Self::GoogleTranslate => KeyPlace::Header {
                name: "x-goog-api-key",
                prefix: "",
            },
            Self::DeepL => KeyPlace::Header {
                name: "authorization",
                prefix: "DeepL-Auth-Key ",
            },
            Self::LibreTranslate => KeyPlace::BodyField("api_key"),
        }
    }

    /// Writes the neutral request in this provider's form.
    pub fn wire_request(self, request: &TranslationRequest) -> Result<WireRequest, RequestError> {
        match self {
            Self::OpenAi => openai::wire_request(request),
            Self::Anthropic => anthropic::wire_request(request),
            Self::Gemini => gemini::wire_request(request),
            Self::DeepL => deepl::wire_request(request),
            Self::GoogleTranslate => google_translate::wire_request(request),
            Self::LibreTranslate => libre_translate::wire_request(request),
        }
    }

    /// Reads what came back. An answer is any response in which the service decided about this text, also by
    /// refusing or filtering it; a failure is any response in which it did not.
    pub fn classify(self, response: &RawResponse) -> Result<Answer, Failure> {
        match self {
            Self::OpenAi => openai::classify(response),
            Self::Anthropic => anthropic::classify(response),
            Self::Gemini => gemini::classify(response),
            Self::DeepL => deepl::classify(response),
            Self::GoogleTranslate => google_translate::classify(response),
            Self::LibreTranslate => libre_translate::classify(response),
        }
    }
}

impl FromStr for ProviderKind {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}

impl fmt::Display for ProviderKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_back() {
        for kind in ProviderKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let message = "opneai".parse::<ProviderKind>().unwrap_err().to_string();
        assert!(
            message.contains("\"opneai\"") && message.contains("libretranslate"),
            "{message}"
        );
    }
}
