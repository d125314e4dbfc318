//! What the name of a corpus file says: `eng-sme-dev-v1.json` is a corpus from `eng` into `sme`.

/// Envelope values read from a file name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NamedValues {
    /// The name without its extension.
    pub(crate) id: Option<String>,
    /// First language tag.
    pub(crate) source_language: Option<String>,
    /// Second language tag.
    pub(crate) target_language: Option<String>,
}

/// Returns what `file_name` says; languages are the first two parts if both look like language codes.
pub(crate) fn read(file_name: &str) -> NamedValues {
    let stem = file_name.split('.').next().unwrap_or_default();
    if stem.is_empty() {
        return NamedValues::default();
    }
    let mut parts = stem.split(['-', '_']);
    let code = |part: Option<&str>| {
        part.filter(|part| (2..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_lowercase()))
            .map(str::to_owned)
    };
    let (source, target) = (code(parts.next()), code(parts.next()));
    let both = source.is_some() && target.is_some();
    NamedValues {
        id: Some(stem.to_owned()),
        source_language: source.filter(|_| both),
        target_language: target.filter(|_| both),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn languages(name: &str) -> Option<(String, String)> {
        let named = read(name);
        Some((named.source_language?, named.target_language?))
    }

    #[test]
    fn two_leading_codes_are_languages() {
        assert_eq!(
            languages("eng-sme-dev-v1.json"),
            Some(("eng".into(), "sme".into()))
        );
        assert_eq!(languages("en_fi.jsonl"), Some(("en".into(), "fi".into())));
        assert_eq!(languages("my-corpus.json"), None);
        assert_eq!(languages("Eng-sme.json"), None);
        assert_eq!(read("my-corpus.json").id.as_deref(), Some("my-corpus"));
        assert_eq!(read(".json").id, None);
    }
}
