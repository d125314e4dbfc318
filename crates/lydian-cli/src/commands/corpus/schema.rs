//! `lydian corpus schema`: the JSON Schema of corpora.

use lydian_model::Corpus;

use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Prints the schema.
pub(crate) fn run(context: &Context) -> CommandResult {
    context.print_json(&schemars::schema_for!(Corpus))?;
    Ok(Exit::Done)
}
