"""Client addresses: only named proxies are believed, and one connection counts once."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from django.test import Client, RequestFactory

from campaign.web.addresses import client_address_of, client_key_of, set_client_address

PROXIES = tuple(ipaddress.ip_network(text) for text in ("127.0.0.1", "10.0.0.0/8", "fd00::/8"))
FORGED_HEADERS = {
    "HTTP_X_FORWARDED_FOR": "198.51.100.9",
    "HTTP_X_FORWARDED_PROTO": "https",
    "HTTP_X_REAL_IP": "198.51.100.9",
}


@pytest.mark.parametrize(
    ("peer", "chain", "asker"),
    [
        ("192.0.2.7", "198.51.100.9", "192.0.2.7"),  # not a named proxy: its header is ignored
        ("127.0.0.1", "198.51.100.9", "198.51.100.9"),
        (
            "127.0.0.1",
            "203.0.113.1, 198.51.100.9",
            "198.51.100.9",
        ),  # the client sent the first one
        ("127.0.0.1", "203.0.113.1, 198.51.100.9, 10.0.0.3", "198.51.100.9"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        ("::ffff:127.0.0.1", "198.51.100.9:50123", "198.51.100.9"),
        ("127.0.0.1", "[2001:db8::7]:443", "2001:db8::7"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.9, nonsense", "127.0.0.1"),
        ("127.0.0.1", "nonsense, 10.0.0.3", "10.0.0.3"),
        ("", "198.51.100.9", ""),
    ],
)
def test_client_address_is_that_of_the_last_untrusted_hop(
    peer: str, chain: str, asker: str
) -> None:
    meta = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": chain}
    set_client_address(meta, PROXIES)
    assert meta == {"REMOTE_ADDR": asker}


def test_claims_of_untrusted_hops_are_removed() -> None:
    meta: dict[str, Any] = {"REMOTE_ADDR": "192.0.2.7", **FORGED_HEADERS}
    set_client_address(meta, PROXIES)
    assert meta == {"REMOTE_ADDR": "192.0.2.7"}
    meta = {"REMOTE_ADDR": "127.0.0.1", **FORGED_HEADERS}
    set_client_address(meta, PROXIES)
    assert meta == {"REMOTE_ADDR": "198.51.100.9", "HTTP_X_FORWARDED_PROTO": "https"}


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("", None),
    ],
)
def test_rate_limit_key_is_an_address_or_its_ipv6_prefix(address: str, counted: str | None) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    assert client_address_of(request) == counted
    assert client_key_of(request) == (counted or "unknown")


@pytest.mark.django_db
def test_https_is_believed_of_trusted_proxies_only(client: Client, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_PROXY_SSL_HEADER = (
        True,
        ("HTTP_X_FORWARDED_PROTO", "https"),
    )
    settings.TRUSTED_PROXIES = PROXIES
    asking = {"headers": {"X-Forwarded-Proto": "https"}}
    assert client.get("/accounts/login/", REMOTE_ADDR="10.0.0.3", **asking).status_code == 200  # type: ignore[arg-type]
    for peer in ("192.0.2.7", "127.0.0.2"):
        answer = client.get("/accounts/login/", REMOTE_ADDR=peer, **asking)  # type: ignore[arg-type]
        assert (answer.status_code, answer["Location"][:8]) == (301, "https://")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Token of-nobody"}], ids=["without", "wrong token"]
)
@pytest.mark.parametrize("path", ["/api/me/", "/api/nothing/", "/api/health/"])
def test_refused_strangers_count_under_their_real_address(
    path: str, headers: dict[str, str], settings: Any
) -> None:
    settings.API_RATES = {"stranger": 3}
    answers = [
        Client(headers={**headers, "X-Forwarded-For": f"198.51.100.{n}"}).get(
            path, REMOTE_ADDR=f"2001:db8::{n}"
        )
        for n in range(4)
    ]
    assert [answer.status_code for answer in answers][-1] == 429
    assert 429 not in [answer.status_code for answer in answers][:-1]
    assert Client(headers=headers).get(path, REMOTE_ADDR="2001:db8:0:1::1").status_code != 429
