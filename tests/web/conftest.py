"""What the tests of pages share."""

from __future__ import annotations

import pytest

from web.chromium import browser


@pytest.fixture(scope="package")
def chromium():
    """One browser for the folder; not for the session, for its event loop would be in the way of others' `asyncio`."""
    with browser() as started:
        yield started
