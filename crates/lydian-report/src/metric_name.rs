//! Names of metrics for people.

/// The name under which the scores of the unchanged source stand, everywhere.
pub const FLOOR: &str = "floor (copy)";

/// What the floor is, for captions and legends.
pub const FLOOR_MEANING: &str = "floor (copy): what the source text scores when nobody translates it";

/// Returns the name people use for a metric.
pub fn display_name(metric: &str) -> String {
    match metric {
        "chrf_plus_plus" => "chrF++".to_owned(),
        "chrf" => "chrF".to_owned(),
        "bleu" => "BLEU".to_owned(),
        "ter" => "TER (lower is better)".to_owned(),
        "exact_match_rate" => "exact match".to_owned(),
        "equivalent_match_rate" => "equivalent match".to_owned(),
        "fst_acceptance_rate" => "FST acceptance".to_owned(),
        "fst_reference_rate" => "FST acceptance of references".to_owned(),
        "code_switching_rate" => "code-switching (lower is better)".to_owned(),
        "hallucination_rate" => "hallucination (lower is better)".to_owned(),
        other => other.replace('_', " "),
    }
}

/// Returns the name without what it says about the direction.
pub fn short_name(metric: &str) -> String {
    let name = display_name(metric);
    name.split(" (").next().unwrap_or_default().to_owned()
}
