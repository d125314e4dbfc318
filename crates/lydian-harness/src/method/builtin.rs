//! The methods that need no manifest of their own.

use lydian_model::method::{Access, Dependency, DependencyKind, EntryPoint};
use lydian_model::{MethodClass, MethodManifest};

use super::MethodError;
use super::apertium;

/// Forms of a method's name, for messages.
pub const FORMS: &str = "copy, replay, apertium:MODE, command:\"PROGRAM ARGUMENTS\", a folder with method.json, or a manifest file";

/// Returns the manifest of a method that goes by a name, `None` if the name can only be a path.
pub(super) fn manifest(name: &str) -> Result<Option<MethodManifest>, MethodError> {
    let (kind, argument) = name.split_once(':').unwrap_or((name, ""));
    match (kind, argument) {
        ("copy", "") => Ok(Some(copy())),
        ("replay", "") => Ok(Some(replay())),
        ("apertium", mode) => apertium::manifest(mode).map(Some),
        ("command", line) => command(line).map(Some),
        _ => Ok(None),
    }
}

fn copy() -> MethodManifest {
    MethodManifest {
        description: Some("Gives back the source: the floor every method must beat.".into()),
        ..bare("copy", "Copy of the source", EntryPoint::Copy {})
    }
}

/// Nothing is known of the system behind a bare file of outputs, so no rights to it are claimed.
fn replay() -> MethodManifest {
    let entry_point = EntryPoint::Replay {
        predictions: None,
        engine: None,
    };
    MethodManifest {
        dependencies: vec![Dependency {
            notes: Some("the system that made the outputs is not declared; a manifest can declare it".into()),
            ..undeclared("recorded-output", DependencyKind::Data)
        }],
        ..bare("replay", "Recorded output", entry_point)
    }
}

/// Nothing is known of an arbitrary program, so no rights to it are claimed.
fn command(line: &str) -> Result<MethodManifest, MethodError> {
    let words = shlex::split(line).filter(|words| !words.is_empty());
    let Some(command) = words else {
        return Err(MethodError::Field {
            method_id: "command".into(),
            problem: format!("{line:?} names no program, or a quotation mark is missing"),
        });
    };
    let program = command[0].clone();
    Ok(MethodManifest {
        dependencies: vec![Dependency {
            notes: Some("licence and rights are not declared; a manifest can declare them".into()),
            ..undeclared(&program, DependencyKind::Software)
        }],
        ..bare(
            "command",
            &format!("Command {line}"),
            EntryPoint::Command { command },
        )
    })
}

pub(super) fn bare(method_id: &str, name: &str, entry_point: EntryPoint) -> MethodManifest {
    MethodManifest {
        name: name.to_owned(),
        method_id: method_id.to_owned(),
        version: None,
        description: None,
        class: MethodClass::CustomPlugin,
        entry_point,
        supported_pairs: Vec::new(),
        dependency_class: None,
        dependencies: Vec::new(),
        condition: None,
        parameters: serde_json::Map::new(),
    }
}

fn undeclared(id: &str, kind: DependencyKind) -> Dependency {
    Dependency {
        id: id.to_owned(),
        kind,
        license: "none".into(),
        access: Access::Bundled,
        source: None,
        pin: None,
        substitutable: None,
        redistributable: Some(false),
        transferable: Some(false),
        notes: None,
    }
}
