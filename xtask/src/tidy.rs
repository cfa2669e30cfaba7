//! The house rules that a compiler does not hold.

use anyhow::Result;

/// Runs every rule.
pub fn run() -> Result<()> {
    Ok(())
}
