//! Language tags: BCP 47 well-formedness, and the folding of two- and three-letter codes (decision 1).

use std::fmt;

/// The ISO 639-1 codes, each followed by its ISO 639-3 code.
const CODES: &str = "aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bibis \
    bmbam bnben bobod brbre bsbos cacat ceche chcha cocos crcre csces cuchu cvchv cycym dadan dedeu \
    dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus fafas ffful fifin fjfij fofao frfra fyfry \
    gagle gdgla glglg gngrn guguj gvglv hahau heheb hihin hohmo hrhrv hthat huhun hyhye hzher iaina \
    idind ieile igibo iiiii ikipk ioido isisl itita iuiku jajpn jvjav kakat kgkon kikik kjkua kkkaz \
    klkal kmkhm knkan kokor krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao \
    ltlit lulub lvlav mgmlg mhmah mimri mkmkd mlmal mnmon mrmar msmsa mtmlt mymya nanau nbnob ndnde \
    nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya ococi ojoji omorm orori ososs papan pipli plpol \
    pspus ptpor quque rmroh rnrun roron rurus rwkin sasan scsrd sdsnd sesme sgsag shhbs sisin skslk \
    slslv smsmo snsna sosom sqsqi srsrp ssssw stsot susun svswe swswa tatam tetel tgtgk ththa titir \
    tktuk tltgl tntsn toton trtur tstso tttat twtwi tytah uguig ukukr ururd uzuzb veven vivie vovol \
    wawln wowol xhxho yiyid yoyor zazha zhzho zuzul";

/// Bibliographic codes of ISO 639-2 that BCP 47 does not use, each with the code it does use.
const BIBLIOGRAPHIC: [(&str, &str); 20] = [
    ("alb", "sqi"),
    ("arm", "hye"),
    ("baq", "eus"),
    ("bur", "mya"),
    ("chi", "zho"),
    ("cze", "ces"),
    ("dut", "nld"),
    ("fre", "fra"),
    ("geo", "kat"),
    ("ger", "deu"),
    ("gre", "ell"),
    ("ice", "isl"),
    ("mac", "mkd"),
    ("mao", "mri"),
    ("may", "msa"),
    ("per", "fas"),
    ("rum", "ron"),
    ("slo", "slk"),
    ("tib", "bod"),
    ("wel", "cym"),
];

/// Tags that RFC 5646 grandfathers although they do not follow its syntax.
const IRREGULAR: [&str; 17] = [
    "en-gb-oed",
    "i-ami",
    "i-bnn",
    "i-default",
    "i-enochian",
    "i-hak",
    "i-klingon",
    "i-lux",
    "i-mingo",
    "i-navajo",
    "i-pwn",
    "i-tao",
    "i-tay",
    "i-tsu",
    "sgn-be-fr",
    "sgn-be-nl",
    "sgn-ch-de",
];

/// A well-formed BCP 47 tag.
///
/// ```
/// use lydian_model::LanguageTag;
/// let tag = LanguageTag::parse("eng-Latn-CA").unwrap();
/// assert_eq!(tag.folded(), "en-latn-ca");
/// assert_eq!(tag.primary(), "en");
/// assert_ne!(LanguageTag::parse("arb").unwrap().primary(), "ar");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageTag {
    text: String,
    folded: String,
}

/// Why a text is no language tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TagError {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// An underscore stands where a hyphen belongs.
    #[error("subtags are separated by hyphens")]
    Underscore,
    /// The first part is no language code.
    #[error("{0:?} is no language code of two or three letters")]
    NoLanguage(String),
    /// A part does not fit where it stands.
    #[error("the subtag {0:?} is malformed or in the wrong place")]
    Subtag(String),
    /// A variant or extension stands twice.
    #[error("the subtag {0:?} stands twice")]
    Repeated(String),
}

impl LanguageTag {
    /// Returns `text` as a tag if it is well-formed (RFC 5646 §2.1, §2.2.9).
    pub fn parse(text: &str) -> Result<Self, TagError> {
        if text.is_empty() {
            return Err(TagError::Empty);
        }
        if text.contains('_') {
            return Err(TagError::Underscore);
        }
        let lower = text.to_ascii_lowercase();
        if !IRREGULAR.contains(&lower.as_str()) {
            check_syntax(&lower)?;
        }
        let folded = match lower.split_once('-') {
            Some((primary, rest)) => format!("{}-{rest}", shortest(primary)),
            None => shortest(&lower).to_owned(),
        };
        Ok(Self {
            text: text.to_owned(),
            folded,
        })
    }

    /// Returns the tag as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the tag in lower case with the shortest primary code, by which tags are compared.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// Returns the shortest primary code in lower case.
    pub fn primary(&self) -> &str {
        self.folded.split('-').next().unwrap_or_default()
    }

