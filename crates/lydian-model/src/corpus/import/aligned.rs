//! Line-aligned plain text as of Moses, FLORES and WMT: line n of one file translates line n of the other.

use std::io::{self, Read};

use serde_json::{Map, Value};

use super::lines::Lines;
use super::{ImportOptions, Intake};
use crate::LanguageTag;
use crate::corpus::read::{EnvelopeDefaults, Outline, Target};
use crate::diagnostic::Place;

/// Reads a source file and one or more files of references; further references become variants.
///
/// A line that is blank in every file is left out with a warning; ids are line numbers.
pub fn read<R: Read>(
    source: R,
    references: Vec<R>,
    options: &ImportOptions,
    target: &mut Target<'_>,
) -> io::Result<Option<Outline>> {
    let mut intake = Intake::new(options, target);
    let encoding = options.encoding.as_deref();
    let mut files: Vec<Lines<R>> = std::iter::once(source)
        .chain(references)
        .map(|file| Lines::new(file, encoding))
        .collect();
    let mut blank: Vec<u64> = Vec::new();
    let mut blank_count = 0_u64;
    for number in 1.. {
        let Some(texts) = next_lines(&mut files, &mut intake)? else {
            return Ok(None);
        };
        if texts.iter().all(Option::is_none) {
            break;
        }
        if texts.iter().any(Option::is_none) {
            report_lengths(&mut files, &texts, number, &mut intake)?;
            return Ok(None);
        }
        let texts: Vec<String> = texts.into_iter().flatten().collect();
        if texts.iter().all(|text| text.trim().is_empty()) {
            blank_count += 1;
            if blank.len() < 3 {
                blank.push(number);
            }
            continue;
        }
        intake.entry(fields(number, texts), number);
    }
    if let Some(first) = blank.first() {
        let message = format!(
            "{} blank in every file and left out",
            crate::counted(blank_count, "line is", "lines are")
        );
        intake.warning("blank_lines", Place::line(*first), (message, "remove them"));
    }
    for lines in &files {
        use sha2::Digest;
        intake.hasher.update(lines.hasher().finalize());
    }
    Ok(Some(intake.finish()))
}

fn fields(number: u64, texts: Vec<String>) -> Map<String, Value> {
    let mut texts = texts.into_iter();
    let mut object = Map::new();
    object.insert("id".to_owned(), number.into());
    for field in ["source", "reference"] {
        object.insert(field.to_owned(), texts.next().unwrap_or_default().into());
    }
    let variants: Vec<String> = texts.filter(|text| !text.trim().is_empty()).collect();
    if !variants.is_empty() {
        object.insert("variants".to_owned(), variants.into());
    }
    object
}

/// Returns the next line of every file, or `None` after reporting one that is no text.
fn next_lines<R: Read>(
    files: &mut [Lines<R>],
    intake: &mut Intake<'_, '_>,
) -> io::Result<Option<Vec<Option<String>>>> {
    let mut texts = Vec::with_capacity(files.len());
    for (index, lines) in files.iter_mut().enumerate() {
        let line = match lines.next() {
            Ok(line) => line.map(|(_, text)| text.to_owned()),
            Err(error) => {
                let mut diagnostic = lines.take_problem().ok_or(error)?.diagnostic();
                diagnostic.message = format!("{}: {}", role(index), diagnostic.message);
                intake.target.findings.push(diagnostic);
                return Ok(None);
            }
        };
        texts.push(line);
    }
    Ok(Some(texts))
}

fn role(index: usize) -> String {
    match index {
        0 => "source file".to_owned(),
        1 => "reference file".to_owned(),
        _ => format!("reference file {index}"),
    }
}

/// Counts the rest of the longer files and reports that the files do not belong together.
fn report_lengths<R: Read>(
    files: &mut [Lines<R>],
    texts: &[Option<String>],
    number: u64,
    intake: &mut Intake<'_, '_>,
) -> io::Result<()> {
    let mut counts = Vec::new();
    for (index, (lines, text)) in files.iter_mut().zip(texts).enumerate() {
        let mut count = number - u64::from(text.is_none());
        while text.is_some() && lines.next()?.is_some() {
            count += 1;
        }
        counts.push(format!("{} {count}", role(index)));
    }
    let message = format!("the files have different numbers of lines: {}", counts.join(", "));
    let fix = "align them again; lines end at LF and CRLF only, a text must not hold a line feed";
    intake.error("line_counts", Place::line(number), (message, fix));
    Ok(())
}

/// Returns the language that a file name's ending names: `corpus.en`, `dev.eng_Latn`, `newstest.de.txt`.
///
/// ```
/// use lydian_model::corpus::import::aligned::language_of_file;
/// assert_eq!(language_of_file("dev.eng_Latn").as_deref(), Some("eng-Latn"));
/// assert_eq!(language_of_file("notes.txt"), None);
/// ```
pub fn language_of_file(name: &str) -> Option<String> {
    name.split('.')
        .skip(1)
        .filter(|part| !["txt", "text", "raw", "tok", "src", "ref", "dev", "gz"].contains(part))
        .map(|part| part.replace('_', "-"))
        .filter(|part| LanguageTag::parse(part).is_ok())
        .last()
}

/// Returns envelope values completed by the languages that the two file names state.
pub fn with_languages_of_files(
    defaults: &EnvelopeDefaults,
    source: &str,
    reference: &str,
) -> EnvelopeDefaults {
    EnvelopeDefaults {
        source_language: defaults
            .source_language
            .clone()
            .or_else(|| language_of_file(source)),
        target_language: defaults
            .target_language
            .clone()
            .or_else(|| language_of_file(reference)),
        ..defaults.clone()
    }
}
