//! Tables as the Python module `tabulate` draws them for sacreBLEU: a grid of lines, or LaTeX.

/// A cell: its text, and its colour on a terminal.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// The text; line feeds make further lines.
    pub(super) text: String,
    /// An ANSI colour number for the lines given by position.
    pub(super) color: Option<(usize, u8)>,
}

impl Cell {
    /// Builds a cell without colour.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            color: None,
        }
    }

    /// Builds a cell whose line `line` has a colour.
    pub(super) fn colored(text: impl Into<String>, line: usize, color: u8) -> Self {
        Self {
            text: text.into(),
            color: Some((line, color)),
        }
    }

    fn lines(&self) -> Vec<&str> {
        self.text.split('\n').map(str::trim).collect()
    }
}

/// The yellow of baselines.
pub(super) const YELLOW: u8 = 33;
/// The red of p-values above 0.05.
pub(super) const RED: u8 = 31;
/// The cyan of column titles and intervals.
pub(super) const CYAN: u8 = 36;
/// The green of the words "null hypothesis".
pub(super) const GREEN: u8 = 32;

/// Returns the text in a colour, or as it is without one.
pub(super) fn paint(text: &str, color: Option<u8>) -> String {
    color.map_or_else(
        || text.to_owned(),
        |color| format!("\u{1b}[{color}m{text}\u{1b}[0m"),
    )
}

/// A column: its title and its cells.
pub(super) struct Column {
    /// The title.
    pub(super) title: String,
    /// The cells, one per row.
    pub(super) cells: Vec<Cell>,
}

impl Column {
    /// Rewrites numbers with the given number of decimals when all cells are numbers and some are not integers.
    fn unified(mut self, width: usize) -> Self {
        let is_int = |cell: &Cell| cell.text.parse::<i64>().is_ok();
        let number = |cell: &Cell| cell.text.parse::<f64>().ok().filter(|value| value.is_finite());
        if !self.cells.iter().all(is_int) && self.cells.iter().all(|cell| number(cell).is_some()) {
            for cell in &mut self.cells {
                if let Some(value) = number(cell) {
                    cell.text = format!("{value:.width$}");
                }
            }
        }
        self
    }

    fn width(&self) -> usize {
        let cells = self
            .cells
            .iter()
            .flat_map(Cell::lines)
            .map(|line| line.chars().count());
        cells.max().unwrap_or(0).max(self.title.chars().count() + 2)
    }
}

/// Pads a text to a width: to the right edge, or to the middle with the odd space behind it.
fn pad(text: &str, width: usize, align: Align, color: Option<u8>) -> String {
    let space = width.saturating_sub(text.chars().count());
    let left = match align {
        Align::Right => space,
        Align::Center => space / 2,
    };
    format!(
        "{}{}{}",
        " ".repeat(left),
        paint(text, color),
        " ".repeat(space - left)
    )
}

#[derive(Clone, Copy)]
enum Align {
    Right,
    Center,
}

fn align(column: usize) -> Align {
    if column == 0 { Align::Right } else { Align::Center }
}

/// Draws a grid with double lines around the titles.
pub(super) fn fancy(columns: Vec<Column>, decimals: usize) -> String {
    let columns: Vec<Column> = columns
        .into_iter()
        .map(|column| column.unified(decimals))
        .collect();
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let rule = |begin: &str, fill: &str, middle: &str, end: &str| {
        let cells: Vec<String> = widths.iter().map(|width| fill.repeat(width + 2)).collect();
        format!("{begin}{}{end}\n", cells.join(middle))
    };
    let mut table = rule("╒", "═", "╤", "╕");
    let titles: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(i, column)| format!(" {} ", pad(&column.title, widths[i], align(i), Some(CYAN))))
        .collect();
    table += &format!("│{}│\n", titles.join("│"));
    table += &rule("╞", "═", "╪", "╡");
    let rows = columns.first().map_or(0, |column| column.cells.len());
    for row in 0..rows {
        if row > 0 {
            table += &rule("├", "─", "┼", "┤");
        }
        let height = columns
            .iter()
            .map(|column| column.cells[row].lines().len())
            .max()
            .unwrap_or(1);
        for line in 0..height {
            let cells: Vec<String> = columns
                .iter()
                .enumerate()
                .map(|(i, column)| format!(" {} ", cell_line(&column.cells[row], line, widths[i], align(i))))
                .collect();
            table += &format!("│{}│\n", cells.join("│"));
        }
    }
    table + &rule("╘", "═", "╧", "╛")
}

fn cell_line(cell: &Cell, line: usize, width: usize, align: Align) -> String {
    let lines = cell.lines();
    let text = lines.get(line).copied().unwrap_or_default();
    let color = cell
        .color
        .and_then(|(colored, color)| (colored == line && !text.is_empty()).then_some(color));
    pad(text, width, align, color)
}

/// Draws a LaTeX table with booktabs rules.
pub(super) fn latex(columns: Vec<Column>, decimals: usize) -> String {
    let columns: Vec<Column> = columns
        .into_iter()
        .map(|column| column.unified(decimals))
        .collect();
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let mut table = format!(
        "\\begin{{tabular}}{{r{}}}\n\\toprule\n",
        "c".repeat(columns.len().max(1) - 1)
    );
    let row = |cells: Vec<String>| {
        let escaped: Vec<String> = cells
            .iter()
            .map(|cell| format!(" {} ", escape_latex(cell)))
            .collect();
        format!("{}\\\\\n", escaped.join("&"))
    };
    let titles = columns.iter().enumerate();
    table += &row(titles
        .map(|(i, c)| pad(&c.title, widths[i], align(i), Some(CYAN)))
        .collect());
    table += "\\midrule\n";
    for index in 0..columns.first().map_or(0, |column| column.cells.len()) {
        let cells = columns.iter().enumerate();
        table += &row(cells
            .map(|(i, c)| cell_line(&c.cells[index], 0, widths[i], align(i)))
            .collect());
    }
    table + "\\bottomrule\n\\end{tabular}\n"
}

fn escape_latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '^' => escaped.push_str("\\^{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '<' => escaped.push_str("\\ensuremath{<}"),
            '>' => escaped.push_str("\\ensuremath{>}"),
            _ => escaped.push(c),
        }
    }
    escaped
}
