//! `lydian method check`: what a method needs, and which class follows from it.

use std::path::Path;

use clap::Args;
use lydian_harness::method::{Method, MethodError};
use lydian_model::method::{Access, Dependency, DependencyKind};
use lydian_model::run_setup::MethodIdentity;
use lydian_model::{DependencyClass, MethodClass, Sha256Hex};
use serde::Serialize;

use crate::error::{CommandResult, Exit};
use crate::output::Context;
use crate::plan::method_error;

/// Arguments of `lydian method check`.
#[derive(Args)]
#[command(after_help = "\
The class says whether a method can be run in isolation and handed over: S self-contained, O open and pinned,
A1 inference that any compatible endpoint can serve, A2 any other external service, X closed. A method has the most
restrictive class of its dependencies. Exit code 3 means that the declared class differs or that none follows.

Examples:
  lydian method check examples/por-glg
  lydian method check my-method/method.json --json")]
pub(crate) struct Arguments {
    /// Method folder, manifest, or a name such as copy
    #[arg(value_name = "METHOD")]
    method: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Checked<'a> {
    schema: &'static str,
    method_id: &'a str,
    name: &'a str,
    method_class: MethodClass,
    declared: Option<DependencyClass>,
    derived: Option<DependencyClass>,
    method_sha256: Option<&'a Sha256Hex>,
    problem: Option<String>,
    dependencies: Vec<CheckedDependency<'a>>,
}

#[derive(Serialize)]
struct CheckedDependency<'a> {
    id: &'a str,
    class: Option<DependencyClass>,
    reason: String,
}

/// Checks the method.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let method = Method::find(&arguments.method, Path::new(".")).map_err(method_error)?;
    let identity = method.identity();
    let checked = checked(&method, &identity);
    if arguments.json {
        context.print_json(&checked)?;
    } else {
        context.print(&text(&checked))?;
    }
    match identity {
        Ok(_) => Ok(Exit::Done),
        Err(_) if arguments.json => Ok(Exit::InvalidDocument),
        Err(error) => Err(method_error(error)),
    }
}

fn checked<'a>(method: &'a Method, identity: &'a Result<MethodIdentity, MethodError>) -> Checked<'a> {
    let manifest = &method.manifest;
    let dependencies = manifest.dependencies.iter();
    Checked {
        schema: "lydian.method-check/1",
        method_id: &manifest.method_id,
        name: &manifest.name,
        method_class: manifest.class,
        declared: manifest.dependency_class,
        derived: manifest.derived_dependency_class().ok(),
        method_sha256: identity.as_ref().ok().map(|identity| &identity.method_sha256),
        problem: identity.as_ref().err().map(ToString::to_string),
        dependencies: dependencies
            .map(|dependency| CheckedDependency {
                id: &dependency.id,
                class: dependency.class().ok(),
                reason: reason(dependency),
            })
            .collect(),
    }
}

/// Says in words which rule gave a dependency its class.
fn reason(dependency: &Dependency) -> String {
    let class = match dependency.class() {
        Ok(class) => class,
        Err(error) => return error.to_string(),
    };
    match (class, dependency.access) {
        (DependencyClass::S, _) => "bundled, with rights to redistribute and to transfer".into(),
        (DependencyClass::X, _) => "bundled without rights to redistribute and to transfer".into(),
        (DependencyClass::O, _) => {
            let pin = dependency.pin.as_deref().unwrap_or_default();
            format!("mirrored under {}, pinned to {pin}", dependency.license)
        }
        (DependencyClass::A1, Access::Gateway) => "a model behind the evaluator's gateway".into(),
        (DependencyClass::A1, _) => "a model that any compatible endpoint can serve".into(),
        (DependencyClass::A2, _) if dependency.kind == DependencyKind::Model => {
            "an external model that is not declared substitutable".into()
        }
        (DependencyClass::A2, _) => "an external service that is not a model".into(),
    }
}

fn text(checked: &Checked<'_>) -> String {
    let name = |class: Option<DependencyClass>| class.map_or("–", DependencyClass::name);
    let mut text = format!(
        "{} ({}, {})\n\ndeclared class   {}\nderived class    {}\n",
        checked.name,
        checked.method_id,
        checked.method_class.name(),
        name(checked.declared),
        name(checked.derived)
    );
    if let Some(digest) = checked.method_sha256 {
        text.push_str(&format!("method sha256    {digest}\n"));
    }
    text.push('\n');
    if checked.dependencies.is_empty() {
        text.push_str("It needs nothing, so it is self-contained.\n");
    }
    for dependency in &checked.dependencies {
        let class = name(dependency.class);
        text.push_str(&format!("{class:<3} {}: {}\n", dependency.id, dependency.reason));
    }
    text
}
