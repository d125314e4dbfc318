//! The frame of a page: head, style, script.

use super::escape;

/// Returns a whole page. The policy forbids every request, so that opening a report tells nobody.
pub(crate) fn wrap(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title} · Lydian</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the results</a>\n\
         <main id=\"main\">\n<h1>{title}</h1>\n{body}</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
