"""`wai check` as a person runs it: in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import whileai.simulations as wai

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "support_rollouts.jsonl"
WAI = [sys.executable, "-c", "from whileai.cli.main import main; main()"]


def check(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*WAI, "check", *map(str, arguments)], capture_output=True, text=True, check=False)


def test_check_says_what_was_read_what_fires_and_what_does_not() -> None:
    done = check(EXAMPLE)
    assert (done.returncode, done.stderr) == (0, "")
    for part in ("480 rows", "checked 480 rows of 60 tasks, 470 graded", "with reward", "fired on no row:"):
        assert part in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_a_flag_lists_every_rollout_behind_it() -> None:
    counts = json.loads(check(EXAMPLE, "--json").stdout)["checks"]
    name = max(counts, key=lambda each: counts[each]["n"])
    listed = json.loads(check(EXAMPLE, "--flag", name, "--json").stdout)
    assert len(listed) == counts[name]["n"] > 0
    assert check(EXAMPLE, "--flag", name).stdout.startswith(f"{name}: {len(listed)} row")


def test_stamped_rows_are_the_rows_with_their_markers(tmp_path: Path) -> None:
    out = tmp_path / "stamped.jsonl"
    assert check(EXAMPLE, "--stamp", out).returncode == 0
    before, after = list(wai.load_rows(EXAMPLE)), list(wai.load_rows(out))
    assert len(after) == len(before) == 480
    assert [row["reward"] for row in after] == [row["reward"] for row in before]
    assert all({"honest_claims", "no_apology", "argument_grounding"} <= set(row["markers"]) for row in after)


def test_a_wrong_name_or_an_empty_file_is_one_line_and_status_two(tmp_path: Path) -> None:
    empty, out = tmp_path / "none.jsonl", tmp_path / "out.jsonl"
    empty.write_text("")
    for arguments in ([EXAMPLE, "--flag", "lies"], [empty], [empty, "--stamp", out], [tmp_path / "missing.jsonl"]):
        done = check(*arguments)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert not out.exists()
