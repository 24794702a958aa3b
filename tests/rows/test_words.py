"""Words of many scripts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.rows.words import normalised, words

SPLIT = [
    ("Where is my order 4473, please?", ["where", "is", "my", "order", "4473", "please"]),
    ("snake_case and kebab-case", ["snake", "case", "and", "kebab", "case"]),
    ("Отмените заказ №5", ["отмените", "заказ", "no5"]),
    ("ﬁve ＡＢＣ １２", ["five", "abc", "12"]),
    ("Straße", ["strasse"]),
    ("नमस्ते, आप कैसे हैं?", ["नमस्ते", "आप", "कैसे", "हैं"]),
    ("أريد إلغاء الطلب", ["أريد", "إلغاء", "الطلب"]),
    ("请取消订单ORD5。", ["请", "取", "消", "订", "单", "ord5"]),
    ("キャンセル", ["キ", "ャ", "ン", "セ", "ル"]),
    ("주문 취소", ["주문", "취소"]),
    ("cafe\u0301", ["café"]),
    ("...?!", []),
    ("", []),
]


@each_of(("text", "expected"), SPLIT, ids=range(len(SPLIT)))
def test_a_text_splits_into_its_words(text, expected):
    assert words(text) == expected


@given(st.text())
def test_words_do_not_change_with_case_width_or_spacing(text):
    assert words(normalised(text)) == words(text)


@given(st.text())
def test_normalising_twice_changes_nothing(text):
    once = normalised(text)
    assert normalised(once) == once
