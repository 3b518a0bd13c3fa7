//! What criterion measured, from the files that it leaves.

use serde_json::Value;
use std::path::Path;

/// The sizes that benches/shl_mod.rs measures, in bits.
pub const SIZES: [u32; 9] = [256, 384, 512, 521, 1024, 1536, 2048, 3072, 4096];

/// Nanoseconds of one shape at each size.
pub type Series = Vec<(u32, f64)>;

/// All sizes of a shape of `shl_mod`, or one line that says what is missing and how to make it.
pub fn series(criterion: &Path, shape: &str) -> Result<Series, String> {
    SIZES.into_iter().map(|bits| Ok((bits, one(criterion, shape, bits)?))).collect()
}

fn one(criterion: &Path, shape: &str, bits: u32) -> Result<f64, String> {
    // Criterion makes the folders of an id from its group, its function and its value, without slashes.
    let file = criterion.join("shl_mod").join(shape).join(format!("{bits}_portable")).join("new/estimates.json");
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
mod tests {
    use super::*;

    const ESTIMATES: &str = r#"{
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

    #[test]
    fn a_series_holds_every_size_and_names_what_is_missing() {
        let criterion = std::env::temp_dir().join(format!("plots-{}", std::process::id()));
        for bits in SIZES {
            let folder = criterion.join(format!("shl_mod/words/{bits}_portable/new"));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("estimates.json"), ESTIMATES).unwrap();
        }
        assert_eq!(series(&criterion, "words"), Ok(SIZES.map(|bits| (bits, 1.5)).to_vec()));
        std::fs::remove_dir_all(criterion.join("shl_mod/words/521_portable")).unwrap();
        let error = series(&criterion, "words").unwrap_err();
        std::fs::remove_dir_all(&criterion).unwrap();
        assert!(
            error.contains("shl_mod/words/521/portable") && error.contains("cargo bench --bench shl_mod"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1);
    }
}
