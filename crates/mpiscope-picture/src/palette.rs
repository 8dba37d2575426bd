//! The colours of the page: computation is quiet, each class of MPI has a hue of the Okabe-Ito set,
//! which colour-blind readers tell apart, and waiting is a warm hatch.

use mpiscope_tiles::class::CLASSES;
use mpiscope_tiles::Class;

/// Red, green and blue, as `0xrrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u32);

impl Colour {
    /// Returns red, green and blue.
    pub fn channels(self) -> [u8; 3] {
        let [_, channels @ ..] = self.0.to_be_bytes();
        channels
    }
}

/// The colours of a ground.
#[derive(Clone, Debug)]
pub struct Palette {
    /// The ground.
    pub background: Colour,
    /// Behind rows.
    pub band: Colour,
    /// By number of the class.
    pub classes: [Colour; CLASSES],
    /// Hatch of what waits.
    pub waiting: Colour,
    /// Hatch of what was not recorded.
    pub stripe: Colour,
    /// Words.
    pub text: Colour,
    /// Words beside.
    pub quiet: Colour,
    /// Lines of the axis.
    pub line: Colour,
    /// Messages.
    pub arrow: Colour,
    /// Those that were received before they were sent.
    pub reversed: Colour,
    /// The critical path.
    pub path: Colour,
}

impl Palette {
    /// Returns the colour of a class.
    pub fn of(&self, class: Class) -> Colour {
        self.classes[class.index()]
    }
}

/// On white.
pub const LIGHT: Palette = Palette {
    background: Colour(0xffffff),
    band: Colour(0xf4f6f9),
    classes: [
        Colour(0xc3cddb),
        Colour(0x0072b2),
        Colour(0xcc79a7),
        Colour(0x009e73),
        Colour(0xe6d62e),
        Colour(0x56b4e9),
        Colour(0x9c755f),
        Colour(0xe8eaed),
        Colour(0xffffff),
    ],
    waiting: Colour(0xcf6a00),
    stripe: Colour(0xb9bfc8),
    text: Colour(0x1c2530),
    quiet: Colour(0x5b6775),
    line: Colour(0xdde2e9),
    arrow: Colour(0x2b3542),
    reversed: Colour(0xc8102e),
    path: Colour(0xc79a00),
};

/// On a dark ground.
pub const DARK: Palette = Palette {
    background: Colour(0x12171e),
    band: Colour(0x171d26),
    classes: [
        Colour(0x4b5a70),
        Colour(0x3c9bdc),
        Colour(0xb8639a),
        Colour(0x22b58b),
        Colour(0xe3d44c),
        Colour(0x7cc7f2),
        Colour(0xb48a72),
        Colour(0x232a34),
        Colour(0x12171e),
    ],
    waiting: Colour(0xffb454),
    stripe: Colour(0x4a5563),
    text: Colour(0xe8edf3),
    quiet: Colour(0x9aa7b6),
    line: Colour(0x2a333f),
    arrow: Colour(0xd5dde8),
    reversed: Colour(0xff5a6e),
    path: Colour(0xffd23e),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all colours that the page's table gives a name of a theme, in order.
    fn of_page(theme: &str, name: &str) -> Vec<Colour> {
        let page = include_str!("../../../viewer/src/colours.ts");
        let (_, table) = page.split_once("export const PALETTES").unwrap();
        let (_, table) = table.split_once(&format!("{theme}: {{")).unwrap();
        let (_, value) = table.split_once(&format!("{name}: ")).unwrap();
        let value = value.lines().next().unwrap();
        let colour = |text: &str| Colour(u32::from_str_radix(&text[..6], 16).unwrap());
        value.split('#').skip(1).map(colour).collect()
    }

    #[test]
    fn colours_are_those_of_the_page() {
        for (theme, palette) in [("light", LIGHT), ("dark", DARK)] {
            let same =
                |name, own: &[Colour]| assert_eq!(of_page(theme, name), own, "{theme} {name}");
            same("classes", &palette.classes);
            for (name, own) in [
                ("background", palette.background),
                ("band", palette.band),
                ("waiting", palette.waiting),
                ("stripe", palette.stripe),
                ("text", palette.text),
                ("quiet", palette.quiet),
                ("line", palette.line),
                ("arrow", palette.arrow),
                ("reversed", palette.reversed),
                ("path", palette.path),
            ] {
                same(name, &[own]);
            }
        }
    }
}
