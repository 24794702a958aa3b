"""What the programs of a script do."""

from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.rows.programs import changes, files_written, only_reads, text_written
from whileai.simulations.rows.shell import read_script


@each_of(
    ("script", "files"),
    [
        ("sed -i 's/a/b/' x y", ["x", "y"]), ("sed -i.bak -e 's/a/b/' x", ["x"]), ("sed 's/a/b/' x", []),
        ("a > x 2>&1", ["x"]),
        ("a >/dev/null", []), ("tee -a x", ["x"]), ("tee /dev/null", []), ("mv a b", ["a", "b"]), ("cp a b", ["b"]),
        ("rm -f a b", ["a", "b"]), ("git rm a", ["a"]), ("git apply <<E\n--- a/x\n+++ b/x\n+1\nE", ["x"]), ("cat a",
        []),
    ],
)  # fmt: skip
def test_the_files_written(script, files):
    assert files_written(read_script(script)[0]) == files


@each_of(
    ("script", "text"),
    [
        ("cat > a <<E\nx\nE", "x\n"), ("echo a b > x", "a b"), ("echo a b", ""), ("sed -i 's|a|b c|g' x", "b c"),
        ("sed -i '2a\\added' x", "added"), ("sed -i '/noqa/d' x", ""), ("sed -n 's/a/b/p' x", ""),
        ("python - <<E\nx\nE", ""),
        ("git apply <<E\n--- a/x\n+++ b/x\n-1\n+2\nE", "2"),
    ],
)  # fmt: skip
def test_the_text_written(script, text):
    assert text_written(read_script(script)[0]) == text


@pytest.mark.parametrize(
    "script", ["git apply a", "mkdir a", "git commit -m x", "psql -c 'delete from a'", "find . -delete"]
)
def test_it_changes_something(script):
    assert changes(read_script(script)[0])


@each_of(
    "script", ["cat a", "git diff", "git log", "pytest", "ruff check", "psql -c 'select 1'", "sed -n 1p a",
    "find . -name a", "pip list",
               "curl http://x", "python --version", "black --check .", "python -c 'print(1)'"],
)  # fmt: skip
def test_it_only_reads(script):
    assert only_reads(read_script(script)[0])


@each_of(
    "script", ["python fix.py", "./migrate", "black .", "ruff check --fix", "npm install", "curl -X POST http://x",
    "git stash",
               "find . -exec touch {} ;", "python -c \"open('a', 'w')\"", "make", "perl -pi -e s/a/b/ x"],
)  # fmt: skip
def test_it_may_do_more_than_read(script):
    assert not only_reads(read_script(script)[0])
