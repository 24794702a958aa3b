"""Tool sets of three different trades, and episodes of a seeded agent with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from whileai.simulations.run.current import entered
from whileai.simulations.run.phrasing import ask
from whileai.simulations.run.seeded import seeded_agent
from whileai.simulations.run.situations import plan_situations
from whileai.simulations.run.world import World

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = {"type": "string"}


def schema(name: str, required: list[str], returns: Any = None, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "parameters": parameters, **({"returns": returns} if returns else {})}


MOMENT, DAY = {"type": "string", "format": "date-time"}, {"type": "string", "format": "date"}
CALENDAR = [
    schema("list_events", ["date"], date=DAY),
    schema("create_event", ["title", "start_time"], title=TEXT, start_time=MOMENT, end_time=MOMENT),
    schema("delete_event", ["event_id"], event_id=TEXT),
    schema("send_email", ["to", "subject", "body"], to=TEXT, subject=TEXT, body=TEXT),
    schema("get_weather", ["city"], city=TEXT, unit={"type": "string", "enum": ["celsius", "fahrenheit"]}),
]
AIRPORT = {"type": "string", "pattern": "^[A-Z]{3}$"}
DEVELOPER = [
    schema("read_file", ["path"], path=TEXT),
    schema("write_file", ["path", "content"], path=TEXT, content=TEXT),
    schema("run_sql", ["query"], query=TEXT),
    schema("close_issue", ["issue_number"], issue_number={"type": "integer", "minimum": 1}),
    schema("search_flights", ["origin", "destination"], origin=AIRPORT, destination=AIRPORT),
]
SHOP = json.loads((EXAMPLES / "support_tools.json").read_text())
SHOP_POLICY = (EXAMPLES / "support_policy.md").read_text()
TOOLSETS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "shop": (SHOP, SHOP_POLICY),
    "calendar": (CALENDAR, "- Never delete an event without asking first.\n- Meetings must end before 18:00."),
    "developer": (DEVELOPER, ""),
}


def episodes(name: str, *, mode: str = "rl", n: int | None = None, seed: int = 0, **agent: Any) -> list[dict[str, Any]]:
    """One rollout of a seeded agent in each situation, as a row."""
    tools, policy = TOOLSETS[name]
    answer = seeded_agent(tools, seed=seed, **agent)
    rows = []
    for situation in plan_situations(tools, policy, mode=mode, n=n, seed=seed):
        text, labels = ask(situation, 0, seed)
        with entered(World(tools, seed, situation=situation)):
            answered = answer(text)
        rows.append(
            {
                "prompt": text,
                "scenario_id": situation.id,
                "scenario_dimensions": situation.dimensions,
                "faults": situation.faults,
                "privileged": situation.privileged,
                **situation.labels,
                **labels,
                **answered,
            }
        )
    return rows
