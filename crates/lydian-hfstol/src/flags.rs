//! Flag diacritics: the registers that long-distance dependencies set and test.

/// One operation on a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flag {
    pub(crate) operation: Operation,
    /// The number of the feature, an index into the registers.
    pub(crate) feature: u16,
    /// The number of the value; 0 where the symbol names none.
    pub(crate) value: i32,
}

/// What a flag symbol does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// `P`: sets the feature.
    Positive,
    /// `N`: sets the feature to anything but the value.
    Negative,
    /// `R`: passes where the feature has the value (or any value).
    Require,
    /// `D`: passes where the feature has not the value (or none).
    Disallow,
    /// `C`: unsets the feature.
    Clear,
    /// `U`: passes where the feature can have the value, and sets it.
    Unify,
}

/// Splits a flag symbol such as `@P.CASE.A@` into operation, feature and value.
pub(crate) fn split(symbol: &str) -> Option<(Operation, &str, &str)> {
    let inner = symbol.strip_prefix('@')?.strip_suffix('@')?;
    let (letter, rest) = inner.split_once('.')?;
    let operation = match letter {
        "P" => Operation::Positive,
        "N" => Operation::Negative,
        "R" => Operation::Require,
        "D" => Operation::Disallow,
        "C" => Operation::Clear,
        "U" => Operation::Unify,
        _ => return None,
    };
    let (feature, value) = rest.split_once('.').unwrap_or((rest, ""));
    (!feature.is_empty()).then_some((operation, feature, value))
}

/// The value of every feature along the current path.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    values: Vec<i32>,
    fingerprint: u64,
}

/// What to restore when a path is left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Undo {
    feature: u16,
    value: i32,
}

impl Registers {
    pub(crate) fn reset(&mut self, features: usize) {
        self.values.clear();
        self.values.resize(features, 0);
        self.fingerprint = 0;
    }

    /// A number that is equal where all features are equal.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Applies a flag: `None` where the path is forbidden.
    pub(crate) fn apply(&mut self, flag: Flag) -> Option<Undo> {
        let current = self.values.get(usize::from(flag.feature)).copied()?;
        let next = match flag.operation {
            Operation::Positive => flag.value,
            Operation::Negative => -flag.value,
            Operation::Clear => 0,
            Operation::Require => {
                let passes = if flag.value == 0 {
                    current != 0
                } else {
                    current == flag.value
                };
                return passes.then_some(Undo {
                    feature: flag.feature,
                    value: current,
                });
            }
            Operation::Disallow => {
                let passes = if flag.value == 0 {
                    current == 0
                } else {
                    current != flag.value
                };
                return passes.then_some(Undo {
                    feature: flag.feature,
                    value: current,
                });
            }
            Operation::Unify => {
                let free = current == 0 || current == flag.value || (current < 0 && -current != flag.value);
                if !free {
                    return None;
                }
                flag.value
            }
        };
        self.set(flag.feature, next);
        Some(Undo {
            feature: flag.feature,
            value: current,
        })
    }

    pub(crate) fn undo(&mut self, undo: Undo) {
        self.set(undo.feature, undo.value);
    }

    fn set(&mut self, feature: u16, value: i32) {
        let Some(slot) = self.values.get_mut(usize::from(feature)) else {
            return;
        };
        // Tests change nothing, and most flags are tests.
        if *slot == value {
            return;
        }
        self.fingerprint ^= mix(feature, *slot) ^ mix(feature, value);
        *slot = value;
    }
}

/// Spreads feature and value over 64 bits; an unset feature is 0.
fn mix(feature: u16, value: i32) -> u64 {
    if value == 0 {
        return 0;
    }
    let mut x = (u64::from(feature) << 32) ^ u64::from(value.cast_unsigned()) ^ 0x9e37_79b9_7f4a_7c15;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(operation: Operation, value: i32) -> Flag {
        Flag {
            operation,
            feature: 0,
            value,
        }
    }

    #[test]
    fn symbols_split_into_operation_feature_and_value() {
        assert_eq!(split("@P.CASE.A@"), Some((Operation::Positive, "CASE", "A")));
        assert_eq!(split("@C.NEG@"), Some((Operation::Clear, "NEG", "")));
        for other in ["@_EPSILON_SYMBOL_@", "@", "@@", "@P@", "@P.@", "P.A.B", "@X.A.B@"] {
            assert_eq!(split(other), None, "{other}");
        }
    }

    #[test]
    fn a_negative_value_unifies_with_any_other_value() {
        let mut registers = Registers::default();
        registers.reset(1);
        assert!(registers.apply(flag(Operation::Negative, 1)).is_some());
        assert!(registers.apply(flag(Operation::Unify, 1)).is_none());
        assert!(registers.apply(flag(Operation::Disallow, 1)).is_some());
        assert!(registers.apply(flag(Operation::Require, 1)).is_none());
        assert!(registers.apply(flag(Operation::Require, 0)).is_some());
        assert!(registers.apply(flag(Operation::Unify, 2)).is_some());
        assert!(registers.apply(flag(Operation::Require, 2)).is_some());
    }

    #[test]
    fn undoing_restores_value_and_fingerprint() {
        let mut registers = Registers::default();
        registers.reset(2);
        let before = registers.fingerprint();
        let undo = registers.apply(flag(Operation::Positive, 3)).unwrap();
        assert_ne!(registers.fingerprint(), before);
        registers.undo(undo);
        assert_eq!(registers.fingerprint(), before);
        assert!(registers.apply(flag(Operation::Disallow, 0)).is_some());
    }
}
