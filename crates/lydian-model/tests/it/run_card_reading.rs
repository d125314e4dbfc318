//! Reading documents that claim to be run cards.

use lydian_model::run_card::read::read_run_card;

fn problem(bytes: &[u8]) -> String {
    read_run_card(bytes).expect_err("no card").to_string()
}

#[test]
fn documents_that_are_no_card_are_told_apart() {
    assert!(problem(b"").contains("the file is empty"));
    assert!(problem(b"[]").contains("a run card is an object"));
    assert!(problem(b"{}").contains("no schema field"));
    assert!(problem(b"{\"schema\": 1}").contains("schema must be a string"));
    assert!(problem(b"{\"schema\": \"other/1\"}").contains("\"other/1\", not a run card"));
    assert!(problem(b"{\"schema\": \"lydian.run-card/2\"}").contains("version 2 is not known"));
    assert!(problem(b"{\"schema\": \"lydian.run-card/1\"").contains("ends before"));
}

#[test]
fn the_field_that_does_not_fit_is_named() {
    let text = problem(b"{\"schema\": \"lydian.run-card/1\", \"elapsed_seconds\": \"3\"}");
    assert!(
        text.contains("error[wrong_type] /elapsed_seconds: expected a number, found string \"3\""),
        "{text}"
    );
    let text = problem(b"{\"schema\": \"lydian.run-card/1\", \"dataset\": {\"colour\": 1}}");
    assert!(
        text.contains("error[unknown_field] /dataset/colour: a card has no field colour here ("),
        "{text}"
    );
    let text = problem(b"{\"schema\": \"lydian.run-card/1\"}");
    assert!(
        text.contains("error[missing_field] /notice: notice is missing"),
        "{text}"
    );
}

#[test]
fn duplicate_keys_depth_and_numbers_out_of_range_are_refused() {
    assert!(problem(b"{\"a\": {\"b\": 1, \"b\": 2}}").contains("duplicate_key] /a/b"));
    assert!(problem(&b"{\"a\":".repeat(65)).contains("nested deeper"));
    assert!(problem(b"{\"elapsed_seconds\": 1e999}").contains("number out of range"));
    assert!(problem(b"{\"elapsed_seconds\": NaN}").contains("NaN is not a JSON number"));
}
