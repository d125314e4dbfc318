//! Runs, imports and reports on a disk that is full: a small memory disk, which only root can mount.
#![cfg(target_os = "linux")]

use std::process::Command;

use super::workshop::{Workshop, comparable};

/// A memory disk at `disk` in a workshop, taken away at the end.
struct Disk(std::path::PathBuf);

impl Disk {
    /// Mounts a disk of so many KiB, `None` without the right to.
    fn mount(shop: &Workshop, kibibytes: u32) -> Option<Self> {
        let at = shop.path("disk");
        std::fs::create_dir(&at).expect("a folder");
        let disk = Self(at);
        disk.sized("nodev,nosuid", kibibytes).then_some(disk)
    }

    fn grow(&self, kibibytes: u32) {
        assert!(self.sized("remount", kibibytes));
    }

    fn sized(&self, options: &str, kibibytes: u32) -> bool {
        Command::new("mount")
            .args([
                "-t",
                "tmpfs",
                "-o",
                &format!("{options},size={kibibytes}k"),
                "lydian-test",
            ])
            .arg(&self.0)
            .output()
            .is_ok_and(|output| output.status.success())
    }

    fn names(&self) -> Vec<String> {
        let items = std::fs::read_dir(&self.0).expect("the disk");
        items
            .map(|item| item.expect("an item").file_name().to_string_lossy().into_owned())
            .collect()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg(&self.0).output());
    }
}

#[expect(clippy::print_stderr, reason = "a test that is left out says why")]
#[test]
fn on_a_full_disk_nothing_is_left_half_written_and_a_run_goes_on_when_there_is_room() {
    let shop = Workshop::new();
    shop.write_corpus(120);
    let Some(disk) = Disk::mount(&shop, 8) else {
        eprintln!("skipped: only root can mount a memory disk");
        return;
    };
    shop.lydian(&["corpus", "import", "corpus.json", "--out", "disk/imported.json"])
        .expect(1)
        .says("cannot write disk/imported.json")
        .says("No space left");
    shop.lydian(&["run", "corpus.json", "--method", "copy", "--out", "whole"])
        .expect(0);
    shop.lydian(&["report", "whole", "--out", "disk/report.html"])
        .expect(1)
        .says("cannot write disk/report.html");
    assert_eq!(disk.names(), Vec::<String>::new());

    let journal = std::fs::metadata(shop.path("whole/journal.jsonl"))
        .expect("a journal")
        .len();
    let room = u32::try_from(journal / 1024).expect("a small journal") + 24;
    let run = ["run", "corpus.json", "--method", "copy", "--out", "disk/r"];
    shop.lydian(&run)
        .expect(1)
        .says("`lydian resume disk/r`")
        .never_says("panicked");
    std::fs::remove_dir_all(shop.path("disk/r")).expect("the part of a run");
    disk.grow(room);
    shop.lydian(&run)
        .expect(1)
        .says("cannot write disk/r/run-card.json")
        .says("`lydian resume disk/r`");
    disk.grow(10 * room);
    shop.lydian(&["resume", "disk/r"]).expect(0);
    assert_eq!(comparable(shop.card("disk/r")), comparable(shop.card("whole")));
}
