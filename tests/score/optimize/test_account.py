from __future__ import annotations

from whileai.simulations.score.optimize.account import Account, account_lines


def test_the_printed_column_adds_up() -> None:
    account = Account(1200, ("junk", "repeat", "cut"))
    account.drop("junk", 150)
    account.drop("cut", 50)
    lines = list(account_lines(account.values(), {"junk": "junk", "cut": "cut", "repeat": "repeat"}, "selected"))
    signs = {" ": 1, "-": -1, "=": -1}
    numbers = [signs[line[2]] * int(line[3:].split()[0].replace(",", "")) for line in lines]
    assert sum(numbers) == 0
    assert [line.split()[-1] for line in lines] == ["given", "junk", "cut", "selected"]


def test_every_reason_is_in_the_values_also_without_rows() -> None:
    assert Account(0, ("junk", "cut")).values() == {"given": 0, "dropped": {"junk": 0, "cut": 0}, "kept": 0}
