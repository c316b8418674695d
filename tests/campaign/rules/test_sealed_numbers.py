"""Orders with points of the table are sealed: digests accept fractions, and 30.0 equals 30."""

from __future__ import annotations

import hashlib

from campaign.pages.entry_page import canonical_text
from campaign.services.phases import phase_payload
from engine.core.fair import orders_digest

NONCE = "ab" * 16
SHEET = {"kind": "plot", "week": 2, "hex": "0304", "number": 5}


def launch_payload(x: float, y: float) -> dict[str, object]:
    return phase_payload(
        SHEET, {"plot": {}, "launch": {"n1": [{"weapon": "salvo-rack-1", "at": [x, y]}]}}
    )


def test_fractional_point_has_an_exact_digest() -> None:
    orders = launch_payload(30.25, 76.0)
    text = (
        '{"hex":"0304","launch":{"n1":[{"at":["0x1.e400000000000p+4",76],"weapon":"salvo-rack-1"}]},"plot":{},'
        f'"schema":{orders["schema"]},"stop":5,"week":2}}'
    )
    assert canonical_text(orders) == text
    assert (
        orders_digest(orders, NONCE)
        == hashlib.sha256(text.encode() + bytes.fromhex(NONCE)).hexdigest()
    )


def test_equal_whole_numbers_have_equal_digests() -> None:
    assert launch_payload(30.0, 22.0) == launch_payload(30, 22)
    point = launch_payload(30.0, 22.5)["launch"]["n1"][0]["at"]  # type: ignore[index]
    assert [type(part) for part in point] == [int, float]
    assert orders_digest(launch_payload(30.0, 22.0), NONCE) != orders_digest(
        launch_payload(30.5, 22.0), NONCE
    )
