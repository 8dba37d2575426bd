//! Answers about a job that keeps statistics, while it runs and after.

use serde_json::json;

use crate::answer::{Answer, Told};
use crate::question::Question;
use crate::site::{Live, Site};

/// Answers `live`.
pub(crate) fn look(site: &Site, question: &Question) -> Told {
    let rank = question.number("rank");
    let rank = rank.map_err(|what| Answer::error(400, what))?;
    let seen = job(site)?.look(rank);
    seen.map(|it| Answer::json(&it)).map_err(gone)
}

/// Answers `live/statistics`.
pub(crate) fn written(site: &Site) -> Told {
    let text = job(site)?.written();
    text.map(|it| Answer::json(&json!({ "text": it })))
        .map_err(gone)
}

fn job(site: &Site) -> Result<&dyn Live, Answer> {
    site.live.as_deref().ok_or_else(|| Answer::none("job"))
}

fn gone(why: String) -> Answer {
    Answer::error(410, why)
}
