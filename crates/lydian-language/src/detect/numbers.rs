//! Numbers that the source does not have.
use super::tokens::{Text, fold};
use super::{Finding, FindingKind};
use crate::card::Card;
use std::collections::{BTreeMap, BTreeSet};

/// Zeros of the decimal digits that texts of the world use.
const ZEROS: &[char] = &[
    '0', '٠', '۰', '߀', '०', '০', '੦', '૦', '୦', '௦', '౦', '೦', '൦', '෦', '๐', '໐', '༠', '၀', '႐', '០', '᠐',
    '᥆', '᧐', '᪀', '᪐', '᭐', '᮰', '᱀', '᱐', '꘠', '꣐', '꤀', '꧐', '꧰', '꩐', '꯰', '０', '𑄶', '𞥐',
];

/// Digits that a telephone number or account has at least; shorter ones are not written in groups.
const LONG: usize = 7;
/// Words for numbers of one sentence that are put together; those after them are taken alone.
const MOST_WORDS: usize = 8;
/// Words beside which a number is an hour.
const CLOCK_WORDS: [&str; 11] = [
    "o'clock", "noon", "midnight", "uhr", "heure", "heures", "hora", "horas", "ore", "uur", "klokken",
];

pub(super) fn find(source: &Text, output: &Text, source_card: &Card) -> Option<Finding> {
    unexplained(source, output, source_card).map(|evidence| Finding {
        kind: FindingKind::Number,
        evidence,
    })
}

/// Returns the numbers of the output that nothing in the source explains.
fn unexplained(source: &Text, output: &Text, source_card: &Card) -> Option<String> {
    let (source_text, output_text) = (source.without_markup(), output.without_markup());
    let (from, to) = (groups(&source_text), groups(&output_text));
    let (known, given) = (set_of(&from), set_of(&to));
    if given.is_subset(&known) {
        return None;
    }
    let spoken = Spoken::new(source, source_card);
    let has = |numbers: &BTreeSet<String>, n: &str| {
        numbers.contains(n) || (spoken.may_scale && numbers.iter().any(|m| same_but_zeros(m, n)))
    };
    let extra: Vec<&String> = given.iter().filter(|n| !has(&known, n)).collect();
    let missing = known.iter().any(|n| !has(&given, n));
    let digits = from.concat();
    let regrouped = digits.len() >= LONG && digits == to.concat();
    // Other units: the number changes with them.
    if regrouped || (missing && has_units(source, source_card)) {
        return None;
    }
    let is_clock = tells_time(source, &source_text) || tells_time(output, &output_text);
    let mut short = short_years(&source_text);
    short.extend(short_years(&output_text));
    let unexplained: Vec<&str> = extra
        .into_iter()
        .filter(|n| {
            let in_words = !missing && spoken.explains(n);
            let same_time = is_clock && known.iter().any(|m| same_hour(n, m));
            let year_in_short = known.iter().any(|m| same_year(n, m, &short));
            !(in_words || same_time || year_in_short)
        })
        .map(String::as_str)
        .collect();
    (!unexplained.is_empty()).then(|| unexplained.join(" "))
}

/// Returns whether the second text has a number that the first has not; both are in the language of the card.
pub(crate) fn numbers_without_counterpart(first: &str, second: &str, card: &Card) -> bool {
    let (first, second) = (Text::new(first, card), Text::new(second, card));
    unexplained(&first, &second, card).is_some()
}

/// Returns the numbers of a text as ASCII digits, separators of thousands left out.
pub fn numbers(text: &str) -> Vec<String> {
    groups(text).iter().map(|group| trimmed(group)).collect()
}

fn set_of(groups: &[String]) -> BTreeSet<String> {
    groups.iter().map(|group| trimmed(group)).collect()
}

/// A number without leading zeros.
fn trimmed(group: &str) -> String {
    match group.trim_start_matches('0') {
        "" => "0".to_owned(),
        rest => rest.to_owned(),
    }
}

/// The numbers of a text as ASCII digits with leading zeros, separators of thousands left out.
fn groups(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if digit(chars[at]).is_none() {
            at += 1;
            continue;
        }
        let start = at;
        let mut number = String::new();
        loop {
            while let Some(d) = chars.get(at).and_then(|c| digit(*c)) {
                number.push(d);
                at += 1;
            }
            if !separates_thousands(&chars, at) {
                break;
            }
            at += 1;
        }
        // Myanmar writes a letter with the digit zero: digits inside a word are letters.
        let glued = |c: Option<&char>| c.is_some_and(|c| c.is_alphabetic() && !c.is_ascii());
        let letter_like =
            !chars[start].is_ascii() && (glued(start.checked_sub(1).and_then(|i| chars.get(i))));
        if !letter_like {
            // Full hours: `18:00` and `18` are one time.
            let full_hour = number == "00" && start > 1 && matches!(chars[start - 1], ':' | '.' | 'h');
            if full_hour {
                continue;
            }
            found.push(number);
        }
    }
    found
}

/// `1.5 million` may become `1500000`.
fn same_but_zeros(a: &str, b: &str) -> bool {
    let significant = |n: &str| n.trim_end_matches('0').to_owned();
    a.len().max(b.len()) >= 4 && !significant(a).is_empty() && significant(a) == significant(b)
}

/// Twelve- and twenty-four-hour clocks name the same time.
fn same_hour(a: &str, b: &str) -> bool {
    match (a.parse::<u32>(), b.parse::<u32>()) {
        (Ok(a), Ok(b)) => a.abs_diff(b) == 12 && a.max(b) <= 24,
        _ => false,
    }
}

