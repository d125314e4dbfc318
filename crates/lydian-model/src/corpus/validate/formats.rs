//! Formats of envelope values: versions, licences.

use spdx::lexer::ParseMode;

/// Says whether `text` is a semantic version; two numbers are enough, as in the example of B §2.1.
pub(super) fn is_version(text: &str) -> bool {
    let (text, build) = split_off(text, '+');
    let (core, pre) = split_off(text, '-');
    let numbers: Vec<&str> = core.split('.').collect();
    let is_number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let is_label = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    (2..=3).contains(&numbers.len())
        && numbers.iter().all(|part| is_number(part))
        && [pre, build]
            .into_iter()
            .flatten()
            .all(|labels| labels.split('.').all(is_label))
}

fn split_off(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// What an SPDX licence expression turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum License {
    /// A valid expression of current identifiers.
    Valid,
    /// SPDX's word for "nobody has stated it".
    Unstated,
    /// Valid, with an identifier that SPDX has replaced.
    Deprecated,
    /// Not an expression, with the identifier that was probably meant.
    Invalid {
        reason: String,
        meant: Option<&'static str>,
    },
}

/// Reads an SPDX licence expression.
pub(super) fn license(text: &str) -> License {
    let trimmed = text.trim();
    if ["NOASSERTION", "NONE"].contains(&trimmed) {
        return License::Unstated;
    }
    let current = ParseMode::STRICT;
    let old = ParseMode {
        allow_deprecated: true,
        allow_postfix_plus_on_gpl: true,
        ..ParseMode::STRICT
    };
    match spdx::Expression::parse_mode(trimmed, current) {
        Ok(_) => License::Valid,
        Err(_) if spdx::Expression::parse_mode(trimmed, old).is_ok() => License::Deprecated,
        Err(error) => License::Invalid {
            reason: error.reason.to_string(),
            meant: nearest_license(trimmed),
        },
    }
}

fn nearest_license(text: &str) -> Option<&'static str> {
    let simple = |name: &str| -> String {
        name.chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase()
    };
    let wanted = simple(text);
    let known = || spdx::identifiers::LICENSES.iter();
    known()
        .find(|license| simple(license.name) == wanted || simple(license.full_name) == wanted)
        .or_else(|| {
            known()
                .map(|license| (strsim::jaro_winkler(&simple(license.name), &wanted), license))
                .filter(|(likeness, _)| *likeness > 0.9)
                .max_by(|one, other| one.0.total_cmp(&other.0))
                .map(|(_, license)| license)
        })
        .map(|license| license.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_two_or_three_numbers() {
        for version in ["1.0", "1.0.0", "0.1.0-rc.1", "2.0.0+build.7", "10.20.30"] {
            assert!(is_version(version), "{version}");
        }
        for version in ["1", "v1.0", "1.0.0.0", "01.2.0", "1.x", "", "1.0-", "latest"] {
            assert!(!is_version(version), "{version}");
        }
    }

    #[test]
    fn licences_are_spdx_expressions() {
        for text in [
            "MIT",
            "CC-BY-NC-SA-4.0",
            "MIT OR Apache-2.0",
            "LicenseRef-Community",
            "CC-BY-2.0",
        ] {
            assert_eq!(license(text), License::Valid, "{text}");
        }
        assert_eq!(license("GPL-2.0"), License::Deprecated);
        assert_eq!(license("NOASSERTION"), License::Unstated);
        let meant = |text| match license(text) {
            License::Invalid { meant, .. } => meant,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(meant("CC BY 4.0"), Some("CC-BY-4.0"));
        assert_eq!(meant("cc-by-sa-4.0"), Some("CC-BY-SA-4.0"));
        assert_eq!(meant("Apache 2.0"), Some("Apache-2.0"));
        assert_eq!(meant("all rights reserved"), None);
    }
}
