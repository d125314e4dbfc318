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

/// When the same digits in other groups are the same numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Regrouping {
    /// Always: languages order dates and scores differently.
    Any,
    /// Only where there are more or fewer groups: within one language 12 is not 21.
    OtherCount,
}

pub(super) fn find(source: &Text, output: &Text, source_card: &Card) -> Option<Finding> {
    unexplained(source, output, source_card, Regrouping::Any).map(|evidence| Finding {
        kind: FindingKind::Number,
        evidence,
    })
}

/// Returns the numbers of the output that nothing in the source explains.
fn unexplained(source: &Text, output: &Text, source_card: &Card, regrouping: Regrouping) -> Option<String> {
    let (from, to) = (counted(source), counted(output));
    let extra: Vec<&String> = to.keys().filter(|n| !has(&from, n)).collect();
    let missing = from.keys().any(|n| !has(&to, n));
    if extra.is_empty() {
        return None;
    }
    let digits = |numbers: &BTreeMap<String, usize>| {
        let mut all: Vec<u8> = numbers
            .iter()
            .flat_map(|(n, times)| n.repeat(*times).into_bytes())
            .collect();
        all.sort_unstable();
        all
    };
    // The same digits in other groups: telephone numbers, dates, scores. Other units: the number changes with them.
    let groups = |numbers: &BTreeMap<String, usize>| numbers.values().sum::<usize>();
    let may_regroup = regrouping == Regrouping::Any || groups(&from) != groups(&to);
    if may_regroup && digits(&from) == digits(&to) || (missing && has_units(source, source_card)) {
        return None;
    }
    let spoken = if missing {
        0
    } else {
        spoken_numbers(source, source_card)
    };
    // Twelve- and twenty-four-hour clocks name the same time.
    let unexplained: Vec<&str> = extra
        .into_iter()
        .filter(|n| !explains(spoken, n) && !from.keys().any(|m| same_hour(n, m) || same_year(n, m)))
        .map(String::as_str)
        .collect();
    (!unexplained.is_empty()).then(|| unexplained.join(" "))
}

/// Returns whether the second text has a number that the first has not; both are in the language of the card.
pub(crate) fn numbers_without_counterpart(first: &str, second: &str, card: &Card) -> bool {
    let (first, second) = (Text::new(first, card), Text::new(second, card));
    unexplained(&first, &second, card, Regrouping::OtherCount).is_some()
}

/// Returns the numbers of a text as ASCII digits, separators of thousands left out.
pub fn numbers(text: &str) -> Vec<String> {
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
            let trimmed = number.trim_start_matches('0');
            found.push(if trimmed.is_empty() {
                "0".to_owned()
            } else {
                trimmed.to_owned()
            });
        }
    }
    found
}

fn counted(text: &Text) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for number in numbers(&text.without_markup()) {
        *counts.entry(number).or_default() += 1;
    }
    counts
}

/// Whether the numbers hold this one, alone or as a part: `1.5 million` may become `1500000`.
fn has(numbers: &BTreeMap<String, usize>, number: &str) -> bool {
    let significant = |n: &str| n.trim_end_matches('0').to_owned();
    numbers.contains_key(number)
        || (number.len() >= 4
            && numbers
                .keys()
                .any(|n| !significant(n).is_empty() && significant(n) == significant(number)))
}

fn same_hour(a: &str, b: &str) -> bool {
    match (a.parse::<u32>(), b.parse::<u32>()) {
        (Ok(a), Ok(b)) => a.abs_diff(b) == 12 && a.max(b) <= 24,
        _ => false,
    }
}

/// `2018–19` and `2019`.
fn same_year(a: &str, b: &str) -> bool {
    let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
    long.len() == 4 && short.len() == 2 && long.ends_with(short)
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

/// Whether so many words for numbers in the source can stand for this number of the output.
fn explains(spoken: usize, number: &str) -> bool {
    // `one` alone is no 3,482; `a hundred` is 100.
    spoken >= 2 || (spoken == 1 && (number.len() <= 2 || number.ends_with("00")))
}

/// How many words for numbers the source has, by its card.
fn spoken_numbers(source: &Text, card: &Card) -> usize {
    let words: BTreeSet<String> = card.lexicon.number_words.iter().map(|w| fold(w)).collect();
    let parts = source.tokens.iter().flat_map(|t| t.folded.split('-'));
    let whole = source
        .tokens
        .iter()
        .filter(|t| t.folded.contains('-') && words.contains(&t.folded))
        .count();
    whole + parts.filter(|part| words.contains(*part)).count()
}
