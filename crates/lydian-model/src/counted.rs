//! Counts as people read them.

/// Returns a count with commas between thousands.
///
/// ```
/// assert_eq!(lydian_model::grouped(999), "999");
/// assert_eq!(lydian_model::grouped(1_234_567), "1,234,567");
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Returns a count with the noun in its number.
///
/// ```
/// use lydian_model::counted;
/// assert_eq!(counted(1, "entry", "entries"), "1 entry");
/// assert_eq!(counted(1_200, "entry", "entries"), "1,200 entries");
/// ```
pub fn counted(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_in_the_plural() {
        assert_eq!(counted(0, "error", "errors"), "0 errors");
    }

    #[test]
    fn three_digits_have_no_comma() {
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
    }
}
