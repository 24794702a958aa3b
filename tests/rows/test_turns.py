from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from strategies import json_values, messages, texts
from whileai.simulations.rows.text import message_events
from whileai.simulations.rows.turns import event_turns, turns

call = st.fixed_dictionaries({"id": texts, "function": st.fixed_dictionaries({"name": texts, "arguments": texts})})
flat = st.fixed_dictionaries({"name": texts, "arguments": json_values})
plain = st.one_of(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool"]), "content": texts | st.none()}
    ),
    st.fixed_dictionaries(
        {"role": st.just("assistant"), "content": texts | st.none(), "tool_calls": st.lists(call | flat, max_size=2)}
    ),
)


@given(st.lists(plain | messages, max_size=6) | json_values)
def test_the_cheap_reading_agrees_with_the_events(chat: object) -> None:
    assert turns(chat) == event_turns(message_events(chat))


@given(st.lists(plain, max_size=6))
def test_plain_chats_agree_too(chat: list) -> None:
    held = json.dumps(chat, default=str)
    assert turns(chat) == event_turns(message_events(chat))
    assert json.dumps(chat, default=str) == held
