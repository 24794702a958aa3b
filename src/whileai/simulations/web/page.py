"""`render`: a document as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.web.csp import policy
from whileai.simulations.web.document import Document, Rollout, Serve
from whileai.simulations.web.text import embedded, interval, number, script_class, visible
from whileai.simulations.web.view import TONES, Cells, block_view, review_view, rollout_name

ASSETS = Path(__file__).parent / "assets"
STATIC_ROWS = 200  # rows of a table that stand in the HTML, for paper and for readers without scripts
SCREEN_ROWS = 25  # rows of a table on a screen at a time
_SCRIPTS = ("dom", "data", "charts", "figures", "tables", "labels", "talk", "verdicts", "viewer", "main")
_STYLES = ("page", "blocks", "viewer", "print")
_LISTED = ("key", "reward", "label", "status", "length")  # what the viewer knows of a rollout before it is looked at
_NAMED = ("task", "attempt", "side")  # what its name says


def render(document: Document, serve: Serve | None = None) -> str:
    """The page as HTML: one file, no address in it, nothing of the document in a script.

    Rollouts travel as escaped JSON in inert elements, one each, so that the viewer parses only what is looked at. With
    `serve` the page sends labels to its own server as they are given. Without jinja2 a `MissingExtraError`.
    """
    template = _environment().get_template("page.html.j2")
    views = [
        {**section, "blocks": [block_view(block) for block in section["blocks"]]} for section in document["sections"]
    ]
    review = review_view(document["queue"], document["rollouts"]) if document["queue"] else None
    scripts = {
        "head": _asset("head.js"),
        "library": _asset("plot.js"),
        "page": _closure(_asset(f"{name}.js") for name in _SCRIPTS),
    }
    style = "\n".join(_asset(f"{name}.css") for name in _STYLES)
    html: str = template.render(
        document=document,
        sections=views,
        review=review,
        labelled=any(item["key"] is not None for item in document["rollouts"]["items"]),
        policy=policy(scripts.values(), [style], served=serve is not None),
        scripts=scripts,
        style=style,
        data=embedded(_data(document, views, review, serve)),
        bodies=map(embedded, _bodies(document["rollouts"]["items"])),
        static_rows=STATIC_ROWS,
        screen_rows=SCREEN_ROWS,
    )
    return html


def _environment() -> Any:
    try:
        import jinja2
    except ImportError:
        raise MissingExtraError("jinja2", extra="report", what="an HTML page") from None
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ASSETS),
        autoescape=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, tone=TONES.__getitem__)
    environment.globals.update(interval=interval)
    return environment


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _closure(parts: Iterable[str]) -> str:
    """The page's own scripts as one, so that no name of theirs is global."""
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"


def _data(document: Document, views: list[Cells], review: Cells | None, serve: Serve | None) -> Cells:
    """What the script reads at the start: charts, tables, filters, and a line a rollout; no rollout's text."""
    rollouts = document["rollouts"]
    summary: Cells = {name: [item.get(name) for item in rollouts["items"]] for name in _LISTED}
    return {
        "title": document["title"],
        "unseen": script_class(),
        "screenRows": SCREEN_ROWS,
        "staticRows": STATIC_ROWS,
        "blocks": {
            f"{section['id']}-{place}": _drawn(view)
            for section in views
            for place, view in enumerate(section["blocks"], 1)
        }
        | ({"review-1": _drawn(review)} if review else {}),
        "filters": document["filters"],
        "rollouts": {
            "total": rollouts["total"],
            "name": [rollout_name(item) for item in rollouts["items"]],
            "flags": [[flag["name"] for flag in item["flags"]] for item in rollouts["items"]],
            **summary,
        },
        "queue": [{"rollout": queued["rollout"], "why": queued["why"]} for queued in document["queue"]],
        "serve": serve,
    }


def _drawn(view: Cells) -> Cells | None:
    """A block as the script needs it; None for one that the HTML says in full."""
    if view["kind"] in ("facts", "text", "confusion"):
        return None
    if view["kind"] == "table":
        return {name: view[name] for name in ("kind", "grid", "search")}
    return {name: value for name, value in view.items() if name != "grid"}


def _bodies(items: Iterable[Rollout]) -> Iterator[Cells]:
    for item in items:
        body: Cells = {name: value for name, value in item.items() if name not in (*_LISTED, *_NAMED)}
        yield body | {"turns": [_told(turn) for turn in item["turns"]]}


def _told(turn: Mapping[str, Any]) -> Cells:
    """A turn without the keys that say nothing."""
    return {name: value for name, value in turn.items() if name == "text" or value}
