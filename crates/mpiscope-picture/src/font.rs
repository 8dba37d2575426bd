//! Letters: how wide words are, and their outlines where there is nobody who knows fonts.
//!
//! Pictures of a machine without fonts must have words, too, so a font is a part of the program:
//! Noto Sans, cut down to Latin, Greek, Cyrillic and a few signs (`font/LICENCE.txt`). In SVG the
//! reader's own sans-serif font is asked for.

use std::sync::OnceLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};
use zeno::{Command, PathBuilder};

const DATA: &[u8] = include_bytes!("../font/NotoSans-subset.ttf");

fn face() -> &'static Face<'static> {
    static FACE: OnceLock<Face> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(DATA, 0).expect("the font that is a part of the program"))
}

/// Returns how wide words are, in a font of this size.
pub fn width(text: &str, size: f32) -> f32 {
    let units: u32 = glyphs(text).map(advance).sum();
    units as f32 * scale(size)
}

/// Returns the outlines of words that begin at a place on the line that they stand on.
pub fn outline(text: &str, size: f32, (x, y): (f32, f32)) -> Vec<Command> {
    let scale = scale(size);
    let mut outline = Outline {
        commands: Vec::new(),
        x,
        y,
        scale,
    };
    for glyph in glyphs(text) {
        face().outline_glyph(glyph, &mut outline);
        outline.x += advance(glyph) as f32 * scale;
    }
    outline.commands
}

fn scale(size: f32) -> f32 {
    size / f32::from(face().units_per_em())
}

/// Returns the letters of a text; a box for those that the font lacks.
fn glyphs(text: &str) -> impl Iterator<Item = GlyphId> + '_ {
    text.chars()
        .map(|letter| face().glyph_index(letter).unwrap_or(GlyphId(0)))
}

fn advance(glyph: GlyphId) -> u32 {
    face().glyph_hor_advance(glyph).unwrap_or(0).into()
}

/// Takes outlines of letters, whose y goes up.
struct Outline {
    commands: Vec<Command>,
    x: f32,
    y: f32,
    scale: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        [self.x + x * self.scale, self.y - y * self.scale]
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.commands.move_to(to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.at(x, y);
        self.commands.line_to(to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (by, to) = (self.at(x1, y1), self.at(x, y));
        self.commands.quad_to(by, to);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (by, then, to) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.commands.curve_to(by, then, to);
    }

    fn close(&mut self) {
        self.commands.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_pictures_say_has_letters() {
        let words = "Rank 0–9 · µs ± × … (every 4th of 12,345) MPI_Init äöü Ωλ Ж";
        assert!(glyphs(words).all(|glyph| glyph != GlyphId(0)));
        assert_eq!(glyphs("漢").next(), Some(GlyphId(0)));
    }

    #[test]
    fn words_are_as_wide_as_their_letters() {
        assert_eq!(width("", 10.0), 0.0);
        assert!((width("ab", 10.0) - width("a", 10.0) - width("b", 10.0)).abs() < 1e-4);
        assert!(outline("a b", 10.0, (0.0, 0.0)).len() > 10);
    }
}
