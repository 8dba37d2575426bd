//! A process as its buffers tell of it.

use std::collections::HashSet;

use crate::buffer::RECORD;
use crate::process::{Process, Thread};
use crate::record::Fact;
use crate::stored::Stored;
use crate::Error;

/// Process-local region ids above this are damage.
const MAX_REGION: usize = 1 << 20;

/// Programs that make code as they run may call from anywhere: more places are not named.
const MAX_SITES: usize = 1 << 16;

impl Process {
    /// Collects what the buffers of one process hold: definitions, clock
    /// readings, and which regions occur in each thread's records. What cannot
    /// be read is returned beside it, in sentences.
    pub fn collect(buffers: &[Stored]) -> (Self, Vec<String>) {
        let mut buffers: Vec<&Stored> = buffers.iter().collect();
        buffers.sort_by_key(|buffer| buffer.thread);
        let mut stream = Vec::new();
        let mut notes = Vec::new();
        for buffer in &buffers {
            match buffer.definitions() {
                Ok(definitions) => stream.extend(definitions),
                Err(error) => notes.push(error.to_string()),
            }
            if buffer.definitions_lost > 0 {
                let lost = buffer.definitions_lost;
                notes.push(format!(
                    "{}: {lost} definitions were lost",
                    buffer.path.display()
                ));
            }
        }
        let (mut process, damaged) = Self::from_stream(&stream);
        notes.extend(damaged);
        let mut sites = HashSet::new();
        for buffer in buffers {
            process.triples.extend(buffer.triple);
            process.threads_lost += u64::from(buffer.refused);
            process.definitions_lost += buffer.definitions_lost;
            process.threads.push(thread(buffer, &mut sites, &mut notes));
        }
        process.sites = sites.into_iter().collect();
        process.sites.sort_unstable();
        (process, notes)
    }
}

fn thread(buffer: &Stored, sites: &mut HashSet<u64>, notes: &mut Vec<String>) -> Thread {
    let mut latest = 0;
    let mut used: Vec<bool> = Vec::new();
    let mut records = 0;
    let mut gaps = false;
    let scanned = buffer.records::<Error>(|record| {
        records += 1;
        let fact = record.fact();
        if let Some(Fact::Enter { site, .. }) = fact {
            if site != latest && site != 0 && sites.len() < MAX_SITES {
                latest = site;
                sites.insert(site);
            }
        }
        match fact {
            Some(Fact::Enter { region, .. } | Fact::Leave { region }) => {
                let region = region as usize;
                if region >= used.len() && region < MAX_REGION {
                    used.resize(region + 1, false);
                }
                if let Some(used) = used.get_mut(region) {
                    *used = true;
                }
            }
            Some(fact) => gaps |= fact.needs_numbering(),
            None => {}
        }
        Ok(())
    });
    if let Err(error) = scanned {
        let missing = buffer.count().saturating_sub(records) * RECORD as u64;
        notes.push(format!("{error} ({missing} bytes of records are missing)"));
    }
    Thread {
        number: buffer.thread,
        tid: buffer.tid,
        regions: (0..)
            .zip(used)
            .filter(|(_, used)| *used)
            .map(|(id, _)| id)
            .collect(),
        records,
        lost: buffer.lost,
        gaps,
    }
}
