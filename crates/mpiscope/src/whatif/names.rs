//! What is to be different, by name: as one types it, and as `analyze` says it, in causes
//! (`computation from A to B`) and in its verdict (`between A and B`).

use std::collections::BTreeSet;

use mpiscope_analysis::profile::{Activity, Statement};
use mpiscope_analysis::whatif::Replay;
use mpiscope_archive::model::{CallSite, Region, Trace};

use crate::call::{base, SourcePlace};

/// What was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// All computation.
    Computation,
    /// A region, a call or a function.
    One(Place),
    /// Computation between two calls; nothing for begin and end.
    Between(Option<Place>, Option<Place>),
}

/// A name, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    name: String,
    /// `solver.c`, `solver.c:88` or `solver+0x11d3`.
    source: Option<String>,
}

impl Place {
    /// Reads `MPI_Recv@heat.c:42`, `MPI_Recv at heat.c:42` or `relax (heat.c)`.
    pub fn parse(text: &str) -> Place {
        let text = text.trim();
        let in_file = || text.strip_suffix(')')?.split_once(" (");
        let parts = text.split_once('@').or_else(|| text.split_once(" at "));
        let (name, source) = match parts.or_else(in_file) {
            Some((name, source)) => (name, Some(source)),
            None => (text, None),
        };
        Place {
            name: name.trim().to_owned(),
            source: source.map(|it| it.trim().to_owned()),
        }
    }

    fn has_source(&self, of: impl Fn(&str) -> bool) -> bool {
        self.source.as_deref().is_none_or(of)
    }

    /// Returns whether it is this call.
    fn is_call(&self, place: &SourcePlace) -> bool {
        let source = place.source();
        let file = place.file.as_deref().map(base);
        self.name == place.call.as_deref().unwrap_or("a call")
            && self.has_source(|wanted| {
                let wanted = base(wanted);
                source.as_deref() == Some(wanted) || file == Some(wanted)
            })
    }

    /// Returns whether it is this region.
    pub fn is_region(&self, region: &Region) -> bool {
        let lines = region.begin_line..=region.end_line.max(region.begin_line);
        self.name == region.name
            && self.has_source(|wanted| match base(wanted).rsplit_once(':') {
                Some((file, line)) => {
                    let line = line.parse().unwrap_or(0);
                    base(&region.source_file) == file && lines.contains(&line)
                }
                None => base(&region.source_file) == base(wanted),
            })
    }

    /// Returns whether samples at a call site are there.
    fn is_site(&self, site: &CallSite) -> bool {
        let file = site.file.as_deref().map(base).unwrap_or_default();
        self.name == site.function.as_deref().unwrap_or_default()
            && self.has_source(|wanted| match base(wanted).rsplit_once(':') {
                Some((name, line)) => {
                    name == file && site.line.is_some_and(|it| it.to_string() == line)
                }
                None => base(wanted) == file,
            })
    }
}

/// What `analyze` says of a place.
#[derive(Clone, Copy)]
enum Form {
    /// In one call or region.
    In,
    /// Between two calls of the same.
    Same,
    /// Between two calls with this word in between.
    Pair(&'static str),
    /// From the begin to a call.
    Before,
    /// From a call to the end.
    After,
}

/// How it begins to say so; those that begin alike in the order in which they are looked for.
const FORMS: [(&str, Form); 8] = [
    ("between two calls of ", Form::Same),
    ("between two ", Form::Same),
    ("between ", Form::Pair(" and ")),
    ("from ", Form::Pair(" to ")),
    ("up to ", Form::Before),
    ("before ", Form::Before),
    ("after ", Form::After),
    ("in ", Form::In),
];

impl Named {
    /// Reads what was typed; whatever it is, it is a name.
    pub fn parse(text: &str) -> Named {
        let text = text.trim();
        let place = |text: &str| (!text.trim().is_empty()).then(|| Place::parse(text));
        if text == "computation" {
            return Named::Computation;
        }
        if let Some(said) = Named::said(text) {
            return said;
        }
        match text.split_once("..") {
            Some((after, before)) => Named::Between(place(after), place(before)),
            None => Named::One(Place::parse(text)),
        }
    }

