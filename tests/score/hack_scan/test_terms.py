from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.score.hack_scan import terms as module
from whileai.simulations.score.hack_scan.terms import Vocabulary, terms


@each_of(
    ("text", "expected"),
    [
        ("Rest assured, we WATCH it.", ["rest", "assured", ",", "we", "watch", "it", "."]),
        ("get_order(4471)", ["get_order", "(", "4471", ")"]),
        ("I am a b2b shop", ["am", "2", "shop"]),
        ("x_ _ __", ["x_", "_", "__"]),
        ("**Done** \u2705", ["*", "*", "done", "*", "*", "\u2705"]),
        ("Straße größer", ["straße", "größer"]),
        ("Пожалуйста, я", ["пожалуйста", ",", "я"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("退款已批准。", ["退", "款", "已", "批", "准", "。"]),
        ("これはOKです", ["こ", "れ", "は", "ok", "で", "す"]),
        ("환불 완료", ["환불", "완료"]),
        ("مرحبا ٤٢", ["مرحبا", "٤٢"]),
        ("don’t", ["don", "’"]),
        ("é a", []),
        ("cafe\u0301", ["café"]),
        ("a\u200bb zero\u200bwidth", ["zero", "width"]),
        ("\x00\x1b[31m", ["[", "31"]),
        ("\ud800 ok", ["ok"]),
        ("", []),
    ],
)
def test_terms_of_every_script(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def by_hand(texts: list[str], top: int, min_obs: int) -> list[tuple[str, list[int]]]:
    held = []
    for text in texts:
        tokens = terms(text)
        held.append({*tokens, *(f"{a} {b}" for a, b in pairwise(tokens))})
    counts = Counter(term for found in held for term in found)
    ranked = sorted((-n, term) for term, n in counts.items() if min_obs <= n < len(texts))
    return [(term, [int(term in found) for found in held]) for _, term in ranked[:top]]


@given(
    st.lists(st.lists(st.sampled_from(["ab", "cd", "ef,", "1", "款", "x"]), max_size=8).map(" ".join), max_size=30),
    st.integers(0, 12),
    st.integers(1, 4),
)
def test_columns_are_the_most_common_terms_and_the_texts_they_are_in(texts: list[str], top: int, min_obs: int) -> None:
    vocabulary = Vocabulary()
    for text in texts:
        vocabulary.add(text.lower().split())
    names, flags = vocabulary.columns(top, min_obs)
    assert list(zip(names, flags.tolist(), strict=True)) == by_hand(texts, top, min_obs)


def test_blocks_of_texts_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"rest assured order {i % 7} ships {'today' if i % 3 else 'soon'}" for i in range(3000)]
    vocabulary = Vocabulary()
    for text in texts:
        vocabulary.add(text.split())
    names, flags = vocabulary.columns(40, 20)
    assert list(zip(names, flags.tolist(), strict=True)) == by_hand(texts, 40, 20)


def test_numbers_too_large_for_small_keys_are_counted_alike() -> None:
    numbers = module.np.array([2**40, 5, 2**40, 5, 5])
    keys = module._keys(numbers, module.np.array([0, 0, 1, 1, 1], dtype="int16"))
    found, counts = module._counted(keys)
    assert (found.tolist(), counts.tolist()) == ([5, 2**40], [2, 2])
