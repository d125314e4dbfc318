//! The HTML page.

use lydian_report::html::{MOST_EMBEDDED_ENTRIES, Report, render};

use crate::sample::card;

#[test]
fn output_cannot_bring_markup_or_requests_into_the_page() {
    let hostile = "<img src=https://evil.example/x onerror=alert(1)></td></table><script>alert(1)</script>";
    let cards = [card(
        hostile,
        &[
            (hostile, hostile, Some(hostile)),
            ("a", "b", Some("\" onclick=\"x")),
        ],
    )];
    let page = render(&Report {
        cards: &cards,
        floor: None,
    });
    assert!(!page.contains("<img"), "markup survived");
    assert_eq!(page.matches("<script>").count(), 1, "only the page's own script");
    assert!(!page.contains("\" onclick=\""));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains("Content-Security-Policy\" content=\"default-src 'none'"));
}

#[test]
fn text_cells_carry_language_and_find_their_own_direction() {
    let cards = [card("m", &[("Peace", "سلام", Some("سلام"))])];
    let page = render(&Report {
        cards: &cards,
        floor: None,
    });
    assert!(page.contains("dir=\"auto\" lang=\"en\">Peace</td>"));
    assert_eq!(page.matches("dir=\"auto\" lang=\"ar\">سلام</td>").count(), 2);
}

#[test]
fn without_a_script_every_entry_and_score_is_there_to_read() {
    let cards = [card("m", &[("one", "um", Some("um")), ("two", "dois", None)])];
    let page = render(&Report {
        cards: &cards,
        floor: None,
    });
    let markup = page.split("<script>").next().unwrap();
    for text in [
        "On 2 sentences this method scores",
        "One entry has no answer",
        "provider answered 500",
        "<td class=\"text\"",
    ] {
        assert!(markup.contains(text), "{text}");
    }
    assert!(!markup.contains("<tr hidden"));
}

#[test]
fn a_large_run_embeds_the_worst_and_says_how_many_are_left_out() {
    let reference = "a sentence that is long enough to have many character n-grams";
    let mut rows = vec![("s", reference, Some(reference)); MOST_EMBEDDED_ENTRIES + 500];
    rows[5_321] = ("the worst source of all", reference, Some("zzz"));
    let cards = [card("m", &rows)];
    let page = render(&Report {
        cards: &cards,
        floor: None,
    });
    assert_eq!(page.matches("<tr data-outcome=").count(), MOST_EMBEDDED_ENTRIES);
    assert!(page.contains("5,000 of 5,500 entries are shown"));
    assert!(page.contains("the worst source of all"));
    assert_eq!(
        page,
        render(&Report {
            cards: &cards,
            floor: None
        }),
        "the same every time"
    );
}

#[test]
fn several_runs_stand_side_by_side_with_the_floor() {
    let cards = [
        card("first", &[("um", "um", Some("um"))]),
        card("second", &[("um", "um", Some("dois"))]),
    ];
    let floor = cards[1].scores.clone();
    let page = render(&Report {
        cards: &cards,
        floor: Some(&floor),
    });
    let header = "<th scope=\"col\" class=\"n\">first</th><th scope=\"col\" class=\"n\">second</th>\
                  <th scope=\"col\" class=\"n\">source as output</th>";
    assert!(page.contains(header));
    assert!(page.contains("<title>2 runs compared · Lydian</title>"));
}
