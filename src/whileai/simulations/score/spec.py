"""A model spec as an object with a version (Lambert 2025, chapter Model Character and Products)."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from whileai.simulations.errors import ReadError, warn
from whileai.simulations.rows.content import first_of
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.rows.table import row_items
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.signature import public

AUTHORITY = "should"
_READ = ("id", "source", "version", "traits", "principles")
_UNNAMED = "spec"
_CONTENT_VERSION = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True)
class Trait:
    """One named expectation; `authority` says how strong it is (`must`, `should`, `may` by convention).

    >>> Trait("brief", principle="Be brief.").authority
    'should'
    """

    id: str
    name: str = ""
    principle: str = ""
    authority: str = AUTHORITY
    examples: tuple[Any, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "examples", _examples(self.examples))

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, the examples in a list."""
        named = {"id": self.id, "name": self.name, "principle": self.principle, "authority": self.authority}
        return {**named, "examples": list(self.examples)}


@dataclass(frozen=True)
class Spec:
    """A model spec: its traits in order, where it came from, and a version.

    An empty `version` is made from the content: the same in every process, another after any edit of the id, of a
    trait or of their order; `source` does not count.

    >>> Spec("spec", (Trait("trait_0", principle="a"),)).version
    '5f9a369bffa6'
    """

    id: str
    traits: tuple[Trait, ...] = ()
    source: dict[str, Any] = field(default_factory=dict)
    version: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "traits", tuple(self.traits))
        if not self.version:
            object.__setattr__(self, "version", content_version(self.id, self.traits))

    def behaviors(self) -> list[str]:
        """The ids of the traits, in order: what `delta_report(must_not_regress=...)` takes."""
        return [trait.id for trait in self.traits]

    def principle(self, trait_id: str) -> str | None:
        """The principle of a trait, None for a trait it lacks."""
        return next((trait.principle for trait in self.traits if trait.id == trait_id), None)

    def to_dict(self) -> dict[str, Any]:
        """`id`, `version`, `source` and `traits` (dicts), which `load_spec` reads back."""
        traits = [trait.to_dict() for trait in self.traits]
        return {"id": self.id, "version": self.version, "source": dict(self.source), "traits": traits}


def content_version(spec_id: str, traits: Iterable[Trait]) -> str:
    """The first 12 hex digits of the SHA-256 of the id and the traits as JSON."""
    entries = []
    for trait in traits:
        entry = trait.to_dict()
        if not trait.examples:
            del entry["examples"]
        entries.append(entry)
    content = {"id": spec_id, "traits": entries}
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, default=_as_json)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _as_json(value: Any) -> Any:
    """A value that JSON has no form for: a set in an order of its own, anything else as text."""
    return sorted(map(as_text, value)) if isinstance(value, set | frozenset) else as_text(value)


@public
def load_spec(obj: Any, spec_id: str | None = None) -> Spec:
    """The spec in a dict (`traits`, else `principles`), a list of traits, or a JSON file of either; a `Spec` as it is.

    A trait is a dict (`id`, else `name`; `principle`, else `body`; `authority`; `examples`) or a bare principle; traits
    in a dict are keyed by their id. The id is `spec_id`, else that in the data, else the file its `source` names, else
    `spec`; a version in the data is kept. Repeated trait ids, and a stored content version that the content no longer
    has, are a `UserWarning`. Any other `obj` is a `TypeError`, a file that is not there an `OSError`, one that is no
    such JSON a `ReadError`.

    >>> load_spec({"traits": ["Be brief.", {"name": "Warm", "body": "Sound like a person."}]}).behaviors()
    ['trait_0', 'Warm']
    """
    if isinstance(obj, str | Path):
        obj = _read(Path(obj))
    if isinstance(obj, Spec):
        return obj if spec_id is None else _renamed(obj, spec_id)
    if isinstance(obj, list | tuple):
        obj = {"traits": obj}
    if not is_mapping(obj):
        raise TypeError(f"a spec is read from a dict, a list of traits or a path, got {type(obj).__name__}")
    source = _source(obj.get("source"))
    own_id = as_text(obj.get("id")) or as_text(source.get("file")) or _UNNAMED
    traits = tuple(_traits(first_of(obj, ("traits", "principles"))))
    spec = Spec(own_id, traits, source, as_text(obj.get("version")))
    spec = spec if spec_id is None else _renamed(spec, spec_id)
    _warn(spec, own_id)
    if not traits and (unread := [str(key) for key in obj if key not in _READ]):
        shown = ", ".join(map(repr, unread[:5]))
        warn(f"spec {spec.id!r} has no traits, and {shown} is not read: put them under 'traits'")
    return spec