    /// Reads what `analyze` says; nothing if it is said otherwise.
    fn said(text: &str) -> Option<Named> {
        let without = text.strip_suffix(" (the two calls enclose it)");
        let text = without.unwrap_or(text);
        let rest = text.strip_prefix("computation ").unwrap_or(text);
        if rest == "outside of MPI" {
            return Some(Named::Between(None, None));
        }
        let (form, rest) = FORMS
            .iter()
            .find_map(|(word, form)| Some((*form, rest.strip_prefix(word)?)))?;
        let place = |text: &str| Some(Place::parse(text));
        Some(match form {
            Form::Same => Named::Between(place(rest), place(rest)),
            Form::Pair(and) => {
                let (after, before) = rest.split_once(and)?;
                Named::Between(place(after), place(before))
            }
            Form::Before => Named::Between(None, place(rest)),
            Form::After => Named::Between(place(rest), None),
            // A verdict's region has the call that followed it, too.
            Form::In => Named::One(Place::parse(rest.split(", before ").next().unwrap_or(rest))),
        })
    }

    /// Returns all of a run that it means.
    pub fn all(&self, trace: &Trace, replay: &Replay) -> BTreeSet<Activity> {
        let all = replay.activities.iter().copied();
        all.filter(|it| self.means(trace, it)).collect()
    }

    /// Returns whether it means an activity.
    pub fn means(&self, trace: &Trace, activity: &Activity) -> bool {
        let call = |it: &Statement| SourcePlace::new(trace, it.place);
        let is_end = |wanted: &Option<Place>, it: &Option<Statement>| match (wanted, it) {
            (Some(wanted), Some(it)) => wanted.is_call(&call(it)),
            (None, None) => true,
            _ => false,
        };
        match (self, activity) {
            (Named::Computation, Activity::Region(_) | Activity::Between(..)) => true,
            (Named::One(place), Activity::Mpi(it)) => place.is_call(&call(it)),
            (Named::One(place), Activity::Region(region)) => {
                let region = trace.definitions.regions.get(region.index());
                region.is_some_and(|it| place.is_region(it))
            }
            (Named::Between(after, before), Activity::Between(from, to)) => {
                is_end(after, from) && is_end(before, to)
            }
            _ => false,
        }
    }

    /// Returns whether it means the place of a sample.
    pub fn means_site(&self, site: &CallSite) -> bool {
        matches!(self, Named::One(place) if place.is_site(site))
    }
}

/// Names an activity as one can type it; nothing if there is no such name.
pub fn typed(trace: &Trace, activity: &Activity) -> Option<String> {
    let call = |it: &Statement| {
        let place = SourcePlace::new(trace, it.place);
        let name = place.call.clone()?;
        Some(match place.source() {
            Some(source) => format!("{name}@{source}"),
            None => name,
        })
    };
    let end = |it: &Option<Statement>| match it {
        None => Some(String::new()),
        Some(it) => call(it),
    };
    match activity {
        Activity::Mpi(it) => call(it),
        Activity::Region(region) => {
            let region = trace.definitions.regions.get(region.index())?;
            (!region.name.is_empty()).then(|| region.name.clone())
        }
        Activity::Between(None, None) => Some("..".to_owned()),
        Activity::Between(after, before) => Some(format!("{}..{}", end(after)?, end(before)?)),
        Activity::Threads(_) | Activity::Unrecorded => None,
    }
}

#[cfg(test)]
mod tests {
    use mpiscope_analysis::verdict::place;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let trace = Trace::parse(
            "0: 0 5 enter(MPI_Send) !at(/src/a.c:8) 6 leave(MPI_Send) 9 enter(solve) 11 leave(solve) \
                12 enter(MPI_Recv) !at(/src/b.c:9) 14 leave(MPI_Recv) 20",
        )
        .unwrap();
        let replay = Replay::of(&trace, &trace.matching());
        let named = Named::parse(text);
        let meant = replay
            .activities
            .iter()
            .filter(|it| named.means(&trace, it));
        let meant: Vec<String> = meant.filter_map(|it| typed(&trace, it)).collect();
        assert_eq!(meant, expected, "{text}");
        for name in &meant {
            let again = replay.activities.iter();
            let again = again.filter(|it| Named::parse(name).means(&trace, it));
            assert_eq!(again.count(), 1, "{name} names itself");
        }
    }

