//! Rules that take combinations away or add some, checked against the axes so that a misspelt one cannot be lost.

use std::collections::BTreeMap;

use serde_json::Value;
use toml::Spanned;

use super::file::Table;
use super::problem::Problems;
use super::read::{json, no_json, span_of};
use super::{Included, Rule, SweepMethod, SweepPlan, same_value};

/// The condition that names methods.
const METHOD: &str = "method";

/// Reads `[[exclude]]`.
pub(super) fn exclude(
    tables: &[Spanned<Table>],
    methods: &[SweepMethod],
    problems: &mut Problems<'_>,
) -> Vec<Rule> {
    tables
        .iter()
        .map(|table| one_exclude(table, methods, problems))
        .collect()
}

fn one_exclude(table: &Spanned<Table>, methods: &[SweepMethod], problems: &mut Problems<'_>) -> Rule {
    let mut rule = Rule {
        methods: Vec::new(),
        values: BTreeMap::new(),
    };
    if table.get_ref().is_empty() {
        problems.note(
            &table.span(),
            "exclude",
            "has no condition and would exclude everything",
        );
    }
    for (name, spanned) in table.get_ref() {
        let Some(values) = listed(spanned.get_ref()) else {
            no_json(name, spanned, "exclude", problems);
            continue;
        };
        if name.get_ref() == METHOD {
            rule.methods = named_methods(&values, spanned, methods, problems);
        } else {
            check_values(name, spanned, &values, methods, problems);
            rule.values.insert(name.get_ref().clone(), values);
        }
    }
    rule
}

fn named_methods(
    values: &[Value],
    spanned: &Spanned<toml::Value>,
    methods: &[SweepMethod],
    problems: &mut Problems<'_>,
) -> Vec<String> {
    let mut ids = Vec::new();
    for value in values {
        match value
            .as_str()
            .filter(|id| methods.iter().any(|method| method.id == *id))
        {
            Some(id) => ids.push(id.to_owned()),
            None => problems.note(
                &spanned.span(),
                "exclude.method",
                format!("there is no method {value} in this plan"),
            ),
        }
    }
    ids
}

fn check_values(
    name: &Spanned<String>,
    spanned: &Spanned<toml::Value>,
    values: &[Value],
    methods: &[SweepMethod],
    problems: &mut Problems<'_>,
) {
    let key = format!("exclude.{}", name.get_ref());
    let of_axis: Vec<&Value> = methods
        .iter()
        .flat_map(|method| &method.axes)
        .filter(|axis| axis.name == *name.get_ref())
        .flat_map(|axis| &axis.values)
        .collect();
    if of_axis.is_empty() {
        problems.note(&name.span(), key, "is no axis of this plan");
        return;
    }
    for value in values {
        if !of_axis.iter().any(|known| same_value(known, value)) {
            let problem = format!("{value} is no value of this axis, so the rule excludes nothing");
            problems.note(&spanned.span(), &key, problem);
        }
    }
}

/// Returns the place of the first rule after which no run is left.
pub(super) fn of_the_last_run(plan: &SweepPlan) -> usize {
    let left_by = |rules: usize| {
        let fewer = SweepPlan {
            exclude: plan.exclude[..rules].to_vec(),
            ..plan.clone()
        };
        !fewer.combinations().is_empty()
    };
    (0..plan.exclude.len())
        .take_while(|place| left_by(place + 1))
        .count()
}

/// Reads `[[include]]`.
pub(super) fn include(
    tables: &[Spanned<Table>],
    methods: &[SweepMethod],
    problems: &mut Problems<'_>,
) -> Vec<Included> {
    tables
        .iter()
        .filter_map(|table| one_include(table, methods, problems))
        .collect()
}

fn one_include(
    table: &Spanned<Table>,
    methods: &[SweepMethod],
    problems: &mut Problems<'_>,
) -> Option<Included> {
    let mut method = None;
    let mut coordinates = BTreeMap::new();
    for (name, spanned) in table.get_ref() {
        let value = json(spanned.get_ref());
        match (name.get_ref().as_str(), value) {
            (METHOD, Some(Value::String(id))) => {
                method = methods.iter().position(|one| one.id == id);
                if method.is_none() {
                    let problem = format!("there is no method {id:?} in this plan");
                    problems.note(&spanned.span(), "include.method", problem);
                    return None;
                }
            }
            ("seed", _) => {
                let problem = "seeds are given once for the sweep: seeds = [1, 2, 3]";
                problems.note(&name.span(), "include.seed", problem);
            }
            (parameter, Some(value)) if parameter != METHOD => {
                coordinates.insert(parameter.to_owned(), value);
            }
            _ => no_json(name, spanned, "include", problems),
        }
    }
    let Some(method) = method else {
        problems.note(
            &span_of(table),
            "include.method",
            "an included run must name its method",
        );
        return None;
    };
    let fixed = &methods.get(method)?.parameters;
    for name in table.get_ref().keys() {
        if fixed.contains_key(name.get_ref()) {
            let problem = "is a fixed parameter of this method";
            problems.note(&name.span(), format!("include.{}", name.get_ref()), problem);
        }
    }
    Some(Included { method, coordinates })
}

/// Returns a value or a list of values as a list.
fn listed(value: &toml::Value) -> Option<Vec<Value>> {
    match value {
        toml::Value::Array(items) => items.iter().map(json).collect(),
        single => json(single).map(|value| vec![value]),
    }
}
