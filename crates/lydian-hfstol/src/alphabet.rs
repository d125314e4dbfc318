//! The symbols of a transducer, and how a word is cut into them.
use crate::error::ReadError;
use crate::flags::{self, Flag};
use crate::header::Header;
use std::collections::BTreeMap;

/// The number of the empty symbol.
pub(crate) const EPSILON: u16 = 0;

/// How a symbol behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Stands for itself.
    Plain,
    /// A flag diacritic: consumes nothing, prints nothing.
    Flag(Flag),
    /// Epsilon, identity, unknown and default: consume what they stand for, print nothing themselves.
    Meta,
}

/// Symbols by number, and the ones a word can be cut into.
#[derive(Debug)]
pub(crate) struct Alphabet {
    strings: Vec<Box<str>>,
    kinds: Vec<Kind>,
    features: usize,
    input_symbols: u16,
    pub(crate) identity: Option<u16>,
    pub(crate) unknown: Option<u16>,
    pub(crate) default: Option<u16>,
    /// Input symbols by their first character, longest first, in the order of the characters.
    by_first: Vec<(char, Vec<u16>)>,
    /// The same for ASCII characters that start one symbol only.
    ascii: Vec<Option<u16>>,
}

/// A piece of a word: a symbol or a character outside the alphabet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) symbol: TokenSymbol,
    /// Offset of the first byte after the token.
    pub(crate) end: u32,
}

/// What a piece of a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenSymbol {
    /// A symbol of the alphabet.
    Known(u16),
    /// A character that no input symbol holds: identity and unknown arcs read it.
    Outside,
}

impl Alphabet {
    /// Reads the symbols; returns them with the offset after the last one.
    pub(crate) fn read(bytes: &[u8], header: &Header) -> Result<(Self, usize), ReadError> {
        let mut at = header.symbols_at;
        let mut strings = Vec::with_capacity(usize::from(header.symbols));
        for number in 0..header.symbols {
            let rest = bytes.get(at..).unwrap_or_default();
            let length = rest.iter().position(|b| *b == 0).ok_or(ReadError::Truncated {
                part: "the symbol table",
                needed: u64::from(header.symbols - number),
                available: rest.len() as u64,
            })?;
            let symbol = std::str::from_utf8(&rest[..length])
                .map_err(|_| ReadError::Damaged(format!("symbol {number} is not UTF-8")))?;
            strings.push(symbol.into());
            at += length + 1;
        }
        Ok((Self::new(strings, header.input_symbols), at))
    }

    fn new(strings: Vec<Box<str>>, input_symbols: u16) -> Self {
        let mut names = Names::default();
        let mut kinds = Vec::with_capacity(strings.len());
        let (mut identity, mut unknown, mut default) = (None, None, None);
        for (number, symbol) in (0u16..).zip(&strings) {
            let meta = match symbol.as_ref() {
                "@_IDENTITY_SYMBOL_@" => &mut identity,
                "@_UNKNOWN_SYMBOL_@" => &mut unknown,
                "@_DEFAULT_SYMBOL_@" => &mut default,
                _ if number == EPSILON || symbol.is_empty() => {
                    kinds.push(Kind::Meta);
                    continue;
                }
                _ => {
                    kinds.push(names.flag(symbol).map_or(Kind::Plain, Kind::Flag));
                    continue;
                }
            };
            *meta = Some(number);
            kinds.push(Kind::Meta);
        }
        let mut by_first: BTreeMap<char, Vec<u16>> = BTreeMap::new();
        for (number, symbol) in (0u16..input_symbols).zip(&strings) {
            if let (Kind::Plain, Some(first)) = (kinds[usize::from(number)], symbol.chars().next()) {
                by_first.entry(first).or_default().push(number);
            }
        }
        for numbers in by_first.values_mut() {
            numbers.sort_by_key(|n| std::cmp::Reverse(strings[usize::from(*n)].len()));
        }
        let ascii = (0u8..128)
            .map(|byte| match by_first.get(&char::from(byte))?.as_slice() {
                [only] if strings[usize::from(*only)].len() == 1 => Some(*only),
                _ => None,
            })
            .collect();
        let by_first = by_first.into_iter().collect();
        let features = names.features.len();
        Self {
            strings,
            kinds,
            features,
            input_symbols,
            identity,
            unknown,
            default,
            by_first,
            ascii,
        }
    }

