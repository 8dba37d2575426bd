//! Minimum latencies on the command line.

use mpiscope_sync::Class;

use crate::duration::with_unit;

/// A minimum latency given by the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Lmin {
    /// For which messages.
    pub of: Concerned,
    /// How long, in seconds.
    pub seconds: f64,
}

/// Messages that have a minimum latency of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Concerned {
    /// All between processes.
    All,
    /// All between different clocks.
    DifferentClocks,
    /// Those of a class.
    Class(Class),
    /// Those between two hosts.
    Hosts([String; 2]),
}

/// Reads `T`, `CLASS=T` or `HOST:HOST=T`.
pub(super) fn lmin(text: &str) -> Result<Lmin, String> {
    let Some((of, value)) = text.rsplit_once('=') else {
        let seconds = with_unit(text)?;
        let of = Concerned::All;
        return Ok(Lmin { of, seconds });
    };
    let class = Class::ALL.into_iter().find(|class| class.name() == of);
    let of = match (class, of.split_once(':')) {
        (Some(class), _) => Concerned::Class(class),
        (None, Some((a, b))) if !a.is_empty() && !b.is_empty() => {
            Concerned::Hosts([a.to_owned(), b.to_owned()])
        }
        _ if of == "different-clocks" => Concerned::DifferentClocks,
        _ => {
            let classes = Class::ALL.map(Class::name).join("=T, ");
            return Err(format!(
                "{classes}=T, different-clocks=T or HOST:HOST=T is expected"
            ));
        }
    };
    let seconds = with_unit(value)?;
    Ok(Lmin { of, seconds })
}
