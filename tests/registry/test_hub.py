"""The Hugging Face Hub as a target, with its library's API replaced by one that keeps commits in memory."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from registry.rollouts import rollouts
from whileai.simulations.registry import RegistryError, push_rows

hub = pytest.importorskip("huggingface_hub")

ROWS = rollouts()
TOKEN = "hf_secrettoken123"


class Hub:
    """What the Hub holds: repositories with their visibility, and the files after each commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.private: dict[str, bool] = {}
        self.commits: dict[str, list[dict[str, bytes]]] = {}
        self.tokens: set[Any] = set()
        self.fail = False

    def add(self, repo: str, files: dict[str, bytes], *, private: bool) -> None:
        self.private[repo], self.commits[repo] = private, [files]


class Api:
    """The methods of `HfApi` that are used, with its signatures and errors."""

    endpoint = "https://hub.example"

    def __init__(self, kept: Hub, token: str | None) -> None:
        self._kept = kept
        kept.tokens.add(token)

    def repo_info(self, repo_id: str, *, repo_type: str) -> Any:
        assert repo_type == "dataset"
        if repo_id not in self._kept.private:
            raise _not_found()
        commits = self._kept.commits[repo_id]
        return SimpleNamespace(
            sha=f"{len(commits):040x}",
            private=self._kept.private[repo_id],
            siblings=[SimpleNamespace(rfilename=name) for name in commits[-1]],
        )

    def create_repo(self, repo_id: str, *, repo_type: str, private: bool, exist_ok: bool) -> None:
        assert (repo_type, exist_ok) == ("dataset", True)
        self._kept.add(repo_id, {".gitattributes": b""}, private=private)

    def hf_hub_download(self, repo_id: str, filename: str, *, repo_type: str, revision: str) -> str:
        assert (repo_type, int(revision, 16)) == ("dataset", len(self._kept.commits[repo_id]))
        at = self._kept.folder / "download"
        at.write_bytes(self._kept.commits[repo_id][-1][filename])
        return str(at)

    def create_commit(
        self, repo_id: str, operations: list[Any], *, commit_message: str, repo_type: str, parent_commit: str
    ) -> Any:
        commits = self._kept.commits[repo_id]
        assert (repo_type, int(parent_commit, 16)) == ("dataset", len(commits))
        if self._kept.fail:
            raise OSError(f"connection lost, sent Bearer {TOKEN}")
        files = dict(commits[-1])
        for operation in operations:
            if isinstance(operation, hub.CommitOperationDelete):
                del files[operation.path_in_repo]
            else:
                with operation.as_file() as opened:
                    files[operation.path_in_repo] = opened.read()
        commits.append(files)
        return SimpleNamespace(oid=f"{len(commits):040x}")

    def update_repo_settings(self, repo_id: str, *, private: bool, repo_type: str) -> None:
        assert repo_type == "dataset"
        self._kept.private[repo_id] = private


def _not_found() -> Exception:
    error = hub.errors.RepositoryNotFoundError.__new__(hub.errors.RepositoryNotFoundError)
    Exception.__init__(error, "404: no such repository")
    return error


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    made = Hub(tmp_path)
    monkeypatch.setattr(hub, "HfApi", lambda token=None: Api(made, token))
    return made


def test_a_new_repository_is_private_and_gets_all_files_in_one_commit(kept: Hub) -> None:
    entry = push_rows(ROWS, "hf://acme/refunds", holdout=0.3)
    assert [set(files) for files in kept.commits["acme/refunds"]] == [
        {".gitattributes"},
        {".gitattributes", "README.md", "card.json", "dataset.json", "data/train.jsonl", "data/holdout.jsonl"},
    ]
    assert kept.private == {"acme/refunds": True}
    assert (entry["name"], entry["created"], entry["published"]) == ("refunds", True, False)
    assert (entry["url"], entry["version"]) == ("https://hub.example/datasets/acme/refunds", f"{2:040x}")
    train = kept.commits["acme/refunds"][-1]["data/train.jsonl"].splitlines()
    assert len(train) == entry["n_rows"] == len([json.loads(line) for line in train])


