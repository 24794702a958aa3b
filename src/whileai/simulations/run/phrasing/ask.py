"""The first message of a person in a situation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.run.draw import below, draw, pick, picks
from whileai.simulations.run.phrasing.aside import aside
from whileai.simulations.run.phrasing.grammar import closed, opened, plural, with_article
from whileai.simulations.run.phrasing.request import Request, plain_noun, request
from whileai.simulations.run.phrasing.rules import known, states, topic
from whileai.simulations.run.phrasing.sentences import (
    GREETINGS,
    HISTORIES,
    PERSONS,
    READ_SOMEWHERE,
    VAGUE,
    WITH_A_RULE,
)
from whileai.simulations.run.phrasing.stances import WORDINGS, Wording
from whileai.simulations.run.situations import Situation
from whileai.simulations.score.checklist.vocabulary import UNSPECIFIED, Stance

_GREETS, _LOWERED, _PERSONAL, _CITES = 0.2, 0.12, 0.08, 0.6  # shares of asks; convention
_ME = re.compile(r"\bI\b(?=[ '])")
_MAY_ASK = (Stance.ORDINARY, Stance.RETRY, Stance.MISTAKEN, Stance.CONFLICTING, Stance.BOUNDARY)
_SHORT, _MEDIUM = 12, 28  # words of a short and of a medium ask; convention


def ask(situation: Situation, phrasing_index: int = 0, seed: int = 0) -> tuple[str, dict[str, Any]]:
    """The first message of the person, and the labels of this phrasing.

    The labels are `phrasing`, `tone`, `length`, `ask`, `texture`, and `user` where the person says who is writing.

    The same situation, index and seed give the same text; other indices say the same in other words, with the same
    record and the same values. Values are written as the call will have them, so that a reader finds each again.

    >>> from whileai.simulations.run.situations import plan_situations
    >>> plan = plan_situations([{"name": "get_order", "parameters": {"properties": {"order_id": {}}}}], fault_rate=0)
    >>> there = next(one for one in plan if one.tool == "get_order" and not one.vague)
    >>> there.entity in ask(there)[0], ask(there, 1)[0] != ask(there, 2)[0]
    (True, True)
    """
    parts = (seed, situation.id, phrasing_index)
    form, sentences = _sentences(situation, phrasing_index, seed, parts)
    history = HISTORIES.get(situation.dimensions["history"], {}).get(_kind(situation), ())
    if history:
        sentences.insert(0 if draw(*parts, "history at") < 0.7 else len(sentences), pick(history, *parts, "history"))
    user: dict[str, str] = {}
    if len(sentences) < 4 and draw(*parts, "person") < _PERSONAL:
        user["user"] = pick(sorted(PERSONS), *parts, "person kind")
        sentences.insert(0, pick(PERSONS[user["user"]], *parts, "person"))
    text, texture = _textured([closed(opened(sentence)) for sentence in sentences], situation, parts)
    n_words = len(text.split())
    labels: dict[str, Any] = {
        "phrasing": phrasing_index,
        "tone": _wording(situation).tone,
        "length": "short" if n_words <= _SHORT else "medium" if n_words <= _MEDIUM else "long",
        "ask": form,
        "texture": texture,
        **user,
    }
    return text, labels


def _kind(situation: Situation) -> str:
    """Whether the person wants a change, a look, or something that is neither."""
    if not situation.wanted:
        return "aside"
    return "write" if any(not situation.schemas[tool].looks for tool, _ in situation.wanted) else "read"


def _wording(situation: Situation) -> Wording:
    return WORDINGS.get(situation.dimensions["stance"], WORDINGS[Stance.ORDINARY])


def _sentences(situation: Situation, index: int, seed: int, parts: tuple[Any, ...]) -> tuple[str, list[str]]:
    """The form of the ask and its sentences, the history aside."""
    if not situation.wanted:
        taken = [word for tool in situation.schemas.values() for word in tool.words]
        number = below(20, seed, situation.id, "aside") + index
        return "question", [aside(situation.dimensions["stance"], taken, number, seed, situation.id)]
    if situation.vague:
        noun = plain_noun(situation.schemas[situation.tool])
        form = _nth(VAGUE, index, seed, situation.id, "vague").replace("a {noun}", "{one}")
        sentence = form.format(noun=noun, nouns=plural(noun), one=with_article(noun))
        return ("question" if "?" in sentence else "statement"), [sentence, *_cited(situation, parts)]
    return _requested(situation, index, seed, parts)


def _requested(situation: Situation, index: int, seed: int, parts: tuple[Any, ...]) -> tuple[str, list[str]]:
    words = _wording(situation)
    asked = _asked(situation, parts)
    changes = _kind(situation) == "write"
    questions = asked.question and situation.dimensions["stance"] in _MAY_ASK
    forms = [*words.acts, "{q}", "{q}"] if questions else words.acts
    form = _nth(forms, index, seed, situation.id, "act")
    main = form.format(r=asked.act, q=asked.question)
    kind = (
        "question"
        if main.endswith("?")
        else "imperative"
        if form.startswith(("{r}", "Please", "Just", "Come"))
        else "statement"
    )
    before, after = (
        list(words.before),
        [*words.after, *(words.writes if changes else words.reads), *(words.records if situation.entity else ())],
    )
    edge = _at_stake(situation, parts)
    sentences = [opened(main), *asked.details]
    if edge:
        return kind, [*sentences, *edge]
    cited = _cited(situation, parts)
    ahead = before and draw(*parts, "before") < (0.6 if words.must else 0.35)
    if ahead:
        sentences.insert(0, pick(before, *parts, "before which"))
    if after and not (words.must and ahead) and (words.must or draw(*parts, "after") < 0.35):
        sentences.append(pick(after, *parts, "after which"))
    return kind, [*sentences, *cited]


def _asked(situation: Situation, parts: tuple[Any, ...]) -> Request:
    """The call in words; two calls become one act, the record named once."""
    (tool, arguments), *more = situation.wanted
    first = request(situation.schemas[tool], arguments, *parts)
    for other, its in more:
        schema = situation.schemas[other]
        subject = schema.subject
        own = situation.schemas[tool].subject
        again = subject is not None and own is not None and its.get(subject) == arguments.get(own)
        second = request(schema, its, *parts, again=again)
        join = pick(("and then", "and", "and after that"), *parts, "join")
        first = Request(
            f"{first.act} {join} {second.act}", (*first.details, *second.details), "", first.thing, first.noun
        )
    return first


def _at_stake(situation: Situation, parts: tuple[Any, ...]) -> list[str]:
    """What a person at the edge of a rule or against it says of that rule."""
    rule, stance = situation.dimensions["rule"], situation.dimensions["stance"]
    if rule == UNSPECIFIED or stance not in WITH_A_RULE:
        return []
    if situation.facts:
        return [_edge(situation.facts, parts)]
    form = pick(WITH_A_RULE[Stance(stance)], *parts, "rule")
    return [form.format(known=known(rule), topic=topic(rule))]


def _edge(facts: Mapping[str, float], parts: tuple[Any, ...]) -> str:
    name, number = next(iter(facts.items()))
    if name in "$€£":
        return pick(
            ("It comes to exactly {n}.", "The amount is {n} on the dot.", "It's {n}, not a cent more."), *parts, "edge"
        ).format(n=f"{name}{number:g}")
    days = ("Today is exactly day {n}.", "By my count this is day {n}, so it should still be fine.")
    spans = ("It has been exactly {n} {unit}.", "It's {n} {unit} to the minute.")
    return pick(days if name == "days" else spans, *parts, "edge").format(n=f"{number:g}", unit=name)


def _cited(situation: Situation, parts: tuple[Any, ...]) -> list[str]:
    """A rule a person outside may have read of, brought up in passing."""
    rule = situation.dimensions["rule"]
    if rule == UNSPECIFIED or not states(rule) or draw(*parts, "cites") >= _CITES:
        return []
    return [pick(READ_SOMEWHERE, *parts, "read").format(known=known(rule))]


def _nth(forms: Any, index: int, *parts: object) -> str:
    """The form of a phrasing: every form comes once before one comes again."""
    order: list[str] = picks(list(forms), len(forms), *parts)
    return order[index % len(order)]


def _textured(sentences: list[str], situation: Situation, parts: tuple[Any, ...]) -> tuple[str, str]:
    """The text with a greeting, or as somebody types who is in no mood for capitals."""
    stance = situation.dimensions["stance"]
    if stance not in (Stance.HURRIED, Stance.ADVERSARIAL) and draw(*parts, "greets") < _GREETS:
        text = " ".join(sentences)
        keeps = text.startswith(("I ", "I'"))
        return f"{pick(GREETINGS, *parts, 'greeting')} {text if keeps else text[:1].lower() + text[1:]}", "greeting"
    if draw(*parts, "lower") < _LOWERED * (2 if stance in (Stance.HURRIED, Stance.RETRY) else 1):
        return " ".join(map(_lowered, sentences)).removesuffix("."), "lower case"
    return " ".join(sentences), "plain"


def _lowered(sentence: str) -> str:
    """A sentence without its capital and with a small "i"; what stands in quotation marks stays."""
    text = sentence[:1].lower() + sentence[1:]
    return text if any(mark in text for mark in '"`') else _ME.sub("i", text)
