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
        .filter(|line| line.contains(COLOURS[0]) && !line.contains("fill-opacity"));
    let of_curve: Vec<&str> = of_curve.collect();
    expect![[r##"
        <path fill="none" stroke="#0072b2" stroke-width="1.5" d="M180.5 238.8L458.3 237.2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M72 364L72 133.2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M68 364L76 364"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M68 133.2L76 133.2"/>
        <circle cx="72" cy="248.6" r="3" fill="none" stroke="#0072b2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M381 290.9L381 175.5"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M377 290.9L385 290.9"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M377 175.5L385 175.5"/>
        <circle cx="381" cy="233.2" r="3" fill="none" stroke="#0072b2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M690 383.2L690 114"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M686 383.2L694 383.2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M686 114L694 114"/>
        <circle cx="690" cy="248.6" r="3" fill="none" stroke="#0072b2"/>
        <path fill="none" stroke="#0072b2" stroke-width="1.5" d="M72 641.8L690 640.2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M518.1 695L518.1 577.1"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M514.1 695L522.1 695"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M514.1 577.1L522.1 577.1"/>
        <circle cx="518.1" cy="636.1" r="3" fill="none" stroke="#0072b2"/>
        <path stroke="#0072b2" stroke-width="1.5" d="M714 80L730 80"/>"##]]
    .assert_eq(&of_curve.join("\n"));
    let text: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<text"))
        .collect();
    expect![[r#"
        <text x="72" y="26" text-anchor="start" class="title">heat &amp; &lt;co&gt;</text>
        <text x="72" y="45" text-anchor="start" class="soft">ahead of the master's clock, less the straight line given on the right</text>
        <text x="64" y="348.8" text-anchor="end">-500</text>
        <text x="64" y="252.6" text-anchor="end">0</text>
        <text x="64" y="156.4" text-anchor="end">500</text>
        <text x="72" y="426" text-anchor="middle">0.0</text>
        <text x="226.5" y="426" text-anchor="middle">0.5</text>
        <text x="381" y="426" text-anchor="middle">1.0</text>
        <text x="535.5" y="426" text-anchor="middle">1.5</text>
        <text x="381" y="445" text-anchor="middle">the master's time in ms: the whole run; recorded: shaded</text>
        <text x="64" y="66" text-anchor="end">ns</text>
        <text x="64" y="754" text-anchor="end">-500</text>
        <text x="64" y="655.8" text-anchor="end">0</text>
        <text x="64" y="557.6" text-anchor="end">500</text>
        <text x="105.7" y="826" text-anchor="middle">0.4</text>
        <text x="243.2" y="826" text-anchor="middle">0.6</text>
        <text x="380.7" y="826" text-anchor="middle">0.8</text>
        <text x="518.1" y="826" text-anchor="middle">1.0</text>
        <text x="655.6" y="826" text-anchor="middle">1.2</text>
        <text x="381" y="845" text-anchor="middle">the master's time in ms: while events were recorded</text>
        <text x="64" y="466" text-anchor="end">ns</text>
        <text x="736" y="84" text-anchor="start">rank 1</text>
        <text x="986" y="84" text-anchor="end" class="soft">350 µs, +20.000 ppm</text>
        <text x="390" y="66" text-anchor="start" class="soft">circles: measured; dots: knots; shade: uncertainty</text>"#]].assert_eq(&text.join("\n"));
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
