//! The table that is compiled in is the one whose making is recorded.

use std::path::Path;

/// What `xtask model` wrote beside the table.
#[test]
fn files_are_those_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/static-code-16k-128-int8");
    let record = std::fs::read_to_string(folder.join("BLAKE3SUMS")).expect("the record is there");
    let mut recorded = Vec::new();
    for line in record.lines() {
        let (hash, name) = line.split_once("  ").expect("`hash  name`, as b3sum writes it");
        let bytes = std::fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(blake3::hash(&bytes).to_hex().as_str(), hash, "{name}: remake the table or restore the file");
        recorded.push(name);
    }
    let files = std::fs::read_dir(&folder).expect("the table's folder").flatten();
    let names = files.map(|file| file.file_name().into_string().expect("UTF-8"));
    let mut there: Vec<String> = names.filter(|name| name != "BLAKE3SUMS").collect();
    there.sort();
    recorded.sort();
    assert_eq!(recorded, there, "each file of the table is recorded");
}
