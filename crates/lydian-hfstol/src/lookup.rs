//! What a look-up answers: analyses, their symbols, and whether a limit cut the search off.

/// One analysis of a word: the symbols of the output side, and the weight of the path.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    text: String,
    ends: Vec<u32>,
    weight: f32,
}

impl Analysis {
    pub(crate) fn new<'s>(symbols: impl Iterator<Item = &'s str> + Clone, weight: f32) -> Self {
        // The lengths are added up first, so that nothing is moved while it grows.
        let (count, bytes) = symbols
            .clone()
            .fold((0, 0), |(count, bytes), symbol| (count + 1, bytes + symbol.len()));
        let mut analysis = Self {
            text: String::with_capacity(bytes),
            ends: Vec::with_capacity(count),
            weight,
        };
        for symbol in symbols {
            analysis.text.push_str(symbol);
            analysis
                .ends
                .push(u32::try_from(analysis.text.len()).unwrap_or(u32::MAX));
        }
        analysis
    }

    /// Returns the symbols one by one: letters, and tags such as `+N` or `<n>` as wholes.
    pub fn symbols(&self) -> impl ExactSizeIterator<Item = &str> {
        self.ends.iter().enumerate().map(|(i, end)| {
            let start = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.text[start as usize..*end as usize]
        })
    }

    /// Returns the symbols joined.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the weight of the path; 0 in an unweighted transducer.
    pub fn weight(&self) -> f32 {
        self.weight
    }

    pub(crate) fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.weight
            .total_cmp(&other.weight)
            .then_with(|| self.text.as_bytes().cmp(other.text.as_bytes()))
            .then_with(|| self.ends.cmp(&other.ends))
    }
}

/// What stopped a search before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The word has more symbols than the limit.
    WordLength,
    /// There are more analyses than the limit.
    Analyses,
    /// The search took more steps than the limit.
    Steps,
    /// One path is longer than the limit.
    Depth,
    /// A loop that reads nothing was cut: it would yield analyses without end.
    Cycle,
}

/// Bounds of one look-up, so that no file and no word can hang it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Most symbols of a word.
    pub word_symbols: usize,
    /// Most analyses of a word.
    pub analyses: usize,
    /// Most steps of a search.
    pub steps: usize,
    /// Longest path.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            word_symbols: 512,
            analyses: 1000,
            steps: 2_000_000,
            depth: 10_000,
        }
    }
}

/// The answer to one word.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lookup {
    /// The analyses, lightest first, each once.
    pub analyses: Vec<Analysis>,
    /// What stopped the search early; `None` where every analysis is listed.
    pub truncated: Option<Limit>,
}

/// Whether a word is in the language of the transducer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acceptance {
    /// At least one path reads the word.
    Accepted,
    /// No path reads the word, or it is longer than the limit.
    Rejected,
    /// A limit stopped the search before a path was found.
    Unknown,
}
