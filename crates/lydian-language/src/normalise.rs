//! Unicode normal form, invisible characters, and the rewrites of an orthography.
use crate::card::Rewrite;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Returns the text in normal form C without soft hyphens, zero-width spaces, word joiners and byte-order marks.
///
/// Zero-width joiners stay: they distinguish words in Persian and in scripts of India.
pub fn clean(text: &str) -> String {
    let visible = |c: &char| !matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}');
    if is_nfc(text) && text.chars().all(|c| visible(&c)) {
        return text.to_owned();
    }
    text.chars().filter(visible).nfc().collect()
}

/// Returns the text in normal form D.
pub fn decomposed(text: &str) -> String {
    text.nfd().collect()
}

/// Returns the text without zero-width joiners and non-joiners.
pub fn without_joiners(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, '\u{200c}' | '\u{200d}'))
        .collect()
}

/// Applies rewrites from left to right; at each place the longest that fits.
pub fn rewrite(text: &str, rules: &[Rewrite]) -> String {
    let mut ordered: Vec<&Rewrite> = rules.iter().filter(|r| !r.from.is_empty()).collect();
    ordered.sort_by_key(|r| std::cmp::Reverse(r.from.len()));
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(rule) = ordered.iter().find(|r| rest.starts_with(r.from.as_str())) {
            result.push_str(&rule.to);
            rest = &rest[rule.from.len()..];
        } else {
            result.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    result
}

/// Returns the text with its first cased letter in lower case, if that letter is a capital.
pub fn lower_first(text: &str) -> Option<String> {
    let (at, first) = text.char_indices().find(|(_, c)| c.is_alphabetic())?;
    if !first.is_uppercase() {
        return None;
    }
    let lower: String = first.to_lowercase().collect();
    Some(format!(
        "{}{lower}{}",
        &text[..at],
        &text[at + first.len_utf8()..]
    ))
}

/// Returns whether a word of at least two cased letters is written in capitals.
pub fn is_all_caps(text: &str) -> bool {
    let cased = text.chars().filter(|c| c.is_uppercase() || c.is_lowercase());
    cased.clone().count() > 1 && cased.clone().all(char::is_uppercase)
}

/// Returns whether the first letter is a capital.
pub fn is_capitalised(text: &str) -> bool {
    text.chars()
        .find(|c| c.is_alphabetic())
        .is_some_and(|c| c.is_uppercase() || is_titlecase(c))
}

/// Returns the word in lower case with a capital first letter.
pub fn title(text: &str) -> String {
    let lower = text.to_lowercase();
    let Some((at, first)) = lower.char_indices().find(|(_, c)| c.is_alphabetic()) else {
        return lower;
    };
    let upper: String = first.to_uppercase().collect();
    format!("{}{upper}{}", &lower[..at], &lower[at + first.len_utf8()..])
}

/// Digraph letters such as `ǅ` are neither upper nor lower case.
fn is_titlecase(c: char) -> bool {
    matches!(c, 'ǅ' | 'ǈ' | 'ǋ' | 'ǲ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaning_composes_and_drops_what_nobody_sees() {
        assert_eq!(clean("niwa\u{302}pamâw"), "niwâpamâw");
        assert_eq!(clean("so\u{ad}ft\u{200b} \u{feff}x"), "soft x");
        assert_eq!(clean("می\u{200c}خواهم"), "می\u{200c}خواهم");
    }

    #[test]
    fn the_longest_rewrite_wins_and_results_are_not_rewritten_again() {
        let rules = [("a", "b"), ("ab", "x"), ("b", "c")].map(|(from, to)| Rewrite {
            from: from.into(),
            to: to.into(),
        });
        assert_eq!(rewrite("aabb", &rules), "bxc");
    }

    #[test]
    fn case_helpers_know_letters_after_digits_and_other_scripts() {
        assert_eq!(lower_first("1700-Lohku").as_deref(), Some("1700-lohku"));
        assert_eq!(lower_first("Эртең").as_deref(), Some("эртең"));
        assert_eq!(lower_first("tore"), None);
        assert!(
            is_all_caps("IDENTITETE")
                && is_all_caps("1700-LOHKU")
                && !is_all_caps("I")
                && !is_all_caps("IdE")
        );
        assert_eq!(title("OSLO"), "Oslo");
        assert!(is_capitalised("«Ä»") && !is_capitalised("中文"));
    }
}
