//! Embeds the folder `languages/`, so that a card added there is part of the program without a line of code.
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../languages");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("languages.rs");
    let mut code = String::from("&[\n");
    println!("cargo::rerun-if-changed={}", root.display());
    for folder in entries(&root)?.into_iter().filter(|path| path.is_dir()) {
        writeln!(code, "({:?}, &[", name(&folder)).expect("writing to a string cannot fail");
        for file in entries(&folder)?.into_iter().filter(|path| path.is_file()) {
            println!("cargo::rerun-if-changed={}", file.display());
            let path = fs::canonicalize(&file)?.display().to_string();
            writeln!(code, "({:?}, include_bytes!({path:?})),", name(&file))
                .expect("writing to a string cannot fail");
        }
        code.push_str("]),\n");
    }
    code.push_str("]\n");
    fs::write(out, code)
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?
        .map(|e| e.map(|e| e.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default()
}
