"""Made-up texts for fields of a known name: people, places, identifiers, queries."""

from __future__ import annotations

from whileai.simulations.rows.names import name_words, words_in
from whileai.simulations.run import pools
from whileai.simulations.run.days import ENDS, STARTS, day
from whileai.simulations.run.draw import below, pick

_PREFIXES = {
    "order": "ORD", "ticket": "TCK", "customer": "CUS", "user": "USR", "invoice": "INV", "product": "PRD",
    "booking": "BKG", "event": "EVT", "account": "ACC", "reservation": "RSV", "shipment": "SHP", "task": "TSK",
    "employee": "EMP", "message": "MSG", "document": "DOC", "project": "PRJ", "issue": "ISS", "payment": "PAY",
    "subscription": "SUB", "claim": "CLM", "patient": "PAT", "appointment": "APT", "meeting": "MTG", "item": "ITM",
    "contract": "CTR", "refund": "RFD", "transaction": "TXN", "job": "JOB", "lead": "LEA", "case": "CAS",
}  # fmt: skip


def email(*parts: object) -> str:
    """A person's address at one of the companies that do not exist."""
    first, last = pick(pools.FIRST_NAMES, *parts, "first"), pick(pools.LAST_NAMES, *parts, "last")
    return f"{first}.{last}@{pick(pools.COMPANIES[:4], *parts, 'at')}.com".lower()


def person(*parts: object) -> str:
    """A person's name."""
    return f"{pick(pools.FIRST_NAMES, *parts, 'first')} {pick(pools.LAST_NAMES, *parts, 'last')}"


def address(*parts: object) -> str:
    """A street and a number."""
    return f"{3 + below(90, *parts, 'house')} {pick(pools.STREETS, *parts, 'street')}"


_POOLS: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (words_in("city town location place"), pools.CITIES),
    (words_in("cuisine food"), pools.CUISINES),
    (words_in("artist band song album"), pools.ARTISTS),
    (words_in("genre"), ("jazz", "folk", "classical", "ambient")),
    (words_in("prompt scene"), pools.SCENES),
    (words_in("type kind"), ("standard", "large", "basic", "premium")),
    (words_in("country"), pools.COUNTRIES),
    (words_in("airport"), pools.AIRPORTS),
    (words_in("item product article"), pools.ITEMS),
    (words_in("company organization organisation vendor supplier airline carrier"), pools.COMPANIES),
    (words_in("reason justification cause"), pools.REASONS),
    (words_in("problem description details issue symptom"), pools.PROBLEMS),
    (words_in("subject"), pools.SUBJECTS),
    (words_in("body content text message note notes comment instructions"), pools.SENTENCES),
    (words_in("conditions weather forecast"), pools.WEATHER),
    (words_in("category topic department team channel"), pools.CATEGORIES),
    (words_in("language lang locale"), pools.LANGUAGES),
    (words_in("currency"), pools.CURRENCIES),
    (words_in("table dataset"), pools.TABLES),
    (words_in("folder directory dir"), pools.FOLDERS),
    (words_in("ticker symbol"), pools.TICKERS),
    (words_in("state status stage"), pools.STATES),
    (words_in("drug medicine medication prescription substance"), pools.MEDICINES),
    (words_in("color colour"), pools.COLORS),
    (words_in("size"), ("small", "medium", "large")),
    (words_in("species animal pet"), ("dog", "cat", "rabbit")),
    (words_in("model device"), ("X200", "M7", "Model 3")),
)
_PEOPLE = words_in("customer employee user contact patient passenger guest owner assignee author manager client"
                   " organizer sender person first last full traveler host")  # fmt: skip
_QUERIES = (
    "SELECT count(*) FROM {table} WHERE created_at >= '2026-02-01'",
    "SELECT id, total FROM {table} ORDER BY total DESC LIMIT 5",
    "SELECT status, count(*) FROM {table} GROUP BY status",
    "SELECT * FROM {table} WHERE status = 'open' LIMIT 10",
)
_MAIL = words_in("email mail message invitation newsletter")
_TROUBLE = words_in("issue ticket bug incident case problem")
_AIR = words_in("origin destination")


