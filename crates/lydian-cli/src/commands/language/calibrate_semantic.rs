//! `lydian language calibrate-semantic`: can a semantic scorer be believed for a language?

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use lydian_harness::journal::Journal;
use lydian_harness::semantic::{Comparison, ScorerFolder};
use lydian_language::{Card, SemanticCalibration};
use lydian_model::corpus::read::CorpusFile;
use lydian_model::predictions::read_predictions;
use lydian_model::{EntryId, Segment};
use lydian_scoring::calibration::{
    CalibrationEntry, CalibrationPair, CalibrationSubject, calibrate, chrf_plus_plus, pairs,
};
use serde::Serialize;

use super::pinned;
use crate::error::{CommandError, CommandResult, Exit};
use crate::execute::journal_error;
use crate::language_cards::CardsArguments;
use crate::output::Context;
use crate::progress::{self, Progress};
use crate::{documents, files, semantic};

/// Arguments of `lydian language calibrate-semantic`.
#[derive(Args)]
#[command(after_help = "\
Outputs of an honest system are compared with their own references and with those of other entries. The scorer is believed
when it tells the two apart with an AUC of at least 0.95 and at least as well as chrF++. Only entries of the development
segment are used. The verdict is written into the language card.

Examples:
  lydian language calibrate-semantic glg corpus.json --scorer scorers/e5 --run runs/apertium
  lydian language calibrate-semantic fao corpus.json --scorer scorers/e5 --predictions outputs.jsonl --dry-run --json")]
pub(crate) struct Arguments {
    /// BCP 47 tag of the target language
    tag: String,
    /// Corpus with the references
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,
    /// The scorer: its scorer.json or folder
    #[arg(long, value_name = "SCORER")]
    scorer: PathBuf,
    /// Run folder with outputs of an honest system
    #[arg(long, value_name = "DIR", conflicts_with = "predictions")]
    run: Option<PathBuf>,
    /// Outputs of an honest system: JSON Lines of {"id", "output"}
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
    /// Longest time for one answer of the scorer [default: 600]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: Option<u64>,
    /// Say that no entry is secret although the corpus names no segments
    #[arg(long, value_name = "NAME", value_parser = ["development"])]
    segment: Option<String>,
    /// Measure, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    cards: CardsArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Calibrated<'a> {
    schema: &'static str,
    language: &'a str,
    passes: bool,
    calibration: &'a SemanticCalibration,
    card: Option<PathBuf>,
}

/// Measures the scorer and writes the verdict.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    refuse_without_card(arguments)?;
    let scorer = semantic::read_scorer(&arguments.scorer)?;
    let corpus = documents::read_corpus_file(&arguments.corpus)?;
    let named: Vec<&String> = arguments.segment.iter().collect();
    semantic::refuse_to_send(&scorer, &corpus.corpus, &named)?;
    refuse_other_language(arguments, &corpus)?;
    let (outputs, origin) = outputs(arguments, &corpus)?;
    let entries = entries(&corpus, &outputs);
    let invalid = |error| CommandError::from_error(Exit::Usage, error);
    let pairs = pairs(&entries).map_err(invalid)?;
    let scores = scores(&scorer, &corpus, (&entries, &pairs), arguments.timeout, context)?;
    let subject = CalibrationSubject {
        scorer: scorer.identity.clone(),
        corpus_sha256: corpus.sha256.to_string(),
        outputs: origin,
    };
    let chrf = chrf_plus_plus(&entries, &pairs);
    let found = calibrate(subject, &pairs, &scores, &chrf).map_err(invalid)?;
    let card = if arguments.dry_run {
        None
    } else {
        Some(write(&found, arguments)?)
    };
    let calibrated = Calibrated {
        schema: "lydian.semantic-calibration/1",
        language: &arguments.tag,
        passes: found.passes(),
        calibration: &found,
        card,
    };
    if arguments.json {
        context.print_json(&calibrated)?;
    } else {
        context.print(&text(&calibrated, entries.len()))?;
    }
    Ok(Exit::Done)
}

/// A verdict is written into a card; one that held nothing else would be no card.
fn refuse_without_card(arguments: &Arguments) -> CommandResult<()> {
    let tag = &arguments.tag;
    let opened = arguments.cards.open(tag)?;
    if arguments.dry_run || opened.language.has_card {
        return Ok(());
    }
    let file = arguments
        .cards
        .folder_to_write()
        .join(&opened.language.card.language)
        .join("card.toml");
    Err(CommandError::new(
        Exit::Usage,
        format!("{tag} has no language card, which the verdict would be written into"),
    )
    .with_hint(format!(
        "make {} with schema, language, names and scripts first (docs/add-a-language.md), or measure with --dry-run",
        file.display()
    )))
}

