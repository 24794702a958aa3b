"""A registry on loopback that speaks the protocol of `docs/push.md`, keeps all on the disk, and fails when told to.

    with Registry(folder, faults=[None, "500", "drop"]) as registry:
        push_rows(rows, "refunds", target=registry.url, api_key=registry.key)

`faults` are the misbehaviours of the requests in order of arrival (None: behave; nothing left: behave), or a function
of (number, method, path) that gives one. Every request is kept in `requests`. A second `Registry` over the same folder
goes on where a killed one stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Fault = str | None
FAULTS = (
    "500",
    "429",  # with Retry-After
    "503",
    "hang up",  # closed before an answer
    "reset",  # reset when half of the body was read
    "late",  # done, but the connection is closed before the answer
    "cut",  # done, and half of the answer arrives
    "no json",
    "redirect",  # to `elsewhere`
    "echo",  # 403 with the key in its words
    "kill",  # no request after this one is answered
)
_PART = re.compile(r"/v1/parts/([0-9a-f]{64})")
_DATASET = re.compile(r"/v1/datasets/(ds_[0-9a-f]{32})")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


class Store:
    """Parts and datasets of one account on the disk; a dataset is there from the moment its record is renamed."""

    def __init__(self, folder: Path) -> None:
        self._parts, self._datasets = folder / "parts", folder / "datasets"
        self._parts.mkdir(parents=True, exist_ok=True)
        self._datasets.mkdir(exist_ok=True)
        self._lock = threading.Lock()

    def has(self, sha: str) -> bool:
        return (self._parts / sha).exists()

    def parts(self) -> set[str]:
        return {path.name for path in self._parts.iterdir() if not path.name.startswith(".")}

    def put(self, sha: str, content: bytes) -> int:
        if hashlib.sha256(content).hexdigest() != sha:
            return 422
        if self.has(sha):
            return 200
        _write(self._parts / sha, content)
        return 201

    def drop(self, sha: str) -> None:
        (self._parts / sha).unlink()

    def datasets(self) -> list[dict[str, Any]]:
        found = [json.loads(path.read_bytes()) for path in self._datasets.glob("ds_*.json")]
        return sorted(found, key=lambda record: (record["manifest"]["name"], record["version"]))

    def get(self, dataset: str) -> dict[str, Any] | None:
        path = self._datasets / f"{dataset}.json"
        return json.loads(path.read_bytes()) if path.exists() else None

    def content(self, dataset: str, path: str) -> bytes | None:
        record = self.get(dataset)
        if record is None or path not in record["parts"]:
            return None
        return b"".join((self._parts / sha).read_bytes() for sha in record["parts"][path])

    def commit(self, dataset: str, body: Any) -> tuple[int, dict[str, Any]]:
        with self._lock:
            refusal = _refusal(dataset, body)
            if refusal is not None:
                return 422, {"error": refusal}
            missing = [sha for shas in body["parts"].values() for sha in shas if not self.has(sha)]
            if missing:
                return 409, {"error": "parts are missing", "missing": list(dict.fromkeys(missing))}
            for file in body["manifest"]["files"]:
                digest, size = hashlib.sha256(), 0
                for sha in body["parts"][file["path"]]:
                    content = (self._parts / sha).read_bytes()
                    digest.update(content)
                    size += len(content)
                if (digest.hexdigest(), size) != (file["sha256"], file["bytes"]):
                    return 422, {"error": f"{file['path']} is not what its parts make"}
            known = self.get(dataset)
            record = dict(
                known
                or {
                    "datasetId": dataset,
                    "version": 1 + sum(r["manifest"]["name"] == body["manifest"]["name"] for r in self.datasets()),
                    "published": False,
                    "manifest": body["manifest"],
                    "parts": body["parts"],
                }
            )
            record["published"] = record["published"] or body["publish"] is True
            if record != known:
                _write(self._datasets / f"{dataset}.json", json.dumps(record).encode())
            return (200 if known else 201), record


def _refusal(dataset: str, body: Any) -> str | None:
    manifest = body.get("manifest")
    if not isinstance(manifest, dict) or manifest.get("format") != "whileai-dataset/1":
        return "the manifest is not of format whileai-dataset/1"
    canonical = json.dumps(manifest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    if dataset != "ds_" + hashlib.sha256(canonical.encode()).hexdigest()[:32]:
        return "the id is not that of the manifest"
    if not _NAME.fullmatch(manifest["name"]):
        return "the name is none"
    if sorted(body["parts"]) != sorted(file["path"] for file in manifest["files"]):
        return "the parts are not those of the files"
    return None


def _write(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.{threading.get_ident()}.tmp")
    new.write_bytes(content)
    os.replace(new, path)


class Registry:
    """The server; `url`, `key`, `store`, and `requests` as (method, path, status or fault) so far."""

    def __init__(
        self,
        folder: Path,
        faults: Sequence[Fault] | Callable[[int, str, str], Fault] = (),
        *,
        key: str = "wk-test-7f3a9c1e",
        retry_after: str = "0.02",
        elsewhere: str = "http://127.0.0.1:9/",
    ) -> None:
        self.key, self.store = key, Store(folder)
        self.retry_after, self.elsewhere = retry_after, elsewhere
        self.requests: list[tuple[str, str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.dead = False
        self._faults = faults
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Registry:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def fault(self, number: int, method: str, path: str) -> Fault:
        if callable(self._faults):
            return self._faults(number, method, path)
        return self._faults[number] if number < len(self._faults) else None

    def sent(self) -> list[str]:
        """The hashes of the parts that arrived whole and were taken."""
        return [
            path.rsplit("/", 1)[1]
            for method, path, how in self.requests
            if method == "PUT" and how == "201" and "/parts/" in path
        ]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: Registry

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that leave in the middle are expected."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_PUT(self) -> None:
        self._answer("PUT")

    def _answer(self, method: str) -> None:
        owner = self.server.owner
        if owner.dead:
            self._reset()
            return
        fault = owner.fault(len(owner.requests), method, self.path)
        owner.requests.append((method, self.path, fault or ""))
        owner.headers.append({name.lower(): value for name, value in self.headers.items()})
        place, size = len(owner.requests) - 1, int(self.headers.get("content-length", 0))
        if fault == "kill":
            owner.dead = True
        if fault in ("kill", "reset", "hang up"):
            self.rfile.read(size if fault == "hang up" else size // 2)
            self._reset()
            return
        content = self.rfile.read(size)
        if fault in ("500", "429", "503", "no json", "redirect", "echo"):
            self._misbehave(fault)
            return
        status, said = self._routed(method, content)
        if fault is None:
            owner.requests[place] = (method, self.path, str(status))
        self._say(status, said, cut=fault == "cut", drop=fault == "late")

    def _misbehave(self, fault: str) -> None:
        owner = self.server.owner
        if fault == "no json":
            self._say(200, None, raw=b"<html>hello</html>")
        elif fault == "redirect":
            self._say(307, {}, headers={"location": owner.elsewhere + "?k=" + owner.key})
        elif fault == "echo":
            self._say(403, {"error": f"no such key: {owner.key}\x1b[31m"})
        else:
            self._say(
                int(fault), {"error": "busy"}, headers={"retry-after": owner.retry_after} if fault == "429" else {}
            )

    def _routed(self, method: str, content: bytes) -> tuple[int, Any]:
        owner = self.server.owner
        allowed = self.headers.get("authorization") == f"Bearer {owner.key}"
        if method == "GET" and (found := _DATASET.fullmatch(self.path)):
            record = owner.store.get(found[1])
            if record is None or not (allowed or record["published"]):
                return 404, {"error": "no such dataset"}
            return 200, record
        if not allowed:
            return 401, {"error": "who are you?"}
        if (method, self.path) == ("POST", "/v1/parts/missing"):
            asked = json.loads(content)["parts"]
            return 200, {"missing": [part["sha256"] for part in asked if not owner.store.has(part["sha256"])]}
        if method == "PUT" and (found := _PART.fullmatch(self.path)):
            status = owner.store.put(found[1], content)
            return status, {} if status < 300 else {"error": "the bytes do not have this hash"}
        if method == "PUT" and (found := _DATASET.fullmatch(self.path)):
            status, record = owner.store.commit(found[1], json.loads(content))
            if status >= 300:
                return status, record
            url = f"{owner.url}/v1/datasets/{found[1]}"
            return status, {
                "datasetId": found[1],
                "version": record["version"],
                "published": record["published"],
                "url": url,
            }
        return 404, {"error": "no such path"}

    def _say(
        self,
        status: int,
        said: Any,
        *,
        raw: bytes | None = None,
        headers: dict[str, str] | None = None,
        cut: bool = False,
        drop: bool = False,
    ) -> None:
        if drop:
            self._reset()
            return
        body = json.dumps(said).encode() if raw is None else raw
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self._reset()

    def _reset(self) -> None:
        """Close with a reset, as a machine that goes away does."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
