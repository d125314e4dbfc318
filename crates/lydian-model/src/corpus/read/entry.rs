//! Turns a JSON object into an entry and reports what does not fit (B §2.2).

use serde_json::{Map, Value};

use super::EntryPlace;
use crate::EntryId;
use crate::corpus::import::columns::ALIASES;
use crate::corpus::{Entry, Provenance};
use crate::diagnostic::{Diagnostic, Findings};
use crate::json::value::{describe, quoted};
use crate::vocabulary::{Domain, Segment, domain_codes, segment_names};

const RULE: &str = "B §2.2";

/// The fields of B §2.2 and `variants` (B §4.1).
pub(crate) const FIELDS: [&str; 13] = [
    "id",
    "source",
    "reference",
    "segment",
    "difficulty",
    "provenance",
    "register",
    "context",
    "domain",
    "morphological_analysis",
    "notes",
    "variant_class",
    "variants",
];

struct Fields<'run> {
    object: Map<String, Value>,
    id: Option<EntryId>,
    place: &'run EntryPlace,
    findings: &'run mut Findings,
}

/// Returns the entry, or `None` if a required field is missing or a field has the wrong type.
pub(crate) fn interpret(
    object: Map<String, Value>,
    place: &EntryPlace,
    findings: &mut Findings,
) -> Option<Entry> {
    let errors_before = findings.count(crate::Severity::Error);
    let mut fields = Fields {
        object,
        id: None,
        place,
        findings,
    };
    fields.id = fields.take_id();
    let id = fields.id.clone();
    let source = fields.take_required("source");
    let reference = fields.take_required("reference");
    let segment = fields.take_segment();
    let difficulty = fields.take_difficulty();
    let provenance = fields.take_provenance();
    let register = fields.take_text("register");
    let context = fields.take_text("context");
    let domain = fields.take_domain();
    let morphological_analysis = fields.take_text("morphological_analysis");
    let notes = fields.take_text("notes");
    let variant_class = fields.take_text("variant_class");
    let variants = fields.take_variants();
    fields.warn_about_look_alikes();
    let extra = fields.object;
    if findings.count(crate::Severity::Error) > errors_before {
        return None;
    }
    Some(Entry {
        id: id?,
        source: source?,
        reference: reference?,
        segment,
        difficulty,
        provenance,
        register,
        context,
        domain,
        morphological_analysis,
        notes,
        variant_class,
        variants,
        extra,
    })
}

