//! A transducer over the bytes of a file, and the searcher that looks words up in it.
use crate::alphabet::Alphabet;
use crate::error::ReadError;
use crate::header;
use crate::lookup::{Acceptance, Limit, Limits, Lookup};
use crate::search::{Aim, Found, Scratch, Search};
use crate::tables::{Tables, View};

/// An optimised-lookup transducer: a view of the bytes of a file.
#[derive(Debug)]
pub struct Transducer<B> {
    bytes: B,
    alphabet: Alphabet,
    tables: Tables,
    weighted: bool,
}

/// What a search reads.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'t> {
    pub(crate) alphabet: &'t Alphabet,
    pub(crate) tables: View<'t>,
}

impl<B: AsRef<[u8]>> Transducer<B> {
    /// Reads and checks a `.hfstol` file, weighted or not, with a header or without.
    ///
    /// ```
    /// let bytes = include_bytes!("../tests/fixtures/plain.ol.hfstol");
    /// let transducer = lydian_hfstol::Transducer::new(&bytes[..])?;
    /// let found = transducer.lookup("tokek");
    /// assert_eq!(found.analyses[0].text(), "tok+N+Pl");
    /// assert_eq!(found.analyses[0].symbols().last(), Some("+Pl"));
    /// # Ok::<(), lydian_hfstol::ReadError>(())
    /// ```
    pub fn new(bytes: B) -> Result<Self, ReadError> {
        let data = bytes.as_ref();
        let header = header::parse(data)?;
        let (alphabet, end) = Alphabet::read(data, &header)?;
        let tables = Tables::locate(data, &header, end)?;
        let rest = &data[tables.end()..];
        header::refuse_pmatch_and_rest(alphabet.strings().iter().map(AsRef::as_ref), rest)?;
        Ok(Self {
            alphabet,
            tables,
            weighted: header.weighted,
            bytes,
        })
    }

    /// Returns whether the paths have weights.
    pub fn is_weighted(&self) -> bool {
        self.weighted
    }

    /// Returns the symbols that a word can be cut into; flags, epsilon and wildcards are left out.
    pub fn input_symbols(&self) -> impl Iterator<Item = &str> {
        (0u16..)
            .zip(&self.alphabet.strings()[..usize::from(self.alphabet.input_symbols())])
            .filter(|(number, _)| self.alphabet.is_plain(*number))
            .map(|(_, symbol)| symbol.as_ref())
    }

    /// Returns every symbol that can stand in an analysis or a word.
    pub fn symbols(&self) -> impl Iterator<Item = &str> {
        (0u16..)
            .zip(self.alphabet.strings())
            .filter(|(number, _)| self.alphabet.is_plain(*number))
            .map(|(_, symbol)| symbol.as_ref())
    }

    /// Looks one word up with the default limits. For many words a [`Searcher`] is faster.
    pub fn lookup(&self, word: &str) -> Lookup {
        self.searcher().lookup(word)
    }

    /// Returns a searcher, which keeps its buffers from word to word.
    pub fn searcher(&self) -> Searcher<'_> {
        Searcher {
            parts: self.parts(),
            limits: Limits::default(),
            excluded: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    pub(crate) fn parts(&self) -> Parts<'_> {
        Parts {
            alphabet: &self.alphabet,
            tables: self.tables.view(self.bytes.as_ref()),
        }
    }
}

/// Looks words up, one after another.
pub struct Searcher<'t> {
    pub(crate) parts: Parts<'t>,
    pub(crate) limits: Limits,
    pub(crate) excluded: Vec<u16>,
    pub(crate) scratch: Scratch,
}

impl Searcher<'_> {
    /// Replaces the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Leaves out analyses that contain a symbol for which `is_excluded` answers true.
    #[must_use]
    pub fn excluding(mut self, is_excluded: impl Fn(&str) -> bool) -> Self {
        self.excluded = (0u16..)
            .zip(self.parts.alphabet.strings())
            .filter(|(number, symbol)| self.parts.alphabet.is_plain(*number) && is_excluded(symbol))
            .map(|(number, _)| number)
            .collect();
        self
    }

    /// Returns every analysis of a word.
    pub fn lookup(&mut self, word: &str) -> Lookup {
        let Some(found) = self.search(word, Aim::All) else {
            return Lookup {
                analyses: Vec::new(),
                truncated: Some(Limit::WordLength),
            };
        };
        Lookup {
            analyses: found.analyses,
            truncated: found.limit,
        }
    }

    /// Returns whether a word has an analysis; stops at the first.
    pub fn accepts(&mut self, word: &str) -> Acceptance {
        match self.search(word, Aim::First) {
            None => Acceptance::Rejected,
            Some(found) if found.any => Acceptance::Accepted,
            // A loop that reads nothing cannot hide a first analysis: its states have been visited.
            Some(found) if matches!(found.limit, None | Some(Limit::Cycle)) => Acceptance::Rejected,
            Some(_) => Acceptance::Unknown,
        }
    }

    fn search(&mut self, word: &str, aim: Aim) -> Option<Found> {
        let fits = self
            .parts
            .alphabet
            .tokenise(word, self.limits.word_symbols, &mut self.scratch.tokens);
        let search = Search {
            parts: &self.parts,
            word,
            limits: &self.limits,
            excluded: &self.excluded,
            aim,
            scratch: &mut self.scratch,
            found: Found::default(),
        };
        fits.then(|| search.run())
    }
}
