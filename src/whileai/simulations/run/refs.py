"""A JSON schema with its references put in place, as pydantic writes them: `{"$ref": "#/$defs/Size"}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.values import is_mapping

_DEEPEST = 12  # schemas inside schemas that are looked into; deeper, and where one holds itself, any value will do
_MOST = 2000  # schemas that one tool may unfold into


def inlined(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema without references into itself; one that points elsewhere, or to nothing, allows any value.

    Keys beside a `$ref` are kept and win over what it points to. A schema without references comes back as it is.

    >>> inlined({"properties": {"size": {"$ref": "#/$defs/Size"}}, "$defs": {"Size": {"enum": ["S", "M"]}}})
    {'properties': {'size': {'enum': ['S', 'M']}}}
    """
    if "$ref" not in str(schema):
        return schema
    rest = {name: one for name, one in schema.items() if name not in ("$defs", "definitions")}
    found: Mapping[str, Any] = _Inliner(schema).whole(rest, ())
    return found


class _Inliner:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root, self._left = root, _MOST

    def whole(self, value: Any, inside: tuple[str, ...], depth: int = 0) -> Any:
        """A part of the schema, `inside` the references that led to it."""
        if isinstance(value, list):
            return [self.whole(one, inside, depth + 1) for one in value]
        if not is_mapping(value):
            return value
        self._left -= 1
        reference = value.get("$ref")
        rest = {name: one for name, one in value.items() if name != "$ref"}
        if isinstance(reference, str):
            if reference in inside or depth > _DEEPEST or self._left < 0:
                return rest
            pointed = self._at(reference)
            return self.whole({**pointed, **rest}, (*inside, reference), depth + 1)
        return {name: self.whole(one, inside, depth + 1) for name, one in rest.items()}

    def _at(self, reference: str) -> Mapping[str, Any]:
        """What a reference such as `#/$defs/Size` points to, `{}` for nothing."""
        if not reference.startswith("#/"):
            return {}
        place: Any = self._root
        for step in reference[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            place = place.get(step) if is_mapping(place) else None
        return place if is_mapping(place) else {}
