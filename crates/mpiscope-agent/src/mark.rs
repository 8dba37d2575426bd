//! What tells the command which build this library is of.

/// Tells the command which build this file is of, before it is loaded.
#[used]
static MPISCOPE_AGENT_VERSION: [u8; 32] = mark();

/// One digit is written.
const _: () = assert!(mpiscope_run::INTERFACE < 10);

/// Returns `[mpiscope-agent VERSION/INTERFACE]`, filled up with zeros.
const fn mark() -> [u8; 32] {
    let interface = [b'0' + mpiscope_run::INTERFACE as u8, b']'];
    let parts = [
        mpiscope_run::AGENT_MARK.as_bytes(),
        mpiscope_run::VERSION.as_bytes(),
        b"/",
        &interface,
    ];
    let (mut mark, mut at, mut part) = ([0; 32], 0, 0);
    while part < parts.len() {
        let mut k = 0;
        while k < parts[part].len() {
            mark[at] = parts[part][k];
            (at, k) = (at + 1, k + 1);
        }
        part += 1;
    }
    mark
}
