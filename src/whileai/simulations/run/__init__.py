"""From an agent to rollouts: `simulate`, what it returns, and rollouts that were recorded elsewhere."""

from whileai.simulations.run.current import world
from whileai.simulations.run.data import SimulationData
from whileai.simulations.run.profile import AgentProfile
from whileai.simulations.run.seeded import SEEDED_BEHAVIORS, seeded_agent
from whileai.simulations.run.simulate import simulate
from whileai.simulations.run.tool import tool
from whileai.simulations.run.traces import conversation, load_traces, mine_traces
from whileai.simulations.run.world import World

__all__ = [
    "SEEDED_BEHAVIORS",
    "AgentProfile",
    "SimulationData",
    "World",
    "conversation",
    "load_traces",
    "mine_traces",
    "seeded_agent",
    "simulate",
    "tool",
    "world",
]
