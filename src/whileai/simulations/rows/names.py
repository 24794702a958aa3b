"""What the words of a tool's name say about what a call of it does."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_CACHED_NAMES = 4096  # names a cache keeps; a dataset has far fewer tools
_NAMESPACE = re.compile(r"[./:]|__")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|\d++|[^\W\d_a-zA-Z]++")


def words_in(text: str) -> frozenset[str]:
    """The words of a text as a set.

    >>> sorted(words_in("cat  head"))
    ['cat', 'head']
    """
    return frozenset(text.split())


DELETE_WORDS = words_in(
    """
    delete remove rm unlink drop erase destroy purge wipe
    """
)
COMMAND_WORDS = words_in(
    """
    run exec execute shell bash command terminal subprocess sh powershell zsh cmd
    """
)
READ_WORDS = words_in(
    """
    get read list ls inspect search fetch find grep show describe view lookup check query retrieve count verify
    validate preview compare estimate calculate compute summarize summarise translate explain browse scan history
    cat open load head tail examine analyze analyse think reason observe monitor watch peek lint recommend
    suggest convert classify detect extract parse status info help ask wait sleep scroll goto navigate navigation
    back screenshot hover snapshot whoami ping track
    """
)
_ACTS = words_in(  # verbs that change something wherever they stand in a name
    """
    write create save put patch replace append insert add modify edit cancel submit assign rename send apply
    approve reject enable disable reset revoke grant register unregister subscribe unsubscribe upload publish
    unpublish deploy rollback merge install uninstall configure activate deactivate escalate notify reserve
    reschedule dispatch archive unarchive restore upsert overwrite redeem pay issue confirm commit push close
    reopen lock unlock block unblock resend invite ban unban kill terminate suspend resume checkout checkin
    enroll unenroll increment decrement withdraw deposit reimburse credit debit
    """
)
_ACTS_OR_THINGS = words_in(  # change something, unless the name reads such a thing: update_order, get_order
    """
    update set change move book order refund charge return transfer post exchange ship schedule copy sync mark
    tag label note pin start stop restart reboot trigger launch call email message comment reply swap switch
    toggle upgrade downgrade renew extend import export process complete sell buy purchase rent bill invoice
    vote follow like share forward assign log record file sign touch format fix refactor build make link
    unlink merge split rate review request release click type fill press drag mail dial text fax print draft
    hold flag pause rebook repay
    """
)
_THINGS = words_in(
    """
    refund charge order book transfer exchange return invoice file log
    """
)
_TESTS = words_in(
    """
    test tests pytest unittest jest suite ci lint linter build typecheck typechecker checks
    diagnostics workflow pipeline
    """
)
_NOUNS = frozenset(["status", "info", "history", "help"])  # say read, unless a verb that acts stands beside them
_OPENED = frozenset(["ticket", "case", "account", "issue", "dispute", "claim", "incident", "pr", "order", "request"])
_CHECKS_IN = (("check", "in"), ("check", "out"))
_JOINS = frozenset(["and", "or", "then"])
_LOOKS = words_in(
    """
    lookup search find fetch history status info query count view
    """
)


@lru_cache(_CACHED_NAMES)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a tool's name, lower case: snake, kebab, camel, dotted and namespaced names alike.

    >>> name_words("github__listIssues"), name_words("HTTP-get.v2")
    (('github', 'list', 'issues'), ('http', 'get', 'v', '2'))
    >>> name_words("größe_ändern"), name_words("ÉtatCivil")
    (('größe', 'ändern'), ('état', 'civil'))
    """
    if name.isascii():
        return tuple(word.lower() for word in _WORD.findall(name))
    name = unicodedata.normalize("NFC", name)
    return tuple(name[found.start() : found.end()].lower() for found in _WORD.finditer(_as_ascii(name)))


