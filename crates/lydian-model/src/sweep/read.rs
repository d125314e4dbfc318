//! Reading a plan: every problem at once, each with its line and key.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Value;
use toml::Spanned;

use super::expand::{MOST_RUNS, axis_rank};
use super::file::{File, Method, Table};
use super::problem::{PlanProblem, Problems, of_syntax};
use super::{Axis, DecidingMetric, EndpointPlan, Role, SCHEMA, SweepMethod, SweepPlan, rules, same_value};
use crate::{Domain, Finite, NanoUsd, Segment};

impl SweepPlan {
    /// Reads a plan in TOML.
    ///
    /// ```
    /// use lydian_model::sweep::SweepPlan;
    /// let plan = SweepPlan::read(
    ///     r#"
    ///     schema = "lydian/sweep@1"
    ///     name = "first"
    ///     corpus = "corpus.json"
    ///     [axes]
    ///     model = ["a", "b"]
    ///     temperature = [0.0, 0.7]
    ///     [[method]]
    ///     id = "naive"
    ///     method = "naive"
    ///     "#,
    /// )
    /// .unwrap();
    /// assert_eq!(plan.combinations().len(), 4);
    /// ```
    pub fn read(text: &str) -> Result<Self, Vec<PlanProblem>> {
        let file: File = toml::from_str(text).map_err(|error| vec![of_syntax(text, &error)])?;
        let mut problems = Problems::of(text);
        let plan = plan(&file, &mut problems);
        let found = problems.into_list();
        if found.is_empty() { Ok(plan) } else { Err(found) }
    }
}

fn plan(file: &File, problems: &mut Problems<'_>) -> SweepPlan {
    if file.schema.get_ref() != SCHEMA {
        let problem = format!("{:?} is not known; known is {SCHEMA:?}", file.schema.get_ref());
        problems.note(&file.schema.span(), "schema", problem);
    }
    if !is_name(file.name.get_ref()) {
        let problem = "must be 1 to 64 letters, digits, - _ . and not begin with a dot: it names a folder";
        problems.note(&file.name.span(), "name", problem);
    }
    if file.corpus.get_ref().trim().is_empty() {
        problems.note(&file.corpus.span(), "corpus", "names no file");
    }
    let shared = axes(&file.axes, "axes", problems);
    let methods = methods(file, &shared, problems);
    let read = SweepPlan {
        name: file.name.get_ref().clone(),
        corpus: file.corpus.get_ref().clone(),
        segments: segments(file, problems),
        domains: domains(file, problems),
        limit: above_zero(file.limit.as_ref(), "limit", problems),
        metric: metric(file, problems),
        seeds: seeds(file, problems),
        budget: budget(file, problems),
        allow_unpriced: file.allow_unpriced,
        endpoint: endpoint(file, problems),
        exclude: rules::exclude(&file.exclude, &methods, problems),
        include: rules::include(&file.include, &methods, problems),
        methods,
    };
    if read.size().is_none_or(|runs| runs > MOST_RUNS) {
        let problem = format!("the axes make more than {MOST_RUNS} runs");
        problems.note(&file.name.span(), "axes", problem);
    } else if problems.is_empty() && read.combinations().is_empty() {
        let rule = rules::of_the_last_run(&read);
        let span = file.exclude.get(rule).map_or(file.name.span(), span_of);
        let problem = "leaves no run: the rules down to this one exclude every combination of the axes";
        problems.note(&span, "exclude", problem);
    }
    read
}

fn methods(file: &File, shared: &[Axis], problems: &mut Problems<'_>) -> Vec<SweepMethod> {
    if file.methods.is_empty() {
        problems.note(
            &file.name.span(),
            "method",
            "a sweep needs at least one [[method]]",
        );
    }
    let mut ids = BTreeSet::new();
    let mut list = Vec::new();
    for spanned in &file.methods {
        let method = spanned.get_ref();
        let id = method.id.get_ref();
        if !is_name(id) {
            let problem = "must be 1 to 64 letters, digits, - _ . and not begin with a dot";
            problems.note(&method.id.span(), "method.id", problem);
        }
        if !ids.insert(id.clone()) {
            problems.note(
                &method.id.span(),
                "method.id",
                format!("{id:?} names two methods"),
            );
        }
        if method.path.get_ref().trim().is_empty() {
            problems.note(&method.path.span(), "method.method", "names no method");
        }
        list.push(one_method(method, shared, problems));
    }
    list
}

