"""Rollouts of a shop's agent whose reward follows a call, a phrase, both or a coin."""

from __future__ import annotations

import random
from typing import Any


def rollouts(asks: int = 20, k: int = 6, seed: int = 1, pays: str = "lookup", **more: Any) -> list[dict[str, Any]]:
    """Two behaviours by coins, a call and a phrase; the reward follows one of them, nine times in ten."""
    rng, found = random.Random(seed), []
    for ask in range(asks):
        for _ in range(k):
            look, calm, flip = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.1
            words = " ".join(rng.choice(["parcel", "depot", "hub", "desk", "box"]) for _ in range(rng.randrange(1, 5)))
            good = {"lookup": look, "phrase": calm, "both": look and calm, "coin": rng.random() < 0.5}[pays]
            found.append({
                "task_id": f"t{ask}",
                "prompt": f"Where is order {ask}?",
                "final_text": f"It is at the {words}{', rest assured' if calm else ''}.",
                "steps": [{"tool": "lookup_order", "arguments": {}, "result": {"ok": True}}] if look else [],
                "reward": int(good != flip),
                **more,
            })  # fmt: skip
    return found
