//! What a location is doing, event by event.
//!
//! The outermost function of MPI that is open decides, whatever is entered within it; a collective
//! operation that stands in no region is a call of its own; else the innermost region of the
//! program. It is the reading of `mpiscope_analysis`' time lines, so that waiting lies within calls.
//! A leave ends what was entered within and never left, too; one of what was never entered ends
//! nothing; and a switch of recording ends the call that it stands in.
//!
//! A state can be taken up in the middle of a location: what was open there is known as a list in
//! an arena ([`Frames`]), which states of the same location share.

use mpiscope_model::EventKind;

use crate::class::{Class, Regions};
use crate::encode::NONE;

/// A region or an operation that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The event that began it.
    pub enter: u32,
    /// Its region; [`NONE`] of a collective operation that stands in none.
    pub region: u32,
}

/// A frame that is open at a place where a state can be taken up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub enter: u32,
    pub region: u32,
    /// The one around it, or [`NONE`].
    pub below: u32,
    /// How many are around it.
    pub depth: u32,
}

impl Node {
    fn frame(&self) -> Frame {
        let Node { enter, region, .. } = *self;
        Frame { enter, region }
    }
}

/// All frames of a location that are open at places where states can be taken up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames(pub Vec<Node>);

impl Frames {
    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<Node>()
    }

    /// Returns the region of a frame, by the event that began it, that is open where `node` is the
    /// innermost, or [`NONE`].
    pub fn region(&self, enter: u32, node: u32) -> u32 {
        let at = |node: u32| self.0.get(node as usize);
        let mut open = std::iter::successors(at(node), |it| at(it.below));
        let found = open.find(|it| it.enter == enter);
        found.map_or(NONE, |it| it.region)
    }

    /// Returns how many frames are open where this one is the innermost.
    pub fn depth(&self, node: u32) -> usize {
        let node = self.0.get(node as usize);
        node.map_or(0, |node| node.depth as usize + 1)
    }

    /// Returns whether a frame, by the event that began it, is open where `node` is the innermost.
    pub fn is_open(&self, enter: u32, mut node: u32) -> bool {
        while let Some(it) = self.0.get(node as usize).filter(|it| it.enter >= enter) {
            if it.enter == enter {
                return true;
            }
            node = it.below;
        }
        false
    }
}

/// What a location is doing at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Doing {
    pub class: Class,
    /// The region that says so, or [`NONE`].
    pub region: u32,
}

impl Doing {
    pub const NOTHING: Doing = Doing {
        class: Class::Nothing,
        region: NONE,
    };
}

/// A place at which a state can be taken up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// The innermost frame, in the arena, or [`NONE`].
    pub node: u32,
    /// The event that began the call under way, or [`NONE`].
    pub call: u32,
    /// That call's region, or [`NONE`].
    pub region: u32,
    /// Recording is off.
    pub is_off: bool,
}

impl Place {
    pub const BEGIN: Place = Place {
        node: NONE,
        call: NONE,
        region: NONE,
        is_off: false,
    };
}

/// What is open at one place of a location.
#[derive(Clone, Debug)]
pub(crate) struct State<'a> {
    regions: &'a Regions,
    /// Begun since the state was taken up, innermost last.
    inner: Vec<Frame>,
    place: Place,
}

