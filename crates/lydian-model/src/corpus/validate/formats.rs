//! Formats of envelope values: dates, versions, licences.

use spdx::lexer::ParseMode;

/// Says whether `text` is an ISO 8601 calendar date, alone or with a time: `2026-05-01`, `2026-06-05T10:49:04+00:00`.
pub(super) fn is_date(text: &str) -> bool {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    is_calendar_date(date) && time.is_none_or(is_time)
}

fn is_calendar_date(date: &str) -> bool {
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts[..] else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn is_time(time: &str) -> bool {
    let (clock, offset) = if let Some(clock) = time.strip_suffix(['Z', 'z']) {
        (clock, None)
    } else if let Some(at) = time.rfind(['+', '-']) {
        (&time[..at], Some(&time[at + 1..]))
    } else {
        (time, None)
    };
    let (clock, fraction) = match clock.split_once(['.', ',']) {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    let fraction_fits =
        fraction.is_none_or(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    fraction_fits
        && is_clock(clock, 60)
        && offset.is_none_or(|offset| is_clock(offset, 59) || digits(offset, 4).is_some())
}

fn is_clock(clock: &str, most_seconds: u32) -> bool {
    let parts: Vec<&str> = clock.split(':').collect();
    (2..=3).contains(&parts.len())
        && parts
            .iter()
            .zip([23, 59, most_seconds])
            .all(|(part, most)| digits(part, 2).is_some_and(|value| value <= most))
}

fn digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

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
    fn dates_are_checked_against_the_calendar() {
        for date in [
            "2026-05-01",
            "2024-02-29",
            "2026-06-05T10:49:04.548790+00:00",
            "2026-06-05T10:49Z",
        ] {
            assert!(is_date(date), "{date}");
        }
        for date in [
            "2026-13-01",
            "2025-02-29",
            "01.05.2026",
            "2026",
            "2026-5-1",
            "2026-05-01T25:00",
            "yesterday",
            "",
        ] {
            assert!(!is_date(date), "{date}");
        }
    }

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
