//! Numbers as documents hold them: always finite, scores rounded to six decimals.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// A finite number; NaN and infinities cannot be represented (decision 24).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Finite(f64);

impl Finite {
    /// Zero.
    pub const ZERO: Self = Self(0.0);

    /// Returns `value` as a document number, or `None` if it is NaN or infinite. Minus zero becomes zero.
    pub fn new(value: f64) -> Option<Self> {
        value
            .is_finite()
            .then_some(Self(if value == 0.0 { 0.0 } else { value }))
    }

    /// Returns the number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Finite {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::new(value).ok_or_else(|| serde::de::Error::custom("number is not finite"))
    }
}

/// A score as documents hold it: finite and rounded to six decimals, half to even (decision 30).
///
/// ```
/// use lydian_model::Score;
/// assert_eq!(Score::new(51.056_249_961).unwrap().get(), 51.05625);
/// assert_eq!(Score::new(-0.0).unwrap().get().to_bits(), 0);
/// assert!(Score::new(f64::NAN).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Score(Finite);

impl Score {
    /// Returns `value` rounded to six decimals, or `None` if it is NaN or infinite.
    pub fn new(value: f64) -> Option<Self> {
        let scaled = value * 1e6;
        let rounded = if scaled.is_finite() {
            scaled.round_ties_even() / 1e6
        } else {
            value
        };
        Finite::new(rounded).map(Self)
    }

    /// Returns the rounded number.
    pub const fn get(self) -> f64 {
        self.0.get()
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Finite::deserialize(deserializer).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(value: f64) -> u64 {
        Score::new(value).unwrap().get().to_bits()
    }

    #[test]
    fn halves_round_to_the_even_neighbour() {
        assert_eq!(rounded(0.000_000_5), 0.0_f64.to_bits());
        assert_eq!(rounded(0.000_001_5), 0.000_002_f64.to_bits());
    }

    #[test]
    fn numbers_too_large_to_scale_stay_as_they_are() {
        assert_eq!(rounded(1e305), 1e305_f64.to_bits());
        assert!(Score::new(f64::INFINITY).is_none());
    }

    #[test]
    fn a_document_number_out_of_range_is_refused() {
        assert!(serde_json::from_str::<Finite>("1e999").is_err());
    }
}
