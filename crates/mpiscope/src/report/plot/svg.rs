//! As much of SVG as a picture of lines needs.

use std::fmt::Write;

/// A picture in the making.
pub struct Svg {
    text: String,
}

/// An element whose attributes are being written.
pub struct Element<'a> {
    svg: &'a mut Svg,
}

impl Svg {
    /// Begins a picture of this size.
    pub fn new(width: f64, height: f64, style: &str) -> Svg {
        let mut svg = Svg {
            text: String::new(),
        };
        let _ = writeln!(
            svg.text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n<style>{style}</style>"
        );
        svg
    }

    /// Returns the whole picture.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    /// Begins an element without content.
    pub fn open(&mut self, name: &str) -> Element<'_> {
        let _ = write!(self.text, "<{name}");
        Element { svg: self }
    }

    /// Lets everything that refers to `#name` be seen in a rectangle only.
    pub fn clip(&mut self, name: &str, [left, right, top, bottom]: [f64; 4]) {
        let _ = write!(self.text, "<clipPath id=\"{name}\">");
        self.open("rect")
            .set_number("x", left)
            .set_number("y", top)
            .set_number("width", right - left)
            .set_number("height", bottom - top)
            .end();
        let _ = writeln!(self.text, "</clipPath>");
    }

    /// Begins elements that are seen within a clip path only.
    pub fn begin_group(&mut self, clip: &str) {
        let _ = writeln!(self.text, "<g clip-path=\"{clip}\">");
    }

    pub fn end_group(&mut self) {
        self.text.push_str("</g>\n");
    }

    pub fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        self.open("path")
            .set("class", class)
            .set("d", &polyline([from, to]))
            .end();
    }

    pub fn coloured_line(&mut self, colour: &str, from: [f64; 2], to: [f64; 2]) {
        self.open("path")
            .set("stroke", colour)
            .set("stroke-width", "1.5")
            .set("d", &polyline([from, to]))
            .end();
    }

    /// Draws a disc, or a ring that shows what is behind.
    pub fn dot(&mut self, [x, y]: [f64; 2], radius: f64, colour: &str, ring: bool) {
        let (fill, stroke) = if ring {
            ("none", colour)
        } else {
            (colour, "none")
        };
        self.open("circle")
            .set_number("cx", x)
            .set_number("cy", y)
            .set_number("r", radius)
            .set("fill", fill)
            .set("stroke", stroke)
            .end();
    }

    pub fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.anchored(x, y, ("start", class), text);
    }

    pub fn text_middle(&mut self, x: f64, y: f64, text: &str) {
        self.anchored(x, y, ("middle", ""), text);
    }

    pub fn text_end(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.anchored(x, y, ("end", class), text);
    }

    fn anchored(&mut self, x: f64, y: f64, (anchor, class): (&str, &str), text: &str) {
        let _ = write!(self.text, "<text");
        let element = Element { svg: self };
        let element = element.set_number("x", x).set_number("y", y);
        element.set("text-anchor", anchor).set("class", class);
        let _ = writeln!(self.text, ">{}</text>", escape(text));
    }
}

impl Element<'_> {
    /// Sets an attribute; one without value is left out.
    pub fn set(self, name: &str, value: &str) -> Self {
        if !value.is_empty() {
            let _ = write!(self.svg.text, " {name}=\"{}\"", escape(value));
        }
        self
    }

    pub fn set_number(self, name: &str, value: f64) -> Self {
        let value = number(value);
        self.set(name, &value)
    }

    pub fn end(self) {
        self.svg.text.push_str("/>\n");
    }
}

/// A tenth of a pixel is all that can be seen.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// Returns the path through points.
pub fn polyline(points: impl IntoIterator<Item = [f64; 2]>) -> String {
    let mut path = String::new();
    for [x, y] in points {
        path.push(if path.is_empty() { 'M' } else { 'L' });
        let _ = write!(path, "{} {}", number(x), number(y));
    }
    path
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML 1.0 has no way to write other control characters.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