fn refuse_other_language(arguments: &Arguments, corpus: &CorpusFile) -> CommandResult<()> {
    let (asked, stated) = (
        crate::language_cards::parse_tag(&arguments.tag)?,
        &corpus.corpus.dataset.target_language,
    );
    if crate::language_cards::parse_tag(stated)?.primary() == asked.primary() {
        return Ok(());
    }
    Err(CommandError::new(
        Exit::Usage,
        format!(
            "{} translates into {stated}, not into {}",
            arguments.corpus.display(),
            arguments.tag
        ),
    ))
}

/// Returns the outputs by entry, and whose they are.
fn outputs(arguments: &Arguments, corpus: &CorpusFile) -> CommandResult<(BTreeMap<EntryId, String>, String)> {
    if let Some(folder) = &arguments.run {
        let contents = Journal::read(folder).map_err(journal_error)?;
        if contents.setup.dataset.sha256 != corpus.sha256 {
            let message = format!(
                "{} is not the corpus of the run {}",
                arguments.corpus.display(),
                folder.display()
            );
            return Err(CommandError::new(Exit::InvalidDocument, message));
        }
        let texts = contents.predictions().into_iter();
        let texts = texts.map(|(id, prediction)| (id, prediction.scored_text().to_owned()));
        let origin = format!(
            "{} sha256:{}",
            contents.setup.method.method_id, contents.setup.method.method_sha256
        );
        return Ok((texts.collect(), origin));
    }
    if let Some(file) = &arguments.predictions {
        let reader = std::io::BufReader::new(files::open(file)?);
        let read = read_predictions(reader).map_err(|error| documents::invalid(file.display(), error))?;
        let origin = format!("predictions sha256:{}", read.sha256);
        let texts = read.lines.into_iter().map(|line| (line.id, line.output));
        return Ok((texts.collect(), origin));
    }
    let variants = corpus.corpus.entries.iter();
    let variants: BTreeMap<EntryId, String> = variants
        .filter_map(|entry| Some((entry.id.clone(), entry.variants.first()?.clone())))
        .collect();
    if variants.is_empty() {
        return Err(CommandError::new(
            Exit::Usage,
            "there is nothing to compare with the references: no entry lists variants",
        )
        .with_hint("give outputs of an honest system with --run DIR or --predictions FILE"));
    }
    Ok((variants, "variants of the corpus".to_owned()))
}

/// Returns the development entries that have an output with text.
fn entries(corpus: &CorpusFile, outputs: &BTreeMap<EntryId, String>) -> Vec<CalibrationEntry> {
    corpus
        .corpus
        .entries
        .iter()
        .filter(|entry| entry.segment_or_default() == Segment::Development)
        .filter_map(|entry| {
            let output = outputs.get(&entry.id).filter(|text| !text.trim().is_empty())?;
            Some(CalibrationEntry {
                source: entry.source.clone(),
                output: output.clone(),
                reference: entry.reference.clone(),
            })
        })
        .collect()
}

/// Asks the scorer about every pair; a pair without a score makes the calibration worthless.
fn scores(
    scorer: &ScorerFolder,
    corpus: &CorpusFile,
    (entries, pairs): (&[CalibrationEntry], &[CalibrationPair]),
    timeout: Option<u64>,
    context: &Context,
) -> CommandResult<Vec<f64>> {
    let comparisons: Vec<Comparison> = (0i64..)
        .zip(pairs)
        .map(|(number, pair)| Comparison {
            entry_id: EntryId::integer(number),
            source: entries[pair.output].source.clone(),
            output: entries[pair.output].output.clone(),
            reference: entries[pair.reference].reference.clone(),
        })
        .collect();
    let mut progress = Progress::start(context, "pairs", comparisons.len() as u64);
    let done = Cell::new(0);
    let runtime = tokio::runtime::Runtime::new()?;
    let work = async {
        let connected = semantic::connect(scorer, &corpus.corpus.dataset, None, timeout).await?;
        let mut scores = Vec::with_capacity(comparisons.len());
        for batch in comparisons.chunks(connected.batch_size().max(1)) {
            let found = connected.score(batch).await.map_err(semantic::scorer_error)?;
            for score in found {
                scores.push(score.map_err(|problem| {
                    CommandError::new(
                        Exit::Incomplete,
                        format!("the scorer has no score for a pair: {problem}"),
                    )
                })?);
            }
            done.set(scores.len() as u64);
        }
        connected.shut_down().await;
        Ok(scores)
    };
    let scored = runtime.block_on(progress::shown(work, || progress.set(done.get())));
    progress.finish();
    scored
}

