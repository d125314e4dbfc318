//! The order in which people count: `e2` before `e10`.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// Compares two names, numbers in them by their value.
pub(crate) fn natural_order(left: &str, right: &str) -> Ordering {
    let (mut one, mut other) = (left.chars().peekable(), right.chars().peekable());
    loop {
        let order = match (one.peek().copied(), other.peek().copied()) {
            (None, None) => return left.cmp(right),
            (Some(a), Some(b)) if a.is_ascii_digit() && b.is_ascii_digit() => {
                let (a, b) = (digits(&mut one), digits(&mut other));
                a.len().cmp(&b.len()).then_with(|| a.cmp(&b))
            }
            (a, b) => {
                one.next();
                other.next();
                a.cmp(&b)
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Takes a row of digits, without leading zeros.
fn digits(text: &mut Peekable<Chars<'_>>) -> String {
    let mut digits = String::new();
    while let Some(digit) = text.next_if(char::is_ascii_digit) {
        if digit != '0' || !digits.is_empty() {
            digits.push(digit);
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let mut names = [
            "e10",
            "e2",
            "a",
            "e02",
            "10",
            "9",
            "e2b",
            "e100000000000000000000",
        ];
        names.sort_by(|one, other| natural_order(one, other));
        assert_eq!(
            names,
            [
                "9",
                "10",
                "a",
                "e02",
                "e2",
                "e2b",
                "e10",
                "e100000000000000000000"
            ]
        );
    }
}
