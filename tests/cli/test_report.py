"""`wai report` through the entry point of the command line, and in a process of its own."""

from __future__ import annotations

import gzip
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from entry import WAI, wai, wai_process
from whileai.cli.report import draw_sizes

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "support_rollouts.jsonl"
TAU = ROOT.parent / "shared" / "data" / "tau-bench-gpt-4o-airline.json"


def rates_of(output: str) -> dict[str, str]:
    return {
        words[0]: words[1] for line in output.splitlines() if len(words := line.split()) > 1 and line.startswith("pass")
    }


def test_tau_bench_file_as_it_is_gives_the_published_rates() -> None:
    if not TAU.exists():
        pytest.skip(f"the tau-bench file is not beside this checkout: {TAU}")
    rates = rates_of(wai("report", str(TAU), "--k", "4").stdout)
    assert rates["pass@1"] == "0.420"
    assert (rates["pass^2"], rates["pass^3"], rates["pass^4"]) == ("0.273", "0.220", "0.200")


def test_report_says_what_was_read_how_good_where_and_what_is_missing() -> None:
    done = wai("report", str(EXAMPLE))
    assert (done.returncode, done.stderr) == (0, "")
    for part in ("480 rows, 60 tasks, 8 rollouts a task", "ungraded 10 (judge status timeout 10)", "pass@1",
                 "95% interval", "Task difficulty", "30 of 60 tasks in the band",
                 "looked_up_first", "To say more"):  # fmt: skip
        assert part in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_json_holds_the_same_numbers() -> None:
    found = json.loads(wai("report", str(EXAMPLE), "--json").stdout)
    assert (found["rows"], found["ungraded"], found["pass_at"]["n_groups"]) == (480, 10, 60)
    assert f"{found['pass_at']['pass_at_1']:.3f}" == rates_of(wai("report", str(EXAMPLE)).stdout)["pass@1"]
    assert found["read"][0]["formats"] == {"row": 480}


def test_dash_reads_standard_input_compressed_or_not() -> None:
    plain = EXAMPLE.read_bytes()
    direct = wai_process("report", "-", stdin=plain).stdout
    assert "standard input: row, 480 rows" in direct
    assert wai("report", "-", stdin=gzip.compress(plain)).stdout == direct


def test_several_files_are_pooled(tmp_path: Path) -> None:
    for name, reward in (("a.jsonl", 1), ("b.jsonl", 0)):
        (tmp_path / name).write_text("".join(json.dumps({"task_id": t, "reward": reward}) + "\n" for t in "abc"))
    done = wai("report", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"))
    assert "6 rows, 3 tasks, 2 rollouts a task" in done.stdout
    assert rates_of(done.stdout)["pass@1"] == "0.500"


def test_bad_line_is_named_in_the_report_and_strict_stops_there(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text('{"task_id": "a", "reward": 1}\nnot json\n{"task_id": "b", "reward": 0}\n')
    done = wai("report", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 bad record left out; first: record 2: " in " ".join(done.stdout.split())
    strict = wai("report", str(path), "--strict")
    assert (strict.returncode, len(strict.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "No such file"), (b'{"foo": 1}\n', "foo"), (b"\x00\x01\x02binary", ""), (b"PAR1 not really", "")],
)
def test_unreadable_input_ends_with_status_two_and_one_line(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "runs.jsonl"
    if content is not None:
        path.write_bytes(content)
    done = wai("report", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("wai: ")
    assert said in done.stderr
    assert "runs.jsonl" in done.stderr


@pytest.mark.parametrize("k", ["0", "x", "2,-1"])
def test_bad_draw_size_is_a_usage_error(k: str) -> None:
    done = wai("report", str(EXAMPLE), "--k", k)
    assert done.returncode == 2
    assert "whole numbers of at least 1" in done.stderr


def test_one_number_asks_for_every_draw_size_up_to_it() -> None:
    assert [draw_sizes(text) for text in ("1", "2", "5", "3,7", "20")] == [
        [1],
        [2],
        [2, 3, 4, 5],
        [3, 7],
        [2, 4, 8, 16, 20],
    ]


def test_hostile_names_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    row = {"task_id": "\x1b[2Ja", "reward": 1, "judge_status": "\x1b]0;owned\x07", "markers": {"\x1b[31mred": 1}}
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "reward": None}) + "\n")
    done = wai("report", str(path))
    assert "\x1b" not in done.stdout
    assert "\\x1b[31mred" in done.stdout


def test_progress_is_drawn_on_a_terminal_only() -> None:
    leader, follower = pty.openpty()
    child = subprocess.Popen([*WAI, "report", str(EXAMPLE)], stdout=subprocess.PIPE, stderr=follower)
    os.close(follower)
    child.stdout.read()
    child.wait()
    drawn = os.read(leader, 65536)
    os.close(leader)
    child.stdout.close()
    assert b"support_rollouts.jsonl" in drawn
    assert wai("report", str(EXAMPLE)).stderr == ""


def test_reader_that_goes_away_ends_it_quietly() -> None:
    done = subprocess.run(
        ["sh", "-c", f'{WAI[0]} -c "{WAI[2]}" report {EXAMPLE} --json | head -c 10'], capture_output=True, check=False
    )
    assert done.stderr == b""


def test_help_is_quick_to_import() -> None:
    code = "import sys, whileai.cli.main; print([m for m in ('numpy', 'scipy', 'rich') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
