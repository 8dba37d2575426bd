//! A drawing as pixels, and these as PNG.

use miniz_oxide::deflate::compress_to_vec_zlib;
use zeno::{Cap, Command, Mask, PathBuilder, Placement, Stroke, Style};

use crate::drawing::{Anchor, Drawing, Paint, Path, Shape, Step, STRIPES};
use crate::font;

/// Pixels of a drawing.
#[derive(Debug)]
pub struct Pixels {
    /// How many in a line.
    pub width: usize,
    /// How many lines.
    pub height: usize,
    /// Red, green and blue, from the upper left.
    pub bytes: Vec<u8>,
}

impl Drawing {
    /// Paints it, with so many pixels for each of its units.
    pub fn pixels(&self, scale: f32) -> Pixels {
        let width = (self.width * scale).ceil().max(1.0) as usize;
        let height = (self.height * scale).ceil().max(1.0) as usize;
        let mut pixels = Pixels {
            width,
            height,
            bytes: self.background.channels().repeat(width * height),
        };
        for shape in &self.shapes {
            pixels.paint(shape, scale);
        }
        pixels
    }

    /// Writes it as PNG, with so many pixels for each of its units.
    pub fn png(&self, scale: f32) -> Vec<u8> {
        self.pixels(scale).png(scale)
    }
}

impl Pixels {
    fn paint(&mut self, shape: &Shape, scale: f32) {
        match shape {
            Shape::Fill {
                path,
                paint,
                opacity,
                ..
            } => {
                let (mask, place) = Mask::new(&commands(path, scale)).render();
                self.blend(&mask, place, *paint, *opacity, scale);
            }
            Shape::Stroke {
                path,
                colour,
                width,
                opacity,
                ..
            } => {
                let mut stroke = Stroke::new(width * scale);
                stroke.cap(Cap::Butt);
                let commands = commands(path, scale);
                let mut mask = Mask::new(&commands);
                let (mask, place) = mask.style(Style::Stroke(stroke)).render();
                self.blend(&mask, place, Paint::Plain(*colour), *opacity, scale);
            }
            Shape::Text {
                x,
                y,
                anchor,
                size,
                colour,
                text,
            } => {
                let size = size * scale;
                let width = font::width(text, size);
                let begin = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => width / 2.0,
                    Anchor::End => width,
                };
                let outline = font::outline(text, size, (x * scale - begin, y * scale));
                let (mask, place) = Mask::new(&outline).render();
                self.blend(&mask, place, Paint::Plain(*colour), 1.0, scale);
            }
        }
    }

    /// Lays paint over what is there, as much as a mask says.
    fn blend(&mut self, mask: &[u8], place: Placement, paint: Paint, opacity: f32, scale: f32) {
        let colour = match paint {
            Paint::Plain(colour) | Paint::Hatch(colour) => colour.channels(),
        };
        let lines = mask.chunks_exact((place.width as usize).max(1));
        for (line, y) in lines.zip(i64::from(place.top)..) {
            let Some(y) = usize::try_from(y).ok().filter(|y| *y < self.height) else {
                continue;
            };
            for (cover, x) in line.iter().zip(i64::from(place.left)..) {
                let Some(x) = usize::try_from(x).ok().filter(|x| *x < self.width) else {
                    continue;
                };
                if *cover == 0 {
                    continue;
                }
                let stripe = match paint {
                    Paint::Plain(_) => 1.0,
                    Paint::Hatch(_) => stripe(x as f32, y as f32, scale),
                };
                let part = f32::from(*cover) / 255.0 * opacity * stripe;
                let at = 3 * (y * self.width + x);
                for (byte, over) in self.bytes[at..at + 3].iter_mut().zip(colour) {
                    let under = f32::from(*byte);
                    *byte = (under + (f32::from(over) - under) * part).round() as u8;
                }
            }
        }
    }

    /// Writes PNG: 8 bits of each colour, and how large a pixel is.
    fn png(&self, scale: f32) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = Vec::new();
        for length in [self.width, self.height] {
            header.extend(u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
        }
        header.extend([8, 2, 0, 0, 0]);
        chunk(&mut file, b"IHDR", &header);
        // Pixels of a metre: a unit is 1/96 inch.
        let of_a_metre = (scale * 96.0 / 0.0254).round() as u32;
        let mut size = of_a_metre.to_be_bytes().repeat(2);
        size.push(1);
        chunk(&mut file, b"pHYs", &size);
        chunk(
            &mut file,
            b"IDAT",
            &compress_to_vec_zlib(&self.filtered(), 7),
        );
        chunk(&mut file, b"IEND", &[]);
        file
    }

    /// Returns all lines, each as what differs from the one above: most of it is the same.
    fn filtered(&self) -> Vec<u8> {
        let length = 3 * self.width;
        let mut filtered = Vec::with_capacity((length + 1) * self.height);
        let mut above = vec![0; length];
        for line in self.bytes.chunks_exact(length) {
            filtered.push(2);
            filtered.extend(
                line.iter()
                    .zip(&above)
                    .map(|(it, above)| it.wrapping_sub(*above)),
            );
            above.copy_from_slice(line);
        }
        filtered
    }
}

/// Returns how much of a pixel lies on a stripe.
fn stripe(x: f32, y: f32, scale: f32) -> f32 {
    // As SVG turns the pattern by 45 degrees: what is to the right in it goes right and down.
    let along = (x + y + 1.0) / (2.0f32.sqrt() * scale);
    let within = along.rem_euclid(STRIPES.0);
    let half = STRIPES.1 / 2.0;
    let distance = (within - half).abs();
    let distance = distance.min(STRIPES.0 - distance);
    ((half - distance) * scale + 0.5).clamp(0.0, 1.0)
}

fn commands(path: &Path, scale: f32) -> Vec<Command> {
    let mut commands = Vec::with_capacity(path.0.len());
    for step in &path.0 {
        match step {
            Step::Move(x, y) => commands.move_to([x * scale, y * scale]),
            Step::Line(x, y) => commands.line_to([x * scale, y * scale]),
            Step::Close => commands.close(),
        };
    }
    commands
}

/// Adds a chunk (PNG, third edition, §5.3).
fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    let begin = file.len();
    file.extend(name);
    file.extend(data);
    let sum = checksum(&file[begin..]);
    file.extend(sum.to_be_bytes());
}

/// CRC-32, as PNG's annex D has it.
fn checksum(bytes: &[u8]) -> u32 {
    let of_bit = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1));
    let of_byte = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), of_bit);
    !bytes.iter().fold(!0, of_byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        // The last chunk of every PNG.
        assert_eq!(checksum(b"IEND"), 0xae42_6082);
    }
}
