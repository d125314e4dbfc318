//! Cuts a text into tokens in one pass, at the places where mteval's substitutions put spaces.
//!
//! The substitutions run one after another over the whole text, each from left to right without overlap. Whether
//! a character becomes a token of its own depends only on its neighbours: a symbol always does; a stop does when
//! a character that is no digit stands before it and does not already belong to a stop that was cut off, or
//! when one follows; a hyphen does after a digit.

/// What a character is for the substitutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Part of a word.
    Word,
    /// Decides whether stops and hyphens next to it are cut off.
    Digit,
    /// Cut off unless digits stand around it.
    Stop,
    /// Always cut off.
    Symbol,
    /// Cut off after a digit.
    Hyphen,
    /// Between tokens.
    Space,
}

/// Whether spaces are put around the text first, so that its first and last character have neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edges {
    /// They are.
    Padded,
    /// They are not.
    Bare,
}

/// What stands before a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The beginning of the text.
    Nothing,
    /// A digit.
    Digit,
    /// Any other character.
    Free,
    /// A stop that was cut off because of the character before it.
    Taken,
}

/// The classes of characters: a table for ASCII and a function for the rest.
pub(super) struct Classes {
    /// The classes of the ASCII characters.
    pub(super) ascii: [Class; 128],
    /// The class of any other character that is not white space.
    pub(super) other: fn(char) -> Class,
}

impl Classes {
    /// Returns the class and the length of the character at a place.
    #[inline]
    fn at(&self, text: &str, place: usize) -> Option<(Class, usize)> {
        let byte = *text.as_bytes().get(place)?;
        if let Some(&class) = self.ascii.get(usize::from(byte)) {
            return Some((class, 1));
        }
        let c = text[place..].chars().next()?;
        let class = if c.is_whitespace() {
            Class::Space
        } else {
            (self.other)(c)
        };
        Some((class, c.len_utf8()))
    }
}

/// Calls `emit` with every token of a text.
pub(super) fn tokens<'a>(text: &'a str, classes: &Classes, edges: Edges, mut emit: impl FnMut(&'a str)) {
    let mut start = 0;
    let mut place = 0;
    let mut before = if edges == Edges::Padded {
        Before::Free
    } else {
        Before::Nothing
    };
    while let Some((class, length)) = classes.at(text, place) {
        let next = place + length;
        let mut after = Before::Free;
        let cut = match class {
            Class::Word => false,
            Class::Digit => {
                after = Before::Digit;
                false
            }
            Class::Space | Class::Symbol => true,
            Class::Hyphen => before == Before::Digit,
            Class::Stop if before == Before::Free => {
                after = Before::Taken;
                true
            }
            Class::Stop => match classes.at(text, next) {
                Some((class, _)) => class != Class::Digit,
                None => edges == Edges::Padded,
            },
        };
        if cut {
            if start < place {
                emit(&text[start..place]);
            }
            if class != Class::Space {
                emit(&text[place..next]);
            }
            start = next;
        }
        before = after;
        place = next;
    }
    if start < text.len() {
        emit(&text[start..]);
    }
}
