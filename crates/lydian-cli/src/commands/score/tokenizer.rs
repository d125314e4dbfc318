//! Which tokenizer BLEU uses, and where the model of a `SentencePiece` one comes from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lydian_metrics::bleu::Tokenizer;
use lydian_metrics::sentencepiece::SentencePiece;
use sha2::{Digest, Sha256};

use super::arguments::BleuArguments;
use super::settings::Environment;
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;

/// sacreBLEU's names of SentencePiece models, and the files it keeps them in.
const MODELS: [(&str, &str); 3] = [
    ("flores101", "sacrebleu_tokenizer_spm.model"),
    ("flores200", "flores200sacrebleuspm"),
    ("spBLEU-1K", "spbleu-1k_tokenizer_spm.model"),
];

/// Returns the tokenizer that the options or the target language ask for.
pub(super) fn choose(
    arguments: &BleuArguments,
    target: Option<&str>,
    environment: &Environment,
) -> CommandResult<Tokenizer> {
    let by_language = match target {
        Some("zh") => "zh",
        Some("ja") => "ja-mecab",
        Some("ko") => "ko-mecab",
        _ => "13a",
    };
    let name = arguments.tokenize.as_deref().unwrap_or(by_language);
    let model = arguments.spm_model.as_deref();
    if name == "spm" || MODELS.iter().any(|(known, _)| *known == name) {
        return sentence_piece(name, model, environment.sacrebleu.as_deref());
    }
    if model.is_some() {
        return Err(CommandError::new(
            Exit::Usage,
            format!("--spm-model does not go with the tokenizer {name}"),
        )
        .with_hint("add `--tokenize spm`, or the name of the model: flores101, flores200 or spBLEU-1K"));
    }
    if let Ok(tokenizer) = name.parse() {
        return Ok(tokenizer);
    }
    Err(match name {
        "ja-mecab" | "ko-mecab" => CommandError::new(
            Exit::Usage,
            format!("the tokenizer {name} needs MeCab and its dictionary, which lydian does not have"),
        )
        .with_hint(
            "use `--tokenize char`, or chrF (`-m chrf`), which needs no tokenizer; cut the text with MeCab \
             yourself and use `--tokenize none` if the number must be comparable",
        ),
        _ => CommandError::new(Exit::Usage, format!("unknown tokenizer {name:?}")).with_hint(
            "none, 13a, intl, char, zh, or with --spm-model: spm, flores101, flores200, spBLEU-1K",
        ),
    })
}

/// Reads the model named by the user, or the one sacreBLEU downloaded.
fn sentence_piece(name: &str, given: Option<&Path>, sacrebleu: Option<&Path>) -> CommandResult<Tokenizer> {
    // Without a file of one's own, `spm` is sacreBLEU's old name of flores101.
    let published = if name == "spm" && given.is_none() {
        "flores101"
    } else {
        name
    };
    let path: PathBuf = match given {
        Some(path) => path.to_owned(),
        None => downloaded(published, sacrebleu)?,
    };
    let bytes = files::read(&path)?;
    let name = if published == "spm" {
        // A model without a published name is told apart by its contents.
        let hash = Sha256::digest(&bytes);
        format!("spm-{:02x}{:02x}{:02x}{:02x}", hash[0], hash[1], hash[2], hash[3])
    } else {
        published.to_owned()
    };
    let model = SentencePiece::from_bytes(name, &bytes).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error)
            .context(path.display().to_string())
            .with_hint("give the .model file that the trainer of SentencePiece wrote")
    })?;
    Ok(Tokenizer::SentencePiece(Arc::new(model)))
}

fn downloaded(name: &str, sacrebleu: Option<&Path>) -> CommandResult<PathBuf> {
    let file = MODELS
        .iter()
        .find_map(|(known, file)| (*known == name).then_some(*file))
        .unwrap_or_default();
    let place = sacrebleu.map(|folder| folder.join("models").join(file));
    match place {
        Some(path) if path.is_file() => Ok(path),
        place => {
            let looked =
                place.map_or_else(String::new, |path| format!("; {} does not exist", path.display()));
            Err(CommandError::new(
                Exit::Usage,
                format!("the tokenizer {name} needs its SentencePiece model, and lydian does not download{looked}"),
            )
            .with_hint(
                "name the file with --spm-model, or let `sacrebleu --tokenize` with the same name download it once",
            ))
        }
    }
}
