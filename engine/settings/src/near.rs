//! What a word may be a slip of.

/// The names that `typed` may be a slip of, nearest first, at most three.
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let typed: Vec<char> = typed.to_lowercase().chars().take(64).collect();
    let allowed = 1 + typed.len() / 4;
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let letters: Vec<char> = name.to_lowercase().chars().collect();
        let begins =
            typed.len() >= 2 && (letters.starts_with(&typed) || typed.starts_with(&letters) && letters.len() >= 3);
        let distance = if begins { 1 } else { distance(&typed, &letters) };
        if distance <= allowed && !near.iter().any(|(_, seen)| *seen == name) {
            near.push((distance, name));
        }
    }
    near.sort();
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// Edits from one word to the other: letters added, dropped, replaced, or two neighbours swapped.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (above[j] + 1).min(row[j - 1] + 1).min(above[j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let d = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!((d("", "ab"), d("ab", "ba"), d("kitten", "sitting"), d("é", "e")), (2, 1, 3, 1));
        assert_eq!(nearest("java", ["javascript", "lua", "rust"]), ["javascript"]);
        assert!(nearest(&"x".repeat(100_000), ["java"]).is_empty());
    }
}
