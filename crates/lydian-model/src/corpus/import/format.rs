//! Formats by the names of their files.

/// A format that corpora can be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// A corpus in JSON, in any of its layouts.
    Json,
    /// One entry per line.
    JsonLines,
    /// Tab-separated with a header line.
    Tsv,
    /// Separated by comma or semicolon, with a header line.
    Csv,
    /// An Excel workbook.
    Xlsx,
    /// A translation memory.
    Tmx,
    /// Plain text, one sentence per line, to be read with the file whose lines belong to it.
    Lines,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Json,
        Self::JsonLines,
        Self::Tsv,
        Self::Csv,
        Self::Xlsx,
        Self::Tmx,
        Self::Lines,
    ];

    /// Returns the name used in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::JsonLines => "jsonl",
            Self::Tsv => "tsv",
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Tmx => "tmx",
            Self::Lines => "text",
        }
    }

    /// Returns the format that a file name's ending stands for; unknown endings are plain text, as in `corpus.en`.
    ///
    /// ```
    /// use lydian_model::corpus::import::Format;
    /// assert_eq!(Format::of_file("a/b.JSONL"), Format::JsonLines);
    /// assert_eq!(Format::of_file("dev.eng_Latn"), Format::Lines);
    /// ```
    pub fn of_file(name: &str) -> Self {
        let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "json" => Self::Json,
            "jsonl" | "ndjson" => Self::JsonLines,
            "tsv" | "tab" => Self::Tsv,
            "csv" => Self::Csv,
            "xlsx" | "xlsm" => Self::Xlsx,
            "tmx" => Self::Tmx,
            _ => Self::Lines,
        }
    }
}
