"""Which files are tests, and which hold credentials, by their path."""

from __future__ import annotations

import re
from posixpath import normpath

_TEST_FOLDER = re.compile(r"(?:^|[/\\])(?:tests?|__tests__|(?P<spec>specs?))[/\\]", re.IGNORECASE)
_TEST_NAME = re.compile(
    r"^(?:test_[\w.-]++(?<!\.[jt]s)(?<!\.[jt]sx)|tests?\.py)$|\.(?:test|spec)s?\.\w++$|[\w-]_(?:test|spec)s?\.\w++$"
    r"|^(?:Test[A-Z]\w*+|\w*?[a-z\d]Tests?(?:Case)?)\.(?:java|kt|cs|php|scala|swift|groovy)$"
)
_NO_TEST = re.compile(r"^__init__\.py$|\.(?:md|rst|adoc)$", re.IGNORECASE)
_API_SPEC = re.compile(r"\.(?:ya?ml|json|md|txt|html?|pdf|rst|adoc|toml|proto|tsp)$", re.IGNORECASE)
_MOST_PATH = 1000  # characters; longer ones are no paths
_SECRET = re.compile(
    r"""(?:^|[/\\=:@\s"'(,])(?:
        \.env(?:\.(?:local|production|prod|development|dev|stag(?:e|ing)|secrets?|live|private|bak|backup))*+(?![\w.-])
        |id_(?:rsa|dsa|ecdsa|ed25519)(?![\w.-])
        |\.ssh(?:/|$)
        |\.aws/credentials
        |\.(?:npmrc|netrc|pypirc|pgpass|git-credentials)(?![\w.-])
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_PEM = re.compile(r"(?<![\w.-])[\w.-]++(?<=\.pem)(?![\w.-])", re.IGNORECASE)
_PUBLIC = re.compile(r"ca-?cert|ca[-_]bundle|fullchain|public|\bpub\b", re.IGNORECASE)
_MAY_BE_SECRET = re.compile(r"\.env|id_|\.ssh|\.aws|rc\b|\.pem|\.pgpass|\.git-cred", re.IGNORECASE)


def is_test_file(path: str) -> bool:
    """Whether a path is a test: in a folder for tests, or named like one.

    An API specification under `spec/`, a package marker and prose are none.

    >>> [is_test_file(p) for p in ("tests/test_a.py", "src/cart.test.ts", "docs/spec/openapi.yaml", "latest/x.py")]
    [True, True, False, False]
    """
    if len(path) > _MOST_PATH:
        return False
    path = path.strip()
    if ".." in path:
        path = normpath(path)
    name = re.split(r"[/\\]", path)[-1]
    if not name or _NO_TEST.search(name):
        return False
    folders = list(_TEST_FOLDER.finditer(path))
    if any(folder["spec"] is None for folder in folders) or _TEST_NAME.search(name):
        return True
    return bool(folders) and "." in name and not _API_SPEC.search(name)


def is_prose_file(path: str) -> bool:
    """Whether a file holds prose, in which code is quoted and not run.

    >>> is_prose_file("docs/guide.md"), is_prose_file("a.py")
    (True, False)
    """
    return path.strip().lower().endswith((".md", ".rst", ".txt", ".adoc"))


def secret_in(text: str) -> str:
    """The first word of a path or a command word that names credentials, `""` when there is none.

    >>> secret_in("config/.env"), secret_in(".env.example"), secret_in("process.env.PORT")
    ('config/.env', '', '')
    """
    if not _MAY_BE_SECRET.search(text):
        return ""
    if _SECRET.search(text) or any(not _PUBLIC.search(found) for found in _PEM.findall(text)):
        return text
    return ""
