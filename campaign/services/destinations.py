"""Addresses that people give the site to send to: which ones it accepts.

    push_address(endpoint) -> str or None      a browser's push endpoint, rebuilt from what was checked
    channel_of(url, asset) -> Any or None      a channel for messages, as apprise reads it
    mailbox_fault(address) -> str              what is wrong with an e-mail address; empty: nothing
    is_public(text) -> bool                    whether an IP address can be reached from everywhere

Each address is read by the parser of the library that sends to it, so that both see the same host.
It is checked when it is given and again before each message, because rules, settings and name
servers change in between; `outside_http` connects. Addresses in the operator's settings are not
checked here.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from django.conf import settings

from engine.core.phrase import phrase

LONGEST_ENDPOINT = 600  # characters
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
# Services of apprise with servers at fixed public addresses.
CHANNELS = {
    "discord": "Discord",
    "slack": "Slack",
    "tgram": "Telegram",
    "pover": "Pushover",
    "pbul": "Pushbullet",
}
NTFY, NTFY_CLOUD = "ntfys", "cloud"
# Names that never belong to a public host (RFC 6761, 6762, 8375, ICANN's `.internal`, and usual
# ones at home).
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
    """Return where messages for a browser go, or None where they may not go.

    The host must belong to a service of PUSH_SERVICES. An entry with a scheme, such as
    `https://push.example.lan:8443`, allows exactly that origin, wherever it is.
    """
    from urllib3.exceptions import LocationParseError
    from urllib3.util import parse_url  # the parser that `requests` uses

    if len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable():
        return None
    if " " in endpoint or "\\" in endpoint:
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
    if parts.scheme != "https" or parts.port not in (None, 443) or not HOST.fullmatch(host):
        return None
    if any(host == name or host.endswith(f".{name}") for name in settings.PUSH_SERVICES):
        return f"https://{host}{parts.request_uri}"
    return None


def channel_of(url: str, asset: Any = None) -> Any | None:
    """Return apprise's object for a channel's address, or None where messages may not go there.

    Options after a question mark are refused: they could read files or turn off certificates. So
    are backslashes, which parsers read differently.
    """
    from apprise import Apprise  # here, and not with every start of the site

    if "?" in url or "\\" in url:
        return None
    channel = Apprise.instantiate(url, asset=asset)
    schema = str(getattr(channel, "secure_protocol", ""))
    is_ntfy_cloud = schema == NTFY and getattr(channel, "mode", "") == NTFY_CLOUD
    return channel if schema in CHANNELS or is_ntfy_cloud else None


def mailbox_fault(address: str) -> str:
    """Return what is wrong with the host of an e-mail address, or an empty text."""
    host = address.rpartition("@")[2].lower().rstrip(".")
    is_inside = any(host == name or host.endswith(f".{name}") for name in INSIDE_NAMES)
    last_label = host.rpartition(".")[2]
    if is_inside or "." not in host or host.startswith("[") or last_label.isdigit():
        return phrase("Enter an address on the internet, such as name@example.org.")
    return ""


def is_public(text: str) -> bool:
    """Return whether an IP address can be reached from everywhere, and so can an IPv4 address
    inside it.
    """
    address: Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        embedded = address.ipv4_mapped or address.sixtofour
        if address in NAT64:
            embedded = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if embedded is not None:
            return is_public(str(embedded))
    return address.is_global and not address.is_multicast
