//! Translation units, one event of the XML reader at a time.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Map, Value};

use super::super::Intake;
use super::languages::{Pair, choose, stands_for};
use crate::calendar::is_day;
use crate::diagnostic::Place;
use crate::{agreeing, counted};

/// Elements whose content is the code of another format, not text.
const NATIVE_CODE: [&str; 5] = ["bpt", "ept", "it", "ph", "ut"];

/// Reads units.
#[derive(Debug, Default)]
pub(super) struct Parser {
    root: bool,
    pair: Option<Pair>,
    header_source: Option<String>,
    unit: Option<Unit>,
    capture: Capture,
    text: String,
    /// Depth inside native code.
    code: usize,
    units: u64,
    with_markup: Counted,
    without_pair: Counted,
}

/// Which text is being collected.
#[derive(Debug, Default, PartialEq, Eq)]
enum Capture {
    #[default]
    Nothing,
    Segment,
    Note,
    Property(String),
}

#[derive(Debug, Default)]
struct Unit {
    id: Option<String>,
    line: u64,
    language: Option<String>,
    texts: Vec<(String, String)>,
    notes: Vec<String>,
    properties: Map<String, Value>,
    markup: bool,
}

/// How often something happened and on which line first.
#[derive(Debug, Default)]
struct Counted {
    count: u64,
    first_line: u64,
}

impl Counted {
    fn add(&mut self, line: u64) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += 1;
    }
}

impl Parser {
    pub(super) fn saw_root(&self) -> bool {
        self.root
    }

