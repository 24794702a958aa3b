"""What a worker makes of the rows of a side."""

from __future__ import annotations

from whileai.simulations.distributed.sidejob import SideJob


def test_a_group_named_by_a_null_character_has_its_own_rows_only() -> None:
    rows = [{"task_id": str(i), "reward": 1, "topic": topic} for i, topic in enumerate(["\0", None, None, "a"])]
    shards, facts = SideJob(by="topic")(rows, 0, 1)
    assert facts.groups == {"topic": {"\0": 1, "a": 1}}
    assert [len(shards[0][f"group 5 topic {name}"].index) for name in ("\0", "a")] == [1, 1]
