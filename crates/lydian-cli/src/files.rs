//! Reading and writing files with errors that name the file and the next step.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use lydian_harness::finite_file;
use lydian_model::quotation::curly_mark;

use crate::error::{CommandError, CommandResult, Exit};

/// Opens a file for reading; a missing file or a folder is a usage error that says what is there instead.
pub(crate) fn open(path: &Path) -> CommandResult<File> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    match file.metadata() {
        Ok(metadata) if metadata.is_dir() => Err(folder_instead(path)),
        Ok(_) => Ok(file),
        Err(error) => Err(unreadable(path, error)),
    }
}

/// Returns the bytes of a file. A device, which may never end, is refused before it fills the memory.
pub(crate) fn read(path: &Path) -> CommandResult<Vec<u8>> {
    finite_file::read_open(open(path)?).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge => {
            CommandError::new(Exit::Usage, format!("{}: {error}", path.display()))
        }
        _ => unreadable(path, error),
    })
}

/// Writes a file so that a reader sees the old or the new content, never a part: aside, synced, then renamed.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> CommandResult<()> {
    write_aside(path, bytes, Readers::Ordinary)
}

/// Writes a file like [`write_atomically`], readable by its owner alone.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> CommandResult<()> {
    write_aside(path, bytes, Readers::Owner)
}

/// Who may read a written file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    /// Whom the user's mask allows.
    Ordinary,
    /// Nobody but its owner.
    Owner,
}

fn write_aside(path: &Path, bytes: &[u8], readers: Readers) -> CommandResult<()> {
    // A link keeps pointing where it does, and what is no file, such as /dev/stdout or a pipe, is written to.
    let target = fs::canonicalize(path);
    let target = target.as_deref().unwrap_or(path);
    let failed =
        |error: io::Error| CommandError::from(error).context(format!("cannot write {}", path.display()));
    if fs::metadata(target).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        let mut device = fs::OpenOptions::new().write(true).open(target).map_err(failed)?;
        return device.write_all(bytes).map_err(failed);
    }
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let write = || -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".lydian-");
        // Temporary files are private by default; a card is an ordinary file, as the user's mask allows.
        #[cfg(unix)]
        if readers == Readers::Ordinary {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let mut aside = builder.tempfile_in(folder)?;
        aside.as_file_mut().write_all(bytes)?;
        aside.as_file().sync_all()?;
        aside.persist(target).map_err(|error| error.error)?;
        // The rename itself survives a power cut only when the folder is synced too.
        File::open(folder)?.sync_all()
    };
    write().map_err(|error| {
        failed(without_aside(error))
            .with_hint("the file is as it was; check free space and permissions of the folder")
    })
}

/// Returns the error alone where it came with the name of a temporary file, which nobody asked for. The name is in its
/// text only.
pub(crate) fn without_aside(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.rsplit_once(" at path \"") {
        Some((cause, _)) => io::Error::new(error.kind(), cause.to_owned()),
        None => error,
    }
}

/// Writes files into a folder that is empty or does not exist: all of them, or nothing.
pub(crate) fn write_folder(folder: &Path, content: &[(PathBuf, String)]) -> CommandResult<()> {
    if folder.exists() && !folder.is_dir() {
        return Err(CommandError::new(
            Exit::Usage,
            format!("{} is a file, expected a folder to make", folder.display()),
        )
        .with_hint("name a folder that does not exist; nothing is overwritten"));
    }
    if fs::read_dir(folder).is_ok_and(|mut items| items.next().is_some()) {
        return Err(CommandError::new(
            Exit::Usage,
            format!("{} exists and is not empty", folder.display()),
        )
        .with_hint("name another folder; nothing is overwritten"));
    }
    let mut made = Made::default();
    for (path, text) in content {
        let inside = path
            .components()
            .all(|component| matches!(component, Component::Normal(_)));
        assert!(inside, "{} leaves the folder", path.display());
        let path = folder.join(path);
        let written = match path.parent() {
            Some(parent) => made.folder(parent),
            None => Ok(()),
        }
        .and_then(|()| made.file(&path, text.as_bytes()));
        if let Err(error) = written {
            made.undo();
            return Err(error.with_hint("nothing was made; check free space and permissions of the folder"));
        }
    }
    Ok(())
}

/// Files and folders in the order in which they were made.
#[derive(Default)]
struct Made {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Made {
    fn folder(&mut self, path: &Path) -> CommandResult<()> {
        let missing: Vec<&Path> = path
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder).map_err(|error| {
                CommandError::from(error).context(format!("cannot make {}", folder.display()))
            })?;
            self.folders.push(folder.to_owned());
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, bytes: &[u8]) -> CommandResult<()> {
        write_atomically(path, bytes)?;
        self.files.push(path.to_owned());
        Ok(())
    }

    /// Takes away what was made, and nothing else: a folder in which something new lies stays.
    fn undo(self) {
        for file in &self.files {
            drop(fs::remove_file(file));
        }
        for folder in self.folders.iter().rev() {
            drop(fs::remove_dir(folder));
        }
    }
}

