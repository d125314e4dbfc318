//! The four options of a multiple-choice item and their letters (D §3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The letter of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Letter {
    /// The first option.
    A,
    /// The second option.
    B,
    /// The third option.
    C,
    /// The fourth option.
    D,
}

/// The texts of the four options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE", deny_unknown_fields)]
pub struct Options {
    /// Option A.
    pub a: String,
    /// Option B.
    pub b: String,
    /// Option C.
    pub c: String,
    /// Option D.
    pub d: String,
}

impl Letter {
    /// Every letter in order.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];

    /// Returns the letter as a capital.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
        }
    }

    /// Returns the letter that is written like this, as a capital.
    pub fn from_capital(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|letter| letter.as_str() == text)
    }
}

impl std::fmt::Display for Letter {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Options {
    /// Returns the text of an option.
    pub fn text(&self, letter: Letter) -> &str {
        match letter {
            Letter::A => &self.a,
            Letter::B => &self.b,
            Letter::C => &self.c,
            Letter::D => &self.d,
        }
    }

    /// Returns the texts in the order of their letters.
    pub fn texts(&self) -> [&str; 4] {
        Letter::ALL.map(|letter| self.text(letter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_names_its_option() {
        let options = Options {
            a: "1".into(),
            b: "2".into(),
            c: "3".into(),
            d: "4".into(),
        };
        assert_eq!(options.texts(), ["1", "2", "3", "4"]);
        assert_eq!(Letter::from_capital("C"), Some(Letter::C));
        assert_eq!(Letter::from_capital("c"), None);
        assert_eq!(
            serde_json::to_string(&options).unwrap(),
            r#"{"A":"1","B":"2","C":"3","D":"4"}"#
        );
    }
}