fn one_method(method: &Method, shared: &[Axis], problems: &mut Problems<'_>) -> SweepMethod {
    let own = axes(&method.axes, "method.axes", problems);
    let mut all: Vec<Axis> = if method.shared_axes {
        let not_replaced = |axis: &&Axis| !own.iter().any(|one| one.name == axis.name);
        shared.iter().filter(not_replaced).cloned().collect()
    } else {
        Vec::new()
    };
    all.extend(own);
    all.sort_by_key(|axis| axis_rank(&axis.name));
    for (name, value) in &method.parameters {
        reserved(name, "method.parameters", problems);
        if all.iter().any(|axis| axis.name == *name.get_ref()) {
            let problem = "is an axis of this method too; a parameter is either fixed or varied";
            problems.note(
                &name.span(),
                format!("method.parameters.{}", name.get_ref()),
                problem,
            );
        }
        if json(value.get_ref()).is_none() {
            no_json(name, value, "method.parameters", problems);
        }
    }
    SweepMethod {
        id: method.id.get_ref().clone(),
        method: method.path.get_ref().clone(),
        predictions: method.predictions.clone(),
        role: role(method, problems),
        axes: all,
        parameters: method
            .parameters
            .iter()
            .filter_map(|(name, value)| Some((name.get_ref().clone(), json(value.get_ref())?)))
            .collect(),
        repeated: method.shared_axes,
    }
}

fn role(method: &Method, problems: &mut Problems<'_>) -> Role {
    match &method.role {
        None => Role::Baseline,
        Some(role) => match role.get_ref().as_str() {
            "baseline" => Role::Baseline,
            "under_test" => Role::UnderTest,
            other => {
                let problem = format!("{other:?} is no role; roles are \"baseline\" and \"under_test\"");
                problems.note(&role.span(), "method.role", problem);
                Role::Baseline
            }
        },
    }
}

/// Reads a table of axes: lists of at least one value, each once.
fn axes(table: &Table, of: &str, problems: &mut Problems<'_>) -> Vec<Axis> {
    let mut list = Vec::new();
    for (name, spanned) in table {
        let key = format!("{of}.{}", name.get_ref());
        reserved(name, of, problems);
        let toml::Value::Array(items) = spanned.get_ref() else {
            problems.note(&spanned.span(), key, "must be a list of values");
            continue;
        };
        if items.is_empty() {
            problems.note(
                &spanned.span(),
                &key,
                "has no value; leave the axis out, or give it one",
            );
        }
        let mut values: Vec<Value> = Vec::new();
        for item in items {
            let Some(value) = json(item) else {
                no_json(name, spanned, of, problems);
                continue;
            };
            if values.iter().any(|known| same_value(known, &value)) {
                problems.note(&spanned.span(), &key, format!("has the value {value} twice"));
                continue;
            }
            values.push(value);
        }
        list.push(Axis {
            name: name.get_ref().clone(),
            values,
        });
    }
    list
}

fn reserved(name: &Spanned<String>, of: &str, problems: &mut Problems<'_>) {
    let problem = match name.get_ref().as_str() {
        "seed" => "seeds are given once for the sweep: seeds = [1, 2, 3]",
        "method" => "methods are varied by [[method]]",
        "" => "an axis needs a name",
        _ => return,
    };
    problems.note(&name.span(), format!("{of}.{}", name.get_ref()), problem);
}

pub(super) fn no_json(
    name: &Spanned<String>,
    value: &Spanned<toml::Value>,
    of: &str,
    problems: &mut Problems<'_>,
) {
    problems.note(
        &value.span(),
        format!("{of}.{}", name.get_ref()),
        "must be text, a finite number, true, false, a list or a table",
    );
}

/// Returns a TOML value as JSON; dates and numbers that are not finite have none.
pub(super) fn json(value: &toml::Value) -> Option<Value> {
    Some(match value {
        toml::Value::String(text) => Value::from(text.as_str()),
        toml::Value::Integer(number) => Value::from(*number),
        toml::Value::Float(number) => Value::from(Finite::new(*number)?.get()),
        toml::Value::Boolean(truth) => Value::from(*truth),
        toml::Value::Datetime(_) => return None,
        toml::Value::Array(items) => Value::Array(items.iter().map(json).collect::<Option<_>>()?),
        toml::Value::Table(table) => Value::Object(
            table
                .iter()
                .map(|(name, value)| Some((name.clone(), json(value)?)))
                .collect::<Option<_>>()?,
        ),
    })
}

fn segments(file: &File, problems: &mut Problems<'_>) -> Vec<Segment> {
    let mut list = Vec::new();
    for name in &file.segments {
        match Segment::from_name(name.get_ref()) {
            Some(segment) if segment.is_secret() => problems.note(
                &name.span(),
                "segments",
                format!(
                    "{} is secret and is run by the governance organisation's node alone",
                    segment.name()
                ),
            ),
            Some(segment) => list.push(segment),
            None => problems.note(
                &name.span(),
                "segments",
                format!("there is no segment {:?}", name.get_ref()),
            ),
        }
    }
    list
}

fn domains(file: &File, problems: &mut Problems<'_>) -> Vec<Domain> {
    let mut list = Vec::new();
    for code in &file.domains {
        match Domain::from_code(code.get_ref()) {
            Some(domain) => list.push(domain),
            None => problems.note(
                &code.span(),
                "domains",
                format!("there is no domain {:?}", code.get_ref()),
            ),
        }
    }
    list
}

