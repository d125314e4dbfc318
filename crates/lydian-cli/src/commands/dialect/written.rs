//! The formats in which dialect results are written, and where to.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lydian_report::dialect::Format;

use crate::dialect_run::WIDTH;
use crate::error::CommandResult;
use crate::files;
use crate::output::Context;

/// How and where a result is written.
#[derive(Args, Clone, Debug)]
pub(super) struct Written {
    /// How the result is written
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        conflicts_with = "json"
    )]
    format: FormatName,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// File to write instead of standard output
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The formats by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// Text for a terminal
    #[default]
    Text,
    /// Markdown tables
    Markdown,
    /// LaTeX tables for booktabs
    Latex,
    /// One row per dialect and measure
    Csv,
    /// One offline page with every item
    Html,
}

impl Written {
    /// Writes a result: `json` for `--json`, else what `render` makes of the format.
    pub(super) fn write<T: serde::Serialize>(
        &self,
        context: &Context,
        document: &T,
        render: impl Fn(Format) -> String,
    ) -> CommandResult<()> {
        if self.json && self.out.is_none() {
            return context.print_json(document);
        }
        let text = if self.json {
            let pretty = serde_json::to_string_pretty(document).map_err(std::io::Error::from)?;
            format!("{pretty}\n")
        } else {
            render(self.format.into())
        };
        match &self.out {
            Some(path) => {
                files::write_atomically(path, text.as_bytes())?;
                context.print(&format!("{}\n", path.display()))
            }
            None if self.format == FormatName::Text => context.print(&text),
            None => context.print_data(&text),
        }
    }
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Text => Self::Terminal(WIDTH),
            FormatName::Markdown => Self::Markdown,
            FormatName::Latex => Self::Latex,
            FormatName::Csv => Self::Csv,
            FormatName::Html => Self::Html,
        }
    }
}
