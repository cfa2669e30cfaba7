//! Which files are for one platform only, by their paths, and which questions ask for such.
//!
//! A tree that serves several systems holds the same thing once for each, and a question that names none is asked for
//! the common one. `aix.c` says by its name that it is for few; `win` and `windows` may be about windows on a screen, so they
//! are taken for a platform only where the same place exists for another: `win/` beside `unix/`, `file_windows.go`
//! beside `file_linux.go`.

use crate::place;

/// Systems that few have, by words that mean nothing else.
const RARE: [&str; 11] =
    ["os390", "aix", "sunos", "solaris", "haiku", "hurd", "qnx", "ibmi", "os400", "cygwin", "amigaos"];

/// How the system that is unlike the others is called.
const WINDOWS: [&str; 6] = ["win", "windows", "win32", "win64", "mingw", "msvc"];

/// How those that are alike are called.
const UNIX: [&str; 8] = ["unix", "posix", "linux", "darwin", "macos", "osx", "bsd", "nix"];

/// By file: whether it is for one platform that few questions mean.
pub fn of_tree(paths: &[&str]) -> Vec<bool> {
    let named = |path: &str, names: &[&str]| words(path).any(|(_, word)| is_one_of(word, names));
    // Nearly all paths name no system at all, and are gone through once.
    let candidates: Vec<usize> =
        (0..paths.len()).filter(|&at| words(paths[at]).any(|(_, word)| may_be_a_platform(word))).collect();
    let mut for_one = vec![false; paths.len()];
    candidates.iter().for_each(|&at| for_one[at] = named(paths[at], &RARE));
    let windows: Vec<usize> =
        candidates.iter().copied().filter(|&at| !for_one[at] && named(paths[at], &WINDOWS)).collect();
    if windows.is_empty() {
        return for_one;
    }
    let mut beside: Vec<String> = candidates.iter().flat_map(|&at| places(paths[at], &UNIX)).collect();
    beside.sort_unstable();
    beside.dedup();
    for at in windows {
        for_one[at] = places(paths[at], &WINDOWS).any(|place| beside.binary_search(&place).is_ok());
    }
    for_one
}

/// Whether a word begins with a letter that a platform's name begins with.
fn may_be_a_platform(word: &str) -> bool {
    const FIRSTS: u32 = first_letters(&RARE) | first_letters(&WINDOWS) | first_letters(&UNIX);
    word.as_bytes().first().is_some_and(|letter| letter.is_ascii_alphabetic() && FIRSTS >> (letter & 31) & 1 == 1)
        && matches!(word.len(), 3..=7)
}

/// The first letters of some names, a bit each.
const fn first_letters(names: &[&str]) -> u32 {
    let (mut letters, mut at) = (0, 0);
    while at < names.len() {
        letters |= 1 << (names[at].as_bytes()[0] & 31);
        at += 1;
    }
    letters
}

/// Whether a path names a platform, so that it may matter for others whether it is there.
pub fn names_one(path: &str) -> bool {
    words(path).any(|(_, word)| [&RARE[..], &WINDOWS, &UNIX].into_iter().any(|names| is_one_of(word, names)))
}

fn is_one_of(word: &str, names: &[&str]) -> bool {
    names.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// Whether a question names such a platform.
pub fn is_asked_for(words: &[&str]) -> bool {
    words.iter().any(|word| {
        let is = |name: &&str| word.eq_ignore_ascii_case(name);
        RARE.iter().chain(&WINDOWS).any(is)
    })
}

/// The words of the folders of a path and of its file without endings, each with where it begins.
fn words(path: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_break = |c: char| !c.is_ascii_alphanumeric();
    let stem = &path[..end_of_stem(path)];
    stem.split(is_break).map(move |word| (word.as_ptr() as usize - stem.as_ptr() as usize, word))
}

fn end_of_stem(path: &str) -> usize {
    let file = path.len() - place::file_name(path).len();
    path[file..].find('.').filter(|&at| at > 0).map_or(path.len(), |at| file + at)
}

/// The folders of a path and its file without endings, up to each that is called by one of `names`, with `*` in its place: equal
/// for places that differ in it alone.
fn places<'p>(path: &'p str, names: &'p [&'p str]) -> impl Iterator<Item = String> + 'p {
    words(path).filter(|(_, word)| is_one_of(word, names)).map(|(start, word)| {
        let rest = &path[start + word.len()..end_of_stem(path)];
        let rest = &rest[..rest.find('/').unwrap_or(rest.len())];
        format!("{}*{rest}", &path[..start])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn for_one<'p>(paths: &[&'p str]) -> Vec<&'p str> {
        let flags = of_tree(paths);
        paths.iter().zip(flags).filter(|(_, flag)| *flag).map(|(path, _)| *path).collect()
    }

    #[test]
    fn what_is_beside_another_platform() {
        let paths = ["src/unix/udp.c", "src/win/pipe.c", "lib/file_linux.go", "lib/file_windows.go", "lib/x-win.c"];
        assert_eq!(for_one(&paths), ["src/win/pipe.c", "lib/file_windows.go"]);
        assert_eq!(for_one(&["process/unix/mod.rs", "process/windows.rs"]), ["process/windows.rs"]);
    }

    #[test]
    fn windows_on_a_screen() {
        assert!(for_one(&["ui/windows/main.cs", "ui/dialogs/main.cs", "wm/window.lua", "winnow.rs"]).is_empty());
    }

    #[test]
    fn systems_that_few_have() {
        assert_eq!(
            for_one(&["src/unix/os390.c", "src/unix/linux.c", "é/aix-common.c"]),
            ["src/unix/os390.c", "é/aix-common.c"]
        );
        assert!(for_one(&["haikus.txt", "lib/maxim.c"]).is_empty());
        assert_eq!(for_one(&["äéwin/a.c", "äéunix/a.c"]), ["äéwin/a.c"]);
    }

    #[test]
    fn questions() {
        assert!(is_asked_for(&["named", "pipes", "on", "Windows"]) && !is_asked_for(&["sliding", "window"]));
    }
}
