#!/usr/bin/env python3
"""Kills `lydian run` with SIGKILL at 20 random points and compares the resumed card with an uninterrupted one.

    scripts/deep/kill_and_resume.py PROGRAM [SEED]
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ENTRIES = 600
KILLS = 20
# What two executions of one run may differ in.
CARD = ["run_id", "timestamp", "elapsed_seconds", "run_card_hash"]
SLOW = "while IFS= read -r line; do sleep 0.005; printf '%s\\n' \"${line%% *}\"; done\n"


def comparable(folder):
    card = json.loads((folder / "run-card.json").read_text(encoding="utf-8"))
    for field in CARD:
        del card[field]
    timed = [name for name in card["scores"] if "latency" in name or "per_second" in name or "per_minute" in name]
    for name in timed:
        del card["scores"][name]
    for result in card["results"]:
        del result["latency_s"]
    return card


def main():
    program = os.path.abspath(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1_000_000
    print(f"seed {seed}")
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        entries = [
            {"id": n, "source": f"word{n} of text", "reference": f"R {n}", "segment": "development"}
            for n in range(1, ENTRIES + 1)
        ]
        dataset = {
            "id": "c", "version": "1.0.0", "language_pair": "pt→gl", "source_language": "pt", "target_language": "gl",
            "created": "2026-11-30", "license": "CC0-1.0", "provenance": ["textbook"],
        }
        (folder / "corpus.json").write_text(json.dumps({"dataset": dataset, "entries": entries}), encoding="utf-8")
        (folder / "slow.sh").write_text(SLOW, encoding="utf-8")
        method = ["run", "corpus.json", "--method", "command:sh slow.sh", "--out"]

        def lydian(*arguments, **options):
            return subprocess.Popen([program, "--quiet", *arguments], cwd=folder, stdout=subprocess.DEVNULL, **options)

        assert lydian(*method, "whole").wait() == 0
        kills = 0
        finished = False
        while kills < KILLS and not finished:
            began = (folder / "run").exists()
            process = lydian("resume", "run") if began else lydian(*method, "run")
            try:
                finished = process.wait(timeout=dice.uniform(0.02, 0.35)) == 0
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
        print(f"{kills} kills")
        assert lydian("resume", "run").wait() == 0
        journal = (folder / "run" / "journal.jsonl").read_text(encoding="utf-8")
        answers = journal.count('"type":"answer"')
        assert answers == ENTRIES, f"{answers} answers for {ENTRIES} entries"
        assert comparable(folder / "run") == comparable(folder / "whole"), "the cards differ"
        left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        print(f"same card; folders left aside by kills: {len(left)}")


if __name__ == "__main__":
    main()
