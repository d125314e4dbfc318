//! The output of `sacrebleu`, byte for byte.

use std::fmt::Write as _;

use super::arguments::{FormatName, ReportArguments};
use super::evaluate::{Column, Outcome};
use super::grid::{self, CYAN, Cell, GREEN, RED, YELLOW, paint};
use super::python;
use super::settings::Test;

/// How the score of a single system or segment is written.
pub(super) struct ScoreLine<'a> {
    /// The metric's name.
    pub(super) name: &'a str,
    /// The signature, long or short.
    pub(super) signature: String,
    /// The score.
    pub(super) score: f64,
    /// Mean and half width of the interval.
    pub(super) interval: Option<(f64, f64)>,
    /// The parts of the score.
    pub(super) verbose: Option<&'a str>,
}

impl ScoreLine<'_> {
    /// Returns mean and half width, which are shown only when the mean is positive.
    fn shown_interval(&self, width: usize) -> Option<(String, String)> {
        self.interval
            .filter(|(mean, _)| *mean > 0.0)
            .map(|(mean, half)| (format!("{mean:.width$}"), format!("{half:.width$}")))
    }

    fn number(&self, width: usize) -> String {
        match self.shown_interval(width) {
            None => format!("{:.width$}", self.score),
            Some((mean, half)) => format!("{:.width$} (μ = {mean} ± {half})", self.score),
        }
    }

    /// Returns the line of the text format.
    pub(super) fn text(&self, report: &ReportArguments) -> String {
        let number = self.number(report.width);
        if report.score_only {
            return number;
        }
        let verbose = self
            .verbose
            .map(|verbose| format!(" {verbose}"))
            .unwrap_or_default();
        format!("{}|{} = {number}{verbose}", self.name, self.signature)
    }

    /// Returns the object of the JSON format.
    fn json(&self, report: &ReportArguments) -> String {
        let width = report.width;
        if report.score_only {
            return self.number(width);
        }
        let rounded = |text: &str| python::float(text.parse().unwrap_or(f64::NAN));
        let quoted = |text: &str| format!("\"{text}\"");
        let mut fields = vec![
            ("name", quoted(self.name)),
            ("score", rounded(&format!("{:.width$}", self.score))),
            ("signature", quoted(&self.signature)),
        ];
        if let Some((mean, half)) = self.shown_interval(width) {
            fields.push(("confidence_mean", rounded(&mean)));
            fields.push(("confidence_var", rounded(&half)));
            fields.push(("confidence", format!("\"μ = {mean} ± {half}\"")));
        }
        if let Some(verbose) = self.verbose {
            fields.push(("verbose_score", quoted(verbose)));
        }
        let parts = self.signature.split('|').filter_map(|part| part.split_once(':'));
        fields.extend(parts.map(|(key, value)| (key, quoted(value))));
        let lines: Vec<String> = fields
            .iter()
            .map(|(key, value)| format!(" \"{key}\": {value}"))
            .collect();
        format!("{{\n{}\n}}", lines.join(",\n"))
    }
}

/// Returns the output for one system.
pub(super) fn single(columns: &[Column], report: &ReportArguments, format: FormatName) -> String {
    let short = report.short && format != FormatName::Json;
    let lines: Vec<ScoreLine<'_>> = sorted(columns)
        .into_iter()
        .map(|column| {
            let outcome = &column.outcomes[0];
            ScoreLine {
                name: &column.name,
                signature: if short {
                    column.signature.short()
                } else {
                    column.signature.to_string()
                },
                score: outcome.score,
                interval: outcome
                    .interval
                    .map(|interval| (interval.mean, interval.half_width)),
                verbose: outcome.verbose.as_deref(),
            }
        })
        .collect();
    if format == FormatName::Json {
        let objects: Vec<String> = lines.iter().map(|line| line.json(report)).collect();
        return match objects.as_slice() {
            [object] => format!("{object}\n"),
            _ => format!("[\n{}\n]\n", objects.join(",\n")),
        };
    }
    let texts: Vec<String> = lines.iter().map(|line| line.text(report)).collect();
    aligned(&texts)
}

