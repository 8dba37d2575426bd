//! How stamps travel: through shared memory to processes of the same host,
//! as messages of ours to others. The program's own messages, its counts,
//! probes and buffers stay as they are, and nobody ever waits.

use std::io;
use std::path::Path;

use mpi_abi::{Code, OwnComm};

use super::mpi_transport::MpiTransport;
use super::stamp_ring::{Inbound, Sending, Sent};
use super::stamps::HEAD;

/// The ways to all processes, and from them.
pub struct StampTransport {
    to: Vec<Way>,
    inbound: Option<Inbound>,
    far: Option<MpiTransport>,
    /// Who sends from another host.
    from_far: Vec<bool>,
    words: Vec<u64>,
}

enum Way {
    Near(Sending),
    MpiTransport,
    Closed,
}

impl StampTransport {
    /// Makes the ways to all processes, in a folder that those of a host share; all call this.
    pub fn new(own: OwnComm<'static>, folder: &Path) -> Result<Self, Code> {
        let (rank, processes) = (own.rank() as u32, own.size() as usize);
        // For tests, which have one host.
        let apart = std::env::var_os("MPISCOPE_RACES_FAR").is_some();
        let inbound = match apart {
            true => Err(io::ErrorKind::Unsupported.into()),
            false => Inbound::new(folder, rank, processes),
        };
        // Nobody looks for a ring before it is there, or after it is hidden.
        own.barrier()?;
        let open = |to| match inbound {
            Ok(_) => Sending::open(folder, to, rank as usize, processes)
                .map_or(Way::MpiTransport, Way::Near),
            Err(_) => Way::MpiTransport,
        };
        let to: Vec<Way> = (0..processes as u32).map(open).collect();
        let is_far: Vec<bool> = to
            .iter()
            .map(|way| matches!(way, Way::MpiTransport))
            .collect();
        let longest = HEAD + 2 * processes;
        // All agree on whether there is more than one host.
        let (far, from_far) = match own.all_true(!is_far.contains(&true))? {
            true => (None, Vec::new()),
            false => {
                let (far, from) = MpiTransport::new(own, longest, &is_far)?;
                (Some(far), from)
            }
        };
        if let Ok(inbound) = &inbound {
            inbound.hide();
        }
        Ok(Self {
            to,
            inbound: inbound.ok(),
            far,
            from_far,
            words: Vec::with_capacity(longest),
        })
    }

    /// Sends words to a process.
    #[inline]
    pub fn send(&mut self, to: usize, words: &[u64]) -> Sent {
        let Some(way) = self.to.get_mut(to) else {
            return Sent::No;
        };
        let sent = match way {
            Way::Near(ring) => ring.send(words),
            Way::MpiTransport => match self.far.as_mut().is_some_and(|far| far.send(to, words)) {
                true => Sent::Yes,
                false => Sent::No,
            },
            Way::Closed => Sent::No,
        };
        if sent == Sent::No {
            *way = Way::Closed; // what comes behind a gap would be misunderstood
        }
        sent
    }

    /// Takes what has come from a process.
    #[inline]
    pub fn take(&mut self, from: usize, mut take: impl FnMut(&[u64])) {
        if let Some(ring) = self.inbound.as_mut().and_then(|rings| rings.from(from)) {
            while ring.has_come() && ring.take(&mut self.words) {
                take(&self.words);
            }
        }
        if self.from_far.get(from) == Some(&true) {
            if let Some(far) = &mut self.far {
                while far.take(from, &mut self.words) {
                    take(&self.words);
                }
            }
        }
    }

    /// Takes what is still on its way from other hosts; `take` gets who sent it. All processes
    /// come here, and send nothing more.
    pub fn finish(&mut self, take: impl FnMut(usize, &[u64])) {
        if let Some(far) = &mut self.far {
            far.finish(&mut self.words, take);
        }
    }
}
