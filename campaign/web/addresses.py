"""The address of who asks: one home for every limit, measure and log, and for what proxies say of
it.

A proxy's headers count only where the connection comes from a proxy that TRUSTED_PROXIES names. The
middleware settles that once for a request: afterwards `REMOTE_ADDR` is the address of who asks,
`X-Forwarded-Proto` is there only where a named proxy sent it, and there is no other header of a
proxy to be believed by anybody.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
# what proxies say of a request; nobody but the middleware reads the first
CHAIN, PROTOCOL = "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO"
OTHER_HEADERS = (
    "HTTP_FORWARDED",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "HTTP_X_FORWARDED_BY",
    "HTTP_X_REAL_IP",
)
LONGEST_CHAIN = 20  # addresses
IPV6_PREFIX = 64  # leading bits of an IPv6 address that one connection has
UNKNOWN = "unknown"  # where there is no address, as on a socket of the file system


class AddressMiddleware:
    """Outermost: settles who asks, and by which protocol."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        set_client_address(request.META, settings.TRUSTED_PROXIES)
        return self.get_response(request)


def set_client_address(meta: dict[str, Any], proxies: tuple[Network, ...]) -> None:
    """Put the address of who asks in place of the proxy's, and take out what no named proxy has
    said.
    """
    chain = meta.pop(CHAIN, "")
    for name in OTHER_HEADERS:
        meta.pop(name, None)
    client = address_of(meta.get("REMOTE_ADDR", ""))
    if client is None or not is_in_networks(client, proxies):
        meta.pop(PROTOCOL, None)
    else:
        for hop in reversed(chain.split(",")[-LONGEST_CHAIN:]):
            before = address_of(hop)
            if before is None:
                break
            client = before
            if not is_in_networks(client, proxies):
                break
    if client is not None:
        meta["REMOTE_ADDR"] = str(client)


def client_key_of(request: HttpRequest) -> str:
    """Under which address who asks is counted: an IPv4 address, or the /64 of an IPv6 address as
    its first address.
    """
    return rate_limit_key(request.META.get("REMOTE_ADDR", "")) or UNKNOWN


def client_address_of(request: HttpRequest) -> str | None:
    """The same where only an address will do; None where there is none."""
    return rate_limit_key(request.META.get("REMOTE_ADDR", ""))


def rate_limit_key(text: str) -> str | None:
    """The address that stands for all that one connection has; None for what is no address."""
    address = address_of(text)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), IPV6_PREFIX), strict=False).network_address)
    return None if address is None else str(address)


def address_of(text: str) -> Address | None:
    """An address as servers and proxies write it, with or without a port; None for what is none."""
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
        return address.ipv4_mapped or ipaddress.IPv6Address(int(address))  # without a zone
    return address


def is_in_networks(address: Address, networks: tuple[Network, ...]) -> bool:
    """Whether an address is in one of the networks."""
    return any(address in network for network in networks)
