//! Whether XML is well-formed, without a parser that is ours.

/// Checks that elements are nested, attributes quoted, and no markup stands in text.
#[track_caller]
pub fn check_xml(text: &str) {
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    let body = body.unwrap_or(text);
    let mut open: Vec<&str> = Vec::new();
    for part in body.split('<').skip(1) {
        let (tag, after) = part.split_once('>').unwrap_or_else(|| panic!("{part}"));
        assert!(!after.contains('>'), "{part}");
        assert!(tag.matches('"').count() % 2 == 0, "{tag}");
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for reference in text.split('&').skip(1) {
        let name = reference.split(';').next().unwrap();
        assert!(["amp", "lt", "gt", "quot"].contains(&name), "{name}");
    }
}
