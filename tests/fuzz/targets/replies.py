"""What a judge answers: the reply as text, and the answer as a value."""

from __future__ import annotations

import atheris

from fuzz.targets.instrumented import chooser, claims, holds, run, values

PARTS = [
    '{"reward": 1', '{"reward": 0, "reason": "', '"}', "}", "{", "[", "]", '"', "\\", "\\u00", "\\ud800", ",", ":",
    "<think>", "</think>", "<thinking ", "</reasoning>", "```json\n", "```", "\n", " ", "'", "true", "1e999", "NaN",
    '{"score": 3}', '{"winner": "A"}', '{"a": {"a": 1}, "a": 2}', "[1]", '"reward"', "{{", "reason", "\x00",
]  # fmt: skip
RAW = [
    {"reward": 1, "reason": "x", "judge_meta": {"a": 1}}, {"score": 0.5, "aspect": "tone"}, {"rating": 3},
    {"reward": None, "score": 1}, {"reason": None},
]  # fmt: skip
SCALES = [None, None, (0, 1), (1, 5), (-1e308, 1e307), (0, 5e-324)]


def one(data: bytes) -> None:
    """One reply, or one answer."""
    given = atheris.FuzzedDataProvider(data)
    choose = chooser(given)
    if choose(4):
        said = [PARTS[choose(len(PARTS))] if choose(3) else given.ConsumeUnicode(9) for _ in range(choose(30))]
        holds(claims.of_reply, "".join(said) + given.ConsumeUnicode(2000))
    else:
        raw = values.junk(choose) if choose(4) == 0 else values.broken(RAW[choose(len(RAW))], choose)
        holds(claims.of_verdict, raw, SCALES[choose(len(SCALES))])


if __name__ == "__main__":
    run(one)
