"""What does selection do to learning? A tabular policy trained by a grouped update on selected and on unselected rows.

    python examples/selection_effect.py [--seeds 40] [--rounds 4]

The policy is a table: for each of 256 tasks a softmax over 4 actions, one of them right. Tasks start anywhere between
hopeless and solved. In a round it is sampled 8 times a task, a judge grades each rollout 0 or 1 and errs in 3% of them,
and the logits move by REINFORCE with the group's mean as baseline (GRPO without its division by the deviation: Dr. GRPO,
arXiv:2503.20783). Both arms may train on 512 of the 2048 rows: whole tasks taken at random, or those of
`select_for_rl(target=512)`. A third arm trains on all of them, at four times the cost. What is learnt is the true chance
to pass over all tasks, read off the table, not sampled. The arms of a seed start from the same table.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from scipy.stats import t as student_t

import whileai.simulations as wai

TASKS, ACTIONS, ROLLOUTS = 256, 4, 8
BUDGET = 512  # rows an arm may train on in a round
STEP = 4.0  # of the logits
JUDGE_ERROR = 0.03
RIGHT = 0  # the action that solves a task

Choose = Callable[[list[dict], np.random.Generator], list[dict]]


def chances(table: np.ndarray) -> np.ndarray:
    """Chance of each action of each task, shape (tasks, actions)."""
    powers = np.exp(table - table.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def sampled(table: np.ndarray, rng: np.random.Generator) -> list[dict]:
    """A round of rollouts as a trainer holds them: a task, what was done, the judge's verdict."""
    actions = (chances(table).cumsum(axis=1)[:, None, :] < rng.random((TASKS, ROLLOUTS, 1))).sum(axis=2)
    rewards = (actions == RIGHT) ^ (rng.random((TASKS, ROLLOUTS)) < JUDGE_ERROR)
    return [
        {"task_id": str(task), "action": int(actions[task, i]), "reward": int(rewards[task, i])}
        for task in range(TASKS)
        for i in range(ROLLOUTS)
    ]


def update(table: np.ndarray, rows: list[dict]) -> np.ndarray:
    """The table after one grouped step on some rows: each weighs its reward less the mean of its task."""
    tasks = np.array([int(row["task_id"]) for row in rows])
    actions = np.array([row["action"] for row in rows])
    rewards = np.array([row["reward"] for row in rows], dtype=float)
    counts = np.maximum(np.bincount(tasks, minlength=TASKS), 1)
    advantages = rewards - (np.bincount(tasks, rewards, TASKS) / counts)[tasks]
    scores = -chances(table)[tasks]
    scores[np.arange(len(rows)), actions] += 1
    gradient = np.zeros_like(table)
    np.add.at(gradient, tasks, advantages[:, None] * scores)
    return table + STEP * gradient / ROLLOUTS


def at_random(rows: list[dict], rng: np.random.Generator) -> list[dict]:
    """Whole tasks at random, up to the budget."""
    taken = set(map(str, rng.permutation(TASKS)[: BUDGET // ROLLOUTS]))
    return [row for row in rows if row["task_id"] in taken]


def selected(rows: list[dict], rng: np.random.Generator) -> list[dict]:
    """What `select_for_rl` takes of the round, up to the budget."""
    return wai.select_for_rl(rows, target=BUDGET)[0]


def everything(rows: list[dict], rng: np.random.Generator) -> list[dict]:
    """All rows, whatever they cost."""
    return rows


ARMS: dict[str, Choose] = {"at random": at_random, "selected": selected, "all rows": everything}


def learnt(choose: Choose, seed: int, rounds: int) -> float:
    """The gain in the true pass rate after some rounds."""
    rng = np.random.default_rng(seed)
    start = rng.normal(0, 1, (TASKS, ACTIONS))
    start[:, RIGHT] += rng.normal(0.5, 3, TASKS)
    table = start
    for _ in range(rounds):
        rows = sampled(table, rng)
        table = update(table, choose(rows, rng))
    return float((chances(table) - chances(start))[:, RIGHT].mean())


def interval(values: np.ndarray) -> tuple[float, float, float]:
    """Mean over seeds and its 95% interval (Student)."""
    half = student_t.ppf(0.975, values.size - 1) * values.std(ddof=1) / np.sqrt(values.size)
    return float(values.mean()), float(values.mean() - half), float(values.mean() + half)


def gains(seeds: int, rounds: int) -> dict[str, np.ndarray]:
    """What each arm learnt, seed by seed."""
    return {name: np.array([learnt(choose, seed, rounds) for seed in range(seeds)]) for name, choose in ARMS.items()}


def main() -> None:
    """Print what each arm learnt, and what selection adds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=4)
    given = parser.parse_args()
    found = gains(given.seeds, given.rounds)
    print(f"{given.seeds} seeds, {given.rounds} rounds: gain in the true pass rate over {TASKS} tasks, 95% interval")
    for name, values in found.items():
        rows = TASKS * ROLLOUTS if name == "all rows" else BUDGET
        print("  {:<10} {:>5,} rows a round  {:+.4f} [{:+.4f}, {:+.4f}]".format(name, rows, *interval(values)))
    added = interval(found["selected"] - found["at random"])
    print("  selection adds {:+.4f} [{:+.4f}, {:+.4f}] at the same cost".format(*added))
    share = found["selected"].mean() / found["all rows"].mean()
    print(f"  and reaches {share:.0%} of what all rows teach on a quarter of them")


if __name__ == "__main__":
    main()
