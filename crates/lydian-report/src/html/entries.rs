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
         {}<tbody>\n",
        crate::number::entries(chosen.len() as u64),
        escape(run.label),
        header(),
    ));
    let source_language = escape(&card.dataset.source_language);
    let target_language = escape(&card.dataset.target_language);
    for result in chosen {
        html.push_str(&row(result, &source_language, &target_language));
    }
    html.push_str("</tbody>\n</table>\n</div>\n</section>\n");
    html
}

/// How a column is sorted, and how wide it is where all columns fit.
struct Column {
    name: &'static str,
    attributes: &'static str,
}

const COLUMNS: [Column; 9] = [
    Column {
        name: "id",
        attributes: "class=\"narrow\" data-sort=\"text\"",
    },
    Column {
        name: "source",
        attributes: "",
    },
    Column {
        name: "reference",
        attributes: "",
    },
    Column {
        name: "output",
        attributes: "",
    },
    Column {
        name: "chrF++",
        attributes: "class=\"n narrow\" data-sort=\"number\"",
    },
    Column {
        name: "TER",
        attributes: "class=\"n narrow\" data-sort=\"number\"",
    },
    Column {
        name: "domain",
        attributes: "class=\"middle\" data-sort=\"text\"",
    },
    Column {
        name: "difficulty",
        attributes: "class=\"n middle\" data-sort=\"number\"",
    },
    Column {
        name: "remarks",
        attributes: "class=\"wide\" data-sort=\"text\"",
    },
];

fn header() -> String {
    let cells: String = COLUMNS
        .iter()
        .map(|column| format!("<th scope=\"col\" {}>{}</th>", column.attributes, column.name))
        .collect();
    format!("<thead><tr>{cells}</tr></thead>\n")
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
    let text = |column: usize, language: &str, content: &str| {
        let name = COLUMNS[column].name;
        format!("<td class=\"text\" data-label=\"{name}\" dir=\"auto\" lang=\"{language}\">{content}</td>")
    };
    let short = |column: usize, class: &str, content: &str| {
        let name = COLUMNS[column].name;
        format!("<td{class} data-label=\"{name}\">{content}</td>")
    };
    format!(
        "<tr data-outcome=\"{}\" data-flagged=\"{flagged}\"><th scope=\"row\">{}</th>{}{}{}{}{}{}{}{}</tr>\n",
        result.outcome.name(),
        escape(&result.entry_id),
        text(1, source_language, &escape(&result.source)),
        text(2, target_language, &escape(&result.expected)),
        text(3, target_language, &output),
        short(4, " class=\"n\"", &number::points(result.chrf_score)),
        short(5, " class=\"n\"", &number::points(result.ter_score)),
        short(6, "", result.domain.map_or("", lydian_model::Domain::code)),
        short(
            7,
            " class=\"n\"",
            &escape(result.difficulty.as_deref().unwrap_or(""))
        ),
        short(8, " class=\"flag\"", &escape(&remarks.join("; "))),
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
