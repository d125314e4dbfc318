//! The field `morphological_analysis` of an entry.
use super::units::{Units, split};
use crate::card::{AnalyserCard, TagStyle};
use crate::normalise;
use crate::word::WordFinder;
use unicode_normalization::char::is_combining_mark;

/// A gold analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gold {
    /// The morphs of each word, in lower case.
    Segments(Vec<Vec<String>>),
    /// Lemma and tags of each word.
    Analyses(Vec<Units>),
}

/// Why a gold analysis cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GoldProblem {
    /// It is empty.
    #[error("the analysis is empty")]
    Empty,
    /// Segmentation and gloss do not belong together.
    #[error("word {word}: {segments} morphs and {glosses} glosses")]
    Uneven {
        /// One-based number of the word; the word after the last where the numbers of words differ.
        word: usize,
        /// Morphs of the segmentation, or words.
        segments: usize,
        /// Glosses, or words of the gloss line.
        glosses: usize,
    },
    /// The morphs are underlying forms, not the letters of the reference.
    #[error(
        "the segmentation `{0}` is not written as in the reference: underlying forms cannot be found in an output"
    )]
    NotSurface(String),
    /// There are tags but no analyser that says how they are written.
    #[error("the analysis has tags and the language card names no analyser that explains them")]
    NoAnalyser,
}

/// Reads `SEG | GLOSS` (Leipzig glossing) or strings of an analyser, one per word.
pub fn parse_gold(
    field: &str,
    reference: &str,
    finder: &WordFinder,
    analyser: Option<&AnalyserCard>,
) -> Result<Gold, GoldProblem> {
    let field = normalise::clean(field);
    let field = field.trim();
    if field.is_empty() {
        return Err(GoldProblem::Empty);
    }
    if let Some((segments, gloss)) = field.split_once('|') {
        return leipzig(segments, gloss, reference, finder);
    }
    let tagged = |word: &str| word.contains(['+', '<', '[']);
    if !field.split_whitespace().any(tagged) {
        return leipzig(field, field, reference, finder);
    }
    let card = analyser
        .filter(|a| a.tags != TagStyle::None)
        .ok_or(GoldProblem::NoAnalyser)?;
    let ignored = |tag: &String| {
        card.ignored_tags.iter().any(|p| {
            p.strip_suffix('*')
                .map_or(p == tag, |start| tag.starts_with(start))
        })
    };
    let read = |word: &str| {
        let mut units = split(word, card.tags, card.lemma_tag.as_deref());
        units.tags.retain(|tag| !ignored(tag));
        units
    };
    Ok(Gold::Analyses(field.split_whitespace().map(read).collect()))
}

/// Returns the letters and digits of a word in lower case: a hyphen may be spelling or a border of morphs.
pub(super) fn letters(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || is_combining_mark(*c))
        .collect()
}

fn leipzig(segments: &str, gloss: &str, reference: &str, finder: &WordFinder) -> Result<Gold, GoldProblem> {
    let marks = ['-', '=', '~'];
    let words = |line: &str| {
        line.split_whitespace()
            .map(|word| word.split(marks).map(str::to_lowercase).collect::<Vec<String>>())
            .collect::<Vec<_>>()
    };
    let (segments, gloss) = (words(segments), words(gloss));
    let uneven = segments.iter().zip(&gloss).position(|(s, g)| s.len() != g.len());
    if let Some(at) = uneven {
        let (segments, glosses) = (segments[at].len(), gloss[at].len());
        return Err(GoldProblem::Uneven {
            word: at + 1,
            segments,
            glosses,
        });
    }
    if segments.len() != gloss.len() {
        let word = segments.len().min(gloss.len()) + 1;
        return Err(GoldProblem::Uneven {
            word,
            segments: segments.len(),
            glosses: gloss.len(),
        });
    }
    let written: Vec<String> = finder
        .find(reference)
        .words
        .iter()
        .map(|w| letters(&w.text))
        .collect();
    let surface: Vec<String> = segments
        .iter()
        .map(|morphs| letters(&morphs.concat()))
        .filter(|w| !w.is_empty())
        .collect();
    let other = surface.iter().find(|word| !written.contains(word));
    if let Some(word) = other {
        return Err(GoldProblem::NotSurface(word.clone()));
    }
    let spelled = |morphs: Vec<String>| {
        morphs
            .iter()
            .map(|m| letters(m))
            .filter(|m| !m.is_empty())
            .collect::<Vec<_>>()
    };
    Ok(Gold::Segments(
        segments
            .into_iter()
            .map(spelled)
            .filter(|w: &Vec<String>| !w.is_empty())
            .collect(),
    ))
}
