//! Quotation marks of word processors, which JSON and TOML do not take for theirs.

/// Returns the number of the first line, counted from 1, in which a curly quotation mark stands where a straight one
/// belongs, and the mark. Marks inside a quoted text are as good as any letter.
///
/// ```
/// use lydian_model::quotation::curly_mark;
/// assert_eq!(curly_mark("{\n“id”: 1}"), Some((2, '“')));
/// assert_eq!(curly_mark("{\"say\": \"“yes”\"}"), None);
/// ```
pub fn curly_mark(text: &str) -> Option<(usize, char)> {
    text.lines()
        .enumerate()
        .find_map(|(index, line)| in_line(line).map(|mark| (index + 1, mark)))
}

fn in_line(line: &str) -> Option<char> {
    let (mut quoted, mut escaped) = (false, false);
    let mut inside = None;
    for character in line.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            '“' | '”' | '„' | '‟' | '«' | '»' | '‘' | '’' => {
                if !quoted {
                    return Some(character);
                }
                inside = inside.or(Some(character));
            }
            _ => {}
        }
    }
    // Where a curly mark was to end a text, straight ones do not come in pairs.
    inside.filter(|_| quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_quote_are_told_from_those_that_are_quoted() {
        assert_eq!(curly_mark("name = “x”"), Some((1, '“')));
        assert_eq!(curly_mark("{\"id”: 1,\n"), Some((1, '”')));
        assert_eq!(curly_mark("{\"id”: 1, \"a\": \"b\"}"), Some((1, '”')));
        assert_eq!(curly_mark("{\"a\": \"l’eau \\\" “b”\", \"c\": 1}"), None);
        assert_eq!(curly_mark("plain"), None);
    }
}
