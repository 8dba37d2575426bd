//! A program that communicates much, on simulated clocks: in each iteration a
//! halo exchange on a torus and a message to a random partner, in every fourth
//! an allreduce of all and three collective operations per row.
//!
//! 56 events an iteration and location, of which 12 are sync events: 21 %.

use mpiscope_model::{
    ClockDomain, Collective, CollectiveOp, CommId, Communicator, Duration, Events, Location,
    LocationIndex, OffsetMeasurement, PointToPoint, Rank, Region, RegionId, RequestId, Timestamp,
    Trace,
};

/// Events of a location per iteration, in the mean.
pub const EVENTS: usize = 56;
const PER_CLOCK: usize = 16;
const FUNCTIONS: usize = 7;
/// Time of an iteration in ns, and when the program starts: offsets are
/// measured at 0 and 1200 s.
const ITERATION: f64 = 50_000.0;
const BEGIN: f64 = 600e9;

/// Runs the program on a torus of `side` × `side` locations.
pub fn run(side: usize, iterations: usize, seed: u64) -> Trace {
    let locations = side * side;
    let mut random = Random(seed);
    let clocks: Vec<Clock> = (0..locations.div_ceil(PER_CLOCK))
        .map(|number| Clock::random(number, &mut random))
        .collect();
    let rows = iterations * EVENTS + EVENTS;
    let mut program = Program {
        side,
        clocks,
        random,
        streams: (0..locations)
            .map(|_| Events::with_capacity(rows))
            .collect(),
        now: vec![BEGIN; locations],
    };
    for iteration in 0..iterations {
        program.iterate(iteration);
    }
    program.trace()
}

struct Program {
    side: usize,
    clocks: Vec<Clock>,
    random: Random,
    streams: Vec<Events>,
    now: Vec<f64>,
}

impl Program {
    fn show(&self, location: usize, time: f64) -> Timestamp {
        self.clocks[location / PER_CLOCK].show(time)
    }

    fn step(&mut self, location: usize, time: f64) -> Timestamp {
        self.now[location] += time;
        self.show(location, self.now[location])
    }

    fn flight(&mut self, from: usize, to: usize) -> f64 {
        match from / PER_CLOCK == to / PER_CLOCK {
            true => 500.0 + self.random.exponential(200.0),
            false => 1500.0 + self.random.exponential(1000.0),
        }
    }

    fn neighbours(&self, location: usize) -> [usize; 4] {
        let (side, x, y) = (self.side, location % self.side, location / self.side);
        let at = |x: usize, y: usize| x % side + y % side * side;
        [
            at(x + 1, y),
            at(x + side - 1, y),
            at(x, y + 1),
            at(x, y + side - 1),
        ]
    }

    fn iterate(&mut self, iteration: usize) {
        let locations = self.streams.len();
        let sent: Vec<f64> = (0..locations).map(|l| self.post(l, iteration)).collect();
        let mut partners: Vec<usize> = (0..locations).collect();
        for last in (1..locations).rev() {
            partners.swap(last, self.random.below(last + 1));
        }
        let swapped: Vec<f64> = (0..locations)
            .map(|l| self.wait(l, iteration, &sent, partners[l]))
            .collect();
        for (from, &to) in partners.iter().enumerate() {
            self.receive(to, from, swapped[from]);
        }
        if iteration % 4 == 3 {
            self.collective(CollectiveOp::Allreduce, 0, 0..locations);
            for row in 0..self.side {
                let members = row * self.side..(row + 1) * self.side;
                for op in [
                    CollectiveOp::Bcast,
                    CollectiveOp::Reduce,
                    CollectiveOp::Allreduce,
                ] {
                    self.collective(op, row + 1, members.clone());
                }
            }
        }
    }

    /// Works, posts receives and sends; returns when it sent.
    fn post(&mut self, l: usize, iteration: usize) -> f64 {
        let work = ITERATION * (0.98 + 0.02 * self.random.uniform());
        for function in 0..FUNCTIONS {
            let region = RegionId((NAMES.len() + function) as u32);
            let time = self.show(l, self.now[l]);
            self.streams[l].push_enter(time, region);
            let time = self.step(l, work / FUNCTIONS as f64);
            self.streams[l].push_leave(time, region);
        }
        for request in 0..4 {
            let times = [0.0, 30.0, 30.0].map(|time| self.step(l, time));
            let events = &mut self.streams[l];
            events.push_enter(times[0], RegionId(0));
            events.push_irecv_request(times[1], request_id(iteration, request));
            events.push_leave(times[2], RegionId(0));
        }
        let sent = self.now[l];
        for (request, to) in self.neighbours(l).into_iter().enumerate() {
            let times = [0.0, 0.0, 50.0].map(|time| self.step(l, time));
            let events = &mut self.streams[l];
            let message = PointToPoint::new(to as u32, CommId(0), request as u32, 1024);
            let message = message.with_request(request_id(iteration, 4 + request));
            events.push_enter(times[0], RegionId(1));
            events.push_isend(times[1], message);
            events.push_leave(times[2], RegionId(1));
        }
        sent
    }

    /// Completes all of it, and sends to a partner; returns when.
    fn wait(&mut self, l: usize, iteration: usize, sent: &[f64], partner: usize) -> f64 {
        let time = self.show(l, self.now[l]);
        self.streams[l].push_enter(time, RegionId(2));
        let neighbours = self.neighbours(l);
        for from in neighbours {
            let arrival = sent[from] + self.flight(from, l);
            self.now[l] = self.now[l].max(arrival);
        }
        let time = self.step(l, 100.0);
        let events = &mut self.streams[l];
        for (request, from) in neighbours.into_iter().enumerate() {
            // What I get from the right was sent to the left.
            let tag = request as u32 ^ 1;
            let message = PointToPoint::new(from as u32, CommId(0), tag, 1024);
            let message = message.with_request(request_id(iteration, request));
            events.push_irecv(time, message);
            events.push_isend_complete(time, request_id(iteration, 4 + request));
        }
        events.push_leave(time, RegionId(2));
        let times = [20.0, 20.0].map(|time| self.step(l, time));
        let events = &mut self.streams[l];
        events.push_enter(times[0], RegionId(3));
        events.push_send(times[1], PointToPoint::new(partner as u32, CommId(0), 9, 8));
        self.now[l]
    }

