"""HTTP requests to hosts that users name: only to public addresses, without redirects.

The connection resolves the host's name, checks each address and connects to one that it checked. A
name server that answers differently the second time therefore gains nothing.
"""

from __future__ import annotations

import socket
from typing import Any

from django.conf import settings
from requests import Session
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

from campaign.services.destinations import is_public


class InsideAddress(OSError):
    """A host's name resolves to an address that is not public."""


class PublicConnection(HTTPSConnection):
    """A TLS connection to a host at a public address."""

    def _new_conn(self) -> socket.socket:
        """Connect to the host, as urllib3 asks for each new connection."""
        try:
            return connect_outside(self.host, self.port, self.timeout)
        except OSError as error:
            raise NewConnectionError(self, f"cannot connect: {error}") from error


class PublicPool(HTTPSConnectionPool):
    """Connections to one public host."""

    ConnectionCls = PublicConnection


class PublicAdapter(HTTPAdapter):
    """An adapter for `requests` that uses public connections."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Let the adapter's pools use `PublicConnection`; for https only."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"https": PublicPool}


class OutsideSession(Session):
    """A session for hosts that users name.

    It ignores proxies of the environment. Origins that PUSH_SERVICES lists with their scheme are
    the operator's choice, and may be in any network.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        self.adapters.clear()
        self.mount("https://", PublicAdapter())
        for service in settings.PUSH_SERVICES:
            if "://" in service:
                self.mount(f"{service}/", HTTPAdapter())

    def resolve_redirects(self, *_: Any, **__: Any) -> Any:
        """Follow no redirect."""
        return iter(())


def connect_outside(host: str, port: int, timeout: Any) -> socket.socket:
    """Connect to the first of a host's addresses that answers.

    Raises:
        InsideAddress: One of the addresses is not public.
        OSError: The name is unknown, or no address answers.
    """
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(socket_address[0]) for *_, socket_address in infos]
    if not all(is_public(address) for address in addresses):
        raise InsideAddress(f"{host} is not a public host")
    last_error = OSError(f"{host} has no address")
    for address in addresses:
        try:
            return socket.create_connection((address, port), timeout)
        except OSError as error:
            last_error = error
    raise last_error
