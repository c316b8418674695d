"""What a player asks of the odds of meetings, by page and API."""

from __future__ import annotations

from collections.abc import Sequence

from tests.access.asking import Ask
from tests.access.pure import BATTLES
from tests.access.reach import Guesses


def odds_queries(known: Guesses) -> Sequence[str]:
    """Odds of meetings with all others, where the player's fleets are, where others are hidden, and
    nowhere.
    """
    sides = [*known.history.others, known.history.viewer, "nobody"]
    sent = [
        f"hex={label}&toward={key}&fleet={known.fleets[0]}"
        for label in known.hexes
        for key in sides
    ]
    return [
        *sent[:8],
        f"hex={known.hexes[0]}&toward={sides[0]}&decoys=many&captain=end",
        "hex=x&stop=1",
    ]


def meeting_asks(known: Guesses, path: str) -> Sequence[Ask]:
    """The same to the API: with fleets of one's own, of others and of nobody, and with none."""
    sides = [*known.history.others, known.history.viewer, "nobody"]
    asked = [
        {"hex": label, "toward": key, "fleets": fleets, "battles": BATTLES}
        for label in known.hexes
        for key in sides
        for fleets in ([known.fleets[0]], [])
    ]
    worse = [
        {"hex": known.hexes[0], "toward": sides[0], "fleets": list(known.fleets[-2:])},
        {"hex": "x"},
    ]
    return [Ask("post", path, one, True) for one in (*asked[:12], *worse)]
