"""A page served on loopback for the tests, and requests to it as they go over the wire."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from whileai.cli.serve import document_of
from whileai.simulations.page.serve.growth import version
from whileai.simulations.page.serve.guard import Guard
from whileai.simulations.page.serve.labels import LabelsFile
from whileai.simulations.page.serve.server import PageServer
from whileai.simulations.page.serve.site import Site


def line(task: str, attempt: int, **more: Any) -> str:
    row = {"scenario_id": task, "rollout_index": attempt, "prompt": f"Help with {task}", "reward": attempt % 2, **more}
    return json.dumps({"final_text": f"Done with {task}.", **row}) + "\n"


def write_rows(path: Path, tasks: str = "abcd", attempts: int = 2) -> Path:
    path.write_text("".join(line(task, i) for task in tasks for i in range(attempts)), encoding="utf-8")
    return path


class Served:
    """A running server; `ask` sends one request with the token unless other headers are given."""

    def __init__(self, server: PageServer, rows: Path, labels: Path) -> None:
        self.server, self.rows, self.labels = server, rows, labels
        self.address, self.token = server.address, server.guard.token

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str | None] | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        given = {"X-Wai-Token": self.token, "Content-Type": "application/json", **(headers or {})}
        link = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=10)
        try:
            link.putrequest(method, path, skip_host="Host" in given)
            if body is not None and "Content-Length" not in given:
                given["Content-Length"] = str(len(body))
            for name, value in given.items():
                if value is not None:
                    link.putheader(name, value)
            link.endheaders(body)
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            link.close()

    def label(self, key: str, label: Any, **more: Any) -> int:
        return self.ask("POST", "/labels", json.dumps({"key": key, "label": label, **more}).encode())[0]

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.labels.read_text(encoding="utf-8").splitlines()]


@contextmanager
def serving(rows: Path, labels: Path) -> Iterator[Served]:
    guard, kept = Guard("127.0.0.1"), LabelsFile(str(labels))
    read = partial(document_of, [str(rows)], source_format=None, errors="null")
    with PageServer(Site(read, partial(version, [str(rows)]), kept, guard.token), guard) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Served(server, rows, labels)
        finally:
            server.shutdown()
            thread.join()
            kept.close()
