//! The page itself: files that are a part of the program. No request opens any other.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

/// Types of files, by the end of their names.
const TYPES: [(&str, &str); 9] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("txt", "text/plain; charset=utf-8"),
];

/// Returns a file of the page and its type; `/` is the page.
pub fn file(path: &str) -> Option<(Cow<'static, [u8]>, &'static str)> {
    let name = match path {
        "/" => "index.html",
        _ => path.strip_prefix('/')?,
    };
    // Where files are read instead, as builds for tests do, names lead nowhere else.
    let is_plain = name
        .split('/')
        .all(|part| !part.starts_with('.') && !part.is_empty());
    let file = Files::get(name).filter(|_| is_plain)?;
    let end = name.rsplit('.').next().unwrap_or_default();
    let known = TYPES.iter().find(|(it, _)| *it == end);
    Some((
        file.data,
        known.map_or("application/octet-stream", |it| it.1),
    ))
}
