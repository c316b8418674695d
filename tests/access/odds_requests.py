"""Requests of a player about the odds of meetings, by page and API."""

from __future__ import annotations

from collections.abc import Sequence

from tests.access.client_requests import Request
from tests.access.shared_results import BATTLES
from tests.access.site_routes import Guesses


def odds_queries(guesses: Guesses) -> Sequence[str]:
    """Return odds of meetings with all others, at the player's fleets, at hidden ones, and nowhere."""
    sides = [*guesses.history.others, guesses.history.viewer, "nobody"]
    queries = [
        f"hex={label}&toward={key}&fleet={guesses.fleets[0]}"
        for label in guesses.hexes
        for key in sides
    ]
    return [
        *queries[:8],
        f"hex={guesses.hexes[0]}&toward={sides[0]}&decoys=many&captain=end",
        "hex=x&stop=1",
    ]


def meeting_requests(guesses: Guesses, path: str) -> Sequence[Request]:
    """Return the same for the API: with own, foreign, missing and no fleets."""
    sides = [*guesses.history.others, guesses.history.viewer, "nobody"]
    questions = [
        {"hex": label, "toward": key, "fleets": fleets, "battles": BATTLES}
        for label in guesses.hexes
        for key in sides
        for fleets in ([guesses.fleets[0]], [])
    ]
    worse = [
        {"hex": guesses.hexes[0], "toward": sides[0], "fleets": list(guesses.fleets[-2:])},
        {"hex": "x"},
    ]
    return [Request("post", path, question, True) for question in (*questions[:12], *worse)]
