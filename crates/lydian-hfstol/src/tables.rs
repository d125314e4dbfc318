//! The two tables of a transducer, read where they lie.
use crate::error::ReadError;
use crate::header::{Header, truncated};

/// Marks rows that hold no symbol: finality rows and padding.
pub(crate) const NO_SYMBOL: u16 = 0xffff;
/// Targets from here on are rows of the transition table.
pub(crate) const TRANSITIONS_FROM: u32 = 0x8000_0000;

const NO_TARGET: u32 = 0xffff_ffff;
const INDEX_ROW: usize = 6;
const PLAIN_ROW: usize = 8;
const WEIGHTED_ROW: usize = 12;

/// Where the tables lie in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tables {
    index_at: usize,
    index_end: usize,
    transitions_at: usize,
    transitions_end: usize,
    weighted: bool,
}

/// One arc.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) input: u16,
    pub(crate) output: u16,
    pub(crate) target: u32,
    pub(crate) weight: f32,
}

impl Tables {
    /// Finds the tables that start at `at`, and checks every number in them.
    pub(crate) fn locate(bytes: &[u8], header: &Header, at: usize) -> Result<Self, ReadError> {
        let row = if header.weighted { WEIGHTED_ROW } else { PLAIN_ROW };
        let index = header.index_rows as usize * INDEX_ROW;
        let transitions = header.transition_rows as usize * row;
        let available = bytes.len().saturating_sub(at);
        if available < index {
            return Err(truncated("the index table", index, available));
        }
        if available - index < transitions {
            return Err(truncated("the transition table", transitions, available - index));
        }
        let tables = Self {
            index_at: at,
            index_end: at + index,
            transitions_at: at + index,
            transitions_end: at + index + transitions,
            weighted: header.weighted,
        };
        tables.check(bytes, header)?;
        Ok(tables)
    }

    pub(crate) fn end(&self) -> usize {
        self.transitions_end
    }

    fn check(&self, bytes: &[u8], header: &Header) -> Result<(), ReadError> {
        let damaged = |table, row| {
            ReadError::Damaged(format!(
                "row {row} of the {table} points outside the tables or the alphabet"
            ))
        };
        let view = self.view(bytes);
        // One comparison for both tables: a target is smaller than the end of the table it points into.
        let transitions_end = u64::from(TRANSITIONS_FROM) + u64::from(header.transition_rows);
        let inside = |target: u32| {
            let end = if target >= TRANSITIONS_FROM {
                transitions_end
            } else {
                u64::from(header.index_rows)
            };
            u64::from(target) < end
        };
        for row in 0..header.index_rows {
            let (input, target) = view.index(row).unwrap_or((NO_SYMBOL, 0));
            if input != NO_SYMBOL && (input >= header.symbols || target < TRANSITIONS_FROM || !inside(target))
            {
                return Err(damaged("index table", row));
            }
        }
        let sound = |arc: Arc| {
            arc.input == NO_SYMBOL
                || (arc.input < header.symbols && arc.output < header.symbols && inside(arc.target))
        };
        for row in 0..header.transition_rows {
            if !view.arc(row).is_none_or(sound) {
                return Err(damaged("transition table", row));
            }
        }
        Ok(())
    }

    /// Returns the tables of the file these bytes are.
    pub(crate) fn view<'t>(&self, bytes: &'t [u8]) -> View<'t> {
        let part = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
        let transitions = part(self.transitions_at, self.transitions_end);
        View {
            index: part(self.index_at, self.index_end).as_chunks().0,
            rows: if self.weighted {
                Rows::Weighted(transitions.as_chunks().0)
            } else {
                Rows::Plain(transitions.as_chunks().0)
            },
        }
    }
}

/// The two tables, row by row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'t> {
    index: &'t [[u8; INDEX_ROW]],
    rows: Rows<'t>,
}

/// The rows of the transition table.
#[derive(Debug, Clone, Copy)]
enum Rows<'t> {
    Plain(&'t [[u8; PLAIN_ROW]]),
    Weighted(&'t [[u8; WEIGHTED_ROW]]),
}

impl View<'_> {
    #[inline]
    fn index(&self, row: u32) -> Option<(u16, u32)> {
        let b = self.index.get(row as usize)?;
        Some((
            u16::from_le_bytes([b[0], b[1]]),
            u32::from_le_bytes([b[2], b[3], b[4], b[5]]),
        ))
    }

    /// Returns the first row of the transition table that belongs to `symbol` in an index-table state.
    #[inline]
    pub(crate) fn arcs_of(&self, state: u32, symbol: u16) -> Option<u32> {
        let (input, target) = self.index(state.checked_add(1)?.checked_add(u32::from(symbol))?)?;
        (input == symbol).then(|| target.wrapping_sub(TRANSITIONS_FROM))
    }

    /// Returns a row of the transition table.
    #[inline]
    pub(crate) fn arc(&self, row: u32) -> Option<Arc> {
        let (b, weight): (&[u8; PLAIN_ROW], f32) = match self.rows {
            Rows::Plain(rows) => (rows.get(row as usize)?, 0.0),
            Rows::Weighted(rows) => {
                let b = rows.get(row as usize)?;
                (b.first_chunk()?, f32::from_le_bytes([b[8], b[9], b[10], b[11]]))
            }
        };
        Some(Arc {
            input: u16::from_le_bytes([b[0], b[1]]),
            output: u16::from_le_bytes([b[2], b[3]]),
            target: u32::from_le_bytes([b[4], b[5], b[6], b[7]]),
            weight,
        })
    }

    /// Returns the weight of ending in a state, `None` where the state is not final.
    #[inline]
    pub(crate) fn final_weight(&self, state: u32) -> Option<f32> {
        if state >= TRANSITIONS_FROM {
            let arc = self.arc(state - TRANSITIONS_FROM)?;
            let is_final = arc.input == NO_SYMBOL && arc.output == NO_SYMBOL && arc.target == 1;
            return is_final.then_some(arc.weight);
        }
        let (input, target) = self.index(state)?;
        if input != NO_SYMBOL || target == NO_TARGET {
            return None;
        }
        Some(match self.rows {
            Rows::Weighted(_) => f32::from_bits(target),
            Rows::Plain(_) => 0.0,
        })
    }
}
