//! `lydian explain`: what exit codes, outcomes and caveats mean.

use clap::Args;

use crate::error::{CommandError, CommandResult, Exit};
use crate::output::Context;

/// Arguments of `lydian explain`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  lydian explain 5\n  lydian explain source_copy\n  lydian explain   (lists everything)"
)]
pub(crate) struct Arguments {
    /// Exit code, outcome, caveat, note or verification level; without one, all are listed
    code: Option<String>,
}

const TOPICS: [(&str, &str); 32] = [
    (
        "0",
        "exit code: done, whatever the score; a low score is not a failure",
    ),
    (
        "1",
        "exit code: a fault of the program or the machine, such as a full disk",
    ),
    (
        "2",
        "exit code: wrong arguments or configuration; nothing was run",
    ),
    (
        "3",
        "exit code: an invalid corpus, card or other document, a changed card, or a refused comparison",
    ),
    (
        "4",
        "exit code: the provider refused the key; no further calls were made",
    ),
    (
        "5",
        "exit code: the card is written, but some entries have no answer; `lydian resume` asks for them again",
    ),
    (
        "6",
        "exit code: the budget is used up; the card is partial; raise the budget and `lydian resume`",
    ),
    (
        "7",
        "exit code: the provider is unavailable or a quota is used up; `lydian resume` later",
    ),
    (
        "10",
        "exit code: a gate is not met: a reproduction differs by more than 2 %",
    ),
    (
        "130",
        "exit code: interrupted; everything answered so far is kept, `lydian resume` continues",
    ),
    ("ok", "outcome: a complete answer; its text is scored"),
    (
        "truncated",
        "outcome: the provider stopped at a length limit; the text it gave is scored",
    ),
    ("empty", "outcome: an answer without text; scored as empty text"),
    (
        "filtered",
        "outcome: withheld by a content filter; scored as empty text",
    ),
    (
        "refused",
        "outcome: the provider's own refusal signal; scored as empty text",
    ),
    (
        "unparsable",
        "outcome: no translation for the entry could be read from the answer; scored as empty text",
    ),
    (
        "failed",
        "outcome: no answer because of network, provider, crash or time-out; scored as empty text, counted in errors",
    ),
    (
        "near_constant_output",
        "caveat: fewer than half as many distinct outputs as distinct references (10 entries or more); withholds the tier",
    ),
    (
        "source_copy",
        "caveat: a tenth or more of the entries repeat the source while the reference does not; withholds the tier",
    ),
    (
        "length_inflation",
        "caveat: outputs are on average more than 1.5 times as long as the references; withholds the tier",
    ),
    (
        "length_deflation",
        "caveat: outputs are on average less than 0.6 times as long as the references; withholds the tier",
    ),
    (
        "test_leak",
        "caveat: evaluated entries stand in the prompt, examples or coaching data; withholds the tier",
    ),
    (
        "incomplete",
        "caveat: some entries have no answer (coverage below 1); withholds the tier, the card cannot be published",
    ),
    (
        "thin_metrics",
        "note: metrics with less than half of the composite's weight were available",
    ),
    (
        "analyser_in_loop",
        "note: the method used the same analyser that scores it",
    ),
    ("withheld", "tier: a caveat applies, so no quality label is given"),
    ("unscored", "tier: there is no composite"),
    (
        "claimable_tier",
        "the label that may be claimed: at most functional until speakers have confirmed the output",
    ),
    (
        "self_benchmarked",
        "verification level: the developer ran the evaluation and submitted the card",
    ),
    (
        "gds_verified",
        "verification level: maintainers ran the method again and found the same",
    ),
    (
        "community_validated",
        "verification level: the language's governance organisation ran it on its secret set and speakers confirmed it",
    ),
    (
        "fingerprint",
        "identity of the experimental setup: the SHA-256 of eight components; equal fingerprints, comparable runs",
    ),
];

/// Prints the explanation.
pub(crate) fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let Some(code) = &arguments.code else {
        let all: String = TOPICS
            .iter()
            .map(|(name, text)| format!("{name:<22}{text}\n"))
            .collect();
        context.print(&all)?;
        return Ok(Exit::Done);
    };
    let wanted = code.to_lowercase().replace([' ', '-'], "_");
    if let Some((name, text)) = TOPICS.iter().find(|(name, _)| *name == wanted) {
        context.print(&format!("{name}: {text}\n"))?;
        return Ok(Exit::Done);
    }
    let similar = TOPICS
        .iter()
        .map(|(name, _)| (strsim::jaro_winkler(&wanted, name), *name))
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .filter(|(similarity, _)| *similarity > 0.7);
    let error = CommandError::new(Exit::Usage, format!("nothing is called {code:?}"));
    Err(match similar {
        Some((_, name)) => error.with_hint(format!("did you mean {name}? `lydian explain` lists everything")),
        None => error.with_hint("`lydian explain` lists everything"),
    })
}
