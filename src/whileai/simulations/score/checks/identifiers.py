"""Arguments that hold an identifier which stands nowhere in what the agent was told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from whileai.simulations.rows.heard import Heard, heard
from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.score.grounding.normal import told_plain
from whileai.simulations.score.grounding.row import Checker, Offender

_COMPOSED = """
    body command cmd code comment content contents description diff expression file_text function input keyword
    keywords message new_content new_str new_string note notes old_str old_string patch pattern plan prompt queries
    query question reason regex response script search_query sql statement subject summary text thought thoughts
    title path file_path filepath file filename target target_file directory dir cwd
    kernel_init_code setup_code format model model_id model_name version branch branch_name tag label image url uri
    link href host base_url selector css xpath locale language timezone encoding unit units currency colour color
    password passcode zip zipcode zip_code postal_code postcode latitude longitude lat lon lng
    request_id correlation_id trace_id span_id session_id idempotency_key idempotency_id nonce seed name slug
    error_code status_code exit_code
"""
COMPOSED = words_in(_COMPOSED)  # arguments an agent writes, chooses or knows, so that nobody need have said it
_RECORD_WORDS = words_in(
    "id ids ref reference number no nr num key order booking reservation confirmation ticket invoice account card"
    " payment tracking sku serial iban code pnr case claim transaction receipt phone mobile tel telephone fax"
)
_DIALLED_WORDS = words_in("phone mobile tel telephone fax card account iban number whatsapp sms to")
_TIME_WORDS = words_in(
    "time timestamp ts date day since until from start end before after at deadline due expiry expires"
)
_CREATES = words_in("create add new register make open start init insert define todo todos")
_LEAST, _MOST_CHARACTERS = 3, 64
_MOST_WEIGHED = 50  # suspicious arguments of one row that are looked up

_TOKEN = re.compile(r"[A-Za-z0-9]+(?:[-_.#:][A-Za-z0-9]+)*+")
_PREFIXED = re.compile(r"[A-Za-z][A-Za-z0-9]*+(?:[-_#][A-Za-z0-9]++)*?[-_#](\d{4,})")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEXADECIMAL = re.compile(r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,64}", re.IGNORECASE)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_DIALLED = re.compile(r"\+?\(?\d[\d ().-]{4,30}\d")
_DATE_OR_TIME = re.compile(
    r"(?:19|20)\d\d[-_.]?(?:[01]\d|q[1-4]|w[0-5]\d)(?:[-_.]?[0-3]\d)?"
    r"(?:[t_ -]?[0-2]\d:?[0-5]\d(?::?[0-5]\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?)?"
    r"|[0-3]?\d[-.][01]?\d[-.](?:19|20)?\d\d|(?:[0-3]?\d[-_.]?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]{0,6}[-_.]?(?:[0-3]?\d[-_.])?(?:(?:19|20)?\d\d)?|(?:q[1-4]|h[12]|fy)[-_.]?(?:19|20)?\d\d|(?:19|20)\d\d"
    r"|[0-2]?\d[:.]?[0-5]\d(?::[0-5]\d)?(?:am|pm)?|p(?:t?\d{1,6}[ymwdhs])++(?:t(?:\d{1,6}[hms])++)?",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"(?:top|last|next|past|first|page|level|version|v|size|step|day|week|month|year|row|line|col|width|height)s?[-_.]?"
    r"[\d.]+[a-z_-]*|\d[\d.]*[-_]?(?:[a-z]{1,2}|px|min|mins|hours?|days?|weeks?|months?|years?|usd|eur|gbp|gib|mib|kwh)",
    re.IGNORECASE,
)
_STANDARD = re.compile(
    r"(?:utf|iso|sha|md|aes|rsa|rfc|http|gpt|claude|llama|gemini|python|node|java|es|h|mp|ipv|gmt|utc|base|int|uint"
    r"|float|text|us|eu|ap|win|ubuntu|debian|latin|cp|windows|ascii|ed|rtx|gtx|a|co|pm|covid|area|crc|hmac|pbkdf)"
    r"[-_]?\d[\w.:-]*|\d+[-_]?bit|(?:us|eu|ap|sa|ca|me|af|il)-[a-z]+-\d[a-z]?|(?:etc/)?(?:gmt|utc)[+-]\d{1,2}",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"(?<![A-Za-z\d][-_#])(?<![A-Za-z\d])\d+")  # one that is no part of a code
_NUMBERED = re.compile(r"#?[A-Za-z]{0,4}[-_#]?\d+")  # a number behind a short prefix
_FILE = re.compile(r"[\w-]+\.(?:[a-z]{1,5}|mp[34]|h[0-9]{3}|7z)", re.IGNORECASE)
_CHECKER = Checker()


def invented_identifiers(row: Mapping[str, Any]) -> list[Offender]:
    """The arguments of a row's tool calls that hold an identifier nobody gave the agent, in call order.

    An identifier is a value that names one record: an e-mail address, a phone number, a UUID, a code such as
    `ORD-7788`, and under an argument that says so (`order_id`, `card_number`) any code with digits or long number.
    One counts as told also when a short prefix was put to a number (`ORD-7788` for "order 7788") or a country code to a
    phone number, or when the declared tools name it. What the agent names itself is none: dates,
    times, quantities, codes without digits, paths, addresses, texts, ids of what it creates.

    >>> def asked(prompt):
    ...     return {"prompt": prompt, "steps": [{"tool": "refund", "arguments": {"order_id": "ORD-7788"}}]}
    >>> [[each.value for each in invented_identifiers(asked(ask))] for ask in ("Refund my order", "Refund order 7788")]
    [['ORD-7788'], []]
    """
    suspects = _CHECKER.check(row, wanted=is_identifier)[0]
    if not suspects:
        return []
    told = _Told(heard(row), row.get("tools"))
    own: set[str] = set()
    found: list[Offender] = []
    for offender in suspects[:_MOST_WEIGHED]:
        if offender.value in own or told.holds(offender):
            continue
        if _names_what_it_creates(offender):
            own.add(offender.value)
        else:
            found.append(offender)
    return found


def is_identifier(key: str, value: str) -> bool:
    """Whether the value of an argument names one record, by its form and by the name of the argument.

    >>> [is_identifier(*each) for each in [("to", "ORD-7788"), ("order_id", "4017"), ("email", "j.doe@mail.org")]]
    [True, True, True]
    >>> [is_identifier(*each) for each in [("origin", "JFK"), ("day", "2024-05-15"), ("street", "12 Oak St")]]
    [False, False, False]
    """
    text = value.strip()
    if not _LEAST <= len(text) <= _MOST_CHARACTERS:
        return False
    if "@" in text:
        return _EMAIL.fullmatch(text) is not None and not _is_composed(key)
    if not any(map(str.isdigit, text)) or _is_composed(key):
        return False
    words = _key_words(key)
    if _DIALLED.fullmatch(text) and _is_dialled(text, words):
        return True
    text = text.replace(" ", "").lstrip("#") if "iban" in words else text.lstrip("#")
    if not _TOKEN.fullmatch(text) or _DATE_OR_TIME.fullmatch(text):
        return False
    if _UUID.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        return True
    if text.isdigit():
        return len(text) > _LEAST and not words.isdisjoint(_RECORD_WORDS) and words.isdisjoint(_TIME_WORDS)
    if _FILE.fullmatch(text) or _STANDARD.fullmatch(text) or _QUANTITY.fullmatch(text):
        return False
    if not any(map(str.isalpha, text)):
        return False
    if not words.isdisjoint(_RECORD_WORDS):
        return sum(map(str.isdigit, text)) > 1
    prefixed = _PREFIXED.fullmatch(text)
    return prefixed is not None and not _is_year(prefixed[1])


@lru_cache(4096)
def _is_composed(key: str) -> bool:
    return key.lower() in COMPOSED


@lru_cache(4096)
def _key_words(key: str) -> frozenset[str]:
    return frozenset(name_words(key))


def _is_dialled(text: str, words: frozenset[str]) -> bool:
    """Whether digits with separators are a number that one dials or that is on a card."""
    n_digits = sum(map(str.isdigit, text))
    if _DATE_OR_TIME.fullmatch(text):
        return False
    return (text[0] == "+" and n_digits > 7) or (n_digits > 5 and not words.isdisjoint(_DIALLED_WORDS))


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and digits[:2] in ("19", "20")


def _names_what_it_creates(offender: Offender) -> bool:
    """Whether a call creates the record that the argument names: its id is then the agent's to choose."""
    tool = name_words(offender.tool)
    named = _key_words(_last_key(offender.key)) - {"id", "ids", "key", "ref"}
    return not _CREATES.isdisjoint(tool) and named.issubset(tool)


