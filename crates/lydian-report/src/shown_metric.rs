//! The metrics of a card in the order in which they are shown, each with its scale.

use lydian_model::Score;
use lydian_model::run_card::Scores;
use lydian_model::run_card::scores::Interval;

use crate::number;

/// How a metric is read from scores and shown.
#[derive(Clone, Copy, Debug)]
pub struct ShownMetric {
    /// Its name in documents.
    pub name: &'static str,
    value: fn(&Scores) -> Option<Score>,
    scale: Scale,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    /// 0–100.
    Points,
    /// 0–1, shown in per cent.
    Percent,
    /// As it is, with three decimals.
    Plain,
}

/// All metrics of a card, chrF++ first.
pub const SHOWN: [ShownMetric; 18] = [
    points("chrf_plus_plus", |scores| scores.chrf_plus_plus),
    points("chrf", |scores| scores.chrf),
    points("bleu", |scores| scores.bleu),
    points("ter", |scores| scores.ter),
    percent("exact_match_rate", |scores| scores.exact_match_rate),
    percent("equivalent_match_rate", |scores| scores.equivalent_match_rate),
    percent("fst_acceptance_rate", |scores| scores.fst_acceptance_rate),
    percent("fst_reference_rate", |scores| scores.fst_reference_rate),
    percent("morphological_accuracy", |scores| scores.morphological_accuracy),
    percent("semantic_score", |scores| scores.semantic_score),
    percent("code_switching_rate", |scores| scores.code_switching_rate),
    percent("hallucination_rate", |scores| scores.hallucination_rate),
    percent("terminology_adherence", |scores| scores.terminology_adherence),
    percent("orthographic_accuracy", |scores| scores.orthographic_accuracy),
    percent("consistency", |scores| scores.consistency),
    plain("length_ratio", |scores| scores.length_ratio),
    plain("composite", |scores| scores.composite),
    plain("cost_adjusted_score", |scores| scores.cost_adjusted_score),
];

const fn points(name: &'static str, value: fn(&Scores) -> Option<Score>) -> ShownMetric {
    ShownMetric {
        name,
        value,
        scale: Scale::Points,
    }
}

const fn percent(name: &'static str, value: fn(&Scores) -> Option<Score>) -> ShownMetric {
    ShownMetric {
        name,
        value,
        scale: Scale::Percent,
    }
}

const fn plain(name: &'static str, value: fn(&Scores) -> Option<Score>) -> ShownMetric {
    ShownMetric {
        name,
        value,
        scale: Scale::Plain,
    }
}

impl ShownMetric {
    /// Says whether the scores have a value.
    pub fn has_value(&self, scores: &Scores) -> bool {
        self.score(scores).is_some()
    }

    /// Returns the value in the scale of documents.
    pub fn score(&self, scores: &Scores) -> Option<Score> {
        (self.value)(scores)
    }

    /// Says whether a lower value is a better one.
    pub fn lower_is_better(&self) -> bool {
        ["ter", "code_switching_rate", "hallucination_rate"].contains(&self.name)
    }

    /// Says whether the value is a share, shown in per cent.
    pub fn is_share(&self) -> bool {
        self.scale == Scale::Percent
    }

    /// Returns the highest value there can be.
    pub fn most(&self) -> f64 {
        match self.name {
            "ter" | "length_ratio" => f64::INFINITY,
            _ if self.scale == Scale::Points => 100.0,
            _ => 1.0,
        }
    }

    /// Returns the value as text, or a dash.
    pub fn value(&self, scores: &Scores) -> String {
        let value = (self.value)(scores);
        match self.scale {
            Scale::Points => number::points(value),
            Scale::Percent => number::percent(value),
            Scale::Plain => number::share(value),
        }
    }

    /// Returns the interval as text: nothing where none is computed, a dash where there can be none.
    pub fn interval(&self, scores: &Scores) -> String {
        let interval: Option<&Interval> = scores.confidence_intervals.get(self.name);
        match self.scale {
            Scale::Points => number::interval_points(interval),
            Scale::Percent => number::interval_percent(interval),
            Scale::Plain => number::interval_share(interval, 3),
        }
    }

    /// Returns how the metric itself has been validated, in one word.
    pub fn validation(&self, scores: &Scores) -> String {
        scores
            .metric_availability
            .get(self.name)
            .and_then(|about| serde_json::to_value(about.validation).ok())
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}
