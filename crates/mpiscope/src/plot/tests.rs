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
        <path fill="#0072b2" fill-opacity="0.13" d="M180.5 100.3L182.8 100.3L185.1 100.4L187.4 100.2L189.7 100.2L192 100.3L194.3 100.3L196.7 100.3L199 100.1L201.3 100.2L203.6 100.2L205.9 100.2L208.2 100.1L210.6 100.1L212.9 100.1L215.2 100.2L217.5 100.2L219.8 100L222.1 100.1L224.4 100.1L226.8 100.1L229.1 100.1L231.4 100L233.7 100L236 100L238.3 100.1L240.6 99.9L243 99.9L245.3 100L247.6 100L249.9 100L252.2 99.8L254.5 99.9L256.8 99.9L259.2 99.9L261.5 100L263.8 99.8L266.1 99.8L268.4 99.9L270.7 99.9L273.1 99.7L275.4 99.8L277.7 99.8L280 99.8L282.3 99.8L284.6 99.7L286.9 99.7L289.3 99.7L291.6 99.8L293.9 99.8L296.2 99.6L298.5 99.7L300.8 99.7L303.1 99.7L305.5 99.5L307.8 99.6L310.1 99.6L312.4 99.6L314.7 99.7L317 99.5L319.3 99.5L321.7 99.6L324 99.6L326.3 99.6L328.6 99.5L330.9 99.5L333.2 99.5L335.6 99.5L337.9 99.4L340.2 99.4L342.5 99.4L344.8 99.5L347.1 99.5L349.4 99.3L351.8 99.4L354.1 99.4L356.4 99.4L358.7 99.4L361 99.3L363.3 99.3L365.6 99.3L368 99.4L370.3 99.2L372.6 99.2L374.9 99.3L377.2 99.3L379.5 99.3L381.8 99.2L384.2 99.2L386.5 99.2L388.8 99.2L391.1 99.3L393.4 99.1L395.7 99.1L398 99.2L400.4 99.2L402.7 99L405 99.1L407.3 99.1L409.6 99.1L411.9 99.1L414.3 99L416.6 99L418.9 99L421.2 99.1L423.5 99.1L425.8 98.9L428.1 99L430.5 99L432.8 99L435.1 99L437.4 98.9L439.7 98.9L442 98.9L444.3 99L446.7 98.8L449 98.8L451.3 98.9L453.6 98.9L455.9 98.9L458.2 98.8L458.2 375.7L455.9 375.9L453.6 375.9L451.3 375.8L449 375.8L446.7 375.8L444.3 376L442 375.9L439.7 375.9L437.4 375.9L435.1 376L432.8 376L430.5 376L428.1 375.9L425.8 375.9L423.5 376.1L421.2 376L418.9 376L416.6 376L414.3 376L411.9 376.1L409.6 376.1L407.3 376.1L405 376L402.7 376L400.4 376.2L398 376.1L395.7 376.1L393.4 376.1L391.1 376.3L388.8 376.2L386.5 376.2L384.2 376.2L381.8 376.1L379.5 376.3L377.2 376.3L374.9 376.2L372.6 376.2L370.3 376.2L368 376.3L365.6 376.3L363.3 376.3L361 376.3L358.7 376.4L356.4 376.4L354.1 376.4L351.8 376.3L349.4 376.3L347.1 376.5L344.8 376.4L342.5 376.4L340.2 376.4L337.9 376.4L335.6 376.5L333.2 376.5L330.9 376.5L328.6 376.4L326.3 376.6L324 376.6L321.7 376.5L319.3 376.5L317 376.5L314.7 376.6L312.4 376.6L310.1 376.6L307.8 376.6L305.5 376.5L303.1 376.7L300.8 376.7L298.5 376.6L296.2 376.6L293.9 376.8L291.6 376.7L289.3 376.7L286.9 376.7L284.6 376.7L282.3 376.8L280 376.8L277.7 376.8L275.4 376.7L273.1 376.7L270.7 376.9L268.4 376.8L266.1 376.8L263.8 376.8L261.5 376.9L259.2 376.9L256.8 376.9L254.5 376.9L252.2 376.8L249.9 377L247.6 377L245.3 376.9L243 376.9L240.6 376.9L238.3 377L236 377L233.7 377L231.4 377L229.1 377.1L226.8 377.1L224.4 377.1L222.1 377L219.8 377L217.5 377.2L215.2 377.1L212.9 377.1L210.6 377.1L208.2 377.1L205.9 377.2L203.6 377.2L201.3 377.2L199 377.1L196.7 377.3L194.3 377.3L192 377.2L189.7 377.2L187.4 377.2L185.1 377.3L182.8 377.3L180.5 377.3Z"/>
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
        <path fill="#0072b2" fill-opacity="0.13" d="M72 500.3L77.1 500.4L82.3 500.4L87.4 500.2L92.6 500.3L97.7 500.3L102.9 500.3L108 500.3L113.2 500.2L118.3 500.2L123.5 500.2L128.6 500.3L133.8 500.1L138.9 500.1L144.1 500.2L149.2 500.2L154.4 500.2L159.5 500L164.7 500.1L169.8 500.1L175 500.1L180.1 500.2L185.3 500L190.4 500L195.6 500.1L200.7 500.1L205.9 499.9L211 500L216.2 500L221.3 500L226.5 500L231.6 499.9L236.8 499.9L241.9 499.9L247.1 500L252.2 500L257.4 499.8L262.5 499.9L267.7 499.9L272.8 499.9L278 499.7L283.1 499.8L288.3 499.8L293.4 499.8L298.6 499.9L303.7 499.7L308.9 499.7L314 499.8L319.2 499.8L324.3 499.8L329.5 499.6L334.6 499.7L339.8 499.7L344.9 499.7L350.1 499.6L355.2 499.6L360.4 499.6L365.5 499.7L370.7 499.7L375.8 499.5L381 499.5L386.1 499.6L391.3 499.6L396.4 499.6L401.6 499.5L406.7 499.5L411.9 499.5L417 499.6L422.2 499.4L427.3 499.4L432.5 499.4L437.6 499.5L442.8 499.5L447.9 499.3L453.1 499.4L458.2 499.4L463.4 499.4L468.5 499.5L473.7 499.3L478.8 499.3L484 499.3L489.1 499.4L494.3 499.2L499.4 499.2L504.6 499.3L509.7 499.3L514.9 499.3L520 499.2L525.2 499.2L530.3 499.2L535.5 499.3L540.6 499.3L545.8 499.1L550.9 499.1L556.1 499.2L561.2 499.2L566.4 499L571.5 499.1L576.7 499.1L581.8 499.1L587 499.2L592.1 499L597.3 499L602.4 499L607.6 499.1L612.7 499.1L617.9 498.9L623 499L628.2 499L633.3 499L638.4 499.1L643.6 498.9L648.7 498.9L653.9 498.9L659 499L664.2 498.8L669.3 498.8L674.5 498.9L679.6 498.9L684.8 498.9L689.9 498.8L689.9 781.6L684.8 781.8L679.6 781.7L674.5 781.7L669.3 781.7L664.2 781.7L659 781.8L653.9 781.8L648.7 781.8L643.6 781.7L638.4 781.9L633.3 781.9L628.2 781.8L623 781.8L617.9 781.8L612.7 782L607.6 781.9L602.4 781.9L597.3 781.9L592.1 781.8L587 782L581.8 782L576.7 781.9L571.5 781.9L566.4 781.9L561.2 782L556.1 782L550.9 782L545.8 782L540.6 782.1L535.5 782.1L530.3 782.1L525.2 782L520 782L514.9 782.2L509.7 782.1L504.6 782.1L499.4 782.1L494.3 782.1L489.1 782.2L484 782.2L478.8 782.2L473.7 782.1L468.5 782.3L463.4 782.3L458.2 782.2L453.1 782.2L447.9 782.2L442.8 782.4L437.6 782.3L432.5 782.3L427.3 782.3L422.2 782.2L417 782.4L411.9 782.4L406.7 782.3L401.6 782.3L396.4 782.5L391.3 782.5L386.1 782.4L381 782.4L375.8 782.4L370.7 782.5L365.5 782.5L360.4 782.5L355.2 782.4L350.1 782.4L344.9 782.6L339.8 782.6L334.6 782.5L329.5 782.5L324.3 782.7L319.2 782.6L314 782.6L308.9 782.6L303.7 782.5L298.6 782.7L293.4 782.7L288.3 782.7L283.1 782.6L278 782.6L272.8 782.8L267.7 782.7L262.5 782.7L257.4 782.7L252.2 782.8L247.1 782.8L241.9 782.8L236.8 782.7L231.6 782.7L226.5 782.9L221.3 782.9L216.2 782.8L211 782.8L205.9 782.8L200.7 782.9L195.6 782.9L190.4 782.9L185.3 782.8L180.1 783L175 783L169.8 783L164.7 782.9L159.5 782.9L154.4 783.1L149.2 783L144.1 783L138.9 783L133.8 782.9L128.6 783.1L123.5 783.1L118.3 783.1L113.2 783L108 783.2L102.9 783.2L97.7 783.1L92.6 783.1L87.4 783.1L82.3 783.2L77.1 783.2L72 783.2Z"/>
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