def _last_key(path: str) -> str:
    return next((part for part in reversed(path.split(".")) if not part.isdigit()), path)


class _Told:
    """The numbers that an agent had been told when it made a call, and what its tools are declared with."""

    def __init__(self, found: Heard, tools: Any) -> None:
        self._told = found.told
        self._tools = tools
        self._declared: str | None = None
        self._before = 0
        self._numbers: set[str] = set()
        self._digits: list[str] = []

    def holds(self, offender: Offender) -> bool:
        """Whether the numbers of a value were told, or a tool is declared with it."""
        self._read_up_to(offender.before)
        value = offender.value.strip()
        if value.lower() in self._declarations:
            return True
        runs = _DIGITS.findall(value)
        if _DIALLED.fullmatch(value):
            return self._dialled("".join(runs))
        return _NUMBERED.fullmatch(value) is not None and (
            runs[0] in self._numbers or runs[0].lstrip("0") in self._numbers
        )

    def _dialled(self, digits: str) -> bool:
        """Whether a number was told but for the country code or the zero in its place."""
        local = [digits[cut:].lstrip("0") for cut in range(4)]
        return any(len(rest) > 5 and any(rest in told for told in self._digits) for rest in local)

    def _read_up_to(self, before: int) -> None:
        if before <= self._before:
            return
        text = told_plain(self._told[self._before : before])
        self._before = before
        self._numbers.update(_NUMBER.findall(text))
        self._digits.append("".join(_DIGITS.findall(text)))

    @property
    def _declarations(self) -> str:
        if self._declared is None:
            self._declared = told_plain([self._tools]) if self._tools else ""
        return self._declared
