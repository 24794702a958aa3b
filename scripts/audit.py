"""Known vulnerabilities of what is installed beside the package: `make audit`.

    python scripts/audit.py [--python PYTHON]

Exit status 0 when every dependency was looked up and none is known to be vulnerable, 1 when one is, 2 when one could
not be looked up: what was not looked up is never called safe. pip-audit and the network are needed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

OWN = "whileai"
CLEAN, VULNERABLE, UNKNOWN = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run pip-audit over an environment and say what it found, and what it did not look up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="The interpreter whose packages are looked up.")
    given = parser.parse_args(arguments)
    paths = site_packages(given.python)
    command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run([*command, *(f"--path={path}" for path in paths)], capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)["dependencies"]
    except (ValueError, LookupError):
        print(f"audit: nothing was looked up: {last_line(done.stderr)}", file=sys.stderr)
        return UNKNOWN
    return said(found)


def site_packages(python: str) -> list[str]:
    """The folders where an interpreter has its packages."""
    code = "import json, sysconfig; print(json.dumps(sorted({sysconfig.get_path(n) for n in ('purelib', 'platlib')})))"
    return list(json.loads(subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout))


def said(found: list[dict[str, Any]]) -> int:
    """Print what pip-audit knows of each package, and the status that follows."""
    others = [each for each in found if each["name"] != OWN]
    bad = [each for each in others if each.get("vulns")]
    unknown = [each for each in others if "skip_reason" in each]
    for each in bad:
        for fault in each["vulns"]:
            fixed = ", ".join(fault["fix_versions"]) or "no version"
            print(f"{each['name']} {each['version']}: {fault['id']}, fixed in {fixed}")
    print(f"{len(others) - len(unknown)} of {len(others)} packages looked up, {len(bad)} known to be vulnerable")
    if unknown:
        names = ", ".join(each["name"] for each in unknown[:5])
        print(f"NOT LOOKED UP: {names}{' and so on' if len(unknown) > 5 else ''}: {unknown[0]['skip_reason']}")
    if bad:
        return VULNERABLE
    return UNKNOWN if unknown or not others else CLEAN


def last_line(text: str) -> str:
    """The last line of what a command said, or that it said nothing."""
    lines = text.strip().splitlines()
    return lines[-1] if lines else "pip-audit said nothing; is it installed? (pip install pip-audit)"


if __name__ == "__main__":
    sys.exit(main())
