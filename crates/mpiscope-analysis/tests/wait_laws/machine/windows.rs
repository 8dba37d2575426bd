//! Windows: their creation, fences, epochs and notifications.

use super::Machine;

/// Windows and the communicators that they are of.
const WINDOWS: [(&str, usize); 2] = [("w", 0), ("v", 1)];

const OPERATIONS: &[&str] = &["MPI_Put", "MPI_Get", "MPI_Accumulate", "MPI_Get_address"];

impl Machine {
    /// Lets all create a window; archives have a collective operation for that, or none.
    pub(super) fn create_window(&mut self) {
        let (window, _) = self.window();
        let name = self.dice.pick(&[
            "MPI_Win_create",
            "MPI_Win_allocate",
            "MPI_Win_create_dynamic",
        ]);
        let create = format!("win_create({window})");
        let what = match self.dice.below(3) {
            0 => vec![create],
            1 => operation(&create, &format!("win_end({window},create_handle)")),
            _ => operation(&create, &format!("win_end({window},create_handle,sync)")),
        };
        self.all_do(name, &what);
    }

    /// Lets all close an epoch of a window, or free it; some may say that there is none to close.
    pub(super) fn fence(&mut self) {
        let (window, _) = self.window();
        if self.dice.is_one_of(4) {
            let destroy = format!("win_destroy({window})");
            let end = format!("win_end({window},destroy_handle,sync)");
            return self.all_do("MPI_Win_free", &operation(&destroy, &end));
        }
        let all: Vec<usize> = (0..self.now.len()).collect();
        self.gather(&all);
        let precede = if self.dice.is_one_of(4) { 2 } else { 64 };
        for rank in all {
            let sync = if self.dice.is_one_of(precede) {
                ""
            } else {
                ",sync"
            };
            let end = format!("win_end({window},barrier{sync})");
            self.call(rank, "MPI_Win_fence", &["win_begin".into(), end]);
        }
    }

    fn all_do(&mut self, name: &str, what: &[String]) {
        let all: Vec<usize> = (0..self.now.len()).collect();
        self.gather(&all);
        all.iter().for_each(|rank| self.call(*rank, name, what));
    }

    /// Lets some ranks use the windows of some.
    pub(super) fn epoch(&mut self) {
        let (window, _) = self.window();
        let (origins, targets) = (self.some(), self.some());
        if origins.is_empty() || targets.is_empty() {
            return;
        }
        let to_targets = [group_sync(window, &targets)];
        let to_origins = [group_sync(window, &origins)];
        let all: Vec<usize> = (0..self.now.len()).collect();
        self.gather(&all);
        for rank in all {
            let (is_origin, is_target) = (origins.contains(&rank), targets.contains(&rank));
            if is_target {
                self.call(rank, "MPI_Win_post", &to_origins);
            }
            if is_origin {
                self.call(rank, "MPI_Win_start", &to_targets);
                self.operate(rank);
                self.call(rank, "MPI_Win_complete", &to_targets);
            }
            if is_target {
                let name = self.dice.pick(&["MPI_Win_wait", "MPI_Win_test"]);
                self.call(rank, name, &to_origins);
            }
        }
    }

    /// Lets a rank do something to windows, and something else.
    fn operate(&mut self, rank: usize) {
        for _ in 0..self.dice.below(3) {
            let name = self.dice.pick(OPERATIONS);
            self.call(rank, name, &[]);
        }
        self.pass(rank, 20);
    }

    /// Lets a rank notify another one.
    pub(super) fn notify(&mut self) {
        let (window, comm) = self.window();
        let (from, to) = self.pair();
        let rank_of = |rank: usize| {
            let members = self.groups[comm].first.iter();
            members.take_while(|it| **it != rank).count()
        };
        let out = format!("notify_out({window},{})", rank_of(to));
        let into = format!("notify_in({window},{})", rank_of(from));
        self.gather(&[from, to]);
        self.call(from, "MPI_Win_sync", &[out]);
        self.call(to, "MPI_Win_sync", &[into]);
    }

    /// Draws a window: its name, and its communicator.
    pub(super) fn window(&mut self) -> (&'static str, usize) {
        self.dice.pick(&WINDOWS)
    }
}

fn operation(within: &str, end: &str) -> Vec<String> {
    vec!["win_begin".into(), within.into(), end.into()]
}

fn group_sync(window: &str, ranks: &[usize]) -> String {
    let ranks: Vec<String> = ranks.iter().map(usize::to_string).collect();
    format!("group_sync({window},{})", ranks.join("&"))
}
