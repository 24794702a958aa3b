"""The documented functions, one module a topic."""
