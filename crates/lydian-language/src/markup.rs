//! Pieces of a text that are not words: web addresses, placeholders, tags, numbers.
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkupKind {
    /// A web or mail address.
    Address,
    /// A placeholder of a program, such as `{name}` or `%s`, or a markup tag.
    Placeholder,
}

/// A piece of a text that has to survive translation unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markup {
    /// What it is.
    pub kind: MarkupKind,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?x)
        (?: https? | ftp ) :// [^\s<>\x22«»“”]+
        | \b www\. [^\s<>\x22«»“”]+
        | [A-Za-z0-9._%+-]+ @ [A-Za-z0-9-]+ (?: \. [A-Za-z0-9-]+ )+
        ",
    )
});

static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"(?x)
        \{\{ [^{}]{1,60} \}\}
        | \$? \{ [A-Za-z0-9_.:,\#-]{0,60} \}
        | % \( [A-Za-z0-9_.]{1,60} \) [\#0\x20+-]* [0-9.]* [sdifgexXroc]
        | % (?: [0-9]+ \$ )? [0-9.]* (?: l{0,2} [sdifgexXuc@] ) \b
        | %%
        | </? [A-Za-z][A-Za-z0-9-]* (?: \s [^<>]{0,200} )? /? >
        | & (?: [a-z]{2,8} | \#[0-9]{2,6} ) ;
        | \b __ [A-Za-z0-9_]{1,40} __ \b
        ",
    )
});

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant that a test compiles")
}

/// Returns whether the text has a character sequence that every piece of the kind has; nearly all texts have none, and the
/// search for it costs a hundredth of the pattern's.
fn may_hold(kind: MarkupKind, text: &str) -> bool {
    match kind {
        MarkupKind::Address => text.contains("://") || text.contains("www.") || text.contains('@'),
        MarkupKind::Placeholder => text.contains(['{', '%', '<', '&']) || text.contains("__"),
    }
}

/// Finds addresses and placeholders, in the order of the text, without overlaps.
pub fn find(text: &str) -> Vec<Markup> {
    let mut found: Vec<Markup> = Vec::new();
    let all = [
        (MarkupKind::Address, &ADDRESS),
        (MarkupKind::Placeholder, &PLACEHOLDER),
    ];
    for (kind, pattern) in all {
        if !may_hold(kind, text) {
            continue;
        }
        for hit in pattern.find_iter(text) {
            let mut range = hit.range();
            if kind == MarkupKind::Address {
                let trimmed = hit
                    .as_str()
                    .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '\'', '’', '…']);
                range.end = range.start + trimmed.len();
            }
            if !found
                .iter()
                .any(|m| m.range.start < range.end && range.start < m.range.end)
            {
                found.push(Markup { kind, range });
            }
        }
    }
    found.sort_by_key(|m| m.range.start);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        find(text).into_iter().map(|m| &text[m.range]).collect()
    }

    #[test]
    fn addresses_end_before_the_punctuation_of_the_sentence() {
        assert_eq!(
            texts("See https://example.org/a?b=1, or (www.x.de)."),
            ["https://example.org/a?b=1", "www.x.de"]
        );
        assert_eq!(texts("Write to ana@example.com!"), ["ana@example.com"]);
        assert!(texts("Mr. Smith e.g. came.He left").is_empty());
    }

    #[test]
    fn placeholders_of_usual_formats_are_found() {
        let text = "Hello {name}, {{n}} of %d, %(who)s, %1$s, ${x}, <b>bold</b> &amp; __VAR__";
        let expected = [
            "{name}", "{{n}}", "%d", "%(who)s", "%1$s", "${x}", "<b>", "</b>", "&amp;", "__VAR__",
        ];
        assert_eq!(texts(text), expected);
    }

    #[test]
    fn no_pattern_is_left_out_that_could_match() {
        for (kind, pattern, pieces) in [
            (
                MarkupKind::Address,
                &ADDRESS,
                ["ftp://a", "www.b", "c@d.e"].as_slice(),
            ),
            (
                MarkupKind::Placeholder,
                &PLACEHOLDER,
                &["{{n}}", "${x}", "%(n)s", "%1$s", "%%", "<b>", "&#39;", "__V__"],
            ),
        ] {
            for piece in pieces {
                assert!(pattern.is_match(piece) && may_hold(kind, piece), "{piece}");
            }
        }
    }

    #[test]
    fn per_cent_and_comparison_signs_are_no_placeholders() {
        for text in [
            "100 % sicher",
            "50% of all",
            "a < b and c > d",
            "{ ja, nein }",
            "5 %",
        ] {
            assert!(texts(text).is_empty(), "{text}: {:?}", texts(text));
        }
    }
}
