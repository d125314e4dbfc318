//! Inflected forms of one word, by the endings that a card lists.
use crate::card::LexiconCard;

/// Fewest letters that stay when an ending is taken off.
const SHORTEST: usize = 3;

/// Returns whether two folded forms are one word: equal, or equal after one listed ending is taken off each.
pub(crate) fn same_word(a: &str, b: &str, lexicon: &LexiconCard) -> bool {
    a == b
        || stems(a, lexicon)
            .iter()
            .any(|stem| stems(b, lexicon).contains(stem))
}

fn stems<'w>(word: &'w str, lexicon: &LexiconCard) -> Vec<&'w str> {
    let endings = lexicon
        .endings
        .iter()
        .filter_map(|ending| word.strip_suffix(ending.as_str()));
    std::iter::once(word)
        .chain(endings)
        .filter(|stem| stem.chars().count() >= SHORTEST || *stem == word)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_endings_make_one_word_and_others_do_not() {
        let lexicon = LexiconCard {
            endings: vec!["s".into(), "es".into()],
            ..LexiconCard::default()
        };
        for (a, b, same) in [
            ("king", "kings", true),
            ("box", "boxes", true),
            ("king", "kingdom", false),
            ("is", "i", false),
        ] {
            assert_eq!(same_word(a, b, &lexicon), same, "{a} {b}");
        }
        assert!(!same_word("king", "kings", &LexiconCard::default()));
    }
}
