"""Keys that this process knows, taken out of the words of others: an exception may quote the request it is about."""

from __future__ import annotations

import os

from whileai.simulations.models.providers import PROVIDERS
from whileai.simulations.models.secret import LEAST, Secret, known_secrets

_VARIABLES = frozenset(name for provider in PROVIDERS.values() for name in provider.variables) | {
    "HF_TOKEN",
    "WHILEAI_API_KEY",
    "WHILEAI_DELEGATED_CREDENTIAL",
}
_ENDING = "_API_KEY"


def without_keys(text: str) -> str:
    """The text without any key that was given to this library, or that stands in a variable made to hold one.

    >>> key = Secret("sk-12345")
    >>> without_keys("401 for Bearer sk-12345")
    '401 for Bearer [key]'
    """
    for key in known_secrets():
        text = key.hidden_within(text)
    for name, value in os.environ.items():
        if (name in _VARIABLES or name.endswith(_ENDING)) and len(value.strip()) >= LEAST:
            text = Secret(value.strip()).hidden_in(text)
    return text