    /// Returns the code that BCP 47 uses if this tag has a bibliographic one, such as `ger` for German.
    pub fn bibliographic(&self) -> Option<&'static str> {
        BIBLIOGRAPHIC
            .iter()
            .find(|(code, _)| *code == self.primary())
            .map(|(_, code)| shortest_static(code))
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

fn shortest(code: &str) -> &str {
    match CODES
        .split(' ')
        .find(|pair| pair.len() == 5 && code.len() == 3 && &pair[2..] == code)
    {
        Some(pair) => &pair[..2],
        None => code,
    }
}

fn shortest_static(code: &'static str) -> &'static str {
    shortest(code)
}

/// What may still follow in a tag.
#[derive(PartialEq, Eq, PartialOrd)]
enum Stage {
    ExtendedLanguage(u8),
    Script,
    Region,
    Variant,
    Extension,
}

fn check_syntax(lower: &str) -> Result<(), TagError> {
    let mut subtags = lower.split('-').peekable();
    let first = subtags.next().unwrap_or_default();
    if first == "x" {
        return private_use(first, subtags);
    }
    if !is_alphabetic(first, 2..=3) {
        return Err(TagError::NoLanguage(first.to_owned()));
    }
    let mut stage = Stage::ExtendedLanguage(0);
    let mut seen: Vec<&str> = Vec::new();
    while let Some(subtag) = subtags.next() {
        stage = match subtag {
            "x" => return private_use(subtag, subtags),
            _ if subtag.len() == 1 && is_alphanumeric(subtag, 1..=1) => {
                once(&mut seen, subtag)?;
                let mut parts = 0;
                while subtags.peek().is_some_and(|next| is_alphanumeric(next, 2..=8)) {
                    subtags.next();
                    parts += 1;
                }
                if parts == 0 {
                    return Err(TagError::Subtag(subtag.to_owned()));
                }
                Stage::Extension
            }
            _ if is_alphabetic(subtag, 3..=3) => match stage {
                Stage::ExtendedLanguage(count) if count < 3 => Stage::ExtendedLanguage(count + 1),
                _ => return Err(TagError::Subtag(subtag.to_owned())),
            },
            _ if is_alphabetic(subtag, 4..=4) && stage < Stage::Script => Stage::Script,
            _ if stage < Stage::Region && is_region(subtag) => Stage::Region,
            _ if stage < Stage::Extension && is_variant(subtag) => {
                once(&mut seen, subtag)?;
                Stage::Variant
            }
            _ => return Err(TagError::Subtag(subtag.to_owned())),
        };
    }
    Ok(())
}

fn once<'tag>(seen: &mut Vec<&'tag str>, subtag: &'tag str) -> Result<(), TagError> {
    if seen.contains(&subtag) {
        return Err(TagError::Repeated(subtag.to_owned()));
    }
    seen.push(subtag);
    Ok(())
}

fn private_use<'tag>(singleton: &str, subtags: impl Iterator<Item = &'tag str>) -> Result<(), TagError> {
    let mut parts = 0;
    for subtag in subtags {
        if !is_alphanumeric(subtag, 1..=8) {
            return Err(TagError::Subtag(subtag.to_owned()));
        }
        parts += 1;
    }
    match parts {
        0 => Err(TagError::Subtag(singleton.to_owned())),
        _ => Ok(()),
    }
}

fn is_region(subtag: &str) -> bool {
    is_alphabetic(subtag, 2..=2) || (subtag.len() == 3 && subtag.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_variant(subtag: &str) -> bool {
    is_alphanumeric(subtag, 5..=8)
        || (is_alphanumeric(subtag, 4..=4) && subtag.starts_with(|first: char| first.is_ascii_digit()))
}

fn is_alphabetic(subtag: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&subtag.len()) && subtag.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_alphanumeric(subtag: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    lengths.contains(&subtag.len()) && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_the_rfc_are_well_formed() {
        for tag in [
            "de",
            "i-klingon",
            "zh-Hant",
            "zh-cmn-Hans-CN",
            "cmn-Hans-CN",
            "sr-Latn-RS",
            "sl-rozaj-biske",
            "de-CH-1901",
            "sl-IT-nedis",
            "hy-Latn-IT-arevela",
            "es-419",
            "de-CH-x-phonebk",
            "az-Arab-x-AZE-derbend",
            "x-whatever",
            "qaa-Qaaa-QM-x-southern",
            "en-US-u-islamcal",
            "zh-CN-a-myext-x-private",
            "en-a-myext-b-another",
            "de-1996",
            "crk",
            "gsw-u-sd-chzh",
        ] {
            assert!(LanguageTag::parse(tag).is_ok(), "{tag}");
        }
    }

    #[test]
    fn malformed_tags_say_why() {
        let cases = [
            ("", TagError::Empty),
            ("en_US", TagError::Underscore),
            ("English", TagError::NoLanguage("english".into())),
            ("e", TagError::NoLanguage("e".into())),
            ("en-", TagError::Subtag(String::new())),
            ("a-DE", TagError::NoLanguage("a".into())),
            ("de-419-DE", TagError::Subtag("de".into())),
            ("de-DE-Latn", TagError::Subtag("latn".into())),
            ("ar-a-aaa-b-bbb-a-ccc", TagError::Repeated("a".into())),
            ("de-1901-1901", TagError::Repeated("1901".into())),
            ("de-x", TagError::Subtag("x".into())),
            ("en-u", TagError::Subtag("u".into())),
            ("dé", TagError::NoLanguage("dé".into())),
        ];
        for (tag, error) in cases {
            assert_eq!(LanguageTag::parse(tag), Err(error), "{tag}");
        }
    }

    #[test]
    fn only_equivalent_codes_are_folded() {
        let folded = |tag| LanguageTag::parse(tag).unwrap().folded().to_owned();
        assert_eq!(folded("ENG-gb"), folded("en-GB"));
        assert_eq!(folded("quz"), "quz");
        assert_eq!(folded("zsm"), "zsm");
        assert_eq!(folded("sme"), "se");
        assert_eq!(CODES.split(' ').filter(|pair| pair.len() == 5).count(), 184);
    }

    #[test]
    fn bibliographic_codes_lead_to_the_right_ones() {
        assert_eq!(LanguageTag::parse("ger").unwrap().bibliographic(), Some("de"));
        assert_eq!(LanguageTag::parse("deu").unwrap().bibliographic(), None);
    }
}
