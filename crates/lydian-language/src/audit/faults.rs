//! Faults that are planted into human translations, the same ones on every run.
use crate::card::WordRules;
use crate::detect::Pair;
use crate::word::WordFinder;

/// A kind of planted fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// The output is the source.
    SourceCopied,
    /// The translation three times or more.
    SentenceLoop,
    /// The last words of the translation again and again.
    PhraseLoop,
    /// One number of the translation changed.
    NumberChanged,
    /// A number added that the source does not have.
    NumberInvented,
    /// A web address added.
    AddressInvented,
    /// A web address of source and translation changed.
    AddressChanged,
    /// A placeholder of source and translation changed.
    PlaceholderChanged,
    /// A placeholder of source and translation lost.
    PlaceholderLost,
    /// The only name of the translation changed.
    NameChanged,
    /// A name added that the source does not have.
    NameInvented,
    /// A sentence in another script.
    WrongScript,
    /// Three to five words of the source inserted together.
    SourceWordsTogether,
    /// Three words of the source inserted at three places.
    SourceWordsScattered,
    /// One word of the source inserted.
    SourceWord,
    /// The second half cut off.
    Truncated,
    /// Another entry's translation appended.
    SentenceAdded,
}

impl FaultKind {
    /// Every kind, in the order of reports.
    pub const ALL: [Self; 17] = [
        Self::SourceCopied,
        Self::SentenceLoop,
        Self::PhraseLoop,
        Self::NumberChanged,
        Self::NumberInvented,
        Self::AddressInvented,
        Self::AddressChanged,
        Self::PlaceholderChanged,
        Self::PlaceholderLost,
        Self::NameChanged,
        Self::NameInvented,
        Self::WrongScript,
        Self::SourceWordsTogether,
        Self::SourceWordsScattered,
        Self::SourceWord,
        Self::Truncated,
        Self::SentenceAdded,
    ];

    /// Returns the name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::SourceCopied => "source_copied",
            Self::SentenceLoop => "sentence_loop",
            Self::PhraseLoop => "phrase_loop",
            Self::NumberChanged => "number_changed",
            Self::NumberInvented => "number_invented",
            Self::AddressInvented => "address_invented",
            Self::AddressChanged => "address_changed",
            Self::PlaceholderChanged => "placeholder_changed",
            Self::PlaceholderLost => "placeholder_lost",
            Self::NameChanged => "name_changed",
            Self::NameInvented => "name_invented",
            Self::WrongScript => "wrong_script",
            Self::SourceWordsTogether => "source_words_together",
            Self::SourceWordsScattered => "source_words_scattered",
            Self::SourceWord => "source_word",
            Self::Truncated => "truncated",
            Self::SentenceAdded => "sentence_added",
        }
    }
}

/// A source with a faulty translation.
pub(super) struct Planted {
    pub(super) source: String,
    pub(super) output: String,
}

/// One sentence per script; the fault takes one whose script the translation does not use.
const OTHER_SCRIPTS: [(&str, &str); 6] = [
    ("Cyrl", "Мы пойдём домой, когда закончится дождь."),
    ("Hani", "雨停了我们就回家。"),
    ("Arab", "سنذهب إلى البيت عندما يتوقف المطر."),
    ("Deva", "बारिश रुकने पर हम घर जाएँगे।"),
    ("Grek", "Θα πάμε σπίτι όταν σταματήσει η βροχή."),
    ("Hang", "비가 그치면 우리는 집에 갈 것이다."),
];

/// Names from all over the world.
const LATIN_NAMES: [&str; 8] = [
    "Ramona",
    "Petrov",
    "Nguyen",
    "Okafor",
    "Lindqvist",
    "Marchetti",
    "Hashimoto",
    "Delgado",
];
/// The same in Cyrillic letters.
const CYRILLIC_NAMES: [&str; 8] = [
    "Рамона",
    "Петров",
    "Нгуен",
    "Окафор",
    "Линдквист",
    "Маркетти",
    "Хасимото",
    "Дельгадо",
];

