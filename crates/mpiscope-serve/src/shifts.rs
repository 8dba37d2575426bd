//! Shifts: what a user says that clocks of single rows are off by, having moved them by hand.
//!
//! Answers never depend on them: the page moves what it shows, so tiles stay as they are. Here is
//! only kept what the page says, for it to find it again, and for whoever corrects the run. This is
//! the one thing that a page can change, and it goes into one file, which no request names.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use mpiscope_tiles::Run;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{json, Map, Value};

use crate::question::Question;

/// Bytes that the body of a request may have: shifts of fifty thousand rows.
pub(crate) const LARGEST_BODY: usize = 1 << 20;

/// The largest shift, in nanoseconds: what a page's numbers hold exactly, 104 days.
const MOST: i64 = 1 << 53;

/// Keeps the shift of each location, or says why that cannot be.
pub type Keep = dyn Fn(&[i64]) -> Result<(), String> + Send + Sync;

/// The shifts of a run, by location, in nanoseconds.
#[derive(Default)]
pub struct Shifts {
    now: Mutex<Vec<i64>>,
    /// The clocks in whose times some are contained, and which.
    contained: Vec<(String, Vec<i64>)>,
    keep: Option<Box<Keep>>,
    /// Why they cannot be kept, if that is known beforehand.
    why_not: Option<String>,
}

impl Shifts {
    /// Takes what is kept with a run, and what keeps others.
    pub fn kept(now: Vec<i64>, keep: Box<Keep>) -> Shifts {
        Shifts {
            now: Mutex::new(now),
            keep: Some(keep),
            ..Shifts::default()
        }
    }

    /// Takes what is kept with a run that cannot keep others.
    pub fn fixed(now: Vec<i64>, why_not: String) -> Shifts {
        Shifts {
            now: Mutex::new(now),
            why_not: Some(why_not),
            ..Shifts::default()
        }
    }

    /// Adds what the times of a clock contain.
    pub fn contained_in(mut self, clock: &str, shifts: Vec<i64>) -> Shifts {
        self.contained.push((clock.to_owned(), shifts));
        self
    }
}

impl Shifts {
    /// Returns them for the page, by row of the run that they are of.
    pub(crate) fn value(&self, run: &Run) -> Value {
        let contained = self.contained.iter();
        let contained = contained.filter(|(_, all)| all.iter().any(|ns| *ns != 0));
        let contained: Map<String, Value> = contained
            .map(|(clock, all)| (clock.clone(), by_row(run, all).into()))
            .collect();
        let now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        json!({
            "shifts": by_row(run, &now),
            "contained": contained,
            "can_keep": self.keep.is_some(),
            "why_not": self.why_not,
        })
    }

    /// Changes them as a request wants it.
    ///
    /// # Errors
    /// When the request is not of the form, or they cannot be kept; then nothing changes.
    pub(crate) fn change(&self, run: &Run, change: Change) -> Result<(), Refused> {
        let Some(keep) = &self.keep else {
            let why = self.why_not.as_deref();
            let why = why.unwrap_or("this run does not keep shifts");
            return Err(Refused::Unkept(why.to_owned()));
        };
        let wanted = match change {
            Change::Reset => vec![0; run.trace.locations.len()],
            Change::Put(body) => by_location(run, &body).map_err(Refused::Form)?,
        };
        // Who comes second waits until the first is written.
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        keep(&wanted).map_err(Refused::Unkept)?;
        *now = wanted;
        Ok(())
    }
}

/// Why shifts are not changed.
pub(crate) enum Refused {
    /// The request is not of the form.
    Form(String),
    /// They cannot be kept.
    Unkept(String),
}

fn by_row(run: &Run, all: &[i64]) -> Map<String, Value> {
    let rows = run.rows.of_location.iter().zip(all);
    let shifted = rows.filter(|(_, ns)| **ns != 0);
    shifted
        .map(|(row, ns)| (row.to_string(), (*ns).into()))
        .collect()
}

/// What a request does to the shifts of a run.
pub(crate) enum Change {
    /// Those in its body are kept in place of all others.
    Put(Vec<u8>),
    /// All are forgotten.
    Reset,
}

/// Returns whether a question is one that may change something.
pub(crate) fn may_change(question: &Question) -> bool {
    matches!(&question.path[..], [run, _, shifts] if run == "run" && shifts == "shifts")
}

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    shifts: Pairs,
}

