//! IndexedDB as a store: the same things under the same names as in the store on disk.
//!
//! ```text
//! skeletons  name of an analysis          -> hash, what an analysis can be made of without parsing
//! snapshots  name of a generation         -> hash, what questions are answered from
//! rests      name of a generation:number  -> hash, a part of what else an update needs
//! trees      key of a folder              -> what a list of folders shows, with the folder's handle
//! manifests  key of a folder              -> its files as they were seen last
//! ```
//!
//! Values of the first three begin with the first 16 bytes of the blake3 hash of the rest, checked when read: what is damaged is
//! removed, and as good as absent. What belongs together is written in one transaction.

use indexed_db_futures::KeyRange;
use indexed_db_futures::database::Database;
use indexed_db_futures::error::{DomException, Error as DbError, OpenDbError, UnexpectedDataError};
use indexed_db_futures::factory::DBFactory;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::TransactionMode;
use js_sys::{Array, Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::{Result, coded, words};
use crate::values::hex;

const SKELETONS: &str = "skeletons";
const SNAPSHOTS: &str = "snapshots";
const RESTS: &str = "rests";
const TREES: &str = "trees";
const MANIFESTS: &str = "manifests";
const ALL: [&str; 5] = [SKELETONS, SNAPSHOTS, RESTS, TREES, MANIFESTS];

/// Layout of the database. Whoever changes it makes all stores anew: nothing in them cannot be made again.
const VERSION: u8 = 2;

/// Bytes of the hash before each value.
const SEAL: usize = 16;

/// The name of a file's analysis, in hexadecimal. `content` is its {@link contentHash}.
#[wasm_bindgen(js_name = analysisName)]
pub fn analysis_name(fingerprint: &str, path_class: &str, content: &str) -> Result<String> {
    Ok(hex(&seekwell_keep::analysis(fingerprint, path_class, &name(content)?)))
}

/// The name of a generation, in hexadecimal: of its files, by path, and the names of their analyses.
#[wasm_bindgen(js_name = generationName)]
pub fn generation_name(paths: Vec<String>, analyses: Vec<String>) -> Result<String> {
    let names: Vec<_> = analyses.iter().map(|text| name(text)).collect::<Result<_>>()?;
    let files = paths.iter().map(String::as_str).zip(&names);
    Ok(hex(&seekwell_keep::generation(files)))
}

/// Whether so many changes in so many files are worth an update in place of a new generation.
#[wasm_bindgen(js_name = isNear)]
pub fn is_near(changes: u32, files: u32) -> bool {
    seekwell_keep::is_near(changes as usize, files as usize)
}

/// How long before it was looked at a file must have been changed last for its time of change to be trusted, in milliseconds.
#[wasm_bindgen(js_name = racyMilliseconds)]
pub fn racy_milliseconds() -> f64 {
    seekwell_keep::RACY as f64 / 1e6
}

fn name(text: &str) -> Result<seekwell_keep::Name> {
    let bad = || coded("engine", "a name has 32 digits");
    let digits = text.as_bytes();
    let mut name = [0; 16];
    if digits.len() != 32 || !text.is_ascii() {
        return Err(bad());
    }
    for (byte, pair) in name.iter_mut().zip(0..16) {
        *byte = u8::from_str_radix(&text[pair * 2..pair * 2 + 2], 16).map_err(|_| bad())?;
    }
    Ok(name)
}

/// A database of this origin. Errors are of code `storage-full` if there is no room,
/// `storage-aborted` if the browser did not write and does not say why, else `storage`.
#[wasm_bindgen]
pub struct Store(Database);

#[wasm_bindgen]
impl Store {
    /// Opens it, or makes it. `blocked` is called if another tab that holds an older layout keeps it from being opened; the
    /// promise goes on waiting for that tab then.
    pub async fn open(name: String, blocked: Function) -> Result<Store> {
        let request = Database::open(name)
            .with_version(VERSION)
            .with_on_upgrade_needed(|_, db| {
                for old in db.object_store_names() {
                    db.delete_object_store(&old)?;
                }
                ALL.iter().try_for_each(|store| db.create_object_store(*store).build().map(drop))
            })
            .with_on_blocked(move |_| {
                // What a listener throws is its own affair.
                let _ = blocked.call0(&JsValue::UNDEFINED);
                Ok(())
            });
        request.await.map(Self).map_err(|error| not_opened(&error))
    }

    /// Whether there is an IndexedDB at all.
    #[wasm_bindgen(js_name = isThere)]
    pub fn is_there() -> bool {
        DBFactory::new().is_ok()
    }

    /// Lets go of the database.
    pub fn close(self) {
        self.0.close();
    }

    /// The skeletons of these names of analyses, in their order; undefined for what is not here. Names of damaged ones are added
    /// to `damaged`.
    pub async fn skeletons(&self, names: Vec<String>, damaged: Array) -> Result<Array> {
        self.sealed(SKELETONS, names, &damaged).await
    }

    /// Keeps skeletons, all or none.
    #[wasm_bindgen(js_name = putSkeletons)]
    pub async fn put_skeletons(&self, names: Vec<String>, skeletons: Vec<Uint8Array>) -> Result<()> {
        let transaction =
            self.0.transaction(SKELETONS).with_mode(TransactionMode::Readwrite).build().map_err(failed)?;
        let store = transaction.object_store(SKELETONS).map_err(failed)?;
        for (name, skeleton) in names.iter().zip(&skeletons) {
            store.put(seal(skeleton)).with_key(name.as_str()).with_key_type::<JsValue>().primitive().map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }

    /// What questions are answered from, of the generation of this name.
    pub async fn snapshot(&self, name: String, damaged: Array) -> Result<JsValue> {
        Ok(self.sealed(SNAPSHOTS, vec![name], &damaged).await?.get(0))
    }

    /// Parts of what else an update needs, of the generation of this name, by number; undefined for what is not here. If one is
    /// damaged, the name is added to `damaged`.
    pub async fn rest(&self, name: String, numbers: Vec<u32>, damaged: Array) -> Result<Array> {
        let keys = numbers.iter().map(|number| part(&name, *number as usize)).collect();
        let broken = Array::new();
        let parts = self.sealed(RESTS, keys, &broken).await?;
        if broken.length() > 0 {
            damaged.push(&name.into());
        }
        Ok(parts)
    }

    /// Keeps a snapshot, whole or not at all.
    #[wasm_bindgen(js_name = putSnapshot)]
    pub async fn put_snapshot(&self, name: String, searchable: Uint8Array, rest: Vec<Uint8Array>) -> Result<()> {
        let stores = [SNAPSHOTS, RESTS];
        let transaction = self.0.transaction(stores).with_mode(TransactionMode::Readwrite).build().map_err(failed)?;
        let [snapshots, rests] = stores.map(|store| transaction.object_store(store).map_err(failed));
        let (snapshots, rests) = (snapshots?, rests?);
        let put = snapshots.put(seal(&searchable)).with_key(name.as_str()).with_key_type::<JsValue>();
        put.primitive().map_err(failed)?;
        for (number, bytes) in rest.iter().enumerate() {
            let key = part(&name, number);
            rests.put(seal(bytes)).with_key(key.as_str()).with_key_type::<JsValue>().primitive().map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }

    /// What a list of folders shows, in no order.
    pub async fn trees(&self) -> Result<Array> {
        let transaction = self.0.transaction(TREES).build().map_err(failed)?;
        let store = transaction.object_store(TREES).map_err(failed)?;
        let all = store.get_all::<JsValue>().primitive().map_err(failed)?.await.map_err(failed)?;
        all.map(|tree| tree.map_err(failed)).collect()
    }

    /// The manifest of a folder; undefined if there is none.
    pub async fn manifest(&self, key: String) -> Result<JsValue> {
        let transaction = self.0.transaction(MANIFESTS).build().map_err(failed)?;
        let store = transaction.object_store(MANIFESTS).map_err(failed)?;
        let found = store.get::<JsValue, _, _>(key.as_str()).primitive().map_err(failed)?.await.map_err(failed)?;
        Ok(found.unwrap_or(JsValue::UNDEFINED))
    }

    /// Keeps what is known of a folder: what a list shows, and its manifest, if there is one.
    #[wasm_bindgen(js_name = putTree)]
    pub async fn put_tree(&self, key: String, tree: JsValue, manifest: JsValue) -> Result<()> {
        let stores = [TREES, MANIFESTS];
        let transaction = self.0.transaction(stores).with_mode(TransactionMode::Readwrite).build().map_err(failed)?;
        for (store, value) in stores.into_iter().zip([tree, manifest]) {
            if value.is_undefined() {
                continue;
            }
            let store = transaction.object_store(store).map_err(failed)?;
            store.put(value).with_key(key.as_str()).with_key_type::<JsValue>().primitive().map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }

    /// Forgets a folder. What only it used is garbage from then on.
    pub async fn forget(&self, key: String) -> Result<()> {
        let stores = [TREES, MANIFESTS];
        let transaction = self.0.transaction(stores).with_mode(TransactionMode::Readwrite).build().map_err(failed)?;
        for store in stores {
            let store = transaction.object_store(store).map_err(failed)?;
            store.delete(key.as_str()).primitive().map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }

    /// Forgets everything.
    #[wasm_bindgen(js_name = forgetAll)]
    pub async fn forget_all(&self) -> Result<()> {
        let transaction = self.0.transaction(ALL).with_mode(TransactionMode::Readwrite).build().map_err(failed)?;
        for store in ALL {
            transaction.object_store(store).map_err(failed)?.clear().map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }

    /// Names of all analyses of which there is a skeleton, and of all generations.
    #[wasm_bindgen(js_name = names)]
    pub async fn names(&self) -> Result<Array> {
        let transaction = self.0.transaction([SKELETONS, SNAPSHOTS]).build().map_err(failed)?;
        let lists = Array::new();
        for store in [SKELETONS, SNAPSHOTS] {
            let store = transaction.object_store(store).map_err(failed)?;
            let keys = store.get_all_keys::<JsValue>().primitive().map_err(failed)?.await.map_err(failed)?;
            let keys: Array = keys.map(|key| key.map_err(failed)).collect::<Result<_>>()?;
            lists.push(&keys);
        }
        Ok(lists)
    }

    /// Removes skeletons and generations.
    pub async fn remove(&self, skeletons: Vec<String>, generations: Vec<String>) -> Result<()> {
        let stores = [SKELETONS, SNAPSHOTS, RESTS];
        let transaction = self.0.transaction(stores).with_mode(TransactionMode::Readwrite).build().map_err(failed)?;
        for (store, names) in stores.into_iter().zip([&skeletons, &generations]) {
            let store = transaction.object_store(store).map_err(failed)?;
            for name in names {
                store.delete(name.as_str()).primitive().map_err(failed)?;
            }
        }
        let rests = transaction.object_store(RESTS).map_err(failed)?;
        for name in &generations {
            // All keys that begin with the name and a colon; the next character is a semicolon.
            let parts = KeyRange::Bound(format!("{name}:"), false, format!("{name};"), true);
            rests.delete::<String, _>(parts).primitive().map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }
}

impl Store {
    async fn sealed(&self, of: &str, names: Vec<String>, damaged: &Array) -> Result<Array> {
        let transaction = self.0.transaction(of).build().map_err(failed)?;
        let store = transaction.object_store(of).map_err(failed)?;
        let asked: Vec<_> = names
            .iter()
            .map(|name| store.get::<JsValue, _, _>(name.as_str()).primitive())
            .collect::<std::result::Result<_, _>>()
            .map_err(failed)?;
        let values = Array::new();
        for (asked, name) in asked.into_iter().zip(&names) {
            let found = asked.await.map_err(failed)?;
            let opened = found.as_ref().map(open_sealed);
            if opened.as_ref().is_some_and(Option::is_none) {
                damaged.push(&name.as_str().into());
            }
            values.push(&opened.flatten().map_or(JsValue::UNDEFINED, JsValue::from));
        }
        Ok(values)
    }
}

/// The key of a part of what an update needs.
fn part(name: &str, number: usize) -> String {
    format!("{name}:{number}")
}

fn seal(bytes: &Uint8Array) -> JsValue {
    let hash = blake3::hash(&bytes.to_vec());
    let sealed = Uint8Array::new_with_length(bytes.length() + SEAL as u32);
    sealed.subarray(0, SEAL as u32).copy_from(&hash.as_bytes()[..SEAL]);
    sealed.set(bytes, SEAL as u32);
    sealed.into()
}

fn open_sealed(value: &JsValue) -> Option<Uint8Array> {
    let sealed: &Uint8Array = value.dyn_ref()?;
    let bytes = sealed.to_vec();
    let (seal, content) = bytes.split_at_checked(SEAL)?;
    (blake3::hash(content).as_bytes()[..SEAL] == *seal).then(|| sealed.subarray(SEAL as u32, sealed.length()))
}

fn not_opened(error: &OpenDbError) -> JsValue {
    coded("storage", &error.to_string())
}

fn failed(error: impl Into<DbError>) -> JsValue {
    let error = error.into();
    let exception: Option<web_sys::DomException> = match error {
        DbError::DomException(exception) => Some(DomException::into(exception)),
        // The crate does not tell why a transaction was aborted that nobody here aborts: mostly there is no room.
        DbError::MissingData(UnexpectedDataError::TransactionAborted) => {
            return coded("storage-aborted", "the browser did not write");
        }
        other => return coded("storage", &other.to_string()),
    };
    let name = exception.as_ref().map(web_sys::DomException::name).unwrap_or_default();
    let message = exception.map(|e| words(&e.into())).unwrap_or_default();
    let code = if name == "QuotaExceededError" { "storage-full" } else { "storage" };
    coded(code, &format!("{name}: {message}"))
}
