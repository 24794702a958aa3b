"""The gate a dataset passes before it leaves, and the difficulty stamped on its rows."""

from whileai.simulations.score.publish_gate.calibration import calibrate
from whileai.simulations.score.publish_gate.gate import PublishGateError, publish_gate

__all__ = ["PublishGateError", "calibrate", "publish_gate"]
