//! Content-keyword coverage of an output, with what each keyword matched (D §2 steps 3 and 4).

use std::collections::{BTreeMap, BTreeSet};

use lydian_model::dialect::{Keyword, PartOfSpeech};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::normalise::{Word, words};
use super::stemmer::{Participle, stems};

/// How much of the weight of an item's keywords an output reaches, exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// The matched weight in half units.
    pub matched_halves: u64,
    /// The weight of all keywords in half units.
    pub total_halves: u64,
    /// One row per keyword, in the order of the item.
    pub keywords: Vec<KeywordMatch>,
}

/// What became of one keyword.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeywordMatch {
    /// The keyword as it stands in the item.
    pub keyword: String,
    /// What matched it; null when nothing did.
    pub matched: Option<MatchedBy>,
}

/// The words of the output that matched a keyword, and through which of its spellings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchedBy {
    /// The field of the keyword that matched: the first in this order that does.
    pub field: KeywordField,
    /// The spelling in that field.
    pub spelling: String,
    /// The words of the output, as written.
    pub output: String,
    /// The stems on which both sides meet, one per word.
    pub stems: Vec<String>,
}

/// The fields of a keyword that may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeywordField {
    /// `word`.
    Word,
    /// `lemma`.
    Lemma,
    /// One of `forms`.
    Forms,
    /// One of `synonyms`.
    Synonyms,
}

/// The score of a T1 item (D §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoverageScore {
    /// 0: below one half.
    Fail,
    /// 1: at least one half.
    Partial,
    /// 2: at least 17/20.
    Correct,
}

impl Coverage {
    /// Returns the score: 2 if 20·m ≥ 17·t, 1 if 2·m ≥ t, else 0, without any rounding (decision 34).
    ///
    /// An item without keywords has nothing to reach and scores 0; validation refuses it.
    pub fn score(&self) -> CoverageScore {
        let (matched, total) = (u128::from(self.matched_halves), u128::from(self.total_halves));
        if total == 0 {
            CoverageScore::Fail
        } else if 20 * matched >= 17 * total {
            CoverageScore::Correct
        } else if 2 * matched >= total {
            CoverageScore::Partial
        } else {
            CoverageScore::Fail
        }
    }

    /// Returns the coverage as a number for display; the score never uses it.
    pub fn fraction(&self) -> Option<f64> {
        (self.total_halves > 0).then(|| self.matched_halves as f64 / self.total_halves as f64)
    }

    /// Tells whether every keyword is matched.
    pub fn is_complete(&self) -> bool {
        self.total_halves > 0 && self.matched_halves == self.total_halves
    }
}

impl CoverageScore {
    /// Returns the score as the number of D §2.
    pub fn points(self) -> u8 {
        match self {
            Self::Fail => 0,
            Self::Partial => 1,
            Self::Correct => 2,
        }
    }
}

/// Returns how much of the keywords' weight an output reaches.
///
/// A keyword matches when a stem of its word, lemma, forms or synonyms is a stem of an output word; a
/// spelling of several words matches consecutive words of the output. Order and repetition in the output
/// do not matter otherwise, and further words cost nothing.
pub fn coverage(keywords: &[Keyword], output: &str) -> Coverage {
    let index = OutputIndex::new(output);
    let mut result = Coverage {
        matched_halves: 0,
        total_halves: 0,
        keywords: Vec::with_capacity(keywords.len()),
    };
    for keyword in keywords {
        let matched = first_match(keyword, &index);
        let halves = keyword.weight.halves();
        result.total_halves += halves;
        if matched.is_some() {
            result.matched_halves += halves;
        }
        result.keywords.push(KeywordMatch {
            keyword: keyword.word.clone(),
            matched,
        });
    }
    result
}

/// The words of an output and, for each stem, which distinct words have it.
struct OutputIndex<'a> {
    words: Vec<Word<'a>>,
    positions: BTreeMap<String, BTreeSet<usize>>,
    last: usize,
}

impl<'a> OutputIndex<'a> {
    fn new(output: &'a str) -> Self {
        let words = words(output);
        let mut occurrences: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, word) in words.iter().enumerate() {
            occurrences.entry(&word.folded).or_default().push(at);
        }
        let mut positions: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (folded, places) in occurrences {
            for stem in stems(folded, Participle::Possible) {
                positions.entry(stem).or_default().extend(&places);
            }
        }
        let last = words.len();
        Self {
            words,
            positions,
            last,
        }
    }

    /// Returns the first place where consecutive words have a stem from each of the sets in turn.
    fn find(&self, phrase: &[BTreeSet<String>]) -> Option<(usize, Vec<String>)> {
        let (first, rest) = phrase.split_first()?;
        let starts: BTreeSet<usize> = first
            .iter()
            .filter_map(|stem| self.positions.get(stem))
            .flatten()
            .copied()
            .collect();
        starts.into_iter().find_map(|start| {
            let mut met = vec![self.common_stem(first, start)?];
            for (offset, wanted) in rest.iter().enumerate() {
                met.push(self.common_stem(wanted, start + offset + 1)?);
            }
            Some((start, met))
        })
    }

    /// Returns the longest stem (the first in code point order among equals) that the word shares with the set.
    fn common_stem(&self, wanted: &BTreeSet<String>, at: usize) -> Option<String> {
        if at >= self.last {
            return None;
        }
        let has = |stem: &&String| {
            self.positions
                .get(*stem)
                .is_some_and(|places| places.contains(&at))
        };
        wanted
            .iter()
            .filter(has)
            .max_by_key(|stem| (stem.len(), std::cmp::Reverse(*stem)))
            .cloned()
    }
}

