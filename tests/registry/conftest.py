"""Every test pushes to what it names: nothing is configured, and no try waits for long."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _nothing_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WHILEAI_API_URL", "WHILEAI_API_KEY", "WHILEAI_DELEGATED_CREDENTIAL", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("whileai.simulations.registry.session.BACKOFF", 0.005)