    /// Takes one event; an error is what is wrong with the XML.
    pub(super) fn step(
        &mut self,
        event: &Event<'_>,
        line: u64,
        intake: &mut Intake<'_, '_>,
    ) -> Result<(), String> {
        match event {
            Event::Start(element) => self.start(element, line, intake),
            Event::Empty(element) => {
                self.start(element, line, intake)?;
                self.end(element.local_name().as_ref(), intake)
            }
            Event::End(element) => self.end(element.local_name().as_ref(), intake),
            Event::Text(text) => {
                self.append(&text.xml_content(XmlVersion::Implicit1_0));
                Ok(())
            }
            Event::CData(text) => {
                self.append(&text.xml_content(XmlVersion::Implicit1_0));
                Ok(())
            }
            Event::GeneralRef(reference) => {
                let character = match reference.resolve_char_ref() {
                    Ok(Some(character)) => character,
                    Ok(None) => predefined(reference)
                        .ok_or_else(|| format!("the entity &{};  is not defined", reference.as_ref()))?,
                    Err(error) => return Err(error.to_string()),
                };
                self.append(character.encode_utf8(&mut [0; 4]));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn append(&mut self, text: &str) {
        if self.capture != Capture::Nothing && self.code == 0 {
            self.text.push_str(text);
        }
    }

    fn start(
        &mut self,
        element: &BytesStart<'_>,
        line: u64,
        intake: &mut Intake<'_, '_>,
    ) -> Result<(), String> {
        let name = element.local_name();
        let name = name.as_ref();
        if self.code > 0 || (self.capture == Capture::Segment && NATIVE_CODE.contains(&name)) {
            self.code += 1;
            if let Some(unit) = &mut self.unit {
                unit.markup = true;
            }
            return Ok(());
        }
        match name {
            "tmx" => self.root = true,
            "header" => {
                self.header_source = attribute(element, "srclang")?.filter(|tag| tag != "*all*");
                if let Some(date) = attribute(element, "creationdate")?.as_deref().and_then(iso_date) {
                    intake.stated.header.insert("created", date);
                }
            }
            "tu" => {
                self.unit = Some(Unit {
                    id: attribute(element, "tuid")?,
                    line,
                    ..Unit::default()
                });
            }
            "tuv" => {
                let language = match attribute(element, "xml:lang")? {
                    None => attribute(element, "lang")?,
                    some => some,
                };
                if let Some(unit) = &mut self.unit {
                    unit.language = language;
                }
            }
            "seg" if self.unit.is_some() => self.begin(Capture::Segment),
            "note" if self.unit.is_some() => self.begin(Capture::Note),
            "prop" if self.unit.is_some() => {
                let name = attribute(element, "type")?.unwrap_or_default();
                self.begin(Capture::Property(name));
            }
            _ => {
                if let Some(unit) = self.unit.as_mut().filter(|_| self.capture == Capture::Segment) {
                    unit.markup = true;
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, capture: Capture) {
        self.capture = capture;
        self.text.clear();
    }

    fn end(&mut self, name: &str, intake: &mut Intake<'_, '_>) -> Result<(), String> {
        if self.code > 0 {
            self.code -= 1;
            return Ok(());
        }
        let Some(unit) = &mut self.unit else {
            return Ok(());
        };
        match (name, std::mem::take(&mut self.capture)) {
            ("seg", Capture::Segment) => {
                let text = std::mem::take(&mut self.text);
                let language = unit.language.clone().unwrap_or_default();
                unit.texts.push((language, text));
            }
            ("note", Capture::Note) => unit.notes.push(self.text.trim().to_owned()),
            ("prop", Capture::Property(name)) => {
                unit.properties.insert(name, self.text.trim().into());
            }
            ("tu", _) => {
                if let Some(unit) = self.unit.take() {
                    self.units += 1;
                    return self.finish_unit(unit, intake);
                }
            }
            (_, capture) => self.capture = capture,
        }
        Ok(())
    }

    fn finish_unit(&mut self, unit: Unit, intake: &mut Intake<'_, '_>) -> Result<(), String> {
        let pair = match &self.pair {
            Some(pair) => pair.clone(),
            None => self.choose_pair(&unit, intake)?,
        };
        let mut source = None;
        let mut references = Vec::new();
        for (language, text) in unit.texts {
            if source.is_none() && stands_for(&language, &pair.source) {
                source = Some(text);
            } else if stands_for(&language, &pair.target) {
                references.push(text);
            }
        }
        let (Some(source), false) = (source, references.is_empty()) else {
            self.without_pair.add(unit.line);
            return Ok(());
        };
        if unit.markup {
            self.with_markup.add(unit.line);
        }
        let mut references = references.into_iter();
        let mut object = Map::new();
        object.insert(
            "id".to_owned(),
            unit.id.map_or_else(|| self.units.into(), Value::String),
        );
        object.insert("source".to_owned(), source.into());
        object.insert(
            "reference".to_owned(),
            references.next().unwrap_or_default().into(),
        );
        let variants: Vec<String> = references.filter(|text| !text.trim().is_empty()).collect();
        if !variants.is_empty() {
            object.insert("variants".to_owned(), variants.into());
        }
        if !unit.notes.is_empty() {
            object.insert("notes".to_owned(), unit.notes.join("\n").into());
        }
        if !unit.properties.is_empty() {
            object.insert("properties".to_owned(), Value::Object(unit.properties));
        }
        intake.entry(object, unit.line);
        Ok(())
    }

    fn choose_pair(&mut self, unit: &Unit, intake: &mut Intake<'_, '_>) -> Result<Pair, String> {
        let mut present: Vec<String> = Vec::new();
        for (language, _) in &unit.texts {
            if !present.contains(language) {
                present.push(language.clone());
            }
        }
        let defaults = &intake.options.read.defaults;
        let wanted = (
            defaults.source_language.as_deref(),
            defaults.target_language.as_deref(),
        );
        let pair = choose(wanted, self.header_source.as_deref(), &present)
            .map_err(|message| format!("{message}; give --source-language and --target-language"))?;
        for (field, tag) in [
            ("source_language", &pair.source),
            ("target_language", &pair.target),
        ] {
            intake.stated.header.insert(field, tag.replace('_', "-"));
        }
        self.pair = Some(pair.clone());
        Ok(pair)
    }

    /// Reports what was left out.
    pub(super) fn finish(&self, intake: &mut Intake<'_, '_>) {
        if self.with_markup.count > 0 {
            let units = counted(self.with_markup.count, "unit holds", "units hold");
            let message = format!("{units} inline markup, which is left out");
            let fix = "check that their texts read well without it";
            intake.warning(
                "inline_markup",
                Place::line(self.with_markup.first_line),
                (message, fix),
            );
        }
        if let (Some(pair), true) = (&self.pair, self.without_pair.count > 0) {
            let count = self.without_pair.count;
            let message = format!(
                "{} {} or {} and {} left out",
                counted(count, "unit lacks", "units lack"),
                pair.source,
                pair.target,
                agreeing(count, "is", "are")
            );
            let place = Place::line(self.without_pair.first_line);
            intake.warning("incomplete_units", place, (message, "check the languages"));
        }
    }
}

fn predefined(name: &str) -> Option<char> {
    Some(match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, String> {
    let found = element
        .try_get_attribute(name)
        .map_err(|error| error.to_string())?;
    let value = found.map(|attribute| attribute.normalized_value(XmlVersion::Implicit1_0));
    value
        .transpose()
        .map(|value| value.map(Cow::into_owned))
        .map_err(|error| error.to_string())
}

/// Turns `20260501T120000Z` into `2026-05-01`; what is no day states nothing.
fn iso_date(compact: &str) -> Option<String> {
    let date = compact
        .get(..8)
        .filter(|date| date.bytes().all(|byte| byte.is_ascii_digit()))?;
    Some(format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..8])).filter(|day| is_day(day))
}
