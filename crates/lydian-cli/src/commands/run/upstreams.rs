//! Whether one system answered: a router that spreads a run over several upstream providers mixes several systems.

use std::collections::BTreeMap;

use lydian_harness::journal::Contents;

/// Returns the sentence to warn with when the accepted answers came from more than one upstream provider or more than
/// one resolved model.
pub(super) fn mixed(contents: &Contents) -> Option<String> {
    let served = || {
        contents
            .answers
            .values()
            .filter_map(|answer| answer.served.as_ref())
    };
    let providers = counted(served().filter_map(|served| served.provider.as_deref()));
    let models = counted(served().filter_map(|served| served.model_id.as_deref()));
    let (what, found) = if providers.len() > 1 {
        ("upstream providers", providers)
    } else if models.len() > 1 {
        ("models", models)
    } else {
        return None;
    };
    let shares: Vec<_> = found
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    Some(format!(
        "the answers came from {} {what} ({}): the card measures their mixture",
        found.len(),
        shares.join(", ")
    ))
}

fn counted<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts
}
