//! Removes what surrounds an answer: reasoning blocks, LaTeX, tags, Markdown; normalises the characters.

use unicode_normalization::UnicodeNormalization;

use crate::dialect::normalise::is_undrawn;

/// Stands before the content of a box or an `<answer>` element.
pub(super) const BOX_OPEN: char = '\u{E000}';
/// Stands after the content of a box or an `<answer>` element.
pub(super) const BOX_CLOSE: char = '\u{E001}';

const REASONING: [&str; 7] = [
    "think",
    "thinking",
    "thought",
    "reasoning",
    "reflection",
    "analysis",
    "scratchpad",
];
const LATEX_WRAPPERS: [&str; 17] = [
    "text",
    "textbf",
    "textit",
    "texttt",
    "textrm",
    "textsf",
    "mathrm",
    "mathbf",
    "mathit",
    "mathsf",
    "mathbb",
    "bf",
    "rm",
    "emph",
    "underline",
    "operatorname",
    "displaystyle",
];
/// A tag longer than this is text.
const LONGEST_TAG: usize = 60;
/// A box with more characters than this is not unwrapped.
const LONGEST_BOX: usize = 400;

/// Returns the answer without reasoning and markup, in NFKC.
pub(super) fn cleaned(answer: &str) -> String {
    let mut text = String::with_capacity(answer.len());
    for character in answer.replace("\r\n", "\n").nfkc() {
        match character {
            '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => text.push('\n'),
            BOX_OPEN | BOX_CLOSE => {}
            '\u{1F150}'..='\u{1F169}' => text.push(letter_in_frame(character, 0x1F150)),
            '\u{1F170}'..='\u{1F189}' => text.push(letter_in_frame(character, 0x1F170)),
            hidden if is_undrawn(hidden) => {}
            other => text.push(other),
        }
    }
    let text = without_reasoning(&text);
    let text = without_latex(&text);
    let text = without_tags(&text);
    without_markdown(&text)
}

/// Negative circled and squared capitals have no compatibility form of their own.
fn letter_in_frame(character: char, first: u32) -> char {
    char::from_u32(u32::from('A') + u32::from(character) - first).unwrap_or(character)
}

/// Cuts reasoning elements. One that is not closed reaches to the end, one that is not opened from the start.
fn without_reasoning(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[', '◁']) {
        let (before, from) = rest.split_at(at);
        if depth == 0 {
            kept.push_str(before);
        }
        let opener = from.chars().next().map_or(1, char::len_utf8);
        match reasoning_tag(from) {
            Some((length, Tag::Open)) => {
                depth += 1;
                rest = &from[length..];
            }
            Some((length, Tag::Close)) => {
                if depth == 0 {
                    kept.clear();
                }
                depth = depth.saturating_sub(1);
                rest = &from[length..];
            }
            None => {
                if depth == 0 {
                    kept.push_str(&from[..opener]);
                }
                rest = &from[opener..];
            }
        }
    }
    if depth == 0 {
        kept.push_str(rest);
    }
    kept
}

enum Tag {
    Open,
    Close,
}

fn reasoning_tag(from: &str) -> Option<(usize, Tag)> {
    let opener = from.chars().next()?;
    let closer = match opener {
        '<' => '>',
        '[' => ']',
        _ => '▷',
    };
    let window: &str = prefix(from, LONGEST_TAG);
    let end = window.find(closer)?;
    let inner = window[opener.len_utf8()..end].trim().to_lowercase();
    let (kind, name) = match inner.strip_prefix('/') {
        Some(name) => (Tag::Close, name.trim()),
        None => (Tag::Open, inner.split_whitespace().next().unwrap_or("")),
    };
    REASONING
        .contains(&name)
        .then_some((end + closer.len_utf8(), kind))
}

/// Turns `\boxed{…}` into the box marks and drops the commands that only set type.
fn without_latex(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        kept.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let name: &str = &after[..after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len())];
        if matches!(name, "boxed" | "fbox") {
            rest = &after[name.len()..];
            if let Some((content, length)) = braced(rest) {
                kept.push(BOX_OPEN);
                kept.push_str(&without_commands(content));
                kept.push(BOX_CLOSE);
                rest = &rest[length..];
            }
        } else if LATEX_WRAPPERS.contains(&name) {
            rest = &after[name.len()..];
        } else if let Some(line) = after.strip_prefix('n') {
            kept.push('\n');
            rest = line;
        } else {
            // `\(`, `\[` and unknown commands lose their backslash only.
            rest = after;
        }
    }
    kept.push_str(rest);
    kept
}

