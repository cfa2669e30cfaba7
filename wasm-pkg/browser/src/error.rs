//! Errors as JavaScript's `Error`, with a `code` that a caller can act on.

use js_sys::{JsString, Reflect};
use seekwell_core::error::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};

/// What a function that can fail gives to JavaScript.
pub type Result<T> = std::result::Result<T, JsValue>;

/// An error with this code.
pub fn coded(code: &str, message: &str) -> JsValue {
    let error: JsValue = js_sys::Error::new(message).into();
    // An object that was made just now takes any property.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error
}

/// A value from JavaScript; what does not have its shape is an error of code `argument`.
pub fn read<T: Tsify + DeserializeOwned>(value: &Ts<T>) -> Result<T>
where
    T::JsType: Clone,
{
    value.to_rust().map_err(|error| coded("argument", &error.to_string()))
}

/// A value for JavaScript.
pub fn write<T: Tsify + Serialize>(value: T) -> Result<Ts<T>> {
    value.into_ts().map_err(|error| coded("engine", &error.to_string()))
}

/// An error of the engine.
pub fn engine(error: Error) -> JsValue {
    let code = match error {
        Error::EmptyQuery => "empty-query",
        Error::Pattern(_) => "pattern",
        Error::Glob(_) => "glob",
        Error::Blob => "blob",
        Error::Snapshot => "snapshot",
        Error::NotCommitted => "not-committed",
        _ => "engine",
    };
    coded(code, &error.to_string())
}

/// What was thrown, in words.
pub fn words(thrown: &JsValue) -> String {
    let property = |name: &str| Reflect::get(thrown, &name.into()).ok()?.dyn_into::<JsString>().ok().map(String::from);
    property("message").or_else(|| thrown.as_string()).unwrap_or_else(|| "unknown".to_owned())
}
