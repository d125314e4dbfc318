//! Random and adversarial pairs, compared with sacreBLEU itself where it is installed.

use std::path::Path;
use std::process::Command;

#[test]
#[expect(clippy::print_stderr, reason = "a test that is passed over says so")]
fn random_pairs_score_as_in_sacrebleu() {
    let python = Command::new("python3")
        .args(["-c", "import sacrebleu; assert sacrebleu.__version__ == '2.6.0'"])
        .output();
    if !python.is_ok_and(|output| output.status.success()) {
        eprintln!("passed over: sacreBLEU 2.6.0 is not installed (scripts/setup installs it)");
        return;
    }
    // Cargo builds examples beside the tests.
    let test = std::env::current_exe().unwrap();
    let program = test
        .parent()
        .unwrap()
        .with_file_name("examples")
        .join("score-lines");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/metrics-fuzz.py");
    let output = Command::new("python3")
        .arg(script)
        .args(["--pairs", "2000", "--long-pairs", "20"])
        .arg(program)
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}");
    assert!(
        report.contains("2000 pairs, 22 variants, 0 differences"),
        "{report}"
    );
}
