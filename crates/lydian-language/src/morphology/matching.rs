//! Maximum-weight matching of gold words and output words.

/// A pair's worth; higher is better, ties are broken by the later parts.
pub(super) struct Weight {
    /// Units found.
    pub(super) matched: u64,
    /// Units of the output word: fewer are better.
    pub(super) predicted: u64,
}

/// Assigns each row at most one column so that the sum of `matched` is greatest; then fewer predicted units, then leftmost.
///
/// Returns the column of each row; pairs without any unit in common are left apart.
pub(super) fn assign(weights: &[Vec<Weight>]) -> Vec<Option<usize>> {
    let rows = weights.len();
    let columns = weights.first().map_or(0, Vec::len);
    if rows == 0 || columns == 0 {
        return vec![None; rows];
    }
    let size = rows.max(columns);
    let value = |row: usize, column: usize| -> i64 {
        let Some(weight) = weights.get(row).and_then(|r| r.get(column)) else {
            return 0;
        };
        if weight.matched == 0 {
            return 0;
        }
        let number = |n: u64| i64::try_from(n.min(1 << 20)).unwrap_or(1 << 20);
        let left = i64::try_from(size - column + size - row).unwrap_or(0);
        (number(weight.matched) << 40) - (number(weight.predicted) << 20) + left
    };
    let columns_of = solve(size, &value);
    (0..rows)
        .map(|row| Some(columns_of[row]).filter(|column| value(row, *column) > 0 && *column < columns))
        .collect()
}

/// The assignment algorithm with potentials on a square matrix; returns the column of each row.
fn solve(size: usize, value: &impl Fn(usize, usize) -> i64) -> Vec<usize> {
    let mut row_potential = vec![0i64; size + 1];
    let mut column_potential = vec![0i64; size + 1];
    let mut row_of = vec![0usize; size + 1];
    for row in 1..=size {
        row_of[0] = row;
        let mut column = 0;
        let mut least = vec![i64::MAX; size + 1];
        let mut came_from = vec![0usize; size + 1];
        let mut done = vec![false; size + 1];
        while row_of[column] != 0 {
            done[column] = true;
            let current = row_of[column];
            let (mut delta, mut next) = (i64::MAX, 0);
            for other in 1..=size {
                if done[other] {
                    continue;
                }
                let cost = -value(current - 1, other - 1) - row_potential[current] - column_potential[other];
                if cost < least[other] {
                    least[other] = cost;
                    came_from[other] = column;
                }
                if least[other] < delta {
                    delta = least[other];
                    next = other;
                }
            }
            for other in 0..=size {
                if done[other] {
                    row_potential[row_of[other]] += delta;
                    column_potential[other] -= delta;
                } else if least[other] != i64::MAX {
                    least[other] -= delta;
                }
            }
            column = next;
        }
        while column != 0 {
            let previous = came_from[column];
            row_of[column] = row_of[previous];
            column = previous;
        }
    }
    let mut columns = vec![0; size];
    for column in 1..=size {
        columns[row_of[column] - 1] = column - 1;
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[u64]]) -> Vec<Vec<Weight>> {
        rows.iter()
            .map(|r| {
                r.iter()
                    .map(|m| Weight {
                        matched: *m,
                        predicted: 1,
                    })
                    .collect()
            })
            .collect()
    }

    #[test]
    fn the_best_sum_wins_over_the_best_pair() {
        assert_eq!(assign(&matrix(&[&[5, 4], &[4, 1]])), [Some(1), Some(0)]);
    }

    #[test]
    fn pairs_without_common_units_stay_apart_and_ties_go_left() {
        assert_eq!(assign(&matrix(&[&[0, 0], &[3, 3]])), [None, Some(0)]);
        assert_eq!(assign(&matrix(&[&[2, 2, 2]])), [Some(0)]);
        assert_eq!(assign(&[]), Vec::<Option<usize>>::new());
    }

    #[test]
    fn fewer_predicted_units_break_a_tie() {
        let row = vec![
            Weight {
                matched: 2,
                predicted: 9,
            },
            Weight {
                matched: 2,
                predicted: 3,
            },
        ];
        assert_eq!(assign(&[row]), [Some(1)]);
    }

    #[test]
    fn every_small_matrix_gets_its_best_sum() {
        // All orders of the columns, compared with the algorithm.
        let mut seed = 7u64;
        for _ in 0..200 {
            let mut next = || {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) % 6
            };
            let rows: Vec<Vec<u64>> = (0..3).map(|_| (0..4).map(|_| next()).collect()).collect();
            let borrowed: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
            let found: u64 = assign(&matrix(&borrowed))
                .iter()
                .enumerate()
                .filter_map(|(r, c)| c.map(|c| rows[r][c]))
                .sum();
            let mut best = 0;
            for a in 0..4 {
                for b in (0..4).filter(|b| *b != a) {
                    for c in (0..4).filter(|c| *c != a && *c != b) {
                        best = best.max(rows[0][a] + rows[1][b] + rows[2][c]);
                    }
                }
            }
            assert_eq!(found, best, "{rows:?}");
        }
    }
}
