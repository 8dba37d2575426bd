//! What an archive of another tool does not tell, in sentences: the same in every report.

use mpiscope_analysis::evidence::Evidence;
use mpiscope_archive::model::Trace;

use crate::report::show;

/// Lists all that is not told.
pub fn sentences(trace: &Trace, evidence: &Evidence) -> Vec<String> {
    let names = silent(trace, evidence);
    let calls = (!names.is_empty())
        .then(|| format!("nothing but the calls is told of {}", show::list(&names, 6)));
    let outside = outside(evidence).map(|why| format!("messages in no call of MPI: {why}"));
    let all = [missing(evidence), impossible(evidence), outside, calls];
    all.into_iter().flatten().collect()
}

/// Says that receives are missing, how many, and what follows.
pub fn missing(evidence: &Evidence) -> Option<String> {
    receives(evidence).map(|why| format!("receives are missing: {why}"))
}

/// Says how many receives are missing, and what follows.
pub fn receives(evidence: &Evidence) -> Option<String> {
    if !evidence.lacks_receives() {
        return None;
    }
    let sends = show::counted(evidence.sends, "send");
    let unmatched = show::count(evidence.unmatched_sends);
    Some(match (evidence.receives, evidence.unended) {
        (0, _) => format!(
            "the archive has {sends} and no receive, so that nothing can be \
             concluded from messages, neither of late senders nor of clocks"
        ),
        (_, 0) => format!(
            "{unmatched} of {sends} have none in the archive; nothing can be \
             concluded from these"
        ),
        (_, unended) => format!(
            "{} of {} that were posted have no end in the archive; nothing \
             can be concluded from their messages",
            show::count(unended),
            show::counted(evidence.posted, "nonblocking receive")
        ),
    })
}

/// Says how many receives cannot be as their records say.
pub fn impossible(evidence: &Evidence) -> Option<String> {
    let none = (evidence.impossible > 0).then(|| {
        format!(
            "{} of a sender that is not in the communicator, or of more bytes than there can be: \
             taken for none",
            show::counted(evidence.impossible, "receive")
        )
    });
    let doubtful = (evidence.longer > 0).then(|| {
        format!(
            "{} of more bytes than were sent: whose message that was is in doubt",
            show::counted(evidence.longer, "receive")
        )
    });
    let said: Vec<String> = none.into_iter().chain(doubtful).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// Says of how many messages no call is known.
pub fn outside(evidence: &Evidence) -> Option<String> {
    (evidence.outside > 0).then(|| {
        format!(
            "{} sends and receives; how long anybody waited for them is not told",
            show::count(evidence.outside)
        )
    })
}

/// Names the functions of which nothing but their calls is told.
pub fn silent(trace: &Trace, evidence: &Evidence) -> Vec<String> {
    let regions = &trace.definitions.regions;
    let named = evidence.silent.iter();
    let mut names: Vec<String> = named
        .map(|it| regions[it.region.index()].name.clone())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
