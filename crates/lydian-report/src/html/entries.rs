//! The entries of a run: source, reference and output side by side, filterable and sortable.

use std::collections::BTreeSet;

use lydian_model::run_card::EntryResult;
use lydian_model::{Outcome, Score, Sha256Hex};
use serde_json::Value;

use super::{MOST_EMBEDDED_ENTRIES, Run, escape};
use crate::number;

/// Returns the entries of one run, which has this number on the page.
pub(super) fn section(run: &Run<'_>, number: usize) -> String {
    let card = run.card;
    let chosen = choose(&card.results, MOST_EMBEDDED_ENTRIES);
    let mut html = format!(
        "<section class=\"run-entries\" aria-labelledby=\"entries-{number}\">\n<h2 id=\"entries-{number}\">Entries: {}</h2>\n",
        escape(run.label)
    );
    if chosen.len() < card.results.len() {
        html.push_str(&format!(
            "<p>{} of {} are shown: the lowest scores, flagged entries and a random sample. All are in the run card.</p>\n",
            crate::number::count(chosen.len() as u64),
            crate::number::entries(card.results.len() as u64)
        ));
    }
    html.push_str(&filter_form(&chosen, number));
    html.push_str(&format!(
        "<p role=\"status\" class=\"soft\">{}</p>\n\
         <div class=\"scroll\" role=\"region\" aria-label=\"Entries of {}\" tabindex=\"0\">\n<table class=\"entries\">\n\
         <thead><tr><th scope=\"col\" data-sort=\"text\">id</th><th scope=\"col\">source</th><th scope=\"col\">reference</th>\
         <th scope=\"col\">output</th><th scope=\"col\" class=\"n\" data-sort=\"number\">chrF++</th>\
         <th scope=\"col\" class=\"n\" data-sort=\"number\">TER</th><th scope=\"col\" data-sort=\"text\">domain</th>\
         <th scope=\"col\" class=\"n\" data-sort=\"number\">difficulty</th><th scope=\"col\" data-sort=\"text\">remarks</th></tr></thead>\n<tbody>\n",
        crate::number::entries(chosen.len() as u64),
        escape(run.label),
    ));
    let source_language = escape(&card.dataset.source_language);
    let target_language = escape(&card.dataset.target_language);
    for result in chosen {
        html.push_str(&row(result, &source_language, &target_language));
    }
    html.push_str("</tbody>\n</table>\n</div>\n</section>\n");
    html
}

fn filter_form(chosen: &[&EntryResult], run: usize) -> String {
    let outcomes: BTreeSet<Outcome> = chosen.iter().map(|result| result.outcome).collect();
    let options: String = outcomes
        .iter()
        .map(|outcome| format!("<option value=\"{0}\">{0}</option>", outcome.name()))
        .collect();
    format!(
        "<form class=\"filter\" hidden aria-label=\"Filter entries of run {}\">\n\
         <label>Text contains <input name=\"text\" type=\"search\"></label>\n\
         <label>Outcome <select name=\"outcome\"><option value=\"\">any</option>{options}</select></label>\n\
         <label>Only flagged <input name=\"flagged\" type=\"checkbox\"></label>\n</form>\n",
        run + 1
    )
}

fn row(result: &EntryResult, source_language: &str, target_language: &str) -> String {
    let remarks = remarks(result);
    let flagged = if remarks.is_empty() { "0" } else { "1" };
    let output = if result.predicted.is_empty() {
        "<span class=\"flag\">(no text)</span>".to_owned()
    } else {
        escape(&result.predicted)
    };
    format!(
        "<tr data-outcome=\"{}\" data-flagged=\"{flagged}\"><th scope=\"row\">{}</th>\
         <td class=\"text\" dir=\"auto\" lang=\"{source_language}\">{}</td>\
         <td class=\"text\" dir=\"auto\" lang=\"{target_language}\">{}</td>\
         <td class=\"text\" dir=\"auto\" lang=\"{target_language}\">{output}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"flag\">{}</td></tr>\n",
        result.outcome.name(),
        escape(&result.entry_id),
        escape(&result.source),
        escape(&result.expected),
        number::points(result.chrf_score),
        number::points(result.ter_score),
        result.domain.map_or("", lydian_model::Domain::code),
        escape(result.difficulty.as_deref().unwrap_or("")),
        escape(&remarks.join("; ")),
    )
}

fn remarks(result: &EntryResult) -> Vec<String> {
    let mut remarks = Vec::new();
    if result.outcome != Outcome::Ok {
        remarks.push(match &result.error {
            Some(error) => format!("{}: {error}", result.outcome.name()),
            None => result.outcome.name().to_owned(),
        });
    }
    if result.fst_valid == Some(false) {
        remarks.push(format!("words the analyser rejects: {}", rejected_words(result)));
    }
    for (verdict, name) in [
        (result.code_switching_detected == Some(true), "code-switching"),
        (result.hallucination_detected == Some(true), "hallucination"),
    ] {
        if verdict {
            remarks.push(name.to_owned());
        }
    }
    remarks.extend(
        result
            .flags
            .iter()
            .map(|(name, reason)| format!("{name}: {reason}")),
    );
    remarks
}

/// Returns the rejected words, with accepted ones like them.
fn rejected_words(result: &EntryResult) -> String {
    let listed = result
        .plugin_metrics
        .get("fst_acceptance_rate")
        .and_then(|metric| metric.get("rejected"))
        .and_then(Value::as_array);
    let words = listed.into_iter().flatten().filter_map(|verdict| {
        let word = verdict.get("word")?.as_str()?;
        let near = verdict.get("similar").and_then(Value::as_array);
        let near: Vec<&str> = near.into_iter().flatten().filter_map(Value::as_str).collect();
        Some(
            match (
                near.is_empty(),
                verdict.get("excluded_tag").and_then(Value::as_str),
            ) {
                (false, _) => format!("{word} (like {})", near.join(", ")),
                (true, Some(tag)) => format!("{word} ({tag})"),
                (true, None) => word.to_owned(),
            },
        )
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Returns at most `most` results in corpus order: two fifths lowest scores, two fifths flagged, the rest by a hash of
/// the id, which is random but the same every time.
fn choose(results: &[EntryResult], most: usize) -> Vec<&EntryResult> {
    if results.len() <= most {
        return results.iter().collect();
    }
    let mut chosen = BTreeSet::new();
    let mut by_score: Vec<usize> = (0..results.len()).collect();
    by_score.sort_by(|&left, &right| {
        let score = |index: usize| results[index].chrf_score.map_or(-1.0, Score::get);
        score(left).total_cmp(&score(right)).then(left.cmp(&right))
    });
    chosen.extend(by_score.iter().copied().take(most * 2 / 5));
    let flagged = (0..results.len()).filter(|&index| !remarks(&results[index]).is_empty());
    for index in flagged {
        if chosen.len() >= most * 4 / 5 {
            break;
        }
        chosen.insert(index);
    }
    let mut by_hash: Vec<(Sha256Hex, usize)> = results
        .iter()
        .enumerate()
        .map(|(index, result)| (Sha256Hex::of(result.entry_id.as_bytes()), index))
        .collect();
    by_hash.sort_unstable();
    for (_, index) in by_hash {
        if chosen.len() >= most {
            break;
        }
        chosen.insert(index);
    }
    chosen.into_iter().map(|index| &results[index]).collect()
}