def named(name: str, noun: str, *parts: object) -> str:
    """A text for a field of a known name, `""` for an unknown one."""
    words = name_words(name)
    said = set(words)
    if words and (words[-1] in ("id", "sku", "asin", "ref", "reference", "number", "code") or words == ("key",)):
        return identifier(" ".join(words[:-1]) or noun, *parts, name)
    if words in (("to",), ("cc",), ("bcc",)) and _MAIL.intersection(noun.split()):
        return email(*parts, name)
    if words and words[-1] in ("account", "card", "iban", "wallet"):
        return identifier(words[-1], *parts, name)
    if said & {"path", "file", "filename", "filepath"} or (said & {"source", "destination"} and "file" in noun.split()):
        return f"{pick(pools.FOLDERS, *parts, name)}/{pick(pools.FILES, *parts, name)}"
    if said & {"sql", "statement"}:
        return sql(*parts)
    if said & {"zip", "postcode", "postal"}:
        return str(10115 + below(89000, *parts, name))
    if said & {"command", "cmd", "script"}:
        return pick(pools.COMMANDS, *parts, name)
    if said & {"expression", "formula"}:
        return f"{12 + below(80, *parts)} * {3 + below(20, *parts, 'by')}.5 + {below(90, *parts, 'plus')}"
    if said & {"branch", "head"} or words == ("base",):
        return "main" if "base" in said else pick(pools.BRANCHES, *parts, name)
    if said & {"query", "q", "search", "pattern"} and "code" in noun.split():
        return pick(pools.CODE, *parts, name)
    if said & {"query", "q", "search", "keyword", "keywords", "term"}:
        return pick(pools.QUERIES, *parts, name)
    if said & {"repo", "repository"}:
        project = pick(("billing-service", "web-app", "docs"), *parts, name)
        return f"{pick(pools.COMPANIES, *parts, name).lower()}/{project}"
    if words == ("place", "name"):
        return pick(pools.PLACES, *parts)
    if said & {"address", "street"}:
        return address(*parts, name)
    if "phone" in said:
        return f"+44 20 7946 0{100 + below(899, *parts, name)}"  # a range kept free for fiction
    if said & _AIR or words in (("from",), ("to",)):
        return pick(pools.CITIES, *parts, name)
    if said & {"title", "subject", "body", "summary"} and _TROUBLE.intersection(noun.split()):
        return pick(pools.PROBLEMS, *parts, name)
    for known, pool in _POOLS:
        if said & known:
            return pick(pool, *parts, name)
    if "name" in said or said & _PEOPLE:
        return _name(said, noun, *parts, name)
    if "title" in said or "summary" in said:
        return pick(pools.MEETINGS if noun in ("event", "meeting", "calendar event") else pools.TOPICS, *parts, name)
    if said & ENDS or said & STARTS:
        return day(words, *parts)
    return ""


def _name(said: set[str], noun: str, *parts: object) -> str:
    if said & {"first"}:
        return pick(pools.FIRST_NAMES, *parts, "first")
    if said & {"last"}:
        return pick(pools.LAST_NAMES, *parts, "last")
    if said & _PEOPLE or not noun or _PEOPLE.intersection(noun.split()):
        return person(*parts)
    if noun in ("product", "item"):
        return pick(pools.ITEMS, *parts)
    return pick(pools.MEETINGS if noun in ("event", "meeting") else pools.TOPICS, *parts)


def identifier(noun: str, *parts: object) -> str:
    """An identifier such as systems give out: letters of what it names and four digits."""
    last = noun.split()[-1] if noun else "record"
    if last in ("flight",):
        return f"{pick(('TP', 'LH', 'KL', 'SK', 'BA'), *parts, 'line')}{210 + below(780, *parts)}"
    if last in ("tracking", "confirmation"):
        return f"{pick('ABCDEFGH', *parts)}{100000 + below(899999, *parts)}"
    letters = "".join(mark for mark in last if mark.isalpha()).upper()
    return f"{_PREFIXES.get(last, letters[:3] or 'REF')}-{1201 + below(8600, *parts)}"


def sql(*parts: object) -> str:
    """A query that only reads."""
    table = pick(pools.TABLES, *parts, "table")  # one of ours: no text of anybody's stands in the query
    return pick(_QUERIES, *parts, "form").format(table=table)