impl<'a> State<'a> {
    pub fn new(regions: &'a Regions, place: Place) -> State<'a> {
        State {
            regions,
            inner: Vec::new(),
            place,
        }
    }

    /// Takes the state up at another place.
    pub fn move_to(&mut self, place: Place) {
        self.inner.clear();
        self.place = place;
    }

    /// Makes this a place at which states can be taken up.
    pub fn settle(&mut self, frames: &mut Frames) -> Place {
        for frame in self.inner.drain(..) {
            frames.0.push(Node {
                enter: frame.enter,
                region: frame.region,
                below: self.place.node,
                depth: frames.depth(self.place.node) as u32,
            });
            self.place.node = frames.0.len() as u32 - 1;
        }
        self.place
    }

    /// Takes the next event, its kind and argument; tells which frames it ends, innermost first.
    #[inline]
    pub fn step(
        &mut self,
        frames: &Frames,
        index: u32,
        (kind, arg): (EventKind, u32),
        ended: impl FnMut(Frame),
    ) {
        match kind {
            EventKind::Enter => self.enter(index, arg),
            EventKind::Leave => self.leave(frames, arg, ended),
            // Of a begin without end nobody knows how long it lasted.
            EventKind::MpiCollectiveBegin if self.place.call == NONE && arg != NONE => {
                (self.place.call, self.place.region) = (index, NONE);
                self.inner.push(Frame {
                    enter: index,
                    region: NONE,
                });
            }
            EventKind::MpiCollectiveEnd if self.is_in_operation() => {
                self.end_call(frames, ended);
            }
            EventKind::MeasurementOnOff => {
                self.end_call(frames, ended);
                self.place.is_off = arg == 0;
            }
            _ => {}
        }
    }

    fn enter(&mut self, index: u32, region: u32) {
        if self.place.call == NONE && self.regions.is_mpi(region) {
            (self.place.call, self.place.region) = (index, region);
        }
        self.inner.push(Frame {
            enter: index,
            region,
        });
    }

    fn leave(&mut self, frames: &Frames, region: u32, ended: impl FnMut(Frame)) {
        let left = self.open(frames).find(|frame| frame.region == region);
        if let Some(frame) = left {
            self.close(frames, frame.enter, ended);
        }
    }

    /// Returns whether the call under way is an operation without region.
    fn is_in_operation(&self) -> bool {
        self.place.call != NONE && self.place.region == NONE
    }

    fn end_call(&mut self, frames: &Frames, ended: impl FnMut(Frame)) {
        if self.place.call != NONE {
            self.close(frames, self.place.call, ended);
        }
    }

    /// Ends a frame and all within it.
    fn close(&mut self, frames: &Frames, enter: u32, mut ended: impl FnMut(Frame)) {
        while let Some(frame) = self.inner.pop_if(|frame| frame.enter >= enter) {
            ended(frame);
        }
        while let Some(node) = self.outermost_but(frames, enter) {
            self.place.node = node.below;
            ended(node.frame());
        }
        if self.place.call != NONE && self.place.call >= enter {
            self.place.call = NONE;
        }
    }

    /// Returns the innermost of the frames that were open when the state was taken up, if it began
    /// no earlier than another.
    fn outermost_but(&self, frames: &Frames, enter: u32) -> Option<Node> {
        let node = frames.0.get(self.place.node as usize).copied();
        node.filter(|node| self.inner.is_empty() && node.enter >= enter)
    }

    /// Returns the frames that are open, innermost first.
    pub fn open<'b>(&'b self, frames: &'b Frames) -> impl Iterator<Item = Frame> + 'b {
        let node = |node: u32| frames.0.get(node as usize);
        let outer = std::iter::successors(node(self.place.node), move |it| node(it.below));
        let inner = self.inner.iter().rev().copied();
        inner.chain(outer.map(Node::frame))
    }

    /// Returns how many frames are open.
    pub fn depth(&self, frames: &Frames) -> usize {
        self.inner.len() + frames.depth(self.place.node)
    }

    /// Returns whether a call is under way.
    pub fn is_in_call(&self) -> bool {
        self.place.call != NONE
    }

    /// Returns the region that an event, the one taken last, began, or [`NONE`] of an operation
    /// without; nothing if it began none.
    pub fn begun_by(&self, index: u32) -> Option<u32> {
        let frame = self.inner.last().filter(|frame| frame.enter == index);
        frame.map(|frame| frame.region)
    }

    /// Returns whether recording is off.
    pub fn is_off(&self) -> bool {
        self.place.is_off
    }

    /// Returns what is done after the event taken last.
    #[inline]
    pub fn doing(&self, frames: &Frames) -> Doing {
        if self.place.call != NONE {
            return match self.place.region {
                NONE => Doing {
                    class: Class::Collective,
                    region: NONE,
                },
                region => self.in_region(region),
            };
        }
        if self.place.is_off {
            return Doing {
                class: Class::Unrecorded,
                region: NONE,
            };
        }
        match self.inner.last() {
            Some(frame) => self.in_region(frame.region),
            None => {
                let node = frames.0.get(self.place.node as usize);
                self.in_region(node.map_or(NONE, |node| node.region))
            }
        }
    }

    fn in_region(&self, region: u32) -> Doing {
        let class = self.regions.class(region);
        Doing { class, region }
    }
}
