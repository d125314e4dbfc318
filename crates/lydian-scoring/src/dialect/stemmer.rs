//! The closure stemmer: every form a word may have lost an ending to (D §2 step 2, decision 36).

use std::collections::BTreeSet;

/// Words longer than this are compared as they are: a stem set grows with the square of the length.
const LONGEST_STEMMED: usize = 64;

/// Endings that may be removed, with the least number of characters that must remain.
const ENDINGS: [(&str, usize); 4] = [("en", 3), ("er", 3), ("e", 3), ("s", 4)];

/// Whether `ge…t` may be a participle and lose both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Participle {
    /// The word may be a participle: an output word, or a verb or adjective of the item.
    Possible,
    /// The word is none: a noun, name or numeral of the item (`Gesicht` is not `sich`).
    Excluded,
}

/// Returns all stems of a word that [`fold`](super::fold) has folded, itself included.
///
/// The set starts with the word, its reading with `ae`, `oe`, `ue` as umlauts, and both without `ge…t`;
/// then one of `en`, `er`, `e`, `s` is removed again and again and every form on the way is kept.
///
/// ```
/// use lydian_scoring::dialect::{Participle, stems};
/// let house: Vec<String> = stems("hauser", Participle::Excluded).into_iter().collect();
/// assert_eq!(house, ["haus", "hauser"]);
/// ```
pub fn stems(folded: &str, participle: Participle) -> BTreeSet<String> {
    let mut found = BTreeSet::from([folded.to_owned()]);
    if folded.chars().count() > LONGEST_STEMMED {
        return found;
    }
    found.insert(folded.replace("ae", "a").replace("oe", "o").replace("ue", "u"));
    if participle == Participle::Possible {
        let inner: Vec<String> = found.iter().filter_map(|word| inside_participle(word)).collect();
        found.extend(inner);
    }
    let mut waiting: Vec<String> = found.iter().cloned().collect();
    while let Some(word) = waiting.pop() {
        for shorter in ENDINGS
            .iter()
            .filter_map(|(ending, least)| without_ending(&word, ending, *least))
        {
            if found.insert(shorter.to_owned()) {
                waiting.push(shorter.to_owned());
            }
        }
    }
    found
}

fn inside_participle(word: &str) -> Option<String> {
    let inner = word.strip_prefix("ge")?.strip_suffix('t')?;
    (inner.chars().count() >= 3).then(|| inner.to_owned())
}

fn without_ending<'a>(word: &'a str, ending: &str, least: usize) -> Option<&'a str> {
    let rest = word.strip_suffix(ending)?;
    let double_s = ending == "s" && rest.ends_with('s');
    (!double_s && rest.chars().count() >= least).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::fold;

    fn common(item: &str, participle: Participle, output: &str) -> Vec<String> {
        let wanted = stems(&fold(item), participle);
        stems(&fold(output), Participle::Possible)
            .intersection(&wanted)
            .cloned()
            .collect()
    }

    #[test]
    fn plural_umlaut_and_sharp_s_meet() {
        assert_eq!(common("Haus", Participle::Excluded, "Häuser"), ["haus"]);
        assert_eq!(
            common("Häuser", Participle::Excluded, "Haeuser"),
            ["haus", "hauser"]
        );
        assert_eq!(common("groß", Participle::Possible, "grosser"), ["gross"]);
    }

    #[test]
    fn a_noun_of_the_item_is_no_participle_but_a_verb_is() {
        assert!(common("Gesicht", Participle::Excluded, "sich").is_empty());
        assert_eq!(common("machen", Participle::Possible, "gemacht"), ["mach"]);
    }

    #[test]
    fn an_ending_stays_when_too_little_would_remain() {
        assert_eq!(
            stems("gas", Participle::Possible),
            BTreeSet::from(["gas".to_owned()])
        );
        assert_eq!(
            stems("gross", Participle::Possible),
            BTreeSet::from(["gross".to_owned()])
        );
        assert_eq!(stems("eis", Participle::Possible).len(), 1);
    }

    #[test]
    fn a_word_of_a_million_endings_is_not_stemmed() {
        let long = "er".repeat(500_000);
        assert_eq!(stems(&long, Participle::Possible).len(), 1);
    }
}