    /// The number of symbols that arcs can read.
    pub(crate) fn input_symbols(&self) -> u16 {
        self.input_symbols
    }

    /// The number of features that flags set and test.
    pub(crate) fn features(&self) -> usize {
        self.features
    }

    pub(crate) fn flag(&self, symbol: u16) -> Option<Flag> {
        match self.kinds.get(usize::from(symbol)) {
            Some(Kind::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    /// Whether an arc with this input reads nothing.
    #[inline]
    pub(crate) fn consumes_nothing(&self, symbol: u16) -> bool {
        symbol == EPSILON || matches!(self.kinds.get(usize::from(symbol)), Some(Kind::Flag(_)))
    }

    /// What a symbol prints: nothing for epsilon and flags.
    pub(crate) fn printed(&self, symbol: u16) -> &str {
        match self.kinds.get(usize::from(symbol)) {
            Some(Kind::Plain) => &self.strings[usize::from(symbol)],
            _ => "",
        }
    }

    pub(crate) fn is_plain(&self, symbol: u16) -> bool {
        self.kinds.get(usize::from(symbol)) == Some(&Kind::Plain)
    }

    /// Whether the symbol stands for characters outside the alphabet.
    pub(crate) fn stands_for_others(&self, symbol: u16) -> bool {
        symbol != EPSILON
            && [self.identity, self.unknown, self.default]
                .iter()
                .flatten()
                .any(|meta| *meta == symbol)
    }

    pub(crate) fn strings(&self) -> &[Box<str>] {
        &self.strings
    }

    /// Cuts a word into the longest input symbols; stops after `limit` tokens and returns whether all fitted.
    pub(crate) fn tokenise(&self, word: &str, limit: usize, tokens: &mut Vec<Token>) -> bool {
        tokens.clear();
        let mut at = 0;
        while let Some(first) = word[at..].chars().next() {
            if tokens.len() == limit {
                return false;
            }
            let (symbol, length) = self.next_symbol(&word[at..], first);
            at += length;
            tokens.push(Token {
                symbol,
                end: u32::try_from(at).unwrap_or(u32::MAX),
            });
        }
        true
    }

    fn next_symbol(&self, rest: &str, first: char) -> (TokenSymbol, usize) {
        if let Some(Some(symbol)) = self.ascii.get(first as usize) {
            return (TokenSymbol::Known(*symbol), 1);
        }
        if let Ok(found) = self.by_first.binary_search_by_key(&first, |(c, _)| *c) {
            for symbol in &self.by_first[found].1 {
                let string = &self.strings[usize::from(*symbol)];
                if rest.starts_with(string.as_ref()) {
                    return (TokenSymbol::Known(*symbol), string.len());
                }
            }
        }
        (TokenSymbol::Outside, first.len_utf8())
    }
}

/// Numbers for the features and values of flags.
#[derive(Default)]
struct Names {
    features: BTreeMap<String, u16>,
    values: BTreeMap<String, i32>,
}

impl Names {
    fn flag(&mut self, symbol: &str) -> Option<Flag> {
        let (operation, feature, value) = flags::split(symbol)?;
        let next = u16::try_from(self.features.len()).ok()?;
        let feature = *self.features.entry(feature.to_owned()).or_insert(next);
        let value = if value.is_empty() {
            0
        } else {
            let next = i32::try_from(self.values.len()).ok()? + 1;
            *self.values.entry(value.to_owned()).or_insert(next)
        };
        Some(Flag {
            operation,
            feature,
            value,
        })
    }
}
