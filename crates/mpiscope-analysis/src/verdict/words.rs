//! The verdict in words: the one place for terminal, page and report.

use mpiscope_model::{Duration, EventRef, RegionId, Trace};

use super::known::LIKELY;
use super::{share, Doubt, Evidence, Kind, Loss, Source, Verdict, MATTERS};
use crate::evidence::WHY_CALLS_LACK;
use crate::finding::{named, sentence};
use crate::profile::{Activity, Statement};
use crate::races::CallPlace;
use crate::rounded::rounded;
use crate::timeline::is_init;

/// Where so much of the time is not known, nobody can say that nothing was lost.
const HIDES: f64 = 0.1;

/// Ranks that are named one by one.
const NAMED: usize = 4;

/// A verdict in sentences, without full stops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// How much was lost.
    pub headline: String,
    /// What to, in the order of [`Verdict::losses`].
    pub losses: Vec<Said>,
    /// What cannot be told.
    pub doubts: Vec<String>,
}

/// A loss in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// What, how much, who and where.
    pub text: String,
    /// How sure that is, and why.
    pub why: String,
    /// What to look at, or do, next.
    pub next: String,
}

impl Said {
    /// Returns all of it as one paragraph, which is the text of the finding.
    pub fn paragraph(&self) -> String {
        let Said { text, why, next } = self;
        format!("{}. {}. Next: {next}", sentence(text), sentence(why))
    }
}

impl Verdict {
    /// Says it.
    pub fn words(&self, trace: &Trace) -> Words {
        Words {
            headline: self.headline(between(trace)),
            losses: self.losses.iter().map(|it| self.say(trace, it)).collect(),
            doubts: self.doubts.iter().map(|it| self.doubt(it)).collect(),
        }
    }

    fn headline(&self, between: &str) -> String {
        if self.time <= Duration::ZERO {
            return format!("no time went by {between}: nothing can be told");
        }
        let parts = format!(
            "{} of the ranks' time {between} is waiting ({}{}), {} is in MPI otherwise",
            percent(self.share(self.waiting)),
            ns(self.waiting),
            self.open(),
            percent(self.share(self.transfer)),
        );
        let limit = match self.doubts.is_empty() {
            true => "",
            false => ", as far as can be told",
        };
        let matters = self.share(self.waiting) >= MATTERS;
        match (self.losses.is_empty(), matters) {
            (true, false) if self.hide_much() => {
                format!("whether time was lost cannot be told: {parts}")
            }
            (true, false) => format!("nothing was lost that matters{limit}: {parts}"),
            (true, true) => format!("{parts}: no cause of it is known that matters by itself"),
            (false, _) => format!("{parts}{limit}"),
        }
    }

    /// Returns whether so much of the time is not known that any loss may be in it.
    fn hide_much(&self) -> bool {
        self.doubts.iter().any(|doubt| match doubt {
            Doubt::Polling(share)
            | Doubt::Unrecorded(share)
            | Doubt::WithoutProcessor { share, .. } => *share >= HIDES,
            _ => false,
        })
    }

    /// Says by how much all waiting can be wrong, or of some of it at least; nothing where no clock
    /// can be.
    fn open(&self) -> String {
        let at_least = match self.resolution.unknown {
            Duration::ZERO => "",
            _ => " at least",
        };
        match self.resolution.half_width {
            Duration::ZERO => String::new(),
            half_width => format!(" ± {}{at_least}", ns(half_width)),
        }
    }

    /// Says what cannot be told, and why.
    fn doubt(&self, doubt: &Doubt) -> String {
        match doubt {
            Doubt::LeftOut => format!(
                "who waited in calls of MPI that are not in the trace {WHY_CALLS_LACK}: they look like \
                 what is around them"
            ),
            Doubt::WithoutProcessor { share, crowd } => {
                let crowd = crowd.map(|(ranks, processors)| {
                    format!(" ({ranks} ranks on {processors} processors)")
                });
                format!(
                    "what ranks did in {} of their time: they were ready to run and had no processor{}, \
                     which looks like computation, slow calls or waiting",
                    percent(*share),
                    crowd.unwrap_or_default()
                )
            }
            Doubt::Unrecorded(part) => {
                format!("what happened in {} of the time, as recording was off", percent(*part))
            }
            Doubt::Unmatched(part) => format!(
                "who waited for {} of the messages, as their other side is not in the trace",
                percent(*part)
            ),
            Doubt::MissingMembers(part) => format!(
                "who waited for whom in {} of the collective operations, as members of them are not in \
                 the trace",
                percent(*part)
            ),
            Doubt::Polling(part) => format!(
                "whether ranks worked or waited in {} of the time, which passed between polls (MPI_Test, \
                 MPI_Iprobe): it counts as computation",
                percent(*part)
            ),
            Doubt::Clocks(part) => format!(
                "how long {} of the waits were, as they contradict the clocks{}",
                percent(*part),
                match self.is_corrected {
                    true => ", corrected as these are",
                    false => ": `mpiscope sync` corrects them",
                }
            ),
            Doubt::BelowResolution(part) => format!(
                "whether {} of the waiting was any, as it is no longer than what clocks can be wrong by",
                percent(*part)
            ),
            Doubt::NoCauses => {
                "what caused the waiting, as it was not looked for: `mpiscope analyze --causes` does".into()
            }
            Doubt::Unexplained(part) => {
                format!("what caused {} of the waiting", percent(*part))
            }
            Doubt::Silent => {
                "who waited in calls of which nothing else is told: they are listed as unknown".into()
            }
        }
    }

    fn say(&self, trace: &Trace, loss: &Loss) -> Said {
        let verdict = self;
        let say = Say {
            trace,
            loss,
            verdict,
        };
        let (name, text, next) = say.kind();
        let share = percent(self.share(loss.lost));
        let lines = say.source();
        Said {
            text: format!("{name}, {share} ({}): {text}{lines}", ns(loss.lost)),
            why: format!("{}: {}", loss.certainty.name(), say.why()),
            next: match say.closer() {
                Some(closer) => format!("{closer}; {next}"),
                None => next.to_owned(),
            },
        }
    }
}

/// What is said of one loss.
struct Say<'a> {
    trace: &'a Trace,
    loss: &'a Loss,
    verdict: &'a Verdict,
}

impl Say<'_> {
    /// Returns what the kind is called, what happened, and what to do.
    fn kind(&self) -> (&'static str, String, &'static str) {
        let Evidence {
            times,
            bytes,
            saved,
            compared,
            ..
        } = self.loss.evidence;
        let (ranks, victims) = (some(&self.loss.ranks), some(&self.loss.victims));
        let place = self.place();
        let (first, second) = compared.unwrap_or_default();
        match self.loss.kind {
            Kind::GrowingIterations => (
                "iterations grow",
                format!(
                    "each of {times} iterations takes {} at the begin and {} at the end (medians of \
                     the first and the last third): {}",
                    ns(first),
                    ns(second),
                    match (self.loss.ranks.is_empty(), self.loss.activity) {
                        (true, _) => "no rank's own time, without waiting, grows by half as much: \
                                      which rank is the cause is not told".to_owned(),
                        (_, Some(Activity::Mpi(_))) => format!(
                            "{ranks} {} longer and longer {place}, waiting aside",
                            one_or_more(&self.loss.ranks, "is", "are")
                        ),
                        (_, Some(_)) => format!("{ranks} {} longer and longer {place}", computes(&self.loss.ranks)),
                        (_, None) => format!("it is time in MPI on {ranks}"),
                    }
                ),
                match (self.loss.ranks.is_empty(), self.loss.activity) {
                    (true, _) => "compare the first iterations with the last: what ranks wait for there, \
                             and whether each takes a little longer",
                    (_, Some(Activity::Mpi(_))) => "see whether its messages grow from iteration to \
                             iteration, or become more",
                    _ => "see what becomes more there from iteration to iteration: lists, searches, memory",
                },
            ),
            Kind::SmallMessages => (
                "small messages",
                format!(
                    "{times} messages of {} bytes in the mean{}; each takes {} {place}, which sends most",
                    bytes / times.max(1),
                    match self.loss.ranks.len() {
                        // None has a partner in the trace.
                        0 => String::new(),
                        1 => format!(", most of them from {ranks}"),
                        _ => format!(", from {ranks}"),
                    },
                    ns(Duration(first.0 / second.0.max(1))),
                ),
                "send several as one message: longer counts, a derived datatype, MPI_Pack",
            ),
            Kind::WrongOrder => (
                "receives in wrong order",
                format!(
                    "{ranks} {} for {victims} {place}, {}{}, while {} is there, which is \
                     received later {}; to receive what has come first would save up to {}",
                    one_or_more(&self.loss.ranks, "waits", "wait"),
                    counted(times, "time"),
                    match (&self.loss.ranks[..], &self.loss.victims[..]) {
                        ([_], [_]) => "",
                        _ => " in all",
                    },
                    self.other_message(),
                    self.effect(),
                    ns(saved)
                ),
                "receive from MPI_ANY_SOURCE, or with MPI_Irecv and MPI_Waitany, if any order will do",
            ),
            Kind::Contention => (
                "contention",
                format!(
                    "{victims} wait for messages of {ranks}, which serves one after the other and \
                     takes its time {place}"
                ),
                "let more ranks serve, ask for more at a time, or answer before the work that follows",
            ),
            Kind::Barrier => (
                "a barrier that may be needless",
                format!(
                    "{victims} wait {place}, {} each, and who is late changes (most \
                     often {}): without it the differences would even out, and up to {} be saved",
                    counted(times, "time"),
                    some(&self.loss.ranks[..self.loss.ranks.len().min(1)]),
                    ns(saved)
                ),
                "leave the barrier out, unless something beside messages relies on it",
            ),
            Kind::FileAccess => (
                "files on one rank",
                format!(
                    "{ranks} {} {place} while others wait, most {victims}",
                    one_or_more(&self.loss.ranks, "reads or writes", "read or write")
                ),
                "read and write by all ranks (MPI_File_write_at_all), less often, or beside the \
                 computation (MPI_File_iwrite_at)",
            ),
            Kind::SlowRank => (
                "a slow rank",
                format!(
                    "{ranks} computes for {}, others for {} in the mean; these wait for it after \
                     at least {times} stretches of the program, most {place}",
                    ns(first),
                    ns(second),
                ),
                "compare its core, memory (NUMA) and clock with the others', and how much work it is \
                 given",
            ),
            Kind::Serialization => (
                "ranks take turns",
                format!(
                    "{ranks} compute one after the other {place}: {} of that time is on the critical \
                     path",
                    percent(share(first, second)),
                ),
                "find what makes the next rank wait for the one before: a token, a lock, an order of \
                 messages",
            ),
            Kind::LateSenderChain => (
                "late senders in a chain",
                format!(
                    "{ranks} computes longer {place}; {victims} waits for it and makes others wait: \
                     {} are lost directly, {} through waits of others",
                    ns(self.loss.evidence.direct),
                    ns(self.loss.evidence.indirect),
                ),
                "give that rank less to do, or have the others receive later or without blocking",
            ),
            Kind::UnevenComputation => (
                "uneven computation",
                format!(
                    "{ranks} {} longer {place} than those that wait, most {victims}",
                    computes(&self.loss.ranks)
                ),
                "give less to do there, or the others more",
            ),
            Kind::UnevenThreads => (
                "uneven threads",
                format!("threads of {ranks} compute longer {place} than those that wait for them"),
                "share the work among the threads more evenly (schedule, chunks, tasks)",
            ),
            Kind::SlowCall => (
                "a slow call",
                format!(
                    "{ranks} {} longer {place} than those that wait, most {victims}",
                    one_or_more(&self.loss.ranks, "is", "are")
                ),
                "see what it carries: larger or more messages than on others, or another host",
            ),
            Kind::SlowCompletion => (
                "a slow completion",
                format!(
                    "{ranks} {} longer {place}, which completes nonblocking collective operations, than \
                     those that wait, most {victims}",
                    one_or_more(&self.loss.ranks, "is", "are")
                ),
                "see who computes longest between start and completion (`mpiscope profile`): where MPI \
                 goes on with an operation only in its own calls, all wait for that rank; give it less to \
                 do there, or call MPI_Test in between",
            ),
            Kind::LateProgress => (
                "late progress",
                format!(
                    "{ranks} {} longer {place} while {} messages are under way; those at the other side, \
                     most {victims}, are {} until then, although both sides of these messages had been \
                     begun before{}",
                    computes(&self.loss.ranks),
                    one_or_more(&self.loss.ranks, "its", "their"),
                    self.effect(),
                    self.passed_on()
                ),
                "give less to do there, or call MPI_Test in between: many libraries carry large messages \
                 only while ranks are in their calls",
            ),
            Kind::Waiting => (
                "waiting",
                format!(
                    "{victims} {} {place}, most for {ranks}, {}",
                    one_or_more(&self.loss.victims, "waits", "wait"),
                    counted(times, "time")
                ),
                self.for_waits(),
            ),
            Kind::Transfer => (
                "time in MPI that is no waiting",
                format!(
                    "{} of it {place}, in {}{}, most on {ranks}",
                    percent(share(first, second)),
                    counted(times, "call"),
                    match bytes {
                        0 => String::new(),
                        _ => format!(" with {}", counted(bytes, "byte")),
                    },
                ),
                match bytes {
                    0 => "see whether it can be called less often, or go on beside the computation",
                    _ => "see whether less can be sent, or while computing",
                },
            ),
            Kind::StartUp => (
                "start-up",
                format!(
                    "{ranks} {} longer {place} than those that wait, most {victims}",
                    one_or_more(&self.loss.ranks, "is", "are")
                ),
                "trace a longer run: it is lost once",
            ),
        }
    }

    /// Says what would tell the cause of waits: what was not done yet of it.
    fn for_waits(&self) -> &'static str {
        let doubts = &self.verdict.doubts;
        let are_wrong = doubts.iter().any(|it| matches!(it, Doubt::Clocks(_)));
        let corrects = are_wrong && !self.verdict.is_corrected;
        match (corrects, doubts.contains(&Doubt::NoCauses)) {
            (true, true) => {
                "correct the clocks (`mpiscope sync`), and look for causes (`mpiscope analyze --causes`)"
            }
            (true, false) => "correct the clocks (`mpiscope sync`)",
            (false, true) => "look for causes (`mpiscope analyze --causes`)",
            (false, false) => "look at the longest of these waits on the time line (`mpiscope view`)",
        }
    }

    /// Says where it is, with the call that followed a region where it mattered.
    fn place(&self) -> String {
        let place = |it: &Activity| place(self.trace, it);
        let text = self.loss.activity.as_ref().map_or_else(String::new, place);
        match self.loss.activity {
            Some(Activity::Region(_)) if !text.is_empty() => text + &self.before(),
            _ => text,
        }
    }

    fn before(&self) -> String {
        let before = match self.loss.kind {
            Kind::GrowingIterations => None,
            _ => self.loss.events,
        };
        before.map_or_else(String::new, |[cause, _]| {
            format!(
                ", before {}",
                named(self.trace, CallPlace::of(self.trace, cause))
            )
        })
    }

    /// Says which line samples show, or that the calls enclose it.
    fn source(&self) -> String {
        match (self.loss.source, self.loss.activity) {
            (Some(Source::Samples(site, periods, all)), _) => {
                let site = self.trace.definitions.call_sites.get(site.index());
                let place = site.map_or_else(String::new, |it| {
                    let place = it.to_string();
                    let line = place.rsplit('/').next().unwrap_or_default().to_owned();
                    let function = it.function.as_ref();
                    function.map_or(line.clone(), |function| format!("{function} at {line}"))
                });
                let part = periods as f64 / all.max(1) as f64;
                format!("; {} of its samples there are in {place}", percent(part))
            }
            (None, Some(Activity::Between(Some(_), Some(_)))) => {
                " (the two calls enclose it)".to_owned()
            }
            _ => String::new(),
        }
    }

    /// Says what would tell the line more closely.
    fn closer(&self) -> Option<&'static str> {
        let encloses = matches!(self.loss.activity, Some(Activity::Between(..)));
        (encloses && self.loss.source.is_none())
            .then_some("trace with --sample 1ms or with regions for the lines in between")
    }

    /// Says what of it others waited for those who were in MPI.
    fn passed_on(&self) -> String {
        match self.loss.evidence.indirect {
            Duration::ZERO => String::new(),
            indirect => format!("; {} of it are waits of others for these", ns(indirect)),
        }
    }

    fn other_message(&self) -> String {
        let source = self.loss.victims.first();
        match self.loss.evidence.other {
            Some(other) if source == Some(&other) => format!("another message of rank {other}"),
            Some(other) => format!("a message of rank {other}"),
            None => "another message".to_owned(),
        }
    }

    /// Names the call that shows the effect.
    fn effect(&self) -> String {
        let name = |it: EventRef| named(self.trace, CallPlace::of(self.trace, it));
        let effect = self.loss.events.map(|[_, effect]| effect);
        effect.map_or_else(String::new, |it| format!("in {}", name(it)))
    }

    /// Says why it is as sure as it is.
    fn why(&self) -> String {
        match self.loss.kind {
            Kind::GrowingIterations => "most pairs of iterations say so, which is no chance".into(),
            Kind::SmallMessages => "the time is theirs; how much fewer and larger ones would take \
                                    the trace does not tell"
                .into(),
            Kind::WrongOrder => {
                "whether the program can take them in another order the trace does \
                                 not tell"
                    .into()
            }
            Kind::Barrier => "whether something else relies on it the trace does not tell".into(),
            Kind::LateProgress => format!(
                "{} ended in {} after that, together; whether MPI needed that rank or the way took so \
                 long, the trace does not tell",
                counted(self.loss.evidence.times, "such call"),
                ns(self.loss.evidence.compared.unwrap_or_default().1),
            ),
            Kind::Waiting => "what caused it is not known".into(),
            Kind::Transfer => "what of it can be spared the trace does not tell".into(),
            Kind::SlowCompletion => {
                "whether operations went on while ranks computed the trace does not \
                                     tell"
                    .into()
            }
            _ if !self.trace.definitions.told.calls => {
                "calls of MPI are not in the trace: whoever is named may have waited in them".into()
            }
            _ if self.verdict.lacks_members() => {
                "members of collective operations are not in the trace: whoever is named may only \
                 have waited for them"
                    .into()
            }
            _ => {
                let evidence = &self.loss.evidence;
                let part = percent(evidence.explained);
                match evidence.explained >= LIKELY {
                    true => format!(
                        "{part} of all waiting is charged to what caused it{}",
                        self.without_processor()
                    ),
                    false => format!("only {part} of all waiting has a known cause"),
                }
            }
        }
    }

    /// Says that those who are named may have had no processor.
    fn without_processor(&self) -> String {
        match self.loss.evidence.without_processor {
            Duration::ZERO => String::new(),
            without => format!(
                ", but {} ready to run and had no processor for {}",
                match self.loss.ranks[..] {
                    [rank] => format!("rank {rank} was"),
                    _ => "those ranks were".to_owned(),
                },
                ns(without)
            ),
        }
    }
}

