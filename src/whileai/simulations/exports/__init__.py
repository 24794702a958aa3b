"""Training files: rows in the form that OpenAI, TRL, Fireworks and verifiers read."""

from whileai.simulations.exports.preference import export_preference
from whileai.simulations.exports.row import exported_row
from whileai.simulations.exports.training import export_dataset, export_training, training_rows

__all__ = ["export_dataset", "export_preference", "export_training", "exported_row", "training_rows"]
