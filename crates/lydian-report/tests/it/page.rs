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
fn a_narrow_page_names_every_cell_of_an_entry_and_a_keyboard_reaches_every_table() {
    let cards = [card(
        "m",
        &[("one", "um", Some("um")), ("two", "dois", Some("x"))],
    )];
    let page = render(&Report {
        cards: &cards,
        floor: None,
    });
    let table = page.split("<table class=\"entries\">").nth(1).unwrap();
    let header = table.split("</thead>").next().unwrap();
    let columns = header.matches("<th scope=\"col\"").count();
    assert_eq!(columns, 9);
    // The first cell of a row is its id.
    assert_eq!(table.matches(" data-label=\"").count(), 2 * (columns - 1));
    for name in [
        "source",
        "reference",
        "output",
        "chrF++",
        "TER",
        "domain",
        "difficulty",
        "remarks",
    ] {
        assert_eq!(
            table.matches(&format!(" data-label=\"{name}\"")).count(),
            2,
            "{name}"
        );
        assert!(header.contains(&format!(">{name}</th>")), "{name}");
    }
    let scrolling = page.matches("<div class=\"scroll\"").count();
    let reached = page
        .matches("<div class=\"scroll\" role=\"region\" aria-label=")
        .count();
    assert_eq!(scrolling, reached);
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
                  <th scope=\"col\" class=\"n\">floor (copy)</th>";
    assert!(page.contains(header));
    assert!(page.contains("<title>2 runs compared · Lydian</title>"));
}

#[test]
fn the_floor_has_one_name_and_an_interval() {
    let cards = [card(
        "m",
        &[("one", "um", Some("um")), ("two", "dois", Some("dois"))],
    )];
    let floor = card(
        "copy",
        &[("one", "um", Some("one")), ("two", "dois", Some("two"))],
    )
    .scores;
    let page = render(&Report {
        cards: &cards,
        floor: Some(&floor),
    });
    let (lower, upper) = floor.confidence_intervals["chrf_plus_plus"].bounds().unwrap();
    assert!(
        page.contains(&format!("({lower:.1}–{upper:.1})")),
        "no interval of the floor"
    );
    assert_eq!(
        page.matches("class=\"interval\"").count(),
        2,
        "one line for the run, one for the floor"
    );
    assert!(!page.contains("source as output"));
}

#[test]
fn runs_of_one_method_have_names_that_differ() {
    let cards = [
        card("same", &[("a", "b", Some("b"))]),
        card("same", &[("a", "b", Some("c"))]),
    ];
    let page = render(&Report {
        cards: &cards,
        floor: None,
    });
    assert!(
        page.contains("run 1</th>") && page.contains("run 2</th>"),
        "two columns of one name"
    );
}

#[test]
fn what_was_not_measured_is_a_line_per_reason() {
    let cards = [card("m", &[("one", "um", Some("um"))])];
    let page = render(&Report {
        cards: &cards,
        floor: None,
    });
    assert!(page.contains("<h2>Not measured</h2>"));
    assert_eq!(page.matches("no semantic scorer").count(), 1);
    assert_eq!(page.matches("no analyser").count(), 1, "two metrics, one reason");
    assert!(!page.contains("<th scope=\"row\">semantic score</th>"));
}
