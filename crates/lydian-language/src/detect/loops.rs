//! The same words or characters again and again.
use super::tokens::Text;
use super::{Finding, FindingKind};

/// Longest repeated unit in words.
const LONGEST_UNIT: usize = 200;
/// Longest repeated unit in characters, for scripts without spaces.
const LONGEST_PERIOD: usize = 60;
/// A unit of so many letters is not repeated twice for emphasis.
const LONG_UNIT: usize = 6;
/// Fewest characters that repetitions of characters cover.
const FEWEST_CHARACTERS: usize = 16;

pub(super) fn find(source: &Text, output: &Text) -> Option<Finding> {
    words(source, output).or_else(|| characters(source, output))
}

fn words(source: &Text, output: &Text) -> Option<Finding> {
    let folded = |text: &Text| text.tokens.iter().map(|t| t.folded.clone()).collect::<Vec<_>>();
    let (from, to) = (folded(source), folded(output));
    for unit in 1..=LONGEST_UNIT.min(to.len() / 2) {
        let Some((start, times)) = most_repeated(&to, unit) else {
            continue;
        };
        let usual = most_repeated(&from, unit).map_or(1, |(_, times)| times);
        let letters: usize = to[start..start + unit]
            .iter()
            .map(|word| word.chars().count())
            .sum();
        // A passage that stands twice is a loop only if it is most of the output.
        let doubled = times == 2 && unit >= 4 && unit * 2 * 3 >= to.len() * 2;
        let suspicious = times >= 4 || (times == 3 && letters >= LONG_UNIT) || doubled;
        if suspicious && times > usual {
            let shown = to[start..start + unit].join(" ");
            return Some(Finding {
                kind: FindingKind::Loop,
                evidence: format!("{times} × {shown}"),
            });
        }
    }
    None
}

fn characters(source: &Text, output: &Text) -> Option<Finding> {
    let letters = |text: &Text| {
        text.clean
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect::<Vec<_>>()
    };
    let (from, to) = (letters(source), letters(output));
    let most = |letters: &[char]| {
        (1..=LONGEST_PERIOD.min(letters.len() / 2))
            .filter_map(|unit| most_repeated(letters, unit))
            .map(|(_, times)| times)
            .max()
    };
    let usual = most(&from).unwrap_or(1);
    for unit in 1..=LONGEST_PERIOD.min(to.len() / 2) {
        let Some((start, times)) = most_repeated(&to, unit) else {
            continue;
        };
        if !to[start..start + unit].iter().any(|c| c.is_alphabetic()) {
            continue;
        }
        let needed = if unit == 1 { 6 } else { 4 };
        let covers = unit * times >= FEWEST_CHARACTERS || unit == 1;
        if times >= needed && covers && times > usual {
            let shown: String = to[start..start + unit].iter().collect();
            return Some(Finding {
                kind: FindingKind::Loop,
                evidence: format!("{times} × {shown}"),
            });
        }
    }
    None
}

/// The start of the unit that stands most often in a row, and how often.
fn most_repeated<T: PartialEq>(items: &[T], unit: usize) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut equal = 0;
    for at in unit..items.len() {
        equal = if items[at] == items[at - unit] {
            equal + 1
        } else {
            0
        };
        let times = equal / unit + 1;
        if times > 1 && best.is_none_or(|(_, known)| times > known) {
            best = Some((at + 1 - unit * times, times));
        }
    }
    best
}
