"""Every sample file gives what `formats_expected.json` says, as `formats_check.py` compares it."""

from __future__ import annotations

import json
from pathlib import Path

import formats_check
import pytest

import whileai.simulations as wai
from samples import sample

EXPECTED = json.loads((Path(__file__).parent / "formats_expected.json").read_text(encoding="utf-8"))
_NOT_CHECKED = {"format", "tool_results"}  # by the script; tests/rows/formats/test_tool_results.py looks at them


@pytest.mark.parametrize("name", EXPECTED["files"])
def test_a_file_gives_the_expected_rows(name: str) -> None:
    want = {key: value for key, value in EXPECTED["files"][name].items() if key not in _NOT_CHECKED}
    got = formats_check.facts(sample(name))
    assert {key: got[key] for key in want} == want


@pytest.mark.parametrize(("name", "file"), EXPECTED["folders"].items())
def test_a_folder_gives_the_rows_of_its_data_file(name: str, file: str) -> None:
    assert list(wai.load_rows(sample(name))) == list(wai.load_rows(sample(file))) != []


@pytest.mark.parametrize("name", EXPECTED["not_rows"])
def test_a_file_beside_the_data_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=Path(name).name):
        list(wai.load_rows(sample(name)))
