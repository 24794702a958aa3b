"""`RowList`: rows that carry what they were made with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex, overload

Row = dict[str, Any]


class RowList(list[Row]):
    """A list of rows with the system prompt and the tools they were made with; calling it returns itself.

    Slices, `+` and `copy()` keep both; `list(rows)` drops them.

    >>> rows = RowList([{"prompt": "Hi"}, {"prompt": "Bye"}], system_prompt="Be brief.")
    >>> rows[:1].system_prompt, rows() is rows
    ('Be brief.', True)
    """

    def __init__(self, rows: Iterable[Row] = (), *, system_prompt: str = "", tools: Iterable[Any] = ()) -> None:
        super().__init__(rows)
        self.system_prompt = system_prompt
        self.tools = list(tools)

    @classmethod
    def like(cls, source: Any, rows: Iterable[Row]) -> RowList:
        """Rows taken from a source, with the system prompt and the tools of its own or of its profile.

        >>> RowList.like(RowList(system_prompt="Be brief."), [{"prompt": "Hi"}]).system_prompt
        'Be brief.'
        """
        profile = getattr(source, "profile", None)
        prompt = getattr(source, "system_prompt", None) or getattr(profile, "policy", None)
        tools = getattr(source, "tools", None) or getattr(profile, "tools", None)
        return cls(
            rows,
            system_prompt=prompt if isinstance(prompt, str) else "",
            tools=tools if isinstance(tools, list | tuple) else (),
        )

    def __call__(self) -> RowList:
        """The rows: `data.rows` and `data.rows()` are the same."""
        return self

    def copy(self) -> RowList:
        """A list of the same rows with the same system prompt and tools."""
        return RowList.like(self, self)

    def __add__(self, other: Iterable[Any]) -> RowList:  # type: ignore[override]
        return RowList.like(self, [*self, *other])

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> Row: ...
    @overload
    def __getitem__(self, place: slice[Any, Any, Any], /) -> RowList: ...
    def __getitem__(self, place: SupportsIndex | slice[Any, Any, Any], /) -> Row | RowList:
        found = super().__getitem__(place)
        return RowList.like(self, found) if isinstance(found, list) else found
