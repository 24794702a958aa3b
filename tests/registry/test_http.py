"""A registry behind HTTP that fails half-way: nothing is half-published, and a second call completes."""

from __future__ import annotations

import json
import pickle
import re
import time
import traceback
from pathlib import Path
from typing import Any

import pytest

from registry.rollouts import rollouts
from registry.server import Fault, Registry
from whileai.simulations.registry import RegistryError, push_rows, session
from whileai.simulations.registry.http import HttpTarget
from whileai.simulations.registry.target import resolved

ROWS = rollouts()


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whileai.simulations.registry.http.PART_BYTES", 4000)


def push(registry: Registry, rows: list[dict[str, Any]] = ROWS, **options: Any) -> Any:
    return push_rows(rows, "refunds", **{"target": registry.url, "api_key": registry.key, **options})


def lines(content: bytes | None) -> list[dict[str, Any]]:
    assert content is not None
    return [json.loads(line) for line in content.splitlines()]


def test_what_is_committed_is_what_was_pushed(tmp_path: Path) -> None:
    with Registry(tmp_path) as registry:
        entry = push(registry, gate=True, mode="rl", holdout=0.3, agent="bot")
        record = registry.store.get(entry["datasetId"])
        assert record is not None
        train = lines(registry.store.content(entry["datasetId"], "data/train.jsonl"))
        held = lines(registry.store.content(entry["datasetId"], "data/holdout.jsonl"))
    assert (entry["created"], entry["version"], entry["published"]) == (True, 1, False)
    assert entry["url"] == f"{registry.url}/v1/datasets/{entry['datasetId']}"
    assert entry["n_sent"] == entry["n_parts"] > 5
    assert (len(train), len(held)) == (entry["n_rows"], len(ROWS) - entry["n_rows"])
    assert {row["scenario_id"] for row in held} == set(entry["holdout_tasks"])
    assert all(row["calibration"]["n"] == 4 for row in train)
    assert record["manifest"]["agent"] == "bot"


def test_the_same_push_twice_is_one_dataset_and_sends_nothing(tmp_path: Path) -> None:
    with Registry(tmp_path) as registry:
        first, second = push(registry), push(registry)
        assert len(registry.store.datasets()) == 1
        other = push(registry, rows=ROWS[4:])
        assert [record["version"] for record in registry.store.datasets()] == [1, 2]
    assert first["datasetId"] == second["datasetId"] != other["datasetId"]
    assert (second["created"], second["n_sent"], second["version"]) == (False, 0, 1)
    assert (other["created"], other["version"]) == (True, 2)


@pytest.mark.parametrize("fault", ["500", "429", "503", "hang up", "reset", "late", "cut", "no json"])
@pytest.mark.parametrize("place", [0, 3, -1], ids=["asked", "part", "commit"])
def test_a_fault_that_passes_is_tried_again(fault: str, place: int, tmp_path: Path) -> None:
    met: list[int] = []

    def once(number: int, method: str, path: str) -> Fault:
        here = "/datasets/" in path if place < 0 else number == place
        if here and not met:
            met.append(number)
            return fault
        return None

    with Registry(tmp_path, once) as registry:
        entry = push(registry, publish=True, agent="bot")
        records = registry.store.datasets()
        assert lines(registry.store.content(entry["datasetId"], "data/train.jsonl"))[0]["scenario_id"] == "refund-0"
    assert met
    assert [(record["datasetId"], record["published"]) for record in records] == [(entry["datasetId"], True)]


