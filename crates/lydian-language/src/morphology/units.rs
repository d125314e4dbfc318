//! Lemma and tags of analyses, compared as multisets.
use super::matching::{Weight, assign};
use super::{AffixCredit, MorphCounts};
use crate::analyser::Analyser;
use crate::card::TagStyle;

/// The units of one analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units {
    /// The dictionary form.
    pub lemma: String,
    /// Every tag, as the analyser writes it, in its order.
    pub tags: Vec<String>,
}

impl Units {
    /// Returns the number of units: the lemma and every tag.
    pub fn len(&self) -> u64 {
        1 + self.tags.len() as u64
    }

    /// Returns whether there are no units; never the case.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn common(&self, other: &Self, credit: AffixCredit) -> u64 {
        let lemma = u64::from(self.lemma == other.lemma);
        if lemma == 0 && credit == AffixCredit::WithStem && self.tags.first() != other.tags.first() {
            return 0;
        }
        let mut left: Vec<&String> = other.tags.iter().collect();
        let tags = self.tags.iter().filter(|tag| {
            let at = left.iter().position(|other| other == tag);
            at.map(|at| left.swap_remove(at)).is_some()
        });
        lemma + tags.count() as u64
    }
}

/// Splits an analysis, as the analyser prints it, into lemma and tags.
pub fn units_of(analysis: &str, analyser: &Analyser) -> Units {
    let card = analyser.card();
    let mut units = split(analysis, card.tags, card.lemma_tag.as_deref());
    units.tags.retain(|tag| !analyser.ignores(tag));
    units
}

/// Splits by the style in which tags are written.
pub(super) fn split(analysis: &str, style: TagStyle, lemma_tag: Option<&str>) -> Units {
    let (mut lemma, tags) = match style {
        TagStyle::Plus => plus(analysis),
        TagStyle::Angle => enclosed(analysis, '<', '>'),
        TagStyle::Bracket => enclosed(analysis, '[', ']'),
        TagStyle::None => (analysis.to_owned(), Vec::new()),
    };
    let Some(prefix) = lemma_tag else {
        return Units { lemma, tags };
    };
    let start = format!("[{prefix}");
    let (lemmas, tags): (Vec<String>, Vec<String>) = tags.into_iter().partition(|t| t.starts_with(&start));
    if !lemmas.is_empty() {
        let inner = |tag: &String| tag[start.len()..].trim_end_matches(']').to_owned();
        lemma = lemmas.iter().map(inner).collect::<Vec<_>>().join("#");
    }
    Units { lemma, tags }
}

/// `PV/e+wâpamêw+V+TA`: pieces with a slash before the lemma are tags that end in `+`, pieces after it begin with one.
fn plus(analysis: &str) -> (String, Vec<String>) {
    let pieces: Vec<&str> = analysis.split('+').collect();
    let at = pieces
        .iter()
        .position(|p| !p.is_empty() && !p.contains('/'))
        .unwrap_or(0);
    let before = pieces[..at]
        .iter()
        .filter(|p| !p.is_empty())
        .map(|p| format!("{p}+"));
    let after = pieces[at + 1..]
        .iter()
        .filter(|p| !p.is_empty())
        .map(|p| format!("+{p}"));
    // The part of speech comes first: it decides on credit for the rest.
    (pieces[at].to_owned(), after.chain(before).collect())
}

fn enclosed(analysis: &str, open: char, close: char) -> (String, Vec<String>) {
    let (mut lemma, mut tags) = (String::new(), Vec::new());
    let mut rest = analysis;
    while let Some(start) = rest.find(open) {
        lemma.push_str(&rest[..start]);
        let end = rest[start..]
            .find(close)
            .map_or(rest.len(), |at| start + at + close.len_utf8());
        tags.push(rest[start..end].to_owned());
        rest = &rest[end..];
    }
    lemma.push_str(rest);
    (lemma, tags)
}

/// The reading that shares most with the gold word: its units in common and all of its units.
#[derive(Clone, Copy)]
struct Reading {
    matched: u64,
    predicted: u64,
    has_lemma: bool,
}

fn best_reading(word: &Units, analyses: &[Units], credit: AffixCredit) -> Option<Reading> {
    let readings = analyses.iter().map(|analysis| Reading {
        matched: word.common(analysis, credit),
        predicted: analysis.len(),
        has_lemma: analysis.lemma == word.lemma,
    });
    readings.max_by_key(|r| (r.matched, std::cmp::Reverse(r.predicted), r.has_lemma))
}

/// Counts units over the best alignment; of several analyses of a word the best counts.
pub(super) fn count(gold: &[Units], predicted: &[Vec<Units>], credit: AffixCredit) -> MorphCounts {
    let best = |word: &Units, analyses: &[Units]| best_reading(word, analyses, credit);
    let weights: Vec<Vec<Weight>> = gold
        .iter()
        .map(|word| {
            predicted
                .iter()
                .map(|analyses| {
                    let found = best(word, analyses);
                    Weight {
                        matched: found.map_or(0, |r| r.matched),
                        predicted: found.map_or(1, |r| r.predicted),
                    }
                })
                .collect()
        })
        .collect();
    let columns = assign(&weights);
    let mut counts = MorphCounts {
        gold: gold.iter().map(Units::len).sum(),
        lemmas_gold: gold.len() as u64,
        ..MorphCounts::default()
    };
    for (word, column) in gold.iter().zip(&columns) {
        let Some(column) = column else { continue };
        if let Some(reading) = best(word, &predicted[*column]) {
            counts.matched += reading.matched;
            counts.predicted += reading.predicted;
            counts.lemmas_matched += u64::from(reading.has_lemma);
        }
    }
    for (at, analyses) in predicted.iter().enumerate() {
        if !columns.contains(&Some(at)) {
            counts.predicted += analyses.iter().map(Units::len).min().unwrap_or(1);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(analysis: &str, style: TagStyle, lemma_tag: Option<&str>) -> (String, Vec<String>) {
        let units = split(analysis, style, lemma_tag);
        (units.lemma, units.tags)
    }

    #[test]
    fn every_style_of_tags_is_split() {
        let tags = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            read("PV/e+wâpamêw+V+TA+Cnj", TagStyle::Plus, None),
            ("wâpamêw".into(), tags(&["+V", "+TA", "+Cnj", "PV/e+"]))
        );
        assert_eq!(
            read("घर<n><m><sg>", TagStyle::Angle, None),
            ("घर".into(), tags(&["<n>", "<m>", "<sg>"]))
        );
        assert_eq!(
            read(
                "[WORD_ID=lento][UPOS=NOUN][WORD_ID=kone][CASE=INE]",
                TagStyle::Bracket,
                Some("WORD_ID=")
            ),
            ("lento#kone".into(), tags(&["[UPOS=NOUN]", "[CASE=INE]"]))
        );
        assert_eq!(read("êkwa", TagStyle::Plus, None), ("êkwa".into(), vec![]));
        for broken in ["", "+", "<", "a<b", "[", "+++", "/+"] {
            for style in [TagStyle::Plus, TagStyle::Angle, TagStyle::Bracket, TagStyle::None] {
                split(broken, style, Some("X="));
            }
        }
    }
}
