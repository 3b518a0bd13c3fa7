//! What criterion measured, from the files that it leaves.

use serde_json::Value;
use std::path::Path;

/// Nanoseconds of a shape of `shl_mod`, or one line that says what is missing and how to make it.
pub fn shl_mod(folder: &Path, shape: &str, bits: u32) -> Result<f64, String> {
    // Criterion makes the folders of an id from its group, its function and its value, without slashes.
    let file = folder.join("shl_mod").join(shape).join(format!("{bits}_portable")).join("new/estimates.json");
    let id = format!("shl_mod/{shape}/{bits}/portable");
    let text = std::fs::read_to_string(&file).map_err(|error| {
        format!("no result for {id} ({}: {error}); make it with: cargo bench --bench shl_mod", file.display())
    })?;
    median(&text)
        .ok_or_else(|| format!("no median for {id} in {}; make it with: cargo bench --bench shl_mod", file.display()))
}

/// The median in a criterion file of estimates, in nanoseconds: less moved by a noisy machine than mean or slope.
fn median(estimates: &str) -> Option<f64> {
    let estimates: Value = serde_json::from_str(estimates).ok()?;
    estimates.get("median")?.get("point_estimate")?.as_f64().filter(|nanoseconds| *nanoseconds > 0.0)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub const ESTIMATES: &str = r#"{
        "mean": {"confidence_interval": {"confidence_level": 0.95, "lower_bound": 1.0, "upper_bound": 3.0},
                 "point_estimate": 2.0, "standard_error": 0.1},
        "median": {"confidence_interval": {"confidence_level": 0.95, "lower_bound": 1.0, "upper_bound": 3.0},
                   "point_estimate": 1.5, "standard_error": 0.1},
        "slope": null
    }"#;

    #[test]
    fn the_median_is_read() {
        assert_eq!(median(ESTIMATES), Some(1.5));
    }

    #[test]
    fn what_is_no_result_gives_none() {
        for text in ["", "{", "[]", r#"{"mean": {"point_estimate": 1}}"#, r#"{"median": {"point_estimate": "1"}}"#] {
            assert_eq!(median(text), None, "{text}");
        }
        assert_eq!(median(&ESTIMATES.replace("1.5", "0.0")), None, "a logarithm needs more than 0");
    }
}