fn metric(file: &File, problems: &mut Problems<'_>) -> DecidingMetric {
    let Some(metric) = &file.metric else {
        return DecidingMetric::default();
    };
    match metric.get_ref().as_str() {
        "chrf_plus_plus" => DecidingMetric::ChrfPlusPlus,
        "composite" => DecidingMetric::Composite,
        other => {
            let problem = format!("{other:?} decides nothing; \"chrf_plus_plus\" or \"composite\" does");
            problems.note(&metric.span(), "metric", problem);
            DecidingMetric::default()
        }
    }
}

fn seeds(file: &File, problems: &mut Problems<'_>) -> Vec<u32> {
    match (&file.seeds, &file.repeats) {
        (Some(_), Some(repeats)) => {
            problems.note(&repeats.span(), "repeats", "give seeds or repeats, not both");
            Vec::new()
        }
        (Some(seeds), None) => {
            let mut known = BTreeSet::new();
            for seed in seeds.get_ref() {
                if !known.insert(*seed.get_ref()) {
                    let problem = format!("has {} twice", seed.get_ref());
                    problems.note(&seed.span(), "seeds", problem);
                }
            }
            seeds.get_ref().iter().map(|seed| *seed.get_ref()).collect()
        }
        (None, Some(repeats)) => match above_zero(Some(repeats), "repeats", problems) {
            Some(1) | None => Vec::new(),
            Some(count) if count as usize > MOST_RUNS => {
                problems.note(&repeats.span(), "repeats", format!("must be at most {MOST_RUNS}"));
                Vec::new()
            }
            Some(count) => (1..=count).collect(),
        },
        (None, None) => Vec::new(),
    }
}

fn budget(file: &File, problems: &mut Problems<'_>) -> Option<NanoUsd> {
    let spanned = file.budget_usd.as_ref()?;
    let amount = NanoUsd::from_dollars(*spanned.get_ref()).filter(|amount| *amount > NanoUsd::ZERO);
    if amount.is_none() {
        problems.note(
            &spanned.span(),
            "budget_usd",
            "must be above 0 and below 9 million",
        );
    }
    amount
}

fn endpoint(file: &File, problems: &mut Problems<'_>) -> EndpointPlan {
    let given = &file.endpoint;
    let rate = given.requests_per_minute.as_ref().and_then(|spanned| {
        let rate = *spanned.get_ref();
        let fits = rate.is_finite() && rate > 0.0;
        if !fits {
            problems.note(&spanned.span(), "endpoint.requests_per_minute", "must be above 0");
        }
        fits.then_some(rate)
    });
    let concurrency = above_zero(given.concurrency.as_ref(), "endpoint.concurrency", problems);
    if let (Some(4097..), Some(spanned)) = (concurrency, &given.concurrency) {
        problems.note(&spanned.span(), "endpoint.concurrency", "must be at most 4096");
    }
    let key = given.key.as_ref().map(|spanned| {
        let key = spanned.get_ref();
        if !key.starts_with("env:") && !key.starts_with("file:") {
            // The text may be the key itself, so it is not shown.
            let problem = "must say where the key is, env:NAME or file:PATH, and never be the key itself";
            problems.note(&spanned.span(), "endpoint.key", problem);
        }
        key.clone()
    });
    let base_url = given.base_url.as_ref().map(|spanned| {
        let url = spanned.get_ref();
        let authority = url.split_once("://").map_or("", |(_, rest)| rest);
        if authority
            .split(['/', '?', '#'])
            .next()
            .is_some_and(|host| host.contains('@'))
        {
            let problem = "must not hold a user name or password; name the key with endpoint.key";
            problems.note(&spanned.span(), "endpoint.base_url", problem);
        }
        url.clone()
    });
    EndpointPlan {
        base_url,
        key,
        concurrency,
        requests_per_minute: rate,
        prices: given.prices.clone(),
        cache: given.cache.clone(),
        patience_seconds: above_zero(
            given.patience_seconds.as_ref(),
            "endpoint.patience_seconds",
            problems,
        ),
    }
}

fn above_zero<T: Copy + Default + PartialEq>(
    number: Option<&Spanned<T>>,
    key: &str,
    problems: &mut Problems<'_>,
) -> Option<T> {
    let spanned = number?;
    if *spanned.get_ref() == T::default() {
        problems.note(&spanned.span(), key, "must be above 0");
        return None;
    }
    Some(*spanned.get_ref())
}

/// Says whether a text can name a folder on every system.
fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !text.is_empty() && text.len() <= 64 && !text.starts_with('.') && text.bytes().all(allowed)
}

/// Returns the place of a rule's own key.
pub(super) fn span_of(table: &Spanned<Table>) -> Range<usize> {
    table
        .get_ref()
        .keys()
        .map(Spanned::span)
        .min_by_key(|span| span.start)
        .unwrap_or(table.span())
}
