//! The banded edit distance of Tercom: costs from both ends, so that a shift costs only the rows it changes.
//!
//! A path may leave the diagonal by 25 words to each side, so a row has some fifty cells, however long the
//! texts are.

/// A cell no path inside the band reaches.
const UNREACHED: u32 = u32::MAX / 4;
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

/// The columns of a row that paths may use.
#[derive(Clone, Copy, Debug)]
struct Band {
    start: usize,
    end: usize,
}

/// The distance matrix of one hypothesis against one reference, and its mirror image.
///
/// A row is kept as the cells of its band with an unreached cell before them and several behind them; cell `k`
/// of a row is column `start + k - 1`. The costs to a cell are `forward`, those from it to the end `backward`.
/// A hypothesis whose words between two rows were moved costs the least sum of a new cost to and the old cost
/// from any cell of the second row.
#[derive(Default)]
pub(super) struct EditDistance {
    /// The reference behind a word that equals no other, so that column and index agree.
    reference: Vec<u32>,
    /// The bands of all rows; that of the first, which all columns belong to, as far as the second needs it.
    bands: Vec<Band>,
    /// How many cells are kept of a row.
    stride: usize,
    forward: Vec<u32>,
    backward: Vec<u32>,
    current: Vec<u32>,
    next: Vec<u32>,
}

impl EditDistance {
    /// Prepares for hypotheses of `length` words against a reference.
    pub(super) fn prepare(&mut self, reference: &[u32], length: usize) {
        self.reference.clear();
        self.reference.push(0);
        self.reference.extend_from_slice(reference);
        set_bands(&mut self.bands, length, reference.len());
        let widest = self.bands.iter().map(|band| band.end - band.start).max();
        let jumps = self.bands.windows(2).map(|pair| pair[1].start - pair[0].start);
        // One cell before the band, one behind it, and those that only the next row has.
        self.stride = widest.unwrap_or(0) + 2 + jumps.max().unwrap_or(0);
        let cells = self.bands.len() * self.stride;
        // Rows are written whole, except those of the mirror image, which keep the cells around the band.
        self.backward.clear();
        self.backward.resize(cells, UNREACHED);
        self.forward.resize(cells, UNREACHED);
        self.current.resize(self.stride, UNREACHED);
        self.next.resize(self.stride, UNREACHED);
        let first = self.bands[0].start;
        self.forward[0] = UNREACHED;
        for (cell, cost) in (0..).zip(&mut self.forward[1..self.stride]) {
            *cost = u32::try_from(first + cell).unwrap_or(UNREACHED);
        }
    }

    /// Fills the matrix for a hypothesis, whose first `same` words are those of the one before, and returns its
    /// distance.
    pub(super) fn fill(&mut self, hypothesis: &[u32], same: usize) -> u32 {
        for (row, &word) in hypothesis.iter().enumerate().skip(same) {
            let (above, below) = self.forward.split_at_mut((row + 1) * self.stride);
            fill_row(
                &above[row * self.stride..],
                &mut below[..self.stride],
                (self.bands[row], self.bands[row + 1]),
                word,
                &self.reference,
            );
        }
        let columns = self.reference.len();
        self.cost(hypothesis.len(), columns - 1)
            .unwrap_or_else(|| u32::try_from(columns - 1).unwrap_or(UNREACHED))
    }

    /// Fills the mirror image of the matrix for the filled hypothesis, as far up as row 1.
    pub(super) fn fill_backward(&mut self, hypothesis: &[u32]) {
        let (last, columns) = (hypothesis.len(), self.reference.len());
        let band = self.bands[last];
        let row = &mut self.backward[last * self.stride..][..self.stride];
        for column in band.start..band.end {
            row[column - band.start + 1] = u32::try_from(columns - 1 - column).unwrap_or(UNREACHED);
        }
        for row in (1..last).rev() {
            let (above, below) = self.backward.split_at_mut((row + 1) * self.stride);
            let (above, below) = (&mut above[row * self.stride..], &below[..self.stride]);
            let (band, next) = (self.bands[row], self.bands[row + 1]);
            let jump = next.start - band.start;
            let mut right = UNREACHED;
            for column in (band.start..band.end).rev() {
                let cell = column - band.start + 1;
                let mut cost = right + 1;
                if cell >= jump {
                    let differs = column + 1 < columns && hypothesis[row] != self.reference[column + 1];
                    cost = cost
                        .min(below[cell - jump + 1] + u32::from(differs))
                        .min(below[cell - jump] + 1);
                }
                right = cost.min(UNREACHED);
                above[cell] = right;
            }
        }
    }

