//! Whether a method translates between the languages of a corpus.

use lydian_model::supported_pair::{Support, is_pair, support};

use super::{Method, MethodError};

impl Method {
    /// Refuses a manifest whose `supported_pairs` holds something else.
    pub(super) fn check_pairs(&self) -> Result<(), MethodError> {
        let manifest = &self.manifest;
        match manifest.supported_pairs.iter().find(|pair| !is_pair(pair)) {
            None => Ok(()),
            Some(pair) => Err(MethodError::Field {
                method_id: manifest.method_id.clone(),
                problem: format!(
                    "supported_pairs holds {pair:?}, which is no pair of language tags such as por-glg"
                ),
            }),
        }
    }

    /// Refuses a corpus whose languages the method does not declare; returns what could not be compared.
    pub fn check_languages(&self, source: &str, target: &str) -> Result<Option<String>, MethodError> {
        self.check_pairs()?;
        let manifest = &self.manifest;
        let refused = |remark| MethodError::Languages {
            method_id: manifest.method_id.clone(),
            pairs: manifest.supported_pairs.join(", "),
            source_language: source.to_owned(),
            target_language: target.to_owned(),
            remark,
        };
        match support(&manifest.supported_pairs, source, target) {
            Support::Yes => Ok(None),
            Support::OtherDirection => Err(refused(": the other direction")),
            Support::No => Err(refused("")),
            Support::Unknown => Ok(Some(format!(
                "{} translates {}; whether the corpus is of such a pair is not known",
                manifest.method_id,
                manifest.supported_pairs.join(", ")
            ))),
        }
    }
}
