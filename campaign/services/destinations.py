"""Check the addresses that users give the site for messages.

Each address is parsed by the library that sends to it, so that both see the same host. It is
checked when it is entered and again before each message, because rules, settings and name servers
change in between; `outside_http` makes the connection. Addresses in the operator's settings are not
checked here.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Any

from django.conf import settings

from engine.core.phrase import phrase

LONGEST_ENDPOINT = 600  # characters
HTTPS_PORT = 443
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
# Apprise services with servers at fixed public addresses.
CHANNELS = {
    "discord": "Discord",
    "slack": "Slack",
    "tgram": "Telegram",
    "pover": "Pushover",
    "pbul": "Pushbullet",
}
NTFY, NTFY_CLOUD = "ntfys", "cloud"
# Names that never belong to a public host (RFC 6761, 6762, 8375, ICANN's `.internal`, and names
# common in home networks).
INSIDE_NAMES = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "home.arpa",
)
NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def push_address(endpoint: str) -> str | None:
    """Return the checked address for push messages to a browser, or None if it is not allowed.

    The host must belong to a service in PUSH_SERVICES. An entry with a scheme, such as
    `https://push.example.lan:8443`, allows exactly that origin, in any network.
    """
    from urllib3.exceptions import LocationParseError
    from urllib3.util import parse_url  # the parser that `requests` uses

    if not _has_plain_characters(endpoint):
        return None
    try:
        parts = parse_url(endpoint)
    except LocationParseError:
        return None
    if parts.auth is not None:
        return None
    origin = f"{parts.scheme}://{parts.netloc}"
    if origin in settings.PUSH_SERVICES:
        return f"{origin}{parts.request_uri}"
    host = parts.host or ""
    is_plain_https = parts.scheme == "https" and parts.port in (None, HTTPS_PORT)
    if is_plain_https and HOST.fullmatch(host) and _is_in_domain(host, settings.PUSH_SERVICES):
        return f"https://{host}{parts.request_uri}"
    return None


def _has_plain_characters(endpoint: str) -> bool:
    """Return whether an address is short and has no character that parsers treat differently."""
    if len(endpoint) > LONGEST_ENDPOINT:
        return False
    if not endpoint.isascii() or not endpoint.isprintable():
        return False
    return " " not in endpoint and "\\" not in endpoint


def _is_in_domain(host: str, domains: Iterable[str]) -> bool:
    """Return whether a host is one of these domains or below one."""
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def channel_of(url: str, asset: Any = None) -> Any | None:
    """Return apprise's object for a channel's address, or None if messages may not go there.

    Options after a question mark are refused: they could read files or turn off certificates. So
    are backslashes, which parsers treat differently.
    """
    from apprise import Apprise  # imported here, so that the site starts without it

    if "?" in url or "\\" in url:
        return None
    channel = Apprise.instantiate(url, asset=asset)
    schema = str(getattr(channel, "secure_protocol", ""))
    is_ntfy_cloud = schema == NTFY and getattr(channel, "mode", "") == NTFY_CLOUD
    if schema in CHANNELS or is_ntfy_cloud:
        return channel
    return None


def mailbox_fault(address: str) -> str:
    """Return what is wrong with the host of an e-mail address, or an empty text."""
    host = address.rpartition("@")[2].lower().rstrip(".")
    last_label = host.rpartition(".")[2]
    is_ip_address = host.startswith("[") or last_label.isdigit()
    if is_ip_address or "." not in host or _is_in_domain(host, INSIDE_NAMES):
        return phrase("Enter an e-mail address with a public domain, such as name@example.org.")
    return ""


def is_public(text: str) -> bool:
    """Return whether an IP address, and any IPv4 address inside it, is publicly reachable."""
    address: Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        embedded = address.ipv4_mapped or address.sixtofour
        if address in NAT64:
            embedded = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if embedded is not None:
            return is_public(str(embedded))
    return address.is_global and not address.is_multicast
