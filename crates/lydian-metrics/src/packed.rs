//! Table rows packed for adding up many of them: common factors taken out, padded to a fixed width.

use crate::stats::StatsTable;

/// The rows of a table as small integers.
pub(crate) struct Packed {
    width: usize,
    padded: usize,
    /// What every column was divided by.
    factors: Vec<u64>,
    values: Vec<u32>,
    /// The table itself, when its values do not fit.
    wide: Option<StatsTable>,
}

impl Packed {
    /// Packs a table.
    pub(crate) fn new(table: &StatsTable) -> Self {
        let width = table.width();
        let mut factors = vec![0; width];
        let mut largest = vec![0; width];
        for row in table.rows() {
            for (column, &value) in row.iter().enumerate() {
                factors[column] = greatest_common_divisor(factors[column], value);
                largest[column] = value.max(largest[column]);
            }
        }
        for factor in &mut factors {
            *factor = (*factor).max(1);
        }
        // No sum of as many rows as the table has may overflow.
        let limit = u64::from(u32::MAX) / (table.len() as u64).max(1);
        let fits = largest
            .iter()
            .zip(&factors)
            .all(|(largest, factor)| largest / factor <= limit);
        let padded = width.next_multiple_of(4);
        let mut values = Vec::new();
        if fits {
            values.reserve(padded * table.len());
            for row in table.rows() {
                let small = row.iter().zip(&factors).map(|(value, factor)| value / factor);
                values.extend(small.map(|value| u32::try_from(value).unwrap_or(u32::MAX)));
                values.resize(values.len().next_multiple_of(padded), 0);
            }
        }
        Self {
            width,
            padded,
            factors,
            values,
            wide: (!fits).then(|| table.clone()),
        }
    }

    /// Returns the column sums of the rows with the given indices, in the table's own units.
    pub(crate) fn sum(&self, draws: &[u32]) -> Vec<u64> {
        if let Some(table) = &self.wide {
            return table.sum_of(draws.iter().map(|&draw| draw as usize));
        }
        let mut sums = match self.padded {
            4 => self.sum_fixed::<4>(draws),
            8 => self.sum_fixed::<8>(draws),
            12 => self.sum_fixed::<12>(draws),
            16 => self.sum_fixed::<16>(draws),
            20 => self.sum_fixed::<20>(draws),
            24 => self.sum_fixed::<24>(draws),
            _ => self.sum_any(draws),
        };
        sums.truncate(self.width);
        for (sum, factor) in sums.iter_mut().zip(&self.factors) {
            *sum *= factor;
        }
        sums
    }

    fn sum_fixed<const WIDTH: usize>(&self, draws: &[u32]) -> Vec<u64> {
        let (rows, _) = self.values.as_chunks::<WIDTH>();
        let mut sums = [0_u32; WIDTH];
        for &draw in draws {
            let row = &rows[draw as usize];
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*value);
            }
        }
        sums.iter().map(|&sum| u64::from(sum)).collect()
    }

    fn sum_any(&self, draws: &[u32]) -> Vec<u64> {
        let mut sums = vec![0; self.padded];
        for &draw in draws {
            let start = draw as usize * self.padded;
            for (sum, &value) in sums.iter_mut().zip(&self.values[start..start + self.padded]) {
                *sum += u64::from(value);
            }
        }
        sums
    }
}

/// Returns the greatest common divisor; that of 0 and a number is the number.
pub(crate) fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[u64]]) -> StatsTable {
        let mut table = StatsTable::new(rows[0].len());
        for row in rows {
            table.push(row);
        }
        table
    }

    #[test]
    fn packed_sums_are_the_sums_of_the_table() {
        let draws = [2, 0, 2, 1];
        let picked = || draws.iter().map(|&draw| draw as usize);
        for rows in [
            table(&[&[1, 2], &[3, 4], &[5, 6]]),
            table(&[&[0, 232_792_560 * 7], &[1, 232_792_560], &[0, 0]]),
            table(&[&[u64::MAX / 8, 1], &[1, 1], &[2, 1]]),
            table(&[&[1; 30], &[2; 30], &[3; 30]]),
            table(&[&[1; 17], &[2; 17], &[3; 17]]),
        ] {
            assert_eq!(Packed::new(&rows).sum(&draws), rows.sum_of(picked()));
        }
    }

    #[test]
    fn values_whose_sum_would_overflow_are_not_packed() {
        let rows = table(&[&[u64::from(u32::MAX) / 2 + 3], &[1]]);
        assert_eq!(
            Packed::new(&rows).sum(&[0, 0]),
            [2 * (u64::from(u32::MAX) / 2 + 3)]
        );
    }
}