impl Fields<'_> {
    fn error(&mut self, check: &'static str, field: &str, message: String, fix: impl Into<String>) {
        let mut place = self.place.field(field);
        place.entry_id.clone_from(&self.id);
        let rule = match field {
            "segment" => "B §2.3",
            "difficulty" => "B §2.4",
            "domain" => "B §2.7",
            _ => RULE,
        };
        self.findings
            .push(Diagnostic::error(check, rule, place, message, fix));
    }

    fn wrong_type(&mut self, field: &str, wanted: &str, value: &Value) {
        let found = describe(value);
        let message = format!("{field} must be {wanted}, found {found}");
        self.error("wrong_type", field, message, format!("write {field} as {wanted}"));
    }

    fn take_present(&mut self, field: &str) -> Option<Value> {
        self.object.shift_remove(field).filter(|value| !value.is_null())
    }

    fn missing(&mut self, field: &str) {
        let others = || self.object.keys().filter(|key| !FIELDS.contains(&key.as_str()));
        let alike = others()
            .find(|key| alike(key, field) || is_alias(key, field))
            .or_else(|| others().find(|key| is_stand_in(key, field)))
            .cloned();
        let fix = match alike {
            Some(key) if is_stand_in(&key, field) => {
                format!("add {field}, or rename {} if it holds it", quoted(&key))
            }
            Some(key) => format!("rename {} to {field}", quoted(&key)),
            None => format!("add {field}"),
        };
        self.error("missing_field", field, format!("{field} is missing"), fix);
    }

    fn take_id(&mut self) -> Option<EntryId> {
        match self.take_present("id") {
            None => {
                self.missing("id");
                None
            }
            Some(Value::Number(number)) if number.as_i64().is_some() => number.as_i64().map(EntryId::integer),
            Some(Value::String(text)) if text.trim().is_empty() => {
                self.error(
                    "empty_id",
                    "id",
                    "id is empty".to_owned(),
                    "give each entry an id of its own",
                );
                None
            }
            Some(Value::String(text)) if text.chars().any(char::is_control) => {
                let message = format!("id {} holds control characters", quoted(&text));
                self.error("control_character", "id", message, "use printable ids");
                None
            }
            Some(Value::String(text)) => Some(EntryId::text(text)),
            Some(other) => {
                self.wrong_type("id", "an integer or a string", &other);
                None
            }
        }
    }

    fn take_required(&mut self, field: &str) -> Option<String> {
        match self.take_present(field) {
            None => {
                self.missing(field);
                None
            }
            Some(Value::String(text)) => Some(text),
            Some(other) => {
                self.wrong_type(field, "a string", &other);
                None
            }
        }
    }

    fn take_text(&mut self, field: &str) -> Option<String> {
        match self.take_present(field)? {
            Value::String(text) => Some(text),
            other => {
                self.wrong_type(field, "a string", &other);
                None
            }
        }
    }

    fn take_segment(&mut self) -> Option<Segment> {
        let text = self.take_text("segment")?;
        let segment = Segment::from_name(&text);
        if segment.is_none() {
            let names = segment_names();
            let near = nearest(&text, Segment::ALL.iter().map(|segment| segment.name()));
            let fix = near.map_or_else(
                || format!("use one of {names}"),
                |name| format!("did you mean {name}?"),
            );
            self.error(
                "unknown_segment",
                "segment",
                format!("unknown segment {}", quoted(&text)),
                fix,
            );
        }
        segment
    }

    fn take_domain(&mut self) -> Option<Domain> {
        let text = self.take_text("domain")?;
        let domain = Domain::from_code(&text);
        if domain.is_none() {
            let near = nearest_domain(&text);
            let fix = near.map_or_else(
                || format!("use one of {}", domain_codes()),
                |code| format!("did you mean {code}?"),
            );
            self.error(
                "unknown_domain",
                "domain",
                format!("unknown domain {}", quoted(&text)),
                fix,
            );
        }
        domain
    }

    fn take_difficulty(&mut self) -> Option<u8> {
        let value = self.take_present("difficulty")?;
        match value.as_u64().and_then(|level| u8::try_from(level).ok()) {
            Some(level @ 1..=5) => return Some(level),
            None if !value.is_number() => self.wrong_type("difficulty", "an integer from 1 to 5", &value),
            _ => self.error(
                "difficulty_range",
                "difficulty",
                format!("difficulty is {value}"),
                "use an integer from 1 (single words) to 5 (advanced)",
            ),
        }
        None
    }

    fn take_provenance(&mut self) -> Option<Provenance> {
        match self.take_present("provenance")? {
            Value::String(tag) => Some(Provenance::Tag(tag)),
            Value::Object(fields) => Some(Provenance::Source(fields)),
            other => {
                self.wrong_type("provenance", "a tag or an object", &other);
                None
            }
        }
    }

    fn take_variants(&mut self) -> Vec<String> {
        let Some(value) = self.take_present("variants") else {
            return Vec::new();
        };
        if let Value::Array(items) = &value
            && items
                .iter()
                .all(|item| item.as_str().is_some_and(|text| !text.trim().is_empty()))
        {
            return items
                .iter()
                .filter_map(|item| item.as_str().map(str::to_owned))
                .collect();
        }
        self.wrong_type("variants", "an array of non-empty strings", &value);
        Vec::new()
    }

    /// A misspelt optional field would silently be kept as somebody's extra field.
    fn warn_about_look_alikes(&mut self) {
        for key in self.object.keys() {
            if let Some(field) = FIELDS.iter().find(|field| alike(key, field)) {
                let mut place = self.place.field(key);
                place.entry_id.clone_from(&self.id);
                self.findings.push(Diagnostic::warning(
                    "look_alike_field",
                    RULE,
                    place,
                    format!("the field {} is not read", quoted(key)),
                    format!("rename it if {field} is meant"),
                ));
            }
        }
    }
}

