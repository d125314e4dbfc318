//! `lydian card schema`: the JSON Schema of run cards.

use lydian_model::RunCard;

use crate::error::{CommandResult, Exit};
use crate::output::Context;

/// Prints the schema.
pub(crate) fn run(context: &Context) -> CommandResult {
    context.print_json(&schemars::schema_for!(RunCard))?;
    Ok(Exit::Done)
}
