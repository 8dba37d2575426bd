//! What the locations of a drawn world do: whole calls of MPI, and events out of place.

use otf2::{
    AttributeRef, CollectiveOp, Event, LockType, MeasurementMode, Paradigm, RmaAtomicType,
    RmaSyncLevel, RmaSyncType, Type, Value, ROOT_NONE,
};

use super::definitions::{World, ATTRIBUTES, REGIONS};
use crate::draw::Draw;

type Attributes = Vec<(AttributeRef, Value)>;

/// The events of a location.
#[derive(Debug, Default)]
pub struct Calls {
    pub events: Vec<(u64, Attributes, Event)>,
    time: u64,
    /// The number of the last request.
    requests: u64,
}

impl Calls {
    /// Does one thing more.
    pub fn step(&mut self, world: &World, draw: &mut Draw) {
        match draw.below(16) {
            0..=2 => {
                let send = Event::MpiSend {
                    receiver: draw.id(world.ranks),
                    communicator: draw.id(world.comms),
                    msg_tag: draw.id(3),
                    msg_length: draw.number(),
                };
                self.call("MPI_Send", draw, &[send]);
            }
            3..=5 => {
                let receive = Event::MpiRecv {
                    sender: draw.id(world.ranks),
                    communicator: draw.id(world.comms),
                    msg_tag: draw.id(3),
                    msg_length: draw.number(),
                };
                self.call("MPI_Recv", draw, &[receive]);
            }
            6 => {
                self.requests += 1;
                let send = Event::MpiIsend {
                    receiver: draw.id(world.ranks),
                    communicator: draw.id(world.comms),
                    msg_tag: draw.id(3),
                    msg_length: draw.number(),
                    request_id: self.requests,
                };
                self.call("MPI_Isend", draw, &[send]);
            }
            7 => {
                self.requests += 1;
                let post = Event::MpiIrecvRequest {
                    request_id: self.requests,
                };
                self.call("MPI_Irecv", draw, &[post]);
            }
            8 | 9 => {
                let wait = *draw.one(&["MPI_Wait", "MPI_Waitall", "MPI_Waitany", "MPI_Test"]);
                let completed: Vec<Event> = (0..=draw.below(3))
                    .map(|_| self.completion(world, draw))
                    .collect();
                self.call(wait, draw, &completed);
            }
            10..=12 => self.collective(world, draw),
            13 => {
                let region = *draw.one(&REGIONS);
                self.call(region, draw, &[]);
            }
            14 => {
                let event = one_sided(world, draw);
                let region =
                    *draw.one(&["MPI_Put", "MPI_Win_fence", "MPI_Win_lock", "MPI_Win_post"]);
                self.call(region, draw, &[event]);
            }
            _ => {
                let event = self.lone(world, draw);
                self.push(draw, event);
            }
        }
    }

    /// A call from its begin to its end, of which now and then a part is missing.
    fn call(&mut self, name: &str, draw: &mut Draw, within: &[Event]) {
        let region = REGIONS.iter().position(|it| *it == name).unwrap_or(0) as u32;
        let whole = draw.byte();
        if whole & 0xf != 0xf {
            self.push(draw, Event::Enter { region });
        }
        for event in within {
            self.push(draw, event.clone());
        }
        if whole & 0xf0 != 0xf0 {
            self.push(draw, Event::Leave { region });
        }
    }

    fn push(&mut self, draw: &mut Draw, event: Event) {
        let step = draw.number();
        self.time = match step {
            u64::MAX => self.time,
            step => self.time.saturating_add(step),
        };
        let attributes = match draw.once_in(4) {
            true => (0..=draw.below(3)).map(|_| attribute(draw)).collect(),
            false => Attributes::new(),
        };
        self.events.push((self.time, attributes, event));
    }

    fn collective(&mut self, world: &World, draw: &mut Draw) {
        let at = draw.below(5);
        let names = [
            "MPI_Barrier",
            "MPI_Bcast",
            "MPI_Reduce",
            "MPI_Allreduce",
            "MPI_Scan",
        ];
        let ops = [
            CollectiveOp::BARRIER,
            CollectiveOp::BCAST,
            CollectiveOp::REDUCE,
            CollectiveOp::ALLREDUCE,
            CollectiveOp::SCAN,
        ];
        let end = Event::MpiCollectiveEnd {
            collective_op: match draw.once_in(16) {
                true => CollectiveOp(draw.byte()),
                false => ops[at],
            },
            communicator: draw.id(world.comms),
            root: if at == 1 || at == 2 {
                draw.id(world.ranks)
            } else {
                ROOT_NONE
            },
            size_sent: draw.number(),
            size_received: draw.number(),
        };
        self.call(names[at], draw, &[Event::MpiCollectiveBegin, end]);
    }