fn without_commands(content: &str) -> String {
    let mut plain = content.to_owned();
    for name in LATEX_WRAPPERS {
        plain = plain.replace(&format!("\\{name}{{"), "{");
    }
    plain.replace('\\', "")
}

/// Returns the content of a group in braces at the start of a text, and the length of the group.
fn braced(text: &str) -> Option<(&str, usize)> {
    let window = prefix(text, LONGEST_BOX);
    let mut depth = 0_usize;
    for (at, character) in window.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((&window[1..at], at + 1));
                }
            }
            '\n' => return None,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Replaces tags by spaces; `<answer>` becomes a box; a capital alone in angle brackets is no tag.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        kept.push_str(&rest[..at]);
        let window = prefix(&rest[at..], LONGEST_TAG);
        let inner = window
            .find('>')
            .map(|end| &window[1..end])
            .filter(|inner| is_tag(inner));
        if let Some(inner) = inner {
            let name = inner
                .trim_matches('/')
                .split_whitespace()
                .next()
                .unwrap_or("")
                .to_lowercase();
            kept.push(match (name.as_str(), inner.starts_with('/')) {
                ("answer" | "antwort", false) => BOX_OPEN,
                ("answer" | "antwort", true) => BOX_CLOSE,
                _ => ' ',
            });
            rest = &rest[at + inner.len() + 2..];
        } else {
            kept.push('<');
            rest = &rest[at + 1..];
        }
    }
    kept.push_str(rest);
    kept
}

fn is_tag(inner: &str) -> bool {
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let capital_alone = name.trim().len() == 1 && name.trim().chars().all(char::is_uppercase);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '|') && !inner.contains('\n') && !capital_alone
}

fn without_markdown(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '*' | '`' | '$' | '#' | '{' | '}' => continue,
            '_' => {
                let inside =
                    before.is_alphanumeric() && characters.peek().is_some_and(|next| next.is_alphanumeric());
                if inside {
                    kept.push(' ');
                }
            }
            other => kept.push(other),
        }
        before = character;
    }
    kept
}

/// Returns the first `most` characters of a text.
fn prefix(text: &str, most: usize) -> &str {
    text.char_indices()
        .nth(most)
        .map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_is_cut_closed_unclosed_or_unopened() {
        assert_eq!(cleaned("<think>A?</think>\nC"), "\nC");
        assert_eq!(cleaned("<Thinking mode=x>A</thinking >C"), "C");
        assert_eq!(cleaned("B <think>A oder"), "B ");
        assert_eq!(cleaned("A wohl nicht</think> C"), " C");
        assert_eq!(cleaned("[THINK]A[/THINK]C"), "C");
        assert_eq!(cleaned("<think>a<think>b</think>c</think>d"), "d");
    }

    #[test]
    fn boxes_and_answer_elements_are_marked() {
        let boxed = format!("{BOX_OPEN}D{BOX_CLOSE}");
        assert_eq!(cleaned(r"$\boxed{D}$"), boxed);
        assert_eq!(cleaned(r"\boxed{\text{D}}"), boxed);
        assert_eq!(cleaned("<answer>D</answer>"), boxed);
        assert_eq!(cleaned(r"\boxed{D"), "D");
    }

    #[test]
    fn markup_goes_and_letters_stay_together() {
        assert_eq!(cleaned("**B**asel `C` __D__ a_b"), "Basel C D a b");
        assert_eq!(cleaned("<b>C</b> <C> 1 < 2"), " C  <C> 1 < 2");
        assert_eq!(cleaned(r"\textbf{C} \(B\)"), "C (B)");
    }

    #[test]
    fn characters_in_other_dress_become_plain() {
        assert_eq!(cleaned("Ａ：\u{200B}🅱 Ⓒ 𝐃\r\nx\u{2028}y"), "A:B C D\nx\ny");
    }
}
