"""Addresses that users may let the site send to."""

from __future__ import annotations

import pytest
import requests

from campaign.services.destinations import is_public, mailbox_fault
from campaign.services.outside_http import OutsideSession


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff0e::1", False),
        ("::ffff:10.0.0.1", False),
        ("2002:0a00:0001::", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
    ],
)
def test_address_is_public_only_if_every_reading_is(text: str, public: bool) -> None:
    assert is_public(text) is public


@pytest.mark.parametrize(
    ("address", "fine"),
    [
        ("vera@example.org", True),
        ("vera@mail.example.co.uk", True),
        ("vera@[127.0.0.1]", False),
        ("vera@[IPv6:::1]", False),
        ("vera@localhost", False),
        ("vera@localhost.", False),
        ("vera@printer.local", False),
        ("vera@mail.internal", False),
        ("vera@10.0.0.25", False),
        ("vera", False),
    ],
)
def test_mail_goes_to_internet_hosts_only(address: str, fine: bool) -> None:
    assert (not mailbox_fault(address)) is fine


@pytest.mark.parametrize(
    "address", ["http://example.org/", "https://localhost/", "https://127.0.0.1/", "ftp://x.org/"]
)
def test_request_never_goes_inside_or_without_tls(address: str) -> None:
    with OutsideSession() as session, pytest.raises(requests.RequestException):
        session.post(address, timeout=1)
