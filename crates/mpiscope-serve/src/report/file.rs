//! The file of a report: the page's own files put into one, and answers behind them.

use std::collections::BTreeMap;

use base64::prelude::{Engine, BASE64_STANDARD};
use miniz_oxide::deflate::compress_to_vec_zlib;

use crate::page;

/// How hard answers are packed, 0 to 10.
const LEVEL: u8 = 6;

/// Returns an answer as a report holds it.
pub(super) fn packed(body: &[u8]) -> String {
    BASE64_STANDARD.encode(compress_to_vec_zlib(body, LEVEL))
}

/// What a report may load: nothing but what is in it.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' blob:; \
                      style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:";

/// Returns the page with answers; nothing if there is no page in this program.
pub(super) fn with_answers(answers: &BTreeMap<String, String>) -> Option<Vec<u8>> {
    let text = |path| String::from_utf8(page::file(path)?.0.into_owned()).ok();
    let (index, style, script) = (text("/")?, text("/page.css")?, text("/page.js")?);
    let licences = text("/licences.txt")?;
    let icon = text("/icon.svg")?;
    let icon = format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(icon));
    let plain = |part: &str| -> String {
        let lines = part.lines().filter(|line| !loads(line));
        lines.map(|line| format!("{}\n", line.trim())).collect()
    };
    let head = plain(between(&index, "<head>", "</head>")?);
    let body = plain(between(&index, "<body>", "</body>")?);
    // Answers are base64 and their names plain, so nothing in them ends the element.
    let answers = serde_json::to_string(answers).ok()?;
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n{head}\
         <!--\n{}-->\n<style>\n{style}</style>\n</head>\n<body>\n{body}\
         <script type=\"application/json\" id=\"answers\">{answers}</script>\n\
         <script type=\"module\">\n{}</script>\n</body>\n</html>\n",
        licences.replace("--", "- -"),
        script
            .replace("</script", "<\\/script")
            .replace("<!--", "<\\!--")
            .replace("./icon.svg", &icon),
    );
    Some(html.into_bytes())
}

/// Returns whether a line of the page fetches another file of it.
fn loads(line: &str) -> bool {
    line.contains("<script") || line.contains("<link")
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<&'t str> {
    let (_, behind) = text.split_once(from)?;
    Some(behind.split_once(to)?.0)
}
