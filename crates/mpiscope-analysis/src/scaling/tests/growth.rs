//! With which power of the ranks times grow, and how sure that is.

use super::*;

#[track_caller]
fn check_growth(points: &[(f64, f64)], expected: Option<(f64, f64)>) {
    let found =
        super::super::growth::of(points.iter().copied()).map(|it| (it.exponent, it.half_width));
    match (found, expected) {
        (Some(a), Some(b)) => {
            assert!(
                (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-3,
                "{a:?} {b:?}"
            );
        }
        (a, b) => assert_eq!(a, b),
    }
}

#[test]
fn powers_are_found_from_three_sizes_on() {
    let power = |p: f64| (p, 7.0 * p.powf(1.5));
    check_growth(&[1.0, 2.0, 8.0].map(power), Some((1.5, 0.0)));
    check_growth(&[1.0, 2.0].map(power), None);
    // What is nothing at one of the sizes leaves two.
    check_growth(&[(1.0, 0.0), (2.0, 3.0), (4.0, 9.0)], None);
}

#[test]
fn the_interval_is_that_of_a_line_through_logarithms() {
    // Logarithms to the base 2 are (0, 0), (1, 2), (2, 1): the slope is 1/2, the rest 3/2 with one
    // degree of freedom, and the squares of x are 2.
    let half_width = 12.706 * (1.5f64 / 2.0).sqrt();
    check_growth(
        &[(1.0, 1.0), (2.0, 4.0), (4.0, 2.0)],
        Some((0.5, half_width)),
    );
}

#[test]
fn beyond_the_table_the_interval_is_no_narrower_than_it_is() {
    // Ends in turn above and below 2^x: 33 sizes leave 31 degrees of freedom.
    let point = |x: i32| (2f64.powi(x), 2f64.powi(x + x % 2));
    let points: Vec<_> = (0..33).map(point).collect();
    let found = super::super::growth::of(points.into_iter()).unwrap();
    let (freedom, width): (f64, f64) = (31.0, (0..33).map(|x| f64::from(x - 16).powi(2)).sum());
    // 16 of 33 are above: squares of what is left are 16 · 17 / 33.
    let error = (16.0 * 17.0 / 33.0 / freedom / width).sqrt();
    assert!((found.half_width / error - 2.042).abs() < 1e-3, "{found:?}");
}

#[test]
fn runs_once_more_do_not_make_the_power_surer() {
    let once: Vec<Run> = [(1, 100), (2, 110), (4, 90), (8, 130)]
        .map(|(ranks, ns)| part(ranks, ns))
        .into();
    let twice = [once.clone(), once.clone()].concat();
    let growth = |runs: &[Run]| {
        let found = scale(runs, Kind::Strong, None).unwrap();
        let is_part = |row: &&Row| row.part == Part::Of(Key::Region("part".into()));
        found.rows.iter().find(is_part).unwrap().growth.unwrap()
    };
    assert!(growth(&once).half_width > 0.1);
    assert_eq!(growth(&once), growth(&twice));
}
