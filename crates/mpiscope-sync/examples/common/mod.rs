//! A simulated program on simulated clocks: a halo exchange on a torus, with
//! an allreduce in each iteration, on clocks that wander.
//!
//! All that happens is computed in true time first, and written down as each
//! clock would show it; so the truth is known.

use mpiscope_model::{
    ClockDomain, Collective, CollectiveOp, CommId, Communicator, Duration, Events, Location,
    LocationIndex, OffsetMeasurement, PointToPoint, Rank, Region, RegionId, RequestId, Timestamp,
    Trace,
};

/// What to simulate.
pub struct Simulation {
    /// Locations along each side of the torus.
    pub side: usize,
    /// Locations that share a clock.
    pub per_clock: usize,
    pub iterations: usize,
    /// When the program starts and ends, in seconds; offsets are measured at
    /// 0 and at 1200 s.
    pub window: (f64, f64),
    /// Wander of the clocks' frequency, in parts of one.
    pub wander: f64,
    pub seed: u64,
}

/// A clock: true time in ns to the time it shows.
#[derive(Clone, Default)]
pub struct Clock {
    offset: f64,
    drift: f64,
    /// Amplitude in ns, angular frequency per ns, phase.
    waves: [(f64, f64, f64); 2],
}

impl Clock {
    fn random(random: &mut Random, wander: f64) -> Clock {
        let mut wave = || {
            let frequency = std::f64::consts::TAU / (300e9 + 600e9 * random.uniform());
            (
                wander / frequency,
                frequency,
                std::f64::consts::TAU * random.uniform(),
            )
        };
        let waves = [wave(), wave()];
        Clock {
            offset: 5e9 * random.uniform(),
            drift: 20e-6 * (2.0 * random.uniform() - 1.0),
            waves,
        }
    }

    fn error(&self, time: f64) -> f64 {
        let wave =
            |(size, frequency, phase): &(f64, f64, f64)| size * (frequency * time + phase).sin();
        self.offset + self.drift * time + self.waves.iter().map(wave).sum::<f64>()
    }

    fn show(&self, time: f64) -> Timestamp {
        Timestamp((time + self.error(time)) as i64)
    }

    /// Returns the true time at which the clock showed `shown`.
    pub fn truth(&self, shown: Timestamp) -> Timestamp {
        let mut time = shown.0 as f64;
        for _ in 0..4 {
            time = shown.0 as f64 - self.error(time);
        }
        Timestamp(time.round() as i64)
    }
}

/// Returns when all events truly happened, one column per location.
pub fn truth(trace: &Trace, clocks: &[Clock]) -> Vec<Vec<Timestamp>> {
    let column = |(location, clock): (&Location, &Clock)| {
        let shown = location.events.times().iter();
        shown.map(|shown| clock.truth(*shown)).collect()
    };
    trace.locations.iter().zip(clocks).map(column).collect()
}

/// Splitmix64 (Steele, Lea, Flood 2014): the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.uniform()).ln()
    }
}

