"""Documents for the tests of the page: parts to build them from, a hostile one, one of any size."""

from __future__ import annotations

from typing import Any

HOSTILE = [
    "<script>document.title='owned'</script>",
    "</script><script>document.title='owned'</script>",
    "</template></div></dialog><img src=x onerror=\"document.title='owned'\">",
    "<svg onload=\"document.title='owned'\"><style>*{display:none}</style>",
    "<a href=\"javascript:document.title='owned'\">click</a> javascript:alert(1) https://evil.invalid/x",
    "<!-- <base href=https://evil.invalid/> --> ]]> --!> <!--",
    "{{ 7 * 7 }} {% raw %} {# x #} ${7*7} #{7*7} <%= 7 %>",
    "'\"><iframe srcdoc=\"<script>parent.document.title='owned'</script>\">",
    "pay \u202e001 eur\u202c only \u2066hidden\u2069 \u200b \x00 \x1b[31m \x07 \ufeff \ud800 \ue000",
    "&lt;b&gt; &amp;quot; &#0; &#x202e; %3Cscript%3E \\u003cscript\\u003e",
]


def row(label: str, value: float | None, half: float | None, n: int | None, tone: str, **more: Any) -> dict[str, Any]:
    ends = (None, None) if value is None or half is None else (round(value - half, 3), round(value + half, 3))
    return {
        "label": label,
        "value": value,
        "low": ends[0],
        "high": ends[1],
        "n": n,
        "tone": tone,
        "note": None,
        "filter": None,
        **more,
    }


def intervals(title: str, unit: str, rows: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "kind": "intervals",
        "title": title,
        "unit": unit,
        "reference": None,
        "reference_label": None,
        "band": None,
        "domain": None,
        "rows": rows,
        **more,
    }


def rollout(task: str, attempt: int, *, reward: float | None = 1.0, **more: Any) -> dict[str, Any]:
    label = "ungraded" if reward is None else "pass" if reward == 1 else "fail" if reward == 0 else "partial"
    turns = [
        {"who": "system", "text": "# Airline agent policy\n" + "You may not change a basic economy flight. " * 40},
        {"who": "user", "text": f"Hi, I need help with {task}. My reservation is ZFA04Y."},
        {"who": "thought", "text": "Look the reservation up before promising anything."},
        {"who": "call", "name": "get_reservation_details", "id": "c1", "text": '{"reservation_id":"ZFA04Y"}'},
        {
            "who": "result",
            "name": "get_reservation_details",
            "id": "c1",
            "text": '{"reservation_id": "ZFA04Y", "cabin": "basic_economy", "flights": ["HAT170", "HAT021"], '
            '"passengers": [{"first": "Mia", "last": "Li"}], "paid": 412}',
        },
        {"who": "call", "name": "update_reservation_flights", "id": "c2", "text": '{"reservation_id":"ZFA04Y"}'},
        {
            "who": "result",
            "name": "update_reservation_flights",
            "id": "c2",
            "failed": True,
            "text": "Error: basic economy flights cannot be modified",
        },
        {"who": "agent", "text": f"All done: your {task} is confirmed and 412 dollars were refunded to your card."},
    ]
    return {
        "key": f"{task}#{attempt}",
        "task": task,
        "attempt": attempt,
        "reward": reward,
        "label": label,
        "status": None,
        "reason": None,
        "gold": None,
        "file": "airline.jsonl",
        "row": 7 * attempt + 1,
        "flags": [],
        "markers": {},
        "length": sum(len(turn["text"]) for turn in turns),
        "cut": False,
        "turns": turns,
        **more,
    }


def document(**parts: Any) -> dict[str, Any]:
    items = parts.pop("items", [])
    return {
        "title": "Airline",
        "sources": [],
        "warnings": [],
        "headline": [],
        "sections": [],
        "filters": {},
        "queue": [],
        "rollouts": {"total": len(items), "shown": len(items), "rule": "Every rollout is here.", "items": items},
        **parts,
    }


def hostile() -> dict[str, Any]:
    """Every place for text holds an attack, and one turn is a single line of 5 MB."""
    items = []
    for i, text in enumerate(HOSTILE):
        item = rollout(f"{text}-{i}", i, reward=0.5, reason=text, status=text, file=text, key=f"k{i}")
        item["flags"] = [{"name": text, "evidence": text}]
        item["markers"] = {text: text}
        item["turns"] = [
            {"who": who, "text": text, "name": text, "id": text, "failed": True}
            for who in ("system", "user", "agent", "thought", "call", "result", "note")
        ]
        items.append(item)
    items.append(rollout("long", 0, turns=[{"who": "result", "text": "x" * 5_000_000 + "NEEDLE" + "<b>" * 10}]))
    every = {"label": HOSTILE[0], "rollouts": list(range(len(items))), "total": len(items)}
    text = " ".join(HOSTILE)
    bad = row(text, 0.4, 0.1, 3, "bad", note=text, filter="every")
    blocks: list[dict[str, Any]] = [
        intervals(text, "rate", [bad], reference=0.5, reference_label=text, band=[0.1, 0.2], band_label=text),
        {"kind": "facts", "title": text, "items": [{"label": text, "value": text, "note": text, "filter": "every"}]},
        {
            "kind": "histogram",
            "title": text,
            "x": text,
            "band": None,
            "bins": [{"label": text, "low": 0, "high": 1, "count": 3, "filter": "every"}],
        },
        {
            "kind": "bars",
            "title": text,
            "x": text,
            "rows": [{"label": text, "value": 1, "text": text, "filter": "every"}],
        },
        {
            "kind": "scatter",
            "title": text,
            "x": text,
            "y": text,
            "diagonal": True,
            "points": [{"label": text, "x": 0.2, "y": 0.6, "filter": "every"}],
        },
        {
            "kind": "confusion",
            "title": text,
            "rows": [text],
            "columns": [text],
            "cells": [[{"count": 1, "filter": "every"}]],
        },
        {"kind": "steps", "title": text, "rows": [{"label": text, "value": 3, "kind": "given", "note": text}]},
        {
            "kind": "table",
            "title": text,
            "search": True,
            "columns": [{"key": "a", "label": text, "type": "text"}],
            "rows": [{"a": text + str(i), "filter": "every"} for i in range(60)],
        },
        {"kind": "text", "text": text},
    ]
    source = {"source": text, "formats": {text: 1}, "rows": 1, "bad": 1, "notes": [text]}
    return document(
        title="Hostile",
        subtitle=text,
        items=items,
        made=text,
        filters={"every": every},
        sources=[{**source, "first_bad": {"record": 1, "reason": text}}],
        warnings=[{"text": text, "fix": text, "section": "s"}],
        headline=[{"label": text, "value": 0.5, "low": 0.4, "high": 0.6, "n": 1, "note": text, "filter": "every"}],
        sections=[{"id": "s", "title": text, "lead": text, "blocks": blocks, "more": text, "group": text}],
        queue=[{"rollout": i, "why": [text], "rank": 1.0} for i in range(len(items))],
    )
