//! The mean of floating-point numbers without rounding on the way, as Python's `statistics.mean` computes it.

/// 64-bit digits that hold every sum of non-negative floats in units of 2⁻¹⁰⁷⁴.
const DIGITS: usize = 35;

/// Returns the mean of finite, non-negative numbers, rounded once; NaN when there is none.
pub(crate) fn exact_mean(values: &[f64]) -> f64 {
    let mut sum = [0_u64; DIGITS];
    for &value in values {
        let bits = value.abs().to_bits();
        let exponent = bits >> 52;
        let mantissa = (bits & ((1 << 52) - 1)) | u64::from(exponent > 0) << 52;
        add(&mut sum, mantissa, exponent.saturating_sub(1));
    }
    let Some(remainder) = divide(&mut sum, values.len() as u64) else {
        return f64::NAN;
    };
    round(&sum, remainder, values.len() as u64)
}

/// Adds `mantissa` shifted up by `shift` bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the shift is below 2048, the two halves are wanted"
)]
fn add(sum: &mut [u64; DIGITS], mantissa: u64, shift: u64) {
    let (digit, bit) = ((shift / 64) as usize, shift % 64);
    let wide = u128::from(mantissa) << bit;
    let mut carry = false;
    for (index, target) in sum.iter_mut().enumerate().skip(digit) {
        let addend = match index - digit {
            0 => wide as u64,
            1 => (wide >> 64) as u64,
            _ if !carry => break,
            _ => 0,
        };
        (*target, carry) = target.carrying(addend, carry);
    }
}

/// Addition with a carry on both ends.
trait Carrying {
    fn carrying(self, other: Self, carry: bool) -> (u64, bool);
}

impl Carrying for u64 {
    fn carrying(self, other: u64, carry: bool) -> (u64, bool) {
        let (sum, first) = self.overflowing_add(other);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        (sum, first || second)
    }
}

/// Divides in place and returns the remainder, or `None` for a divisor of 0.
#[expect(
    clippy::cast_possible_truncation,
    reason = "quotient digits and the remainder fit 64 bits"
)]
fn divide(sum: &mut [u64; DIGITS], divisor: u64) -> Option<u64> {
    let mut remainder = 0_u128;
    for digit in sum.iter_mut().rev() {
        let part = remainder << 64 | u128::from(*digit);
        *digit = part.checked_div(u128::from(divisor))? as u64;
        remainder = part % u128::from(divisor);
    }
    Some(remainder as u64)
}

/// Rounds `digits` + `remainder`/`divisor`, in units of 2⁻¹⁰⁷⁴, to the nearest float, ties to even.
fn round(digits: &[u64; DIGITS], remainder: u64, divisor: u64) -> f64 {
    let Some(top) = digits.iter().rposition(|&digit| digit != 0) else {
        return 0.0;
    };
    let bits = 64 * top as u64 + 64 - u64::from(digits[top].leading_zeros());
    let shift = bits.saturating_sub(53);
    let bit = |position: u64| {
        usize::try_from(position / 64).is_ok_and(|digit| digits[digit] >> (position % 64) & 1 == 1)
    };
    let mantissa = (0..53)
        .rev()
        .fold(0_u64, |value, i| value << 1 | u64::from(bit(shift + i)));
    let (half, rest) = if shift == 0 {
        let twice = 2 * u128::from(remainder);
        (twice >= u128::from(divisor), twice != u128::from(divisor))
    } else {
        (bit(shift - 1), remainder != 0 || (0..shift - 1).any(bit))
    };
    let rounded = mantissa + u64::from(half && (rest || mantissa & 1 == 1));
    // Adding lets a mantissa that overflows to 2^53 raise the exponent by one.
    f64::from_bits(rounded + (shift << 52))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_those_of_python() {
        // Python 3.13.0: statistics.mean.
        assert_eq!(exact_mean(&[0.1, 0.2, 0.3]).to_bits(), 0.2_f64.to_bits());
        assert_eq!(
            exact_mean(&[1e16, 1.0, 1.0, 1.0]).to_bits(),
            2_500_000_000_000_001.0_f64.to_bits()
        );
        assert_eq!(
            exact_mean(&[100.000_000_000_000_04, 0.0, 33.3]).to_bits(),
            44.433_333_333_333_344_f64.to_bits()
        );
        assert_eq!(exact_mean(&[5e-324, 0.0]).to_bits(), 0.0_f64.to_bits());
        assert_eq!(exact_mean(&[5e-324, 1e-323]).to_bits(), 1e-323_f64.to_bits());
        assert_eq!(exact_mean(&[7.5; 1000]).to_bits(), 7.5_f64.to_bits());
        assert!(exact_mean(&[]).is_nan());
    }

    #[test]
    fn a_carry_goes_as_far_as_it_must() {
        // 2¹⁵⁹ in pieces: every bit below it is set until the last 1 is added.
        let ones = 9_007_199_254_740_991.0;
        let pieces = [ones, ones * 2.0_f64.powi(53), ones * 2.0_f64.powi(106), 1.0];
        assert_eq!(exact_mean(&pieces).to_bits(), 2.0_f64.powi(157).to_bits());
    }

    #[test]
    fn a_mean_of_equal_numbers_is_the_number() {
        for exponent in -1000..1000 {
            let value = 1.234_567_890_123_456_7 * 2.0_f64.powi(exponent);
            assert_eq!(exact_mean(&[value; 3]).to_bits(), value.to_bits());
        }
    }
}
