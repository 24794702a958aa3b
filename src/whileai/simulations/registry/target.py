"""Where a dataset goes: the one place that reads a target."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from whileai.simulations.models.secret import from_environment, secret
from whileai.simulations.models.spec import is_loopback
from whileai.simulations.registry.folder import FolderTarget
from whileai.simulations.registry.http import HttpTarget
from whileai.simulations.registry.hub import HubTarget

Target = FolderTarget | HubTarget | HttpTarget
URL_VARIABLE = "WHILEAI_API_URL"
KEY_VARIABLES = ("WHILEAI_API_KEY", "WHILEAI_DELEGATED_CREDENTIAL")
_FORMS = "a folder (./data/refunds), hf://OWNER/NAME, or the URL of a registry (https://HOST)"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_HUB = re.compile(r"hf://(?:datasets/(?=[^/]+/[^/]))?([\w.-]{1,96})/([\w.-]{1,96})/?", re.ASCII)
_FOLDER = re.compile(r"[~/\\]|\.{1,2}(?:[/\\]|$)|[A-Za-z]:[/\\]|file:", re.IGNORECASE)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_ADDRESS = re.compile(r"(?:hf|https?):|[A-Za-z][A-Za-z0-9+.-]+://", re.IGNORECASE)
_NO_NAME_CHARACTERS = re.compile(r"[^A-Za-z0-9._-]+")


def resolved(name: Any, target: Any = None, api_key: Any = None) -> tuple[str, Target]:
    """The name of a dataset and where it goes; a `ValueError` that says how when that is not clear.

    `name` may be the address itself (`hf://OWNER/NAME`, a path that begins with `./`, `../`, `/` or `~`, a `file:` URL
    or a `Path`), whose last part is then the name. A plain name goes to `target`, else to the registry at
    `WHILEAI_API_URL`.

    >>> resolved("./data/refunds")
    ('refunds', FolderTarget(folder=PosixPath('data/refunds')))
    >>> resolved("refunds", target="hf://acme/support-refunds")
    ('refunds', HubTarget('hf://acme/support-refunds'))
    >>> resolved("data/refunds")
    Traceback (most recent call last):
    ValueError: name 'data/refunds' is no name of a dataset (letters, digits, '.', '_', '-'; at most 96): for a folder \
write './data/refunds', for the Hugging Face Hub 'hf://data/refunds'
    """
    name, target = _text("name", name), None if target is None else _text("target", target)
    if _is_address(name):
        if target is not None:
            raise ValueError(f"name {name!r} and target {target!r} are both places: give a plain name, or no target")
        return name_of(name), _target(name, api_key)
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"name {name!r:.200} is no name of a dataset (letters, digits, '.', '_', '-'; at most 96){_hint(name)}"
        )
    return name, _registry(_configured(name), api_key) if target is None else _target(target, api_key)


def _text(argument: str, value: Any) -> str:
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        text = path if isinstance(path, str) else os.fsdecode(path)
        return text if _FOLDER.match(text) else os.path.join(".", text)
    if not isinstance(value, str) or not value.strip():
        wanted = "the name of the dataset, or where it goes" if argument == "name" else _FORMS
        raise ValueError(f"{argument} must be {wanted}; got {value!r:.80}")
    return value.strip()


def _is_address(name: str) -> bool:
    return (_FOLDER.match(name) or _ADDRESS.match(name)) is not None


def _hint(name: str) -> str:
    return f": for a folder write './{name}', for the Hugging Face Hub 'hf://{name}'" if "/" in name else ""


def name_of(address: str) -> str:
    """The name of a dataset that is known by its place: the last part, less what no name may hold.

    >>> name_of("data/late parcels/"), name_of("hf://acme/refunds")
    ('late-parcels', 'refunds')
    """
    if address.lower().startswith(("http:", "https:")):
        raise ValueError(f"{address!r:.200} is the URL of a registry: pass it as target=, and a plain name as name=")
    last = Path(os.path.abspath(os.path.expanduser(_path(address)))).name
    return _NO_NAME_CHARACTERS.sub("-", last)[:96].strip("-._") or "dataset"


def _configured(name: str) -> str:
    url = os.environ.get(URL_VARIABLE, "").strip()
    if not url:
        raise ValueError(
            f"nowhere to push {name!r} to: name a target, as in push_rows(rows, './data/{name}') for a folder, "
            f"push_rows(rows, 'hf://OWNER/{name}') for the Hugging Face Hub, or target='https://HOST' for a registry; "
            f"or set {URL_VARIABLE} to the URL of a registry"
        )
    return url


def _target(address: str, api_key: Any) -> Target:
    scheme = (found := _SCHEME.match(address)) and found[1].lower()
    if scheme == "hf":
        if not (named := _HUB.fullmatch(address)):
            raise ValueError(f"{address!r:.200} names no dataset of the Hugging Face Hub: write hf://OWNER/NAME")
        return HubTarget(f"{named[1]}/{named[2]}", secret(api_key))
    if scheme in ("http", "https"):
        return _registry(address, api_key)
    if scheme not in (None, "file"):
        raise ValueError(f"{address!r:.200} is no place to push to: write {_FORMS}")
    return FolderTarget(Path(os.path.expanduser(_path(address))))


def _path(address: str) -> str:
    if not address.lower().startswith("file:"):
        return address.removeprefix("hf://")
    parts = urlsplit(address)
    if parts.netloc not in ("", "localhost") or not parts.path:
        raise ValueError(f"{address!r:.200} names no folder of this machine: write file:///ABSOLUTE/PATH")
    return unquote(parts.path)


def _registry(url: str, api_key: Any) -> HttpTarget:
    base = _checked_url(url)
    key = secret(api_key)
    if key is None:
        configured = os.environ.get(URL_VARIABLE, "").strip()
        if configured and _origin(configured) != _origin(base):
            raise ValueError(f"the key in {KEY_VARIABLES[0]} is for {URL_VARIABLE}: pass that of {base} as api_key=")
        key = from_environment(KEY_VARIABLES)
    if key is None:
        raise ValueError(f"no key for the registry at {base}: set {KEY_VARIABLES[0]}, or pass api_key=")
    return HttpTarget(base, key)


def _checked_url(url: str) -> str:
    """The URL of a registry without a final slash; https only, but for this machine."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    known = host and parts.scheme.lower() in ("http", "https")
    if "@" in url and not (known and "@" in parts.netloc):
        raise ValueError("the URL of the registry holds an @, and cannot be read: write https://HOST")
    if not known or not url.isprintable() or " " in url or "\\" in url:
        raise ValueError(f"{url!r:.200} is no URL of a registry: write https://HOST")
    if "@" in parts.netloc:
        raise ValueError(f"the URL of {host} holds a user name or a key: leave it out and pass it as api_key=")
    if parts.query or parts.fragment:
        raise ValueError(f"the URL of {host} ends in a query: give the base URL alone")
    if parts.scheme.lower() != "https" and not is_loopback(url):
        raise ValueError(f"http://{host} would send the key and the rows in the clear: write https://{parts.netloc}")
    return url.rstrip("/")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    try:
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        return scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(scheme)
    except ValueError:
        return "", None, None
