//! What is kept between questions is called by what it was made of. The names are made here, so that a folder on disk and
//! a database in a browser call the same thing the same.
//!
//! All names are the first 16 bytes of a blake3 hash, each kind in a domain of its own.

#![deny(missing_docs)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types, reason = "values in, values out: see clippy.toml")]

/// A name.
pub type Name = [u8; 16];

/// A file that was changed so shortly before it was looked at can be changed once more without a visible trace, since
/// clocks of file systems tick: it is hashed again next time. FAT's clock, the slowest, ticks every two seconds. In
/// nanoseconds.
pub const RACY: i64 = 2_000_000_000;

/// The name of a file's analysis: of the engine, of what counts of the path, and of the content. Analyses are kept with what
/// the embedding table needs; keyword search ignores it.
pub fn analysis(fingerprint: &str, path_class: &str, content: &Name) -> Name {
    let mut hasher = blake3::Hasher::new_derive_key("seekwell analysis of a file");
    for part in [fingerprint.as_bytes(), path_class.as_bytes()] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    hasher.update(content);
    first(&hasher)
}

/// The name of a generation: of its files, by path, and their analyses, whose names hold the engine's fingerprint.
pub fn generation<'f>(files: impl IntoIterator<Item = (&'f str, &'f Name)>) -> Name {
    let mut hasher = blake3::Hasher::new_derive_key("seekwell generation of a tree");
    for (path, analysis) in files {
        hasher.update(&(path.len() as u64).to_le_bytes()).update(path.as_bytes()).update(analysis);
    }
    first(&hasher)
}

/// A generation differs from another by so many files that it is made anew: 8, and one of 64. Below, bringing it up to date
/// costs a question a tenth of that or less.
pub const fn is_near(changes: usize, files: usize) -> bool {
    changes <= 8 + files / 64
}

fn first(hasher: &blake3::Hasher) -> Name {
    hasher.finalize().as_bytes()[..16].try_into().expect("a hash has 32 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_everything_apart() {
        let name = |engine, class, content: u8| analysis(engine, class, &[content; 16]);
        let all = [name("a", "rs", 1), name("b", "rs", 1), name("a", "py", 1), name("a", "rs", 2), name("ar", "s", 1)];
        for (i, one) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|other| other != one));
        }
        let [one, two] = [[1; 16], [2; 16]];
        let trees = [&[("a", &one)][..], &[("a", &two)], &[("b", &one)], &[("a", &one), ("b", &two)], &[]];
        for (i, tree) in trees.iter().enumerate() {
            let of = |tree: &[(&'static str, &Name)]| generation(tree.iter().map(|(path, name)| (*path, *name)));
            assert!(trees[i + 1..].iter().all(|other| of(other) != of(tree)));
        }
    }

    #[test]
    fn names_stay_what_they_are() {
        // A store on disk is found again by these; whoever changes them loses what all users have kept.
        assert_eq!(hex(&analysis("engine", "rs", &[7; 16])), HEX.0);
        assert_eq!(hex(&generation([("a", &[7; 16])])), HEX.1);
    }

    const HEX: (&str, &str) = ("061bfc09a85a18eb6f39e0f5f46bfafc", "5dccd01f0cb1ab4b8871fdaa737cb5ce");

    fn hex(name: &Name) -> String {
        name.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
