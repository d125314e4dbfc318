//! Days and times as documents state them: ISO 8601, and none that the calendar does not have.

/// Says whether `text` is an ISO 8601 calendar date, alone or with a time: `2026-05-01`, `2026-06-05T10:49:04+00:00`.
pub fn is_date(text: &str) -> bool {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    is_day(date) && time.is_none_or(is_time)
}

/// Says whether `date` is a day of the calendar, such as `2024-02-29`.
///
/// ```
/// use lydian_model::calendar::is_day;
/// assert!(is_day("2024-02-29"));
/// assert!(!is_day("2026-02-29") && !is_day("29.02.2024"));
/// ```
pub fn is_day(date: &str) -> bool {
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
}
