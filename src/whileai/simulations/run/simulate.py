"""`simulate`: an agent tried in many situations, one row a rollout."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from whileai.simulations.defaults import DEFAULT_BUDGET, DEFAULT_CONCURRENCY
from whileai.simulations.run.data import SimulationData
from whileai.simulations.run.knobs import AVG_TURNS, HARD_SHARE, TEMPERATURE, refuse_unknown
from whileai.simulations.run.session import simulated
from whileai.simulations.score.dimensions.policy import Policy
from whileai.simulations.signature import public


@public
def simulate(
    agent: Any = None,
    *,
    tools: Iterable[Any] | None = None,
    system_prompt: Policy = None,
    policy: Policy = None,
    budget: int | None = DEFAULT_BUDGET,
    time_budget: float | None = None,
    mode: str = "explore",
    situations: int | None = None,
    phrasings: int | None = None,
    requests_per_situation: int | None = None,
    repeats: int | None = None,
    rollouts_per_request: int | None = None,
    repeat_policy: str | None = None,
    simulator: Any = None,
    seed: int = 0,
    grade: Any = None,
    grader: Callable[[dict[str, Any]], Any] | None = None,
    rubric: Any = None,
    llm_grade: Any = None,
    tasks: Any = None,
    runs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    traces: Any = None,
    seeds: Any = None,
    strategy: str | None = None,
    scaffold: str | None = None,
    execute: Callable[[str, dict[str, Any]], Any] | None = None,
    spec: Any = None,
    until: Callable[[list[dict[str, Any]]], Any] | None = None,
    hard_share: float = HARD_SHARE,
    fault_rate: float | None = None,
    concurrency: int = DEFAULT_CONCURRENCY,
    temperature: float = TEMPERATURE,
    avg_turns: int = AVG_TURNS,
    max_turns: int | None = None,
    timeout: float | None = None,
    sampling: Mapping[str, Any] | None = None,
    logprobs: bool = False,
    patience: str = "normal",
    user_model: Any = None,
    backend: Any = None,
    unique_situations: bool = False,
    reproducible: bool | None = None,
    dimensions: Mapping[str, Sequence[str]] | None = None,
    advanced: Mapping[str, Any] | None = None,
    **unknown: Any,
) -> SimulationData:
    """Try an agent in many situations, in a mock world with scheduled faults; a row for each rollout.

    `agent` is any callable, plain or async, from the ask to a reply (`{"steps": [...], "final_text": ...}`, whose other
    keys ride on the row, or text), or a model: a spec such as `"openai:gpt-4o"`, a model object, None for the one that
    is configured. A model is given the `tools` and asked until it answers without calling one. Calls are answered by
    the world from the tools' schemas, or by `execute(name, arguments)`. An agent that raises, or takes longer than
    `timeout` seconds, costs its rollout: its `final_text` is then `<agent error: ...>`, and it counts as lost.

    Sizes: `budget` rows (of each run), `time_budget` seconds. The mode says how they are spent; `situations`,
    `phrasings` (wordings of a situation), `repeats` (rollouts of a wording) and `repeat_policy` override it.

    | mode | phrasings | repeats | policy |
    | --- | --- | --- | --- |
    | `explore` | 1 | 1 | `none`, `fixed` with `repeats=` |
    | `sft` | 3 | 4 | `adaptive`: 2 rollouts, all where their rewards differ |
    | `rl` | 1 | 8 | `successive`: k/4, k/2, k rollouts; those whose rewards differ go on, at least half of the asks |
    | `adaptive` | 1 | 8 | `adaptive` |

    `adaptive` and `successive` look at rewards, so without a grader they play all repeats of every ask.

    What is asked: the coverage grid of the tools and the `system_prompt` (`policy`), every pair of its values first
    (`dimensions` replaces axes, `hard_share` is the share of hard asks among cells that come again, `fault_rate` that
    of fault cells that keep their fault, beyond those that cover a pair first; without one 90% of the fault cells of
    any mode but `rl` become a success before that; `unique_situations` visits no cell twice). `simulator=False` words
    the asks from templates; a spec, a model object or a function (told -> text) words them itself. Or `tasks`: the
    situations, words, faults and worlds of earlier rows, a run or a file, of which only the rollouts are new, each as
    often as there. Or `seeds`: asks as text. The flawed rollouts of `traces` are asked again ahead of the grid.
    `runs=3` plays all of it three times, and `lineage.eval_run` says which.

    For an agent that is a model: `temperature`, `sampling` and `logprobs` of its replies; `user_model` answers it, up
    to `max_turns` replies (default twice `avg_turns`) or as long as its `patience` holds. `backend` is the model of the
    agent and of the writer where they name none.

    Grades: `grade=True` or `"conduct"` by the rules of conduct (`True` with a `rubric`: a model by it), `grader` by a
    callable from a row to a reward; `llm_grade` puts a model's verdict beside it.

    `checkpoint` names a file that takes each rollout as it is played: the same call goes on where it ended, also after
    a kill, and rows from the file say `lineage.resumed`. Lost rollouts are played again, and so are those of another
    agent: one with another name, or another `version` (an attribute of the callable), or without one other code; a
    grade is taken from the same grader alone. `output` takes the exported rows. `on_progress(done, total)` is called
    now and then, `until(rows)` every 32 rollouts: true ends the run. What fails in these three costs no rollout: the
    run is returned with a warning. `spec` stamps `spec_id` and
    `spec_version`, `scaffold` and `strategy` (`"coverage"`) name how the agent is run and asked. `advanced` holds
    `dimensions`, `max_tokens` of a reply and `max_calls` of a rollout.

    The same arguments and seed give the same rows in any process, at any concurrency, as long as agent, writer and
    grader do their part and no clock ends the run. Raises `TypeError` for an unknown keyword, `ValueError` for a value
    out of bounds and where a model is needed and none is named.

    >>> tools = [{"name": "get_order", "parameters": {"properties": {"order_id": {"type": "string"}}}}]
    >>> data = simulate(lambda ask: "I cannot look that up.", tools=tools, simulator=False, budget=6)
    >>> len(data), data.stopped_because, data.trajectories[0]["writer_model"]
    (6, 'budget', 'template')
    """
    given = dict(locals())
    refuse_unknown(given.pop("unknown"), [name for name in given if name != "agent"])
    return simulated(given)
