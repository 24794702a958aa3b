"""The code runs nothing that a row, a file or a reply of a server says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import whileai

ROOT = Path(whileai.__file__).parent
# What may be there, with the reason; everything else of these kinds is refused.
ALLOWED = {
    ("parallel/crew.py", "pickle.loads"): "an exception that this process has just pickled itself",
    ("distributed/cluster.py", "pickle.loads"): "tallies that our own tasks made, on the user's own cluster",
    ("distributed/reduction.py", "pickle.loads"): "tallies that our own tasks made, on the user's own cluster",
    ("distributed/fetch.py", "pickle.loads"): "tallies that our own tasks made, on the user's own cluster",
    ("judges.py", "exec_module"): "the file that --judge FILE.py:FUNCTION names: the user's own code",
    ("judges.py", "import_module"): "the module that --judge MODULE:FUNCTION names: the user's own code",
}
CALLS = {
    "eval", "exec", "compile", "__import__", "execfile", "pickle.load", "pickle.loads", "marshal.loads", "dill.loads",
    "yaml.load", "yaml.unsafe_load", "os.system", "os.popen", "shelve.open", "joblib.load", "numpy.load", "np.load",
    "torch.load", "extractall", "unpack_archive", "exec_module", "execv", "execve", "posix_spawn",
}  # fmt: skip
MODULES = {"subprocess", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml", "pty", "code"}


def dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def found(tree: ast.AST) -> Iterator[str]:
    """What a module calls or imports that may run data as code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in MODULES:
            yield str(node.module)
        elif isinstance(node, ast.Call):
            name = dotted(node.func)
            last = name.rpartition(".")[2]
            if name in CALLS or ("." in name and last in CALLS - {"compile", "eval", "exec"}):
                yield name if name in CALLS else last
            elif last == "import_module" and not is_ours(node.args[0]):
                yield last
            yield from ("shell=" for word in node.keywords if word.arg == "shell")
            yield from ("allow_pickle" for word in node.keywords if word.arg in ("allow_pickle", "trust_remote_code"))


def is_ours(argument: ast.expr) -> bool:
    """Whether a module is named in the code: a literal, or a name below our own packages."""
    if isinstance(argument, ast.Constant):
        return True
    begins = argument.values[0] if isinstance(argument, ast.JoinedStr) else None
    return isinstance(begins, ast.FormattedValue) and dotted(begins.value) == "__name__"


# Modules whose names come from tables in the code: the public names, and the libraries of an extra.
NAMED_IN_TABLES = {("__init__.py", "import_module"), ("arrowtypes.py", "import_module")}


def test_what_runs_data_as_code_is_on_the_list_and_no_more_than_that() -> None:
    faults, used = [], set()
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for what in found(ast.parse(path.read_text(encoding="utf-8"))):
            allowed = [(end, call) for end, call in (*ALLOWED, *NAMED_IN_TABLES) if name.endswith(end) and what == call]
            used.update(allowed)
            if not allowed:
                faults.append(f"{name}: {what}")
    assert faults == []
    assert used == {*ALLOWED, *NAMED_IN_TABLES}
