//! Reads dialect items out of a corpus and notes everything that makes an item unusable (D, decision 35).

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::{Fields, Finding};
use super::item::{Choice, DialectItem, DialectItems, ItemType, SourceRef, Task, UNCERTAIN};
use super::read_keyword::read_keywords;
use super::{Contrast, DialectLists, Fact, ITEMS_KIND, Letter, Options, RefutedContrast};
use crate::corpus::{Corpus, Entry};
use crate::diagnostic::{Diagnostic, Severity};

const ITEM_FIELDS: [&str; 12] = [
    "item_type",
    "dialect",
    "orthography",
    "dialect_evidence",
    "keywords",
    "prompt",
    "options",
    "correct_answer",
    "fact_id",
    "contrasts",
    "source_ref",
    "authored_fields",
];

/// Returns the items of a corpus and all findings about their shape. The items are `None` when there is an error.
pub fn read_items(corpus: &Corpus) -> (Option<DialectItems>, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let lists = read_lists(corpus, &mut found);
    let mut items = Vec::with_capacity(corpus.entries.len());
    for (at, entry) in corpus.entries.iter().enumerate() {
        items.extend(read_item(entry, at, &lists, &mut found));
    }
    if items.is_empty() && corpus.entries.is_empty() {
        let map = serde_json::Map::new();
        let finding = Finding::error(
            "no_items",
            "D §1",
            "the corpus has no items",
            "add at least one item",
        );
        Fields::new(&map, "/entries".to_owned(), None, &mut found).note("", finding);
    }
    let usable = found
        .iter()
        .all(|diagnostic| diagnostic.severity != Severity::Error);
    let dataset = &corpus.dataset;
    let result = DialectItems {
        id: dataset.id.clone(),
        version: dataset.version.clone(),
        lists,
        items,
    };
    (usable.then_some(result), found)
}

fn read_lists(corpus: &Corpus, found: &mut Vec<Diagnostic>) -> DialectLists {
    let mut fields = Fields::new(&corpus.dataset.extra, "/dataset".to_owned(), None, found);
    match fields.value("kind") {
        Some(Value::String(kind)) if kind == ITEMS_KIND => {}
        Some(_) | None => {
            let finding = Finding::error(
                "not_dialect_items",
                "D §1",
                "`dataset.kind` is not `dialect_items`",
                "set `dataset.kind` to `dialect_items`, or use `lydian corpus validate`",
            );
            fields.note("kind", finding);
        }
    }
    DialectLists {
        dialects: fields.texts("dialects", "D §4"),
        facts: read_facts(&mut fields),
        verified_contrasts: fields
            .value("verified_contrasts")
            .is_some()
            .then(|| read_contrasts(&mut fields, "verified_contrasts")),
        refuted_contrasts: read_refuted(&mut fields),
        limitations: fields.texts("limitations", "D §6"),
    }
}

fn read_facts(fields: &mut Fields<'_>) -> Option<Vec<Fact>> {
    let values = fields.list("facts", "decision 39")?;
    let mut facts = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        if let Value::String(id) = value {
            facts.push(Fact {
                id: id.clone(),
                statement: None,
            });
        } else if let Some(mut fact) = fields.nested(&format!("facts/{at}"), value, "decision 39")
            && let Some(id) = fact.text("id", "decision 39")
        {
            facts.push(Fact {
                id,
                statement: fact.optional_text("statement", "decision 39"),
            });
        }
    }
    Some(facts)
}

fn read_refuted(fields: &mut Fields<'_>) -> Vec<RefutedContrast> {
    let mut refuted = Vec::new();
    for (at, value) in fields
        .list("refuted_contrasts", "D §5")
        .into_iter()
        .flatten()
        .enumerate()
    {
        if let Value::String(form) = value {
            refuted.push(RefutedContrast {
                form: form.clone(),
                reason: None,
            });
        } else if let Some(mut contrast) = fields.nested(&format!("refuted_contrasts/{at}"), value, "D §5")
            && let Some(form) = contrast.text("form", "D §5")
        {
            refuted.push(RefutedContrast {
                form,
                reason: contrast.optional_text("reason", "D §5"),
            });
        }
    }
    refuted
}

