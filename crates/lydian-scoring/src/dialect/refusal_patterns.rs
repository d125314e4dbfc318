//! The refusal patterns, over folded text: lower case, no diacritics, plain apostrophes.

/// What a pattern must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// A part of one sentence.
    Sentence,
    /// The whole answer without punctuation at its ends.
    Whole,
}

/// The language whose task words must stand in the same sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    German,
    English,
    French,
    Italian,
    SwissGerman,
}

/// A way to decline.
pub(super) struct Pattern {
    pub(super) name: &'static str,
    pub(super) scope: Scope,
    pub(super) task: Option<Language>,
    pub(super) regex: &'static str,
}

/// Beginnings of words that name the task: dialects, translating, the text or question given.
pub(super) const TASK_WORDS: [(Language, &str); 5] = [
    (
        Language::German,
        r"dialekt|mundart|(?:u|ue)bersetz|schweizerdeutsch|schwei?zer dialekt|schwyzer(?:d|t)|alemannisch|berndeutsch|baseldeutsch|zurichdeutsch|walliserdeutsch|satz(?:e|es)?\b|text(?:e|es)?\b|frage\b|aufgabe\b|sprache\b|ausdruck|wortlaut|eingabe|anfrage|aussage\b|antwort(?:moglichkeit|option)|hochdeutsch|standarddeutsch",
    ),
    (
        Language::English,
        r"dialect|swiss|alemannic|german\b|translat|sentence|phrase|this text|the text|language|question|prompt|request|this input|answer",
    ),
    (
        Language::French,
        r"dialecte|traduire|traduction|traduis|phrase|suisse allemand|suisse-allemand|alemanique|langue|question|texte|demande",
    ),
    (
        Language::Italian,
        r"dialett|tradu|frase|svizzero|alemannic|lingua\b|domanda|testo|richiesta",
    ),
    (
        Language::SwissGerman,
        r"dialakt|dialekt|mundart|(?:u|ue)bersetz|satz\b|froog|frog\b|frag\b|sprooch|sproch|schwiizerdutsch|schwizerdutsch|schwyzerdutsch|barndutsch|tagscht|text\b",
    ),
];

macro_rules! sentence {
    ($name:literal, $language:ident, $regex:literal) => {
        Pattern {
            name: $name,
            scope: Scope::Sentence,
            task: Some(Language::$language),
            regex: $regex,
        }
    };
    ($name:literal, $regex:literal) => {
        Pattern {
            name: $name,
            scope: Scope::Sentence,
            task: None,
            regex: $regex,
        }
    };
}

macro_rules! whole {
    ($name:literal, $regex:literal) => {
        Pattern {
            name: $name,
            scope: Scope::Whole,
            task: None,
            regex: $regex,
        }
    };
}