/// What may stand in the place of a field without being it: the output of a method is no reference, but may be called one.
const STAND_INS: [(&str, &str); 8] = [
    ("hypothesis", "reference"),
    ("hyp", "reference"),
    ("output", "reference"),
    ("references", "reference"),
    ("text", "source"),
    ("sentence", "source"),
    ("input", "source"),
    ("entry_id", "id"),
];

/// Says whether others call the field by this name.
fn is_alias(key: &str, field: &str) -> bool {
    stands_for(&ALIASES, key, field)
}

fn is_stand_in(key: &str, field: &str) -> bool {
    stands_for(&STAND_INS, key, field)
}

fn stands_for(names: &[(&str, &str)], key: &str, field: &str) -> bool {
    let key = key.trim().to_lowercase();
    names.iter().any(|(name, meant)| *name == key && *meant == field)
}

/// Says whether `key` is a likely misspelling of `field`.
fn alike(key: &str, field: &str) -> bool {
    key != field && field.len() > 4 && strsim::damerau_levenshtein(&key.to_lowercase(), field) <= 2
}

/// Returns the name most like `text`, if one is like it at all.
pub(crate) fn nearest<'name>(text: &str, names: impl Iterator<Item = &'name str>) -> Option<&'name str> {
    let text = text.trim().to_lowercase();
    names
        .map(|name| (strsim::jaro_winkler(&text, name), name))
        .filter(|(likeness, _)| *likeness >= 0.78)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

/// Common names of domains that are not spelt like their codes.
const DOMAIN_WORDS: [(&str, &str); 18] = [
    ("conversation", "conv"),
    ("conversational", "conv"),
    ("chat", "conv"),
    ("health", "medical"),
    ("healthcare", "medical"),
    ("law", "legal"),
    ("government", "gov"),
    ("administration", "gov"),
    ("education", "edu"),
    ("school", "edu"),
    ("finance", "financial"),
    ("technical", "tech"),
    ("technology", "tech"),
    ("software", "ui"),
    ("interface", "ui"),
    ("bible", "religious"),
    ("religion", "religious"),
    ("literature", "literary"),
];

/// Returns the code that was probably meant.
pub(crate) fn nearest_domain(text: &str) -> Option<&'static str> {
    let lower = text.trim().to_lowercase();
    DOMAIN_WORDS
        .iter()
        .find(|(word, _)| *word == lower)
        .map(|(_, code)| *code)
        .or_else(|| nearest(&lower, Domain::ALL.iter().map(|domain| domain.code())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_domains_lead_to_the_code() {
        assert_eq!(nearest_domain("Medicin"), Some("medical"));
        assert_eq!(nearest_domain("health"), Some("medical"));
        assert_eq!(nearest_domain("legall"), Some("legal"));
        assert_eq!(nearest_domain("xyzzy"), None);
    }

    #[test]
    fn only_near_misspellings_are_alike() {
        assert!(alike("refrence", "reference"));
        assert!(alike("Domain", "domain"));
        assert!(!alike("source_id", "source"));
        assert!(!alike("metadata", "reference"));
    }

    #[test]
    fn what_others_call_a_field_is_recognised() {
        for name in ["translation", "target", "ref"] {
            assert!(is_alias(name, "reference") && !is_alias(name, "source"), "{name}");
        }
        assert!(is_stand_in("Hypothesis", "reference") && !is_alias("Hypothesis", "reference"));
    }
}
