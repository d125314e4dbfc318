//! The special functions that intervals and tests need.

use std::f64::consts::{PI, SQRT_2};

/// Returns the probability that a standard normal variable is at most `x`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// Returns the value a standard normal variable stays below with the given probability.
pub(crate) fn normal_quantile(probability: f64) -> f64 {
    if !(probability > 0.0 && probability < 1.0) {
        return match probability {
            0.0 => f64::NEG_INFINITY,
            1.0 => f64::INFINITY,
            _ => f64::NAN,
        };
    }
    if probability > 0.5 {
        return -normal_quantile(1.0 - probability);
    }
    // A rough start from the tail's leading term; Newton's steps double the correct digits.
    let tail = libm::sqrt(-2.0 * libm::log(2.0 * probability));
    let mut x = -tail.max(0.0);
    for _ in 0..60 {
        let density = libm::exp(-0.5 * x * x) / libm::sqrt(2.0 * PI);
        let step = (normal_cdf(x) - probability) / density;
        x -= step.clamp(-1.0, 1.0);
        if step.abs() < 1e-15 * x.abs().max(1e-3) {
            break;
        }
    }
    x
}

/// Returns the regularised incomplete beta function, the probability that a Beta(a, b) variable is at most `x`.
pub(crate) fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let all = a + b;
    let log_factor = a * libm::log(x * all / a)
        + b * libm::log((1.0 - x) * all / b)
        + 0.5 * libm::log(a * b / all / (2.0 * PI))
        + stirling_error(all)
        - stirling_error(a)
        - stirling_error(b);
    let factor = libm::exp(log_factor);
    // The continued fraction converges fast on the side of the mean where x lies.
    if x < (a + 1.0) / (a + b + 2.0) {
        factor * beta_fraction(x, a, b) / a
    } else {
        1.0 - factor * beta_fraction(1.0 - x, b, a) / b
    }
}

/// Returns how far Stirling's formula is from the logarithm of the gamma function.
///
/// Products of factorials are computed from these small numbers, without taking large ones from each other.
fn stirling_error(x: f64) -> f64 {
    if x < 16.0 {
        return libm::lgamma(x) - ((x - 0.5) * libm::log(x) - x + 0.5 * libm::log(2.0 * PI));
    }
    let square = x * x;
    (1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square) / square)
        / x
}

/// Returns the probability of `successes` in `trials` when each succeeds with probability `share`.
pub(crate) fn binomial(successes: u64, trials: u64, share: f64) -> f64 {
    let (k, n) = (successes as f64, trials as f64);
    if share <= 0.0 || share >= 1.0 {
        let certain = if share <= 0.0 { 0 } else { trials };
        return if successes == certain { 1.0 } else { 0.0 };
    }
    if successes == 0 {
        return libm::exp(n * libm::log1p(-share));
    }
    if successes == trials {
        return libm::exp(n * libm::log(share));
    }
    let failures = n - k;
    let log =
        k * libm::log(n * share / k) + failures * libm::log(n * (1.0 - share) / failures) + stirling_error(n)
            - stirling_error(k)
            - stirling_error(failures);
    libm::exp(log) * libm::sqrt(n / (2.0 * PI * k * failures))
}

/// Evaluates the continued fraction of the incomplete beta function by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut upper = 1.0;
    let mut lower = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = lower;
    for step in 1..10_000 {
        let step = f64::from(step);
        let twice = a + 2.0 * step;
        let even = step * (b - step) * x / ((twice - 1.0) * twice);
        let odd = -(a + step) * (a + b + step) * x / (twice * (twice + 1.0));
        let mut change = 1.0;
        for coefficient in [even, odd] {
            lower = 1.0 / away_from_zero(1.0 + coefficient * lower);
            upper = away_from_zero(1.0 + coefficient / upper);
            change = upper * lower;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    fraction
}

/// Returns the value a Beta(a, b) variable stays below with the given probability.
pub(crate) fn beta_quantile(probability: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // 1,100 halvings reach the smallest float; near the middle 60 are enough.
    for _ in 0..1100 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if beta_cdf(middle, a, b) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
