//! Processes that share a trace, simulated by threads of one: for tests of what they do together.

use std::sync::{Barrier, Mutex};

use mpiscope_model::{Events, Processes, Trace};

/// Where they meet.
struct Hub {
    barrier: Barrier,
    /// By sender and receiver.
    mail: Mutex<Vec<Vec<Vec<u8>>>>,
}

struct Peer<'h> {
    hub: &'h Hub,
    count: usize,
    me: usize,
}

impl Hub {
    fn mail(&self) -> std::sync::MutexGuard<'_, Vec<Vec<Vec<u8>>>> {
        self.mail.lock().unwrap_or_else(|it| it.into_inner())
    }
}

impl Processes for Peer<'_> {
    fn count(&self) -> usize {
        self.count
    }

    fn me(&self) -> usize {
        self.me
    }

    fn all_to_all(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        assert_eq!(outgoing.len(), self.count);
        self.hub.mail()[self.me] = outgoing;
        self.hub.barrier.wait();
        let mut mail = self.hub.mail();
        let received = mail.iter_mut();
        let received = received.map(|row| std::mem::take(&mut row[self.me]));
        let received = received.collect();
        drop(mail);
        self.hub.barrier.wait();
        received
    }
}

/// One that panics ends all: the others would wait for it.
struct EndsAll;

impl Drop for EndsAll {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("a process panicked (--nocapture tells where)");
            std::process::exit(101);
        }
    }
}

/// Has so many processes work together; returns what each comes to, by number. Should one of them
/// panic the program ends.
pub fn by_processes<T: Send>(count: usize, work: impl Fn(&dyn Processes) -> T + Sync) -> Vec<T> {
    let hub = &Hub {
        barrier: Barrier::new(count),
        mail: Mutex::new(vec![Vec::new(); count]),
    };
    let work = &work;
    let run = |me| {
        let _ends_all = EndsAll;
        work(&Peer { hub, count, me })
    };
    std::thread::scope(|scope| {
        let peers: Vec<_> = (0..count).map(|me| scope.spawn(move || run(me))).collect();
        let joined = peers.into_iter().filter_map(|it| it.join().ok());
        joined.collect()
    })
}

/// Returns a trace as one of the processes has it that share it: with its own events alone. `parts`
/// says whose each location is.
pub fn share(trace: &Trace, parts: Vec<u32>, me: usize) -> Trace {
    let mut part = trace.clone();
    part.parts = parts;
    for (location, &part) in part.locations.iter_mut().zip(&part.parts) {
        if part as usize != me {
            location.elsewhere = location.events.len();
            location.events = Events::default();
        }
    }
    part
}
