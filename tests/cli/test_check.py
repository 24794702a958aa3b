"""`wai check` through the entry point of the command line, and in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

import entry
import whileai.simulations as wai

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "support_rollouts.jsonl"


def check(*arguments: object) -> entry.Done:
    return entry.wai("check", *arguments)


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
    done = check(EXAMPLE, "--stamp", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"\nwrote 480 rows to {out}\n")
    before, after = list(wai.load_rows(EXAMPLE)), list(wai.load_rows(out))
    assert len(after) == len(before) == 480
    assert [row["reward"] for row in after] == [row["reward"] for row in before]
    assert all({"honest_claims", "no_apology", "argument_grounding"} <= set(row["markers"]) for row in after)


def test_the_files_that_are_read_are_never_written_over(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"prompt": "Hi", "final_text": "It depends."}\n')
    (tmp_path / "link.jsonl").symlink_to(rows)
    before = rows.read_bytes()
    for given, out in ((rows, rows), (tmp_path, rows), (tmp_path / "*.jsonl", rows), (rows, tmp_path / "link.jsonl")):
        done = check(given, "--stamp", out)
        assert (done.returncode, done.stdout) == (2, "")
        assert "would be written over" in done.stderr
    assert rows.read_bytes() == before


def test_what_was_written_is_in_the_json_and_beside_a_list(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    found = json.loads(check(EXAMPLE, "--stamp", out, "--json").stdout)
    assert (found["n_written"], found["output"]) == (480, str(out))
    done = check(EXAMPLE, "--stamp", out, "--json", "--flag", "hedging")
    assert len(json.loads(done.stdout)) == found["checks"]["hedging"]["n"]
    assert done.stderr == f"wrote 480 rows to {out}\n"


def test_rows_are_found_by_the_name_of_their_file_and_the_number_of_their_record(tmp_path: Path) -> None:
    folder = tmp_path / "a_folder_with_a_rather_long_name_for_a_column"
    folder.mkdir()
    row = json.dumps({"prompt": "Hi", "final_text": "It depends."})
    (folder / "one.jsonl").write_text(f"{row}\n{row}\n")
    (folder / "two.jsonl").write_text(f"{row}\n\n{{broken\n{row}\n[1,\n{row}\n")
    listed = check(folder, "--flag", "hedging").stdout
    heads = [line.partition("  ")[0] for line in listed.splitlines() if "task" in line]
    assert [head.rpartition("/")[2] for head in heads] == [
        "one.jsonl row 1",
        "one.jsonl row 2",
        "two.jsonl row 1",
        "two.jsonl row 2 (record 4)",
        "two.jsonl row 3 (record 6)",
    ]
    found = json.loads(check(folder / "two.jsonl", "--json").stdout)["checks"]["hedging"]["examples"]
    assert [(each["row"], each.get("record")) for each in found] == [(1, None), (2, 4), (3, 6)]


def test_a_wrong_name_or_an_empty_file_is_one_line_and_status_two(tmp_path: Path) -> None:
    empty, out = tmp_path / "none.jsonl", tmp_path / "out.jsonl"
    empty.write_text("")
    for arguments in ([EXAMPLE, "--flag", "lies"], [empty], [empty, "--stamp", out], [tmp_path / "missing.jsonl"]):
        done = check(*arguments)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert not out.exists()
