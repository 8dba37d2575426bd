//! The facts as a page that teaches.

use std::path::Path;

use mpiscope_run::files::FileUse;
use mpiscope_run::run_info::State;
use mpiscope_run::ticks::Source;

use super::defined::Defined;
use super::facts::{Clock, Facts, Truncated};
use super::regions::Region;
use crate::input::TimeBase;
use crate::kinds::Kinds;
use crate::report::figures::LEGEND;
use crate::report::show;

/// Regions and clocks that are listed in text; `--json` has all.
const MOST: usize = 8;

/// Returns the report, or what is left of it where the definitions were told before.
pub fn text(facts: &Facts, told: Option<&Defined>) -> String {
    let head = told.map_or_else(|| head(facts), |_| String::new());
    let parts = [
        head,
        end(facts),
        contents(facts, told),
        violations(facts),
        clocks(facts),
        regions("time, all ranks", &facts.regions),
        regions("on accelerators", &facts.accelerator_regions),
        files(facts),
        notes(facts),
        next(facts),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// Puts names before values; what is not known is left out.
pub fn pairs(pairs: &[(&str, Option<String>)]) -> String {
    let known = pairs.iter().filter_map(|(name, value)| {
        let value = value.as_ref().filter(|value| !value.is_empty())?;
        Some(format!("{name:<12}{value}"))
    });
    known.collect::<Vec<_>>().join("\n")
}

fn head(facts: &Facts) -> String {
    let kind = match facts.state {
        None => kind_of_archive(facts.clock == Some(TimeBase::Corrected)),
        Some(State::Running) => "run that has not ended",
        Some(State::Finished) => "run",
        Some(State::Recovered) if facts.end.is_none() => "run; recovered from its buffers",
        Some(State::Recovered) => "run that died; recovered from its buffers",
    };
    let mpi = facts.mpi.as_ref().map(|mpi| {
        let name = format!("{} {}", mpi.name, mpi.version);
        match mpi.standard.as_str() {
            "" => name.trim().to_owned(),
            standard => format!("{name} (MPI {standard})"),
        }
    });
    let pairs = pairs(&[
        (
            "command",
            facts.command.as_ref().map(|words| words.join(" ")),
        ),
        ("program", facts.program.clone()),
        ("MPI", mpi),
        ("hosts", Some(hosts(&facts.hosts))),
    ]);
    let text = format!("{}\n{pairs}", title(&facts.path, kind));
    text.trim_end().to_owned()
}

/// Says what lies at a path.
pub fn title(path: &Path, kind: &str) -> String {
    format!("{}: {kind}", path.display())
}

/// Says what an archive by itself is.
pub fn kind_of_archive(corrected: bool) -> &'static str {
    match corrected {
        true => "OTF2 archive in corrected time",
        false => "OTF2 archive",
    }
}

/// Names the first hosts.
pub fn hosts(hosts: &[String]) -> String {
    show::list(hosts, MOST)
}

/// Counts processes and their locations.
pub fn ranks(ranks: u64, kinds: Kinds) -> String {
    format!("{}, {}", show::count(ranks), kinds.sentence())
}

/// Of a run that died: what one looks for first.
fn end(facts: &Facts) -> String {
    let Some(end) = &facts.end else {
        return String::new();
    };
    let mut lines = vec!["How it ended:".to_owned()];
    lines.extend(end.sentences().iter().map(|text| format!("  {text}")));
    lines.join("\n")
}

/// Says what there is; of what was told before only what does not hold.
fn contents(facts: &Facts, told: Option<&Defined>) -> String {
    let missing = match &facts.ranks_missing[..] {
        [] => String::new(),
        ranks => format!("; nothing from rank {}", show::ranges(ranks)),
    };
    let messages = &facts.messages;
    let unmatched = match (messages.unmatched_sends, messages.unmatched_receives) {
        (0, 0) => String::new(),
        (sends, receives) => {
            format!("; unmatched: {sends} sends, {receives} receives")
        }
    };
    let duration = show::duration(facts.duration_ns as f64);
    let ranks = ranks(facts.ranks, facts.kinds) + &missing;
    pairs(&[
        (
            "duration",
            match told {
                None => Some(duration),
                Some(told) if told.holds_duration(facts) => None,
                Some(_) => Some(format!("{duration}, from the first to the last event")),
            },
        ),
        ("ranks", told.is_none().then_some(ranks)),
        (
            "events",
            match told {
                Some(told) if told.holds_events(facts) => None,
                told => Some(match told.and_then(Defined::wrong) {
                    Some(wrong) => format!("{}, {wrong}", events(facts)),
                    None => events(facts),
                }),
            },
        ),
        (
            "messages",
            Some(format!(
                "{} point-to-point, {}{unmatched}",
                show::count(messages.point_to_point),
                show::counted(messages.bytes, "byte")
            )),
        ),
        (
            "collectives",
            Some(format!(
                "{}, {}",
                show::counted(facts.collectives, "operation"),
                show::counted(facts.collective_calls, "call")
            )),
        ),
        ("files", read_and_written(facts)),
    ])
}

fn read_and_written(facts: &Facts) -> Option<String> {
    let files = &facts.files;
    let unknown = files.each.iter().map(|it| it.unknown);
    let unknown = unknown.fold(0, u64::saturating_add);
    let unknown = match unknown {
        0 => String::new(),
        number => format!(
            ", and {} of unknown size",
            show::counted(number, "operation")
        ),
    };
    (!files.each.is_empty()).then(|| {
        format!(
            "{}, {} read, {} written{unknown}",
            show::count(files.each.len() as u64),
            show::counted(files.bytes_read, "byte"),
            show::counted(files.bytes_written, "byte"),
        )
    })
}

/// The files in which most was read and written.
fn files(facts: &Facts) -> String {
    let row = |it: &FileUse| {
        [
            it.name.clone(),
            show::count(it.openings),
            show::count(it.bytes_read),
            show::count(it.bytes_written),
            show::duration(it.nanoseconds as f64),
        ]
    };
    let all = &facts.files.each;
    if all.is_empty() {
        return String::new();
    }
    let rows = all.iter().take(MOST).map(row).collect();
    let more = match all.len() {
        0..=MOST => String::new(),
        number => format!("\n{} more", show::count((number - MOST) as u64)),
    };
    let header = ["file", "opened", "bytes read", "written", "time, all ranks"];
    show::table(header, rows).trim_end().to_owned() + &more
}

/// Says how many events there are, and how many are not: some were not kept,
/// others are in the archive and cannot be read.
fn events(facts: &Facts) -> String {
    let read = show::count(facts.events);
    let lost = match facts.events_lost {
        Some(0) if facts.truncated.is_empty() => ", none lost".to_owned(),
        None | Some(0) => String::new(),
        Some(lost) => format!(", {} lost", show::count(lost)),
    };
    match &facts.truncated[..] {
        [] => read + &lost,
        truncated => format!("{read} read{lost}; {}", unread(facts, truncated)),
    }
}

/// Names the locations that are damaged, and how many events they lack as far as that is known.
fn unread(facts: &Facts, truncated: &[Truncated]) -> String {
    let name = |t: &Truncated| format!("location {} (rank {})", t.location, t.rank);
    let names: Vec<String> = truncated.iter().map(name).collect();
    let names = show::list(&names, MOST);
    let share = |unread: u64, whose: &str, read: u64| {
        let all = show::count(read.saturating_add(unread));
        let unread = show::count(unread);
        format!("{names}: {unread} of {whose} {all} events could not be read")
    };
    match (facts.events_unread, truncated) {
        (Some(0), _) => format!("{names}: damaged, though no event is missing"),
        // What is missing of the run is missing of this location.
        (Some(unread), [only]) => share(unread, "its", only.events),
        (Some(unread), _) => share(unread, "all", facts.events),
        (None, _) => format!("{names}: damaged, nobody knows how many events are missing"),
    }
}

fn violations(facts: &Facts) -> String {
    let logical = facts.messages.logical;
    let table = facts.violations.table(logical);
    let known = match &facts.latency {
        Some(latency) => format!("{LEGEND}\n  minimum latency: {}", latency.sentence()),
        None => "  reversed: received before sent; what clocks and latencies add is found with \
                 --clocks"
            .to_owned(),
    };
    let uncertainty = facts.uncertainty.and_then(|widths| widths.sentence());
    let uncertainty = uncertainty.map_or_else(String::new, |text| format!("\n  corrected: {text}"));
    format!(
        "Can the time stamps be true? {} (point-to-point, and those that collectives imply)\n\
         {table}\n{known}{uncertainty}",
        show::counted(logical, "logical message"),
    )
}

fn clocks(facts: &Facts) -> String {
    let claims: String = (facts.clock_claims.sentences())
        .map(|what| format!("\n  {what}"))
        .collect();
    let shifts = facts.shifts.sentence();
    let shifts = shifts.map_or_else(String::new, |said| format!("\n  shifts: {said}"));
    let title = match facts.clocks.len() {
        0 => return shifts.trim_start().to_owned(),
        1 => return format!("Clocks: {}{claims}{shifts}", one_clock(facts)),
        many => format!("{many} clocks, compared with the first{claims}"),
    };
    let rows = facts.clocks.iter().take(MOST).map(clock_row).collect();
    let header = ["ranks", "clock", "ahead", "±", "at the end", "±", "drift"];
    let more = facts.clocks.len().saturating_sub(MOST);
    let more = match more {
        0 => String::new(),
        _ => format!("\n  and {more} more (--json lists all)"),
    };
    format!("{title}\n{}{more}{shifts}", show::table(header, rows))
}

/// Says of an archive with one clock who says so.
fn one_clock(facts: &Facts) -> &'static str {
    let by_caller = facts.clock_claims.asked().is_some();
    match (facts.ranks, facts.messages.logical) {
        (0 | 1, _) => "one",
        _ if by_caller => "all ranks are taken to read one clock",
        (_, 0) => "all ranks read one clock, as the archive says; no message tests that",
        _ if !facts.clock_claims.contradicted.is_empty() => {
            "all ranks read one clock, as the archive says"
        }
        _ => "all ranks read one clock",
    }
}

