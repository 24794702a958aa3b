"""Settings that all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("project", deadline=None)  # machines are noisy: time is measured in benchmarks/
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "project")
