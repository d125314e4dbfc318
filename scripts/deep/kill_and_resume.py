#!/usr/bin/env python3
"""Kills `lydian run` with SIGKILL at 20 random points and compares the resumed card with an uninterrupted one: once over
a program that answers line by line, once over the fake provider, whose own count says how many calls were repeated.

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
import urllib.request

ENTRIES = 600
KILLS = 20
CONCURRENCY = 4
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
        # The provider numbers its requests; that is its own business.
        (result["served"] or {}).pop("request_id", None)
    return card


def killed_and_resumed(dice, lydian, folder, method, name):
    """Runs `method` whole and again with kills; checks journal and card; returns the number of kills."""
    whole, killed = folder / f"{name}-whole", folder / f"{name}-killed"
    assert lydian(*method, whole.name).wait() == 0
    kills = 0
    finished = False
    while kills < KILLS and not finished:
        process = lydian("resume", killed.name) if killed.exists() else lydian(*method, killed.name)
        try:
            finished = process.wait(timeout=dice.uniform(0.02, 0.35)) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    assert lydian("resume", killed.name).wait() == 0
    journal = (killed / "journal.jsonl").read_text(encoding="utf-8")
    answers = journal.count('"type":"answer"')
    assert answers == ENTRIES, f"{answers} answers for {ENTRIES} entries"
    assert comparable(killed) == comparable(whole), "the cards differ"
    return kills


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

        def lydian(*arguments):
            return subprocess.Popen(
                [program, "--quiet", *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )

        by_line = ["run", "corpus.json", "--method", "command:sh slow.sh", "--out"]
        kills = killed_and_resumed(dice, lydian, folder, by_line, "program")
        print(f"program: {kills} kills, the same card")

        server = subprocess.Popen([program, "fake-provider"], stdout=subprocess.PIPE, text=True)
        url = server.stdout.readline().strip()

        def requests():
            with urllib.request.urlopen(f"{url}/__lydian/stats") as answer:
                return json.load(answer)["requests"]

        try:
            assert lydian("method", "init", "raw-llm", "m", "--model", "m-slow-20").wait() == 0
            asked = ["run", "corpus.json", "--method", "m", "--base-url", url, "--concurrency", str(CONCURRENCY), "--out"]
            kills = killed_and_resumed(dice, lydian, folder, asked, "provider")
            repeated = requests() - 2 * ENTRIES
            assert 0 <= repeated <= CONCURRENCY * kills, f"{repeated} calls repeated by {kills} kills"
            print(f"provider: {kills} kills, {repeated} calls in flight asked again, the same card")
        finally:
            server.kill()
        left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        print(f"folders left aside by kills: {len(left)}")


if __name__ == "__main__":
    main()
