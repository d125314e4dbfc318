//! Which word of the hypothesis stands for which word of the reference, and which words are wrong.

use super::edit_distance::Step;

/// The alignment of a hypothesis with a reference along a path of steps.
#[derive(Default)]
pub(super) struct Alignment {
    /// For every reference word the hypothesis word aligned with it, plus 1; 0 is before the first one.
    pub(super) after: Vec<usize>,
    /// How many of the first reference words are wrong, for every length.
    reference_errors: Vec<u32>,
    /// How many of the first hypothesis words are wrong, for every length.
    hypothesis_errors: Vec<u32>,
}

impl Alignment {
    /// Follows a path, given last step first.
    pub(super) fn follow(&mut self, path: &[Step]) {
        self.after.clear();
        for errors in [&mut self.reference_errors, &mut self.hypothesis_errors] {
            errors.clear();
            errors.push(0);
        }
        let count = |errors: &mut Vec<u32>, wrong: bool| {
            errors.push(errors.last().copied().unwrap_or(0) + u32::from(wrong));
        };
        let mut position = 0;
        for &step in path.iter().rev() {
            if step != Step::Insert {
                position += 1;
                count(&mut self.hypothesis_errors, step != Step::Keep);
            }
            if step != Step::Delete {
                self.after.push(position);
                count(&mut self.reference_errors, step != Step::Keep);
            }
        }
    }

    /// Returns whether any of the reference words is wrong.
    pub(super) fn reference_wrong(&self, start: usize, length: usize) -> bool {
        any_wrong(&self.reference_errors, start, length)
    }

    /// Returns whether any of the hypothesis words is wrong.
    pub(super) fn hypothesis_wrong(&self, start: usize, length: usize) -> bool {
        any_wrong(&self.hypothesis_errors, start, length)
    }
}

/// Returns whether one of the words is wrong; those behind the last word are not.
fn any_wrong(errors: &[u32], start: usize, length: usize) -> bool {
    errors[(start + length).min(errors.len() - 1)] > errors[start]
}