@public
def spec_version(spec: Any) -> str:
    """The version of a `Spec`, or of anything `load_spec` reads.

    >>> spec_version(["Be brief."])
    '050e0570193f'
    """
    return load_spec(spec).version


@public
def stamp_spec(rows: Iterable[Any], spec: Any) -> list[Any]:
    """Copies of the rows that say which spec they were made or graded against: `spec_id` and `spec_version`.

    `spec` is a `Spec` or anything `load_spec` reads. Items that are no dicts pass through; the rows are not changed.

    >>> stamp_spec([{"reward": 1}], Spec("store", version="v3"))
    [{'reward': 1, 'spec_id': 'store', 'spec_version': 'v3'}]
    """
    loaded = load_spec(spec)
    stamps = {"spec_id": loaded.id, "spec_version": loaded.version}
    stamped = [{**row, **stamps} if isinstance(row, dict) else row for row in row_items(rows)]
    return RowList.like(rows, stamped) if isinstance(rows, RowList) else stamped


def _read(path: Path) -> Any:
    text = path.read_bytes()
    try:
        found = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ReadError(f"no JSON of a spec ({error})", source=str(path)) from None
    if not isinstance(found, dict | list):
        raise ReadError(f"a spec is a JSON object or a list of traits, got {type(found).__name__}", source=str(path))
    return found


def _source(source: Any) -> dict[str, Any]:
    if is_mapping(source):
        return dict(source)
    return {"file": source} if isinstance(source, str) and source else {}


def _traits(entries: Any) -> Iterator[Trait]:
    """The traits of a list, or of a mapping by id; what is neither a text nor a dict is skipped, its place counted."""
    if entries is None:
        return
    if is_mapping(entries):
        items = [(as_text(key), entry) for key, entry in entries.items()]
    elif isinstance(entries, list | tuple):
        items = [("", entry) for entry in entries]
    else:
        raise TypeError(f"traits are a list, or a dict by id, got {type(entries).__name__}")
    for place, (key, entry) in enumerate(items):
        if isinstance(entry, str):
            yield Trait(key or f"trait_{place}", principle=entry)
        elif is_mapping(entry):
            yield _trait(entry, key, place)
        elif isinstance(entry, Trait):
            yield entry


def _trait(entry: Mapping[str, Any], key: str, place: int) -> Trait:
    name = as_text(entry.get("name"))
    return Trait(
        id=key or as_text(entry.get("id")) or name or f"trait_{place}",
        name=name,
        principle=as_text(first_of(entry, ("principle", "body"))),
        authority=as_text(entry.get("authority")) or AUTHORITY,
        examples=_examples(entry.get("examples")),
    )


def _examples(examples: Any) -> tuple[Any, ...]:
    if examples is None:
        return ()
    return tuple(examples) if isinstance(examples, list | tuple) else (examples,)


def _renamed(spec: Spec, spec_id: str) -> Spec:
    """The spec under another id; a version made from its content is made anew, any other is kept."""
    made = spec.version == content_version(spec.id, spec.traits)
    return replace(spec, id=spec_id, version="" if made else spec.version)


def _warn(spec: Spec, own_id: str) -> None:
    repeated = [trait_id for trait_id, count in Counter(spec.behaviors()).items() if count > 1]
    if repeated:
        shown = ", ".join(map(repr, repeated[:5]))
        warn(f"spec {spec.id!r} repeats the trait ids {shown}: give each trait its own")
    expected = {content_version(name, spec.traits) for name in (spec.id, own_id)}
    if _CONTENT_VERSION.fullmatch(spec.version) and spec.version not in expected:
        warn(
            f"spec {spec.id!r} says version {spec.version}, its content has {content_version(own_id, spec.traits)}: "
            "drop the version after an edit, so that it is made anew"
        )