fn read_contrasts(fields: &mut Fields<'_>, key: &str) -> Vec<Contrast> {
    let mut contrasts = Vec::new();
    for (at, value) in fields.list(key, "D §5").into_iter().flatten().enumerate() {
        let Some(mut contrast) = fields.nested(&format!("{key}/{at}"), value, "D §5") else {
            continue;
        };
        let form = contrast.text("form", "D §5");
        let seen_in = read_side(&mut contrast, "seen_in");
        let not_in = read_side(&mut contrast, "not_in");
        for dialect in seen_in.keys().filter(|dialect| not_in.contains_key(*dialect)) {
            let message = format!("`{dialect}` stands on both sides of the contrast");
            contrast.note(
                "not_in",
                Finding::error("contradicting_contrast", "D §5", message, "keep it on one side"),
            );
        }
        if let Some(form) = form {
            contrasts.push(Contrast {
                form,
                seen_in,
                not_in,
            });
        }
    }
    contrasts
}

/// One side of a contrast: dialects and the evidence for each.
fn read_side(contrast: &mut Fields<'_>, key: &str) -> BTreeMap<String, String> {
    let side: BTreeMap<String, String> = contrast
        .named_texts(key, "D §5")
        .unwrap_or_default()
        .into_iter()
        .collect();
    let blank = side
        .values()
        .any(|evidence| evidence.trim().is_empty() || evidence == "null");
    if side.is_empty() || blank {
        let message = format!("`{key}` has no evidence: a contrast must be verified on both sides");
        let fix = "name at least one dialect with its evidence, such as a count in a corpus";
        contrast.note(key, Finding::error("one_sided_contrast", "D §5", message, fix));
    }
    side
}

fn read_item(
    entry: &Entry,
    at: usize,
    lists: &DialectLists,
    found: &mut Vec<Diagnostic>,
) -> Option<DialectItem> {
    let mut fields = Fields::new(
        &entry.extra,
        format!("/entries/{at}"),
        Some(entry.id.clone()),
        found,
    );
    note_misspelt(entry, &mut fields);
    let item_type = read_type(&mut fields);
    let dialect = fields.text("dialect", "D §5");
    let orthography = fields.text("orthography", "D §5");
    let dialect_evidence = fields.texts("dialect_evidence", "D §5");
    if dialect_evidence.is_empty() {
        let fix = "say why the text counts as this dialect: a corpus label, a header, forms in the text";
        let finding = Finding::error(
            "no_dialect_evidence",
            "D §5",
            "`dialect_evidence` is missing or empty",
            fix,
        );
        fields.note("dialect_evidence", finding);
    }
    if let Some(name) = &dialect
        && name != UNCERTAIN
        && !lists.dialects.is_empty()
        && !lists.dialects.contains(name)
    {
        let message = format!("the dialect `{name}` is not in `dataset.dialects`");
        fields.note(
            "dialect",
            Finding::error(
                "undeclared_dialect",
                "D §4",
                message,
                "declare it there or correct it",
            ),
        );
    }
    let task = read_task(&mut fields, item_type?, dialect.as_deref());
    let source_ref = read_source_ref(&mut fields);
    let authored_fields = fields.texts("authored_fields", "D §6");
    Some(DialectItem {
        id: entry.id.clone(),
        source: entry.source.clone(),
        reference: entry.reference.clone(),
        dialect: dialect?,
        orthography: orthography?,
        dialect_evidence,
        task: task?,
        source_ref,
        authored_fields,
        segment: entry.segment_or_default(),
        context: entry.context.clone(),
        register: entry.register.clone(),
        domain: entry.domain,
    })
}

/// Warns about a field whose name is close to one of an item's: it would be kept and never used.
fn note_misspelt(entry: &Entry, fields: &mut Fields<'_>) {
    for key in entry
        .extra
        .keys()
        .filter(|key| !ITEM_FIELDS.contains(&key.as_str()))
    {
        let near = ITEM_FIELDS
            .iter()
            .find(|known| strsim::damerau_levenshtein(known, key) <= 2);
        if let Some(known) = near {
            let message = format!("`{key}` is not used; did you mean `{known}`");
            fields.note(
                key,
                Finding::warning(
                    "misspelt_field",
                    "D §1",
                    message,
                    "correct the name or ignore this",
                ),
            );
        }
    }
}

