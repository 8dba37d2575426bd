//! What clocks that are compared with each other have in common: the second level of the
//! preconditioner.
//!
//! Terms that compare two clocks hold them together and say nothing of all of them against the
//! pinned one. So errors that they share, over many knots, change little in a step that looks at
//! each clock alone. Here such a group of clocks is one: the system restricted to errors that
//! are the same in all its members, which is as narrow as that of one clock, and solved exactly.

use super::band::Bands;

/// Groups of clocks that are compared with each other, none of one clock alone.
pub(super) struct Groups {
    /// The group of each clock.
    of: Vec<Option<u32>>,
    /// How many there are.
    pub count: usize,
}

impl Groups {
    /// Groups clocks by who is compared with whom.
    pub fn new(clocks: usize, compared: impl Iterator<Item = (u32, u32)>) -> Groups {
        let mut above: Vec<u32> = (0..clocks as u32).collect();
        for (a, b) in compared {
            join(&mut above, a, b);
        }
        let roots: Vec<u32> = (0..clocks as u32).map(|c| root(&mut above, c)).collect();
        let mut size = vec![0u32; clocks];
        roots.iter().for_each(|&root| size[root as usize] += 1);
        let mut number = vec![None; clocks];
        let mut count = 0;
        for root in 0..clocks {
            if size[root] > 1 {
                number[root] = Some(count);
                count += 1;
            }
        }
        Groups {
            of: roots.iter().map(|&root| number[root as usize]).collect(),
            count: count as usize,
        }
    }

    /// Returns the group of a clock.
    pub fn of(&self, clock: usize) -> Option<usize> {
        self.of[clock].map(|group| group as usize)
    }
}

/// Returns the member that stands for a group; `above` leads there from each.
fn root(above: &mut [u32], mut member: u32) -> u32 {
    while above[member as usize] != member {
        let next = above[above[member as usize] as usize];
        above[member as usize] = next;
        member = next;
    }
    member
}

/// Joins the groups of two members; returns whether they were apart.
pub(super) fn join(above: &mut [u32], a: u32, b: u32) -> bool {
    let (a, b) = (root(above, a), root(above, b));
    above[a.max(b) as usize] = a.min(b);
    a != b
}

/// The systems of all groups, factored.
pub(super) struct Common<'a> {
    groups: &'a Groups,
    /// Entries of a knot in vectors: one per clock, and others that are no clock's.
    stride: usize,
    bands: Bands,
}

impl<'a> Common<'a> {
    /// Takes over systems that are not factored, a column for each group.
    pub fn new(groups: &'a Groups, stride: usize, mut bands: Bands) -> Common<'a> {
        bands.factor();
        Common {
            groups,
            stride,
            bands,
        }
    }

    /// Adds to `z` what the groups' systems say of a residual.
    pub fn add(&self, residual: &[f64], z: &mut [f64]) {
        let count = self.groups.count;
        if count == 0 {
            return;
        }
        let mut sums = vec![0.0; residual.len() / self.stride * count];
        let knots = sums.chunks_exact_mut(count);
        for (sums, residual) in knots.zip(residual.chunks_exact(self.stride)) {
            for (group, residual) in self.groups.of.iter().zip(residual) {
                if let Some(group) = group {
                    sums[*group as usize] += residual;
                }
            }
        }
        self.bands.solve(&mut sums);
        let knots = sums.chunks_exact(count);
        for (sums, z) in knots.zip(z.chunks_exact_mut(self.stride)) {
            for (group, z) in self.groups.of.iter().zip(z) {
                if let Some(group) = group {
                    *z += sums[*group as usize];
                }
            }
        }
    }
}