fn clock_row(clock: &Clock) -> [String; 7] {
    let source = match clock.source {
        None => "",
        Some(Source::Tsc) => "tsc",
        Some(Source::Monotonic) => "monotonic",
    };
    let fault = if clock.fault { " with fault" } else { "" };
    let at = |measurement: Option<&super::facts::Measurement>| match measurement {
        None => ["", ""].map(str::to_owned),
        Some(m) => [Some(-m.offset_ns), m.uncertainty_ns]
            .map(|ns| ns.map_or_else(|| "-".to_owned(), |ns| show::duration(ns as f64))),
    };
    let [first, first_width] = at(clock.measurements.first());
    let several = clock.measurements.len() > 1;
    let [last, last_width] = at(clock.measurements.last().filter(|_| several));
    let drift = clock.drift_ppm.filter(|_| several);
    [
        show::ranges(&clock.ranks),
        format!("{source}{fault}"),
        first,
        first_width,
        last,
        last_width,
        drift.map_or_else(String::new, |ppm| {
            format!("{} ppm", show::three_digits(ppm))
        }),
    ]
}

fn regions(whose: &str, regions: &[Region]) -> String {
    if regions.is_empty() {
        return String::new();
    }
    let rows = regions.iter().take(MOST).map(|region| {
        let mean = region.time_ns as f64 / region.calls.max(1) as f64;
        [
            region.name.clone(),
            show::count(region.calls),
            show::duration(region.time_ns as f64),
            show::duration(mean),
            called_at(region),
        ]
    });
    let header = ["region", "calls", whose, "mean", "most frequent call site"];
    let more = match regions.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("\n  and {more} more (--json lists all)"),
    };
    show::table(header, rows.collect()) + &more
}

