//! `lydian method schema`: the JSON Schema of method manifests.

use lydian_model::MethodManifest;

use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Prints the schema.
pub(crate) fn run(context: &Context) -> CommandResult {
    context.print_json(&schemars::schema_for!(MethodManifest))?;
    Ok(Exit::Done)
}
