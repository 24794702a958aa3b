"""What a shell script runs: commands, words, redirects, here-documents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import outgrows
from tables import each_of
from whileai.simulations.rows.shell import read_script, script_text


def words(script: str) -> list[list[str]]:
    return [command.words for command in read_script(script)]


@each_of(
    ("script", "expected"),
    [
        ("ls -la", [["ls", "-la"]]), ("a; b && c || d | e & f", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]),
        ("echo 'a; b' \"c && d\" e\\;f", [["echo", "a; b", "c && d", "e;f"]]), ("a # not; this\nb", [["a"], ["b"]]),
        ("sudo -u root env A=1 rm x", [["rm", "x"]]), ("A=1 B=2 make", [["make"]]), ("/usr/bin/rm x", [["rm", "x"]]),
        ("ls | xargs -n 1 rm", [["ls"], ["rm"]]), ("timeout 5 rm x", [["rm", "x"]]), ("uv run pytest -q", [["pytest",
        "-q"]]),
        ("if a; then b; else c; fi", [["a"], ["b"], ["c"]]), ("for f in *; do rm $f; done", [["rm", "$f"]]),
        ("echo $(ls a)", [["ls", "a"], ["echo"]]), ("(cd a && b)", [["cd", "a"], ["b"]]), ("a \\\n b", [["a", "b"]]),
        ("docker exec -it -u 0 web rm x", [["rm", "x"]]), ("docker compose exec web pytest", [["pytest"]]),
        ("bash -c 'a && b'", [["bash", "-c", "a && b"], ["a"], ["b"]]), ("eval \"a b\"", [["eval", "a b"], ["a", "b"]]),
        ("a $((1 << 2)) b\nc", [["a", "b"], ["c"]]), ("a <<E\nx; y\nE\nb", [["a"], ["b"]]), ("bash <<E\nx\nE",
        [["bash"], ["x"]]), ("a#b", [["a#b"]]),
        ("git commit -m \"say \\\"hi\\\"\"", [["git", "commit", "-m", 'say "hi"']]), ("", []), ("\n;;\n", []),
    ],
)  # fmt: skip
def test_a_script_falls_into_its_commands(script, expected):
    found = [found for found in words(script) if found]
    assert found == expected


@each_of(
    ("script", "writes", "reads"),
    [
        ("a > x", ["x"], []), ("a >> 'x y' 2>&1", ["x y"], []), ("a 2>/dev/null", ["/dev/null"], []), ("a < x", [],
        ["x"]),
        ("a &> x", ["x"], []), ("a >| x", ["x"], []), ("a >&2", [], []), ("echo 'a > b'", [], []), ("a <<< x", [], []),
    ],
)  # fmt: skip
def test_redirects_name_the_files(script, writes, reads):
    command = read_script(script)[0]
    assert (command.writes, command.reads) == (writes, reads)


def test_a_here_document_is_the_body_of_its_command():
    first, second = (
        read_script("cat > a <<'EOF' && ls\nrm -rf x\n  EOF\nEOF\nls")[0],
        read_script("cat <<A\n1\nA\nb")[1],
    )
    assert (first.words, first.body, first.writes) == (["cat"], "rm -rf x\n", ["a"])
    assert second.words == ["b"]


def test_a_command_knows_how_it_is_written_and_what_follows():
    first, second = read_script("npm  test || true")
    assert (first.text, first.joiner, second.program, second.joiner) == ("npm  test", "||", "true", "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"command": "ls"}, "ls"), ({"cmd": ["bash", "-lc", "ls a"]}, "ls a"), ({"command": ["rm", "a b"]}, "rm 'a b'"),
        ({"command": None, "script": "x"}, "x"), ({"command": 5}, ""), ({}, ""), ({"command": [1, None]}, "1 ''"),
    ],
)  # fmt: skip
def test_a_script_is_text_or_words(arguments, expected):
    assert script_text(arguments) == expected


@given(st.text(alphabet="ab '\"\\$()`|;&<>\n#-=E", max_size=60))
def test_any_script_is_read(script):
    assert all(isinstance(word, str) for command in read_script(script) for word in command.words)


@each_of(
    "unit",
    ["$(a ", "`a", "'a \"", "a|", "cat <<A\n", "$((", "((a ", "a && ", "> a ", "\\", "((", " # a\n", "sudo ", "a=b "],
)
def test_cost_grows_with_the_length_of_the_script(unit):
    assert not outgrows(read_script, unit * 2000, unit * 8000)