/// Aligns lines at their first equals sign and colours the intervals.
fn aligned(lines: &[String]) -> String {
    let position = |line: &String| line.find(" = ").filter(|_| line.contains('|'));
    let widest = lines.iter().filter_map(position).max().unwrap_or(0);
    let mut text = String::new();
    for line in lines {
        let indent = position(line).map_or(0, |position| widest - position);
        text += &" ".repeat(indent);
        text += &colored_interval(line);
        text.push('\n');
    }
    text
}

fn colored_interval(line: &str) -> String {
    let Some(start) = line.find("(μ = ") else {
        return line.to_owned();
    };
    let Some(length) = line[start..].find(')') else {
        return line.to_owned();
    };
    let end = start + length + 1;
    format!(
        "{}{}{}",
        &line[..start],
        paint(&line[start..end], Some(CYAN)),
        &line[end..]
    )
}

/// Returns the columns by the names of the metrics, as sacreBLEU sorts them.
fn sorted(columns: &[Column]) -> Vec<&Column> {
    let mut sorted: Vec<&Column> = columns.iter().collect();
    sorted.sort_by_key(|column| column.name.to_uppercase());
    sorted
}

/// Returns the output for several systems.
pub(super) fn several(
    names: &[String],
    columns: &[Column],
    report: &ReportArguments,
    format: FormatName,
    test: Test,
) -> String {
    let columns = if test.is_paired() {
        columns.iter().collect()
    } else {
        sorted(columns)
    };
    let names: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            if index == 0 {
                baseline_name(name, test)
            } else {
                shifted_name(name, index, test)
            }
        })
        .collect();
    match format {
        FormatName::Json => several_json(&names, &columns, report.width, test),
        _ => several_table(&names, &columns, report, format, test),
    }
}

/// Returns the name of the first system; tests call it the baseline.
fn baseline_name(name: &str, test: Test) -> String {
    match test.is_paired() {
        false => name.to_owned(),
        true if name == "System 1" => "Baseline".to_owned(),
        true => format!("Baseline: {name}"),
    }
}

/// Systems from standard input are numbered without the baseline.
fn shifted_name(name: &str, index: usize, test: Test) -> String {
    if test.is_paired() && name == format!("System {}", index + 1) {
        return format!("System {index}");
    }
    name.to_owned()
}

fn several_json(names: &[String], columns: &[&Column], width: usize, test: Test) -> String {
    let systems: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(system, name)| {
            let mut fields = vec![format!("        \"system\": {}", python::ascii_json(name))];
            for column in columns {
                let outcome = &column.outcomes[system];
                fields.push(if test.is_paired() {
                    format!("        \"{}\": {}", column.name, result_json(outcome))
                } else {
                    format!("        \"{}\": \"{:.width$}\"", column.name, outcome.score)
                });
            }
            format!("    {{\n{}\n    }}", fields.join(",\n"))
        })
        .collect();
    format!("[\n{}\n]\n", systems.join(",\n"))
}

fn result_json(outcome: &Outcome) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "null".to_owned(), python::float);
    let fields = [
        ("score", number(Some(outcome.score))),
        (
            "p_value",
            number(outcome.comparison.map(|comparison| comparison.p_value)),
        ),
        ("mean", number(outcome.interval.map(|interval| interval.mean))),
        ("ci", number(outcome.interval.map(|interval| interval.half_width))),
    ];
    let lines: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("            \"{key}\": {value}"))
        .collect();
    format!("{{\n{}\n        }}", lines.join(",\n"))
}

