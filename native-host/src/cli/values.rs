//! Values as people type them: sizes, moments, prefixes, extensions.

use std::time::{Duration, SystemTime};

pub use seekwell_settings::size;

/// What `--since` says: a time before now, or a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// So long ago.
    Ago(Duration),
    /// The beginning of a day, UTC, as seconds from 1970.
    Day(u64),
}

impl Since {
    /// The moment, given that it is `now`. A time before 1970 is 1970.
    pub fn moment(self, now: SystemTime) -> SystemTime {
        match self {
            Self::Ago(ago) => now.checked_sub(ago).unwrap_or(SystemTime::UNIX_EPOCH),
            Self::Day(seconds) => SystemTime::UNIX_EPOCH + Duration::from_secs(seconds),
        }
    }
}

/// Reads `30m`, `3h`, `2d`, `1w`, or `2026-01-31`.
pub fn since(text: &str) -> Result<Since, String> {
    let wrong = || "write it as 30m, 3h, 2d, 1w or 2026-01-31".to_owned();
    let text = text.trim();
    if let [year, month, day] = text.split('-').collect::<Vec<_>>()[..] {
        return self::day(year, month, day).map(Since::Day).ok_or_else(wrong);
    }
    let unit_at = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
    let (digits, unit) = text.split_at(unit_at);
    let seconds: u64 = match unit.trim_start() {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(seconds).map(|s| Since::Ago(Duration::from_secs(s))).ok_or_else(wrong)
}

/// Seconds from 1970 to the beginning of a day of the Gregorian calendar, UTC.
fn day(year: &str, month: &str, day: &str) -> Option<u64> {
    let number = |text: &str, width: usize| {
        (text.len() == width && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<u64>().ok()).flatten()
    };
    let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
    let leap = |y: u64| y.is_multiple_of(4) && !y.is_multiple_of(100) || y.is_multiple_of(400);
    let february = 28 + u64::from(leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *lengths.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    if year < 1970 || day == 0 || day > length {
        return None;
    }
    let years: u64 = (1970..year).map(|y| 365 + u64::from(leap(y))).sum();
    let months: u64 = lengths.iter().take(month as usize - 1).sum();
    Some((years + months + day - 1) * 86_400)
}

/// A path prefix relative to the root, as answers write paths: `./src/` is `src`. `None` if it leads out of the root.
pub fn prefix(text: &str) -> Option<String> {
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!text.starts_with('/') && !parts.contains(&"..")).then(|| parts.join("/"))
}

/// An extension without its dot: `.rs` and `*.rs` are `rs`.
pub fn extension(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = text.strip_prefix('*').unwrap_or(text).trim_start_matches('.');
    (!bare.is_empty()).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(
            (size("0"), size("4096"), size("500k"), size("10M"), size("1GiB")),
            (Ok(0), Ok(4096), Ok(512_000), Ok(10 << 20), Ok(1 << 30))
        );
        for wrong in ["", "M", "-1", "1.5M", "1T", "99999999999999999999", "99999999999G", "１"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn moments() {
        assert_eq!(since("2d"), Ok(Since::Ago(Duration::from_secs(172_800))));
        assert_eq!(since("1w"), Ok(Since::Ago(Duration::from_secs(604_800))));
        assert_eq!(since("30m"), Ok(Since::Ago(Duration::from_secs(1_800))));
        // `date -u -d 2026-01-31 +%s`
        assert_eq!(since("2026-01-31"), Ok(Since::Day(1_769_817_600)));
        assert_eq!(since("2024-02-29"), Ok(Since::Day(1_709_164_800)));
        assert_eq!(since("1970-01-01"), Ok(Since::Day(0)));
        for wrong in [
            "",
            "d",
            "2",
            "2 years",
            "2026-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-1-1",
            "1969-12-31",
            "-3d",
            "9999999999999999999w",
            "2026-01-31-1",
            "٣d",
        ] {
            assert!(since(wrong).is_err(), "{wrong}");
        }
        let long_ago = Since::Ago(Duration::from_secs(u64::MAX)).moment(SystemTime::now());
        assert_eq!(long_ago, SystemTime::UNIX_EPOCH);
    }

    #[test]
    fn prefixes_and_extensions() {
        assert_eq!(prefix("./src//a/"), Some("src/a".to_owned()));
        assert_eq!((prefix("."), prefix("")), (Some(String::new()), Some(String::new())));
        assert_eq!((prefix("../a"), prefix("a/../b"), prefix("/etc")), (None, None, None));
        assert_eq!(prefix("a..b"), Some("a..b".to_owned()));
        assert_eq!(extension("*.rs"), Some("rs".to_owned()));
        assert_eq!((extension(" .d.ts"), extension("*."), extension("")), (Some("d.ts".to_owned()), None, None));
    }
}
