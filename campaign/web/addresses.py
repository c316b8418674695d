"""The client address: one place for all rate limits, metrics and logs, and for proxy headers.

Proxy headers count only on connections from a proxy in TRUSTED_PROXIES. The middleware settles this
once per request. Afterwards `REMOTE_ADDR` is the client's address, `X-Forwarded-Proto` is present
only if a trusted proxy sent it, and all other proxy headers are gone.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# Proxy headers. Only the middleware reads the first, the addresses from the client to the proxy.
CHAIN = "HTTP_X_FORWARDED_FOR"
PROTOCOL = "HTTP_X_FORWARDED_PROTO"
OTHER_HEADERS = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_BY",
    "HTTP_X_REAL_IP",
)
LONGEST_CHAIN = 20  # addresses
IPV6_PREFIX = 64  # leading bits of an IPv6 address that belong to one connection
UNKNOWN = "unknown"  # without an address, as on a Unix socket


class AddressMiddleware:
    """Outermost middleware: sets the client's address and protocol."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        set_client_address(request.META, settings.TRUSTED_PROXIES)
        return self.get_response(request)


def set_client_address(meta: dict[str, Any], proxies: tuple[Network, ...]) -> None:
    """Replace the proxy's address with the client's, and remove headers no trusted proxy sent."""
    chain = meta.pop(CHAIN, "")
    for name in OTHER_HEADERS:
        meta.pop(name, None)
    client = address_of(meta.get("REMOTE_ADDR", ""))
    if client is None:
        meta.pop(PROTOCOL, None)
        return
    if is_in_networks(client, proxies):
        client = _client_behind(client, chain, proxies)
    else:
        meta.pop(PROTOCOL, None)
    meta["REMOTE_ADDR"] = str(client)


def _client_behind(proxy: Address, chain: str, proxies: tuple[Network, ...]) -> Address:
    """Return the client of a trusted proxy: the last address of the chain that is no such proxy.

    If the chain has an invalid address, the one after it counts as the client.
    """
    client = proxy
    for hop in reversed(chain.split(",")[-LONGEST_CHAIN:]):
        address = address_of(hop)
        if address is None:
            break
        client = address
        if not is_in_networks(client, proxies):
            break
    return client


def client_key_of(request: HttpRequest) -> str:
    """Return the rate-limit key of the client: an IPv4 address, or the first one of an IPv6 /64."""
    return rate_limit_key(request.META.get("REMOTE_ADDR", "")) or UNKNOWN


def client_address_of(request: HttpRequest) -> str | None:
    """Return the same key, or None without an address."""
    return rate_limit_key(request.META.get("REMOTE_ADDR", ""))


def rate_limit_key(text: str) -> str | None:
    """Return the address that represents a whole connection, or None for an invalid address."""
    address = address_of(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), IPV6_PREFIX), strict=False).network_address)
    if address is None:
        return None
    return str(address)


def address_of(text: str) -> Address | None:
    """Parse an address as servers and proxies write it, with or without a port; None if invalid."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or ipaddress.IPv6Address(int(address))  # drops the zone
    return address


def is_in_networks(address: Address, networks: tuple[Network, ...]) -> bool:
    """Return whether an address is in one of the networks."""
    return any(address in network for network in networks)
