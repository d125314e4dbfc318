//! Paths below the working folder as the user would type them.

/// Signs after which a path begins in a message.
const BEFORE_A_PATH: [char; 8] = [' ', '"', '\'', '`', '(', '=', ':', '\n'];

/// Returns a message in which paths below `folder` are relative to it. Inside the program paths are absolute, so that a
/// run holds from any folder; a reader knows the ones that were typed.
pub(crate) fn relative_to(folder: &str, message: &str) -> String {
    let prefix = format!("{}/", folder.trim_end_matches('/'));
    if prefix == "/" {
        return message.to_owned();
    }
    let mut relative = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find(&prefix) {
        let (before, after) = (&rest[..at], &rest[at + prefix.len()..]);
        let last = before.chars().next_back().or(relative.chars().next_back());
        relative.push_str(before);
        if last.is_some_and(|sign| !BEFORE_A_PATH.contains(&sign)) {
            relative.push_str(&prefix);
        }
        rest = after;
    }
    relative + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_folder_are_shown_as_they_were_typed() {
        assert_eq!(
            relative_to(
                "/tmp/a",
                "cannot read /tmp/a/c.json: try `lydian x /tmp/a/d` or '/tmp/a/e f'"
            ),
            "cannot read c.json: try `lydian x d` or 'e f'"
        );
        assert_eq!(relative_to("/tmp/a/", "/tmp/a/c.json: no"), "c.json: no");
    }

    #[test]
    fn other_paths_stay() {
        let message = "/mnt/tmp/a/c.json and /tmp/ab/c and /tmp/a";
        assert_eq!(relative_to("/tmp/a", message), message);
        assert_eq!(relative_to("/", message), message);
    }
}