@pytest.mark.parametrize("fault", ["500", "reset", "kill"])
@pytest.mark.parametrize("after", [1, 4], ids=["first part", "fourth part"])
def test_half_way_nothing_is_published_and_a_second_call_sends_the_rest(fault: str, after: int, tmp_path: Path) -> None:
    def from_there(number: int, method: str, path: str) -> Fault:
        return fault if number >= after else None

    with Registry(tmp_path, from_there) as registry:
        with pytest.raises(RegistryError, match=r"nothing was published; parts that were sent are kept"):
            push(registry, publish=True, agent="bot")
        assert registry.store.datasets() == []
        there = registry.store.parts()
        assert len(there) == after - 1
    with Registry(tmp_path) as registry:
        entry = push(registry, publish=True, agent="bot")
        assert set(registry.sent()).isdisjoint(there)
        assert len(registry.store.datasets()) == 1
    assert entry["n_sent"] == entry["n_parts"] - len(there)
    assert entry["published"]


@pytest.mark.parametrize("fault", ["kill", "late"])
def test_a_commit_whose_answer_is_lost_is_found_out_by_the_same_call(fault: str, tmp_path: Path) -> None:
    def at_the_end(number: int, method: str, path: str) -> Fault:
        return fault if "/datasets/" in path else None

    with Registry(tmp_path, at_the_end) as registry:
        with pytest.raises(RegistryError, match="whether it was published is not known: the same call finds out"):
            push(registry)
        n_there = len(registry.store.datasets())
    with Registry(tmp_path) as registry:
        entry = push(registry)
        assert len(registry.store.datasets()) == 1
    assert entry["n_sent"] == 0
    assert n_there == (fault == "late")
    assert entry["created"] is (fault == "kill")


def test_nobody_sees_a_dataset_before_it_is_whole_and_publish_shows_it_at_once(tmp_path: Path) -> None:
    seen: list[int] = []

    def watch(number: int, method: str, path: str) -> Fault:
        seen.append(len(registry.store.datasets()))
        return None

    import httpx

    with Registry(tmp_path, watch) as registry:
        entry = push(registry, agent="bot")
        assert set(seen) == {0}
        with httpx.Client(trust_env=False) as anybody:
            assert anybody.get(entry["url"]).status_code == 404
            published = push(registry, agent="bot", publish=True)
            assert anybody.get(entry["url"]).json()["published"] is True
        kept = push(registry, agent="bot")
    assert (published["datasetId"], published["created"], published["published"]) == (entry["datasetId"], False, True)
    assert kept["published"]


def test_parts_the_registry_lost_meanwhile_are_sent_again(tmp_path: Path) -> None:
    def lose(number: int, method: str, path: str) -> Fault:
        if "/datasets/" in path and len(lost) < 2:
            lost.append(sorted(registry.store.parts())[len(lost)])
            registry.store.drop(lost[-1])
        return None

    lost: list[str] = []
    with Registry(tmp_path, lose) as registry:
        entry = push(registry)
        assert registry.store.content(entry["datasetId"], "data/train.jsonl")
    assert entry["n_sent"] == entry["n_parts"] + 2


def test_retry_after_is_honoured_and_too_long_a_wait_is_not_waited_for(tmp_path: Path) -> None:
    with Registry(tmp_path, ["429"], retry_after="0.3") as registry:
        begin = time.monotonic()
        push(registry)
        assert time.monotonic() - begin >= 0.3
    with Registry(tmp_path, ["429"], retry_after="600") as registry:
        with pytest.raises(RegistryError, match="answered 429: busy") as caught:
            push(registry)
        assert (caught.value.wait, len(registry.requests)) == (600.0, 1)


def test_timeout_ends_an_upload_and_the_same_call_goes_on(tmp_path: Path) -> None:
    with Registry(tmp_path, lambda number, *_: "429" if number >= 3 else None, retry_after="5") as registry:
        begin = time.monotonic()
        with pytest.raises(RegistryError, match=r"not done within timeout=0.5 seconds; last: .*429.*nothing was publ"):
            push(registry, timeout=0.5)
        assert time.monotonic() - begin < 3
        assert registry.store.datasets() == []
    with Registry(tmp_path) as registry:
        assert push(registry)["n_sent"] > 0
        assert len(registry.store.datasets()) == 1