def test_the_same_push_twice_is_one_commit(kept: Hub) -> None:
    first, second = (push_rows(ROWS, "hf://acme/refunds") for _ in range(2))
    assert len(kept.commits["acme/refunds"]) == 2
    assert (second["datasetId"], second["created"]) == (first["datasetId"], False)
    assert second["version"] == first["version"]


def test_publish_makes_it_public_after_the_commit(kept: Hub) -> None:
    push_rows(ROWS, "hf://acme/refunds", agent="bot")
    entry = push_rows(ROWS, "hf://acme/refunds", agent="bot", publish=True)
    assert kept.private == {"acme/refunds": False}
    assert (entry["created"], entry["published"], entry["warnings"]) == (False, True, [])
    assert len(kept.commits["acme/refunds"]) == 2


def test_versions_that_become_public_with_it_are_said(kept: Hub) -> None:
    push_rows(ROWS, "hf://acme/refunds")
    entry = push_rows(ROWS[4:], "hf://acme/refunds", agent="bot", publish=True)
    assert entry["warnings"] == [
        "the repository is public now, with the versions that were pushed to it before, which its history holds"
    ]


def test_another_version_takes_the_place_of_the_files_of_the_last(kept: Hub) -> None:
    push_rows(ROWS, "hf://acme/refunds", holdout=0.3)
    push_rows(ROWS, "hf://acme/refunds", purpose="eval")
    assert set(kept.commits["acme/refunds"][-1]) == {
        ".gitattributes",
        "README.md",
        "card.json",
        "dataset.json",
        "data/eval.jsonl",
    }


def test_a_commit_that_fails_leaves_nothing_and_its_error_has_no_token(kept: Hub) -> None:
    kept.fail = True
    with pytest.raises(RegistryError, match=r"hf://acme/refunds: connection lost, sent Bearer \[key\]") as caught:
        push_rows(ROWS, "hf://acme/refunds", api_key=TOKEN, agent="bot", publish=True)
    assert caught.value.__context__ is None
    assert kept.private == {"acme/refunds": True}
    assert len(kept.commits["acme/refunds"]) == 1
    kept.fail = False
    assert push_rows(ROWS, "hf://acme/refunds", api_key=TOKEN, agent="bot", publish=True)["published"]


@pytest.mark.parametrize(
    ("files", "private", "said"),
    [
        ({".gitattributes": b"", "model.bin": b""}, True, r"holds other files \('model.bin' and so on\): name a new"),
        ({"README.md": b""}, False, "is public, so whatever is pushed there is published: pass publish=True and agent"),
    ],
    ids=["other files", "public"],
)
def test_a_repository_that_is_not_meant_is_refused(
    files: dict[str, bytes], private: bool, said: str, kept: Hub
) -> None:
    kept.add("acme/refunds", files, private=private)
    with pytest.raises(ValueError, match=said):
        push_rows(ROWS, "hf://acme/refunds")
    assert kept.commits["acme/refunds"] == [files]


def test_another_dataset_is_not_written_over(kept: Hub) -> None:
    push_rows(ROWS, "hf://acme/refunds")
    with pytest.raises(ValueError, match="holds the dataset 'refunds', not 'returns'"):
        push_rows(ROWS, "returns", target="hf://acme/refunds")


def test_only_a_key_that_is_given_is_handed_over(kept: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHILEAI_API_KEY", "wk-12345678")
    push_rows(ROWS, "hf://acme/refunds")
    push_rows(ROWS, "hf://acme/refunds", api_key=TOKEN)
    assert kept.tokens == {None, TOKEN}


def test_the_library_has_what_is_used_of_it() -> None:
    import inspect

    for method, arguments in {
        "repo_info": ("repo_type",),
        "create_repo": ("repo_type", "private", "exist_ok"),
        "hf_hub_download": ("repo_type", "revision"),
        "create_commit": ("commit_message", "repo_type", "parent_commit"),
        "update_repo_settings": ("private", "repo_type"),
    }.items():
        known = inspect.signature(getattr(hub.HfApi, method)).parameters
        assert set(arguments) <= set(itertools.chain(known))


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "huggingface_hub", None)
    with pytest.raises(ImportError, match=r"pushing to hf:// needs huggingface_hub: pip install 'whileai\[hf\]'"):
        push_rows(ROWS, "hf://acme/refunds")
