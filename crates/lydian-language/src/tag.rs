//! Language tags: well-formedness, and the equivalence of two- and three-letter codes (decision 1).
use std::fmt;

/// A well-formed BCP 47 tag, kept as it was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LanguageTag(String);

/// A text that is no BCP 47 tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a well-formed BCP 47 language tag")]
pub struct NotATag(String);

/// Two-letter codes and the three-letter codes of the same languages (ISO 639-1 and 639-3), in the order of the first.
const TWO_LETTERS: &str = "aa=aar ab=abk ae=ave af=afr ak=aka am=amh an=arg ar=ara as=asm av=ava ay=aym az=aze \
ba=bak be=bel bg=bul bi=bis bm=bam bn=ben bo=bod br=bre bs=bos ca=cat ce=che ch=cha co=cos cr=cre cs=ces cu=chu cv=chv \
cy=cym da=dan de=deu dv=div dz=dzo ee=ewe el=ell en=eng eo=epo es=spa et=est eu=eus fa=fas ff=ful fi=fin fj=fij fo=fao \
fr=fra fy=fry ga=gle gd=gla gl=glg gn=grn gu=guj gv=glv ha=hau he=heb hi=hin ho=hmo hr=hrv ht=hat hu=hun hy=hye hz=her \
ia=ina id=ind ie=ile ig=ibo ii=iii ik=ipk io=ido is=isl it=ita iu=iku ja=jpn jv=jav ka=kat kg=kon ki=kik kj=kua kk=kaz \
kl=kal km=khm kn=kan ko=kor kr=kau ks=kas ku=kur kv=kom kw=cor ky=kir la=lat lb=ltz lg=lug li=lim ln=lin lo=lao lt=lit \
lu=lub lv=lav mg=mlg mh=mah mi=mri mk=mkd ml=mal mn=mon mr=mar ms=msa mt=mlt my=mya na=nau nb=nob nd=nde ne=nep ng=ndo \
nl=nld nn=nno no=nor nr=nbl nv=nav ny=nya oc=oci oj=oji om=orm or=ori os=oss pa=pan pi=pli pl=pol ps=pus pt=por qu=que \
rm=roh rn=run ro=ron ru=rus rw=kin sa=san sc=srd sd=snd se=sme sg=sag si=sin sk=slk sl=slv sm=smo sn=sna so=som sq=sqi \
sr=srp ss=ssw st=sot su=sun sv=swe sw=swa ta=tam te=tel tg=tgk th=tha ti=tir tk=tuk tl=tgl tn=tsn to=ton tr=tur ts=tso \
tt=tat tw=twi ty=tah ug=uig uk=ukr ur=urd uz=uzb ve=ven vi=vie vo=vol wa=wln wo=wol xh=xho yi=yid yo=yor za=zha zh=zho zu=zul";

impl LanguageTag {
    /// Checks a tag; macro-languages are never mapped (`arb` stays `arb`).
    pub fn parse(tag: &str) -> Result<Self, NotATag> {
        let wrong = || NotATag(tag.to_owned());
        let mut subtags = tag.split('-');
        let primary = subtags.next().ok_or_else(wrong)?;
        let private = primary.eq_ignore_ascii_case("x");
        let letters = primary.bytes().all(|b| b.is_ascii_alphabetic());
        if !letters || !(private || (2..=8).contains(&primary.len())) {
            return Err(wrong());
        }
        let rest: Vec<&str> = subtags.collect();
        let alphanumeric =
            |s: &&str| (1..=8).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_alphanumeric());
        let ends_open = rest.last().is_some_and(|last| last.len() == 1);
        if !rest.iter().all(alphanumeric) || (private && rest.is_empty()) || ends_open {
            return Err(wrong());
        }
        Ok(Self(tag.to_owned()))
    }

    /// Returns the tag as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the primary language subtag in lower case, three letters where there are three for it.
    pub fn language(&self) -> String {
        let primary = self.0.split('-').next().unwrap_or_default().to_ascii_lowercase();
        three_letters(&primary).map_or(primary, str::to_owned)
    }

    /// Returns the script subtag, such as `Latn`, if the tag has one.
    pub fn script(&self) -> Option<&str> {
        self.0
            .split('-')
            .skip(1)
            .find(|s| s.len() == 4 && s.bytes().all(|b| b.is_ascii_alphabetic()))
    }

    /// Returns whether both tags name the same language, whatever their script and region.
    pub fn same_language(&self, other: &Self) -> bool {
        self.language() == other.language()
    }

    /// Returns the two-letter code of the language, if it has one.
    pub fn two_letters(&self) -> Option<&'static str> {
        let language = self.language();
        pairs().find(|(_, three)| *three == language).map(|(two, _)| two)
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    TWO_LETTERS
        .split_ascii_whitespace()
        .filter_map(|pair| pair.split_once('='))
}

fn three_letters(two: &str) -> Option<&'static str> {
    pairs().find(|(code, _)| *code == two).map(|(_, three)| three)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> LanguageTag {
        LanguageTag::parse(text).unwrap()
    }

    #[test]
    fn two_and_three_letter_codes_are_one_language() {
        assert!(tag("en").same_language(&tag("eng")));
        assert!(tag("fi-FI").same_language(&tag("fin")));
        assert_eq!(tag("pan").two_letters(), Some("pa"));
        assert_eq!(tag("crk").two_letters(), None);
        assert_eq!(pairs().count(), 183);
    }

    #[test]
    fn macro_languages_are_not_folded() {
        assert!(!tag("arb").same_language(&tag("ar")));
        assert!(!tag("quz").same_language(&tag("qu")));
        assert!(!tag("crk").same_language(&tag("cr")));
    }

    #[test]
    fn script_is_read_and_malformed_tags_are_refused() {
        assert_eq!(tag("crk-Cans-CA").script(), Some("Cans"));
        assert_eq!(tag("gsw").script(), None);
        assert_eq!(tag("x-private").as_str(), "x-private");
        for wrong in [
            "",
            "e",
            "EN→CRK",
            "en_US",
            "en-",
            "en--US",
            "x",
            "toolonglanguage",
            "en-u",
            "12",
        ] {
            assert!(LanguageTag::parse(wrong).is_err(), "{wrong}");
        }
    }
}