fn several_table(
    names: &[String],
    columns: &[&Column],
    report: &ReportArguments,
    format: FormatName,
    test: Test,
) -> String {
    // sacreBLEU recognises its baseline by the colon, so one from standard input has no name and no colour.
    let baseline = names[0].starts_with("Baseline:").then_some(names[0].as_str());
    let first_color = |row: usize| (baseline.is_some() && row == 0).then_some(YELLOW);
    let colored = |text: String, color: Option<u8>| {
        color.map_or_else(
            || Cell::plain(text.clone()),
            |color| Cell::colored(text.clone(), 0, color),
        )
    };
    let mut table = vec![grid::Column {
        title: "System".to_owned(),
        cells: names
            .iter()
            .enumerate()
            .map(|(i, name)| colored(name.clone(), first_color(i)))
            .collect(),
    }];
    let mut with_interval = false;
    for column in columns {
        let cells = column.outcomes.iter().enumerate().map(|(row, outcome)| {
            with_interval |= outcome.interval.is_some();
            let text = score_cell(outcome, report.width);
            match outcome.comparison {
                None => colored(text, first_color(row)),
                Some(comparison) => p_value_cell(&text, comparison.p_value, format),
            }
        });
        let cells: Vec<Cell> = cells.collect();
        let suffix = if with_interval { " (μ ± 95% CI)" } else { "" };
        table.push(grid::Column {
            title: format!("{}{suffix}", column.name),
            cells,
        });
    }
    let mut text = match format {
        FormatName::Latex => grid::latex(table, report.width),
        _ => grid::fancy(table, report.width),
    };
    text.push('\n');
    if test.is_paired() {
        text += &explanation(baseline.unwrap_or_default(), test);
    }
    text += "-----------------\nMetric signatures\n-----------------\n";
    for column in columns {
        let signature = if report.short {
            column.signature.short()
        } else {
            column.signature.to_string()
        };
        // Writing to a string cannot fail.
        let _written: std::fmt::Result = writeln!(text, " - {:<10} {signature}", column.name);
    }
    text
}

fn score_cell(outcome: &Outcome, width: usize) -> String {
    match outcome.interval {
        None => format!("{:.width$}", outcome.score),
        Some(interval) => {
            format!(
                "{:.width$} ({:.width$} ± {:.width$})",
                outcome.score, interval.mean, interval.half_width
            )
        }
    }
}

/// The p-value stands on a line of its own in the grid, red unless it is at most 0.05.
fn p_value_cell(score: &str, p_value: f64, format: FormatName) -> Cell {
    let star = if p_value > 0.05 { "" } else { "*" };
    let p_value = format!("(p = {p_value:.4}){star}");
    if format == FormatName::Latex {
        return Cell::plain(format!("{score} {p_value}"));
    }
    let text = format!("{score}\n{p_value}");
    if star.is_empty() {
        Cell::colored(text, 1, RED)
    } else {
        Cell::plain(text)
    }
}

fn explanation(baseline: &str, test: Test) -> String {
    let (kind, trials, unit, given) = match test {
        Test::Bootstrap(n) => (
            "bootstrap resampling",
            n,
            "resampling trials",
            "   Actual system score / bootstrap estimated true mean / 95% CI are provided for each metric.",
        ),
        Test::Randomization(n) => (
            "approximate randomization",
            n,
            "trials",
            "   Actual system score is provided for each metric.",
        ),
        Test::None | Test::Confidence(_) => return String::new(),
    };
    let title = format!("Paired {kind} test with {trials} {unit}");
    let rule = "-".repeat(title.len());
    let base = paint("baseline", Some(YELLOW));
    let name = paint(baseline, Some(YELLOW));
    let null = paint("Null hypothesis", Some(GREEN));
    let lower_null = null.to_lowercase();
    let red = paint("highlighted in red", Some(RED));
    format!(
        "{rule}\n{title}\n{rule}\n \
         - Each system is pairwise compared to {name}.\n\
         {given}\n\n \
         - {null}: the system and the {base} translations are essentially\n   \
         generated by the same underlying process. For a given system and the {base},\n   \
         the p-value is roughly the probability of the absolute score difference (delta)\n   \
         or higher occurring due to chance, under the assumption that the {lower_null} is correct.\n\n \
         - Assuming a significance threshold of 0.05, the {lower_null} can be rejected\n   \
         for p-values < 0.05 (marked with \"*\"). This means that the delta is unlikely to be attributed\n   \
         to chance, hence the system is significantly \"different\" than the {base}.\n   \
         Otherwise, the p-values are {red}.\n\n \
         - NOTE: Significance does not tell whether a system is \"better\" than the {base} but rather\n   \
         emphasizes the \"difference\" of the systems in terms of the replicability of the delta.\n\n"
    )
}
