//! What receives from anybody take.

use super::Prompt;
use crate::debug::choose::NO_RECORD;
use crate::debug::ranks::Ranks;
use crate::debug::stop::{self, Frame};

/// Parts of the names of MPI functions that may take a message from anybody.
const RECEIVING: [&str; 3] = ["recv", "probe", "start"];

impl Prompt {
    pub(super) fn choose(&mut self, text: &str) {
        let Some(chooser) = &mut self.chooser else {
            return self.say(NO_RECORD);
        };
        let answers = chooser.obey(&mut self.session, &self.focus, text);
        self.say_answers(answers);
    }

    /// Says what ranks may choose that have stopped in a receive.
    pub(super) fn tell_offers(&mut self, stacks: &[(u32, Vec<Frame>)]) {
        let receives = |(_, stack): &&(u32, Vec<Frame>)| {
            let at = stop::mpi(stack).and_then(|at| stack.get(at));
            let name = at.and_then(Frame::mpi_name).unwrap_or_default();
            let name = name.to_ascii_lowercase();
            RECEIVING.iter().any(|part| name.contains(part))
        };
        let ranks: Ranks = stacks.iter().filter(receives).map(|it| it.0).collect();
        let Some(chooser) = &mut self.chooser else {
            return;
        };
        let offers = chooser.offers(&mut self.session, &ranks);
        self.say_answers(offers);
    }
}
