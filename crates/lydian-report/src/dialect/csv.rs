//! Reports and comparisons as CSV (RFC 4180): one row per dialect and measure.

use lydian_model::Score;
use lydian_scoring::dialect::{DialectComparison, DialectReport, DialectRow, ExactTest, Share};

use super::comparison::measure;
use super::tables::{choice_cells, rows};

/// Returns a report; its first row is the refusal rate over all items.
pub(super) fn report(report: &DialectReport) -> String {
    let mut text = "dialect,measure,value,lower,upper,count,of,above_chance\r\n".to_owned();
    text.push_str(&share_row("all items", "refusals", &report.refusals, ""));
    for row in rows(report) {
        text.push_str(&dialect_rows(row));
    }
    text
}

fn dialect_rows(row: &DialectRow) -> String {
    let name = &row.dialect;
    let mut text = share_row(name, "refusals", &row.refusals, "");
    if let Some(cell) = &row.t1 {
        let [lower, upper] = cell
            .interval
            .map_or([String::new(), String::new()], |bounds| bounds.map(value));
        text.push_str(&line(&[
            name,
            "T1 mean",
            &value(cell.mean),
            &lower,
            &upper,
            "",
            &cell.items.to_string(),
            "",
        ]));
        for (points, count) in cell.counts.iter().enumerate() {
            let measure = format!("T1 score {points}");
            text.push_str(&line(&[
                name,
                &measure,
                "",
                "",
                "",
                &count.to_string(),
                &cell.items.to_string(),
                "",
            ]));
        }
    }
    for (item_type, cell) in choice_cells(row) {
        let above = if cell.above_chance { "yes" } else { "no" };
        text.push_str(&share_row(
            name,
            &format!("{} accuracy", item_type.name()),
            &cell.correct,
            above,
        ));
    }
    let c = row.counters;
    let counters = [
        ("answered in dialect", c.answered_in_dialect),
        ("hedged", c.hedged),
        ("empty", c.empty),
        ("unparsed", c.unparsed),
        ("ambiguous", c.ambiguous),
        ("missing", c.missing),
        ("overlong", c.overlong),
    ];
    let outcomes = row
        .outcomes
        .named()
        .map(|(name, count)| (format!("outcome {name}"), count));
    let counters = counters.map(|(name, count)| (name.to_owned(), count));
    for (measure, count) in counters.into_iter().chain(outcomes) {
        text.push_str(&line(&[
            name,
            &measure,
            "",
            "",
            "",
            &count.to_string(),
            &row.items.to_string(),
            "",
        ]));
    }
    text
}

/// Returns a comparison.
pub(super) fn comparison(compared: &DialectComparison) -> String {
    let mut text =
        "dialect,measure,items,first,second,first_higher,second_higher,p,p_holm,test\r\n".to_owned();
    for test in &compared.tests {
        text.push_str(&line(&[
            &test.dialect,
            measure(test.measure),
            &test.items.to_string(),
            &value(test.first),
            &value(test.second),
            &test.first_higher.to_string(),
            &test.second_higher.to_string(),
            &value(test.p_value),
            &value(test.p_holm),
            match test.test {
                ExactTest::McnemarExact => "mcnemar_exact",
                ExactTest::SignFlipExact => "sign_flip_exact",
            },
        ]));
    }
    text
}

fn share_row(dialect: &str, measure: &str, share: &Share, above_chance: &str) -> String {
    let [lower, upper] = share
        .interval
        .map_or([String::new(), String::new()], |bounds| bounds.map(value));
    let rate = share.share.map_or_else(String::new, value);
    line(&[
        dialect,
        measure,
        &rate,
        &lower,
        &upper,
        &share.count.to_string(),
        &share.of.to_string(),
        above_chance,
    ])
}

fn value(score: Score) -> String {
    score.get().to_string()
}

/// Returns one row.
pub(crate) fn line(cells: &[&str]) -> String {
    format!(
        "{}\r\n",
        cells
            .iter()
            .map(|cell| quoted(cell))
            .collect::<Vec<_>>()
            .join(",")
    )
}

/// Quotes where needed; a leading sign that a spreadsheet would take for a formula is kept as text.
fn quoted(cell: &str) -> String {
    let formula =
        cell.starts_with(['=', '+', '@']) || (cell.starts_with('-') && cell.parse::<f64>().is_err());
    let cell = if formula {
        format!("'{cell}")
    } else {
        cell.to_owned()
    };
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(
            line(&["a,b", "say \"x\"", "=1+1", "-0.5"]),
            "\"a,b\",\"say \"\"x\"\"\",'=1+1,-0.5\r\n"
        );
    }
}
