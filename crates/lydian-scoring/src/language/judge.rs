//! One entry at a time through analyser, rules, detectors and glossary.

use std::collections::BTreeSet;
use std::sync::Arc;

use lydian_language::morphology::{AffixCredit, Gold, compare, parse_gold};
use lydian_language::{
    Detectors, Equivalence, FindingKind, FstChecker, OrthographyChecker, Pair, WordCache, WordFinder,
    source_names, terminology,
};
use lydian_model::semantic::SemanticAnswers;
use serde_json::{Value, json};

use super::{Judged, acceptance, equivalence, findings, semantic};
use crate::context::{Languages, ScoringContext};
use crate::evidence::Part;
use crate::item::Item;

/// Everything that judges outputs in one language.
pub(super) struct Judge<'l> {
    languages: Languages<'l>,
    detectors: &'l Detectors<'l>,
    checker: Option<FstChecker<'l>>,
    equivalence: Equivalence<'l>,
    orthography: Option<OrthographyChecker>,
    finder: WordFinder,
    semantic: Option<&'l SemanticAnswers>,
}

/// Returns the language parts with the reason why each cannot be judged, if it cannot.
pub(super) fn available(
    items: &[Item<'_>],
    context: &ScoringContext<'_>,
    languages: Languages<'_>,
) -> Vec<(Part, Option<String>)> {
    let target = languages.target;
    let analyser = target.analyser().err().map(str::to_owned);
    let gold = items
        .iter()
        .any(|item| item.entry.morphological_analysis.is_some());
    Part::LANGUAGE
        .into_iter()
        .map(|part| {
            let obstacle = match part {
                Part::EquivalentMatch => equivalence::obstacle(items, target),
                Part::Fst => analyser.clone(),
                Part::Morphology if !gold => Some("no entry has a gold analysis".to_owned()),
                Part::Semantic => semantic::obstacle(items, context.semantic, target),
                Part::Terminology => languages.glossary_obstacle(),
                Part::Orthography => target.orthography_checker().err(),
                _ => None,
            };
            (part, obstacle)
        })
        .collect()
}

impl<'l> Judge<'l> {
    pub(super) fn new(
        languages: Languages<'l>,
        detectors: &'l Detectors<'l>,
        semantic: Option<&'l SemanticAnswers>,
        words: &Arc<WordCache>,
    ) -> Self {
        let target = languages.target;
        Self {
            languages,
            detectors,
            checker: target.fst_checker().ok().map(|checker| checker.sharing(words)),
            equivalence: Equivalence::new(&target.card),
            orthography: target.orthography_checker().ok(),
            finder: target.word_finder(),
            semantic,
        }
    }

    /// Judges an entry under one part; a part that is not available counts nothing.
    pub(super) fn judge(&mut self, part: Part, item: &Item<'_>) -> Judged {
        let judged = match part {
            Part::EquivalentMatch => Some(equivalence::judge(&self.equivalence, self.checker.as_mut(), item)),
            Part::Fst => self.acceptance(item),
            Part::Morphology => self.morphology(item),
            Part::Semantic => self
                .semantic
                .map(|answers| semantic::judge(answers, self.languages.target, item)),
            Part::CodeSwitching => Some(self.detected(item, FindingKind::is_code_switching)),
            Part::Hallucination => Some(self.detected(item, FindingKind::is_hallucination)),
            Part::Terminology => self.terminology(item),
            Part::Orthography => self.spelling(item),
            _ => None,
        };
        judged.unwrap_or_else(|| Judged::counts(vec![0; part.columns().len()]))
    }

    fn names(&self, item: &Item<'_>) -> BTreeSet<String> {
        source_names(&item.entry.source, &self.languages.source.card)
    }

    fn acceptance(&mut self, item: &Item<'_>) -> Option<Judged> {
        let names = self.names(item);
        Some(acceptance::judge(self.checker.as_mut()?, item, &names))
    }

    fn morphology(&mut self, item: &Item<'_>) -> Option<Judged> {
        let field = item.entry.morphological_analysis.as_deref()?;
        let analyser = self.languages.target.card.analyser.as_ref();
        let gold = match parse_gold(field, &item.reference, &self.finder, analyser) {
            Ok(gold) => gold,
            Err(problem) => {
                return Some(Judged::counts([0, 0, 0]).with("problem", problem.to_string().into()));
            }
        };
        let counts = compare(
            &gold,
            &item.output,
            &self.finder,
            self.checker.as_mut(),
            AffixCredit::WithStem,
        )?;
        let kind = match gold {
            Gold::Segments(_) => "segments",
            Gold::Analyses(_) => "analyses",
        };
        Some(Judged::counts([counts.matched, counts.predicted, counts.gold]).with("gold", kind.into()))
    }

    /// Silence counts as flagged, so that not answering never pays (decision 8).
    fn detected(&self, item: &Item<'_>, counts: impl Fn(FindingKind) -> bool) -> Judged {
        if !item.has_text() {
            return Judged::counts([1, 1]);
        }
        let found = self.detectors.findings(Pair {
            source: &item.entry.source,
            output: &item.output,
        });
        let flagged = found.findings.iter().any(|finding| counts(finding.kind));
        let judged = Judged::counts([u64::from(flagged), 1]);
        if flagged {
            judged.with("findings", findings(&found, counts))
        } else {
            judged
        }
    }

    fn terminology(&mut self, item: &Item<'_>) -> Option<Judged> {
        let uses = terminology(
            self.languages.target.glossary().ok()?,
            (&self.languages.source.card, &self.languages.target.card),
            (&item.entry.source, &item.output),
            self.checker.as_mut(),
        );
        let total =
            |count: fn(&lydian_language::TermUse) -> usize| uses.iter().map(count).sum::<usize>() as u64;
        let missed: Value = uses
            .iter()
            .filter(|found| found.rendered < found.expected)
            .map(|found| json!({ "term": found.term, "forbidden": found.forbidden }))
            .collect();
        let judged = Judged::counts([total(|found| found.rendered), total(|found| found.expected)]);
        Some(if missed.as_array().is_some_and(Vec::is_empty) {
            judged
        } else {
            judged.with("missed", missed)
        })
    }

    /// An entry without words counts one wrong word per word of the reference, so that silence never pays.
    fn spelling(&self, item: &Item<'_>) -> Option<Judged> {
        let names = self.names(item);
        let checker = self.orthography.as_ref()?;
        let found = checker.check(&item.output, &names);
        if found.words == 0 {
            let expected = checker.check(&item.reference, &names).words;
            return Some(Judged::counts([0, expected as u64]));
        }
        let misspelt: Value = found.misspelt.iter().map(|wrong| json!(wrong.word)).collect();
        let judged = Judged::counts([found.correct() as u64, found.words as u64]);
        Some(if found.misspelt.is_empty() {
            judged
        } else {
            judged.with("misspelt", misspelt)
        })
    }
}