fn first_match(keyword: &Keyword, index: &OutputIndex<'_>) -> Option<MatchedBy> {
    let participle = match keyword.pos {
        PartOfSpeech::Verb | PartOfSpeech::Adj => Participle::Possible,
        PartOfSpeech::Noun | PartOfSpeech::Propn | PartOfSpeech::Num => Participle::Excluded,
    };
    spellings(keyword).find_map(|(field, spelling)| {
        let phrase: Vec<BTreeSet<String>> = words(spelling)
            .iter()
            .map(|word| stems(&word.folded, participle))
            .collect();
        let (start, stems) = index.find(&phrase)?;
        let output = index.words[start..start + phrase.len()]
            .iter()
            .map(|word| word.text)
            .collect::<Vec<_>>();
        Some(MatchedBy {
            field,
            spelling: spelling.to_owned(),
            output: output.join(" "),
            stems,
        })
    })
}

fn spellings(keyword: &Keyword) -> impl Iterator<Item = (KeywordField, &str)> {
    let own = [
        (KeywordField::Word, keyword.word.as_str()),
        (KeywordField::Lemma, keyword.lemma.as_str()),
    ];
    let forms = keyword
        .forms
        .iter()
        .map(|form| (KeywordField::Forms, form.as_str()));
    let synonyms = keyword
        .synonyms
        .iter()
        .map(|synonym| (KeywordField::Synonyms, synonym.as_str()));
    own.into_iter().chain(forms).chain(synonyms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyword(word: &str, lemma: &str, pos: PartOfSpeech) -> Keyword {
        Keyword {
            word: word.to_owned(),
            lemma: lemma.to_owned(),
            pos,
            weight: pos.weight(),
            forms: Vec::new(),
            synonyms: Vec::new(),
        }
    }

    fn victim() -> Vec<Keyword> {
        let mut saw = keyword("sah", "sehen", PartOfSpeech::Verb);
        saw.forms = vec!["gesehen".to_owned()];
        let mut attacker = keyword("Angreifer", "Angreifer", PartOfSpeech::Noun);
        attacker.synonyms = vec!["Täter".to_owned(), "der böse Mann".to_owned()];
        vec![keyword("Opfer", "Opfer", PartOfSpeech::Noun), saw, attacker]
    }

    fn exact(matched_halves: u64, total_halves: u64) -> u8 {
        Coverage {
            matched_halves,
            total_halves,
            keywords: Vec::new(),
        }
        .score()
        .points()
    }

    #[test]
    fn thresholds_are_exact_fractions() {
        // 11/13 = 0.8462 would be 0.85 after rounding; 17/20 is the first 2.
        assert_eq!(
            [
                exact(11, 13),
                exact(17, 20),
                exact(16, 20),
                exact(10, 20),
                exact(9, 20)
            ],
            [1, 2, 1, 1, 0]
        );
        assert_eq!([exact(0, 0), exact(0, 1), exact(1, 1)], [0, 0, 2]);
        assert_eq!(exact(u64::MAX, u64::MAX), 2);
    }

    #[test]
    fn a_form_or_a_synonym_counts_like_the_word() {
        let result = coverage(&victim(), "Das Opfer hat den Täter gesehen.");
        assert!(result.is_complete());
        let matched: Vec<_> = result
            .keywords
            .iter()
            .map(|row| row.matched.clone().unwrap())
            .collect();
        assert_eq!(matched[1].field, KeywordField::Forms);
        assert_eq!(
            (matched[2].field, matched[2].output.as_str()),
            (KeywordField::Synonyms, "Täter")
        );
        assert_eq!(matched[2].stems, ["tater"]);
    }

    #[test]
    fn a_phrase_matches_consecutive_words_only() {
        let keywords = victim();
        let hit = coverage(&keywords[2..], "Es war der bösen Männer Werk");
        assert_eq!(
            hit.keywords[0].matched.as_ref().unwrap().output,
            "der bösen Männer"
        );
        assert_eq!(coverage(&keywords[2..], "der sehr böse Mann").matched_halves, 0);
    }

    #[test]
    fn role_reversal_scores_full_as_the_documented_limitation_says() {
        assert_eq!(
            coverage(&victim(), "Der Täter sah das Opfer nicht").score(),
            CoverageScore::Correct
        );
    }

    #[test]
    fn repeating_a_matched_word_adds_nothing() {
        let once = coverage(&victim(), "Opfer");
        assert_eq!(
            coverage(&victim(), "Opfer Opfer Opfer").matched_halves,
            once.matched_halves
        );
        assert_eq!((once.matched_halves, once.total_halves), (2, 6));
    }

    #[test]
    fn an_empty_keyword_list_has_no_fraction_and_scores_zero() {
        let nothing = coverage(&[], "irgendetwas");
        assert_eq!(nothing.fraction(), None);
        assert_eq!(nothing.score(), CoverageScore::Fail);
        assert!(!nothing.is_complete());
    }

    #[test]
    fn a_keyword_without_a_letter_matches_nothing() {
        assert_eq!(
            coverage(&[keyword("!?", "…", PartOfSpeech::Noun)], "!? …").matched_halves,
            0
        );
    }
}
