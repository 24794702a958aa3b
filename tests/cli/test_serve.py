"""`wai serve`: who is answered, what a growing file shows, and that no label is lost."""

from __future__ import annotations

import html
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import whileai.simulations as wai
from page.served import Served, line, serving, write_rows
from tables import each_of
from whileai.cli.main import app
from whileai.cli.serve import _say, _shown_in_browser
from whileai.simulations.page.serve import labels as labels_module
from whileai.simulations.page.serve.guard import Guard
from whileai.simulations.page.serve.labels import LabelsFile


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all that it refuses: nothing of it is kept."""
    folder = tmp_path_factory.mktemp("refusing")
    with serving(write_rows(folder / "run.jsonl"), folder / "labels.jsonl") as running:
        yield running
        assert running.lines() == []


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(write_rows(tmp_path / "run.jsonl"), tmp_path / "labels.jsonl") as running:
        yield running


def test_page_is_given_for_the_token_and_kept_by_nobody(served: Served) -> None:
    status, headers, body = served.ask("GET", f"/?token={served.token}", headers={"X-Wai-Token": None})
    assert status == 200
    assert body.lstrip().lower().startswith(b"<!doctype html>")
    assert "connect-src 'self'" in html.unescape(body.decode())
    assert headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Server"] == "wai"
    assert not [name for name in headers if name.lower().startswith("access-control")]
    assert served.ask("HEAD", "/")[::2] == (200, b"")


@each_of("token", [None, "", "wrong", "ünwahr"], ids=["none", "empty", "wrong", "foreign"])
@each_of("path", ["/", "/version", "/labels", "/run.jsonl"])
@each_of("method", ["GET", "POST", "HEAD"])
def test_without_the_token_nothing_is_said(refusing: Served, method: str, path: str, token: str | None) -> None:
    headers = {"X-Wai-Token": None if token is None else token.encode().decode("latin-1")}
    status, answered, body = refusing.ask(method, path, b"{}" if method == "POST" else None, headers)
    assert (status, body, answered["Content-Length"]) == (403, b"", "0")


def test_a_token_in_the_address_does_not_label(refusing: Served) -> None:
    body = json.dumps({"key": "a#0", "label": 1}).encode()
    assert refusing.ask("POST", f"/labels?token={refusing.token}", body, {"X-Wai-Token": None})[0] == 403
    assert refusing.lines() == []


@pytest.mark.parametrize("host", ["evil.invalid", "localhost.evil.invalid", "127.0.0.1@evil.invalid", "192.0.2.7", ""])
def test_another_name_for_this_address_is_refused(refusing: Served, host: str) -> None:
    assert refusing.ask("GET", "/", headers={"Host": host})[::2] == (403, b"")


def test_a_forwarded_port_is_no_other_name(refusing: Served) -> None:
    assert refusing.ask("GET", "/version", headers={"Host": "localhost:9999"})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.invalid"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://localhost:1"},
    ],
    ids=["other", "null", "cross-site", "same-site", "other-port"],
)
def test_a_label_from_another_origin_is_refused(refusing: Served, headers: dict[str, str]) -> None:
    body = json.dumps({"key": "a#0", "label": 1}).encode()
    assert refusing.ask("POST", "/labels", body, headers)[0] == 403
    assert refusing.lines() == []


def test_a_label_of_the_page_itself_is_taken(served: Served) -> None:
    own = {"Origin": f"http://127.0.0.1:{served.server.server_port}", "Sec-Fetch-Site": "same-origin"}
    assert served.ask("POST", "/labels", b'{"key": "a#0", "label": 1}', own)[0] == 204
    assert [(entry["key"], entry["label"]) for entry in served.lines()] == [("a#0", 1)]


@each_of(
    ("body", "headers", "status"),
    [
        (b"{" * 70_000, {}, 413),
        (b"", {"Content-Length": "9" * 4000}, 413),
        (None, {}, 411),
        (b"{}", {"Content-Length": "-2"}, 411),
        (b"{}", {"Transfer-Encoding": "chunked"}, 411),
        (b"{}", {"Content-Type": "text/plain"}, 415),
        (b"not json", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b"[" * 60_000, {}, 400),
        (b'["a#0", 1]', {}, 400),
        (b'{"key": "unknown", "label": 1}', {}, 400),
        (b'{"key": ["a#0"], "label": 1}', {}, 400),
        (b'{"key": "a#0", "label": true}', {}, 400),
        (b'{"key": "a#0"}', {}, 400),
        (b'{"key": "a#0", "label": 0.5}', {}, 400),
        (b'{"key": "a#0", "label": 1, "note": 7}', {}, 400),
        (json.dumps({"key": "a#0", "label": 1, "note": "x" * 20_001}).encode(), {}, 400),
    ],
    ids=[
        "large", "huge length", "no length", "negative length", "chunked", "other type", "no json", "no text", "deep",
        "no object", "unknown row", "no key", "boolean", "no label", "fraction", "note no text", "note too long",
    ],
)  # fmt: skip
def test_what_is_no_label_is_refused_and_not_kept(
    refusing: Served, body: bytes | None, headers: dict[str, str], status: int
) -> None:
    assert refusing.ask("POST", "/labels", body, headers)[::2] == (status, b"")
    assert refusing.lines() == []


@pytest.mark.parametrize("path", ["/run.jsonl", "/../../etc/passwd", "/%2e%2e/labels.jsonl", "//x/y", "/.git/config"])
def test_no_path_of_a_request_reaches_a_file(refusing: Served, path: str) -> None:
    assert refusing.ask("GET", path)[::2] == (404, b"")


def test_other_methods_get_no_content(refusing: Served) -> None:
    for method in ("OPTIONS", "PUT", "DELETE", "TRACE"):
        status, headers, body = refusing.ask(method, "/")
        assert (status, body) == (501, b"")
        assert "Allow" not in headers
    assert refusing.ask("GET", "/labels")[0] == 405


def test_only_whole_lines_of_a_growing_file_are_shown(served: Served) -> None:
    def state() -> bytes:
        return served.ask("GET", "/version")[2]

    before, page = state(), served.ask("GET", "/")[2]
    assert b"8 of 8 rollouts in this page" in page
    assert f'"at":"{before.decode()}"'.encode() in page
    new = line("new", 0, final_text="The newest of them.")
    with served.rows.open("a", encoding="utf-8") as file:
        file.write(new[:40])
        file.flush()
        assert state() == before
        file.write(new[40:] + new[:25])
    assert state() != before
    page = served.ask("GET", "/")[2]
    assert b"9 of 9 rollouts in this page" in page
    assert b"The newest of them." in page
    assert b"bad record" not in page
    assert b"the last record is still being written" in page
    assert served.label("new#0", 1) == 204


def test_a_file_that_went_leaves_its_page_with_a_warning(served: Served) -> None:
    text = served.rows.read_bytes()
    served.rows.unlink()
    page = served.ask("GET", "/")[2]
    assert b"8 of 8 rollouts in this page" in page
    assert b"could not be read again" in page
    served.rows.write_bytes(text)
    assert b"could not be read again" not in served.ask("GET", "/")[2]


def test_a_pipe_in_place_of_a_file_is_not_waited_for(served: Served) -> None:
    served.rows.unlink()
    os.mkfifo(served.rows)
    page = served.ask("GET", "/")[2]
    assert b"it is no regular file" in page
    assert b"8 of 8 rollouts in this page" in page


def test_the_last_label_of_a_person_stands_and_is_read_back(tmp_path: Path) -> None:
    rows, labels = write_rows(tmp_path / "run.jsonl"), tmp_path / "labels.jsonl"
    with serving(rows, labels) as first:
        given = [("a#0", 1, "ana"), ("a#0", 0, "ana"), ("b#0", 1, "ana"), ("b#0", 0, "bo"), ("c#0", 1, "ana")]
        for key, label, who in given:
            assert first.label(key, label, annotator=who, note="seen") == 204
        assert first.label("c#0", "cleared", annotator="bo") == 204  # nobody takes back another's
        assert first.label("c#0", "cleared", annotator="ana") == 204
        assert first.label("d#0", None, annotator="ana") == 204
        assert first.label("d#1", "cleared") == 204
        assert len(first.lines()) == 7
    with serving(rows, labels) as again:
        page = again.ask("GET", "/")[2].decode()
        assert '"key":"a#0","label":0' in page
        assert '"key":"c#0"' not in page.partition('"given":')[2].partition("]")[0]
        assert again.label("a#1", 1) == 204
        assert '"key":"a#1","label":1' in again.ask("GET", "/")[2].decode()
    read, report = wai.attach_labels(wai.load_rows(rows), labels)
    gold = {f"{row['scenario_id']}#{row['rollout_index']}": row.get("gold_reward") for row in read}
    assert {key: value for key, value in gold.items() if value is not None} == {"a#0": 0, "a#1": 1}
    assert report["ties"] == 1  # ana and bo on b#0
    assert report["invalid"] == 1  # unsure
    assert len(labels.read_bytes().splitlines()) == 8


def test_a_label_that_the_disk_takes_in_part_is_taken_back(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    assert served.label("a#0", 1) == 204
    kept, write = served.labels.read_bytes(), os.write
    monkeypatch.setattr(labels_module.os, "write", lambda file, data: write(file, data[:10]))
    assert served.label("b#0", 1) == 500
    monkeypatch.undo()
    assert served.labels.read_bytes() == kept
    assert served.label("b#0", 0) == 204
    assert [(entry["key"], entry["label"], "supersedes" in entry) for entry in served.lines()] == [
        ("a#0", 1, False),
        ("b#0", 0, False),
    ]


def test_labels_file_of_others_is_added_to_and_a_broken_one_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"key": "a#0", "label": 1, "ts": NaN, "more": [1]}', encoding="utf-8")
    kept = LabelsFile(str(path))
    assert kept.given() == [{"key": "a#0", "label": 1}]
    with pytest.raises(ValueError, match="another wai serve adds to it"):
        LabelsFile(str(path))
    kept.add({"key": "a#0", "label": 0}, {"a#0"})
    kept.close()
    assert [json.loads(text)["label"] for text in path.read_text().splitlines()] == [1, 0]
    path.write_text('{"key": "a#0", "label": 1}\n{"key": "a#', encoding="utf-8")
    with pytest.raises(ValueError, match=r"labels.jsonl, line 2 is no label as JSON: delete it"):
        LabelsFile(str(path))
    assert path.read_text().endswith('{"key": "a#')


def test_labels_follow_a_file_that_takes_the_place(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    keys = {"a#0", "b#0"}
    kept = LabelsFile(str(path))
    kept.add({"key": "a#0", "label": 1}, keys)
    path.unlink()
    kept.add({"key": "b#0", "label": 1}, keys)
    (tmp_path / "mine").write_text('{"key": "a#0", "label": 0, "annotator": "ana"}\n')
    os.replace(tmp_path / "mine", path)
    kept.add({"key": "a#0", "label": 1, "annotator": "ana"}, keys)
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    assert [(each["key"], each["label"], each.get("supersedes")) for each in lines] == [
        ("a#0", 0, None), ("a#0", 1, True),
    ]  # fmt: skip
    os.replace(_written(tmp_path / "broken", "no labels"), path)
    with pytest.raises(OSError, match="was replaced, and cannot take labels"):
        kept.add({"key": "b#0", "label": 1}, keys)
    kept.close()


def test_a_file_that_took_the_place_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    kept = LabelsFile(str(path))
    os.replace(_written(tmp_path / "mine", ""), path)
    kept.close()
    assert path.exists()


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", ["key,label\na#0,1\n", '[{"key": "a#0", "label": 1}]', '{"a#0": 1, "b#0": 0}'])
def test_a_file_that_takes_no_json_lines_is_refused_and_left(tmp_path: Path, text: str) -> None:
    path = _written(tmp_path / "gold.csv", text)
    with pytest.raises(ValueError, match="line 1 is no label as JSON"):
        LabelsFile(str(path))
    assert path.read_text() == text
    with pytest.raises(ValueError, match="no file that keeps labels"):
        LabelsFile(os.devnull)


def test_labels_outlive_a_kill(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "run.jsonl")
    code = "from whileai.cli.main import main; main()"
    command = [sys.executable, "-c", code, "serve", str(rows)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address, said = process.stdout.readline().strip(), process.stdout.readline()
        assert address.startswith("http://127.0.0.1:")
        assert str(tmp_path / "run.labels.jsonl") in said
        base, _, token = address.partition("?token=")
        headers = {"X-Wai-Token": token, "Content-Type": "application/json"}
        for key in ("a#0", "b#1"):
            body = json.dumps({"key": key, "label": 1}).encode()
            with urllib.request.urlopen(urllib.request.Request(base + "labels", body, headers)) as answer:
                assert answer.status == 204
        process.send_signal(signal.SIGKILL)
    report = wai.attach_labels(wai.load_rows(rows), tmp_path / "run.labels.jsonl")[1]
    assert report["matched"] == 2


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["serve", *arguments])
    assert done.exit_code != 0
    return str(done.exception)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_or_a_stop_ends_it_and_an_empty_labels_file_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    def stop(self: object) -> None:
        signal.raise_signal(number)

    monkeypatch.setattr("whileai.simulations.page.serve.server.PageServer.serve_forever", stop)
    rows = write_rows(tmp_path / "run.jsonl")
    done = CliRunner().invoke(app, ["serve", str(rows)])
    assert done.exit_code == 0
    assert "/?token=" in done.stdout
    assert "stopped; 0 labels added" in done.stdout
    assert os.listdir(tmp_path) == ["run.jsonl"]


def test_what_cannot_be_served_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "run.jsonl")
    assert "write standard input to a file" in refused("-")
    assert "--host is empty" in refused(str(rows), "--host", "")
    assert "is a file that is read" in refused(str(rows), "--labels", str(rows))
    assert "is a file that is read" in refused(str(tmp_path), "--labels", str(tmp_path / "labels.jsonl"))
    assert "is a file that is read" in refused(str(tmp_path / "*.jsonl"), "--labels", str(tmp_path / "labels.jsonl"))
    (tmp_path / "empty.jsonl").touch()
    assert "no rows to show" in refused(str(tmp_path / "empty.jsonl"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = refused(str(rows), "--port", str(taken.getsockname()[1]))
    assert "choose another --host or --port" in said
    assert sorted(os.listdir(tmp_path)) == ["empty.jsonl", "run.jsonl"]


def test_labels_beside_the_rows_are_no_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("whileai.simulations.page.serve.server.PageServer.serve_forever", stop)
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "run.jsonl")
    _written(tmp_path / "run.labels.jsonl", '{"key": "a#0", "label": 1}\n')
    shell = ["run.jsonl", "run.labels.jsonl"]
    for files in (shell, ["*.jsonl"], ["."]):
        assert CliRunner().invoke(app, ["serve", *files, "--labels", "run.labels.jsonl"]).exit_code == 0
        assert "8 rows, 4 tasks" in CliRunner().invoke(app, ["report", *files]).stdout
    assert "run.labels.jsonl holds labels, not rollouts" in CliRunner().invoke(app, ["report", *shell]).stdout
    alone = CliRunner().invoke(app, ["report", "run.labels.jsonl"])
    assert "a label of a rollout, not a rollout" in str(alone.exception)


def test_an_address_open_to_the_network_is_warned_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = LabelsFile(str(tmp_path / "labels.jsonl"))
    _say(SimpleNamespace(is_loopback=False, guard=Guard("192.0.2.1"), address="http://192.0.2.1:1/?token=t"), kept)
    kept.close()
    said = capsys.readouterr()
    assert "192.0.2.1 is open to the network" in said.err
    assert "token" not in repr(Guard("192.0.2.1"))


def test_network_server_answers_to_addresses_and_its_own_name_only() -> None:
    guard = Guard("0.0.0.0")
    assert guard.is_here("192.0.2.7:80")
    assert guard.is_here(f"{socket.gethostname()}:80")
    assert not guard.is_here("evil.invalid")


def test_a_browser_is_not_handed_the_token_on_a_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr("webbrowser.open", seen.append)
    with _shown_in_browser("http://127.0.0.1:1/?token=secret"):
        path = Path(seen[0].removeprefix("file://"))
        assert "secret" not in seen[0]
        assert "token=secret" in path.read_text()
        assert path.parent.stat().st_mode & 0o077 == 0
    assert not path.exists()
