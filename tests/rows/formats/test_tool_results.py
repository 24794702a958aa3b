"""The facts of `formats_expected.json` that the conformance script does not look at: the format and the results."""

import json
from pathlib import Path

from samples import sample
from tables import each_of
from whileai.simulations.rows import text
from whileai.simulations.rows.load import load_rows

ROOT = Path(__file__).parents[3]
EXPECTED = json.loads((ROOT / "tests/conformance/formats_expected.json").read_text(encoding="utf-8"))["files"]


@each_of("name", sorted(name for name in EXPECTED if name.startswith("formats/")))
def test_a_sample_has_its_format_and_its_answered_calls(name):
    want = EXPECTED[name]
    rows = list(load_rows(sample(name)))
    found = {row["lineage"]["format"] for row in rows}
    assert found <= {want["format"]} or want["format"] == "hf-datasets"  # a container; the rows name what is inside
    assert sum(call.answered for row in rows for call in text.calls(row)) == want["tool_results"]
