//! Links of all pages of the book: each leads to a file, and to a heading if it names one.

use std::collections::BTreeSet;
use std::path::Path;

use crate::page::{book, pages_below, Page};

/// Returns a heading as mdbook names it in addresses.
fn anchor(heading: &str) -> String {
    // Of a link in a heading its words are what is seen.
    let words = heading.replace("](", "\u{0}");
    let words = words
        .split('\u{0}')
        .enumerate()
        .map(|(number, part)| match number {
            0 => part,
            _ => part.split_once(')').map_or(part, |it| it.1),
        });
    let letter = |it: char| match it {
        ' ' => Some('-'),
        it if it.is_alphanumeric() || "-_".contains(it) => it.to_lowercase().next(),
        _ => None,
    };
    words
        .collect::<String>()
        .trim()
        .chars()
        .filter_map(letter)
        .collect()
}

fn anchors(page: &Page) -> BTreeSet<String> {
    let prose = page.prose();
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|it| anchor(it.trim_start_matches('#').trim()))
        .collect()
}

#[test]
fn headings_have_addresses() {
    assert_eq!(
        anchor("What `sync --lmin` means: *all*"),
        "what-sync---lmin-means-all"
    );
    assert_eq!(anchor("See [the page](view.md), too"), "see-the-page-too");
}

#[test]
fn links_lead_to_files_and_headings() {
    for name in pages_below("") {
        let page = Page::read(&name);
        for link in page.links() {
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let folder = page.path().parent().unwrap().to_owned();
            let target = match file {
                "" => page.path(),
                file => folder.join(file),
            };
            assert!(target.is_file(), "{name}: {link}");
            if !heading.is_empty() {
                let target = target.canonicalize().unwrap();
                let root = book().canonicalize().unwrap();
                let name_there = target.strip_prefix(root).unwrap().with_extension("");
                let there = anchors(&Page::read(name_there.to_str().unwrap()));
                assert!(there.contains(heading), "{name}: {link} of {there:?}");
            }
        }
    }
}

#[test]
fn each_page_is_in_the_table_of_contents() {
    let listed: BTreeSet<String> = Page::read("SUMMARY").links().into_iter().collect();
    let file = |name: &String| Path::new(name).with_extension("md").display().to_string();
    let there = pages_below("").iter().map(file).collect::<BTreeSet<_>>();
    let missing: Vec<&String> = there.difference(&listed).collect();
    assert_eq!(missing, ["SUMMARY.md"]);
}
