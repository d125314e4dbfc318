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

/// Returns a count with the noun in its number, and the verb where one follows.
///
/// ```
/// use lydian_model::counted;
/// assert_eq!(counted(1, "entry", "entries"), "1 entry");
/// assert_eq!(counted(1_200, "entry", "entries"), "1,200 entries");
/// ```
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), agreeing(number, one, many))
}

/// Returns the words that agree with a count, for where they do not stand right behind it.
///
/// ```
/// use lydian_model::agreeing;
/// assert_eq!(format!("1 of 30 {} it", agreeing(1, "repeats", "repeat")), "1 of 30 repeats it");
/// ```
pub const fn agreeing<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
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