def test_a_silent_server_is_left_in_time(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        begin = time.monotonic()
        with pytest.raises(RegistryError, match=r"not done within timeout=0\.4"):
            push_rows(ROWS, "refunds", target=url, api_key="wk-12345678", timeout=0.4)
    assert time.monotonic() - begin < 3


@pytest.mark.parametrize("fault", ["redirect", "echo", "500", "reset"])
def test_the_key_is_in_no_error_and_goes_to_no_other_server(fault: str, tmp_path: Path) -> None:
    with Registry(tmp_path / "b") as other, Registry(tmp_path / "a", lambda *_: fault, elsewhere=other.url) as registry:
        with pytest.raises(RegistryError) as caught:
            push(registry)
        assert other.requests == []
        if fault == "redirect":
            assert "redirects are not followed" in str(caught.value)
            assert len(registry.requests) == 1
        if fault == "echo":
            assert r"no such key: [key]\x1b[31m" in str(caught.value)
    error: BaseException | None = caught.value
    text = "".join(traceback.format_exception(caught.value))
    while error is not None:
        text += repr(error) + repr(vars(error))
        error = error.__context__
    assert registry.key not in text


def test_the_key_is_in_no_repr_and_no_pickle() -> None:
    _, target = resolved("refunds", "https://registry.example", "wk-12345678")
    assert isinstance(target, HttpTarget)
    assert "wk-12345678" not in f"{target!r} {target}"
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(target)


def test_a_key_that_is_refused_is_said_at_once(tmp_path: Path) -> None:
    with Registry(tmp_path) as registry:
        with pytest.raises(RegistryError, match=r"answered 401: who are you\?; it refused the key: check WHILEAI_API_"):
            push(registry, api_key="wk-another-key")
        assert len(registry.requests) == 1


def test_a_server_that_is_no_registry_is_said_so(tmp_path: Path) -> None:
    with (
        Registry(tmp_path) as registry,
        pytest.raises(RegistryError, match=r"answered 404.*speaks the protocol of docs/push\.md\?"),
    ):
        push(registry, target=registry.url + "/other")


def test_an_answer_for_another_dataset_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Registry(tmp_path) as registry:
        monkeypatch.setattr(registry.store, "commit", lambda *_: (422, {"error": "the id is not that of the manifest"}))
        with pytest.raises(RegistryError, match="422: the id is not that of the manifest; nothing was published"):
            push(registry)
        monkeypatch.setattr(session.Session, "ask", lambda *_, **__: (200, {"missing": [], "datasetId": "ds_other"}))
        with pytest.raises(RegistryError, match="answered for another dataset"):
            push(registry)
        monkeypatch.setattr(session.Session, "ask", lambda *_, **__: (200, {"missing": ["0" * 64]}))
        with pytest.raises(RegistryError, match="named parts that were not asked about"):
            push(registry)


def test_the_environment_names_the_registry_and_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Registry(tmp_path) as registry:
        monkeypatch.setenv("WHILEAI_API_URL", registry.url + "/")
        with pytest.raises(ValueError, match=r"no key for the registry at .*: set WHILEAI_API_KEY, or pass api_key="):
            push_rows(ROWS, "refunds")
        monkeypatch.setenv("WHILEAI_API_KEY", registry.key)
        assert push_rows(ROWS, "refunds")["target"] == registry.url
        with pytest.raises(ValueError, match="the key in WHILEAI_API_KEY is for WHILEAI_API_URL"):
            push_rows(ROWS, "refunds", target="https://registry.example")


def test_the_page_of_the_protocol_shows_what_is_sent(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "push.md").read_text(encoding="utf-8")
    with Registry(tmp_path) as registry:
        push(registry)
    for method, path, _ in registry.requests:
        named = re.sub(r"ds_[0-9a-f]{32}", "{datasetId}", re.sub(r"[0-9a-f]{64}", "{sha256}", path))
        assert f"`{method} {named}`" in page
