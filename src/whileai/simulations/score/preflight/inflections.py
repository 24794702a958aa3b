"""The forms an English word takes in a sentence."""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiou")
_HISSING = ("s", "x", "z", "ch", "sh")
_IRREGULAR = {
    "buy": ("bought",),
    "find": ("found",),
    "get": ("got", "gotten"),
    "give": ("gave", "given"),
    "hold": ("held",),
    "make": ("made",),
    "pay": ("paid",),
    "person": ("people",),
    "see": ("saw", "seen"),
    "send": ("sent",),
    "take": ("took", "taken"),
    "tell": ("told",),
    "write": ("wrote", "written"),
}


def singular(word: str) -> str:
    """A word without its plural ending.

    >>> [singular(word) for word in ("invoices", "policies", "boxes", "status", "address")]
    ['invoice', 'policy', 'box', 'status', 'address']
    """
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@lru_cache(maxsize=4096)
def numbers(word: str) -> frozenset[str]:
    """A word in singular and plural.

    >>> sorted(numbers("policies"))
    ['policies', 'policy']
    """
    base = singular(word)
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return frozenset((word, base, base[:-1] + "ies"))
    return frozenset((word, base, base + ("es" if base.endswith(_HISSING) else "s")))


@lru_cache(maxsize=4096)
def forms(word: str) -> frozenset[str]:
    """A word with the endings of a plural and of a verb.

    >>> sorted(forms("cancel"))
    ['cancel', 'canceled', 'canceling', 'cancelled', 'cancelling', 'cancels']
    >>> sorted(forms("issue")), "verified" in forms("verify"), "shipping" in forms("ship")
    (['issue', 'issued', 'issues', 'issuing'], True, True)
    """
    base = singular(word)
    found = {*numbers(word), *_IRREGULAR.get(base, ())}
    if base.endswith("e"):
        found |= {base + "d", base.removesuffix("e") + "ing"}
    elif base.endswith("y") and base[-2:-1] not in _VOWELS:
        found |= {base[:-1] + "ied", base + "ing"}
    else:
        found |= {base + "ed", base + "ing"}
        if _doubles(base):
            found |= {base + base[-1] + "ed", base + base[-1] + "ing"}
    return frozenset(found)


def _doubles(base: str) -> bool:
    """Whether the last letter may double: a consonant after one vowel."""
    return len(base) > 2 and base[-1] not in "aeiouwxy" and base[-2] in _VOWELS and base[-3] not in _VOWELS
