//! Numbers and strings as Python's `repr` and `json` write them.

use std::fmt::Write as _;

/// Returns the shortest text that reads back as the same number, in Python's layout.
pub(super) fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    format!(
        "{mantissa}e{}{:02}",
        if exponent < 0 { '-' } else { '+' },
        exponent.abs()
    )
}

/// Returns a JSON string with every character outside ASCII escaped.
pub(super) fn ascii_json(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            ' '..='\u{7e}' => quoted.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _written: std::fmt::Result = write!(quoted, "\\u{unit:04x}");
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_like_those_of_python() {
        for (value, text) in [
            (100.0, "100.0"),
            (45.6, "45.6"),
            (0.0, "0.0"),
            (0.0001, "0.0001"),
            (0.000_01, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.25e22, "1.25e+22"),
            (5e-324, "5e-324"),
            (100.000_000_000_000_04, "100.00000000000004"),
        ] {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn characters_outside_ascii_are_escaped() {
        assert_eq!(
            ascii_json("a\"\\é😀\u{7f}"),
            "\"a\\\"\\\\\\u00e9\\ud83d\\ude00\\u007f\""
        );
    }
}
