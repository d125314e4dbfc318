//! Holds the documentation together: links resolve, every page stands in the table of contents.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies in crates/")
}

fn markdown_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for item in std::fs::read_dir(folder).expect("a readable folder") {
        let path = item.expect("a readable folder").path();
        if path.is_dir() && !path.ends_with("book") {
            markdown_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

fn pages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["docs", "examples", "languages", "fixtures"] {
        let folder = root().join(folder);
        if folder.is_dir() {
            markdown_below(&folder, &mut found);
        }
    }
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        found.push(root().join(page));
    }
    found.sort();
    found
}

/// Returns the targets of inline links outside code, as (line number, target).
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
        for part in prose.split("](").skip(1) {
            if let Some(target) = part.split(')').next() {
                found.push((index + 1, target.to_owned()));
            }
        }
    }
    found
}

/// Returns the anchor a heading gets: lower case, spaces to hyphens, other signs dropped.
fn anchor(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter_map(|sign| match sign {
            ' ' => Some('-'),
            sign if sign.is_alphanumeric() || sign == '-' || sign == '_' => Some(sign),
            _ => None,
        })
        .collect()
}

fn problem(page: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, fragment) = target
        .split_once('#')
        .map_or((target, None), |(file, rest)| (file, Some(rest)));
    let resolved = if file.is_empty() {
        page.to_path_buf()
    } else {
        page.parent().expect("a folder").join(file)
    };
    if !resolved.exists() {
        return Some("no such file".to_owned());
    }
    let fragment = fragment?;
    let text = std::fs::read_to_string(&resolved).ok()?;
    let known = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .any(|line| anchor(line) == fragment);
    (!known).then(|| format!("no heading for #{fragment}"))
}

#[test]
fn links_in_the_documentation_resolve() {
    let mut problems = Vec::new();
    let mut seen = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("pages are UTF-8");
        for (line, target) in links(&text) {
            seen += 1;
            if let Some(cause) = problem(&page, &target) {
                problems.push(format!("{}:{line}: {target}: {cause}", page.display()));
            }
        }
    }
    assert!(seen > 20, "only {seen} links seen");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_page_stands_in_the_table_of_contents() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("docs/SUMMARY.md");
    let listed: BTreeSet<PathBuf> = links(&summary)
        .into_iter()
        .map(|(_, target)| docs.join(target))
        .collect();
    let mut found = Vec::new();
    markdown_below(&docs, &mut found);
    let missing: Vec<String> = found
        .iter()
        .filter(|page| !page.ends_with("SUMMARY.md") && !listed.contains(*page))
        .map(|page| page.display().to_string())
        .collect();
    assert!(
        missing.is_empty(),
        "not in docs/SUMMARY.md: {}",
        missing.join(", ")
    );
}

#[test]
fn links_are_found_outside_code_only() {
    let text = "see [a](x.md) and `[b](y.md)`\n```\n[c](z.md)\n```\n[d](w.md#part)";
    assert_eq!(links(text), [(1, "x.md".to_owned()), (5, "w.md#part".to_owned())]);
}

#[test]
fn headings_become_the_anchors_of_the_book() {
    assert_eq!(
        anchor("## What counts: one denominator"),
        "what-counts-one-denominator"
    );
}

fn rust_sources(folder: &Path, text: &mut String) {
    for item in std::fs::read_dir(folder).expect("a readable folder") {
        let path = item.expect("a readable folder").path();
        if path.is_dir() {
            rust_sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).expect("sources are UTF-8"));
        }
    }
}

#[test]
fn every_reported_failure_names_tests_that_exist() {
    let page = root().join("docs/reference/reported-failures.md");
    let page = std::fs::read_to_string(page).expect("docs/reference/reported-failures.md");
    let mut sources = String::new();
    rust_sources(&root().join("crates"), &mut sources);
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| ") && line.as_bytes()[2].is_ascii_digit())
        .collect();
    assert_eq!(rows.len(), 44);
    for (index, row) in rows.iter().enumerate() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[1], (index + 1).to_string());
        for test in cells[4].split(", ") {
            let declared = format!("fn {}()", test.trim_matches('`'));
            assert!(sources.contains(&declared), "{index}: no test {test}");
        }
    }
}