    fn receive(&mut self, l: usize, from: usize, sent: f64) {
        let arrival = sent + self.flight(from, l);
        self.now[l] = self.now[l].max(arrival);
        let times = [50.0, 20.0].map(|time| self.step(l, time));
        let events = &mut self.streams[l];
        events.push_recv(times[0], PointToPoint::new(from as u32, CommId(0), 9, 8));
        events.push_leave(times[1], RegionId(3));
    }

    fn collective(&mut self, op: CollectiveOp, comm: usize, members: std::ops::Range<usize>) {
        let root = members.start;
        let rooted = op != CollectiveOp::Allreduce;
        let mut last = 0f64;
        for l in members.clone() {
            let times = [20.0, 20.0].map(|time| self.step(l, time));
            let region = RegionId(if rooted { 4 } else { 5 });
            self.streams[l].push_enter(times[0], region);
            self.streams[l].push_collective_begin(times[1]);
            last = last.max(self.now[l]);
        }
        for l in members.clone() {
            let flight = self.flight(root, members.end - 1);
            let until = match op {
                CollectiveOp::Bcast if l != root => last + flight,
                CollectiveOp::Reduce if l == root => last + flight,
                CollectiveOp::Allreduce => last + flight,
                _ => self.now[l],
            };
            self.now[l] = self.now[l].max(until);
            let times = [0.0, 20.0].map(|time| self.step(l, time));
            let events = &mut self.streams[l];
            let collective = Collective {
                op,
                comm: CommId(comm as u32),
                root: rooted.then_some(0),
                sent: 8,
                received: 8,
            };
            events.push_collective_end(times[0], collective);
            events.push_leave(times[1], RegionId(if rooted { 4 } else { 5 }));
        }
    }

    fn trace(mut self) -> Trace {
        let locations = self.streams.len();
        let group = |members: std::ops::Range<usize>| Communicator {
            members: members.map(|rank| Rank(rank as u32)).collect(),
            ..Communicator::default()
        };
        let mut trace = Trace::default();
        trace.definitions.communicators.push(group(0..locations));
        for row in 0..self.side {
            let members = row * self.side..(row + 1) * self.side;
            trace.definitions.communicators.push(group(members));
        }
        let regions = 0..NAMES.len() + FUNCTIONS;
        let region = |number: usize| Region {
            name: NAMES.get(number).unwrap_or(&"work").to_string(),
            ..Region::default()
        };
        trace.definitions.regions = regions.map(region).collect();
        for number in 0..self.clocks.len() {
            let first = number * PER_CLOCK;
            let of = first..(first + PER_CLOCK).min(locations);
            let measurements = [0.0, 1200e9].map(|time| self.measure(number, time));
            trace.clocks.push(ClockDomain {
                measurements: measurements.into(),
                locations: of.map(|l| LocationIndex(l as u32)).collect(),
            });
        }
        for (rank, events) in self.streams.into_iter().enumerate() {
            trace.locations.push(Location {
                id: rank as u64,
                rank: Rank(rank as u32),
                events,
                ..Location::default()
            });
        }
        trace
    }

    fn measure(&mut self, clock: usize, time: f64) -> OffsetMeasurement {
        let half_width = if clock == 0 { 0.0 } else { 300.0 };
        let shown = self.clocks[clock].show(time);
        let error = half_width * (2.0 * self.random.uniform() - 1.0);
        OffsetMeasurement {
            time: shown,
            offset: Duration((time - shown.0 as f64 + error).round() as i64),
            half_width: Duration(half_width as i64),
        }
    }
}

const NAMES: [&str; 6] = [
    "MPI_Irecv",
    "MPI_Isend",
    "MPI_Waitall",
    "MPI_Sendrecv",
    "MPI_Bcast, MPI_Reduce",
    "MPI_Allreduce",
];

fn request_id(iteration: usize, request: usize) -> RequestId {
    RequestId((iteration * 8 + request) as u64)
}

/// A clock that is off, drifts, and wanders with two waves.
struct Clock {
    offset: f64,
    drift: f64,
    /// Amplitude in ns, angular frequency per ns.
    waves: [(f64, f64); 2],
}

impl Clock {
    fn random(number: usize, random: &mut Random) -> Clock {
        const WANDER: f64 = 1e-7;
        let size = if number == 0 { 0.0 } else { 1.0 };
        let mut wave = || {
            let frequency = std::f64::consts::TAU / (300e9 + 600e9 * random.uniform());
            (size * WANDER / frequency, frequency)
        };
        let waves = [wave(), wave()];
        Clock {
            offset: size * 5e9 * random.uniform(),
            drift: size * 20e-6 * (2.0 * random.uniform() - 1.0),
            waves,
        }
    }

    fn show(&self, time: f64) -> Timestamp {
        let wave = |(size, frequency): (f64, f64)| size * (frequency * time).sin();
        let waves: f64 = self.waves.map(wave).into_iter().sum();
        Timestamp((time + self.offset + self.drift * time + waves) as i64)
    }
}

/// Splitmix64 (Steele, Lea, Flood 2014): the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.uniform()).ln()
    }
}
