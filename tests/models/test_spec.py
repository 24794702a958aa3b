"""How models are named, and what a misspelt name is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.models.spec import ModelSpec, is_loopback, parse_spec
from whileai.simulations.reports import printable


@each_of(
    ("text", "spec"),
    [
        ("openai:gpt-4o", ModelSpec("openai", "gpt-4o")),
        ("openai:", ModelSpec("openai", "gpt-4o-mini")),
        ("OpenAI:gpt-4o", ModelSpec("openai", "gpt-4o")),
        (" openai:gpt-4o\n", ModelSpec("openai", "gpt-4o")),
        ("openai:ft:gpt-4o:acme::x1", ModelSpec("openai", "ft:gpt-4o:acme::x1")),
        ("anthropic:", ModelSpec("anthropic", "claude-haiku-4-5")),
        ("ollama:", ModelSpec("ollama", "llama3.1:8b")),
        ("ollama:qwen3:8b", ModelSpec("ollama", "qwen3:8b")),
        ("ollama:qwen3:8b@http://gpu-1:11434", ModelSpec("ollama", "qwen3:8b", url="http://gpu-1:11434")),
        ("fireworks:accounts/a/models/m", ModelSpec("fireworks", "accounts/a/models/m")),
        ("vllm:org/M-7B@http://h:8000/v1/", ModelSpec("vllm", "org/M-7B", url="http://h:8000/v1")),
        ("vllm:m@http://[::1]:8000/v1", ModelSpec("vllm", "m", url="http://[::1]:8000/v1")),
        ("bedrock:anthropic.claude-v1:0@us-east-1", ModelSpec("bedrock", "anthropic.claude-v1:0", region="us-east-1")),
        ("bedrock:meta.llama3", ModelSpec("bedrock", "meta.llama3")),
        ("litellm:groq/llama-3.3-70b", ModelSpec("litellm", "groq/llama-3.3-70b")),
        ("litellm:vertex_ai/claude@20250514", ModelSpec("litellm", "vertex_ai/claude@20250514")),
        ("http://gpu-1:8000/v1", ModelSpec("url", "", url="http://gpu-1:8000/v1")),
        ("HTTPS://host/v1", ModelSpec("url", "", url="HTTPS://host/v1")),
    ],
)
def test_what_a_spec_names(text: str, spec: ModelSpec) -> None:
    assert parse_spec(text) == spec
    assert parse_spec(str(spec)) == spec


@each_of(
    ("text", "fix"),
    [
        ("gpt-4o", "'openai:gpt-4o'"),
        ("o3-mini", "'openai:o3-mini'"),
        ("claude-haiku-4-5", "'anthropic:claude-haiku-4-5'"),
        ("openai/gpt-4o", "'openai:gpt-4o'"),
        ("opnai:gpt-4o", "'openai:gpt-4o'"),
        ("anthropc:claude", "'anthropic:claude'"),
        ("vlm:m@http://h/v1", "'vllm:m@http://h/v1'"),
        ("Qwen/Qwen3-4B", "'vllm:Qwen/Qwen3-4B@http://HOST:PORT/v1'"),
        ("vllm:Qwen/Qwen3-4B", "'vllm:Qwen/Qwen3-4B@http://HOST:PORT/v1'"),
        ("vllm:m@", "'vllm:m@http://HOST:PORT/v1'"),
        ("vllm:m@gpu-1:8000", "http://HOST:PORT/v1"),
        ("localhost:8000/v1", "'http://localhost:8000/v1'"),
        ("llama3.1:8b", "'ollama:llama3.1:8b'"),
        ("gpt-oss:20b", "'ollama:gpt-oss:20b'"),
        ("groq/llama-3.3-70b", "'litellm:groq/llama-3.3-70b'"),
        ("azure:gpt-4o", "'litellm:azure/gpt-4o'"),
        ("litellm:llama", "litellm:PROVIDER/MODEL"),
        ("openai:gpt-4o@http://h/v1", "'vllm:gpt-4o@http://h/v1'"),
        ("fireworks:", "fireworks:MODEL"),
        ("bedrock:m@http://h", "'bedrock:m@us-east-1'"),
        ("openai:gpt 4o", "openai:MODEL"),
        ("ask my judge", "openai:MODEL"),
        ("http://", "http://HOST:PORT/v1"),
        ("http://host:port/v1", "http://HOST:PORT/v1"),
        ("http://h/v1?api-version=1", "give the base URL alone"),
        ("http://me:word@h/v1", "pass it as api_key="),
        ("typesafe:jev-latest", "outside this project"),
        ("hosted:default", "outside this project"),
    ],
)
def test_a_misspelt_spec_is_told_the_fix(text: str, fix: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_spec(text)
    assert fix in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text() | st.from_regex(r"(openai|vllm|ollama|bedrock|litellm|http)[:/@]{0,3}\S{0,9}[@:]?\S{0,9}"))
def test_any_text_is_a_spec_or_a_value_error(text: str) -> None:
    try:
        spec = parse_spec(text)
    except ValueError as error:
        assert str(error) == printable(error)  # noqa: PT017
    else:
        assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://localhost:1/v1", True),
        ("http://127.9.0.1", True),
        ("http://[::1]:80/v1", True),
        ("http://10.0.0.1/v1", False),
        ("http://localhost.evil.example/v1", False),
        ("http://127.0.0.1.evil.example/v1", False),
    ],
)
def test_loopback(url: str, near: bool) -> None:
    assert is_loopback(url) is near