    #[test]
    fn what_is_typed_is_what_is_meant() {
        check("solve", &["solve"]);
        check("solve@c.c", &[]);
        check("MPI_Send", &["MPI_Send@a.c:8"]);
        check("MPI_Send@a.c", &["MPI_Send@a.c:8"]);
        check("MPI_Send@/src/a.c:8", &["MPI_Send@a.c:8"]);
        check("MPI_Send@a.c:9", &[]);
        check("MPI_Recv at b.c:9", &["MPI_Recv@b.c:9"]);
        check("MPI_Send..MPI_Recv", &["MPI_Send@a.c:8..MPI_Recv@b.c:9"]);
        check("..MPI_Send@a.c", &["..MPI_Send@a.c:8"]);
        check("computation after MPI_Recv at b.c:9", &["MPI_Recv@b.c:9.."]);
        check(
            "computation from MPI_Send at a.c:8 to MPI_Recv at b.c:9",
            &["MPI_Send@a.c:8..MPI_Recv@b.c:9"],
        );
        check("computation between two MPI_Send at a.c:8", &[]);
        check("in MPI_Send at a.c:8", &["MPI_Send@a.c:8"]);
        check("in solve, before MPI_Recv at b.c:9", &["solve"]);
        check("before MPI_Send at a.c:8", &["..MPI_Send@a.c:8"]);
        check("after MPI_Recv at b.c:9", &["MPI_Recv@b.c:9.."]);
        check(
            "between MPI_Send at a.c:8 and MPI_Recv at b.c:9 (the two calls enclose it)",
            &["MPI_Send@a.c:8..MPI_Recv@b.c:9"],
        );
        check(
            "computation",
            &[
                "..MPI_Send@a.c:8",
                "MPI_Send@a.c:8..MPI_Recv@b.c:9",
                "solve",
                "MPI_Recv@b.c:9..",
            ],
        );
    }

    #[test]
    fn the_words_of_the_verdict_are_understood() {
        let mut trace = Trace::parse(
            "0: 0 5 enter(MPI_Send) !at(/src/a.c:8) 6 leave(MPI_Send) 9 enter(MPI_Send) !at(/src/a.c:8) \
                10 leave(MPI_Send) 12 enter(solve) 13 leave(solve) 14 enter(MPI_Recv) !at(b.c:9) \
                15 leave(MPI_Recv) 16 enter(MPI_Barrier) 18 leave(MPI_Barrier) 20
             1: 0 5",
        )
        .unwrap();
        // A place of which the line is not known.
        let sites = trace.definitions.call_sites.iter_mut();
        let of_file = sites.filter(|it| it.file.as_deref() == Some("b.c"));
        of_file.for_each(|it| it.line = None);
        let replay = Replay::of(&trace, &trace.matching());
        assert_eq!(replay.activities.len(), 10, "{:?}", replay.activities);
        for activity in &replay.activities {
            let said = place(&trace, activity);
            for said in [&said, &format!("{said} (the two calls enclose it)")] {
                let meant = Named::parse(said).all(&trace, &replay);
                assert_eq!(meant, BTreeSet::from([*activity]), "{said}");
            }
        }
    }
}
