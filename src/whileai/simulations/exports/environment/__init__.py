"""Rollouts as an environment package for verifiers."""

from whileai.simulations.exports.environment.folder import package_name, write_environment

__all__ = ["package_name", "write_environment"]
