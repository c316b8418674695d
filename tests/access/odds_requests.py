"""What a player asks of the odds of meetings, by page and API."""

from __future__ import annotations

from collections.abc import Sequence

from tests.access.client_requests import Request
from tests.access.shared_results import BATTLES
from tests.access.site_routes import Guesses


def odds_queries(guesses: Guesses) -> Sequence[str]:
    """Odds of meetings with all others, where the player's fleets are, where others are hidden, and
    nowhere.
    """
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
    """The same to the API: with fleets of one's own, of others and of nobody, and with none."""
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
