"""What a person writes first: varied, plain English over a tool schema, a stance, a history and a rule."""

from whileai.simulations.run.phrasing.ask import ask

__all__ = ["ask"]
