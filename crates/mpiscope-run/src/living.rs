//! Whether a process of a run still lives, as another one of its host can see.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// A process and where its number holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Process {
    /// Name of the host and its namespace of process numbers: containers have their own.
    pub host: String,
    /// Number of the process.
    pub pid: u32,
}

impl Process {
    /// Returns this process.
    pub fn own() -> Self {
        Self {
            host: host(),
            pid: std::process::id(),
        }
    }

    /// Returns whether it has certainly ended: only processes of this host can be known to.
    pub fn is_gone(&self) -> bool {
        // Without this the numbers of processes are not to be seen at all.
        if !Path::new("/proc/self/stat").exists() || self.host != host() {
            return false;
        }
        let Ok(stat) = fs::read_to_string(format!("/proc/{}/stat", self.pid)) else {
            return true;
        };
        // The state follows the name, which may hold anything; Z is a process that its parent has
        // not asked about yet, see proc(5).
        let state = stat
            .rsplit_once(") ")
            .and_then(|(_, rest)| rest.chars().next());
        matches!(state, Some('Z' | 'X'))
    }
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let numbers = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {}", name.trim(), numbers.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_is_gone_when_it_has_ended_whether_or_not_its_parent_asked() {
        let own = Process::own();
        assert!(!own.is_gone());
        let mut child = Command::new("true").spawn().unwrap();
        let pid = child.id();
        let child_of = |own: &Process| Process { pid, ..own.clone() };
        while !child_of(&own).is_gone() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(child_of(&own).is_gone());
    }

    #[test]
    fn of_another_host_nothing_is_known() {
        let elsewhere = Process {
            host: "elsewhere".into(),
            pid: u32::MAX,
        };
        assert!(!elsewhere.is_gone());
    }
}
