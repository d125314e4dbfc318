//! Which entries of a corpus a run covers.

use std::collections::BTreeSet;

use clap::Args;
use lydian_model::run_setup::Selection;
use lydian_model::{Corpus, Domain, Entry, EntryId, Segment, SweepPlan};
use lydian_report::number::{self, agreeing};

use crate::error::{CommandError, CommandResult, Exit};

/// Entries asked for on the command line.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Choice {
    /// Segment to use: development or diagnostic; may be repeated [default: every public one]
    #[arg(long, value_name = "NAME", value_parser = segment, help_heading = "Entries")]
    pub(super) segment: Vec<Segment>,
    /// Domain to use, such as legal; may be repeated
    #[arg(long, value_name = "CODE", value_parser = domain, help_heading = "Entries")]
    domain: Vec<Domain>,
    /// Ids to use, separated by commas
    #[arg(long, value_name = "ID,…", value_delimiter = ',', help_heading = "Entries")]
    ids: Vec<String>,
    /// Most entries to use, the first ones in corpus order
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Entries")]
    pub(super) limit: Option<u64>,
}

fn segment(name: &str) -> Result<Segment, String> {
    Segment::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = Segment::ALL.into_iter().map(Segment::name).collect();
        format!("known segments are {}", known.join(", "))
    })
}

fn domain(code: &str) -> Result<Domain, String> {
    Domain::from_code(code).ok_or_else(|| {
        let known: Vec<&str> = Domain::ALL.into_iter().map(Domain::code).collect();
        format!("known domains are {}", known.join(", "))
    })
}

impl Choice {
    /// Returns the choice that a sweep plan states.
    pub(crate) fn of_sweep(plan: &SweepPlan) -> Self {
        Self {
            segment: plan.segments.clone(),
            domain: plan.domains.clone(),
            ids: Vec::new(),
            limit: plan.limit,
        }
    }

    /// Returns whether a segment was named.
    pub(super) fn names_segments(&self) -> bool {
        !self.segment.is_empty()
    }

    /// Selects entries in corpus order; `excluded` ones are left out before `--limit` counts.
    ///
    /// Entries of secret segments are never selected: asking for them is refused, whatever else is asked for
    /// (decision 29).
    pub(crate) fn of(&self, corpus: &Corpus, excluded: &[EntryId]) -> CommandResult<Selection> {
        if let Some(secret) = self.segment.iter().find(|segment| segment.is_secret()) {
            return Err(secret_refused(&format!("the segment {}", secret.name())));
        }
        let wanted = self.wanted_ids(corpus)?;
        let excluded: BTreeSet<&EntryId> = excluded.iter().collect();
        let left_out: Vec<EntryId> = corpus
            .entries
            .iter()
            .filter(|entry| excluded.contains(&entry.id))
            .map(|entry| entry.id.clone())
            .collect();
        let matching = corpus.entries.iter().filter(|entry| {
            !entry.segment_or_default().is_secret()
                && self.matches(entry)
                && wanted.as_ref().is_none_or(|ids| ids.contains(&entry.id))
                && !excluded.contains(&entry.id)
        });
        let limit = self.limit.and_then(|limit| usize::try_from(limit).ok());
        let entry_ids: Vec<EntryId> = matching
            .take(limit.unwrap_or(usize::MAX))
            .map(|entry| entry.id.clone())
            .collect();
        if entry_ids.is_empty() {
            return Err(nothing_selected(corpus));
        }
        Ok(Selection {
            segments: sorted(&self.segment),
            domains: sorted(&self.domain)
                .iter()
                .map(|domain| domain.code().to_owned())
                .collect(),
            by_id: wanted.is_some(),
            limit: self.limit,
            excluded: left_out,
            complete: entry_ids.len() == corpus.entries.len(),
            entry_ids,
        })
    }

    fn matches(&self, entry: &Entry) -> bool {
        let segment = entry.segment_or_default();
        let domain_matches = || entry.domain.is_some_and(|domain| self.domain.contains(&domain));
        (self.segment.is_empty() || self.segment.contains(&segment))
            && (self.domain.is_empty() || domain_matches())
    }

    fn wanted_ids(&self, corpus: &Corpus) -> CommandResult<Option<BTreeSet<EntryId>>> {
        if self.ids.is_empty() {
            return Ok(None);
        }
        let wanted: BTreeSet<EntryId> = self.ids.iter().map(|id| EntryId::text(id.trim())).collect();
        let mut unknown = wanted.clone();
        for entry in &corpus.entries {
            if unknown.remove(&entry.id) && entry.segment_or_default().is_secret() {
                return Err(secret_refused(&format!("entry {}", entry.id)));
            }
        }
        match unknown.first() {
            None => Ok(Some(wanted)),
            Some(id) => Err(CommandError::new(
                Exit::Usage,
                format!("the corpus has no entry {id}"),
            )),
        }
    }
}

