"""Every record of every sample file is of one format, and no other format claims it: sniffs are not too wide."""

import copy
import json
import random
from pathlib import Path

import pytest

from samples import found, sample
from tables import each_of
from whileai.simulations.rows import formats
from whileai.simulations.rows.columns import unzipped, without_filler
from whileai.simulations.rows.inputs import FileInput
from whileai.simulations.rows.records import Place
from whileai.simulations.rows.source import Source
from whileai.simulations.rows.text import calls

CONFORMANCE = json.loads((Path(__file__).parents[2] / "conformance" / "formats_expected.json").read_text())
EXPECTED = {name: facts["format"] for name, facts in CONFORMANCE["files"].items() if name.startswith("formats/")}
GENERAL = {
    "openai-chat",
    "trl",
    "anthropic-messages",
    "openrlhf",
}  # shapes that others are special cases of: the order decides
JUNK = [None, 3, -1, True, "x", "", [], {}, [3], [[]], [{}], {"type": 5}, float("nan"), '{"a":', 10**400, "\ud800"]
MUTATIONS = 40


def records_of(name):
    path = sample(name)
    with FileInput(label=path.name, file=path).values(Place(path.name, print), lambda size: None) as values:
        for value in values:
            joined = formats.joined(value) if isinstance(value, list) else None
            yield without_filler(unzipped(joined or value))


@each_of(("name", "form"), EXPECTED.items())
def test_a_sample_file_is_of_its_format_and_of_no_other(name, form):
    for record in records_of(name):
        claims = {module.NAME for module in formats.known() if module.sniff(record)}
        assert len(claims - GENERAL) <= 1
        if form != "hf-datasets":  # a container; any format may be inside
            assert form == formats.recognise(record).NAME


@each_of(("name", "form"), EXPECTED.items())
def test_no_record_of_a_format_passes_for_a_row_of_ours_by_its_keys(name, form):
    for record in records_of(name):
        if formats.is_own(record) and formats.recognise(record) is not None:
            assert not formats.is_settled(record)
            assert formats.may_be_foreign(record)


@pytest.mark.parametrize("name", CONFORMANCE["not_rows"])
def test_files_beside_the_data_are_of_no_format(name):
    record = json.loads(sample(name).read_text())
    assert not [module.NAME for module in formats.known() if module.sniff(record)]


def test_every_format_says_its_name_and_what_it_looks_for():
    names = [module.NAME for module in formats.known()]
    assert len(set(names)) == len(names)
    assert all(module.LOOKS_FOR for module in formats.known())
    assert set(EXPECTED.values()) - {"hf-datasets"} <= set(names)


@each_of("form", sorted(set(EXPECTED.values()) - {"hf-datasets"}))
def test_junk_anywhere_in_a_record_gives_rows_or_one_line(form):
    module, dice = formats.named(form), random.Random(form)
    names = [name for name, of in EXPECTED.items() if of == form]
    name = min(filter(found, names), key=lambda name: found(name).stat().st_size, default=names[0])
    record = next(records_of(name))
    places = list(paths(record))
    for _ in range(MUTATIONS):
        broken = replaced(record, dice.choice(places), dice.choice(JUNK))
        assert "\n" not in (why_refused(module, broken) or "")


def why_refused(module, record):
    try:
        read(module, record)
    except ValueError as refused:
        return str(refused)


def read(module, record):
    """Read a record as a loader does, if it still is of the format."""
    source = Source("sample.jsonl")
    if formats.is_of(module, record):
        for whole in formats.gathered(module, iter([record]), source):
            for row in module.to_rows(whole, source):
                assert isinstance(row["task_id"], str)
                assert isinstance(calls(row), list)


def paths(value, path=()):
    """The places of a record; of long lists only the first entries, and shallow places more often."""
    if path:
        yield from [path] * max(1, 6 - 2 * len(path))
    inner = value.items() if isinstance(value, dict) else enumerate(value[:4] if isinstance(value, list) else ())
    for key, entry in inner:
        yield from paths(entry, (*path, key))


def replaced(record, path, junk):
    broken = copy.deepcopy(record)
    holder = broken
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = junk
    return broken
