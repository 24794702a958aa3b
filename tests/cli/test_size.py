"""`wai size` through the entry point of the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from entry import Done, wai

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "support_rollouts.jsonl")


def size(*arguments: str) -> Done:
    return wai("size", *arguments)


def write(path: Path, passes: list[int], bad: str = "") -> str:
    rows = [{"task_id": f"t{i}", "reward": int(j < c)} for i, c in enumerate(passes) for j in range(4)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + bad)
    return str(path)


def test_count_comes_first_then_what_it_rests_on_then_notes() -> None:
    lines = size("--effect", "0.05").stdout.splitlines()
    assert lines[0].startswith("367 tasks show a gain of 0.05")
    assert "k 4 rollouts a task, base 0.6, power 0.8, alpha 0.05" in lines[1]
    assert "0.3419 (model)" in lines[2]
    assert lines[3].startswith("- ")
    assert "409" in " ".join(lines[3:])


def test_few_tasks_lead_with_the_small_sample_count() -> None:
    assert size("--effect", "0.3", "-k", "4").stdout.startswith("10 tasks show a gain of 0.3 (8 by the normal formula")


def test_rows_give_base_and_rollouts(tmp_path: Path) -> None:
    done = size("--effect", "0.05", "--rows", EXAMPLE, "--base", "0.1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "support_rollouts.jsonl: row, 480 rows" in done.stdout
    assert "k 6 rollouts a task, base 0.493" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_two_runs_give_the_measured_sd_as_text_and_json(tmp_path: Path) -> None:
    before = write(tmp_path / "before.jsonl", [3, 1, 4, 2, 0, 1, 2, 3])
    after = write(tmp_path / "after.jsonl", [4, 2, 4, 3, 1, 3, 2, 2])
    arguments = ("--effect", "0.05", "--before", before, "--after", after)
    found = json.loads(size(*arguments, "--json").stdout)
    assert (found["n_tasks"], found["n_tasks_small"], found["sd_source"], found["n_paired"]) == (165, 167, "rows", 8)
    assert [entry["rows"] for entry in found["read"]] == [32, 32]
    assert "165 tasks show a gain of 0.05" in size(*arguments).stdout


def test_bad_records_and_the_ceiling_are_warned_of_apart_from_the_notes(tmp_path: Path) -> None:
    done = size("--effect", "0.05", "--rows", write(tmp_path / "runs.jsonl", [4, 4, 4], bad="not json\n"))
    marks = [line[0] for line in done.stdout.splitlines() if line[0] in "!-"]
    assert marks == ["!", "!", "-"]
    assert "! CEILING" in done.stdout


def test_bad_record_is_printed_as_its_number_and_reason(tmp_path: Path) -> None:
    text = size("--effect", "0.05", "--rows", write(tmp_path / "runs.jsonl", [3, 1, 2], bad="not json\n")).stdout
    assert "1 bad record left out; first: record 13: " in " ".join(text.split())
    assert "{" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_gain_without_room_leads_with_that(tmp_path: Path) -> None:
    assert size("--effect", "0.5").stdout.startswith("! no run can gain 0.5 from a base of 0.6: the room is 0.4")


def test_signed_rewards_are_named_with_their_mend(tmp_path: Path) -> None:
    path = tmp_path / "signed.jsonl"
    path.write_text("".join(json.dumps({"task_id": f"t{i}", "reward": -1}) + "\n" for i in range(4)))
    done = size("--effect", "0.05", "--rows", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "rows): no reward is exactly 0 or 1 (4 graded rows)" in done.stderr
    assert "write 0 for -1" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--effect", "5"), "effect must lie strictly between 0 and 1"),
        (("--effect", "0.1", "--power", "1"), "power"),
        (("--effect", "0.1", "--after", EXAMPLE), "after needs before"),
        (("--effect", "0.1", "--rows", EXAMPLE, "--before", EXAMPLE), "--rows and --before"),
        (("--effect", "0.1", "--rows", "nowhere.jsonl"), "nowhere.jsonl: No such file"),
    ],
)
def test_bad_arguments_and_unreadable_input_end_with_status_two_and_one_line(arguments: tuple, said: str) -> None:
    done = size(*arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr
