//! Shapes, in the order in which they are painted, whatever they are written as.

use crate::palette::Colour;

/// A picture.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Width in pixels of 1/96 inch.
    pub width: f32,
    /// Height of it.
    pub height: f32,
    /// What it is of, in a line.
    pub title: String,
    /// What it shows, for who cannot see it.
    pub description: String,
    /// The ground.
    pub background: Colour,
    /// What is painted.
    pub shapes: Vec<Shape>,
}

/// What is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// One colour.
    Plain(Colour),
    /// Stripes of a colour from the lower left to the upper right.
    Hatch(Colour),
}

/// How far apart stripes are, from middle to middle, and how wide.
pub const STRIPES: (f32, f32) = (5.0, 2.2);

/// Something that is painted.
#[derive(Clone, Debug)]
pub enum Shape {
    /// An area.
    Fill {
        /// What it shows, for readers of the file: `point_to_point`.
        what: &'static str,
        /// Its outline, of any number of parts.
        path: Path,
        /// Its paint.
        paint: Paint,
        /// From 0 to 1.
        opacity: f32,
    },
    /// A line.
    Stroke {
        /// What it shows.
        what: &'static str,
        /// Where it goes.
        path: Path,
        /// Its colour.
        colour: Colour,
        /// How wide it is.
        width: f32,
        /// From 0 to 1.
        opacity: f32,
    },
    /// Words.
    Text {
        /// Where they begin, end or have their middle.
        x: f32,
        /// The line that letters stand on.
        y: f32,
        /// Which of these `x` is.
        anchor: Anchor,
        /// Size of the font.
        size: f32,
        /// Their colour.
        colour: Colour,
        /// What they say.
        text: String,
    },
}

/// What of words a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The begin.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// A step of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Begin another part.
    Move(f32, f32),
    /// Go straight.
    Line(f32, f32),
    /// Go back to where the part began.
    Close,
}

/// Outlines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// Adds a rectangle.
    pub fn rectangle(&mut self, x: f32, y: f32, width: f32, height: f32) {
        self.polygon(&[
            (x, y),
            (x + width, y),
            (x + width, y + height),
            (x, y + height),
        ]);
    }

    /// Adds an area.
    pub fn polygon(&mut self, points: &[(f32, f32)]) {
        self.line(points);
        self.0.push(Step::Close);
    }

    /// Adds a line through some points.
    pub fn line(&mut self, points: &[(f32, f32)]) {
        for (number, (x, y)) in points.iter().enumerate() {
            self.0.push(match number {
                0 => Step::Move(*x, *y),
                _ => Step::Line(*x, *y),
            });
        }
    }

    /// Returns whether there is nothing of it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Drawing {
    /// Paints an area, if there is any.
    pub(crate) fn fill(&mut self, what: &'static str, path: Path, paint: Paint, opacity: f32) {
        if !path.is_empty() {
            self.shapes.push(Shape::Fill {
                what,
                path,
                paint,
                opacity,
            });
        }
    }

    /// Paints a line, if there is any.
    pub(crate) fn stroke(
        &mut self,
        what: &'static str,
        path: Path,
        colour: Colour,
        (width, opacity): (f32, f32),
    ) {
        if !path.is_empty() {
            self.shapes.push(Shape::Stroke {
                what,
                path,
                colour,
                width,
                opacity,
            });
        }
    }

    /// Writes words.
    pub(crate) fn text(
        &mut self,
        (x, y): (f32, f32),
        anchor: Anchor,
        (size, colour): (f32, Colour),
        text: &str,
    ) {
        self.shapes.push(Shape::Text {
            x,
            y,
            anchor,
            size,
            colour,
            text: text.to_owned(),
        });
    }
}