    /// Returns the distance of the filled hypothesis after its words from `first` on were replaced by as many
    /// others.
    pub(super) fn distance(&mut self, first: usize, words: &[u32]) -> u32 {
        self.current
            .copy_from_slice(&self.forward[first * self.stride..(first + 1) * self.stride]);
        for (row, &word) in (first..).zip(words) {
            fill_row(
                &self.current,
                &mut self.next,
                (self.bands[row], self.bands[row + 1]),
                word,
                &self.reference,
            );
            std::mem::swap(&mut self.current, &mut self.next);
        }
        let last = first + words.len();
        let width = self.bands[last].end - self.bands[last].start;
        let onwards = &self.backward[last * self.stride + 1..][..width];
        let through = self.current[1..=width]
            .iter()
            .zip(onwards)
            .map(|(to, from)| to + from);
        through.min().unwrap_or(UNREACHED)
    }

    /// Returns the steps of the best path of the filled hypothesis, last step first.
    pub(super) fn path(&self, hypothesis: &[u32], path: &mut Vec<Step>) {
        path.clear();
        let (mut row, mut column) = (hypothesis.len(), self.reference.len() - 1);
        while row > 0 || column > 0 {
            let step = self.step(hypothesis, row, column);
            row -= usize::from(step != Step::Insert);
            column -= usize::from(step != Step::Delete);
            path.push(step);
        }
    }

    /// Returns the step that led to a cell: of equally good ones the diagonal one, then the one from above.
    fn step(&self, hypothesis: &[u32], row: usize, column: usize) -> Step {
        // The first row can only be left to the left, the first column only upwards.
        if row == 0 {
            return Step::Insert;
        }
        if column == 0 {
            return Step::Delete;
        }
        let equal = hypothesis[row - 1] == self.reference[column];
        let cost = self.cost(row, column);
        let from = |row, column, price| self.cost(row, column).map(|cost| cost + price) == cost;
        if from(row - 1, column - 1, u32::from(!equal)) {
            if equal { Step::Keep } else { Step::Substitute }
        } else if from(row - 1, column, 1) {
            Step::Delete
        } else {
            Step::Insert
        }
    }

    /// Returns the cost of a cell, or `None` outside the band.
    fn cost(&self, row: usize, column: usize) -> Option<u32> {
        let band = self.bands[row];
        (band.start..band.end)
            .contains(&column)
            .then(|| self.forward[row * self.stride + column - band.start + 1])
    }
}

/// Computes a row from the one above it.
#[inline]
fn fill_row(above: &[u32], row: &mut [u32], bands: (Band, Band), word: u32, reference: &[u32]) {
    let (upper, band) = bands;
    let (jump, width) = (band.start - upper.start, band.end - band.start);
    let words = &reference[band.start..band.end];
    let (diagonal, vertical) = (&above[jump..jump + width], &above[jump + 1..jump + 1 + width]);
    row[0] = UNREACHED;
    let (cells, behind) = row[1..].split_at_mut(width);
    for (((cell, diagonal), vertical), other) in cells.iter_mut().zip(diagonal).zip(vertical).zip(words) {
        *cell = (diagonal + u32::from(word != *other)).min(vertical + 1);
    }
    let mut left = UNREACHED;
    for cell in cells {
        left = (*cell).min(left + 1);
        *cell = left;
    }
    behind.fill(UNREACHED);
}

/// Writes the columns of every row: 25 to each side of the diagonal, the last row to the end.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "both values are non-negative and at most the reference length plus the band"
)]
fn set_bands(bands: &mut Vec<Band>, length: usize, reference: usize) {
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
    bands.clear();
    bands.push(Band { start: 0, end: 0 });
    bands.extend((1..=length).map(|row| {
        let diagonal = (row as f64 * ratio).floor() as usize;
        let end = if row == length {
            reference + 1
        } else {
            (reference + 1).min(diagonal + width)
        };
        Band {
            start: diagonal.saturating_sub(width),
            end,
        }
    }));
    if let Some(&second) = bands.get(1) {
        bands[0] = Band {
            start: second.start.saturating_sub(1),
            end: second.end,
        };
    }
}
