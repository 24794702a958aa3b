"""The semantic rule with a real embedding model, whose weights lie in its package: `pip install wordllama`."""

from __future__ import annotations

from pathlib import Path

import pytest

import whileai.simulations as wai

wordllama = pytest.importorskip("wordllama", reason="wordllama is not installed: pip install wordllama runs this test")

HELD_OUT = [
    "Cancel the hotel reservation in Lisbon for next weekend.",
    "What is the refund policy for damaged headphones?",
    "Translate this contract from German into English.",
    "Find the cheapest flight from Oslo to Rome in May.",
]
REWORDED = [
    "Please call off my booking at the hotel in Lisbon next weekend.",
    "If headphones arrive damaged, how do refunds work?",
    "I need an English version of this German contract.",
    "Which flight from Oslo to Rome in May costs the least?",
]
OTHERS = ["How long do I boil an egg?", "My printer shows error 12.", "Who wrote the Odyssey?"]


@pytest.fixture(scope="module")
def embedder():
    model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    return lambda texts: model.embed(texts, norm=True).tolist()


def test_reworded_tasks_are_found_and_other_tasks_stay(embedder):
    train = [{"prompt": prompt} for prompt in [*REWORDED, *OTHERS]]
    held_out = [{"prompt": prompt, "task_id": i} for i, prompt in enumerate(HELD_OUT)]
    assert wai.decontaminate(train, [held_out])[1]["n_contaminated"] == 0
    clean, report = wai.decontaminate(train, [held_out], embedder=embedder, similarity=0.6)
    assert [row["prompt"] for row in clean] == OTHERS
    assert [example["eval_prompt"] for example in report["examples"]] == HELD_OUT
    assert any("distinct evaluation tasks reach a cosine of 0.1" in note for note in report["notes"])
