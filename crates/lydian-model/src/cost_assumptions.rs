//! What a language costs to establish and to keep, and a programme of several (B §10.3, §10.4), from an editable file.

use serde::{Deserialize, Serialize};

use crate::NanoUsd;
use crate::calendar::is_day;

/// Schema name and version of the file.
pub const SCHEMA: &str = "lydian/cost-assumptions@1";

/// The figures of the specification, as a file to edit.
pub const DEFAULTS: &str = include_str!("../data/cost-assumptions.toml");

/// The assumptions behind every answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostAssumptions {
    schema: String,
    /// The day the figures were set down, `YYYY-MM-DD`.
    pub as_of: String,
    /// Paid once per language.
    pub establish: Vec<Component>,
    /// Paid every year, the first one included.
    pub yearly: Vec<Component>,
    keep: Keep,
    programme: Programme,
}

/// One part of a cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// What it is.
    pub name: String,
    /// Lowest and highest amount.
    pub usd: Amounts,
    /// What it covers.
    pub remarks: String,
}

/// Lowest and highest amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<NanoUsd>")]
pub struct Amounts(NanoUsd, NanoUsd);

impl TryFrom<Vec<NanoUsd>> for Amounts {
    type Error = &'static str;

    fn try_from(amounts: Vec<NanoUsd>) -> Result<Self, Self::Error> {
        match amounts[..] {
            [low, high] => Ok(Self(low, high)),
            _ => Err("expected two amounts, the lowest and the highest"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keep {
    usd: Amounts,
    remarks: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Programme {
    fixed_usd: Amounts,
    per_language_usd: Amounts,
}

/// A file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssumptionsError {
    /// It is not of the form.
    #[error("{0}")]
    Syntax(String),
    /// Its version is not known.
    #[error("schema {0:?} is not known; known is \"lydian/cost-assumptions@1\"")]
    Schema(String),
    /// The day is none.
    #[error("as_of {0:?} is no day of the calendar; write it as 2026-05-01")]
    Day(String),
    /// The lowest amount is above the highest.
    #[error("{0}: the first amount is above the second")]
    Order(String),
}

impl Amounts {
    /// Nothing.
    pub const NOTHING: Self = Self(NanoUsd::ZERO, NanoUsd::ZERO);

    /// Returns the lowest amount.
    pub const fn low(self) -> NanoUsd {
        self.0
    }

    /// Returns the highest amount.
    pub const fn high(self) -> NanoUsd {
        self.1
    }

    /// Returns the sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    /// Returns so many times the amounts.
    #[must_use]
    pub const fn times(self, count: u32) -> Self {
        Self(
            NanoUsd::new(self.0.nanos().saturating_mul(count as u64)),
            NanoUsd::new(self.1.nanos().saturating_mul(count as u64)),
        )
    }
}

impl CostAssumptions {
    /// Returns the figures of the specification.
    pub fn defaults() -> Self {
        Self::read(DEFAULTS).expect("the shipped file is read in a test")
    }

    /// Reads a file of assumptions.
    pub fn read(text: &str) -> Result<Self, AssumptionsError> {
        let read: Self = toml::from_str(text)
            .map_err(|error| AssumptionsError::Syntax(error.to_string().trim_end().to_owned()))?;
        if read.schema != SCHEMA {
            return Err(AssumptionsError::Schema(read.schema));
        }
        if !is_day(&read.as_of) {
            return Err(AssumptionsError::Day(read.as_of));
        }
        let named = read.establish.iter().chain(&read.yearly);
        let others = [
            ("keep", read.keep.usd),
            ("programme.fixed_usd", read.programme.fixed_usd),
            ("programme.per_language_usd", read.programme.per_language_usd),
        ];
        let turned = named
            .map(|one| (one.name.as_str(), one.usd))
            .chain(others)
            .find(|(_, amounts)| amounts.low() > amounts.high())
            .map(|(name, _)| name.to_owned());
        match turned {
            Some(name) => Err(AssumptionsError::Order(name)),
            None => Ok(read),
        }
    }

    /// Returns what a language costs until the end of its first year: what is paid once, and a year of what is paid yearly.
    pub fn establishing(&self) -> Amounts {
        self.establish
            .iter()
            .chain(&self.yearly)
            .fold(Amounts::NOTHING, |sum, one| sum.plus(one.usd))
    }

    /// Returns what a year of an established language costs.
    pub const fn keeping(&self) -> Amounts {
        self.keep.usd
    }

    /// Returns what the year covers.
    pub fn keeping_remarks(&self) -> &str {
        &self.keep.remarks
    }

    /// Returns what a programme costs in a year in which it keeps `languages` and establishes `new` of them.
    pub fn programme(&self, languages: u32, new: u32) -> Amounts {
        self.programme
            .fixed_usd
            .plus(self.programme.per_language_usd.times(languages))
            .plus(self.keep.usd.times(languages))
            .plus(self.establishing().times(new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(amounts: Amounts) -> (f64, f64) {
        (amounts.low().dollars(), amounts.high().dollars())
    }

    /// B §10.3, added up (decision 6), and the three rows of B §10.4.
    #[test]
    fn the_defaults_give_the_figures_of_the_specification() {
        let defaults = CostAssumptions::defaults();
        assert_eq!(dollars(defaults.establishing()), (3_350.0, 8_700.0));
        assert_eq!(dollars(defaults.keeping()), (1_000.0, 3_000.0));
        assert_eq!(dollars(defaults.programme(5, 5)), (25_000.0, 65_000.0));
        assert_eq!(dollars(defaults.programme(10, 0)), (15_000.0, 40_000.0));
    }

    #[test]
    fn a_file_that_cannot_be_meant_is_refused() {
        let turned = DEFAULTS.replace("[2500, 6000]", "[6000, 2500]");
        assert_eq!(
            CostAssumptions::read(&turned),
            Err(AssumptionsError::Order("speakers, corpus".into()))
        );
        let misspelt = CostAssumptions::read(&DEFAULTS.replace("as_of", "as_off")).unwrap_err();
        assert!(misspelt.to_string().contains("as_off"), "{misspelt}");
        assert!(CostAssumptions::read(&DEFAULTS.replace("@1", "@2")).is_err());
        assert!(CostAssumptions::read(&DEFAULTS.replace("[500, 1500]", "[-1, 5]")).is_err());
        for day in ["2026-99-99", "2025-02-29", "June 2026", ""] {
            assert_eq!(
                CostAssumptions::read(&DEFAULTS.replace("2026-06-07", day)),
                Err(AssumptionsError::Day(day.into()))
            );
        }
        for amounts in ["[500]", "[500, 900, 1500]"] {
            let wrong = CostAssumptions::read(&DEFAULTS.replace("[500, 1500]", amounts)).unwrap_err();
            assert!(wrong.to_string().contains("expected two amounts"), "{wrong}");
        }
    }
}
