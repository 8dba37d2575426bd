//! What an archive of another tool does not tell, in sentences: the same in every report.

use mpiscope_analysis::evidence::Evidence;
use mpiscope_archive::model::Trace;

use crate::report::show;

/// Lists all that is not told.
pub fn sentences(trace: &Trace, evidence: &Evidence) -> Vec<String> {
    let names = silent(trace, evidence);
    let calls = (!names.is_empty()).then(|| {
        format!(
            "of {} the archive has nothing but that they were called",
            show::list(&names, 6)
        )
    });
    let all = [
        receives(evidence),
        impossible(evidence),
        outside(evidence),
        calls,
    ];
    all.into_iter().flatten().collect()
}

/// Says that receives are missing, and what follows.
pub fn receives(evidence: &Evidence) -> Option<String> {
    if !evidence.lacks_receives() {
        return None;
    }
    let sends = show::counted(evidence.sends, "send");
    let unmatched = show::count(evidence.unmatched_sends);
    Some(match (evidence.receives, evidence.unended) {
        (0, _) => format!(
            "receives are missing: the archive has {sends} and no receive, so that nothing can be \
             concluded from messages, neither of late senders nor of clocks"
        ),
        (_, 0) => format!(
            "receives are missing: {unmatched} of {sends} have none in the archive; nothing can be \
             concluded from these"
        ),
        (_, unended) => format!(
            "receives are missing: {} of {} that were posted have no end in the archive; nothing \
             can be concluded from their messages",
            show::count(unended),
            show::counted(evidence.posted, "nonblocking receive")
        ),
    })
}

/// Says of how many receives the record says nothing.
pub fn impossible(evidence: &Evidence) -> Option<String> {
    (evidence.impossible > 0).then(|| {
        format!(
            "{} of a sender that is not in the communicator, or of more bytes than there can be: \
             taken for none",
            show::counted(evidence.impossible, "receive")
        )
    })
}

/// Says of how many messages no call is known.
pub fn outside(evidence: &Evidence) -> Option<String> {
    (evidence.outside > 0).then(|| {
        format!(
            "{} in no call of MPI: how long anybody waited for these messages is not told",
            show::counted(evidence.outside, "event") + " of messages"
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
