//! The closed lists of the specification: segments and domains.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A corpus partition (B §2.3).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    /// Public; for developing methods.
    #[default]
    Development,
    /// Public; for specific linguistic phenomena.
    Diagnostic,
    /// Secret; the official benchmark.
    GoldStandard,
    /// Secret; reserved for later.
    HeldOut,
}

impl Segment {
    /// All segments in the order reports list them.
    pub const ALL: [Self; 4] = [
        Self::Development,
        Self::Diagnostic,
        Self::GoldStandard,
        Self::HeldOut,
    ];

    /// Says whether only the governance node may run methods over it (decision 29).
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::GoldStandard | Self::HeldOut)
    }

    /// Returns the least number of entries of the segment (B §2.3).
    pub const fn minimum_entries(self) -> usize {
        match self {
            Self::Development => 30,
            Self::Diagnostic | Self::HeldOut => 10,
            Self::GoldStandard => 50,
        }
    }

    /// Returns the name used in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Development => "development",
            Self::Diagnostic => "diagnostic",
            Self::GoldStandard => "gold_standard",
            Self::HeldOut => "held_out",
        }
    }

    /// Returns the segment called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|segment| segment.name() == name)
    }
}

macro_rules! domains {
    ($($variant:ident $name:literal $doc:literal),* $(,)?) => {
        /// An application domain (B §2.7).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Domain {
            $(#[doc = $doc] #[serde(rename = $name)] $variant,)*
        }

        impl Domain {
            /// All sixteen domains, sorted by code.
            pub const ALL: [Self; 16] = [$(Self::$variant),*];

            /// Returns the code used in documents.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

domains! {
    Conv "conv" "Informal conversation, social media, messaging.",
    Ecommerce "ecommerce" "Product descriptions, reviews, marketplace offers.",
    Edu "edu" "Textbooks, curricula, teaching and academic material.",
    Financial "financial" "Banking, insurance, filings, audit reports.",
    Gov "gov" "Policy, regulations, public notices, legislation.",
    Legal "legal" "Contracts, statutes, court filings, immigration documents.",
    Literary "literary" "Fiction, poetry, stories, cultural texts.",
    Marketing "marketing" "Advertising, brand messages, campaigns.",
    Medical "medical" "Clinical notes, drug labels, patient communication.",
    News "news" "Journalism, agency reports, editorials, press releases.",
    Religious "religious" "Scripture, liturgy, theological commentary.",
    Scientific "scientific" "Papers, abstracts, methods, grant proposals.",
    Subtitles "subtitles" "Dialogue of film, television, streaming and games.",
    Support "support" "Questions and answers, error messages, troubleshooting.",
    Tech "tech" "API documentation, manuals, specifications.",
    Ui "ui" "Strings of software interfaces.",
}

impl Domain {
    /// Returns the domain with this code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|domain| domain.code() == code)
    }
}

/// Returns the segment names as a list for messages.
pub fn segment_names() -> String {
    Segment::ALL.map(Segment::name).join(", ")
}

/// Returns the domain codes as a list for messages.
pub fn domain_codes() -> String {
    Domain::ALL.map(Domain::code).join(", ")
}

/// The registers of B §2.6; other values are warned about, not refused (decision 6).
pub const REGISTERS: [&str; 5] = [
    "conversational",
    "formal",
    "technical",
    "ceremonial",
    "educational",
];

/// The communicative contexts of B §2.6; other values are warned about, not refused (decision 6).
pub const CONTEXTS: [&str; 7] = [
    "greeting",
    "declaration",
    "question",
    "instruction",
    "narrative",
    "label",
    "error",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for segment in Segment::ALL {
            assert_eq!(Segment::from_name(segment.name()), Some(segment));
            assert_eq!(serde_json::to_value(segment).unwrap(), segment.name());
        }
        for domain in Domain::ALL {
            assert_eq!(Domain::from_code(domain.code()), Some(domain));
            assert_eq!(serde_json::to_value(domain).unwrap(), domain.code());
        }
    }

    #[test]
    fn only_gold_and_held_out_are_secret() {
        let secret: Vec<_> = Segment::ALL
            .into_iter()
            .filter(|segment| segment.is_secret())
            .collect();
        assert_eq!(secret, [Segment::GoldStandard, Segment::HeldOut]);
    }
}
