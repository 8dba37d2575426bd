//! Time lines of a run as a picture, for papers and talks: SVG, or PNG of the same drawing. Pure: a
//! run that was loaded goes in, a [`Drawing`] comes out.
//!
//! ```text
//! choice, plan     what is drawn: rows, window, size; where a row and a moment lie
//! states           what each row does, in as many steps as the picture can show
//! overlay          collective operations, the critical path, messages
//! frame            title, axis, names of rows, legend
//! drawing          shapes, in the order in which they are painted
//! svg, png         the same shapes as text, and as pixels (font: the outlines of their letters)
//! ```
//!
//! Colours are those of the page that `mpiscope view` shows (`palette`); a test holds both to that.
#![forbid(unsafe_code)]

mod axis;
mod choice;
mod drawing;
mod font;
mod frame;
mod overlay;
mod palette;
mod plan;
mod png;
mod states;
mod svg;

pub use choice::{Choice, Error, Theme};
pub use drawing::{Drawing, Paint, Path, Shape, Step};
pub use palette::{Colour, Palette, DARK, LIGHT};
pub use png::Pixels;

use mpiscope_serve::Shown;

use plan::Plan;

/// Draws what was chosen of a run.
///
/// # Errors
/// If there is nothing to draw, or it has no room.
pub fn draw(shown: &Shown, choice: &Choice) -> Result<Drawing, Error> {
    let plan = Plan::new(shown, choice)?;
    let mut drawing = Drawing {
        width: plan.width,
        height: 0.0,
        title: plan.title(),
        description: plan.description(),
        background: plan.palette.background,
        shapes: Vec::new(),
    };
    frame::behind(&plan, &mut drawing);
    let mut legend = states::draw(&plan, &mut drawing);
    legend.extend(overlay::draw(&plan, &mut drawing));
    frame::around(&plan, &mut drawing);
    drawing.height = frame::legend(&plan, &legend, &mut drawing);
    Ok(drawing)
}