/// Whether a text has a time of the day: `9:30`, `3 p.m.`, `15 Uhr`.
fn tells_time(text: &Text, without_markup: &str) -> bool {
    let chars: Vec<char> = without_markup.to_lowercase().chars().collect();
    let is_digit = |at: usize| chars.get(at).is_some_and(|c| digit(*c).is_some());
    let written = (0..chars.len()).filter(|at| is_digit(*at)).any(|at| {
        let after: String = chars[at + 1..]
            .iter()
            .filter(|c| !matches!(c, ' ' | '.' | '\u{a0}' | '\u{202f}'))
            .take(2)
            .collect();
        let has_minutes = chars.get(at + 1) == Some(&':') && is_digit(at + 2) && is_digit(at + 3);
        has_minutes || after == "am" || after == "pm"
    });
    written
        || text
            .tokens
            .iter()
            .any(|token| CLOCK_WORDS.contains(&token.folded.as_str()))
}

/// `2018–19` and `2019`, `'48` and `1948`.
fn same_year(a: &str, b: &str, short_years: &BTreeSet<String>) -> bool {
    let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
    let last = long.get(long.len().saturating_sub(2)..).unwrap_or_default();
    long.len() == 4 && trimmed(last) == short && short_years.contains(short)
}

/// Two digits after an apostrophe, or after a dash, slash or full stop that follows a digit.
fn short_years(text: &str) -> BTreeSet<String> {
    let chars: Vec<char> = text.chars().collect();
    let is_digit = |at: usize| chars.get(at).is_some_and(|c| digit(*c).is_some());
    (1..chars.len())
        .filter(|at| is_digit(*at) && is_digit(at + 1) && !is_digit(at + 2))
        .filter(|at| match chars[at - 1] {
            '\'' | '’' | '‘' => true,
            '-' | '–' | '/' | '.' => *at > 1 && is_digit(at - 2),
            _ => false,
        })
        .map(|at| {
            trimmed(
                &chars[at..at + 2]
                    .iter()
                    .filter_map(|c| digit(*c))
                    .collect::<String>(),
            )
        })
        .collect()
}

/// Whether the source has a unit of measure that other languages convert, by its card.
fn has_units(source: &Text, card: &Card) -> bool {
    source.tokens.iter().any(|token| {
        card.lexicon
            .unit_words
            .iter()
            .any(|unit| fold(unit) == token.folded)
    })
}

/// A separator between a digit and exactly three digits.
fn separates_thousands(chars: &[char], at: usize) -> bool {
    let is_separator = chars.get(at).is_some_and(|c| {
        matches!(
            c,
            ',' | '.' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '٬' | '،' | '\u{2009}'
        )
    });
    let group = chars
        .iter()
        .skip(at + 1)
        .take_while(|c| digit(**c).is_some())
        .count();
    is_separator && group == 3
}

/// The ASCII form of a decimal digit of any script.
fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let zero = ZEROS.iter().copied().filter(|z| *z <= c).max()?;
    let value = (c as u32).checked_sub(zero as u32)?;
    if value < 10 {
        char::from_digit(value, 10)
    } else {
        None
    }
}

/// What the words for numbers of a text can stand for, by its card.
struct Spoken {
    values: BTreeSet<u64>,
    /// Whether there is a word without one value, such as `half`.
    is_vague: bool,
    /// Whether digits may stand for more: `3 million`, or the card knows no words for numbers.
    may_scale: bool,
}

impl Spoken {
    fn new(text: &Text, card: &Card) -> Self {
        let words: BTreeMap<String, Option<u64>> = card
            .lexicon
            .number_words
            .iter()
            .map(|entry| match entry.split_once('=') {
                Some((word, value)) => (fold(word), value.trim().parse().ok()),
                None => (fold(entry), None),
            })
            .collect();
        let articles: BTreeSet<String> = card.lexicon.function_words.iter().map(|w| fold(w)).collect();
        let mut found = Vec::new();
        for token in &text.tokens {
            if let Some(value) = words.get(&token.folded) {
                found.push((token.folded.as_str(), *value));
            } else {
                let parts = token.folded.split('-');
                found.extend(parts.filter_map(|part| Some((part, *words.get(part)?))));
            }
        }
        // `un` is an article unless it ends `vingt et un`.
        if found.iter().all(|(word, _)| articles.contains(*word)) {
            found.clear();
        }
        let values: Vec<u64> = found.iter().filter_map(|(_, value)| *value).collect();
        let mut possible: BTreeSet<u64> = values.iter().copied().collect();
        possible.extend(composed(&values[..values.len().min(MOST_WORDS)]));
        Self {
            is_vague: found.iter().any(|(_, value)| value.is_none()),
            may_scale: words.is_empty() || found.iter().any(|(_, value)| value.is_none_or(|v| v >= 100)),
            values: possible,
        }
    }

    fn explains(&self, number: &str) -> bool {
        (self.is_vague && number.len() <= 2) || number.parse().is_ok_and(|n| self.values.contains(&n))
    }
}

/// The numbers that some of these words make in their order: `quatre vingt` is 4, 20, 24 or 80.
fn composed(values: &[u64]) -> BTreeSet<u64> {
    let mut states = BTreeSet::from([(0_u64, 0_u64)]);
    for value in values.iter().copied() {
        for (total, current) in states.clone() {
            states.insert((total, current.saturating_add(value)));
            if value >= 20 {
                states.insert((total, current.saturating_mul(value)));
            }
            if value >= 1000 {
                states.insert((total.saturating_add(current.max(1).saturating_mul(value)), 0));
            }
            // `nineteen eighty` is a year.
            if (10..100).contains(&current) && value < 100 {
                states.insert((total, current * 100 + value));
            }
        }
    }
    states
        .into_iter()
        .map(|(total, current)| total.saturating_add(current))
        .filter(|n| *n > 0)
        .collect()
}
