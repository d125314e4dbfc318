//! Sweep plans: the runs they make, and what is refused with its line and key.

use lydian_model::sweep::{DecidingMetric, PlanProblem, Role, SweepPlan};

const HEAD: &str = "schema = \"lydian/sweep@1\"\nname = \"s\"\ncorpus = \"c.json\"\n";

fn read(rest: &str) -> Result<SweepPlan, Vec<PlanProblem>> {
    SweepPlan::read(&format!("{HEAD}{rest}"))
}

fn labels(rest: &str) -> Vec<String> {
    let plan = read(rest).unwrap_or_else(|problems| panic!("{problems:?}"));
    plan.combinations()
        .iter()
        .map(|run| format!("{} {}", plan.methods[run.method].id, run.label()))
        .map(|label| label.trim().to_owned())
        .collect()
}

fn problems(rest: &str) -> Vec<String> {
    read(rest).unwrap_err().iter().map(ToString::to_string).collect()
}

const TWO: &str = "[axes]\ntemperature = [0.0, 0.7]\nmodel = [\"a\", \"b\"]\n\
                   [[method]]\nid = \"naive\"\nmethod = \"naive\"\n";

#[test]
fn axes_are_multiplied_in_the_order_of_the_specification() {
    assert_eq!(
        labels(TWO),
        [
            "naive model=a temperature=0.0",
            "naive model=a temperature=0.7",
            "naive model=b temperature=0.0",
            "naive model=b temperature=0.7"
        ]
    );
}

/// B §6.2: 12 models × 3 temperatures × 2 prompts × 2 coaching settings are 144 runs.
#[test]
fn the_typical_first_benchmark_has_144_runs() {
    let models: Vec<String> = (1..=12).map(|n| format!("\"m{n}\"")).collect();
    let plan = format!(
        "[axes]\nmodel = [{}]\ntemperature = [0.0, 0.3, 0.7]\nprompt_version = [\"a\", \"b\"]\n\
         coaching_config = [\"none\", \"grammar\"]\n[[method]]\nid = \"m\"\nmethod = \"m\"\n",
        models.join(", ")
    );
    assert_eq!(labels(&plan).len(), 144);
}

#[test]
fn seeds_repeat_every_run_of_methods_that_share_the_axes() {
    let plan = "seeds = [11, 5]\n[[method]]\nid = \"m\"\nmethod = \"m\"\n\
                [[method]]\nid = \"floor\"\nmethod = \"copy\"\nshared_axes = false\nrole = \"baseline\"\n";
    assert_eq!(labels(plan), ["m seed=11", "m seed=5", "floor"]);
    assert_eq!(labels(&plan.replace("seeds = [11, 5]", "repeats = 2")).len(), 3);
}

#[test]
fn excluded_runs_are_left_out_and_included_ones_added_once() {
    let rules = "[[exclude]]\nmodel = \"b\"\ntemperature = [0.7, 0]\n[[include]]\nmethod = \"naive\"\nmodel = \"c\"\n\
                 [[include]]\nmethod = \"naive\"\nmodel = \"a\"\ntemperature = 0\n";
    assert_eq!(
        labels(&format!("{TWO}{rules}")),
        [
            "naive model=a temperature=0.0",
            "naive model=a temperature=0.7",
            "naive model=c"
        ]
    );
}

#[test]
fn a_methods_own_axis_takes_the_place_of_the_shared_one() {
    let own = format!(
        "{TWO}[[method]]\nid = \"new\"\nmethod = \"new\"\nrole = \"under_test\"\n[method.axes]\nmodel = [\"x\"]\nbatch_size = [1]\n"
    );
    let plan = read(&own).unwrap();
    assert_eq!(plan.methods[1].role, Role::UnderTest);
    assert_eq!(plan.metric, DecidingMetric::ChrfPlusPlus);
    let labels = labels(&own);
    assert_eq!(
        labels[4..],
        [
            "new model=x temperature=0.0 batch_size=1",
            "new model=x temperature=0.7 batch_size=1"
        ]
    );
}

