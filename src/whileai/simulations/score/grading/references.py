"""Arguments that refer to a record nobody named, and arguments that echo the schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from whileai.simulations.reports import printable
from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.effects import opens_with_change
from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.values import as_text
from whileai.simulations.score.grading.evidence import Evidence

_MOST = 3  # inventions a reason names
_CACHED_KEYS = 4096  # argument names a cache keeps
_DEEPEST = 20  # levels of nested arguments read
_REFERENCE_KEY = re.compile(r"(?:.*_)?id|ref|key|.*[a-z]I[dD]", re.DOTALL)
_OWN_KEY = re.compile(r"(?:request|correlation|trace|span|idempotency|model|voice|locale|timezone)_?id", re.IGNORECASE)
_ALIASES = words_in(
    "primary me self default current main master head root latest active own all any inbox trunk develop dev"
    " this myself"
)
_DIGIT = re.compile(r"\d")
_SLUG = re.compile(r"[A-Z][A-Z0-9]*+(?:[-_][A-Z0-9]++)++")
_STOCK = re.compile(r"(?:conv|msg|user|macro|doc)_|user_id$|none$", re.IGNORECASE)
_RECORD_KEY = re.compile(r"[A-Z][A-Z0-9]*+[-_]\d+|#?\d{3,}|[0-9a-f]{12,40}")
_BRACKETED = re.compile(r"<([\w .:-]{2,40})>|\[([\w .-]{2,40})\]|\{\{? ?([\w .-]{2,40}?) ?\}?\}")
_LABEL_WORDS = words_in(
    "name email id phone address date number token password username user customer order account company city your"
    " insert enter placeholder value key amount string uuid todo"
)
_LABELS = frozenset(
    label.replace("_", " ")
    for label in words_in(
        "first_name last_name full_name user_name order_id order_number user_id customer_id account_id account_number"
        " phone_number email_address street_address zip_code postal_code booking_id booking_reference ticket_id"
        " card_number"
        " company_name product_id invoice_id invoice_number reservation_id passenger_id customer_name tracking_number"
    )
)
_YOURS = re.compile(
    r"(?:your|insert|enter)(?: your)? (?:(?:first|last|full|user|order|account|phone|api|email|customer|card"
    r"|company|booking"
    r"|zip|home|street) ?)?(?:name|email|e-mail|id|number|phone|address|key|token|password|username|code|city"
    r"|company)(?: here)?"
)
_OPEN_YOURS = (["your"], ["insert"], ["enter"])
_ADDRESS = re.compile(
    r"[\w.+-]{1,64}@example\.(?:com|org|net)"
    r"|(?:user|test|name|e?mail|your\.?e?-?mail|your\.?name|you|someone|customer|example|me|john|jane"
    r"|john\.?doe|jane\.?doe"
    r"|first\.?last|username|sample|foo|admin|info)@(?:test|email|domain)\.(?:com|org|net)",
    re.IGNORECASE,
)


def inventions(evidence: Evidence) -> list[str]:
    """The first invented references and placeholders, as `tool(key.path=value)` and `tool(key.path=placeholder)`."""
    found: dict[str, None] = {}
    for place, call in enumerate(evidence.calls):
        for path, key, value in leaves(call.arguments):
            shown = _invented(call, place, path, key, value, evidence)
            if shown:
                found[shown] = None
                if len(found) == _MOST:
                    return list(found)
    return list(found)


def _invented(call: Call, place: int, path: str, key: str, value: Any, evidence: Evidence) -> str:
    text = reference_text(value)
    if not text:
        return ""
    if isinstance(value, str) and is_placeholder(key, text) and not evidence.has(text, place):
        return printable(f"{call.name}({path}=placeholder)", 120)
    if not refers(key, text) or not (opens_with_change(call.name) or looks_like_identifier(text)):
        return ""
    if evidence.has(text.lstrip("#"), place):
        return ""
    return printable(f"{call.name}({path}={text})", 120)


def leaves(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Every value of nested arguments in order: its dotted path, its own key, the value; a list's items share one path.

    >>> list(leaves({"order": {"id": 5}, "ids": ["a", "b"]}))
    [('order.id', 'id', 5), ('ids', 'ids', 'a'), ('ids', 'ids', 'b')]
    """
    yield from _leaves(arguments, "", "", 0)


def _leaves(value: Any, path: str, key: str, depth: int) -> Iterator[tuple[str, str, Any]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            own = as_text(name)
            yield from _leaves(inner, f"{path}.{own}" if path else own, own, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, path, key, depth + 1)
    else:
        yield path, key, value


def reference_text(value: Any) -> str:
    """A text or an integer as the text it is looked up by, `""` for anything else.

    >>> reference_text(" ORD-5 "), reference_text(4017), reference_text(True)
    ('ORD-5', '4017', '')
    """
    if isinstance(value, str):
        return value.strip()
    return as_text(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def refers(key: str, text: str) -> bool:
    """Whether an argument refers to a record: `id`, `*_id`, `ref`, `key`, less known aliases and names of settings.

    >>> refers("order_id", "ORD-5"), refers("calendar_id", "primary"), refers("key", "theme"), refers("key", "OPS-44")
    (True, False, False, True)
    """
    if not _is_reference_key(key) or text.lower() in _ALIASES:
        return False
    if key == "ref" and "/" in text:
        return False
    return key != "key" or _RECORD_KEY.fullmatch(text) is not None


def looks_like_identifier(text: str) -> bool:
    """Whether a value looks like an identifier and not like a plain word.

    >>> [looks_like_identifier(t) for t in ("ORD-7788", "EU-WEST", "conv_x", "platform")]
    [True, True, True, False]
    """
    return bool(_DIGIT.search(text) or _SLUG.fullmatch(text) or _STOCK.match(text))


@lru_cache(_CACHED_KEYS)
def _is_reference_key(key: str) -> bool:
    return _REFERENCE_KEY.fullmatch(key) is not None and not _OWN_KEY.fullmatch(key)


def is_placeholder(key: str, text: str) -> bool:
    """Whether a value echoes the schema: a bracketed token, its field's own label, a stock address.

    >>> is_placeholder("to", "<email>"), is_placeholder("first_name", "first name")
    (True, True)
    >>> is_placeholder("to", "user@test.com")
    True
    >>> is_placeholder("channel", "email"), is_placeholder("html", "<br>"), is_placeholder("sort_by", "order id")
    (False, False, False)
    """
    if len(text) > 80:
        return False
    if "@" in text and _ADDRESS.fullmatch(text):
        return True
    low = text.lower()
    if low.isalnum():
        return low == "placeholder"
    own = _words(key.lower())
    if low[:1] in ("<", "[", "{") and (bracketed := _BRACKETED.fullmatch(low)):
        words = set(_words(bracketed[bracketed.lastindex or 0]))
        return not words.isdisjoint(_LABEL_WORDS) or (bracketed[1] is not None and not words.isdisjoint(own))
    label = _words(low)
    if label[:1] in _OPEN_YOURS and _YOURS.fullmatch(" ".join(label)):
        return True
    if len(label) < 2:
        return label == ["placeholder"]
    return label == own or (own[-1:] == label[-1:] and " ".join(label) in _LABELS)


def _words(text: str) -> list[str]:
    return text.replace("_", " ").replace("-", " ").split()
