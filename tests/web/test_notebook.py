"""Reports in a notebook and as a page: the printed block, and every interval of theirs drawn."""

from __future__ import annotations

import inspect
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import whileai
import whileai.simulations as wai
from tables import each_of
from whileai.simulations.reports import Report, Shown
from whileai.simulations.score.overview import overview
from whileai.simulations.web.estimates import estimates, interval_blocks
from whileai.simulations.web.inline import inline

EXAMPLES = Path(__file__).parents[2] / "examples"
NO_REPORTS = {"BadRecord", "ReadError", "PublishGateError"}  # public, print themselves, and are an error or a record
ATTACK = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>\u202e&lt;b&gt;"


def rollouts(name: str) -> list[dict[str, Any]]:
    rows = list(wai.load_rows(EXAMPLES / name))[:160]
    for place, row in enumerate(rows[:90]):
        row["gold_reward"], row["gold_kind"] = int(place % 4 > 0), "human"
    return rows


BEFORE, AFTER = rollouts("support_rollouts.jsonl"), rollouts("support_rollouts_tuned.jsonl")
JUDGES: dict[str, Callable[[Any], Any]] = {"ones": lambda row: 1, "same": lambda row: row["reward"]}
REPORTS: dict[str, Callable[[], Any]] = {
    "pass_at": lambda: wai.pass_at(BEFORE),
    "delta_report": lambda: wai.delta_report(BEFORE, AFTER),
    "judge_trust": lambda: wai.judge_trust(BEFORE),
    "judge_agreement": lambda: wai.judge_agreement(BEFORE),
    "corrected_pass_rate": lambda: wai.corrected_pass_rate(BEFORE),
    "trace_flag_report": lambda: wai.trace_flag_report(BEFORE),
    "style_report": lambda: wai.style_report(BEFORE),
    "hack_scan": lambda: wai.hack_scan(BEFORE),
    "optimize": lambda: wai.optimize(BEFORE, mode="rl")[1],
    "publish_gate": lambda: wai.publish_gate(BEFORE),
    "curriculum": lambda: wai.curriculum(BEFORE),
    "holdout_size": lambda: wai.holdout_size(0.05),
    "eval_variance": lambda: wai.eval_variance(BEFORE, AFTER, BEFORE),
    "leak_report": lambda: wai.leak_report(BEFORE),
    "judge_probes": lambda: wai.judge_probes(BEFORE[:20], JUDGES["same"], ["filler"]),
    "audit_grades": lambda: wai.audit_grades(BEFORE[:20], judge=JUDGES["same"]),
    "compare_judges": lambda: wai.compare_judges(BEFORE[:90], JUDGES),
    "judge_score": lambda: wai.compare_judges(BEFORE[:90], JUDGES).best,
    "run_judge": lambda: wai.run_judge(BEFORE[:20], JUDGES["same"]),
    "select": lambda: whileai.select(BEFORE, mode="rl"),
    "simulate": lambda: wai.simulate(wai.seeded_agent(TOOLS), tools=TOOLS, simulator=False, budget=4),
    "overview": lambda: overview(BEFORE),
    "dataset_report": lambda: wai.dataset_report(BEFORE),
    "metric_summary": lambda: wai.metric_summary(BEFORE),
    "marker_summary": lambda: wai.marker_summary(BEFORE),
    "compare_runs": lambda: wai.compare_runs(BEFORE, AFTER),
    "calibrate": lambda: wai.calibrate([dict(row) for row in BEFORE], ref="reward"),
    "dedupe_groups": lambda: wai.dedupe_groups(BEFORE)[1],
    "length_report": lambda: wai.length_report(BEFORE),
    "near_duplicate_prompts": lambda: wai.near_duplicate_prompts(BEFORE),
    "reward_correlations": lambda: wai.reward_correlations(BEFORE),
    "refusal_report": lambda: wai.refusal_report(BEFORE),
    "logprob_report": lambda: wai.logprob_report(BEFORE),
    "mean_kl": lambda: wai.mean_kl(BEFORE),
    "staleness_report": lambda: wai.staleness_report(BEFORE),
    "stage_report": lambda: wai.stage_report([{"task_id": "t", "stage": "rl"}]),
    "group_signal": lambda: wai.group_signal(BEFORE),
    "filter_rl_rows": lambda: wai.filter_rl_rows(BEFORE)[1],
    "run_report": lambda: made("simulate").report(),
    "judge_pairs": lambda: wai.judge_pairs([PAIR], lambda a, b: {"winner": "A"})[1],
    "write_rubrics": lambda: wai.write_rubrics([{"prompt": "Hi"}], writer=lambda message: "none")[1],
    "reference_logprobs": lambda: wai.reference_logprobs([], "vllm:small@http://127.0.0.1:1/v1"),
}  # fmt: skip
PAIR = {"prompt": "Hi", "chosen": {"final_text": "Yes."}, "rejected": {"final_text": "No."}}
OF_ONE_ROW = {
    "conduct_grade",
    "outcome_check",
    "normalize_judge_result",
    "privileged_context",
    "row_markers",
    "score_row",
    "task_checklist",
    "to_row",
    "trace_flags",
}  # and no report on rows
DEPRECATED = {"behavioral_markers"}
TAGS = {"pre", "table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "path", "circle", "text"}
TOOLS = [{"type": "function", "function": {"name": "find", "description": "Find", "parameters": {"type": "object"}}}]


@cache
def made(name: str) -> Any:
    return REPORTS[name]()


class Seen(HTMLParser):
    """The tags of some HTML with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data


def intervals_in(values: Any) -> Iterator[list[float]]:
    """Every pair under a key that ends in `ci95`, found without the rule that is tested."""
    if isinstance(values, Mapping):
        for key, value in values.items():
            if str(key).endswith("ci95") and value is not None:
                yield [float(end) for end in value]
            else:
                yield from intervals_in(value)
    elif isinstance(values, list | tuple):
        for value in values:
            yield from intervals_in(value)


@each_of("name", REPORTS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_report_shows_its_block_and_each_of_its_intervals(name: str) -> None:
    report = made(name)
    assert isinstance(report, Shown)
    html = report._repr_html_()
    seen = Seen(html)
    assert seen.text.startswith(str(report))
    assert {tag for tag, _ in seen.tags} <= TAGS
    assert not re.search(r"\b(?:on\w+|href|src|id|class)=", re.sub(r">[^<]*<", "><", html))
    assert "#" not in "".join(attributes.get("style") or "" for _, attributes in seen.tags)
    values = report._estimated()
    assert sorted(list(each.ends) for each in estimates(values) if each.ends) == sorted(intervals_in(values))
    plots = [attributes["aria-label"] for tag, attributes in seen.tags if tag == "svg" and "aria-label" in attributes]
    assert len(plots) == sum(len(block["rows"]) for block in interval_blocks(values))
    assert bool(plots) == bool(list(intervals_in(values)))


def test_every_public_type_that_prints_itself_shows_itself() -> None:
    classes = [value for value in (getattr(wai, name) for name in wai.__all__) if inspect.isclass(value)]
    printing = [each for each in classes if each.__str__ not in (object.__str__, dict.__str__, list.__str__)]
    assert len(printing) > 10
    assert {each.__name__ for each in printing if not issubclass(each, Shown)} == NO_REPORTS
    assert issubclass(wai.ScoredData, Shown)
    assert issubclass(Report, Shown)


@each_of("name", REPORTS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_report_that_is_a_dict_stays_one(name: str) -> None:
    report = made(name)
    if isinstance(report, Report):
        assert report == dict(report)
        assert json.loads(json.dumps(report))
        again = pickle.loads(pickle.dumps(report))
        assert (again, str(again)) == (report, str(report))


def test_a_public_function_that_reports_on_rows_returns_a_report() -> None:
    functions = {name: found for name in wai.__all__ if inspect.isfunction(found := getattr(wai, name))}
    returned = {name: str(inspect.signature(found).return_annotation) for name, found in functions.items()}
    assert {
        name for name, what in returned.items() if re.match(r"dict\[|tuple\[.*dict\[", what)
    } == OF_ONE_ROW | DEPRECATED


def test_page_of_a_report_holds_its_block_and_its_plots(tmp_path: Path) -> None:
    report, path = made("delta_report"), tmp_path / "delta.html"
    page = report.to_html(path)
    assert path.read_text(encoding="utf-8") == page
    assert "<title>Delta report</title>" in page
    seen = Seen(page)
    assert str(report) in seen.text
    for row in interval_blocks(report)[0]["rows"]:
        assert f"{row['value']:+.3f}".replace("-", "\u2212") in seen.text
    assert "0 of 0 rollouts" not in page


def test_foreign_text_is_text_only() -> None:
    report = Report({"rates": {ATTACK: {"rate": 0.5, "ci95": (0.4, 0.6)}}}, show=lambda report: ATTACK)
    for html in (report._repr_html_(), report.to_html()):
        assert "<script>alert" not in html
        assert "<img" not in html
    assert "\u202e" not in report._repr_html_()
    assert ATTACK.replace("\u202e", "⟨U+202E⟩") in Seen(report._repr_html_()).text


def test_whiskers_lie_where_the_numbers_say() -> None:
    html = inline("", interval_blocks({"rate": 0.5, "ci95": (0.25, 1.0)}))
    rail, whisker = re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)"', html)
    low, high = map(float, rail)
    assert [(float(x) - low) / (high - low) for x in whisker] == pytest.approx([0.25, 1.0], abs=0.001)
    assert (float(re.search(r'cx="([\d.]+)"', html)[1]) - low) / (high - low) == pytest.approx(0.5, abs=0.001)
    assert 'aria-label="rate 0.500, interval [0.250, 1.000]"' in html


def test_a_difference_has_its_axis_around_zero_and_a_line_there() -> None:
    [block] = interval_blocks({"delta": 0.1, "ci95": (0.05, 0.15), "level": 0.9, "n_used": 9})
    assert (block["unit"], block["reference"], block["domain"]) == ("delta", 0.0, None)
    assert block["title"] == "Differences with 90% intervals"
    assert "stroke-dasharray" in inline("", [block])


def test_kappa_is_called_so_on_an_axis_that_ends_at_one() -> None:
    [block] = interval_blocks({"kappa": 0.9, "kappa_ci95": (0.8, 0.99), "n": 80})
    assert block["title"] == "Kappa with 95% intervals"
    assert "+1.000</text>" in inline("", [block])


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"fn_rate": 0.1, "fn_ci95": [0, 0.2], "n_checked": 40, "n_rows": 900}, ("fn_rate", "rate", 40)),
        ({"target_delta": -0.1, "target_ci95": (-0.2, 0.0)}, ("target_delta", "delta", None)),
        ({"kappa": 0.4, "kappa_ci95": (0.1, 0.6), "n": 80}, ("kappa", "correlation", 80)),
        ({"mean": -0.4, "ci95": (-1, 0.2)}, ("mean", "number", None)),
        ({"n": 9, "groups": [{"group": "tier 1", "delta": 1, "ci95": None}]}, ("tier 1", "delta", 9)),
        ({"k_way": [{"k": 4, "pass_at_k": 1, "pass_at_k_ci95": (0, 1), "n_tasks": 7}]}, ("pass@4", "rate", 7)),
    ],
    ids=["audit", "target", "kappa", "signed", "inherited n", "draw size"],
)  # fmt: skip
def test_what_an_interval_is_of(values: Any, found: tuple[str, str, int | None]) -> None:
    [each] = estimates(values)
    assert (each.label, each.unit, each.n) == found


@pytest.mark.parametrize(
    "values",
    [
        {"ci95": (0.1, 0.2)}, {"mean": None, "ci95": None}, {"mean": True, "ci95": (0, 1)}, {"rate": 0.5, "ci95": "no"},
        {"rate": 0.5, "ci95": (0.1,)}, {"rate": float("nan"), "ci95": (0, 1)}, {"rate": 0.5, "ci95": (float("nan"), 1)},
    ],
    ids=["no number", "undefined", "boolean", "text", "one end", "nan", "nan end"],
)  # fmt: skip
def test_what_is_no_estimate(values: Any) -> None:
    assert list(estimates(values)) == []


def test_without_an_interval_the_block_stands_alone() -> None:
    assert interval_blocks({"a": {"rate": 1.0, "ci95": None}}) == []
    assert interval_blocks(None) == []


def test_many_estimates_are_cut_and_counted() -> None:
    tasks = [{"task_id": str(i), "rate": 0.5, "ci95": (0.4, 0.6)} for i in range(60)]
    [block] = interval_blocks({"tasks": tasks})
    assert block["title"] == "Rates: tasks with 95% intervals, the first 40 of 60"
    assert len(block["rows"]) == 40


def test_a_notebook_needs_no_library_for_it() -> None:
    code = (
        "import sys; from whileai.simulations.reports import Report\n"
        "html = Report({'rate': 0.5, 'ci95': (0.4, 0.6)}, show=repr)._repr_html_()\n"
        "assert '<svg' in html\n"
        "print(sorted({'jinja2', 'numpy', 'scipy', 'rich', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
