//! Calls named as people look for them: `MPI_Recv at sum.c:12`.

use mpiscope_analysis::races::CallPlace;
use mpiscope_archive::model::definitions::CallSite;
use mpiscope_archive::model::{EventRef, Trace};

use crate::call::base;
use crate::symbols;

/// Names the call around an event, as far as it is known.
pub fn call(trace: &Trace, event: EventRef) -> Option<String> {
    let place = CallPlace::of(trace, event);
    let definitions = &trace.definitions;
    let region = place
        .region
        .and_then(|id| definitions.regions.get(id.index()))?;
    let site = place
        .site
        .and_then(|id| definitions.call_sites.get(id.index()));
    Some(match site.and_then(source) {
        Some(source) => format!("{} at {source}", region.name),
        None => region.name.clone(),
    })
}

/// Writes `sum.c:12` or `sum+0x11d3`.
fn source(site: &CallSite) -> Option<String> {
    match (&site.file, site.line) {
        (Some(file), Some(line)) => Some(format!("{}:{line}", base(file))),
        _ if site.module.is_empty() => None,
        _ => Some(format!("{}+{:#x}", base(&site.module), site.offset)),
    }
}

/// Names a place that a forced run tells as module and offset, by the call
/// sites of the trace.
pub fn named(trace: &Trace, place: &str) -> String {
    let Some((module, offset)) = place.rsplit_once('+') else {
        return place.to_owned();
    };
    let offset_of = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let site =
        trace.definitions.call_sites.iter().find(|site| {
            base(&site.module) == base(module) && Some(site.offset) == offset_of(offset)
        });
    // One that the traced run did not come to.
    let line = || base(&symbols::line_of(place)).to_owned();
    site.and_then(source).unwrap_or_else(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_by_the_traces_call_sites() {
        let mut trace = Trace::default();
        trace.definitions.call_sites.push(CallSite {
            module: "/bin/sum".into(),
            offset: 0x11d3,
            file: Some("/src/sum.c".into()),
            line: Some(12),
            ..CallSite::default()
        });
        assert_eq!(named(&trace, "./sum+0x11d3"), "sum.c:12");
        assert_eq!(named(&trace, "./sum+0x11d4"), "sum+0x11d4");
        assert_eq!(named(&trace, ""), "");
    }
}