#[test]
fn problems_name_line_and_key() {
    for (rest, expected) in [
        (
            "[axes]\ntemperature = 0.3\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
            "line 5: axes.temperature: must be a list",
        ),
        (
            "[axes]\nmodel = []\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
            "line 5: axes.model: has no value",
        ),
        (
            "[axes]\ntemperature = [0, 0.0]\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
            "line 5: axes.temperature: has the value 0.0 twice",
        ),
        (
            "[axes]\nseed = [1]\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
            "line 5: axes.seed: seeds are given once",
        ),
        (
            "[[method]]\nid = \"a\"\nmethod = \"a\"\nrole = \"best\"\n",
            "line 7: method.role: \"best\" is no role",
        ),
        (
            "[[method]]\nid = \"a\"\nmethod = \"a\"\n[[method]]\nid = \"a\"\nmethod = \"b\"\n",
            "line 8: method.id: \"a\" names two methods",
        ),
        (
            "[[method]]\nid = \"a\"\nmethod = \"a\"\n[[exclude]]\nmodle = \"x\"\n",
            "line 8: exclude.modle: is no axis",
        ),
        (
            "[[method]]\nid = \"a\"\nmethod = \"a\"\n[[include]]\nmodel = \"x\"\n",
            "line 8: include.method: an included run must name",
        ),
        (
            "segments = [\"gold_standard\"]\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
            "line 4: segments: gold_standard is secret",
        ),
        (
            "budget_usd = -1\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
            "line 4: budget_usd: must be above 0",
        ),
        (
            "repeats = 2\nseeds = [1]\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
            "line 4: repeats: give seeds or repeats",
        ),
        (
            "[[method]]\nid = \"a\"\nmethod = \"a\"\ntemprature = 1\n",
            "line 7: temprature: unknown key here; `temperature` stands with its values under [axes]",
        ),
        (
            "bugdet_usd = 1\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
            "line 4: bugdet_usd: unknown key, did you mean `budget_usd`?",
        ),
        (
            "[endpoint]\nzzz = 1\n",
            "line 5: zzz: unknown key; known here are base_url, key, concurrency",
        ),
        (
            "[axes]\nmodel = [\"x\", \"y\"]\n[[method]]\nid = \"a\"\nmethod = \"a\"\n\
             [[exclude]]\nmodel = \"y\"\n[[exclude]]\nmodel = \"x\"\n",
            "line 12: exclude: leaves no run",
        ),
        ("limit = \"x\"\n", "line 4: limit: invalid type"),
        ("limit = \n", "line 4: limit"),
        ("", "method: a sweep needs at least one"),
    ] {
        let found = problems(rest);
        assert!(
            found.iter().any(|one| one.contains(expected)),
            "{rest}\n{found:?}"
        );
    }
}

#[test]
fn a_rule_about_a_value_the_axis_does_not_have_is_refused() {
    let found = problems(&format!("{TWO}[[exclude]]\nmodel = \"c\"\n"));
    assert!(
        found[0].contains("line 11: exclude.model: \"c\" is no value of this axis"),
        "{found:?}"
    );
}

#[test]
fn a_key_in_the_plan_is_refused_without_being_shown() {
    let found = problems("[endpoint]\nkey = \"sk-canary\"\n[[method]]\nid = \"a\"\nmethod = \"a\"\n");
    assert!(found[0].contains("line 5: endpoint.key"), "{found:?}");
    assert!(!found[0].contains("sk-canary"));
    let found = problems(
        "[endpoint]\nbase_url = \"https://me:pa55word@host/v1\"\n[[method]]\nid = \"a\"\nmethod = \"a\"\n",
    );
    assert!(found[0].contains("line 5: endpoint.base_url"), "{found:?}");
    assert!(!found[0].contains("pa55word"));
}

#[test]
fn every_problem_is_told_at_once() {
    let found = problems("limit = 0\nmetric = \"bleu\"\n[[method]]\nid = \".a\"\nmethod = \"\"\n");
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn an_axis_multiplied_by_mistake_is_refused_before_memory_is_taken() {
    let axis = |name: &str| {
        let values: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
        format!("{name} = [{}]\n", values.join(","))
    };
    let plan = format!(
        "[axes]\n{}{}[[method]]\nid = \"a\"\nmethod = \"a\"\n",
        axis("x"),
        axis("y")
    );
    assert!(problems(&plan)[0].contains("more than 100000 runs"));
}