/// Returns a faulty copy of every entry that can carry the fault.
pub(super) fn plant(kind: FaultKind, pairs: &[Pair<'_>]) -> Vec<Planted> {
    pairs
        .iter()
        .enumerate()
        .filter_map(|(at, pair)| one(kind, *pair, at, pairs))
        .collect()
}

fn one(kind: FaultKind, pair: Pair<'_>, at: usize, pairs: &[Pair<'_>]) -> Option<Planted> {
    let output = pair.output;
    let same_source = |output: String| {
        Some(Planted {
            source: pair.source.to_owned(),
            output,
        })
    };
    let both = |source: &str, output: &str| {
        Some(Planted {
            source: format!("{} {source}", pair.source),
            output: format!("{} {output}", pair.output),
        })
    };
    let number = 100 + (at * 7919) % 9000;
    match kind {
        FaultKind::SourceCopied => same_source(pair.source.to_owned()),
        FaultKind::SentenceLoop => same_source([output; 3].join(" ")),
        FaultKind::PhraseLoop => phrase_loop(output).and_then(same_source),
        FaultKind::NumberChanged => both(&number.to_string(), &(number + 1 + at % 50).to_string()),
        FaultKind::NumberInvented => same_source(format!("{output} {number}")),
        FaultKind::AddressInvented => same_source(format!("{output} https://example.com/{number}")),
        FaultKind::AddressChanged => both("https://example.org/help", "https://example.org/halp"),
        FaultKind::PlaceholderChanged => both("{user_name}", "{usuario}"),
        FaultKind::PlaceholderLost => both("%s", ""),
        FaultKind::NameChanged => name_changed(pair, at).and_then(same_source),
        FaultKind::NameInvented => name_invented(output, at).and_then(same_source),
        FaultKind::WrongScript => wrong_script(output, at).and_then(same_source),
        FaultKind::SourceWordsTogether => together(pair, at).and_then(same_source),
        FaultKind::SourceWordsScattered => scattered(pair, at).and_then(same_source),
        FaultKind::SourceWord => single(pair, at).and_then(same_source),
        FaultKind::Truncated => truncated(output).and_then(same_source),
        FaultKind::SentenceAdded => {
            let other = pairs[(at + 1 + pairs.len() / 2) % pairs.len()].output;
            (other != output)
                .then(|| format!("{output} {other}"))
                .and_then(same_source)
        }
    }
}

fn phrase_loop(output: &str) -> Option<String> {
    let words: Vec<&str> = output.split_whitespace().collect();
    let tail = words[words.len() - words.len().min(3)..].join(" ");
    (words.len() > 1).then(|| format!("{output} {}", vec![tail; 4].join(" ")))
}

fn wrong_script(output: &str, at: usize) -> Option<String> {
    use unicode_script::UnicodeScript;
    let uses = |code: &str| output.chars().any(|c| c.script().short_name() == code);
    let free: Vec<&str> = OTHER_SCRIPTS
        .iter()
        .filter(|(code, _)| !uses(code))
        .map(|(_, text)| *text)
        .collect();
    free.get(at % free.len().max(1)).map(|text| (*text).to_owned())
}

/// Returns a name in the script of the text, if that has capitals.
fn name(text: &str, at: usize) -> Option<&'static str> {
    use unicode_script::{Script, UnicodeScript};
    let scripts: Vec<Script> = text.chars().map(|c| c.script()).collect();
    let names = if scripts.contains(&Script::Cyrillic) {
        CYRILLIC_NAMES
    } else if scripts.contains(&Script::Latin) {
        LATIN_NAMES
    } else {
        return None;
    };
    Some(names[at % names.len()])
}

/// Words with a capital inside a sentence.
fn capitalised(text: &str) -> Vec<String> {
    let words = WordFinder::new(&WordRules::default()).find(text).words;
    let inside = words.into_iter().filter(|word| !word.starts_sentence);
    inside
        .map(|word| word.text)
        .filter(|word| word.chars().count() > 2 && crate::normalise::is_capitalised(word))
        .collect()
}

/// Where source and translation have one capital each inside a sentence, that of the translation is replaced.
fn name_changed(pair: Pair<'_>, at: usize) -> Option<String> {
    let (from, to) = (capitalised(pair.source), capitalised(pair.output));
    match (from.as_slice(), to.as_slice()) {
        ([_], [word]) => Some(pair.output.replace(word, name(pair.output, at)?)),
        _ => None,
    }
}

fn name_invented(output: &str, at: usize) -> Option<String> {
    let words: Vec<&str> = output.split_whitespace().collect();
    let inside = 1 + at % words.len().checked_sub(1).filter(|&places| places > 0)?;
    let mut words = words;
    words.insert(inside, name(output, at)?);
    Some(words.join(" "))
}

fn source_words(source: &str) -> Vec<String> {
    let words = WordFinder::new(&WordRules::default()).find(source).words;
    words.into_iter().map(|w| w.text).collect()
}

/// Inserts text between two words of the output.
fn insert(output: &str, text: &str, at: usize) -> String {
    let mut words: Vec<&str> = output.split_whitespace().collect();
    words.insert(at % (words.len() + 1), text);
    words.join(" ")
}

fn together(pair: Pair<'_>, at: usize) -> Option<String> {
    let words = source_words(pair.source);
    let length = (3 + at % 3).min(words.len());
    (length >= 3).then(|| {
        let start = at % (words.len() - length + 1);
        insert(pair.output, &words[start..start + length].join(" "), at)
    })
}

fn scattered(pair: Pair<'_>, at: usize) -> Option<String> {
    let words = source_words(pair.source);
    (words.len() >= 5).then(|| {
        let chosen = [at, at + 2, at + 4].map(|i| words[i % words.len()].as_str());
        let first = insert(pair.output, chosen[0], at);
        let second = insert(&first, chosen[1], at + 3);
        insert(&second, chosen[2], at + 5)
    })
}

fn single(pair: Pair<'_>, at: usize) -> Option<String> {
    let words = source_words(pair.source);
    (!words.is_empty()).then(|| insert(pair.output, &words[at % words.len()], at))
}

fn truncated(output: &str) -> Option<String> {
    let letters: Vec<char> = output.chars().collect();
    (letters.len() >= 20).then(|| letters[..letters.len() / 2].iter().collect())
}
