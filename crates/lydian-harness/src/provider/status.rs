//! What an HTTP status, a `Retry-After` header and an error body mean, the same for every provider.

use super::{Answer, Failure, FailureKind, RawResponse};
use lydian_model::Outcome;
use lydian_model::prediction::Served;
use serde_json::Value;
use std::time::Duration;

/// Longest message kept from a provider.
const MESSAGE_CHARS: usize = 500;

/// Returns the failure for a status other than 200, or for a status found in the body of a 200.
pub(super) fn failure(response: &RawResponse, status: u16, message: &str) -> Failure {
    Failure {
        kind: kind_of_status(status),
        status: Some(status),
        message: shorten(message),
        retry_after: retry_after(response),
        request_id: request_id(response),
    }
}

/// Returns the failure for a 200 whose content makes no sense.
pub(super) fn bad_response(response: &RawResponse, message: &str) -> Failure {
    Failure {
        kind: FailureKind::BadResponse,
        status: Some(response.status),
        message: shorten(message),
        retry_after: None,
        request_id: request_id(response),
    }
}

/// Parses the body as a JSON object, or says what it is instead.
pub(super) fn object(response: &RawResponse) -> Result<Value, Failure> {
    match serde_json::from_slice::<Value>(&response.body) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err(bad_response(
            response,
            &format!("the body is not a JSON object: {}", response.excerpt()),
        )),
        Err(_) if response.body.is_empty() => Err(bad_response(response, "the body is empty")),
        Err(error) => Err(bad_response(
            response,
            &format!("the body is not JSON ({error}): {}", response.excerpt()),
        )),
    }
}

/// Returns the answer of a translation service from one `translation` of its body: the text under `field`, and the name
/// of the model under `model` where the service says it.
pub(super) fn translated(
    response: &RawResponse,
    translation: Option<&Value>,
    field: &str,
    model: &str,
) -> Result<Answer, Failure> {
    let Some((translation, output)) =
        translation.and_then(|found| Some((found, found.get(field)?.as_str()?)))
    else {
        return Err(bad_response(
            response,
            &format!("the answer holds no translation: {}", response.excerpt()),
        ));
    };
    let outcome = if output.trim().is_empty() {
        Outcome::Empty
    } else {
        Outcome::Ok
    };
    let served = Served {
        model_id: text(translation, &[model]).map(str::to_owned),
        finish_reason: Some("translated".into()),
        request_id: request_id(response),
        ..Served::default()
    };
    let mut answer = Answer::new(outcome, served);
    answer.text = Some(output.to_owned());
    Ok(answer)
}

fn kind_of_status(status: u16) -> FailureKind {
    match status {
        401 => FailureKind::Authentication,
        402 | 456 => FailureKind::Quota,
        403 => FailureKind::Forbidden,
        // A redirect is not followed: it would carry the key elsewhere.
        404 | 300..=399 => FailureKind::NotFound,
        408 | 409 | 425 | 500..=599 => FailureKind::Unavailable,
        429 => FailureKind::RateLimited,
        400..=499 => FailureKind::BadRequest,
        _ => FailureKind::BadResponse,
    }
}

/// Reads how long the provider asks to wait: `retry-after-ms`, `Retry-After` in seconds, or as a date, which is
/// compared with the response's own `Date`, so that no clock of ours is involved.
fn retry_after(response: &RawResponse) -> Option<Duration> {
    if let Some(milliseconds) = response
        .header("retry-after-ms")
        .and_then(|text| text.trim().parse::<f64>().ok())
    {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let text = response.header("retry-after")?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = seconds_of_http_date(text)?;
    let now = seconds_of_http_date(response.header("date")?)?;
    Some(Duration::from_secs(until.saturating_sub(now)))
}

/// Returns seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
fn seconds_of_http_date(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut parts = text.split_ascii_whitespace().skip(1);
    let day: u64 = parts.next()?.parse().ok()?;
    let name = parts.next()?;
    let month = MONTHS.iter().position(|month| *month == name)? as u64 + 1;
    let year: u64 = parts.next()?.parse().ok()?;
    let mut clock = parts.next()?.split(':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    if !(1970..=9999).contains(&year) || !(1..=31).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // Days since 1970-01-01 of the proleptic Gregorian calendar, counted from March so that leap days come last.
    let (y, m) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days = y * 365 + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1;
    Some((days - 719_468) * 86_400 + hour * 3600 + minute * 60 + second)
}

/// Returns the request id under the header names in use.
pub(super) fn request_id(response: &RawResponse) -> Option<String> {
    [
        "x-request-id",
        "request-id",
        "x-goog-request-id",
        "x-trace-id",
        "cf-ray",
    ]
    .iter()
    .find_map(|name| response.header(name))
    .map(str::to_owned)
}

/// Returns the text of the first string found under any of `names`.
pub(super) fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names
        .iter()
        .find_map(|name| value.get(name).and_then(Value::as_str))
        .filter(|text| !text.is_empty())
}

/// Returns a status written as a number or as digits, if it is an HTTP error status.
pub(super) fn status_in(value: &Value) -> Option<u16> {
    let number = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    number
        .and_then(|number| u16::try_from(number).ok())
        .filter(|status| (400..=599).contains(status))
}

fn shorten(message: &str) -> String {
    let mut short: String = message
        .chars()
        .take(MESSAGE_CHARS)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if short.len() < message.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(headers: &[(&str, &str)]) -> RawResponse {
        let headers = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        RawResponse {
            status: 429,
            headers,
            body: Vec::new(),
        }
    }

    #[test]
    fn retry_after_is_read_in_every_form_in_use() {
        for (headers, expected) in [
            (vec![("retry-after", "7")], Some(7_000)),
            (vec![("retry-after", "0.25")], Some(250)),
            (
                vec![("retry-after-ms", "1500"), ("retry-after", "9")],
                Some(1_500),
            ),
            (
                vec![
                    ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    ("retry-after", "Mon, 07 Nov 1994 08:49:39 GMT"),
                ],
                Some(86_402_000),
            ),
            (
                vec![
                    ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                    ("retry-after", "Sun, 06 Nov 1994 08:49:00 GMT"),
                ],
                Some(0),
            ),
            (vec![("retry-after", "Mon, 07 Nov 1994 08:49:39 GMT")], None),
            (vec![("retry-after", "-3")], None),
            (vec![("retry-after", "NaN")], None),
            (vec![("retry-after", "soon")], None),
            (vec![], None),
        ] {
            assert_eq!(
                retry_after(&response(&headers)).map(|wait| wait.as_millis()),
                expected,
                "{headers:?}"
            );
        }
    }

    #[test]
    fn dates_count_from_1970_across_leap_years() {
        assert_eq!(seconds_of_http_date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(
            seconds_of_http_date("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(784_111_777)
        );
        assert_eq!(
            seconds_of_http_date("Thu, 29 Feb 2024 12:00:00 GMT"),
            Some(1_709_208_000)
        );
    }

    #[test]
    fn messages_are_shortened_and_hold_no_control_characters() {
        let short = shorten(&format!("a\nb{}", "x".repeat(1000)));
        assert!(short.starts_with("a b") && short.chars().count() == MESSAGE_CHARS + 1);
    }

    #[test]
    fn a_redirect_is_not_followed_and_not_retried() {
        assert_eq!(kind_of_status(302), FailureKind::NotFound);
    }
}
