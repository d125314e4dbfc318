//! Which word of the hypothesis stands for which word of the reference, and which words are wrong.

use super::edit_distance::Step;

/// The alignment of a hypothesis with a reference along a path of steps.
pub(super) struct Alignment {
    /// For every reference word the hypothesis word aligned with it, plus 1; 0 is before the first one.
    pub(super) after: Vec<usize>,
    /// How many of the first reference words are wrong, for every length.
    reference_errors: Vec<usize>,
    /// How many of the first hypothesis words are wrong, for every length.
    hypothesis_errors: Vec<usize>,
}

impl Alignment {
    /// Follows the path.
    pub(super) fn new(path: &[Step]) -> Self {
        let (mut after, mut position) = (Vec::new(), 0);
        let (mut reference_errors, mut hypothesis_errors) = (vec![0], vec![0]);
        let count = |errors: &mut Vec<usize>, wrong: bool| {
            errors.push(errors.last().copied().unwrap_or(0) + usize::from(wrong));
        };
        for &step in path {
            if step != Step::Insert {
                position += 1;
                count(&mut hypothesis_errors, step != Step::Keep);
            }
            if step != Step::Delete {
                after.push(position);
                count(&mut reference_errors, step != Step::Keep);
            }
        }
        Self {
            after,
            reference_errors,
            hypothesis_errors,
        }
    }

    /// Returns whether any of the reference words is wrong.
    pub(super) fn reference_wrong(&self, start: usize, length: usize) -> bool {
        self.reference_errors[start + length] > self.reference_errors[start]
    }

    /// Returns whether any of the hypothesis words is wrong.
    pub(super) fn hypothesis_wrong(&self, start: usize, length: usize) -> bool {
        self.hypothesis_errors[start + length] > self.hypothesis_errors[start]
    }
}
