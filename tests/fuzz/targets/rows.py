"""A row with odd values in any column, step, message or block: `from_row`, `to_row`, `validate`, `task_key`."""

from __future__ import annotations

import atheris

from fuzz.targets.instrumented import chooser, claims, holds, run, values
from whileai.simulations.rows.load import load_rows
from whileai.simulations.schema.types import AXES, CARRIED_COLUMNS, VERDICT_COLUMNS

ROWS = [row for records in values.sample_records().values() for row in load_rows(records)]
COLUMNS = sorted({
    *AXES, *CARRIED_COLUMNS, *VERDICT_COLUMNS, "schema_version", "prompt", "steps", "tool_trace", "trace", "final_text",
    "messages", "conversations", "completion", "question", "answer", "scenario_id", "task_id", "rollout_id", "spec_id",
    "rollout_index", "model_version", "policy_version", "seed", "world_state", "faults", "markers", "calibration",
    "privileged", "steps_json", "messages_json", "metadata_json", "metadata", "reward", "raw_reward",
})  # fmt: skip
KEYS = ["mode", "n", "scorer_kind", "version", "role", "content", "tool", "result", "text", "pass_rate", "x"]


def one(data: bytes) -> None:
    """One row."""
    given = atheris.FuzzedDataProvider(data)
    choose = chooser(given)
    row = dict(ROWS[choose(len(ROWS))]) if choose(3) else {}
    for _ in range(choose(4)):
        odd = given.ConsumeUnicode(12) if choose(4) == 0 else values.junk(choose)
        row[COLUMNS[choose(len(COLUMNS))]] = (odd, [odd], {KEYS[choose(len(KEYS))]: odd})[choose(3)]
    holds(claims.of_row, values.broken(row, choose))


if __name__ == "__main__":
    run(one)
