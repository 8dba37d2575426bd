//! The picture of two clocks, and whether any picture is XML.

use super::*;
use expect_test::expect;
use mpiscope_archive::model::Trace;
use mpiscope_sync::{correct, Config, PresyncMode};

fn picture(text: &str, presync: PresyncMode) -> String {
    let trace = Trace::parse(text).unwrap();
    let config = Config {
        presync,
        ..Config::default()
    };
    let correction = correct(&trace, &config).unwrap();
    svg(&Curves::new("heat & <co>".into(), &trace, &correction))
}

/// Panics unless elements are closed in order and attributes are quoted.
fn assert_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, content) = tag.split_once('>').expect("a tag that ends");
        assert!(!content.contains('&') || content.contains(';'), "{content}");
        let name = tag.trim_end_matches('/').split(' ').next().unwrap();
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(closed), _) => assert_eq!(open.pop(), Some(closed)),
            (None, true) => {}
            (None, false) => open.push(name),
        }
        let quotes = tag.matches('"').count();
        assert_eq!(quotes, 2 * tag.matches("=\"").count(), "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
}

const TWO_CLOCKS: &str = "\
clock 0:
clock 1: 0 -350000 ±600, 1000000 -350100 ±300, 2000000 -350040 ±700
0: 1000 send>1 900000 recv<1
1: 352000 recv<0 1200000 send>0";

#[test]
fn a_curve_has_its_measurements_knots_and_band() {
    let curve = Curve {
        name: "rank 1".into(),
        path: vec![(2e9, 1000.0), (5e9, -500.0), (8e9, 1000.0)],
        bands: vec![vec![(2e9, 800.0, 1200.0), (8e9, 900.0, 1100.0)]],
        measured: vec![(0.0, 0.0, 600.0), (1e10, 0.0, 300.0)],
        knots: vec![(2e9, 1000.0), (5e9, -500.0), (8e9, 1000.0)],
        ..Curve::default()
    };
    let curves = Curves {
        title: "heat & <co>".into(),
        traced: [2e9, 8e9],
        shown: vec![curve],
        all: 1,
    };
    let svg = svg(&curves);
    assert_xml(&svg);
    let drawn: Vec<&str> = svg
        .lines()
        .filter(|line| line.contains(COLOURS[0]))
        .collect();
    expect![[r##"
        <path fill="#0072b2" fill-opacity="0.1" d="M195.6 98.8L566.4 114.6L566.4 146.2L195.6 162Z"/>
        <path fill="none" stroke="#0072b2" stroke-width="1.5" d="M195.6 130.4L381 367.4L566.4 130.4"/>
        <circle cx="195.6" cy="130.4" r="1.8" fill="#0072b2" stroke="none"/>
        <circle cx="381" cy="367.4" r="1.8" fill="#0072b2" stroke="none"/>
        <circle cx="566.4" cy="130.4" r="1.8" fill="#0072b2" stroke="none"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M72 383.2L72 193.6"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M68 383.2L76 383.2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M68 193.6L76 193.6"/>
        <circle cx="72" cy="288.4" r="3" fill="none" stroke="#0072b2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M690 335.8L690 241"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M686 335.8L694 335.8"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M686 241L694 241"/>
        <circle cx="690" cy="288.4" r="3" fill="none" stroke="#0072b2"/>
        <path fill="#0072b2" fill-opacity="0.1" d="M72 498.8L690 515.5L690 549L72 565.7Z"/>
        <path fill="none" stroke="#0072b2" stroke-width="1.5" d="M72 532.2L381 783.2L690 532.2"/>
        <circle cx="72" cy="532.2" r="1.8" fill="#0072b2" stroke="none"/>
        <circle cx="381" cy="783.2" r="1.8" fill="#0072b2" stroke="none"/>
        <circle cx="690" cy="532.2" r="1.8" fill="#0072b2" stroke="none"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M714 80L730 80"/>"##]].assert_eq(&drawn.join("\n"));
    let text: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<text"))
        .collect();
    expect![[r#"
        <text x="72" y="26" text-anchor="start" class="title">heat &amp; &lt;co&gt;</text>
        <text x="72" y="45" text-anchor="start" class="soft">ahead of the master's clock, less the straight line given on the right</text>
        <text x="64" y="371.4" text-anchor="end">-0.5</text>
        <text x="64" y="292.4" text-anchor="end">0.0</text>
        <text x="64" y="213.4" text-anchor="end">0.5</text>
        <text x="64" y="134.4" text-anchor="end">1.0</text>
        <text x="72" y="426" text-anchor="middle">0</text>
        <text x="195.6" y="426" text-anchor="middle">2</text>
        <text x="319.2" y="426" text-anchor="middle">4</text>
        <text x="442.8" y="426" text-anchor="middle">6</text>
        <text x="566.4" y="426" text-anchor="middle">8</text>
        <text x="690" y="426" text-anchor="middle">10</text>
        <text x="381" y="445" text-anchor="middle">the master's time in s: the whole run; recorded: shaded</text>
        <text x="64" y="66" text-anchor="end">µs</text>
        <text x="64" y="787.2" text-anchor="end">-0.5</text>
        <text x="64" y="703.6" text-anchor="end">0.0</text>
        <text x="64" y="619.9" text-anchor="end">0.5</text>
        <text x="64" y="536.2" text-anchor="end">1.0</text>
        <text x="72" y="826" text-anchor="middle">2</text>
        <text x="175" y="826" text-anchor="middle">3</text>
        <text x="278" y="826" text-anchor="middle">4</text>
        <text x="381" y="826" text-anchor="middle">5</text>
        <text x="484" y="826" text-anchor="middle">6</text>
        <text x="587" y="826" text-anchor="middle">7</text>
        <text x="690" y="826" text-anchor="middle">8</text>
        <text x="381" y="845" text-anchor="middle">the master's time in s: while events were recorded</text>
        <text x="64" y="466" text-anchor="end">µs</text>
        <text x="736" y="84" text-anchor="start">rank 1</text>
        <text x="986" y="84" text-anchor="end" class="soft">0 ns</text>
        <text x="390" y="66" text-anchor="start" class="soft">circles: measured; dots: knots; shade: uncertainty</text>"#]].assert_eq(&text.join("\n"));
}

#[test]
fn the_legend_names_clocks_and_their_lines() {
    let svg = picture(TWO_CLOCKS, PresyncMode::Linear);
    assert!(svg.contains(">rank 1</text>"));
    assert!(svg.contains(">350 µs, +20.000 ppm</text>"));
}

#[test]
fn every_picture_is_xml() {
    for presync in [PresyncMode::None, PresyncMode::Linear, PresyncMode::Fit] {
        for text in ["", "0: 1", "0: 1\n1: 1", TWO_CLOCKS] {
            assert_xml(&picture(text, presync));
        }
    }
    let many: Vec<String> = (0..60)
        .map(|rank| {
            format!(
                "clock {rank}: 0 +{rank} ±1, 100 +{} ±1\n{rank}: 5 90",
                rank * 7 % 9
            )
        })
        .collect();
    let svg = picture(&many.join("\n"), PresyncMode::Linear);
    assert_xml(&svg);
    assert!(svg.contains("more clocks"));
}
