"""What a credential looks like in words of others."""

from __future__ import annotations

import re

_LETTERS = "A-Za-z0-9_-"
_VENDOR = "(?:sk|pk|rk|fw|gsk|hf|xai|key|lsv2|xox[abp]|gh[opsur]|github_pat|glpat)[-_]"
_CLOUD = rf"AKIA[A-Z0-9]{{8,}}|AIza[{_LETTERS}]{{8,}}"
_SURE = rf"(?=[A-Za-z_-]*\d)[{_LETTERS}]{{8,}}|[{_LETTERS}]{{16,}}"  # else a name, such as `hf-datasets`
_KEYS = re.compile(rf"{_VENDOR}[{_LETTERS}]{{8,}}|{_CLOUD}")  # names too: one more that is hidden harms nobody
_LOGIN = re.compile(r"//[^/@\s]*@")
_ANY = re.compile(rf"\b(?:{_VENDOR}(?:{_SURE})|{_CLOUD})|\bBearer\s+\S{{8,}}|://[^/\s:@]+:[^/\s@]+@")


def holds_credential(text: str) -> bool:
    """Whether a text holds what looks like a key, a bearer's token or an address with a password.

    >>> [holds_credential(text) for text in ("sk-012345678", "https://me:pw@host/v1", "hf-datasets", "task-0123456789")]
    [True, True, False, False]
    """
    return _ANY.search(text) is not None


def holds_key(text: str) -> bool:
    """Whether a text holds what may be a key.

    >>> holds_key("AKIA0123456789AB"), holds_key("https://me:pw@host/v1")
    (True, False)
    """
    return _KEYS.search(text) is not None


def without_credentials(text: str) -> str:
    """The text with `[key]` for each thing in it that may be a key, and addresses without who is logged in.

    >>> without_credentials("openai:sk-0123456789@https://me:pw@host/v1")
    'openai:[key]@https://[hidden]@host/v1'
    """
    return _LOGIN.sub("//[hidden]@", _KEYS.sub("[key]", text))
