import json
import zipfile

import pytest
import zstandard

from samples import sample
from whileai.simulations import defaults
from whileai.simulations.rows.formats import inspect
from whileai.simulations.rows.source import Source


def made(**changes):
    return {"id": 1, "epoch": 1, "input": "Hi", "scores": {"match": {"value": "C"}}, "messages": [], **changes}


def header():
    return {"version": 2, "status": "success", "eval": {"task": "orders", "model": "mockllm/model"}, "plan": {}}


def write_eval(path, members, *, packed=False):
    """An .eval file; `packed` members lie in Zstandard, which `zipfile` cannot write: their method is patched in."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in members.items():
            data = json.dumps(value).encode()
            archive.writestr(name, zstandard.compress(data) if packed else data)
    if packed:
        data = bytearray(path.read_bytes())
        for signature, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            at = data.find(signature)
            while at >= 0:
                data[at + offset] = 93
                at = data.find(signature, at + 4)
        path.write_bytes(data)
    return path


def ids_of(path):
    source = Source(path.name, path)
    rows = [row for record in inspect.records_of_zip(path) for row in inspect.to_rows(record, source)]
    return [(row["rollout_index"], row["task_id"]) for row in rows]


@pytest.mark.parametrize("packed", [False, True], ids=["stored", "zstandard"])
def test_samples_of_a_zip_come_one_at_a_time_by_epoch_and_id(tmp_path, packed):
    names = [(10, 2), (9, 2), (10, 1), (9, 1)]
    members = {f"samples/{name}_epoch_{epoch}.json": made(id=name, epoch=epoch) for name, epoch in names}
    path = write_eval(tmp_path / "a.eval", {**members, "header.json": header()}, packed=packed)
    assert ids_of(path) == [(0, "9"), (0, "10"), (1, "9"), (1, "10")]
    assert [len(record["samples"]) for record in inspect.records_of_zip(path)] == [1, 1, 1, 1]


def test_summaries_tell_whether_digits_are_a_number_or_a_text(tmp_path):
    samples = {f"samples/{name}_epoch_1.json": made(id=name) for name in ("9", "10")}
    summaries = [{"id": name, "epoch": 1} for name in ("9", "10")]
    path = write_eval(tmp_path / "a.eval", {**samples, "summaries.json": summaries, "header.json": header()})
    assert ids_of(path) == [(0, "10"), (0, "9")]


def test_a_log_that_was_not_finished_has_only_its_journal(tmp_path):
    start = {name: value for name, value in header().items() if name != "status"}
    members = {"_journal/start.json": start, "samples/a_epoch_1.json": made(id="a")}
    path = write_eval(tmp_path / "a.eval", {**members, "_journal/summaries/1.json": [{"id": "a", "epoch": 1}]})
    (record,) = inspect.records_of_zip(path)
    assert inspect.sniff(record)
    assert record["status"] == "started"
    assert ids_of(path) == [(0, "a")]


def test_a_zip_without_samples_is_one_record_without_rows(tmp_path):
    path = write_eval(tmp_path / "a.eval", {"header.json": header(), "reductions.json": [{"scorer": "match"}]})
    (record,) = inspect.records_of_zip(path)
    assert record["reductions"] == [{"scorer": "match"}]
    assert inspect.to_rows(record, Source("a.eval")) == []


def test_nan_in_a_member_is_read_as_no_value(tmp_path):
    members = {"samples/1_epoch_1.json": made(scores={"match": {"value": float("nan")}}), "header.json": header()}
    (record,) = inspect.records_of_zip(write_eval(tmp_path / "a.eval", members))
    assert inspect.to_rows(record, Source("a.eval"))[0]["reward"] is None


@pytest.mark.parametrize("packed", [False, True], ids=["stored", "zstandard"])
def test_a_member_over_the_limit_is_refused_with_the_limit_named_and_the_others_are_read(tmp_path, monkeypatch, packed):
    monkeypatch.setattr(defaults, "MAX_RECORD_BYTES", 2**20)
    samples = [made(id=1, setup="x" * 2**20), made(id=2)]
    members = {f"samples/{made['id']}_epoch_1.json": made for made in samples}
    path = write_eval(tmp_path / "a.eval", {**members, "header.json": header()}, packed=packed)
    large, small = inspect.records_of_zip(path)
    with pytest.raises(ValueError, match=r"^member samples/1_epoch_1.json is larger than 1 MiB .*MAX_RECORD_BYTES"):
        inspect.to_rows(large, Source("a.eval"))
    assert [row["task_id"] for row in inspect.to_rows(small, Source("a.eval"))] == ["2"]


def test_a_damaged_sample_is_an_error_of_one_line_that_names_it(tmp_path):
    path = write_eval(tmp_path / "a.eval", {"samples/1_epoch_1.json": made(), "header.json": header()}, packed=True)
    data = bytearray(path.read_bytes())
    data[data.find(b"\x28\xb5\x2f\xfd")] = 0
    path.write_bytes(data)
    (record,) = inspect.records_of_zip(path)
    with pytest.raises(ValueError, match=r"^member samples/1_epoch_1.json is damaged: [^\n]+$"):
        inspect.to_rows(record, Source("a.eval"))


def test_a_zip_that_was_cut_is_an_error_that_names_the_file(tmp_path):
    path = write_eval(tmp_path / "a.eval", {"header.json": header()})
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match=r"^a.eval: the zip is damaged: [^\n]+$"):
        list(inspect.records_of_zip(path))


@pytest.mark.parametrize("members", [{"other.json": 1}, {"header.json": [1]}])
def test_a_zip_that_is_no_log_says_what_was_looked_for(tmp_path, members):
    with pytest.raises(ValueError, match=r"a.eval: no log in header.json or _journal/start.json"):
        list(inspect.records_of_zip(write_eval(tmp_path / "a.eval", members)))


@pytest.mark.parametrize("name", ["order_status", "edge_cases"])
def test_a_log_reads_the_same_from_its_zip_and_from_its_json(name):
    source = Source(name)
    zipped = [
        row
        for record in inspect.records_of_zip(sample(f"formats/inspect/{name}.eval"))
        for row in inspect.to_rows(record, source)
    ]
    plain = inspect.to_rows(json.loads(sample(f"formats/inspect/{name}.json").read_text()), Source(name))
    facts = ("task_id", "rollout_index", "prompt", "final_text", "reward", "markers", "finish_reason")
    assert [{k: row.get(k) for k in facts} for row in zipped] == [{k: row.get(k) for k in facts} for row in plain]
