//! Prompts per item type: shipped, given, the method's own.

use super::*;

fn entry(id: i64, question: Option<&str>) -> SourceEntry {
    let options = question.map_or(Vec::new(), |_| ["a", "b", "c", "d"].map(str::to_owned).to_vec());
    SourceEntry {
        id: EntryId::integer(id),
        source: "Mir heere\nnid".into(),
        context: None,
        register: None,
        domain: None,
        prompt: question.map(str::to_owned),
        options,
    }
}

fn prompts(given: Option<&str>) -> Result<ItemPrompts, ItemPromptError> {
    let mut prompts = ItemPrompts::new(given, &[])?;
    prompts.types = [(1, ItemType::T1), (2, ItemType::T2), (4, ItemType::T4)]
        .into_iter()
        .map(|(id, item_type)| (EntryId::integer(id), item_type))
        .collect();
    Ok(prompts)
}

#[test]
fn the_shipped_prompts_ask_every_question_with_its_options_and_leave_translation_alone() {
    let prompts = prompts(None).unwrap();
    assert!(prompts.of(&entry(1, None)).is_none());
    let line = prompts.line(&entry(2, Some("Was?")), ("gsw", "de")).unwrap();
    assert!(
        line.contains("Text: Mir heere nid Frage: Was? A) a B) b C) c D) d"),
        "{line}"
    );
    assert!(line.ends_with("«Antwort:» und dem Buchstaben besteht."), "{line}");
    let recorded = prompts.recorded(None);
    let types: Vec<ItemType> = recorded.keys().copied().collect();
    assert_eq!(types, [ItemType::T2, ItemType::T4]);
    assert!(recorded.values().all(|text| text.origin == PromptOrigin::Shipped));
}

#[test]
fn a_given_prompt_takes_the_place_of_the_shipped_one_for_its_type_only() {
    let given =
        "[T1]\nsystem = \"Übersetze.\"\nuser = \"{source}\"\n[T4]\nuser = \"{source} {question} {options}\"";
    let prompts = prompts(Some(given)).unwrap();
    let origins = |prompts: &ItemPrompts| -> Vec<(ItemType, PromptOrigin)> {
        let recorded = prompts.recorded(None);
        recorded
            .into_iter()
            .map(|(item_type, text)| (item_type, text.origin))
            .collect()
    };
    let (given, shipped) = (PromptOrigin::Given, PromptOrigin::Shipped);
    assert_eq!(
        origins(&prompts),
        [
            (ItemType::T1, given),
            (ItemType::T2, shipped),
            (ItemType::T4, given)
        ]
    );
    assert_eq!(
        prompts.line(&entry(4, Some("Wo?")), ("gsw", "de")).as_deref(),
        Some("Mir heere nid Wo? A) a B) b C) c D) d")
    );
    assert_eq!(
        origins(&prompts.beside_own()),
        [(ItemType::T1, given), (ItemType::T4, given)]
    );
}

#[test]
fn types_without_a_prompt_are_recorded_with_the_methods_own() {
    let own = Prompt::parse("system = \"Be brief.\"\nuser = \"{source}\"").unwrap();
    let recorded = prompts(None).unwrap().recorded(Some(&own));
    let translation = &recorded[&ItemType::T1];
    assert_eq!(
        (
            translation.origin,
            translation.system.as_str(),
            translation.user.as_str()
        ),
        (PromptOrigin::Method, "Be brief.", "{source}")
    );
}

#[test]
fn a_prompt_that_would_not_ask_is_refused_with_its_type() {
    let fault = |text: &str| prompts(Some(text)).unwrap_err();
    assert_eq!(fault(""), ItemPromptError::Empty);
    assert_eq!(
        fault("[T3]\nuser = \"{source} {question}\""),
        ItemPromptError::Missing {
            item_type: "T3",
            name: "options"
        }
    );
    assert_eq!(
        fault("[T2]\nuser = \"{question} {options}\"").to_string(),
        "T2: user: the placeholder {source} is missing"
    );
    for text in ["[T5]\nuser = \"{source}\"", "[T1]\nusr = \"x\"", "T1 = 3"] {
        assert!(matches!(fault(text), ItemPromptError::Syntax(_)), "{text}");
    }
}
