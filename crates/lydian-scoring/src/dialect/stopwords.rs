//! German function words: articles, pronouns, prepositions, conjunctions, auxiliaries, modals, particles, adverbs.

use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Folded function words: they carry no weight (D §2 step 1).
const FUNCTION_WORDS: &str = "
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich einander man
mein meine meinen meinem meiner meines dein deine deinen deinem deiner deines sein seine seinen seinem seiner seines
ihre ihren ihrem ihrer ihres unser unsere unseren unserem unserer unseres euer eure euren eurem eurer eures
dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede jedes jeden jedem welcher welche welches welchen welchem
solcher solche solches solchen solchem derselbe dieselbe dasselbe denselben demselben derjenige diejenige dasjenige
deren dessen denen wer wen wem wessen was etwas nichts jemand niemand jemanden jemandem niemanden niemandem
alle alles allen allem aller manche mancher manches manchen manchem einige einiger einiges einigen einigem
mehrere mehreren mehrerer viele vielen vieler vieles viel wenig wenige wenigen weniger beide beiden beider beides
ander andere anderen anderer anderes anderem selbst selber
in im ins an am ans auf aufs aus bei beim mit nach seit von vom zu zum zur bis durch fur furs gegen ohne um ums unter uber ubers
vor vorm vors hinter neben zwischen wahrend wegen trotz statt anstatt innerhalb ausserhalb entlang gegenuber ab ausser
per pro je laut dank mittels aufgrund anhand bezuglich hinsichtlich gemass zufolge samt nebst binnen
und oder aber denn sondern doch jedoch sowie sowohl weder noch entweder als wie wenn weil da dass ob obwohl obschon
wahrend nachdem bevor ehe bis sobald solange sooft damit indem falls sofern soweit je desto umso
bin bist ist sind seid war warst waren wart gewesen sei seien seiest ware waren warst wesen
habe hast hat haben habt hatte hattest hatten hattet gehabt hattest
werde wirst wird werden werdet wurde wurdest wurden wurdet worden geworden
kann kannst konnen konnt konnte konntest konnten konntet gekonnt
muss musst mussen musst musste musstest mussten musstet gemusst
soll sollst sollen sollt sollte solltest sollten solltet gesollt
will willst wollen wollt wollte wolltest wollten wolltet gewollt
darf darfst durfen durft durfte durftest durften durftet gedurft
mag magst mogen mogt mochte mochtest mochten mochtet gemocht
nicht nie niemals nirgends nirgendwo ja nein
auch nur schon noch mal eben halt wohl denn doch sogar etwa ungefahr fast beinahe ganz sehr zu so mehr meist meistens
hier da dort dorthin hierher daher dahin hin her heraus hinaus herein hinein herauf hinauf herunter hinunter heran hinan herum
jetzt nun dann damals bald gerade immer oft manchmal selten wieder heute gestern morgen vorgestern ubermorgen spater fruher
erst zuerst zuletzt schliesslich endlich bereits inzwischen mittlerweile seitdem vorher nachher danach davor
daran darauf daraus dabei dadurch dafur dagegen dahinter darin darum darunter daruber davon dazu dazwischen daneben
woran worauf woraus wobei wodurch wofur wogegen worin worum worunter woruber wovon wovor wozu womit
hieran hierauf hieraus hierbei hierdurch hierfur hiermit hierzu hiervon
warum weshalb wieso wann wo woher wohin wieviel
also deshalb deswegen darum daher trotzdem dennoch allerdings ausserdem zudem uberhaupt eigentlich vielleicht wahrscheinlich
jedenfalls ebenfalls ebenso genauso gleichfalls sonst namlich zwar dabei somit folglich
gern gerne sicher naturlich wirklich genug kaum besonders vor allem zusammen allein alleine
los weg fort fest vorbei zuruck herbei entgegen bzw etc usw z b d h ca
herr frau s t n m
";

/// Folded function words after which an inflected word describes the noun that follows.
const BEFORE_ATTRIBUTES: &str = "
der die das dem den des ein eine einen einem einer eines kein keine keinen keinem keiner keines
mein meine meinen meinem meiner meines dein deine deinen deinem deiner deines sein seine seinen seinem seiner seines
ihr ihre ihren ihrem ihrer ihres unser unsere unseren unserem unserer unseres euer eure euren eurem eurer eures
dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede jedes jeden jedem welcher welche welches welchen
alle allen allem aller manche mancher manches manchen einige einiger einigen mehrere mehreren viele vielen vieler
wenige wenigen beide beiden andere anderen anderer
in im ins an am ans auf aufs aus bei beim mit nach seit von vom zum zur durch fur gegen ohne um unter uber vor vorm
hinter neben zwischen wahrend wegen trotz dank
";

/// Folded number words.
pub(super) const NUMBER_WORDS: [&str; 34] = [
    "null", "eins", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun", "zehn", "elf",
    "zwolf", "dreizehn", "vierzehn", "funfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig",
    "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig", "hundert", "tausend",
    "erste", "ersten", "zweite", "zweiten",
];

/// Tells whether a folded word carries no weight.
pub(super) fn is_function_word(folded: &str) -> bool {
    static SET: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    SET.get_or_init(|| FUNCTION_WORDS.split_whitespace().collect())
        .contains(folded)
}

/// Tells whether an inflected word after this folded one describes the noun that follows.
pub(super) fn comes_before_attributes(folded: &str) -> bool {
    static SET: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    SET.get_or_init(|| BEFORE_ATTRIBUTES.split_whitespace().collect())
        .contains(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_words_are_folded_and_content_words_are_not_among_them() {
        for word in BEFORE_ATTRIBUTES.split_whitespace() {
            assert!(is_function_word(word), "{word}");
        }
        for word in FUNCTION_WORDS.split_whitespace().chain(NUMBER_WORDS) {
            assert_eq!(crate::dialect::fold(word), word);
        }
        assert!(is_function_word("uber") && is_function_word("nicht"));
        assert!(!is_function_word("haus") && !is_function_word("sagen"));
    }
}
