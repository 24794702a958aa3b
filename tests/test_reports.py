from __future__ import annotations

import pickle

from whileai.simulations.reports import Report, interval_text, number_text, out_of, printable


def shown(report: Report) -> str:
    return f"<{report['n']}>"


def test_report_is_a_dict_that_prints_itself_and_escapes_in_a_notebook() -> None:
    report = Report({"n": 3}, show=shown)
    assert (dict(report), str(report), report._repr_html_()) == ({"n": 3}, "<3>", "<pre>&lt;3&gt;</pre>")


def test_report_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(Report({"n": 3}, show=shown)))
    assert (again["n"], str(again)) == (3, "<3>")


def test_control_and_bidi_characters_are_shown_not_obeyed() -> None:
    assert printable("a\x1b[2J\r\n\u202eb\ud800") == r"a\x1b[2J\r\n\u202eb\ud800"


def test_other_scripts_are_left_alone() -> None:
    assert printable("退款 रिफंड استرداد Zoë’s") == "退款 रिफंड استرداد Zoë’s"


def test_what_is_absent_prints_as_a_dash() -> None:
    assert (interval_text(None), number_text(None)) == ("-", "-")


def test_a_part_of_things_is_said_with_the_noun_of_all_and_the_verb_of_the_part() -> None:
    said = [out_of(n, of, "row", "have") for n, of in ((0, 1), (1, 1), (1, 2), (2, 2))]
    assert said == ["0 of 1 row have", "1 of 1 row has", "1 of 2 rows has", "2 of 2 rows have"]
