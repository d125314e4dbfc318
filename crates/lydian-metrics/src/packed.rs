//! Table rows packed for adding up many of them: common factors taken out, padded to a fixed width.

use crate::stats::StatsTable;

/// So many rows at least are added up before their 16-bit sums might overflow.
const ROWS_AT_ONCE: u64 = 16;

/// The rows of a table as small integers.
pub(crate) struct Packed {
    width: usize,
    padded: usize,
    /// What every column was divided by.
    factors: Vec<u64>,
    rows: Rows,
}

/// Rows one after another, as narrow as their values allow: the narrower, the more the machine adds at once.
enum Rows {
    /// So many rows can be added before a 16-bit sum might overflow.
    Narrow(Vec<u16>, usize),
    /// No sum of as many rows as the table has overflows.
    Medium(Vec<u32>),
    /// The table itself.
    Wide(StatsTable),
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
        let largest = largest
            .iter()
            .zip(&factors)
            .map(|(largest, factor)| largest / factor)
            .max()
            .unwrap_or(0);
        let padded = width.next_multiple_of(4);
        let rows = if largest > u64::from(u32::MAX) / (table.len() as u64).max(1) {
            Rows::Wide(table.clone())
        } else if largest > u64::from(u16::MAX) / ROWS_AT_ONCE {
            Rows::Medium(pack(table, &factors, padded))
        } else {
            let at_once = u64::from(u16::MAX) / largest.max(1);
            Rows::Narrow(
                pack(table, &factors, padded),
                usize::try_from(at_once).unwrap_or(usize::MAX),
            )
        };
        Self {
            width,
            padded,
            factors,
            rows,
        }
    }

    /// Returns the column sums of the rows with the given indices, in the table's own units.
    pub(crate) fn sum(&self, draws: &[u32]) -> Vec<u64> {
        let mut sums = match (&self.rows, self.padded) {
            (Rows::Wide(table), _) => return table.sum_of(draws.iter().map(|&draw| draw as usize)),
            (Rows::Narrow(rows, at_once), 4) => sum_narrow::<4>(rows, draws, *at_once),
            (Rows::Narrow(rows, at_once), 12) => sum_narrow::<12>(rows, draws, *at_once),
            (Rows::Narrow(rows, at_once), 20) => sum_narrow::<20>(rows, draws, *at_once),
            (Rows::Narrow(rows, at_once), 24) => sum_narrow::<24>(rows, draws, *at_once),
            (Rows::Narrow(rows, _), padded) => sum_any(rows, draws, padded),
            (Rows::Medium(rows), padded) => sum_any(rows, draws, padded),
        };
        sums.truncate(self.width);
        for (sum, factor) in sums.iter_mut().zip(&self.factors) {
            *sum *= factor;
        }
        sums
    }
}

/// Writes the rows without their factors, padded with zeros.
fn pack<T: TryFrom<u64> + Default + Copy>(table: &StatsTable, factors: &[u64], padded: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(padded * table.len());
    for row in table.rows() {
        let small = row.iter().zip(factors).map(|(value, factor)| value / factor);
        values.extend(small.map(|value| T::try_from(value).unwrap_or_default()));
        values.resize(values.len().next_multiple_of(padded), T::default());
    }
    values
}

fn sum_narrow<const WIDTH: usize>(rows: &[u16], draws: &[u32], at_once: usize) -> Vec<u64> {
    let (rows, _) = rows.as_chunks::<WIDTH>();
    let mut sums = [0_u64; WIDTH];
    for draws in draws.chunks(at_once) {
        let mut part = [0_u16; WIDTH];
        for &draw in draws {
            for (sum, value) in part.iter_mut().zip(&rows[draw as usize]) {
                *sum = sum.wrapping_add(*value);
            }
        }
        for (sum, part) in sums.iter_mut().zip(part) {
            *sum += u64::from(part);
        }
    }
    sums.to_vec()
}

fn sum_any<T: Copy + Into<u64>>(rows: &[T], draws: &[u32], padded: usize) -> Vec<u64> {
    let mut sums = vec![0; padded];
    for &draw in draws {
        let start = draw as usize * padded;
        for (sum, &value) in sums.iter_mut().zip(&rows[start..start + padded]) {
            *sum += value.into();
        }
    }
    sums
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
            table(&[&[4095; 24], &[1; 24], &[4000; 24]]),
            table(&[&[4096; 24], &[1; 24], &[4000; 24]]),
        ] {
            assert_eq!(Packed::new(&rows).sum(&draws), rows.sum_of(picked()));
        }
    }

    #[test]
    fn many_rows_do_not_overflow_narrow_sums() {
        let rows = table(&[&[4095, 1, 0], &[4094, 0, 1]]);
        let draws: Vec<u32> = (0..10_000).map(|draw| draw % 2).collect();
        let half = 5_000;
        assert_eq!(Packed::new(&rows).sum(&draws), [half * (4095 + 4094), half, half]);
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
