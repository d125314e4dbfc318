//! Pictures as inline SVG: histograms and interval plots. Colours come from the page's style sheet.

use std::fmt::Write;

/// Returns a histogram of values on 0–100 in twenty bins, with a text alternative that says what it shows.
pub fn histogram(values: &[f64], title: &str) -> String {
    const BINS: usize = 20;
    const WIDTH: f64 = 420.0;
    const HEIGHT: f64 = 120.0;
    let mut bins = [0_usize; BINS];
    for value in values {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to the bins"
        )]
        let bin = (value.clamp(0.0, 100.0) / 100.0 * BINS as f64) as usize;
        bins[bin.min(BINS - 1)] += 1;
    }
    let highest = bins.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut svg = format!(
        "<svg class=\"plot\" role=\"img\" aria-label=\"{}: {}; {}\" viewBox=\"0 0 {WIDTH} {}\">",
        crate::html::escape(title),
        crate::number::entries(values.len() as u64),
        describe(&bins),
        HEIGHT + 22.0
    );
    let step = WIDTH / BINS as f64;
    for (index, &number) in bins.iter().enumerate() {
        let height = number as f64 / highest * HEIGHT;
        let (left, top) = (index as f64 * step + 1.0, HEIGHT - height);
        let (from, to) = (index * 5, index * 5 + 5);
        push(
            &mut svg,
            format_args!(
                "<rect class=\"bar\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\">\
                 <title>{from}–{to}: {number}</title></rect>",
                step - 2.0
            ),
        );
    }
    push(
        &mut svg,
        format_args!("<line class=\"axis\" x1=\"0\" y1=\"{HEIGHT}\" x2=\"{WIDTH}\" y2=\"{HEIGHT}\"/>"),
    );
    for mark in [0, 25, 50, 75, 100] {
        let anchor = match mark {
            0 => "start",
            100 => "end",
            _ => "middle",
        };
        push(
            &mut svg,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{mark}</text>",
                f64::from(mark) / 100.0 * WIDTH,
                HEIGHT + 16.0
            ),
        );
    }
    svg.push_str("</svg>");
    svg
}

/// One line of an interval plot.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalRow {
    /// Name of the run or subset.
    pub label: String,
    /// Value on 0–100.
    pub value: f64,
    /// Lower and upper bound, when known.
    pub bounds: Option<(f64, f64)>,
}

/// Returns a plot of values with their intervals on a common 0–100 axis.
pub fn intervals(rows: &[IntervalRow], title: &str) -> String {
    const MARGIN: f64 = 10.0;
    const WIDTH: f64 = 440.0;
    const ROW: f64 = 40.0;
    let height = rows.len() as f64 * ROW;
    let x = |value: f64| MARGIN + value.clamp(0.0, 100.0) / 100.0 * (WIDTH - 2.0 * MARGIN);
    let mut svg = format!(
        "<svg class=\"plot\" role=\"img\" aria-label=\"{}; the same numbers stand in the table\" viewBox=\"0 0 {WIDTH} {}\">",
        crate::html::escape(title),
        height + 24.0
    );
    for mark in [0, 25, 50, 75, 100] {
        let at = x(f64::from(mark));
        push(
            &mut svg,
            format_args!(
                "<line class=\"grid\" x1=\"{at:.1}\" y1=\"0\" x2=\"{at:.1}\" y2=\"{height:.1}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{mark}</text>",
                height + 17.0
            ),
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let middle = index as f64 * ROW + 28.0;
        let label = shortened(&row.label, 48);
        push(
            &mut svg,
            format_args!(
                "<text x=\"{MARGIN:.1}\" y=\"{:.1}\">{}</text>",
                middle - 14.0,
                crate::html::escape(&label)
            ),
        );
        if let Some((lower, upper)) = row.bounds {
            push(
                &mut svg,
                format_args!(
                    "<line class=\"interval\" x1=\"{:.1}\" y1=\"{middle:.1}\" x2=\"{:.1}\" y2=\"{middle:.1}\"/>",
                    x(lower),
                    x(upper)
                ),
            );
        }
        push(
            &mut svg,
            format_args!(
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"5\"/>\
                 <text class=\"value\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{:.1}</text>",
                x(row.value),
                WIDTH - MARGIN,
                middle - 14.0,
                row.value
            ),
        );
    }
    svg.push_str("</svg>");
    svg
}

fn shortened(label: &str, most: usize) -> String {
    if label.chars().count() <= most {
        return label.to_owned();
    }
    let kept: String = label.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}

fn describe(bins: &[usize]) -> String {
    let quarter = |from: usize| bins[from..from + 5].iter().sum::<usize>();
    format!(
        "{} below 25, {} from 25 to 50, {} from 50 to 75, {} above",
        quarter(0),
        quarter(5),
        quarter(10),
        quarter(15)
    )
}

fn push(svg: &mut String, arguments: std::fmt::Arguments<'_>) {
    svg.write_fmt(arguments).expect("writing to a String cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_score_falls_into_the_last_bin() {
        let svg = histogram(&[100.0, 3.0, 3.0], "chrF++");
        assert!(svg.contains("<title>95–100: 1</title>"), "{svg}");
        assert!(svg.contains("<title>0–5: 2</title>"));
        assert!(svg.contains("3 entries; 2 below 25, 0 from 25 to 50, 0 from 50 to 75, 1 above"));
    }

    #[test]
    fn labels_are_escaped() {
        let row = IntervalRow {
            label: "<script>".into(),
            value: 50.0,
            bounds: None,
        };
        assert!(!intervals(&[row], "a\"b").contains("<script>"));
    }
}