/// All patterns; the first that fires names the refusal.
pub(super) const PATTERNS: &[Pattern] = &[
    sentence!(
        "de-cannot",
        German,
        r"\b(?:kann|konnte|konnen|vermag) (?:ich|wir)\b[^,]{0,100}\b(?:nicht|kein(?:e|en|er|es|erlei)?)\b.{0,80}\b(?:versteh|(?:u|ue)bersetz|deut|beantwort|bestimm|identifizier|entziffer|zuordn|einordn|wiedergeb|erkenn|anbiet|geb|lesen|interpretier|helf|lief|bearbeit|erfull|mach|vornehm|sagen|liefer|(?:u|ue)bertrag)"
    ),
    sentence!(
        "de-i-cannot",
        German,
        r"\bich (?:kann|konnte|vermag)\b.{0,100}\b(?:nicht|kein(?:e|en|er|es|erlei)?)\b.{0,80}\b(?:versteh|(?:u|ue)bersetz|deut|beantwort|bestimm|identifizier|entziffer|zuordn|einordn|wiedergeb|erkenn|anbiet|geb|lesen|interpretier|helf|lief|bearbeit|erfull|vornehm|sagen|liefer|(?:u|ue)bertrag)"
    ),
    sentence!(
        "de-do-not-understand",
        German,
        r"\b(?:ich (?:versteh|kenn|beherrsch|sprech|erkenn)\w*|(?:versteh|kenn|beherrsch|sprech|erkenn)e? ich)\b.{0,80}\b(?:nicht|kein(?:e|en|er|es|erlei)?)\b"
    ),
    sentence!(
        "de-not-able",
        German,
        r"\b(?:bin ich|ich bin) (?:\w+ ){0,3}(?:nicht in der lage|nicht fahig|nicht imstande|ausserstande|uberfordert)|\b(?:ist (?:es )?mir|mir ist es) (?:\w+ ){0,3}(?:nicht moglich|unmoglich)"
    ),
    sentence!(
        "de-assistant",
        r"\bals (?:\w+ ){0,2}(?:ki|ai|sprachmodell|chatbot|assistent|assistentin|(?:ki|ai|sprach)-?\w*(?:modell|assistent|system)\w*|kunstliche intelligenz)\b.{0,80}\b(?:nicht|kein\w*)\b"
    ),
    sentence!(
        "de-unfamiliar",
        r"\b(?:dialekt|mundart|sprache|satz|text|ausdruck|schweizerdeutsch\w*)\b.{0,60}\b(?:mir|fur mich)\b.{0,40}\b(?:nicht (?:vertraut|bekannt|gelaufig|verstandlich)|unbekannt|unverstandlich|fremd)\b|\b(?:mir|fur mich) (?:ist|sind)\b.{0,40}\b(?:dialekt|mundart)\b.{0,40}\b(?:nicht (?:vertraut|bekannt|gelaufig|verstandlich)|unbekannt|unverstandlich|fremd)\b"
    ),
    sentence!(
        "de-not-familiar-with",
        German,
        r"\b(?:ich bin|bin ich)\b.{0,60}\bnicht (?:vertraut|machtig|bewandert|sicher)\b|\b(?:ich habe|habe ich)\b.{0,40}\b(?:keine|nicht genug|nicht genugend) (?:\w+ )?(?:kenntnis|informationen|wissen)|\bmeine (?:kenntnisse|fahigkeiten)\b.{0,60}\b(?:nicht aus|nicht ausreich|begrenzt|beschrankt)"
    ),
    sentence!(
        "de-do-not-know",
        German,
        r"\b(?:ich weiss|weiss ich)\b.{0,40}\bnicht\b"
    ),
    sentence!(
        "de-lacking",
        German,
        r"\bmir fehl(?:t|en)\b.{0,60}\b(?:kenntnis|wissen|fahigkeit|informationen)"
    ),
    sentence!(
        "de-no-sense",
        German,
        r"\b(?:ergibt|macht|hat)\b.{0,30}\b(?:fur mich|mir)\b.{0,20}\bkeinen sinn\b|\bkeinen sinn fur mich\b"
    ),
    sentence!(
        "de-no-translation",
        r"\b(?:keine (?:u|ue)bersetzung (?:moglich|verfugbar)|(?:u|ue)bersetzung (?:ist )?(?:leider )?nicht (?:moglich|verfugbar)|nicht (?:u|ue)bersetzbar)\b"
    ),
    sentence!(
        "en-cannot",
        English,
        r"\b(?:i|we) (?:\w+ ){0,2}(?:can't|cannot|can not|couldn't|could not|won't|will not)\b.{0,60}\b(?:translat|understand|provid|answer|help|assist|determin|identif|interpret|decipher|read|fulfil|comply|recogni[sz]e|tell|speak|process|give)"
    ),
    sentence!(
        "en-unable",
        English,
        r"\b(?:i am|i'm|i was|we are|we're) (?:\w+ ){0,2}(?:unable|not able|not capable|not equipped|incapable)\b"
    ),
    sentence!(
        "en-do-not-know",
        English,
        r"\bi (?:\w+ ){0,2}(?:don't|do not|didn't|did not) (?:\w+ ){0,2}(?:understand|speak|know|recogni[sz]e|comprehend|have (?:enough|sufficient|the (?:ability|capability|knowledge)))\b|\bi (?:\w+ ){0,2}have no (?:knowledge|understanding|information|experience)\b"
    ),
    sentence!(
        "en-assistant",
        r"\bas an? (?:\w+ ){0,2}(?:ai|artificial intelligence|language model|llm|assistant|ai-\w+)\b.{0,80}\b(?:not|cannot|can't|unable|don't|won't)\b"
    ),
    sentence!(
        "en-not-familiar",
        English,
        r"\bi(?:'m| am) (?:\w+ ){0,2}not (?:\w+ )?(?:familiar|fluent|proficient|confident|trained|versed|acquainted)\b"
    ),
    sentence!(
        "en-apology",
        English,
        r"\b(?:i apologi[sz]e|i'm sorry|i am sorry|sorry|regrettably|unfortunately|my apologies)\b.{0,60}\b(?:i|we)\b.{0,20}\b(?:can't|cannot|can not|unable|not able|don't|do not|won't)\b"
    ),
    sentence!(
        "en-unfamiliar",
        r"\b(?:this|the) (?:dialect|language) is (?:not (?:one )?(?:familiar|known|supported|understood)|unfamiliar|unknown) to me\b|\b(?:beyond|outside) my (?:\w+ )?(?:capabilit|abilit|knowledge|expertise)"
    ),
    sentence!(
        "fr-cannot",
        French,
        r"\bje ne (?:\w+ )?(?:peux|puis|comprends|suis|parle|connais|sais|parviens|reconnais|maitrise|saurais|peut)\b.{0,40}\b(?:pas|rien|guere|aucun|aucune)\b|\bje (?:peux|comprends|sais|parle|connais) pas\b"
    ),
    sentence!(
        "fr-unable",
        French,
        r"\bje suis (?:\w+ ){0,2}(?:incapable|pas en mesure|dans l'impossibilite)\b|\bil m'est impossible\b"
    ),
    sentence!(
        "fr-assistant",
        r"\ben tant qu(?:e |')(?:\w+ )?(?:ia|intelligence artificielle|modele|assistant)\b.{0,80}\b(?:ne|n')\b"
    ),
    sentence!(
        "it-cannot",
        Italian,
        r"\bnon (?:\w+ )?(?:posso|capisco|sono in grado|riesco|comprendo|conosco|parlo|so|sono capace|riconosco)\b"
    ),
    sentence!(
        "it-assistant",
        r"\b(?:in quanto|come|essendo)(?: un| una| un')? ?(?:ia|intelligenza artificiale|modello linguistico|modello di linguaggio|assistente)\b.{0,80}\bnon\b"
    ),
    sentence!(
        "gsw-cannot",
        SwissGerman,
        r"\b(?:(?:i|ich|ech) (?:chan|cha|cho|ka|kan|kann|cann|chann|chume|vermag)|(?:chan|cha|ka|kan|kann|chann) (?:i|ich|ech))\b.{0,60}\b(?:nid|nod|ned|nit|net|nut|kei|keis|ke|kes|kein|keine)\b"
    ),
    sentence!(
        "gsw-do-not-understand",
        SwissGerman,
        r"\b(?:i|ich|ech) (?:ver?sta|ver?sto|chenn|kenn|red|schwatz)\w*\b.{0,60}\b(?:nid|nod|ned|nit|net|nut|kei|keis|ke|kes)\b|\b(?:ver?sta|ver?sto)\w* (?:i|ich|ech)\b.{0,60}\b(?:nid|nod|ned|nit|net)\b"
    ),
    sentence!(
        "gsw-apology",
        SwissGerman,
        r"\b(?:tuet|duet|tued|tut) (?:es |s )?(?:mer|mir)\b.{0,20}\bleid\b.{0,60}\b(?:nid|nod|ned|nit|net|kei)\b"
    ),
    whole!(
        "de-whole",
        r"(?:(?:es )?tut mir (?:sehr )?leid|entschuldigung|leider|sorry)?[,.!]? ?(?:aber )?(?:(?:ich (?:weiss|versteh|verstehe)|(?:das|dies|es) (?:weiss|verstehe) ich)(?: (?:das|dies|es|den satz|diesen satz|die frage))?(?: (?:leider|auch))? nicht|(?:ich habe )?keine ahnung|(?:das|dies) kann ich (?:dir |ihnen )?(?:leider )?nicht (?:sagen|beantworten|(?:u|ue)bersetzen)|(?:dabei|damit|hierbei) kann ich (?:dir |ihnen )?(?:leider )?nicht (?:weiter)?helfen|ich kann (?:dazu|daruber|hierzu) (?:leider )?keine (?:aussage|angabe|angaben) machen|(?:dazu|daruber|hierzu) kann ich (?:leider )?keine (?:aussage|angabe|angaben) machen)"
    ),
    whole!(
        "en-whole",
        r"(?:(?:i'm |i am )?sorry|i apologi[sz]e|unfortunately)?[,.!]? ?(?:but )?(?:i (?:don't|do not) (?:know|understand)(?: (?:this|that|it))?|i (?:can't|cannot) (?:help|assist|do that|answer)(?: with)?(?: (?:this|that|it))?|no idea|i have no idea)"
    ),
    whole!(
        "fr-whole",
        r"(?:(?:je suis )?desolee?|malheureusement)?[,.!]? ?(?:mais )?je ne (?:sais|comprends) pas(?: (?:cela|ca|ceci))?|aucune idee"
    ),
    whole!(
        "it-whole",
        r"(?:mi dispiace)?[,.!]? ?(?:ma )?non (?:lo so|capisco|lo capisco)"
    ),
    whole!(
        "gsw-whole",
        r"(?:(?:i|ich|ech) )?(?:weiss|weis|versta\w*|versto\w*) (?:i |ich |ech )?(?:s |das )?(?:leider )?(?:nid|nod|ned|nit|net)|kei ahnig|(?:das )?(?:weiss|weis|versta\w*|versto\w*) i(?:ch)? (?:leider )?(?:nid|nod|ned|nit|net)"
    ),
];