def _as_ascii(name: str) -> str:
    """The name with a letter of any script as one of its case, so that the same pattern parts it; as long as it is."""
    marks = ""
    for mark in name:
        if mark.isascii():
            marks += mark
        elif mark.isupper():
            marks += "A"
        elif mark.islower():
            marks += "a"
        elif unicodedata.combining(mark) or unicodedata.category(mark) == "Mc":  # part of the letter before it
            marks += marks[-1:].lower() or "_"
        else:
            marks += mark
    return marks


@lru_cache(_CACHED_NAMES)
def may_change(name: str) -> bool:
    """Whether a tool may change the world by its name: anything that is not clearly a read.

    A write word anywhere makes it a write, unless it names the thing that is read. Unknown verbs are writes.

    >>> [may_change(n) for n in ("github__list_issues", "get_order", "verify_and_charge_card", "reboot")]
    [False, False, True, True]
    """
    words = _last_segment(name)
    if not _reads(words):
        words = name_words(name)
    return not _reads(words) or says_change(name)


@lru_cache(_CACHED_NAMES)
def says_change(name: str) -> bool:
    """Whether a word of the name is a verb that writes or deletes.

    >>> [says_change(n) for n in ("update_address", "get_update", "orders.cancel", "reboots")]
    [True, False, True, False]
    """
    return _changes(name_words(name))


def says_delete(name: str) -> bool:
    """Whether a word of the name says delete.

    >>> says_delete("delete_file"), says_delete("drop_down_view")
    (True, True)
    """
    return not DELETE_WORDS.isdisjoint(name_words(name))


def says_command(name: str) -> bool:
    """Whether a word of the name says that it runs a command.

    >>> says_command("execute_bash"), says_command("brunch")
    (True, False)
    """
    return not COMMAND_WORDS.isdisjoint(name_words(name))


@lru_cache(_CACHED_NAMES)
def checks_by_name(name: str) -> bool:
    """Whether a tool runs tests or checks by its name.

    >>> [checks_by_name(n) for n in ("run_tests", "lint_code", "latest_orders")]
    [True, True, False]
    """
    return not _TESTS.isdisjoint(name_words(name))


@lru_cache(_CACHED_NAMES)
def opens_with_change(name: str) -> bool:
    """Whether the tool's name begins with a state-changing verb (its namespace aside).

    >>> [opens_with_change(n) for n in ("refund_order", "shop.cancel", "order_lookup", "get_order")]
    [True, True, False, False]
    """
    words = _last_segment(name)
    if not words or _reads(words):
        return False
    return _is_act(words[0]) or words[0] in COMMAND_WORDS or _opens(words) or words[:2] in _CHECKS_IN


def _is_act(word: str) -> bool:
    return word in _ACTS or word in _ACTS_OR_THINGS or word in DELETE_WORDS


def _opens(words: tuple[str, ...]) -> bool:
    """Whether the words open a ticket or the like, which is no file to look into."""
    return words[:1] == ("open",) and not _OPENED.isdisjoint(words)


def _last_segment(name: str) -> tuple[str, ...]:
    return name_words(_NAMESPACE.split(name)[-1])


def _reads(words: tuple[str, ...]) -> bool:
    """Whether the words read something: a read verb with no act before it, or a thing and then a look at it."""
    if "look" in words and "up" in words[words.index("look") :]:
        return True
    if words[:2] in _CHECKS_IN:
        return False
    at = next((place for place, word in enumerate(words) if word in READ_WORDS), None)
    if at is None or _opens(words):
        return False
    if words[at] in _NOUNS and any(map(_is_act, words)):
        return words[0] in _THINGS
    before = [word for word in words[:at] if _is_act(word)]
    return not before or (words[0] in _THINGS and words[-1] in _LOOKS and _JOINS.isdisjoint(words))


def _changes(words: tuple[str, ...]) -> bool:
    reads = _reads(words)
    joined = False
    for word in words:
        joined = joined or word in _JOINS
        if word in _ACTS or word in DELETE_WORDS:
            return True
        if word in _ACTS_OR_THINGS and (not reads or joined):
            return True
    return words[:2] in _CHECKS_IN or _opens(words)
