//! The picture of two clocks, and whether any picture is XML.

use super::*;
use expect_test::expect;
use mpiscope_run::model::Trace;
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
fn a_clock_is_drawn_against_its_line() {
    let svg = picture(TWO_CLOCKS, PresyncMode::Linear);
    assert_xml(&svg);
    let of_curve = svg
        .lines()
        .filter(|line| line.contains(COLOURS[0]) && !line.contains("0.15"));
    let of_curve: Vec<&str> = of_curve.collect();
    expect![[r##"
        <path fill="none" stroke="#0072b2" stroke-width="1.5" d="M72 235.2L690 231.4"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M72 380.5L72 111.5"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M68 380.5L76 380.5"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M68 111.5L76 111.5"/>
        <circle cx="72" cy="246" r="3" fill="none" stroke="#0072b2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M381 295.3L381 160.8"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M377 295.3L385 295.3"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M377 160.8L385 160.8"/>
        <circle cx="381" cy="228.1" r="3" fill="none" stroke="#0072b2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M690 402.9L690 89.1"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M686 402.9L694 402.9"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M686 89.1L694 89.1"/>
        <circle cx="690" cy="246" r="3" fill="none" stroke="#0072b2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M714 68L730 68"/>"##]].assert_eq(&of_curve.join("\n"));
    let text: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<text"))
        .collect();
    expect![[r#"
        <text x="72" y="26" text-anchor="start" class="title">heat &amp; &lt;co&gt;</text>
        <text x="72" y="45" text-anchor="start" class="soft">ahead of the master's clock, less the straight line given on the right</text>
        <text x="64" y="362.1" text-anchor="end">-500</text>
        <text x="64" y="250" text-anchor="end">0</text>
        <text x="64" y="137.9" text-anchor="end">500</text>
        <text x="72" y="448" text-anchor="middle">0.0</text>
        <text x="226.5" y="448" text-anchor="middle">0.5</text>
        <text x="381" y="448" text-anchor="middle">1.0</text>
        <text x="535.5" y="448" text-anchor="middle">1.5</text>
        <text x="690" y="448" text-anchor="middle">2.0</text>
        <text x="381" y="468" text-anchor="middle">the master's time in ms (traced: shaded)</text>
        <text x="64" y="52" text-anchor="end">ns</text>
        <text x="736" y="72" text-anchor="start">rank 1</text>
        <text x="986" y="72" text-anchor="end" class="soft">350 µs, +20.000 ppm</text>
        <text x="714" y="428" text-anchor="start" class="soft">circles: measured; dots: knots; shade: uncertainty</text>"#]].assert_eq(&text.join("\n"));
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
