"""docs/architecture.md names what is there, all of it, and nothing else."""

import re
from pathlib import Path

import pytest

from tables import each_of

_ROOT = Path(__file__).parents[1]
_SOURCE = _ROOT / "src/whileai"
_PAGE = (_ROOT / "docs/architecture.md").read_text(encoding="utf-8")
_MAP = _PAGE.split("## The modules\n", 1)[1].split("\nImports point downwards", 1)[0]


def _sections() -> dict[str, str]:
    """The lines of the map, by the folder they are about."""
    found, folder = {"simulations/": ""}, "simulations/"
    for line in _MAP.splitlines():
        indent = len(line) - len(line.lstrip())
        named = re.match(r"(\w+/)", line.lstrip())
        if indent == 6:
            folder = named[1] if named else ""
        elif indent == 8 and folder != "cli/":
            folder = "simulations/" + (named[1] if named else "")
        found[folder] = found.get(folder, "") + line + "\n"
    return found


_SECTIONS = _sections()
_LISTED = [name for name, lines in _SECTIONS.items() if lines.count(".py") > 3]


@pytest.mark.parametrize("folder", _LISTED)
def test_a_folder_whose_modules_are_listed_has_all_of_them_listed(folder: str) -> None:
    words = set(re.findall(r"\w+", _SECTIONS[folder] + " ".join(_SECTIONS)))
    inside = (path for path in (_SOURCE / folder).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())
    assert sorted(path.stem for path in inside if path.stem not in words | {"__init__"}) == []


@each_of("folder", _SECTIONS)
def test_every_module_of_the_map_exists(folder: str) -> None:
    here = {path.name for path in (_SOURCE / folder).rglob("*.py")}
    assert sorted(set(re.findall(r"\w+\.py\b", _SECTIONS[folder])) - here) == []


def test_the_home_of_every_rule_exists() -> None:
    table = _PAGE.split("## One place for each rule\n", 1)[1].split("\n## ", 1)[0]
    homes = re.findall(r"`([\w/]+(?:\.py|/))`", table)
    assert [
        home for home in homes if not any((base / home).exists() for base in (_SOURCE, _SOURCE / "simulations"))
    ] == []
