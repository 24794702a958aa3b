from __future__ import annotations

from tables import each_of
from whileai.simulations.rows.credentials import holds_credential, without_credentials


@each_of(
    "text",
    [
        "sk-proj-0123456789abcdef", "hf_" + "a" * 20, "lsv2_pt_0123456789", "ghp_0123456789abcdefghij", "xoxb-12345678",
        "github_pat_0123456789", "glpat-0123456789", "AKIA0123456789ABCDEF", "AIza0123456789", "Bearer abcdefgh",
    ]
)  # fmt: skip
def test_a_credential_is_known_wherever_it_stands(text: str) -> None:
    assert holds_credential(f"header: {text}; more")


@each_of("text", ["hf-datasets", "key_points", "task-0123456789", "skateboarding-events-2024", "https://host:8000/v1"])
def test_a_name_is_none(text: str) -> None:
    assert not holds_credential(text)


def test_each_is_hidden_and_the_rest_stays() -> None:
    assert without_credentials("a sk-12345678 b gsk_12345678 c") == "a [key] b [key] c"


def test_what_may_be_a_key_is_hidden_where_only_an_error_shows_it() -> None:
    assert without_credentials("openai:sk-abcdefgh") == "openai:[key]"
