//! A drawing as SVG: text that any browser, LaTeX tool chain or drawing program reads.

use std::fmt::Write;

use crate::drawing::{Anchor, Drawing, Paint, Path, Shape, Step, STRIPES};
use crate::palette::Colour;

impl Drawing {
    /// Writes it as SVG 1.1.
    pub fn svg(&self) -> String {
        let (width, height) = (number(self.width), number(self.height));
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\" \
             font-family=\"sans-serif\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n",
            escaped(&self.title),
            escaped(&self.description)
        );
        self.patterns(&mut text);
        let ground = colour(self.background);
        let _ = writeln!(
            text,
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{ground}\"/>"
        );
        for shape in &self.shapes {
            let _ = writeln!(text, "{}", written(shape));
        }
        text + "</svg>\n"
    }

    /// Defines a pattern for each colour that is hatched with.
    fn patterns(&self, text: &mut String) {
        let mut colours: Vec<Colour> = Vec::new();
        for shape in &self.shapes {
            if let Shape::Fill {
                paint: Paint::Hatch(colour),
                ..
            } = shape
            {
                if !colours.contains(colour) {
                    colours.push(*colour);
                }
            }
        }
        if colours.is_empty() {
            return;
        }
        let (distance, width) = (number(STRIPES.0), number(STRIPES.1));
        text.push_str("<defs>\n");
        for it in colours {
            let _ = writeln!(
                text,
                "<pattern id=\"{}\" width=\"{distance}\" height=\"{distance}\" \
                 patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
                 <rect width=\"{width}\" height=\"{distance}\" fill=\"{}\"/></pattern>",
                hatch(it),
                colour(it)
            );
        }
        text.push_str("</defs>\n");
    }
}

fn written(shape: &Shape) -> String {
    match shape {
        Shape::Fill {
            what,
            path,
            paint,
            opacity,
        } => {
            let fill = match paint {
                Paint::Plain(it) => colour(*it),
                Paint::Hatch(it) => format!("url(#{})", hatch(*it)),
            };
            let opacity = attribute("fill-opacity", *opacity);
            format!(
                "<path class=\"{what}\" fill=\"{fill}\"{opacity} d=\"{}\"/>",
                data(path)
            )
        }
        Shape::Stroke {
            what,
            path,
            colour: it,
            width,
            opacity,
        } => format!(
            "<path class=\"{what}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} d=\"{}\"/>",
            colour(*it),
            number(*width),
            attribute("stroke-opacity", *opacity),
            data(path)
        ),
        Shape::Text {
            x,
            y,
            anchor,
            size,
            colour: it,
            text,
        } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            format!(
                "<text x=\"{}\" y=\"{}\"{anchor} font-size=\"{}\" fill=\"{}\">{}</text>",
                number(*x),
                number(*y),
                number(*size),
                colour(*it),
                escaped(text)
            )
        }
    }
}

fn attribute(name: &str, value: f32) -> String {
    match value {
        1.0 => String::new(),
        value => format!(" {name}=\"{}\"", number(value)),
    }
}

/// Writes the data of a path, as short as it can be without rounding what was rounded.
fn data(path: &Path) -> String {
    let mut text = String::new();
    let mut now = (String::new(), String::new());
    for step in &path.0 {
        let _ = match step {
            Step::Close => write!(text, "Z"),
            Step::Move(x, y) => {
                now = (number(*x), number(*y));
                write!(text, "M{} {}", now.0, now.1)
            }
            Step::Line(x, y) => {
                let before = std::mem::replace(&mut now, (number(*x), number(*y)));
                match (before.0 == now.0, before.1 == now.1) {
                    (true, true) => Ok(()),
                    (true, false) => write!(text, "V{}", now.1),
                    (false, true) => write!(text, "H{}", now.0),
                    (false, false) => write!(text, "L{} {}", now.0, now.1),
                }
            }
        };
    }
    text
}

/// Writes a hundredth of a pixel.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

fn colour(colour: Colour) -> String {
    format!("#{:06x}", colour.0)
}

fn hatch(colour: Colour) -> String {
    format!("hatch-{:06x}", colour.0)
}

/// Writes text as XML has it; what XML cannot hold becomes a sign for that.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                safe.push('\u{fffd}');
            }
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1.0, 1.5, 1.004, 10.0, -0.001, 0.126].map(number);
        assert_eq!(shown, ["0", "1", "1.5", "1", "10", "0", "0.13"]);
    }

    #[test]
    fn paths_say_no_more_than_they_need() {
        let mut path = Path::default();
        path.rectangle(1.0, 2.0, 3.5, 4.0);
        path.line(&[(0.0, 0.0), (1.0, 1.0)]);
        assert_eq!(data(&path), "M1 2H4.5V6H1ZM0 0L1 1");
    }

    #[test]
    fn markup_is_text() {
        assert_eq!(escaped("<b>&\"\u{1}"), "&lt;b&gt;&amp;&quot;\u{fffd}");
    }
}
