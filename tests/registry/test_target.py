"""How a target is named, and what is said where that is not clear."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from registry.rollouts import rollouts
from tables import each_of
from whileai.simulations.registry import push_rows
from whileai.simulations.registry.folder import FolderTarget
from whileai.simulations.registry.hub import HubTarget
from whileai.simulations.registry.target import resolved


@each_of(
    ("name", "target", "wanted"),
    [
        ("./data/refunds", None, ("refunds", FolderTarget(Path("data/refunds")))),
        ("../refunds/", None, ("refunds", FolderTarget(Path("../refunds")))),
        ("/data/late parcels", None, ("late-parcels", FolderTarget(Path("/data/late parcels")))),
        (Path("refunds"), None, ("refunds", FolderTarget(Path("refunds")))),
        ("file:///data/late%20parcels", None, ("late-parcels", FolderTarget(Path("/data/late parcels")))),
        ("refunds", "data", ("refunds", FolderTarget(Path("data")))),
        ("refunds", Path("/data"), ("refunds", FolderTarget(Path("/data")))),
        ("hf://acme/refunds", None, ("refunds", HubTarget("acme/refunds"))),
        ("hf://datasets/acme/refunds", None, ("refunds", HubTarget("acme/refunds"))),
        ("late", "hf://acme/refunds/", ("late", HubTarget("acme/refunds"))),
    ],
)
def test_a_place_is_read(name: Any, target: Any, wanted: Any) -> None:
    assert resolved(name, target) == wanted


def test_home_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert resolved("~/refunds")[1] == FolderTarget(Path("/home/me/refunds"))


@each_of(
    ("name", "target", "said"),
    [
        ("refunds", None, r"nowhere to push 'refunds' to: name a target, as in .*'\./data/refunds'.*WHILEAI_API_URL"),
        ("data/refunds", None, r"for a folder write '\./data/refunds', for the Hugging Face Hub 'hf://data/refunds'"),
        ("", None, "name must be the name of the dataset, or where it goes; got ''"),
        (None, None, "name must be the name of the dataset"),
        ("refunds", "", "target must be a folder"),
        ("hf://acme/refunds", "./data", "are both places: give a plain name, or no target"),
        ("hf://refunds", None, "names no dataset of the Hugging Face Hub: write hf://OWNER/NAME"),
        ("hf:/acme/refunds", None, "names no dataset of the Hugging Face Hub"),
        ("refunds", "s3://bucket/refunds", "is no place to push to: write a folder"),
        ("https://registry.example/refunds", None, "pass it as target=, and a plain name as name="),
        ("file://server/share", None, "names no folder of this machine"),
        ("refunds", "http://registry.example", r"in the clear: write https://registry\.example"),
        ("refunds", "http://localhost.example", "in the clear"),
        ("refunds", "https://me:secret@registry.example", "registry.example holds a user name or a key"),
        ("refunds", "https://registry.example/?key=1", "ends in a query"),
        ("refunds", "https:///x", "'https:///x' is no URL of a registry: write https://HOST"),
        ("refunds", "https://registry.example", "no key for the registry at https://registry.example"),
        ("x" * 97, "./data", "is no name of a dataset"),
    ],
)
def test_a_place_that_is_none_is_said(name: Any, target: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        resolved(name, target)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["registry.example", "./data", "ftp://127.0.0.1", "hf://acme/refunds"])
def test_the_variable_names_a_registry_and_nothing_else(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHILEAI_API_URL", url)
    with pytest.raises(ValueError, match=r"is no URL of a registry: write https://HOST"):
        resolved("refunds", api_key="wk-12345678")


def test_a_key_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="api_key holds characters that no key has"):
        push_rows(rollouts(2), "refunds", target="https://registry.example", api_key="two words")
    with pytest.raises(TypeError, match="api_key must be text"):
        push_rows(rollouts(2), "refunds", target="https://registry.example", api_key=3)  # type: ignore[arg-type]
