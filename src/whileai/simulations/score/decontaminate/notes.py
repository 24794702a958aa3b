"""What a reader must know of rules that could not run, and of what the rules cannot see."""

from __future__ import annotations

from typing import Any

from whileai.simulations.reports import counted
from whileai.simulations.score.decontaminate.evaluation import Evaluation
from whileai.simulations.score.decontaminate.semantic import Calibration


def skipped_rules(found: Evaluation, n_train: int, n_train_with_id: int, embeds: bool) -> dict[str, str]:
    """Each rule that could not run, and why."""
    skipped: dict[str, str] = {}
    if not found.n_rows:
        return skipped
    if not found.n_with_id:
        skipped["same_task"] = f"0 of {found.n_rows} evaluation rows carry a scenario_id or task_id"
    elif n_train and not n_train_with_id:
        skipped["same_task"] = f"0 of {n_train} training rows carry a scenario_id or task_id"
    if embeds and not found.prompts:
        skipped["semantic"] = f"0 of {found.n_rows} evaluation rows have a prompt to embed"
    return skipped


def notes_on(values: dict[str, Any], measured: Calibration | None) -> list[str]:
    """The sentences under a report."""
    said = [f"{rule} did not run: {why}; 0 under it is no clearance" for rule, why in values["rules_skipped"].items()]
    if values["n_eval_rows"] and not values["n_eval_texts"]:
        said.append(
            f"none of {values['n_eval_rows']} evaluation rows has text under prompt, answer or reference, so no text "
            "was compared: rename the column that holds the question to prompt"
        )
    if values["similarity"] is None:
        if values["n_eval_texts"]:
            said.append("reworded copies pass the text rules: pass embedder= to look for them")
        return said
    if measured is not None:
        said.append(_calibrated(measured, values["similarity"]))
    if values["n_semantic"]:
        n = values["n_semantic"]
        rows = "1 semantic flag is a question" if n == 1 else f"{n} semantic flags are questions"
        said.append(f"{rows} to check, not a verdict: prompts that read alike may be different tasks")
    return said


def _calibrated(measured: Calibration, similarity: float) -> str:
    text = (
        f"distinct evaluation tasks reach a cosine of {measured.cosine:.2f} (99th percentile over "
        f"{counted(measured.n_prompts, 'prompt')}) with this embedder"
    )
    if similarity <= measured.cosine:
        return f"{text}; similarity {similarity:.2f} is at or below that, so flags include tasks that are merely alike"
    return f"{text}; similarity is {similarity:.2f}"
