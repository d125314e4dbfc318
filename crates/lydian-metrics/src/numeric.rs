//! The arithmetic of the two numeric modes, and numbers that behave like NumPy's 32-bit floats.

/// Which rules turn statistics into a number.
///
/// ```
/// use lydian_metrics::{Metric, Numeric, bleu::Bleu};
/// let bleu = Bleu::default();
/// let row = bleu.stats("the cat sat on the mat", &["the cat sat on the mat"])?;
/// // sacreBLEU prints 100.00000000000004 for a perfect output, and parity keeps that.
/// assert_eq!(bleu.score(&row, Numeric::Sacrebleu), 100.00000000000004);
/// # Ok::<(), lydian_metrics::MetricError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Numeric {
    /// 64-bit floats throughout, `ln` and `exp` from one portable library: the same bits on every machine.
    #[default]
    Exact,
    /// sacreBLEU 2.6.0 on Python 3.13 with NumPy 2, to the last bit on x86-64 Linux.
    Sacrebleu,
}

impl Numeric {
    pub(crate) fn ln(self, x: f64) -> f64 {
        match self {
            Self::Exact => libm::log(x),
            Self::Sacrebleu => x.ln(),
        }
    }

    pub(crate) fn exp(self, x: f64) -> f64 {
        match self {
            Self::Exact => libm::exp(x),
            Self::Sacrebleu => x.exp(),
        }
    }

    pub(crate) fn sum(self, values: &[f64]) -> f64 {
        match self {
            Self::Exact => values.iter().sum(),
            Self::Sacrebleu => neumaier_sum(values),
        }
    }
}

/// Adds with Neumaier's compensation, as `sum` does since Python 3.12.
fn neumaier_sum(values: &[f64]) -> f64 {
    let mut sum = 0.0_f64;
    let mut compensation = 0.0;
    for &x in values {
        let total = sum + x;
        compensation += if sum.abs() >= x.abs() {
            (sum - total) + x
        } else {
            (x - total) + sum
        };
        sum = total;
    }
    sum + compensation
}

impl From<NumpyFloat> for f64 {
    fn from(value: NumpyFloat) -> Self {
        value.value()
    }
}

/// The operations a scoring formula needs.
pub(crate) trait Number: Copy {
    /// A literal of the formula: in NumPy's rules it takes the width of what it meets.
    fn literal(value: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn is_positive(self) -> bool;
}

impl Number for f64 {
    fn literal(value: f64) -> Self {
        value
    }
    fn plus(self, other: Self) -> Self {
        self + other
    }
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn over(self, other: Self) -> Self {
        self / other
    }
    fn is_positive(self) -> bool {
        self > 0.0
    }
}

/// A number under NumPy 2's promotion rules: a Python float is weak, it becomes 32-bit next to a 32-bit value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumpyFloat {
    /// A Python float that met no array value.
    Python(f64),
    /// A 32-bit array value.
    Single(f32),
}

impl NumpyFloat {
    /// Returns the value as a 64-bit float, which is exact.
    pub fn value(self) -> f64 {
        match self {
            Self::Python(value) => value,
            Self::Single(value) => f64::from(value),
        }
    }

    fn combine(
        self,
        other: Self,
        double: impl Fn(f64, f64) -> f64,
        single: impl Fn(f32, f32) -> f32,
    ) -> Self {
        match (self, other) {
            (Self::Python(a), Self::Python(b)) => Self::Python(double(a, b)),
            (a, b) => Self::Single(single(a.narrow(), b.narrow())),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding to 32 bits is what NumPy does here"
    )]
    fn narrow(self) -> f32 {
        match self {
            Self::Python(value) => value as f32,
            Self::Single(value) => value,
        }
    }
}

impl Number for NumpyFloat {
    fn literal(value: f64) -> Self {
        Self::Python(value)
    }
    fn plus(self, other: Self) -> Self {
        self.combine(other, |a, b| a + b, |a, b| a + b)
    }
    fn times(self, other: Self) -> Self {
        self.combine(other, |a, b| a * b, |a, b| a * b)
    }
    fn over(self, other: Self) -> Self {
        self.combine(other, |a, b| a / b, |a, b| a / b)
    }
    fn is_positive(self) -> bool {
        self.value() > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compensated_sum_keeps_what_a_plain_sum_loses() {
        assert_eq!(
            neumaier_sum(&[1.0, 1e100, 1.0, -1e100]).to_bits(),
            2.0_f64.to_bits()
        );
    }

    #[test]
    fn a_python_float_takes_the_width_of_its_neighbour() {
        let third = NumpyFloat::literal(1.0).over(NumpyFloat::Single(3.0));
        assert_eq!(third, NumpyFloat::Single(1.0 / 3.0));
        assert_eq!(
            NumpyFloat::literal(1.0).over(NumpyFloat::literal(4.0)),
            NumpyFloat::Python(0.25)
        );
    }
}