/// Names the place where most of a region's time was spent.
fn called_at(region: &Region) -> String {
    let Some(site) = region.sites.first() else {
        return String::new();
    };
    let file = site.place.rsplit('/').next().unwrap_or(&site.place);
    match region.sites.len() - 1 {
        0 => file.to_owned(),
        others => format!("{file} and {others} more"),
    }
}

fn notes(facts: &Facts) -> String {
    let notes = facts.not_kept.iter().chain(&facts.notes);
    let notes = notes.map(|note| format!("note: {note}"));
    notes.collect::<Vec<_>>().join("\n")
}

fn next(facts: &Facts) -> String {
    let path = show::word(&facts.path);
    if facts.clock == Some(TimeBase::Corrected) {
        return format!("corrected   {}", facts.archive.display());
    }
    let measured = format!("measured    {}", facts.archive.display());
    let races = match facts.end {
        Some(_) => format!(
            "  mpiscope races {path}\n      \
             who waits for whom, and what MPI forbids\n"
        ),
        None => String::new(),
    };
    let Some(corrected) = &facts.corrected_archive else {
        return format!(
            "{measured}\n\nNext:\n{races}  mpiscope sync {path}\n      write a corrected archive beside it"
        );
    };
    format!(
        "{measured}\ncorrected   {}\n\n\
         Next:\n{races}  mpiscope sync --force {path}\n      \
         correct again, with other options (mpiscope sync --help)\n  \
         mpiscope print --merged {path} | less\n      \
         every event, all ranks in one order of corrected time",
        corrected.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::facts::facts;
    use crate::input::Input;
    use expect_test::expect;
    use mpiscope_archive::model::Trace;

    #[track_caller]
    fn check_events(lost: Option<u64>, unread: Option<u64>, truncated: &[u64], expected: &str) {
        let truncated = truncated.iter().zip(1..).map(|(&events, rank)| Truncated {
            location: rank.into(),
            rank,
            events,
            what: "cut".into(),
        });
        let facts = Facts {
            events: 1987,
            events_lost: lost,
            events_unread: unread,
            truncated: truncated.collect(),
            ..Facts::default()
        };
        assert_eq!(events(&facts), expected);
    }

    #[test]
    fn events_that_could_not_be_read_are_not_passed_over() {
        check_events(None, None, &[], "1,987");
        check_events(Some(0), Some(0), &[], "1,987, none lost");
        check_events(Some(5), Some(0), &[], "1,987, 5 lost");
        check_events(
            Some(0),
            Some(13),
            &[987],
            "1,987 read; location 1 (rank 1): 13 of its 1,000 events could not be read",
        );
        check_events(
            Some(5),
            Some(13),
            &[900, 80],
            "1,987 read, 5 lost; location 1 (rank 1), location 2 (rank 2): \
             13 of all 2,000 events could not be read",
        );
        check_events(
            None,
            None,
            &[987],
            "1,987 read; location 1 (rank 1): damaged, nobody knows how many events are missing",
        );
        check_events(
            Some(0),
            Some(0),
            &[987],
            "1,987 read; location 1 (rank 1): damaged, though no event is missing",
        );
    }

    #[test]
    fn an_archive_is_explained() {
        let picture = "\
clock 0:
clock 1: 0 +350000 ±600, 2000000 +350040 ±700
0: 1000 enter(MPI_Send) 1200 send>1(bytes=64) 1500 leave(MPI_Send) 900000 barrier{ 950000 }
1: 500 enter(MPI_Recv) !at(src/heat.c:40) 1000 recv<0(bytes=64) 1100 leave(MPI_Recv) 550000 barrier{ 600100 }";
        let mut input = Input {
            trace: Trace::parse(picture).unwrap(),
            path: "heat".into(),
            anchor: "heat/traces.otf2".into(),
            ..Input::default()
        };
        let facts = facts(&mut input, None);
        expect![[r#"
            heat: OTF2 archive

            duration    949 µs
            ranks       2, 2 locations
            events      10
            messages    1 point-to-point, 64 bytes
            collectives 1 operation, 2 calls

            Can the time stamps be true? 3 logical messages (point-to-point, and those that collectives imply)
                           reversed   share    mean   worst
              as measured         2  66.7 %  150 µs  300 µs
              reversed: received before sent; what clocks and latencies add is found with --clocks

            2 clocks, compared with the first
              ranks  clock    ahead       ±  at the end       ±    drift
              0
              1             -350 µs  600 ns     -350 µs  700 ns  -20 ppm

              region    calls  time, all ranks    mean  most frequent call site
              MPI_Recv      1           600 ns  600 ns                heat.c:40
              MPI_Send      1           500 ns  500 ns

            measured    heat/traces.otf2

            Next:
              mpiscope sync heat
                  write a corrected archive beside it"#]].assert_eq(&text(&facts, None));
    }
}