impl Simulation {
    /// Runs the program; returns its trace and the clock of each location.
    pub fn run(&self) -> (Trace, Vec<Clock>) {
        let n = self.side * self.side;
        let mut random = Random(self.seed);
        let mut clocks = vec![Clock::default()];
        while clocks.len() * self.per_clock < n {
            clocks.push(Clock::random(&mut random, self.wander));
        }
        let clock_of = |location: usize| &clocks[location / self.per_clock];
        let mut streams: Vec<Events> = vec![Events::default(); n];
        let mut now = vec![self.window.0 * 1e9; n];
        let work = (self.window.1 - self.window.0) * 1e9 / self.iterations as f64;

        for iteration in 0..self.iterations {
            let sent: Vec<f64> = (0..n)
                .map(|l| {
                    let work = work * (0.98 + 0.02 * random.uniform());
                    self.post(
                        &mut streams[l],
                        clock_of(l),
                        &mut now[l],
                        work,
                        (l, iteration),
                    )
                })
                .collect();
            let entered: Vec<f64> = (0..n)
                .map(|l| {
                    let neighbours = self.neighbours(l);
                    let arrivals =
                        neighbours.map(|from| sent[from] + self.flight(from, l, &mut random));
                    now[l] = arrivals.into_iter().fold(now[l], f64::max) + 100.0;
                    self.wait(&mut streams[l], clock_of(l), &mut now[l], (l, iteration));
                    now[l]
                })
                .collect();
            let last = entered.iter().copied().fold(0.0, f64::max);
            for l in 0..n {
                now[l] = last + self.flight(0, n - 1, &mut random);
                let clock = clock_of(l);
                let events = &mut streams[l];
                events.push_collective_end(clock.show(now[l]), ALLREDUCE);
                events.push_leave(clock.show(now[l] + 20.0), RegionId(3));
                now[l] += 50.0;
            }
        }
        let trace = self.trace(streams, &clocks, &mut random);
        let clocks = (0..n).map(|l| clock_of(l).clone()).collect();
        (trace, clocks)
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

    fn flight(&self, from: usize, to: usize, random: &mut Random) -> f64 {
        match from / self.per_clock == to / self.per_clock {
            true => 500.0 + random.exponential(200.0),
            false => 1500.0 + random.exponential(1000.0),
        }
    }

    /// Works, posts receives and sends; returns when it sent.
    fn post(
        &self,
        events: &mut Events,
        clock: &Clock,
        now: &mut f64,
        work: f64,
        (location, iteration): (usize, usize),
    ) -> f64 {
        for function in 4..12 {
            events.push_enter(clock.show(*now), RegionId(function));
            *now += work / 8.0;
            events.push_leave(clock.show(*now), RegionId(function));
        }
        for request in 0..4 {
            events.push_enter(clock.show(*now), RegionId(0));
            let number = RequestId((iteration * 8 + request) as u64);
            events.push_irecv_request(clock.show(*now + 30.0), number);
            *now += 60.0;
            events.push_leave(clock.show(*now), RegionId(0));
        }
        let sent = *now;
        for (request, to) in self.neighbours(location).into_iter().enumerate() {
            events.push_enter(clock.show(*now), RegionId(1));
            let number = RequestId((iteration * 8 + 4 + request) as u64);
            let message = PointToPoint::new(to as u32, CommId(0), request as u32, 1024);
            events.push_isend(clock.show(sent), message.with_request(number));
            events.push_leave(clock.show(*now), RegionId(1));
        }
        *now += 200.0;
        events.push_enter(clock.show(*now), RegionId(2));
        sent
    }

    /// Completes all of it, and enters the allreduce.
    fn wait(
        &self,
        events: &mut Events,
        clock: &Clock,
        now: &mut f64,
        (location, iteration): (usize, usize),
    ) {
        for (request, from) in self.neighbours(location).into_iter().enumerate() {
            // What I get from the right was sent to the left.
            let tag = request as u32 ^ 1;
            let number = RequestId((iteration * 8 + request) as u64);
            let message = PointToPoint::new(from as u32, CommId(0), tag, 1024);
            events.push_irecv(clock.show(*now), message.with_request(number));
            events.push_isend_complete(clock.show(*now), RequestId(number.0 + 4));
        }
        events.push_leave(clock.show(*now), RegionId(2));
        events.push_enter(clock.show(*now), RegionId(3));
        events.push_collective_begin(clock.show(*now));
    }

    fn trace(&self, streams: Vec<Events>, clocks: &[Clock], random: &mut Random) -> Trace {
        let n = streams.len();
        let mut trace = Trace::default();
        trace.definitions.communicators.push(Communicator {
            name: "world".into(),
            members: (0..n as u32).map(Rank).collect(),
            ..Communicator::default()
        });
        trace.definitions.regions = (0..12).map(region).collect();
        for (rank, events) in streams.into_iter().enumerate() {
            trace.locations.push(Location {
                id: rank as u64,
                rank: Rank(rank as u32),
                events,
                ..Location::default()
            });
        }
        for (number, clock) in clocks.iter().enumerate() {
            let first = number * self.per_clock;
            let locations = first..(first + self.per_clock).min(n);
            let mut measure = |time: f64| {
                // Half a round trip, of two flights that differ by some jitter.
                let (half_width, error) = match number {
                    0 => (0.0, 0.0),
                    _ => (1800.0, 300.0 * (2.0 * random.uniform() - 1.0)),
                };
                let shown = clock.show(time);
                OffsetMeasurement {
                    time: shown,
                    offset: Duration((time - shown.0 as f64 + error).round() as i64),
                    half_width: Duration(half_width as i64),
                }
            };
            trace.clocks.push(ClockDomain {
                measurements: vec![measure(0.0), measure(1200e9)],
                locations: locations.map(|l| LocationIndex(l as u32)).collect(),
            });
        }
        trace
    }
}

const ALLREDUCE: Collective = Collective {
    op: CollectiveOp::Allreduce,
    comm: CommId(0),
    root: None,
    sent: 8,
    received: 8,
};

fn region(number: u32) -> Region {
    const MPI: [&str; 4] = ["MPI_Irecv", "MPI_Isend", "MPI_Waitall", "MPI_Allreduce"];
    let name = MPI.get(number as usize).map(|name| name.to_string());
    Region {
        name: name.unwrap_or_else(|| format!("work{}", number - 3)),
        ..Region::default()
    }
}