/// Refuses a selection with an entry of a secret segment, wherever it comes from: a journal can be made by hand
/// (decision 29).
pub(super) fn refuse_secret(corpus: &Corpus, selection: &Selection) -> CommandResult<()> {
    let secret: BTreeSet<&EntryId> = corpus
        .entries
        .iter()
        .filter(|entry| entry.segment_or_default().is_secret())
        .map(|entry| &entry.id)
        .collect();
    match selection.entry_ids.iter().find(|id| secret.contains(id)) {
        Some(id) => Err(secret_refused(&format!("entry {id}"))),
        None => Ok(()),
    }
}

fn sorted<T: Ord + Clone>(values: &[T]) -> Vec<T> {
    let mut values = values.to_vec();
    values.sort();
    values.dedup();
    values
}

fn secret_refused(what: &str) -> CommandError {
    CommandError::new(Exit::Usage, format!("{what} is secret and is not run here")).with_hint(
        "gold_standard and held_out are run by the governance organisation's node; use development or diagnostic",
    )
}

fn nothing_selected(corpus: &Corpus) -> CommandError {
    let secret = corpus
        .entries
        .iter()
        .filter(|entry| entry.segment_or_default().is_secret());
    let none = match corpus.entries.len() {
        1 => "the only entry is not selected".to_owned(),
        all => format!("none of the {} entries is selected", number::count(all as u64)),
    };
    let message = match secret.count() as u64 {
        0 => none,
        secret => format!(
            "{none}; {secret} {} not run here",
            agreeing(secret, "is secret and is", "are secret and are")
        ),
    };
    CommandError::new(Exit::Usage, message).with_hint("`lydian corpus stats` shows what the corpus holds")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus() -> Corpus {
        let entry = |id: i64, segment, domain| Entry {
            segment,
            domain,
            ..Entry::new(EntryId::integer(id), "s", "r")
        };
        Corpus {
            dataset: lydian_model::Dataset::default(),
            entries: vec![
                entry(1, None, Some(Domain::Legal)),
                entry(2, Some(Segment::GoldStandard), Some(Domain::Legal)),
                entry(3, Some(Segment::Diagnostic), None),
                entry(4, Some(Segment::Development), Some(Domain::Conv)),
            ],
            extra: serde_json::Map::new(),
        }
    }

    fn ids(choice: &Choice) -> Vec<String> {
        let selection = choice.of(&corpus(), &[]).unwrap();
        selection.entry_ids.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn secret_entries_are_never_selected() {
        assert_eq!(ids(&Choice::default()), ["1", "3", "4"]);
        let selection = Choice::default().of(&corpus(), &[]).unwrap();
        assert!(!selection.complete);
        for choice in [
            Choice {
                segment: vec![Segment::Development, Segment::GoldStandard],
                ..Choice::default()
            },
            Choice {
                segment: vec![Segment::HeldOut],
                ..Choice::default()
            },
            Choice {
                ids: vec!["1".into(), "2".into()],
                ..Choice::default()
            },
        ] {
            assert_eq!(choice.of(&corpus(), &[]).unwrap_err().exit(), Exit::Usage);
        }
    }

    #[test]
    fn a_selection_made_by_hand_cannot_name_secret_entries() {
        let selection = |id| Selection {
            entry_ids: vec![EntryId::integer(1), EntryId::integer(id)],
            ..Selection::default()
        };
        assert!(refuse_secret(&corpus(), &selection(3)).is_ok());
        assert_eq!(
            refuse_secret(&corpus(), &selection(2)).unwrap_err().exit(),
            Exit::Usage
        );
    }

    #[test]
    fn a_missing_segment_is_development() {
        let choice = Choice {
            segment: vec![Segment::Development],
            ..Choice::default()
        };
        assert_eq!(ids(&choice), ["1", "4"]);
    }

    #[test]
    fn conditions_are_joined_and_order_is_that_of_the_corpus() {
        let choice = Choice {
            ids: vec!["4".into(), " 1".into()],
            limit: Some(1),
            ..Choice::default()
        };
        assert_eq!(ids(&choice), ["1"]);
        let choice = Choice {
            domain: vec![Domain::Conv],
            ..Choice::default()
        };
        assert_eq!(ids(&choice), ["4"]);
    }

    #[test]
    fn an_id_the_corpus_does_not_have_is_refused() {
        let choice = Choice {
            ids: vec!["99".into()],
            ..Choice::default()
        };
        assert_eq!(choice.of(&corpus(), &[]).unwrap_err().exit(), Exit::Usage);
    }

    #[test]
    fn examples_of_the_method_are_left_out_before_the_limit_counts() {
        let choice = Choice {
            limit: Some(2),
            ..Choice::default()
        };
        let selection = choice.of(&corpus(), &[EntryId::integer(1)]).unwrap();
        assert_eq!(selection.entry_ids, [EntryId::integer(3), EntryId::integer(4)]);
        assert_eq!(selection.excluded, [EntryId::integer(1)]);
    }
}
