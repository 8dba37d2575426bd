//! Small runs as pictures: which shapes there are, which pixels, and what cannot be drawn.
#![forbid(unsafe_code)]

mod common;

use common::shown;
use expect_test::{expect, Expect};
use miniz_oxide::inflate::decompress_to_vec_zlib;
use mpiscope_analysis::finding::Findings;
use mpiscope_model::Trace;
use mpiscope_picture::{draw, Choice, Colour, Shape, Theme, LIGHT};
use mpiscope_serve::{About, Shown};
use mpiscope_tiles::{Class, Run};

const RUN: &str = "\
    0: 0 enter(MPI_Recv) 50 recv<1 60 leave(MPI_Recv) 100 enter(MPI_Barrier) 100 barrier{ 200 } 200 leave(MPI_Barrier) 256
    1: 0 40 enter(MPI_Send) 45 send>0 54 leave(MPI_Send) 180 enter(MPI_Barrier) 180 barrier{ 200 } 200 leave(MPI_Barrier) 256";

fn choice() -> Choice {
    Choice {
        width: 400,
        ..Choice::default()
    }
}

/// Returns the elements of an SVG, without its head; refuses what is no XML.
fn elements(svg: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = svg
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        .unwrap();
    while let Some((text, behind)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text}");
        for (_, entity) in text.match_indices('&').map(|(at, _)| (at, &text[at..])) {
            let known = ["&lt;", "&gt;", "&amp;", "&quot;"];
            assert!(known.iter().any(|it| entity.starts_with(it)), "{entity}");
        }
        let (tag, behind) = behind.split_once('>').unwrap();
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{tag}");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if !tag.ends_with('/') {
            open.push(name.to_owned());
        }
        let (words, _) = rest.split_once('<').unwrap_or((rest, ""));
        found.push(format!("{tag}|{}", words.trim()));
    }
    assert!(open.is_empty(), "{open:?}");
    found
}

