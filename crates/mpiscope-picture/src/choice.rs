//! What is to be drawn.

/// On what ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// White, as paper is.
    #[default]
    Light,
    /// Dark, as slides often are.
    Dark,
}

/// What of a run is drawn, and how large.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Name of the clock; the best one if none is named.
    pub clock: Option<String>,
    /// World ranks, ascending; all if none are named.
    pub ranks: Option<Vec<u32>>,
    /// First moment, in nanoseconds from the start of the run; the start if there is none.
    pub from: Option<u64>,
    /// Last moment; the end if there is none.
    pub to: Option<u64>,
    /// Width in pixels of 1/96 inch.
    pub width: u32,
    /// Height of it, without the legend; as rows ask for if there is none.
    pub height: Option<u32>,
    /// The ground.
    pub theme: Theme,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The run has no such clock.
    #[error("there is no {wanted} time of this run, but {}", .there.join(", "))]
    Clock {
        /// The clock that was named.
        wanted: String,
        /// Those that there are.
        there: Vec<String>,
    },
    /// The window has no length.
    #[error("the window ends before it begins, or where it begins")]
    Empty,
    /// The window lies behind the end of the run.
    #[error("the window lies behind the end of the run, which lasts {0}")]
    Behind(String),
    /// There is no event, so no time.
    #[error("the run has no events: there is nothing to draw")]
    Nothing,
    /// No row was chosen.
    #[error("none of these ranks has events")]
    NoRows,
    /// There are too many rows for the height.
    #[error(
        "{rows} rows do not fit into a height of {height}: choose fewer ranks, or a height of at \
         least {least}"
    )]
    TooMany {
        /// How many there are.
        rows: usize,
        /// The height that is there.
        height: u32,
        /// The height that they need.
        least: u32,
    },
    /// The picture is too narrow for its names.
    #[error("a width of {0} leaves no room for time lines beside the names of rows")]
    Narrow(u32),
}
