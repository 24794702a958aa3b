"""Half as many examples as the profile asks for, of a property whose examples are slow to draw or to check."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

few = settings(
    max_examples=max(1, settings.default.max_examples // 2),  # type: ignore[union-attr]
    suppress_health_check=[HealthCheck.too_slow],
)
