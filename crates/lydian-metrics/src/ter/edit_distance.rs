//! The banded edit distance of Tercom, with the operations of the best path.

/// A cell no path inside the band reaches.
const UNREACHED: u32 = u32::MAX / 2;
/// How far from the diagonal a path may go.
const BAND: usize = 25;

/// One step that turns the hypothesis into the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The words are equal.
    Keep,
    /// A word is replaced.
    Substitute,
    /// A word of the hypothesis is dropped.
    Delete,
    /// A word of the reference is added.
    Insert,
}

/// The distance matrix of one hypothesis against one reference.
///
/// Orderings of the same words share a matrix up to the first place where they differ, so the distance of a
/// shifted hypothesis starts from the rows of the unshifted one.
pub(super) struct EditDistance<'a> {
    reference: &'a [u32],
    length: usize,
    /// The range of columns of every row after the first.
    bands: Vec<(usize, usize)>,
    costs: Vec<u32>,
    steps: Vec<Step>,
    previous: Vec<u32>,
    current: Vec<u32>,
}

impl<'a> EditDistance<'a> {
    /// Prepares for hypotheses of `length` words.
    pub(super) fn new(reference: &'a [u32], length: usize) -> Self {
        let columns = reference.len() + 1;
        let mut costs = vec![UNREACHED; (length + 1) * columns];
        for (column, cost) in costs[..columns].iter_mut().enumerate() {
            *cost = u32::try_from(column).unwrap_or(UNREACHED);
        }
        Self {
            reference,
            length,
            bands: bands(length, reference.len()),
            costs,
            steps: vec![Step::Insert; (length + 1) * columns],
            previous: vec![UNREACHED; columns],
            current: vec![UNREACHED; columns],
        }
    }

    /// Fills the matrix for a hypothesis and returns its distance.
    pub(super) fn fill(&mut self, hypothesis: &[u32]) -> u32 {
        let columns = self.reference.len() + 1;
        for (row, &word) in hypothesis.iter().enumerate() {
            let (above, below) = self.costs.split_at_mut((row + 1) * columns);
            let above = &above[row * columns..];
            let below = &mut below[..columns];
            let steps = &mut self.steps[(row + 1) * columns..(row + 2) * columns];
            let (start, end) = self.bands[row];
            below.fill(UNREACHED);
            for column in start..end {
                let (cost, step) = if column == 0 {
                    (above[0] + 1, Step::Delete)
                } else {
                    let equal = word == self.reference[column - 1];
                    let keep = if equal { Step::Keep } else { Step::Substitute };
                    let mut best = (above[column - 1] + u32::from(!equal), keep);
                    if above[column] + 1 < best.0 {
                        best = (above[column] + 1, Step::Delete);
                    }
                    if below[column - 1] + 1 < best.0 {
                        best = (below[column - 1] + 1, Step::Insert);
                    }
                    best
                };
                below[column] = cost;
                steps[column] = step;
            }
        }
        self.costs[self.costs.len() - 1]
    }

    /// Returns the distance of a hypothesis whose first `same` words are those of the filled one.
    pub(super) fn distance(&mut self, hypothesis: &[u32], same: usize) -> u32 {
        let columns = self.reference.len() + 1;
        self.previous
            .copy_from_slice(&self.costs[same * columns..(same + 1) * columns]);
        for (row, &word) in hypothesis.iter().enumerate().skip(same) {
            let (start, end) = self.bands[row];
            if start > 0 {
                self.current[start - 1] = UNREACHED;
            }
            for column in start..end {
                self.current[column] = if column == 0 {
                    self.previous[0] + 1
                } else {
                    let substitute =
                        self.previous[column - 1] + u32::from(word != self.reference[column - 1]);
                    substitute
                        .min(self.previous[column] + 1)
                        .min(self.current[column - 1] + 1)
                };
            }
            let next_end = self.bands.get(row + 1).map_or(end, |band| band.1);
            self.current[end..next_end.max(end)].fill(UNREACHED);
            std::mem::swap(&mut self.previous, &mut self.current);
        }
        self.previous[columns - 1]
    }

    /// Returns the steps of the best path of the filled hypothesis, first step first.
    pub(super) fn path(&self) -> Vec<Step> {
        let columns = self.reference.len() + 1;
        let (mut row, mut column) = (self.length, self.reference.len());
        let mut path = Vec::with_capacity(row.max(column));
        while row > 0 || column > 0 {
            // The first row can only be left to the left, the first column only upwards.
            let step = match (row, column) {
                (0, _) => Step::Insert,
                (_, 0) => Step::Delete,
                _ => self.steps[row * columns + column],
            };
            row -= usize::from(step != Step::Insert);
            column -= usize::from(step != Step::Delete);
            path.push(step);
        }
        path.reverse();
        path
    }
}

/// Returns the columns of every row after the first: 25 to each side of the diagonal, the last row to the end.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "both values are non-negative and at most the reference length plus the band"
)]
fn bands(length: usize, reference: usize) -> Vec<(usize, usize)> {
    let ratio = if length == 0 {
        1.0
    } else {
        reference as f64 / length as f64
    };
    let width = if ratio / 2.0 > BAND as f64 {
        (ratio / 2.0 + BAND as f64).ceil() as usize
    } else {
        BAND
    };
    (1..=length)
        .map(|row| {
            let diagonal = (row as f64 * ratio).floor() as usize;
            let end = if row == length {
                reference + 1
            } else {
                (reference + 1).min(diagonal + width)
            };
            (diagonal.saturating_sub(width), end)
        })
        .collect()
}