/// Says where an activity is: between which calls, in which call or region; nothing where recording
/// was off.
pub fn place(trace: &Trace, activity: &Activity) -> String {
    let call = |it: &Statement| named(trace, it.place);
    match activity {
        Activity::Unrecorded => String::new(),
        Activity::Mpi(it) | Activity::Threads(it) => format!("in {}", call(it)),
        Activity::Region(it) => region(trace, *it),
        Activity::Between(Some(from), Some(to)) if from == to => {
            format!("between two calls of {}", call(from))
        }
        Activity::Between(Some(from), Some(to)) => {
            format!("between {} and {}", call(from), call(to))
        }
        Activity::Between(None, Some(to)) => format!("before {}", call(to)),
        Activity::Between(Some(from), None) => format!("after {}", call(from)),
        Activity::Between(None, None) => "outside of MPI".to_owned(),
    }
}

/// Says which time shares are of: where ranks do not enter MPI_Init or MPI_Finalize, as programs with
/// sessions need not, first and last event stand in for these (`efficiency::within`).
fn between(trace: &Trace) -> &'static str {
    let regions = &trace.definitions.regions;
    let is_there = |is: fn(&str) -> bool| regions.iter().any(|region| is(&region.name));
    match [is_there(is_init), is_there(|name| name == "MPI_Finalize")] {
        [true, true] => "between MPI_Init and MPI_Finalize",
        [true, false] => "from MPI_Init to the last event",
        [false, true] => "from the first event to MPI_Finalize",
        [false, false] => "from first to last event",
    }
}