/// Rows and their shifts as they were written, those named twice, too.
struct Pairs(Vec<(String, i64)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Pairs;

            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("rows and their shifts in whole nanoseconds")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// Reads the body of a request, or says what is wrong with it.
fn by_location(run: &Run, body: &[u8]) -> Result<Vec<i64>, String> {
    let form: Form = serde_json::from_slice(body).map_err(|error| format!("shifts: {error}"))?;
    let mut all = vec![0; run.trace.locations.len()];
    let mut seen = vec![false; all.len()];
    for (name, ns) in form.shifts.0 {
        let number: Option<usize> = name
            .parse()
            .ok()
            .filter(|it: &usize| it.to_string() == name);
        let row = number.and_then(|number| run.rows.list.get(number));
        let row = row.ok_or_else(|| format!("{name} is no row of this run"))?;
        let location = row.location.ok_or_else(|| {
            format!("row {name} stands for several: the rows below it are to be named")
        })?;
        if ns.unsigned_abs() > MOST.unsigned_abs() {
            return Err(format!("row {name}: {ns} ns are more than 104 days"));
        }
        if std::mem::replace(&mut seen[location.index()], true) {
            return Err(format!("row {name} is named twice"));
        }
        all[location.index()] = ns;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mpiscope_analysis::finding::Findings;
    use mpiscope_model::Trace;
    use mpiscope_tiles::Times;

    use super::*;
    use crate::answer::{change, Answer};
    use crate::site::About;
    use crate::{answer, Shown, Site};

    type Kept = Arc<Mutex<Option<Vec<i64>>>>;

    fn site(shifts: impl FnOnce(Kept) -> Shifts) -> (Site, Kept) {
        let trace = Trace::parse("0: 1 5\n1: 2 3\n1.1: 2 3").unwrap();
        let mut run = Run::new(trace);
        let times = Times::new(&run.trace, None);
        run.add_view("measured", times, &[const { Vec::new() }; 3]);
        let kept = Kept::default();
        let shown = Shown::new(About::default(), run, Findings::default(), || true);
        let shown = shown.with_shifts(shifts(kept.clone()));
        let site = Site {
            version: String::new(),
            runs: vec![shown],
            live: None,
            edition: 0,
        };
        (site, kept)
    }

    fn keeping(kept: Kept) -> Shifts {
        let keep = move |all: &[i64]| {
            if all.contains(&666) {
                return Err("the disk is full".to_owned());
            }
            *kept.lock().unwrap() = Some(all.to_vec());
            Ok(())
        };
        Shifts::kept(vec![0; 3], Box::new(keep)).contained_in("corrected", vec![7, 0, 0])
    }

    fn question() -> Question {
        Question::new("/api/run/0/shifts", None).unwrap()
    }

    fn put(site: &Site, body: &str) -> Answer {
        change(site, &question(), Change::Put(body.as_bytes().to_vec()))
    }

    #[test]
    fn what_the_page_says_is_kept_and_told_again() {
        let (site, kept) = site(keeping);
        assert_eq!(answer(&site, &question()).value()["shifts"], json!({}));
        let answered = put(&site, r#"{"shifts":{"0":-5,"3":20}}"#);
        assert_eq!(answered.status, 200);
        // Row 1 is the process of the threads that rows 2 and 3 are.
        assert_eq!(*kept.lock().unwrap(), Some(vec![-5, 0, 20]));
        let told = answer(&site, &question()).value();
        let expected = json!({
            "shifts": {"0": -5, "3": 20},
            "contained": {"corrected": {"0": 7}},
            "can_keep": true,
            "why_not": null,
        });
        assert_eq!((told, answered.value()), (expected.clone(), expected));
        let answered = change(&site, &question(), Change::Reset);
        assert_eq!(answered.value()["shifts"], json!({}));
        assert_eq!(*kept.lock().unwrap(), Some(vec![0; 3]));
    }

    #[test]
    fn what_is_not_of_the_form_changes_nothing() {
        let (site, kept) = site(keeping);
        for body in [
            "",
            "[]",
            "{}",
            r#"{"shifts":[]}"#,
            r#"{"shifts":{"0":1},"more":1}"#,
            r#"{"shifts":{"0":1.5}}"#,
            r#"{"shifts":{"0":"1"}}"#,
            r#"{"shifts":{"0":1,"0":1}}"#,
            r#"{"shifts":{"00":1}}"#,
            r#"{"shifts":{"+0":1}}"#,
            r#"{"shifts":{"-1":1}}"#,
            r#"{"shifts":{"4":1}}"#,
            r#"{"shifts":{"1":1}}"#,
            r#"{"shifts":{"0":9007199254740993}}"#,
            r#"{"shifts":{"0":9223372036854775808}}"#,
            r#"{"shifts":{"0":1}} x"#,
        ] {
            let answered = put(&site, body);
            assert_eq!(answered.status, 400, "{body}");
            assert!(answered.value()["error"].is_string(), "{body}");
        }
        assert_eq!(*kept.lock().unwrap(), None);
    }

    #[test]
    fn what_cannot_be_kept_is_said_and_forgotten() {
        let (full, _) = site(keeping);
        let answered = put(&full, r#"{"shifts":{"0":666}}"#);
        assert_eq!(
            (answered.status, answered.value()["error"].as_str()),
            (409, Some("the disk is full"))
        );
        assert_eq!(answer(&full, &question()).value()["shifts"], json!({}));
        let (packed, _) = site(|_| Shifts::fixed(vec![3, 0, 0], "the run is packed".to_owned()));
        for change_to in [Change::Reset, Change::Put(b"{}".to_vec())] {
            assert_eq!(change(&packed, &question(), change_to).status, 409);
        }
        let told = answer(&packed, &question()).value();
        assert_eq!(told["shifts"], json!({"0": 3}));
        assert_eq!(told["why_not"], "the run is packed");
    }

    #[test]
    fn only_shifts_can_be_changed() {
        let may = |path: &str| may_change(&Question::new(path, None).unwrap());
        assert!(may("/api/run/0/shifts"));
        for path in [
            "/api/meta",
            "/api/run/0/findings",
            "/api/run/0/shifts/1",
            "/api/x/0/shifts",
        ] {
            assert!(!may(path), "{path}");
        }
        let (site, _) = site(keeping);
        let other = Question::new("/api/run/1/shifts", None).unwrap();
        assert_eq!(change(&site, &other, Change::Reset).status, 404);
    }
}