/// Writes the calibration into the card, in place of an earlier one of the same scorer.
fn write(found: &SemanticCalibration, arguments: &Arguments) -> CommandResult<PathBuf> {
    let opened = arguments.cards.open(&arguments.tag)?;
    let mut card = opened.language.card.clone();
    card.semantic.retain(|known| known.scorer != found.scorer);
    card.semantic.push(found.clone());
    let place = pinned::place(&opened, &arguments.tag, &arguments.cards)?;
    let text = pinned::text(&card, opened.file.as_deref(), |text| {
        with_calibration(text, &card, found)
    })?;
    files::write_atomically(&place.card, text.as_bytes())?;
    Ok(place.card)
}

/// Replaces the scorer's table or adds one at the end; `None` if the result would not be this card.
fn with_calibration(text: &str, card: &Card, found: &SemanticCalibration) -> Option<String> {
    #[derive(Serialize)]
    struct Tables<'a> {
        semantic: [&'a SemanticCalibration; 1],
    }
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        if line.trim_start().starts_with('[') {
            blocks.push(Vec::new());
        }
        blocks.last_mut()?.push(line);
    }
    let scorer = format!("scorer = {}", toml::Value::String(found.scorer.clone()));
    blocks.retain(|block| block.first() != Some(&"[[semantic]]") || !block.contains(&scorer.as_str()));
    let kept: Vec<&str> = blocks.into_iter().flatten().collect();
    let table = toml::to_string(&Tables { semantic: [found] }).ok()?;
    let changed = format!("{}\n\n{table}", kept.join("\n").trim_end());
    Card::parse("card.toml", &changed)
        .ok()
        .filter(|read| read == card)
        .map(|_| changed)
}

fn text(calibrated: &Calibrated<'_>, entries: usize) -> String {
    let found = calibrated.calibration;
    let verdict = if calibrated.passes {
        "the scorer is believed for this language"
    } else {
        "the scorer stays outside the composite for this language"
    };
    let card = calibrated
        .card
        .as_deref()
        .map_or_else(String::new, |card: &Path| {
            format!("card           {}\n", card.display())
        });
    format!(
        "scorer         {}\nentries        {entries}, {} pairs\nAUC            {:.3} (needed: 0.95 and the {:.3} of chrF++)\nchance level   {:.3}\n\
         VALID          from {:.3}\nMISMATCH       below {:.3}\n{card}{verdict}\n",
        found.scorer,
        found.pairs,
        found.auc,
        found.chrf_plus_plus_auc,
        found.chance_level,
        found.valid_from,
        found.mismatch_below
    )
}

#[cfg(test)]
mod tests {
    use lydian_language::BuiltinCard;

    use super::*;

    fn calibration(auc: f64) -> SemanticCalibration {
        SemanticCalibration {
            scorer: "e5#1".into(),
            corpus_sha256: "c".into(),
            outputs: "o".into(),
            pairs: 160,
            auc,
            chrf_plus_plus_auc: 0.9,
            chance_level: 0.8,
            valid_from: 0.9,
            mismatch_below: 0.85,
        }
    }

    #[test]
    fn a_second_calibration_replaces_the_first_and_comments_stay() {
        let builtin = BuiltinCard::all().find(|card| card.folder() == "crk").unwrap();
        let mut text = String::from_utf8(builtin.file("card.toml").unwrap().to_vec()).unwrap();
        let comments = text.matches('#').count();
        for auc in [0.96, 0.99] {
            let mut card = builtin.card().unwrap();
            card.semantic = vec![calibration(auc)];
            text = with_calibration(&text, &card, &calibration(auc)).unwrap();
        }
        assert_eq!(text.matches("[[semantic]]").count(), 1);
        assert!(text.contains("auc = 0.99"));
        // The identity of the scorer holds one `#` of its own.
        assert_eq!(text.matches('#').count(), comments + 1);
    }
}
