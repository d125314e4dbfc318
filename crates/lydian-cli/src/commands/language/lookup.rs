//! `lydian language lookup`: the words on standard input in an analyser.

use std::fmt::Write;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use clap::Args;
use lydian_hfstol::{Lookup, Transducer};

use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Output is handed on in pieces of this size.
const PIECE: usize = 1 << 16;

/// Arguments of `lydian language lookup`.
#[derive(Args)]
#[command(after_help = "Examples:
  echo niwâpamâw | lydian language lookup crk-strict-analyzer.hfstol
  lydian language lookup se.zhfst < words.txt

Words are looked up exactly as they stand, one a line. Each analysis is a line `word TAB analysis TAB
weight`; a word without one is `word TAB +?`. An empty line follows each word.")]
pub(crate) struct Arguments {
    /// A .hfstol file or .zhfst archive
    file: PathBuf,
}

/// Prints the analyses of each word.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let transducer = open(&arguments.file)?;
    let mut searcher = transducer.searcher();
    let mut text = String::new();
    for word in std::io::stdin().lock().lines() {
        let word = word.map_err(|error| {
            CommandError::from_error(Exit::Usage, error).context("cannot read words from standard input")
        })?;
        append(&mut text, &word, &searcher.lookup(&word));
        if text.len() >= PIECE {
            context.print(&text)?;
            text.clear();
        }
    }
    context.print(&text)?;
    Ok(Exit::Done)
}

/// Reads a transducer, or the acceptor of a speller archive.
fn open(file: &Path) -> CommandResult<Transducer<Vec<u8>>> {
    let bytes = files::read(file)?;
    let acceptor = |bytes: Vec<u8>| {
        if lydian_hfstol::is_archive(&bytes) {
            lydian_hfstol::acceptor(&bytes)
        } else {
            Ok(bytes)
        }
    };
    acceptor(bytes)
        .and_then(Transducer::new)
        .map_err(|error| CommandError::new(Exit::InvalidDocument, format!("{}: {error}", file.display())))
}

fn append(text: &mut String, word: &str, found: &Lookup) {
    for analysis in &found.analyses {
        // Writing to a string cannot fail.
        let _written = writeln!(text, "{word}\t{}\t{:.6}", analysis.text(), analysis.weight());
    }
    if found.analyses.is_empty() {
        let _written = writeln!(text, "{word}\t+?");
    }
    text.push('\n');
}
