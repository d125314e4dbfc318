//! Reads the sentences out of the files that a language gate is trained on or measured with.

use lydian_model::dialect::GateTextFormat;
use serde_json::Value;

/// Why no sentences can be read.
#[derive(Debug, thiserror::Error)]
pub enum SentencesError {
    /// A corpus that is no JSON.
    #[error("the corpus is no JSON")]
    Json(#[from] serde_json::Error),
    /// A corpus without a list of entries.
    #[error("the corpus has no list `entries`")]
    NoEntries,
}

/// Returns the sentences of a file, in order.
pub fn sentences(format: GateTextFormat, text: &str) -> Result<Vec<String>, SentencesError> {
    match format {
        GateTextFormat::Lines => Ok(trimmed(text.lines())),
        GateTextFormat::ConllText => Ok(trimmed(text.lines().filter_map(conll_text))),
        GateTextFormat::CorpusSource => {
            let corpus: Value = serde_json::from_str(text)?;
            let entries = corpus
                .get("entries")
                .and_then(Value::as_array)
                .ok_or(SentencesError::NoEntries)?;
            Ok(trimmed(
                entries
                    .iter()
                    .filter_map(|entry| entry.get("source").and_then(Value::as_str)),
            ))
        }
        GateTextFormat::HtmlBody => {
            let body = text.split_once("<body>").map_or(text, |(_, body)| body);
            let plain: Vec<String> = body.lines().map(without_tags).collect();
            Ok(trimmed(plain.iter().map(String::as_str)))
        }
    }
}

fn trimmed<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    lines
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// `# text = …`, or `# text: …` and `# text-de: …` without the language.
fn conll_text(line: &str) -> Option<&str> {
    let after = line.strip_prefix("# text")?;
    after.strip_prefix(" = ").or_else(|| after.strip_prefix(": "))
}

fn without_tags(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut inside = false;
    for character in line.chars() {
        match character {
            '<' => inside = true,
            '>' => inside = false,
            other if !inside => plain.push(other),
            _ => {}
        }
    }
    let entities = [
        ("&nbsp;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    entities
        .iter()
        .fold(plain, |text, (entity, character)| text.replace(entity, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_yields_its_sentences() {
        let of = |format, text| sentences(format, text).unwrap();
        assert_eq!(of(GateTextFormat::Lines, "a b\r\n\n c "), ["a b", "c"]);
        assert_eq!(
            of(
                GateTextFormat::ConllText,
                "# id: 1\n# text: Wi heiss?\n1\tWi\n# text = Offe\n# text_en = x"
            ),
            ["Wi heiss?", "Offe"]
        );
        assert_eq!(
            of(
                GateTextFormat::CorpusSource,
                r#"{"entries":[{"source":"x"},{"reference":"y"}]}"#
            ),
            ["x"]
        );
        assert_eq!(
            of(
                GateTextFormat::HtmlBody,
                "<title>t</title><body>\n<p>a &amp; <b>b</b></p>\n</body>"
            ),
            ["a & b"]
        );
    }

    #[test]
    fn a_corpus_that_is_none_is_refused() {
        assert!(matches!(
            sentences(GateTextFormat::CorpusSource, "["),
            Err(SentencesError::Json(_))
        ));
        assert!(matches!(
            sentences(GateTextFormat::CorpusSource, "{}"),
            Err(SentencesError::NoEntries)
        ));
    }
}
