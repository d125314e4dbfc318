//! Warnings about texts whose score means less than it seems.

use lydian_metrics::text::is_space;
use lydian_report::number::{agreeing, counted};
use unicode_normalization::{is_nfc, is_nfd};

use super::arguments::{Arguments, MetricName};
use super::input::{Input, Lines};
use crate::output::Context;

/// Prints the warnings that apply.
pub(super) fn warn(input: &Input, arguments: &Arguments, context: &Context) {
    for stream in input.systems.iter().chain(&input.references) {
        control_characters(stream, context);
    }
    unicode_forms(input, context);
    format_characters(input, context);
    empty_references(input, arguments, context);
    tokenized(input, arguments, context);
    source_copies(input, context);
    few_segments(input, arguments, context);
    if arguments.ter.ter_asian_support && !arguments.ter.ter_normalized && !arguments.ter.ter_no_punct {
        context.warning("--ter-asian-support does nothing without --ter-normalized or --ter-no-punct");
    }
}

/// Returns the number of the first line that has the property, and how many have it.
fn first_and_count(stream: &Lines, property: impl Fn(&str) -> bool) -> Option<(usize, usize)> {
    let mut hits = stream
        .all()
        .into_iter()
        .enumerate()
        .filter(|(_, line)| property(line));
    let (first, _) = hits.next()?;
    Some((first + 1, 1 + hits.count()))
}

fn control_characters(stream: &Lines, context: &Context) {
    let is_control = |c: char| c.is_control() && c != '\t';
    if let Some((line, count)) = first_and_count(stream, |line| line.contains(is_control)) {
        let text = stream.all()[line - 1];
        let character = text.chars().find(|&c| is_control(c)).unwrap_or_default();
        context.warning(&format!(
            "{}: line {line} holds the control character U+{:04X} ({}); lines end at line feeds only",
            stream.name,
            u32::from(character),
            counted(count as u64, "such line", "such lines")
        ));
    }
}

/// Composed and decomposed forms of a letter never match.
fn unicode_forms(input: &Input, context: &Context) {
    let streams = || input.systems.iter().chain(&input.references);
    let find = |property: fn(&str) -> bool| {
        streams().find_map(|stream| {
            first_and_count(stream, property).map(|(line, _)| format!("{} line {line}", stream.name))
        })
    };
    let composed = find(|line| !line.is_ascii() && is_nfc(line) && !is_nfd(line));
    let decomposed = find(|line| !line.is_ascii() && !is_nfc(line) && is_nfd(line));
    if let (Some(composed), Some(decomposed)) = (composed, decomposed) {
        context.warning(&format!(
            "composed letters (NFC, {composed}) and decomposed ones (NFD, {decomposed}) never match; \
             bring all files to one form"
        ));
    }
}

/// Returns whether a character is invisible and changes how others are shown (general category Cf).
fn is_format(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn format_characters(input: &Input, context: &Context) {
    for stream in input.systems.iter().chain(&input.references) {
        if let Some((line, count)) = first_and_count(stream, |line| line.contains(is_format)) {
            context.warning(&format!(
                "{}: {} invisible format characters, the first is line {line}; they count as characters when \
                 texts are compared",
                stream.name,
                counted(count as u64, "line holds", "lines hold")
            ));
        }
    }
}

fn empty_references(input: &Input, arguments: &Arguments, context: &Context) {
    if !arguments.metrics.metrics.contains(&MetricName::Chrf) {
        return;
    }
    for reference in &input.references {
        for system in &input.systems {
            let (ours, theirs) = (system.all(), reference.all());
            let mut hits = ours
                .iter()
                .zip(&theirs)
                .enumerate()
                .filter(|(_, (hypothesis, reference))| {
                    reference.trim_matches(is_space).is_empty()
                        && !hypothesis.trim_matches(is_space).is_empty()
                });
            if let Some((segment, _)) = hits.next() {
                context.warning(&format!(
                    "{}: line {} is empty where {} has text ({}); chrF cannot see what it says",
                    reference.name,
                    segment + 1,
                    system.name,
                    counted(1 + hits.count() as u64, "such line", "such lines")
                ));
            }
        }
    }
}

/// Texts that end in a space and a full stop look as if tokens had been separated already.
fn tokenized(input: &Input, arguments: &Arguments, context: &Context) {
    if arguments.bleu.force || !arguments.metrics.metrics.contains(&MetricName::Bleu) {
        return;
    }
    for system in &input.systems {
        let count = system.all().iter().filter(|line| line.ends_with(" .")).count();
        if count >= 100 {
            context.warning(&format!(
                "{}: {count} lines end in a separate full stop, as if the text were tokenized; BLEU expects \
                 plain text (--force silences this)",
                system.name
            ));
        }
    }
}

fn source_copies(input: &Input, context: &Context) {
    let Some(source) = &input.source else { return };
    for system in &input.systems {
        let (ours, sources) = (system.all(), source.all());
        let copies = ours
            .iter()
            .zip(&sources)
            .filter(|(a, b)| a == b && !a.is_empty())
            .count();
        // More than one in twenty.
        if copies * 20 > ours.len() {
            context.warning(&format!(
                "{}: {copies} of {} {} the source; {} may not be translated at all",
                system.name,
                counted(ours.len() as u64, "segment", "segments"),
                agreeing(copies as u64, "repeats", "repeat"),
                agreeing(copies as u64, "it", "they")
            ));
        }
    }
}

fn few_segments(input: &Input, arguments: &Arguments, context: &Context) {
    let tests = &arguments.tests;
    let segments = input.systems.first().map_or(0, Lines::len);
    if segments < 30 && (tests.confidence || tests.paired_ar || tests.paired_bs) {
        context.warning(&format!(
            "few segments ({segments}): intervals and tests are rough below 30"
        ));
    }
}
