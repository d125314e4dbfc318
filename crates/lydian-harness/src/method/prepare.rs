//! Making a method ready to translate.

use std::sync::Arc;

use lydian_model::method::EntryPoint;
use serde_json::Value;

use super::copy::Copy;
use super::replay::{Recorded, RecordedCost, Replay};
use super::{Method, MethodError, MethodSetup, PrepareOptions, Prepared, apertium, command, service};

/// Makes a method ready. Recorded outputs take the place of any entry point, and the setup says so.
pub fn prepare(method: &Method, options: PrepareOptions) -> Result<Prepared, MethodError> {
    if let EntryPoint::Human { attestation, .. } = &method.manifest.entry_point {
        service::check_attestation(method, attestation)?;
    }
    if let Some(recorded) = options.recorded {
        return replay(method, recorded);
    }
    match &method.manifest.entry_point {
        EntryPoint::Copy {} => Ok(Prepared {
            translator: Arc::new(Copy),
            setup: MethodSetup::plain(method, "copy".into())?,
            concurrency: 1,
            excluded: Vec::new(),
        }),
        EntryPoint::Command { command } => command::prepare(method, command, &options),
        EntryPoint::Apertium { mode } => apertium::prepare(method, mode, &options),
        EntryPoint::Replay { .. } | EntryPoint::Human { .. } => Err(MethodError::NoPredictions {
            method_id: method.manifest.method_id.clone(),
        }),
        EntryPoint::Provider { .. } => service::prepare_provider(method, &options.service),
        EntryPoint::Plugin { command, .. } => service::prepare_plugin(method, command, &options.service),
    }
}

fn replay(method: &Method, recorded: Recorded) -> Result<Prepared, MethodError> {
    let (slug, cost) = match &method.manifest.entry_point {
        EntryPoint::Apertium { mode } => (apertium::model_slug(mode), RecordedCost::Local),
        EntryPoint::Copy {} => ("copy".into(), RecordedCost::Local),
        EntryPoint::Command { command } => (command::model_slug(command), RecordedCost::Local),
        EntryPoint::Replay {
            engine: Some(engine), ..
        } => (engine.clone(), RecordedCost::Unknown),
        EntryPoint::Human { .. } => ("human".into(), RecordedCost::Unknown),
        EntryPoint::Replay { .. } | EntryPoint::Provider { .. } | EntryPoint::Plugin { .. } => {
            ("replay".into(), RecordedCost::Unknown)
        }
    };
    let mut setup = MethodSetup::plain(method, slug)?;
    let digest = Value::from(recorded.sha256().as_str());
    setup.parameters.insert("predictions_sha256".into(), digest);
    Ok(Prepared {
        translator: Arc::new(Replay::new(recorded, cost)),
        setup,
        concurrency: 1,
        excluded: Vec::new(),
    })
}
