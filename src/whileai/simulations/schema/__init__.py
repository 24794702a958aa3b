"""The typed row: one flat dict as `Task`, `Rollout`, `Judgment`s and `Marker`s, and back.

`from_row` splits, `to_row` joins, `validate` says what is wrong; the JSON Schema of the flat row is the package file
`simulations/schemas/row-v1.json`.
"""

from __future__ import annotations

from whileai.simulations.schema.calibration import calibration_of
from whileai.simulations.schema.check import validate
from whileai.simulations.schema.read import from_row
from whileai.simulations.schema.types import (
    SCHEMA_VERSION,
    Calibration,
    Dataset,
    FaultEvent,
    Judgment,
    Lineage,
    Marker,
    Message,
    PolicyRef,
    Privileged,
    Rollout,
    ScorerRef,
    Step,
    Task,
    World,
)
from whileai.simulations.schema.write import to_row

__all__ = [
    "SCHEMA_VERSION",
    "Calibration",
    "Dataset",
    "FaultEvent",
    "Judgment",
    "Lineage",
    "Marker",
    "Message",
    "PolicyRef",
    "Privileged",
    "Rollout",
    "ScorerRef",
    "Step",
    "Task",
    "World",
    "calibration_of",
    "from_row",
    "to_row",
    "validate",
]