/// Names a region, with its file and line.
fn region(trace: &Trace, region: RegionId) -> String {
    let Some(of) = trace.definitions.regions.get(region.index()) else {
        return String::new();
    };
    let file = of.source_file.rsplit('/').next().unwrap_or_default();
    let line = match (file, of.begin_line) {
        ("", _) => String::new(),
        (file, 0) => format!(" ({file})"),
        (file, line) => format!(" ({file}:{line})"),
    };
    format!("in {}{line}", of.name)
}

/// Names ranks: `rank 1`, `ranks 0, 2 and 3`, `ranks 0, 1, 2, 3 and 4 more`.
fn some(ranks: &[u32]) -> String {
    let mut shown: Vec<u32> = ranks.iter().take(NAMED).copied().collect();
    shown.sort_unstable();
    let shown: Vec<String> = shown.iter().map(u32::to_string).collect();
    match (ranks, shown.split_last()) {
        ([], _) | (_, None) => "others".to_owned(),
        ([only], _) => format!("rank {only}"),
        (_, Some((last, before))) if ranks.len() <= NAMED => {
            format!("ranks {} and {last}", before.join(", "))
        }
        _ => format!(
            "ranks {} and {} more",
            shown.join(", "),
            ranks.len() - NAMED
        ),
    }
}

fn computes(ranks: &[u32]) -> &'static str {
    one_or_more(ranks, "computes", "compute")
}

/// Returns the verb that suits so many ranks.
fn one_or_more<'a>(ranks: &[u32], one: &'a str, more: &'a str) -> &'a str {
    match ranks.len() {
        1 => one,
        _ => more,
    }
}

fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn ns(time: Duration) -> Duration {
    rounded(time.0.max(0) as u64)
}

/// Writes a share to two digits.
fn percent(part: f64) -> String {
    match 100.0 * part {
        0.0 => "0 %".to_owned(),
        small if small < 0.1 => "less than 0.1 %".to_owned(),
        small if small < 9.95 => format!("{small:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}
