"""Who is answered: whoever has the token, by a name of this machine, and no page of another origin."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LOCALHOST = "localhost"


@dataclass(frozen=True)
class Guard:
    """Checks of one server; `host` is where it listens.

    The port of a name is not looked at, so that a forwarded port works; the name is what an attacker cannot choose.
    """

    host: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def knows(self, token: str | None) -> bool:
        """Whether the token is that of this server."""
        return token is not None and hmac.compare_digest(token.encode(), self.token.encode())

    def is_here(self, host: str | None) -> bool:
        """Whether a `Host` header names this machine: a page that rebinds its own name to this address does not.

        >>> guard = Guard("127.0.0.1")
        >>> [guard.is_here(host) for host in ("localhost:81", "127.0.0.1", "[::1]:81", "evil.invalid", "10.0.0.1")]
        [True, True, True, False, False]
        """
        name = _name(host)
        if name is None or is_loopback(name):
            return name is not None
        return not is_loopback(self.host) and (_is_address(name) or name in (self.host.lower(), own_name().lower()))

    def is_own(self, origin: str | None, site: str | None, host: str | None) -> bool:
        """Whether a request with these `Origin`, `Sec-Fetch-Site` and `Host` headers comes from no other page.

        >>> own, here = Guard("127.0.0.1").is_own, "localhost:81"
        >>> own("http://localhost:81", "same-origin", here), own("null", None, here)
        (True, False)
        """
        return site in (None, "same-origin") and origin in (None, f"http://{host}")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and reached from nowhere else.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("example.org")
    (True, True, False, False)
    """
    return host.lower() == LOCALHOST or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def own_name() -> str:
    """What this machine calls itself."""
    return socket.gethostname()


def _name(host: str | None) -> str | None:
    """The name in a `Host` header, without the port."""
    try:
        parts = urlsplit(f"//{host or ''}")
        return parts.hostname if parts.netloc == host else None
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