/// Shows the areas and lines of some parts of a picture.
#[track_caller]
fn check(svg: &str, parts: &[&str], expected: Expect) {
    let of_part = |it: &&String| {
        parts
            .iter()
            .any(|part| it.contains(&format!("class=\"{part}\"")))
    };
    let all = elements(svg);
    let lines: Vec<&str> = (all.iter().filter(of_part))
        .map(|it| it.split(" class=").nth(1).unwrap().trim_end_matches("/|"))
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn states_are_rectangles_that_begin_and_end_where_they_do() {
    let svg = draw(&shown(RUN, "run"), &choice()).unwrap().svg();
    check(
        &svg,
        &["computation", "point_to_point", "collective", "waiting"],
        expect![[r##"
            "point_to_point" fill="#0072b2" d="M50.54 30H128.69V49.68H50.54ZM102.64 54H120.88V73.68H102.64Z"
            "collective" fill="#cc79a7" d="M180.8 30H311.06V49.68H180.8ZM285 54H311.06V73.68H285Z"
            "computation" fill="#c3cddb" d="M128.69 30H180.8V49.68H128.69ZM311.06 30H384V49.68H311.06ZM50.54 54H102.64V73.68H50.54ZM120.88 54H285V73.68H120.88ZM311.06 54H384V73.68H311.06Z"
            "waiting" fill="url(#hatch-cf6a00)" d="M50.54 30H102.64V49.68H50.54ZM180.8 30H285V49.68H180.8Z""##]],
    );
}

#[test]
fn what_lies_over_them_is_drawn_too() {
    let svg = draw(&shown(RUN, "run"), &choice()).unwrap().svg();
    check(
        &svg,
        &[
            "message",
            "collective_operation",
            "critical_path",
            "reversed_message",
        ],
        expect![[r##"
            "collective_operation" fill="#cc79a7" fill-opacity="0.12" d="M180.8 30H311.06V73.68H180.8Z"
            "collective_operation" fill="none" stroke="#cc79a7" stroke-width="1" stroke-opacity="0.9" d="M180.8 30H311.06M180.8 73.68H311.06M285 30V73.68"
            "critical_path" fill="none" stroke="#c79a00" stroke-width="1.6" d="M50.54 54H285V73.68H50.54ZM285 54V49.68M285 30H384V49.68H285Z"
            "message" fill="none" stroke="#2b3542" stroke-width="0.8" stroke-opacity="0.75" d="M109.15 63.84L114.54 43.99"
            "message" fill="#2b3542" fill-opacity="0.75" d="M115.67 39.84L116.04 44.4L113.05 43.58Z""##]],
    );
}

#[test]
fn hosts_have_their_names_and_brackets_where_there_are_several() {
    let draw_it = |hosts: &str, ranks: u32| {
        let rows = (0..ranks).map(|rank| format!("{rank}: 0 enter(work) 9 leave(work)\n"));
        let shown = shown(&(hosts.to_owned() + &rows.collect::<String>()), "run");
        draw(&shown, &choice()).unwrap()
    };
    let named = |hosts: &str, ranks| -> Vec<(String, f32, f32)> {
        let shapes = draw_it(hosts, ranks).shapes;
        let texts = shapes.into_iter().filter_map(|shape| match shape {
            Shape::Text { text, x, y, .. } if text.starts_with("node") => Some((text, x, y)),
            _ => None,
        });
        texts.collect()
    };
    // Above the rows, beside them where there is one each, and not where there is one host.
    let above = named("host node0: 0 1\nhost node1: 2 3\n", 4);
    assert_eq!(above.len(), 2);
    assert_eq!(above[0].1, above[1].1);
    let beside = named("host node0: 0\nhost node1: 1\n", 2);
    assert_eq!(beside.len(), 2, "{beside:?}");
    assert!(beside[0].2 < beside[1].2);
    assert!(beside[0].1 > above[0].1, "{beside:?} end at the bracket");
    assert_eq!(named("host node0: 0 1\n", 2), []);
    let svg = draw_it("host node0: 0\nhost node1: 1\n", 2).svg();
    let brackets = elements(&svg)
        .into_iter()
        .filter(|it| it.contains("class=\"host\""));
    assert_eq!(brackets.map(|it| it.matches('M').count()).sum::<usize>(), 2);
}

#[test]
fn a_message_that_runs_backward_is_red() {
    let reversed = "0: 0 10 recv<1 90\n1: 0 40 send>0 90";
    let svg = draw(&shown(reversed, "run"), &choice()).unwrap().svg();
    assert!(svg.contains("class=\"reversed_message\" fill=\"none\" stroke=\"#c8102e\""));
    assert!(!svg.contains("class=\"message\""));
    assert!(svg.contains("Received before sent (1)"));
}

#[test]
fn names_with_markup_are_names() {
    let drawing = draw(&shown(RUN, "<b>&\"x\"</b>"), &choice()).unwrap();
    let all = elements(&drawing.svg());
    let title =
        "title id=\"title\"|&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt; · measured time · all of 256 ns";
    assert!(all.iter().any(|it| it == title), "{all:#?}");
}

/// Calls that are far shorter than a column have their shares of the height.
#[test]
fn what_is_shorter_than_the_picture_can_show_is_shared() {
    let mut events = String::from("0: 0");
    for at in 0..20_000u32 {
        let time = 100 * at;
        events += &format!(" {time} enter(MPI_Send) {} leave(MPI_Send)", time + 25);
    }
    events += " 2000000";
    let drawing = draw(&shown(&events, "run"), &choice()).unwrap();
    let svg = drawing.svg();
    assert!(svg.len() < 12_000, "{}", svg.len());
    let pixels = drawing.pixels(1.0);
    let lane = |part: f32| colour_at(&pixels, 300, (30.0 + part * 19.7) as usize);
    assert_eq!(lane(0.1), LIGHT.of(Class::PointToPoint));
    assert_eq!(lane(0.6), LIGHT.of(Class::Computation));
}

fn colour_at(pixels: &mpiscope_picture::Pixels, x: usize, y: usize) -> Colour {
    let at = 3 * (y * pixels.width + x);
    let [red, green, blue] = pixels.bytes[at..at + 3].try_into().unwrap();
    Colour(u32::from_be_bytes([0, red, green, blue]))
}

#[test]
fn pixels_have_the_colours_of_what_is_there() {
    let drawing = draw(&shown(RUN, "run"), &choice()).unwrap();
    let pixels = drawing.pixels(2.0);
    assert_eq!(pixels.width, 800);
    // The rows begin at 30 and 54.
    let at = |row: u32, time: f32| {
        let left = drawing.width - 16.0 - room(&drawing);
        let x = (left + time / 256.0 * room(&drawing)) * 2.0;
        colour_at(&pixels, x as usize, (30 + 24 * row + 3) as usize * 2)
    };
    assert_eq!(at(1, 20.0), LIGHT.of(Class::Computation));
    assert_eq!(at(1, 42.0), LIGHT.of(Class::PointToPoint));
    assert_eq!(at(0, 230.0), LIGHT.of(Class::Computation));
    assert_eq!(colour_at(&pixels, 2, 2), LIGHT.background);
    // A part of a waiting call is its hatch.
    let waits: Vec<Colour> = (10..40).map(|time| at(0, time as f32)).collect();
    assert!(waits.contains(&LIGHT.waiting) && waits.contains(&LIGHT.of(Class::PointToPoint)));
}

fn room(drawing: &mpiscope_picture::Drawing) -> f32 {
    let rows = drawing.shapes.iter().find_map(|shape| match shape {
        Shape::Fill {
            what: "row", path, ..
        } => Some(path),
        _ => None,
    });
    let x = rows.unwrap().0.iter().filter_map(|step| match step {
        mpiscope_picture::Step::Line(x, _) | mpiscope_picture::Step::Move(x, _) => Some(*x),
        mpiscope_picture::Step::Close => None,
    });
    let (low, high) = x.fold((f32::MAX, f32::MIN), |(a, b), x| (a.min(x), b.max(x)));
    high - low
}

#[test]
fn a_png_holds_the_pixels() {
    let drawing = draw(&shown(RUN, "run"), &choice()).unwrap();
    let (png, pixels) = (drawing.png(1.0), drawing.pixels(1.0));
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let mut at = 8;
    let mut data = Vec::new();
    while at < png.len() {
        let length = u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
        let (name, body) = (&png[at + 4..at + 8], &png[at + 8..at + 8 + length]);
        if name == b"IHDR" {
            let size = [pixels.width as u32, pixels.height as u32].map(u32::to_be_bytes);
            assert_eq!(body[..8], size.concat());
        }
        if name == b"IDAT" {
            data.extend(body);
        }
        at += 12 + length;
    }
    let lines = decompress_to_vec_zlib(&data).unwrap();
    let length = 3 * pixels.width;
    let mut above = vec![0u8; length];
    for (line, expected) in lines.chunks(length + 1).zip(pixels.bytes.chunks(length)) {
        assert_eq!(line[0], 2);
        let own = line[1..].iter().zip(&above);
        above = own.map(|(it, above)| it.wrapping_add(*above)).collect();
        assert_eq!(above, expected);
    }
}

#[test]
fn a_window_and_ranks_are_chosen() {
    let choice = Choice {
        ranks: Some(vec![1]),
        from: Some(40),
        to: Some(60),
        theme: Theme::Dark,
        ..choice()
    };
    let svg = draw(&shown(RUN, "run"), &choice).unwrap().svg();
    assert!(svg.contains("measured time · 40 ns to 60 ns"));
    assert!(svg.contains(">rank 1<") && !svg.contains(">rank 0<"));
    assert!(svg.contains("fill=\"#12171e\""));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let shown = shown(RUN, "run");
    let refused = |choice: Choice| draw(&shown, &choice).unwrap_err().to_string();
    let cases = [
        (
            Choice {
                clock: Some("true".into()),
                ..choice()
            },
            "there is no true time of this run, but measured",
        ),
        (
            Choice {
                from: Some(60),
                to: Some(60),
                ..choice()
            },
            "the window ends before it begins, or where it begins",
        ),
        (
            Choice {
                from: Some(1_000),
                ..choice()
            },
            "the window lies behind the end of the run, which lasts 256 ns",
        ),
        (
            Choice {
                ranks: Some(vec![7]),
                ..choice()
            },
            "none of these ranks has events",
        ),
        (
            Choice {
                height: Some(70),
                ..choice()
            },
            "2 rows do not fit into a height of 70: choose fewer ranks, or a height of at least 74",
        ),
        (
            Choice {
                width: 90,
                ..choice()
            },
            "a width of 90 leaves no room for time lines beside the names of rows",
        ),
    ];
    for (choice, expected) in cases {
        assert_eq!(refused(choice), expected);
    }
    let empty = Shown::new(
        About::default(),
        Run::new(Trace::default()),
        Findings::default(),
        || true,
    );
    assert!(draw(&empty, &choice()).is_err());
}

/// Windows of a nanosecond, and times at the ends of 64 bits.
#[test]
fn any_window_is_drawn() {
    let far = format!("0: {} {}", i64::MIN, i64::MAX);
    for (picture, from, to) in [(RUN, 100, 101), (RUN, 255, 256), (&far, 0, u64::MAX)] {
        let choice = Choice {
            from: Some(from),
            to: Some(to),
            ..choice()
        };
        let drawing = draw(&shown(picture, "run"), &choice).unwrap();
        elements(&drawing.svg());
        assert!(!drawing.svg().contains("NaN"));
        drawing.png(1.0);
    }
}
