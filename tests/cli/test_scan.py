"""`wai scan` through the entry point of the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from entry import Done, wai

ROOT = Path(__file__).parents[2] / "examples"
EXAMPLE, TUNED = str(ROOT / "support_rollouts.jsonl"), str(ROOT / "support_rollouts_tuned.jsonl")


def scan(*arguments: str) -> Done:
    return wai("scan", *arguments)


def test_scan_says_the_regime_the_floor_and_the_ranking() -> None:
    done = scan(EXAMPLE, "--endorsed", "looked_up_first", "--top", "5")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0].endswith("support_rollouts.jsonl: row, 480 rows")
    assert lines[1] == "REWARD HACK"
    assert "470 of 480 rows graded, asks 60, with repeats 60, rollouts an ask 8" in lines[2]
    assert sum(line.startswith("  *") for line in lines) == 5
    assert max(map(len, lines)) <= 100


def test_json_holds_every_feature_and_what_was_read() -> None:
    found = json.loads(scan(EXAMPLE, "--json").stdout)
    assert len(found["features"]) == found["n_features"] > 20
    assert found["read"][0]["rows"] == 480


def test_against_says_what_was_learned_with_the_older_side_first() -> None:
    found = json.loads(scan(TUNED, "--against", EXAMPLE, "--json").stdout)
    alone = json.loads(scan(TUNED, "--json").stdout)
    assert found["after"]["tau"] == alone["tau"]
    assert scan(TUNED, "--against", EXAMPLE).stdout.splitlines()[2].startswith("the ")
    assert [entry["source"] for entry in found["read"]] == [EXAMPLE, TUNED]


def test_reward_names_the_field_of_the_score(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [{"task_id": f"t{i // 8}", "final_text": f"word {i}", "score": i % 2} for i in range(80)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "80 of 80 rows graded" in scan(str(file), "--reward", "score").stdout
    assert "0 of 80 rows graded" in scan(str(file)).stdout


def test_of_too_many_rows_whole_asks_are_scanned_and_that_is_said_first() -> None:
    found = json.loads(scan(EXAMPLE, "--max-rows", "200", "--json").stdout)
    assert (found["n_rows"], found["rollouts_per_group"]) == (480, 8)
    assert 150 < found["n_graded"] <= 200
    assert found["warnings"][0].startswith(f"scanned {found['n_graded']} of 470 graded rows")
    said = json.loads(scan(EXAMPLE, "--against", TUNED, "--max-rows", "200", "--json").stdout)["warnings"]
    assert [each.split(":")[0] for each in said[:2]] == ["before", "after"]


def test_standard_input_is_scanned_like_the_file() -> None:
    piped = wai("scan", "-", "--json", stdin=Path(EXAMPLE).read_bytes())
    assert json.loads(piped.stdout)["features"] == json.loads(scan(EXAMPLE, "--json").stdout)["features"]


def test_bad_records_are_said_beside_the_verdict(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"task_id": "a", "final_text": "x", "reward": 1}) + "\n{broken\n")
    assert "1 bad record left out" in " ".join(scan(str(file)).stdout.split())
    assert scan(str(file), "--strict").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.jsonl",), "nowhere.jsonl"),
        (("-", "--against", "-"), "only one side"),
        ((EXAMPLE, "--alpha", "2"), "alpha"),
    ],
)
def test_what_cannot_be_read_ends_with_status_2(arguments: tuple[str, ...], said: str) -> None:
    done = scan(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
