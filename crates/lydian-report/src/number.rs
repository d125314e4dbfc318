//! How numbers are shown to people.

use std::collections::BTreeMap;

use lydian_model::run_card::scores::Interval;
use lydian_model::{Finite, Score};
pub use lydian_model::{agreeing, counted, grouped as count};

/// Returns a count of entries: `1 entry`, `58 entries`.
pub fn entries(number: u64) -> String {
    counted(number, "entry", "entries")
}

/// What stands where a number is not available.
pub const MISSING: &str = "–";

/// Returns a 0–100 score with one decimal, or a dash.
pub fn points(score: Option<Score>) -> String {
    score.map_or_else(|| MISSING.to_owned(), |score| format!("{:.1}", score.get()))
}

/// Returns a 0–1 share as a percentage with one decimal, or a dash.
pub fn percent(share: Option<Score>) -> String {
    share.map_or_else(
        || MISSING.to_owned(),
        |share| format!("{:.1} %", share.get() * 100.0),
    )
}

/// Returns a 0–1 score with three decimals, or a dash.
pub fn share(score: Option<Score>) -> String {
    score.map_or_else(|| MISSING.to_owned(), |score| format!("{:.3}", score.get()))
}

/// Returns an interval in the scale of a 0–100 score: nothing where none was computed, a dash where there can be none.
pub fn interval_points(interval: Option<&Interval>) -> String {
    scaled(interval, 1.0, 1)
}

/// Returns an interval of a 0–1 score with `decimals` decimals, like [`interval_points`].
pub fn interval_share(interval: Option<&Interval>, decimals: usize) -> String {
    scaled(interval, 1.0, decimals)
}

/// Returns an interval of a 0–1 share in per cent, like [`interval_points`].
pub fn interval_percent(interval: Option<&Interval>) -> String {
    let text = scaled(interval, 100.0, 1);
    if text.is_empty() || text == MISSING {
        text
    } else {
        format!("{text} %")
    }
}

fn scaled(interval: Option<&Interval>, scale: f64, decimals: usize) -> String {
    let Some(interval) = interval else {
        return String::new();
    };
    interval.bounds().map_or_else(
        || MISSING.to_owned(),
        |(lower, upper)| format!("{:.decimals$}–{:.decimals$}", lower * scale, upper * scale),
    )
}

/// Returns names with their counts, or a dash.
pub fn tallied(counts: &BTreeMap<String, u64>) -> String {
    if counts.is_empty() {
        return MISSING.to_owned();
    }
    let each: Vec<String> = counts
        .iter()
        .map(|(name, number)| format!("{} {}", name.replace('_', " "), count(*number)))
        .collect();
    each.join(", ")
}

/// Returns an amount of US dollars with enough digits to be non-zero, or a dash.
pub fn dollars(amount: Option<f64>) -> String {
    match amount {
        None => MISSING.to_owned(),
        Some(0.0) => "0 USD".to_owned(),
        Some(amount) if amount >= 0.01 => format!("{amount:.2} USD"),
        Some(amount) => {
            let text = format!("{amount:.9}");
            format!("{} USD", text.trim_end_matches('0'))
        }
    }
}

/// Returns a duration in seconds, minutes or hours, or a dash.
pub fn seconds(duration: Option<Finite>) -> String {
    match duration.map(Finite::get) {
        None => MISSING.to_owned(),
        Some(seconds) if seconds < 0.001 => format!("{:.0} µs", seconds * 1e6),
        Some(seconds) if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        Some(seconds) if seconds < 120.0 => format!("{seconds:.1} s"),
        Some(seconds) if seconds < 7200.0 => format!("{:.1} min", seconds / 60.0),
        Some(seconds) => format!("{:.1} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_amounts_are_not_shown_as_zero() {
        assert_eq!(dollars(Some(0.000_39)), "0.00039 USD");
        assert_eq!(dollars(Some(0.0)), "0 USD");
        assert_eq!(dollars(Some(12.345)), "12.35 USD");
        assert_eq!(dollars(None), "–");
    }

    #[test]
    fn durations_choose_their_unit() {
        assert_eq!(seconds(Finite::new(0.0421)), "42 ms");
        assert_eq!(seconds(Finite::new(90.0)), "90.0 s");
        assert_eq!(seconds(Finite::new(600.0)), "10.0 min");
    }
}
