//! The two tables of a transducer, read where they lie.
use crate::error::ReadError;
use crate::header::{Header, truncated};

/// Marks rows that hold no symbol: finality rows and padding.
pub(crate) const NO_SYMBOL: u16 = 0xffff;
/// Targets from here on are rows of the transition table.
pub(crate) const TRANSITIONS_FROM: u32 = 0x8000_0000;

const NO_TARGET: u32 = 0xffff_ffff;
const INDEX_ROW: usize = 6;

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
        let row = if header.weighted { 12 } else { 8 };
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
        let inside = |target: u32| {
            if target >= TRANSITIONS_FROM {
                target - TRANSITIONS_FROM < header.transition_rows
            } else {
                target < header.index_rows
            }
        };
        for row in 0..header.index_rows {
            let (input, target) = self.index(bytes, row).unwrap_or((NO_SYMBOL, 0));
            if input != NO_SYMBOL && (input >= header.symbols || target < TRANSITIONS_FROM || !inside(target))
            {
                return Err(damaged("index table", row));
            }
        }
        for row in 0..header.transition_rows {
            let Some(arc) = self.arc(bytes, row) else { continue };
            if arc.input != NO_SYMBOL
                && (arc.input >= header.symbols || arc.output >= header.symbols || !inside(arc.target))
            {
                return Err(damaged("transition table", row));
            }
        }
        Ok(())
    }

    fn index(&self, bytes: &[u8], row: u32) -> Option<(u16, u32)> {
        let at = self.index_at + row as usize * INDEX_ROW;
        let row: &[u8; INDEX_ROW] = bytes.get(at..self.index_end)?.first_chunk()?;
        Some((
            u16::from_le_bytes([row[0], row[1]]),
            u32::from_le_bytes([row[2], row[3], row[4], row[5]]),
        ))
    }

    /// Returns the first row of the transition table that belongs to `symbol` in an index-table state.
    #[inline]
    pub(crate) fn arcs_of(&self, bytes: &[u8], state: u32, symbol: u16) -> Option<u32> {
        let (input, target) = self.index(bytes, state.checked_add(1)?.checked_add(u32::from(symbol))?)?;
        (input == symbol).then(|| target.wrapping_sub(TRANSITIONS_FROM))
    }

    /// Returns a row of the transition table.
    #[inline]
    pub(crate) fn arc(&self, bytes: &[u8], row: u32) -> Option<Arc> {
        if self.weighted {
            let at = self.transitions_at + row as usize * 12;
            let b: &[u8; 12] = bytes.get(at..self.transitions_end)?.first_chunk()?;
            Some(Arc {
                input: u16::from_le_bytes([b[0], b[1]]),
                output: u16::from_le_bytes([b[2], b[3]]),
                target: u32::from_le_bytes([b[4], b[5], b[6], b[7]]),
                weight: f32::from_le_bytes([b[8], b[9], b[10], b[11]]),
            })
        } else {
            let at = self.transitions_at + row as usize * 8;
            let b: &[u8; 8] = bytes.get(at..self.transitions_end)?.first_chunk()?;
            Some(Arc {
                input: u16::from_le_bytes([b[0], b[1]]),
                output: u16::from_le_bytes([b[2], b[3]]),
                target: u32::from_le_bytes([b[4], b[5], b[6], b[7]]),
                weight: 0.0,
            })
        }
    }

    /// Returns the weight of ending in a state, `None` where the state is not final.
    #[inline]
    pub(crate) fn final_weight(&self, bytes: &[u8], state: u32) -> Option<f32> {
        if state >= TRANSITIONS_FROM {
            let arc = self.arc(bytes, state - TRANSITIONS_FROM)?;
            let is_final = arc.input == NO_SYMBOL && arc.output == NO_SYMBOL && arc.target == 1;
            return is_final.then_some(arc.weight);
        }
        let (input, target) = self.index(bytes, state)?;
        if input != NO_SYMBOL || target == NO_TARGET {
            return None;
        }
        Some(if self.weighted {
            f32::from_bits(target)
        } else {
            0.0
        })
    }
}
