//! Options that state what a corpus file does not state itself.

use std::path::Path;

use clap::Args;
use lydian_model::calendar::is_date;
use lydian_model::corpus::read::{EnvelopeDefaults, ReadOptions};

/// Values of the `dataset` block for files that lack them; what a file states is never replaced.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "For files without a complete dataset block")]
pub(crate) struct EnvelopeArguments {
    /// Identifier of the dataset
    #[arg(long, value_name = "ID")]
    dataset_id: Option<String>,
    /// Its semantic version, such as 1.0.0
    #[arg(long, value_name = "VERSION")]
    dataset_version: Option<String>,
    /// Label of the language pair, such as EN→CRK
    #[arg(long, value_name = "LABEL")]
    language_pair: Option<String>,
    /// BCP 47 tag of the source language
    #[arg(long, value_name = "TAG")]
    source_language: Option<String>,
    /// BCP 47 tag of the target language
    #[arg(long, value_name = "TAG")]
    target_language: Option<String>,
    /// Date of creation, such as 2026-05-01
    #[arg(long, value_name = "DATE", value_parser = date)]
    created: Option<String>,
    /// SPDX licence expression, such as CC-BY-4.0
    #[arg(long, value_name = "SPDX")]
    license: Option<String>,
}

fn date(text: &str) -> Result<String, &'static str> {
    if is_date(text) {
        Ok(text.to_owned())
    } else {
        Err("expected a day of the calendar, such as 2026-05-01")
    }
}

impl EnvelopeArguments {
    /// Returns how to read the corpus file `path`.
    pub(crate) fn read_options(&self, path: &Path) -> ReadOptions {
        ReadOptions {
            file_name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
            defaults: EnvelopeDefaults {
                id: self.dataset_id.clone(),
                version: self.dataset_version.clone(),
                language_pair: self.language_pair.clone(),
                source_language: self.source_language.clone(),
                target_language: self.target_language.clone(),
                created: self.created.clone(),
                license: self.license.clone(),
            },
        }
    }
}
