//! Amounts of money in integer nano-USD (decision 15).

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount in billionths of a US dollar; documents show it as a decimal number of dollars.
///
/// ```
/// use lydian_model::NanoUsd;
/// assert_eq!(serde_json::to_string(&NanoUsd::new(390_000)).unwrap(), "0.00039");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
pub struct NanoUsd(#[schemars(with = "f64")] u64);

impl NanoUsd {
    /// No money.
    pub const ZERO: Self = Self(0);
    /// 9 million dollars: more is neither written nor read.
    pub const MAX: Self = Self(9_000_000_000_000_000);

    /// Returns an amount of `nanos` billionths of a dollar, at most [`MAX`](Self::MAX).
    pub const fn new(nanos: u64) -> Self {
        if nanos > Self::MAX.0 {
            Self::MAX
        } else {
            Self(nanos)
        }
    }

    /// Returns the amount in billionths of a dollar.
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// Returns the amount in dollars.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Returns an amount given in dollars, rounded up to a whole nano-USD so that it is never rounded to zero;
    /// `None` if it is negative, not finite or beyond 9 million dollars.
    pub fn from_dollars(dollars: f64) -> Option<Self> {
        let nanos = dollars * 1e9;
        if !(0.0..=9.0e15).contains(&nanos) {
            return None;
        }
        let nearest = nanos.round();
        // Decimal dollars are rarely whole in binary: a distance below a millionth of a nano is representation error.
        let whole = if (nanos - nearest).abs() < 1e-6 * nearest.max(1.0) {
            nearest
        } else {
            nanos.ceil()
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to lie in 0..=9e15"
        )]
        Some(Self(whole as u64))
    }

    /// Returns the sum, or `None` above [`MAX`](Self::MAX).
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let sum = self.0.checked_add(other.0)?;
        (sum <= Self::MAX.0).then_some(Self(sum))
    }
}

impl Add for NanoUsd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.0.saturating_add(other.0))
    }
}

impl AddAssign for NanoUsd {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for NanoUsd {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl Serialize for NanoUsd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

impl<'de> Deserialize<'de> for NanoUsd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Self::from_dollars(dollars)
            .ok_or_else(|| serde::de::Error::custom("amount of US dollars is negative or too large"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_dollars_survive_a_round_trip() {
        for nanos in [
            0,
            1,
            74_000,
            390_000,
            3_900_000,
            1_234_567_890_123,
            NanoUsd::MAX.nanos(),
        ] {
            let text = serde_json::to_string(&NanoUsd::new(nanos)).unwrap();
            assert_eq!(
                serde_json::from_str::<NanoUsd>(&text).unwrap().nanos(),
                nanos,
                "{text}"
            );
        }
    }

    #[test]
    fn no_amount_is_too_large_to_be_read_again() {
        let most = NanoUsd::new(u64::MAX);
        for amount in [most, most + most] {
            let text = serde_json::to_string(&amount).unwrap();
            assert_eq!(serde_json::from_str::<NanoUsd>(&text).unwrap(), amount, "{text}");
        }
        assert_eq!(most.checked_add(NanoUsd::new(1)), None);
    }

    #[test]
    fn a_fraction_of_a_nano_dollar_is_not_lost() {
        assert_eq!(NanoUsd::from_dollars(1e-12).unwrap().nanos(), 1);
        assert!(NanoUsd::from_dollars(-0.01).is_none());
    }
}
