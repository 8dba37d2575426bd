//! What is to be known of the figures, and what the trace lacks.

use mpiscope_analysis::refine::{Fate, Refinement};
use mpiscope_archive::model::EventKind;
use mpiscope_run::control::Why;
use mpiscope_run::plan::LeftOut;
use mpiscope_run::run_info::{RunInfo, State};

use super::earlier::Earlier;
use crate::cli::Functions;
use crate::end_of_run::EndOfRun;
use crate::input::Input;
use crate::kinds::Kinds;
use crate::launch::environment::Launch;
use crate::packed;
use crate::report::show;

/// Returns why calls of MPI were recorded only in part, as one says "trace without …".
pub fn in_part(input: &Input, earlier: &Earlier) -> Vec<&'static str> {
    let found = match &input.run {
        Some(run) => reasons(run, &Launch::of_run(run).unwrap_or_default(), earlier),
        None => Vec::new(),
    };
    let was_off = || {
        let mut locations = input.trace.locations.iter();
        locations.any(|it| it.events.kinds().contains(&EventKind::MeasurementOnOff))
    };
    match found.is_empty() && was_off() {
        true => vec!["switching recording off"],
        false => found,
    }
}

fn reasons(run: &RunInfo, launch: &Launch, earlier: &Earlier) -> Vec<&'static str> {
    let switched = |why| run.switched.iter().any(|it| it.why == why);
    // A bound that was set need not have been reached; who died could not tell.
    let is_told = run.state == State::Finished;
    let bounded = |is_set: bool, why| switched(why) || (is_set && !is_told);
    let has_groups = !launch.only_mpi.is_empty();
    let lacks_calls = run.filtered.iter().any(LeftOut::is_of_mpi);
    let by_name = earlier.is_of_mpi() || (lacks_calls && !has_groups);
    let reasons = [
        (has_groups, "--only-mpi"),
        (by_name, "a filter that names functions of MPI"),
        (launch.window.is_some() || switched(Why::Window), "--window"),
        (bounded(launch.limit.is_some(), Why::Limit), "--limit"),
        (launch.ranks.is_some() || switched(Why::Ranks), "--ranks"),
        (bounded(launch.keep.is_some(), Why::Kept), "--keep"),
        (
            bounded(launch.until_slow.is_some(), Why::Slow),
            "--until-slow",
        ),
        (switched(Why::Control), "`mpiscope control`"),
    ];
    let reasons = reasons.into_iter().filter(|(applies, _)| *applies);
    reasons.map(|(_, what)| what).collect()
}

/// Returns whether functions that are soon over are recorded only so many times: a longer run has
/// no more of them.
pub fn is_damped(input: &Input, found: &Refinement, times: f64) -> bool {
    let functions = |run: &RunInfo| Launch::of_run(run).map_or(Functions::Long, |it| it.functions);
    let is_long =
        |run: &RunInfo| functions(run) == Functions::Long && !run.other.contains_key("simulated");
    times > 1.0 && !found.regions.is_empty() && input.run.as_ref().is_some_and(is_long)
}

/// What the notes are about.
pub struct About<'a> {
    /// See [`in_part`].
    pub in_part: &'a [&'static str],
    /// See [`is_damped`].
    pub is_damped: bool,
    /// A filter is proposed.
    pub has_filter: bool,
    /// The line has a window, of these figures.
    pub has_window: bool,
}

/// Says what is to be known of the figures.
pub fn of(input: &Input, found: &Refinement, about: &About) -> Vec<String> {
    let mut notes = input.not_kept();
    let is_corrected = input.corrected().is_none_or(|it| it.exists());
    if !is_corrected && found.with(Fate::Nameless).next().is_some() {
        notes.push(format!(
            "`mpiscope sync {}` looks up the names of functions, so that a filter can name them",
            show::word(&packed::given(&input.path))
        ));
    }
    let end = EndOfRun::of(input)
        .iter()
        .flat_map(EndOfRun::sentences)
        .collect::<Vec<_>>();
    if !end.is_empty() {
        notes.push(format!(
            "the figures are of what was recorded before the end: {}",
            show::list(&end, 2)
        ));
    }
    notes.extend(part(about));
    notes.extend(about.is_damped.then(|| {
        "functions that are soon over are recorded some 10,000 times a thread at most \
         (--functions long): events and memory of the longer run are at most what is said"
            .to_owned()
    }));
    notes.extend(about.has_window.then(|| {
        "events, bytes and memory that are expected are of the whole run: in the window alone \
         they are fewer"
            .to_owned()
    }));
    if let Some(others) = Kinds::of(&input.trace).others() {
        notes.push(format!("the events of {others} are among all events"));
    }
    notes
}

/// Says what a filter cannot be relied on for, where calls of MPI are not all in the trace.
fn part(about: &About) -> Option<String> {
    let all = about.in_part.join(", ");
    (about.has_filter && !all.is_empty()).then(|| {
        format!(
            "calls of MPI were recorded only in part ({all}): what leads to the others, or makes \
             others wait there, is not known; trace without {all} before you rely on the filter"
        )
    })
}

#[cfg(test)]
mod tests {
    use mpiscope_run::control::Switchings;

    use super::*;

    #[test]
    fn what_kept_calls_out_of_the_trace_is_named() {
        let run = |state, why: &[Why]| RunInfo {
            state,
            switched: (why.iter())
                .map(|&why| Switchings {
                    why,
                    ..Switchings::default()
                })
                .collect(),
            ..RunInfo::default()
        };
        let limited = Launch {
            limit: Some(100),
            ..Launch::default()
        };
        let check = |run: &RunInfo, launch: &Launch, expected: &[&str]| {
            assert_eq!(reasons(run, launch, &Earlier::default()), expected);
        };
        check(&run(State::Finished, &[]), &limited, &[]);
        check(&run(State::Recovered, &[]), &limited, &["--limit"]);
        check(&run(State::Finished, &[Why::Limit]), &limited, &["--limit"]);
        let groups = Launch {
            only_mpi: vec!["p2p".to_owned()],
            ranks: Some("0".to_owned()),
            ..Launch::default()
        };
        check(
            &run(State::Finished, &[]),
            &groups,
            &["--only-mpi", "--ranks"],
        );
        let exec = run(State::Finished, &[Why::Kept, Why::Window]);
        check(&exec, &Launch::default(), &["--window", "--keep"]);
    }

    #[test]
    fn a_filter_of_calls_is_a_reason_and_one_of_functions_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let check = |rule: &str, expected: &[&str]| {
            let text = format!("SCOREP_REGION_NAMES_BEGIN {rule} SCOREP_REGION_NAMES_END");
            std::fs::write(folder.path().join("filter"), text).unwrap();
            let earlier = Earlier::of(folder.path());
            let run = RunInfo::default();
            assert_eq!(reasons(&run, &Launch::default(), &earlier), expected);
        };
        check("EXCLUDE *", &[]);
        check(
            "EXCLUDE MPI_Iprobe",
            &["a filter that names functions of MPI"],
        );
        check("EXCLUDE tiny INCLUDE MPI_Send", &[]);
        assert!(Earlier::of(folder.path()).leaves_out("tiny"));
    }

    #[test]
    fn a_filter_from_a_part_of_the_calls_is_not_to_be_relied_on() {
        let about = |has_filter| About {
            in_part: &["--only-mpi"],
            is_damped: false,
            has_filter,
            has_window: false,
        };
        let note = part(&about(true)).unwrap();
        assert!(note.contains("trace without --only-mpi before you rely"));
        assert_eq!(part(&about(false)), None);
    }
}