    fn completion(&mut self, world: &World, draw: &mut Draw) -> Event {
        let request_id = match self.requests {
            0 => draw.number(),
            last => last.wrapping_sub(draw.number() % 4),
        };
        match draw.below(6) {
            0 | 1 => Event::MpiIsendComplete { request_id },
            2 | 3 => Event::MpiIrecv {
                sender: draw.id(world.ranks),
                communicator: draw.id(world.comms),
                msg_tag: draw.id(3),
                msg_length: draw.number(),
                request_id,
            },
            4 => Event::MpiRequestTest { request_id },
            _ => Event::MpiRequestCancelled { request_id },
        }
    }

    /// An event outside of any call.
    fn lone(&mut self, world: &World, draw: &mut Draw) -> Event {
        match draw.below(16) {
            0 => Event::Enter {
                region: draw.id(REGIONS.len() as u32),
            },
            1 => Event::Leave {
                region: draw.id(REGIONS.len() as u32),
            },
            2 => Event::MeasurementOnOff {
                measurement_mode: MeasurementMode(draw.below(3) as u8),
            },
            3 => Event::BufferFlush {
                stop_time: draw.number(),
            },
            4 => Event::MpiProbe {
                sender: draw.id(world.ranks),
                communicator: draw.id(world.comms),
                tag: draw.id(3),
                message_id: draw.below(3) as u64,
            },
            5 => Event::MpiMrecv {
                message_id: draw.below(3) as u64,
                msg_length: draw.number(),
            },
            6 => Event::NonBlockingCollectiveRequest {
                request_id: draw.number(),
            },
            7 => Event::NonBlockingCollectiveComplete {
                collective_op: CollectiveOp(draw.below(24) as u8),
                communicator: draw.id(world.comms),
                root: draw.id(world.ranks),
                size_sent: draw.number(),
                size_received: draw.number(),
                request_id: draw.number(),
            },
            8 => Event::ThreadFork {
                model: Paradigm::OPENMP,
                number_of_requested_threads: draw.number32(),
            },
            9 => Event::ThreadJoin {
                model: Paradigm::OPENMP,
            },
            10 => Event::ThreadTeamBegin {
                thread_team: draw.id(world.comms),
            },
            11 => Event::ThreadTeamEnd {
                thread_team: draw.id(world.comms),
            },
            12 => Event::ThreadCreate {
                thread_contingent: draw.id(world.comms),
                sequence_count: draw.number(),
            },
            13 => Event::ThreadBegin {
                thread_contingent: draw.id(world.comms),
                sequence_count: draw.number(),
            },
            14 => Event::ThreadWait {
                thread_contingent: draw.id(world.comms),
                sequence_count: draw.number(),
            },
            _ => Event::MpiImrecvRequest {
                message_id: draw.below(3) as u64,
                request_id: draw.number(),
            },
        }
    }
}

fn one_sided(world: &World, draw: &mut Draw) -> Event {
    let win = draw.id(world.windows);
    let remote = draw.id(world.ranks);
    let matching_id = draw.number();
    match draw.below(12) {
        0 => Event::RmaWinCreate { win },
        1 => Event::RmaWinDestroy { win },
        2 => Event::RmaCollectiveBegin,
        3 => Event::RmaCollectiveEnd {
            collective_op: CollectiveOp(draw.below(24) as u8),
            sync_level: RmaSyncLevel(draw.number32()),
            win,
            root: remote,
            bytes_sent: draw.number(),
            bytes_received: draw.number(),
        },
        4 => Event::RmaGroupSync {
            sync_level: RmaSyncLevel(draw.number32()),
            win,
            group: draw.id(4),
        },
        5 => Event::RmaAcquireLock {
            win,
            remote,
            lock_id: matching_id,
            lock_type: LockType(draw.below(2) as u8),
        },
        6 => Event::RmaReleaseLock {
            win,
            remote,
            lock_id: matching_id,
        },
        7 => Event::RmaSync {
            win,
            remote,
            sync_type: RmaSyncType(draw.below(3) as u8),
        },
        8 => Event::RmaPut {
            win,
            remote,
            bytes: draw.number(),
            matching_id,
        },
        9 => Event::RmaGet {
            win,
            remote,
            bytes: draw.number(),
            matching_id,
        },
        10 => Event::RmaAtomic {
            win,
            remote,
            atomic_type: RmaAtomicType(draw.below(8) as u8),
            bytes_sent: draw.number(),
            bytes_received: draw.number(),
            matching_id,
        },
        _ => Event::RmaOpCompleteBlocking { win, matching_id },
    }
}

fn attribute(draw: &mut Draw) -> (AttributeRef, Value) {
    let id = draw.id(ATTRIBUTES.len() as u32);
    let kind = ATTRIBUTES.get(id as usize).map_or(Type::NONE, |it| it.1);
    let value = match kind {
        Type::UINT8 => Value::Uint8(draw.byte()),
        Type::UINT32 => Value::Uint32(draw.number32()),
        Type::UINT64 => Value::Uint64(draw.number()),
        Type::COMM => Value::Comm(draw.id(4)),
        Type::CALLING_CONTEXT => Value::CallingContext(draw.id(4)),
        Type::DOUBLE => Value::Double(f64::from_bits(draw.number())),
        _ => Value::Int64(draw.number() as i64),
    };
    (id, value)
}
