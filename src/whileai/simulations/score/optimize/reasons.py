"""The reasons a row is dropped under, in the order of the steps, and what a table calls them."""

from __future__ import annotations

PRIOR_SOLVED, PRIOR_UNSOLVED = "prior_solved", "prior_unsolved"
LEAK = "privileged_leak"
DO_NOTHING, JUNK, UNUSABLE = "do_nothing", "incomplete_junk", "unusable_label"
REPEAT, CUT = "repeat", "truncated"
UNANIMOUS, COLLAPSED = "unanimous", "collapsed"
TOO_EASY, TOO_HARD = "too_easy", "too_hard"
OVER_TARGET = "over_target"
NOT_PASS, NOT_PICKED = "not_pass", "other_pick"

GATES = (JUNK, DO_NOTHING, UNUSABLE)
RL_REASONS = (
    PRIOR_SOLVED, PRIOR_UNSOLVED, LEAK, *GATES, REPEAT, CUT, UNANIMOUS, COLLAPSED, TOO_EASY, TOO_HARD, OVER_TARGET
)  # fmt: skip
SFT_REASONS = (LEAK, NOT_PASS, JUNK, NOT_PICKED, OVER_TARGET)

_WORDS = {
    LEAK: "quotes its own privileged block",
    DO_NOTHING: "ungraded, and no tool called where the task wants one",
    JUNK: "no usable reply: blank, broken, cut or a stub",
    UNUSABLE: "no 0/1 label",
    REPEAT: "repeat of a rollout of its task",
    CUT: "cut at the token cap",
    UNANIMOUS: "all rollouts of the task agree",
    COLLAPSED: "task left with one verdict",
    NOT_PICKED: "another completion of the prompt was picked",
    OVER_TARGET: "target reached",
}


def rl_words(low: float, high: float) -> dict[str, str]:
    """What the reasons of an RL selection are called, its band filled in."""
    return {
        PRIOR_SOLVED: f"task solved in the prior round: passes above {high:.0%}",
        PRIOR_UNSOLVED: f"task unsolved in the prior round: passes below {low:.0%}",
        TOO_EASY: f"task too easy: passes above {high:.0%}",
        TOO_HARD: f"task too hard: passes below {low:.0%}",
        **_WORDS,
    }


def sft_words(min_reward: float) -> dict[str, str]:
    """What the reasons of an SFT selection are called, its bar filled in."""
    return {NOT_PASS: f"score missing or under {min_reward:g}", **_WORDS}
