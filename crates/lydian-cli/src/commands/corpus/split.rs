//! `lydian corpus split`: one file per segment and a public manifest.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use lydian_model::Sha256Hex;
use lydian_model::corpus::split::{CommitmentKey, Manifest, Part, Shares, Split, split};
use lydian_report::number;

use super::import::{canonical_file, refuse_existing};
use super::input::{Input, InputArguments};
use crate::error::{CommandError, CommandResult, Exit};
use crate::files;
use crate::output::Context;

/// Folder of the secret files inside the output folder.
const SECRET_FOLDER: &str = "secret";
/// Name of the manifest.
const MANIFEST_FILE: &str = "manifest.json";

/// Arguments of `lydian corpus split`.
#[derive(Args)]
#[command(after_help = "Examples:
  lydian corpus split corpus.json --seed 7 --new-key custodian.key --out split
  lydian corpus split corpus.json --seed 7 --key custodian.key --gold 25 --held-out 15 --out split

Writes split/<id>-development.json, split/manifest.json and, for the custodians alone, split/secret/. The same corpus,
seed, shares and key give the same files. Entries that share a source or a reference stay together; entries that are
diagnostic or secret already stay where they are.")]
pub(crate) struct Arguments {
    /// Corpus file
    file: PathBuf,
    /// Folder to write into
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Number that decides which entry goes where; keep it with the manifest
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Per cent of the entries for `gold_standard`
    #[arg(long, default_value_t = Shares::default().gold_percent, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..100))]
    gold: u32,
    /// Per cent of the entries for `held_out`
    #[arg(long, default_value_t = Shares::default().held_out_percent, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..100))]
    held_out: u32,
    /// File with the custodians' key: 64 hexadecimal digits
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "new_key",
        required_unless_present = "new_key"
    )]
    key: Option<PathBuf>,
    /// File to write a new random key to
    #[arg(long, value_name = "FILE")]
    new_key: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Print the manifest as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: InputArguments,
}

/// Splits and writes.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let input = Input::new(&arguments.input, std::slice::from_ref(&arguments.file))?;
    let file = input.read()?;
    let shares = Shares {
        gold_percent: arguments.gold,
        held_out_percent: arguments.held_out,
    };
    let Split { mut parts, remarks } = split(&file.corpus, arguments.seed, shares).map_err(|error| {
        CommandError::from_error(Exit::InvalidDocument, error)
            .context(input.name())
            .with_hint("add entries, or change --gold and --held-out; nothing was written")
    })?;
    for remark in &remarks {
        context.warning(remark);
    }
    let key = key(arguments)?;
    for part in &mut parts {
        part.mark(&key);
    }
    let manifest = write(arguments, (&parts, &key), (&file.corpus.dataset, file.sha256))?;
    if arguments.json {
        context.print_json(&manifest)?;
        return Ok(Exit::Done);
    }
    for line in &manifest.files {
        let folder = if line.secret {
            format!("{SECRET_FOLDER}/")
        } else {
            String::new()
        };
        context.print(&format!(
            "{folder}{}: {}, sha256 {}\n",
            line.file,
            number::entries(line.entries),
            line.sha256
        ))?;
    }
    context.note("the key opens the commitments: give it to the custodians and keep it off shared machines");
    Ok(Exit::Done)
}

fn key(arguments: &Arguments) -> CommandResult<CommitmentKey> {
    if let Some(path) = &arguments.key {
        let text = String::from_utf8_lossy(&files::read(path)?).into_owned();
        return CommitmentKey::parse(&text).ok_or_else(|| {
            CommandError::new(
                Exit::Usage,
                format!("{}: is not a key of 64 hexadecimal digits", path.display()),
            )
            .with_hint("make one with --new-key FILE")
        });
    }
    let path = arguments.new_key.as_deref().unwrap_or(Path::new("split.key"));
    // Replacing a key would make older commitments impossible to open, so --force does not do it.
    refuse_existing(path, false)
        .map_err(|error| error.with_hint("use it with --key, or choose another name"))?;
    let random: Vec<u8> = (0..4).flat_map(|_| uuid::Uuid::new_v4().into_bytes()).collect();
    let digits = Sha256Hex::of(&random).to_string();
    files::write_private(path, format!("{digits}\n").as_bytes())?;
    CommitmentKey::parse(&digits).ok_or_else(|| CommandError::new(Exit::Internal, "the new key is malformed"))
}

fn write(
    arguments: &Arguments,
    (parts, key): (&[Part], &CommitmentKey),
    (whole, sha256): (&lydian_model::Dataset, Sha256Hex),
) -> CommandResult<Manifest> {
    let secret_folder = arguments.out.join(SECRET_FOLDER);
    let mut writes: Vec<(PathBuf, Vec<u8>, bool)> = Vec::new();
    let mut lines = Vec::new();
    for part in parts {
        let name = format!("{}.json", part.corpus.dataset.id.replace(['/', '\\'], "_"));
        let bytes = canonical_file(&part.corpus)?;
        lines.push(part.describe(&name, &bytes, Some(key)));
        let secret = part.segment.is_secret();
        let folder = if secret { &secret_folder } else { &arguments.out };
        writes.push((folder.join(name), bytes, secret));
    }
    let manifest = Manifest::new(whole, sha256, arguments.seed, lines);
    let mut bytes = serde_json::to_vec_pretty(&manifest).map_err(std::io::Error::from)?;
    bytes.push(b'\n');
    writes.push((arguments.out.join(MANIFEST_FILE), bytes, false));
    for (path, ..) in &writes {
        refuse_existing(path, arguments.force)?;
    }
    create_folder(&arguments.out)?;
    create_folder(&secret_folder)?;
    make_private(&secret_folder)?;
    // Version control must not pick the secret files up by mistake.
    files::write_atomically(&secret_folder.join(".gitignore"), b"*\n")?;
    for (path, bytes, secret) in &writes {
        if *secret {
            files::write_private(path, bytes)?;
        } else {
            files::write_atomically(path, bytes)?;
        }
    }
    Ok(manifest)
}

fn create_folder(path: &Path) -> CommandResult<()> {
    fs::create_dir_all(path)
        .map_err(|error| CommandError::from(error).context(format!("cannot create {}", path.display())))
}

#[cfg(unix)]
fn make_private(path: &Path) -> CommandResult<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
        .map_err(|error| CommandError::from(error).context(format!("cannot protect {}", path.display())))
}

#[cfg(not(unix))]
fn make_private(_: &Path) -> CommandResult<()> {
    Ok(())
}