/// Returns what to say of a file in JSON or TOML that could not be read because of the quotation marks of a word processor.
pub(crate) fn curly_hint(path: &Path) -> Option<String> {
    let bytes = read(path).ok()?;
    let (line, mark) = curly_mark(&String::from_utf8_lossy(&bytes))?;
    Some(format!(
        "in line {line} of {} the curly quotation mark {mark} stands where a straight one belongs: replace such marks with \"; \
         plain text editors write it, word processors do not",
        path.display()
    ))
}

/// Returns a path as it can be pasted into a shell.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |character: char| character.is_ascii_alphanumeric() || "/._-+:=@%".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn unreadable(path: &Path, error: io::Error) -> CommandError {
    let missing = error.kind() == io::ErrorKind::NotFound;
    let refused =
        CommandError::from_error(Exit::Usage, error).context(format!("cannot read {}", path.display()));
    match similar_name(path).filter(|_| missing) {
        Some(similar) => refused.with_hint(format!("did you mean {}?", similar.display())),
        None => refused,
    }
}

/// Returns the error of a folder where a file belongs, with the file in it that was probably meant.
fn folder_instead(path: &Path) -> CommandError {
    let message = format!("{}: is a folder, expected a file", path.display());
    let error = CommandError::new(Exit::Usage, message);
    let usual = ["corpus.json", "items.json", "method.json", "run-card.json"];
    match usual
        .iter()
        .map(|name| path.join(name))
        .find(|file| file.is_file())
    {
        Some(file) => error.with_hint(format!("did you mean {}?", file.display())),
        None => error,
    }
}

/// Returns the path beside it whose name is spelt almost like this one.
pub(crate) fn similar_name(path: &Path) -> Option<PathBuf> {
    let wanted = path.file_name()?.to_string_lossy().into_owned();
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::read_dir(folder)
        .ok()?
        .filter_map(Result::ok)
        .take(10_000)
        .map(|found| {
            (
                strsim::jaro_winkler(&wanted, &found.file_name().to_string_lossy()),
                found.path(),
            )
        })
        .filter(|(similarity, _)| *similarity > 0.85)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, path)| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("card.json");
        write_atomically(&path, b"old").unwrap();
        let inside_a_file = path.join("new.json");
        assert!(write_atomically(&inside_a_file, b"new").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_error_names_the_file_that_was_asked_for_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_atomically(&folder.path().join("none/card.json"), b"new").unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("none/card.json") && !said.contains(".lydian-"),
            "{said}"
        );
        assert_eq!(
            said.matches(&*folder.path().to_string_lossy()).count(),
            1,
            "{said}"
        );
    }

    #[test]
    fn a_folder_in_use_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x"), "old").unwrap();
        let error = write_folder(folder.path(), &[("x".into(), "new".into())]).unwrap_err();
        assert_eq!(error.exit(), Exit::Usage);
        assert_eq!(fs::read_to_string(folder.path().join("x")).unwrap(), "old");
        let error = write_folder(&folder.path().join("x"), &[]).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("x is a file, expected a folder to make"),
            "{error}"
        );
    }

    #[test]
    fn a_folder_that_cannot_be_filled_is_not_left_half_full() {
        let parent = tempfile::tempdir().unwrap();
        let content = [
            ("a".into(), "1".into()),
            ("b/c".into(), "2".into()),
            // A file stands where this needs a folder.
            ("a/d".into(), "3".into()),
        ];
        write_folder(&parent.path().join("new/inner"), &content).unwrap_err();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
        let empty = parent.path().join("empty");
        fs::create_dir(&empty).unwrap();
        write_folder(&empty, &content).unwrap_err();
        assert_eq!(fs::read_dir(&empty).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("card.json"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

        let null = folder.path().join("null");
        std::os::unix::fs::symlink("/dev/null", &null).unwrap();
        write_atomically(&null, b"gone").unwrap();
        assert!(read(Path::new("/dev/null")).is_err(), "it is a device still");
        assert!(write_atomically(Path::new("/dev/full"), b"no").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        write_private(&path, b"secret").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_folder_is_not_read_as_a_file() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read(folder.path()).unwrap_err().exit(), Exit::Usage);
        std::fs::write(folder.path().join("corpus.json"), "{}").unwrap();
        let error = read(folder.path()).unwrap_err();
        let hint = error.hint().unwrap();
        assert!(
            hint.starts_with("did you mean ") && hint.ends_with("corpus.json?"),
            "{hint}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_device_that_never_ends_is_not_read() {
        let refused = read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(refused.exit(), Exit::Usage);
        assert!(refused.to_string().contains("a device"), "{refused}");
    }

    #[test]
    fn a_path_with_a_space_is_quoted_for_a_shell() {
        assert_eq!(quoted(Path::new("runs/a-b")), "runs/a-b");
        assert_eq!(quoted(Path::new("mein Lauf's")), "'mein Lauf'\\''s'");
    }

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("corpus.json"), "{}").unwrap();
        let found = similar_name(&folder.path().join("corpsu.json")).unwrap();
        assert_eq!(found.file_name().unwrap(), "corpus.json");
    }
}
