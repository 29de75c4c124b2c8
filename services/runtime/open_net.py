"""Out to strangers by HTTP, and never into our own network.

Every connection is made to an address that was looked at: a name that leads to a private, loopback or link-local one is refused
at the socket, so that no answer of a name server can change it between look and use.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterable
from email.utils import parsedate_to_datetime
from typing import Any, Final

import httpcore2
import httpx2

from services.core.errors import WritethruError

LONGEST_RETRY: Final = 86_400.0
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")


class Refused(WritethruError):
    """It will not be asked, now or later: where it leads, what it is, or how large."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the open Internet, whatever it is wrapped in."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast


def transport(*, allow_private: bool) -> httpx2.HTTPTransport:
    """How a client connects: certificates verified, no proxy of the environment, and public addresses only unless allowed."""
    made = httpx2.HTTPTransport(trust_env=False)
    if not allow_private:
        context = httpx2.create_ssl_context(trust_env=False)
        # httpx2 has no public way to say how to connect; test_fetch holds that the guard is really asked
        made._pool = httpcore2.ConnectionPool(  # noqa: SLF001
            ssl_context=context, network_backend=_Guarded(), max_connections=100, max_keepalive_connections=20
        )
    return made


class _Guarded(httpcore2.SyncBackend):
    """Connects to the addresses that it has looked at. Raises Refused for one that is not public."""

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:  # fmt: skip
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError(f"{host} has no address: {error}") from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        for address in addresses:
            if not is_public(address):
                raise Refused(f"{host} leads to {address}, which is not public; `allow_private: true` allows it")
        for last, address in enumerate(addresses, 1 - len(addresses)):
            try:
                return super().connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                if last == 0:
                    raise
        raise httpcore2.ConnectError(f"{host} has no address")


def retry_after(text: str | None) -> float:
    """Seconds of a Retry-After, which may be a date; 0 where there is none that makes sense, a day at most."""
    if not text:
        return 0.0
    if text.strip().isascii() and text.strip().isdigit():
        return min(float(text.strip()[:9]), LONGEST_RETRY)
    try:
        wanted = parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError, IndexError):
        return 0.0
    return min(max(0.0, wanted), LONGEST_RETRY)
