from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import strategies as s
import whileai.simulations as wai
from tables import each_of
from whileai.simulations.score.spec import Spec, Trait, load_spec

BRIEF = wai.Trait("brief", principle="Be brief.")


def test_the_version_is_the_hash_of_the_page_by_hand() -> None:
    text = '{"id": "spec", "traits": [{"authority": "should", "id": "trait_0", "name": "", "principle": "é"}]}'
    assert wai.load_spec(["é"]).version == hashlib.sha256(text.encode()).hexdigest()[:12]
    assert wai.Spec("spec").version == "b3aec7db554e"


@each_of("edited", [
    wai.Spec("other", (BRIEF,)), wai.Spec("s", ()), wai.Spec("s", (wai.Trait("short", principle="Be brief."),)),
    wai.Spec("s", (wai.Trait("brief", "Brief", "Be brief."),)), wai.Spec("s", (wai.Trait("brief", "", "Be  brief."),)),
    wai.Spec("s", (wai.Trait("brief", "", "Be brief.", "must"),)),
    wai.Spec("s", (wai.Trait("brief", "", "Be brief.", examples=("ok",)),)), wai.Spec("s", (BRIEF, wai.Trait("b"))),
])  # fmt: skip
def test_every_edit_changes_the_version(edited: wai.Spec) -> None:
    assert edited.version != wai.Spec("s", (BRIEF,)).version


def test_the_source_does_not_change_the_version_and_order_does() -> None:
    two = (BRIEF, wai.Trait("kind"))
    assert wai.Spec("s", two).version == wai.Spec("s", two, {"file": "x.md"}).version
    assert wai.Spec("s", two).version != wai.Spec("s", two[::-1]).version


@pytest.mark.parametrize("spec", [
    wai.Spec("s", (wai.Trait("a", "A", "Be A.", "must", ("x", "y")), BRIEF), {"file": "c.md", "rev": 3}),
    wai.Spec("s", version="2026-05"),
])  # fmt: skip
def test_the_dict_form_is_read_back(spec: wai.Spec) -> None:
    assert wai.load_spec(json.loads(json.dumps(spec.to_dict()))) == spec
    assert wai.load_spec(spec) is spec


@pytest.mark.parametrize(("entry", "trait"), [
    ("Be brief.", wai.Trait("trait_0", principle="Be brief.")),
    ({"name": "Warm", "body": "Be warm."}, wai.Trait("Warm", "Warm", "Be warm.")),
    ({"id": "w", "principle": "P", "body": "B", "authority": "must", "examples": ["x"]},
     wai.Trait("w", "", "P", "must", ("x",))),
    ({}, wai.Trait("trait_0")), ({"id": 7, "authority": None, "examples": "one"}, wai.Trait("7", examples=("one",))),
])  # fmt: skip
def test_a_trait_in_each_form(entry: Any, trait: wai.Trait) -> None:
    assert wai.load_spec([entry]).traits == (trait,)


def test_other_items_are_skipped_and_counted() -> None:
    assert wai.load_spec([None, 5, "Be brief."]).behaviors() == ["trait_2"]


def test_traits_keyed_by_id_take_the_key_as_id() -> None:
    spec = wai.load_spec({"traits": {"honest": "Say it.", "brief": {"name": "Brief", "id": "x", "body": "Short."}}})
    assert [(t.id, t.principle) for t in spec.traits] == [("honest", "Say it."), ("brief", "Short.")]


@pytest.mark.parametrize(("data", "spec_id", "found"), [
    ({"id": "a", "source": {"file": "b"}}, "c", "c"), ({"id": "a", "source": {"file": "b"}}, None, "a"),
    ({"source": {"file": "b"}}, None, "b"), ({"source": "b.md"}, None, "b.md"), ({"source": 5}, None, "spec"),
    ({}, None, "spec"),
])  # fmt: skip
def test_where_the_id_comes_from(data: dict[str, Any], spec_id: str | None, found: str) -> None:
    assert wai.load_spec(data, spec_id).id == found


def test_a_spec_under_another_id_has_a_version_of_its_own_unless_one_was_given() -> None:
    assert wai.load_spec(wai.Spec("a"), "b") == wai.Spec("b")
    assert wai.load_spec(wai.Spec("a", version="v1"), "b").version == "v1"


@pytest.mark.parametrize("wrong", [None, 5, {1, 2}, {"traits": "Be brief."}, {"traits": 5}])
def test_what_is_no_spec_is_a_type_error(wrong: Any) -> None:
    for call in (wai.load_spec, wai.spec_version, lambda spec: wai.stamp_spec([], spec)):
        with pytest.raises(TypeError):
            call(wrong)


@pytest.mark.parametrize("text", ["", "{", "5", '"text"', "null", "\ufeff[1"])
def test_a_file_that_is_no_spec_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "constitution.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(wai.ReadError, match=r"constitution\.json"):
        wai.load_spec(path)


def test_a_file_with_a_mark_of_byte_order_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('\ufeff["Be kind."]', encoding="utf-8")
    assert wai.load_spec(str(path)).behaviors() == ["trait_0"]


def test_repeated_ids_and_a_version_the_content_left_behind_are_said() -> None:
    with pytest.warns(UserWarning, match="repeats the trait ids 'a'"):
        wai.load_spec([{"id": "a"}, {"id": "a"}])
    with pytest.warns(UserWarning, match=f"says version {'0' * 12}"):
        wai.load_spec({"traits": ["Be brief."], "version": "0" * 12})


def test_stamping_takes_what_load_spec_reads_and_keeps_what_a_list_of_rows_carries() -> None:
    from whileai.simulations.rows.rowlist import RowList

    rows = RowList([{"reward": 1}], system_prompt="Be brief.")
    held = copy.deepcopy(list(rows))
    stamped = wai.stamp_spec(rows, ["Be kind."])
    assert stamped[0] == {"reward": 1, "spec_id": "spec", "spec_version": wai.spec_version(["Be kind."])}
    assert (stamped.system_prompt, list(rows)) == ("Be brief.", held)


@pytest.mark.filterwarnings("ignore:spec ")
@given(s.json_values)
def test_whatever_the_data_a_spec_or_a_type_error_comes_and_the_data_stays(data: Any) -> None:
    for given_data in ({"traits": data, "source": data, "id": data}, [data]):
        held = repr(given_data)
        try:
            spec = wai.load_spec(given_data)
        except TypeError:
            assert not isinstance(data, list | dict)
        else:
            assert len(spec.version) > 0
        assert repr(given_data) == held


def test_a_set_among_examples_has_one_version_in_every_process() -> None:
    version = Spec("s", (Trait("t", examples=({"a", "b", "c"},)),)).version
    assert version == Spec("s", (Trait("t", examples=(["a", "b", "c"],)),)).version


def test_another_id_has_another_content_version_and_keeps_one_of_its_own() -> None:
    spec = load_spec(["Be brief."], spec_id="a")
    assert load_spec(spec.to_dict(), spec_id="z").version == load_spec(["Be brief."], spec_id="z").version
    assert load_spec({**spec.to_dict(), "version": "v3"}, spec_id="z").version == "v3"


def test_a_spec_without_traits_is_said() -> None:
    with pytest.warns(
        UserWarning, match="spec 'spec' has no traits, and 'honest' is not read: put them under 'traits'"
    ):
        assert wai.load_spec({"honest": "Say it."}).traits == ()