fn read_type(fields: &mut Fields<'_>) -> Option<ItemType> {
    let name = fields.text("item_type", "D §1")?;
    let item_type = ItemType::from_name(&name);
    if item_type.is_none() {
        let message = format!("`{name}` is no item type");
        fields.note(
            "item_type",
            Finding::error("unknown_item_type", "D §1", message, "use T1, T2, T3 or T4"),
        );
    }
    item_type
}

fn read_task(fields: &mut Fields<'_>, item_type: ItemType, dialect: Option<&str>) -> Option<Task> {
    if item_type == ItemType::T1 {
        for key in ["options", "correct_answer"] {
            if fields.value(key).is_some() {
                let message = format!("a T1 item has `{key}`, which belongs to multiple choice");
                fields.note(
                    key,
                    Finding::error(
                        "field_of_another_type",
                        "D §1",
                        message,
                        "remove it or change `item_type`",
                    ),
                );
            }
        }
        return read_keywords(fields).map(|keywords| Task::Translation { keywords });
    }
    let choice = read_choice(fields);
    match item_type {
        ItemType::T1 | ItemType::T2 => choice.map(Task::Comprehension),
        ItemType::T3 => {
            let fact_id = fields.text("fact_id", "decision 39");
            Some(Task::Culture {
                choice: choice?,
                fact_id: fact_id?,
            })
        }
        ItemType::T4 => {
            let contrasts = read_item_contrasts(fields, dialect);
            Some(Task::Identification {
                choice: choice?,
                contrasts,
            })
        }
    }
}

fn read_item_contrasts(fields: &mut Fields<'_>, dialect: Option<&str>) -> Vec<Contrast> {
    if dialect == Some(UNCERTAIN) {
        let message = "a T4 item has the dialect `uncertain`: nobody can answer it";
        fields.note(
            "dialect",
            Finding::error(
                "uncertain_in_t4",
                "D §5",
                message,
                "settle the dialect or use another type",
            ),
        );
    }
    let contrasts = read_contrasts(fields, "contrasts");
    if contrasts.is_empty() {
        let fix = "name the form that decides and the evidence for both sides";
        let finding = Finding::error("no_contrast", "D §5", "a T4 item has no `contrasts`", fix);
        fields.note("contrasts", finding);
    }
    for contrast in contrasts.iter().filter(|contrast| !contrast.seen_in.is_empty()) {
        let Some(dialect) = dialect.filter(|dialect| !contrast.seen_in.contains_key(*dialect)) else {
            continue;
        };
        let message = format!(
            "the contrast `{}` is not seen in the item's dialect `{dialect}`",
            contrast.form
        );
        fields.note(
            "contrasts",
            Finding::error(
                "foreign_contrast",
                "D §5",
                message,
                "add the evidence to `seen_in`",
            ),
        );
    }
    contrasts
}

fn read_choice(fields: &mut Fields<'_>) -> Option<Choice> {
    let prompt = fields.text("prompt", "D §3");
    let options = read_options(fields);
    let correct_answer = fields.text("correct_answer", "D §3").and_then(|text| {
        let letter = Letter::from_capital(&text);
        if letter.is_none() {
            let message = format!("the answer key `{text}` is not among the options A, B, C, D");
            let finding = Finding::error(
                "unknown_answer_key",
                "D §3",
                message,
                "use the letter of the right option",
            );
            fields.note("correct_answer", finding);
        }
        letter
    });
    Some(Choice {
        prompt: prompt?,
        options: options?,
        correct_answer: correct_answer?,
    })
}

fn read_options(fields: &mut Fields<'_>) -> Option<Options> {
    if fields.value("options").is_none() {
        let finding = Finding::error(
            "missing_field",
            "D §3",
            "`options` is missing",
            "add the options A, B, C, D",
        );
        fields.note("options", finding);
    }
    let mut options = fields.object("options", "D §3")?;
    options.only(&["A", "B", "C", "D"], "D §3");
    let [a, b, c, d] = Letter::ALL.map(|letter| options.text(letter.as_str(), "D §3"));
    Some(Options {
        a: a?,
        b: b?,
        c: c?,
        d: d?,
    })
}

fn read_source_ref(fields: &mut Fields<'_>) -> Option<SourceRef> {
    let mut source = fields.object("source_ref", "D §6")?;
    let license = source.text("license", "D §6");
    let attribution = source.text("attribution", "D §6");
    Some(SourceRef {
        license: license?,
        attribution: attribution?,
    })
}
