"""Every address of the site in the resolver, and the requests of a history's player there.

`REACHED` lists the routes with requests besides a GET and an empty POST; a route without an entry
fails `test_two_worlds_urls`. The parts of an address are filled with the player's own things, then
with guesses: things of others on either side, and missing ones.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from campaign.rules.public_ids import outside_id
from engine.core.canonical import digest
from tests.access.client_requests import Request
from tests.access.fights import known_fights
from tests.access.histories import SIDES, History
from tests.access.messages import message_id
from tests.access.private_rows import (
    CAMPAIGN,
    FEED,
    HIDDEN,
    ID_SECRET,
    INVITE,
    OTHER_SCENARIO,
    moth_design,
)

PART = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
NOT_THERE = str(uuid.UUID(int=7))
ANY_MATCH = (("If-Match", "*"),)
JSON_BODY: dict[str, Any] = {}


@dataclass(frozen=True)
class Route:
    """A pattern of the resolver, as text, with its name."""

    route: str
    name: str

    @property
    def parts(self) -> list[str]:
        return [match[1] or match[2] for match in PART.finditer(self.route)]

    @property
    def api(self) -> bool:
        return self.route.startswith("api/")

    def path(self, **parts: str) -> str:
        """Return the address with its parts filled in."""
        filled = PART.sub(lambda match: parts[match[1] or match[2]], self.route)
        return "/" + re.sub(r"[\^$]|\.\*", "", filled)


@dataclass(frozen=True)
class Guesses:
    """Values for an address or an order: the player's own things, and guesses at those of others."""

    history: History
    parts: dict[str, list[str]] = field(default_factory=dict)
    fleets: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()


@dataclass(frozen=True)
class RouteRequests:
    """The requests at a route besides GET and an empty POST.

    Attributes:
        status: Of the first GET, in the middle of a war.
        told_in_the_end: After the war it shows the truth to everybody.
    """

    status: int = 200
    truth_at_end: bool = False
    queries: Callable[[Guesses], Sequence[str]] = lambda _: ()
    writes: Callable[[Guesses, str], Sequence[Request]] = lambda _guesses, _path: ()


def all_routes() -> list[Route]:
    """Return every route of the resolver."""
    return list(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: Sequence[URLPattern | URLResolver], before: str) -> Iterator[Route]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield Route(before + str(pattern.pattern), pattern.name or "")
        else:
            yield from _walk(pattern.url_patterns, before + str(pattern.pattern))


def guesses_of(history: History) -> Guesses:
    """Return the player's own things and possible guesses."""
    last = history.moments[-1]
    view = last.views[0][history.viewer]
    mine, other_reports = (
        _reports(history, history.viewer),
        [x for key in history.others for x in _reports(history, key)],
    )
    battles = _battles(history, history.viewer)
    hidden = [x for key in history.others for x in _battles(history, key)] + true_battles(history)
    strangers = [
        fleet
        for side in SIDES
        for fleet in last.worlds[side].fleets
        if fleet.faction != history.viewer
    ]
    foreign = [
        ship for side in SIDES for ship in last.worlds[side].ships if ship.faction != history.viewer
    ]
    return Guesses(
        history=history,
        parts={
            "slug": [history.scenario.slug, OTHER_SCENARIO, "nowhere"],
            "report": [*mine[-2:], *other_reports[-2:], NOT_THERE, "x"],
            "battle": [*battles[-1:], *mine[-1:], *hidden[-3:], NOT_THERE],
            "fight": [*known_fights(history), NOT_THERE],
            "week": ["1", "2", "99"],
            "number": ["0", "1", "99"],
            "war": [CAMPAIGN, NOT_THERE],
            "public_id": [*battles[-1:], *hidden[-2:], NOT_THERE],
            "seq": [str(len(history.moments) - 1), "0", "99"],
            "ordinal": ["0", str(len(history.moments) - 1), "99"],
            "invite": [str(outside_id(ID_SECRET, "invite", _sha(INVITE))), NOT_THERE],
            "token": [FEED, INVITE, "wrong"],
            "drawing": [*_drawings(history), NOT_THERE, "x"],
            "design": [*ids_of("library-design", history), NOT_THERE],
            "odds": [NOT_THERE, "x"],
            "meeting": [NOT_THERE, "x"],
            "moment": [NOT_THERE, "x"],
            "scenario": [*ids_of("scenario", history), NOT_THERE],
            "tournament": [*ids_of("tournament", history), NOT_THERE],
            "section": ["war", "map", "forces", "nowhere"],
            "edition": [history.scenario.edition, "nowhere"],
            "topic": ["orders", "nowhere"],
            "form": ["json", "yaml", "ftlibship", "ftjava", "x"],
            "faction": [history.others[0], history.viewer, "nobody"],
            "key": [history.others[0], history.viewer, "nobody"],
            "ship": [
                *(ship.key for ship in view.ships[:2]),
                *(ship.key for ship in foreign[-3:]),
                "nobody/s1",
                "x",
            ],
            "verb": ["invite", "take", "leave", "computer", "resolve", "extend", "nothing"],
            "uidb36": ["1"],
        },
        fleets=(
            *(fleet.key for fleet in view.fleets[:2]),
            *(fleet.key for fleet in strangers[-3:]),
            "nobody/f1",
        ),
        ships=tuple(
            ship.key
            for ship in (*view.ships[:2], *last.worlds[0].ships[:2], *last.worlds[1].ships[:2])
        ),
        hexes=(
            *(fleet.hex for fleet in view.fleets[:1]),
            *(fleet.hex for fleet in strangers[-2:]),
            "9999",
        ),
    )


def requests_for(
    route: Route, reach: RouteRequests, guesses: Guesses, campaign: str
) -> list[Request]:
    """Return the requests at a route: own things in every pair, some of the guesses in each."""
    if reach.truth_at_end and guesses.history.moments[-1].stage == "over":
        return []
    choices = {
        part: guesses.parts.get(part, []) for part in route.parts if part not in ("c", "campaign")
    }
    requests: list[Request] = []
    fillings = list(itertools.product(*choices.values()))
    dice = random.Random(f"{guesses.history.seed} {route.route}")
    some = (
        fillings
        if "verb" in choices
        else [*fillings[:2], *dice.sample(fillings[2:], min(2, len(fillings[2:])))]
    )
    for number, filling in enumerate(some):
        path = route.path(c=campaign, campaign=campaign, **dict(zip(choices, filling, strict=True)))
        requests.append(Request("get", path))
        if number == 0 or "verb" in choices:
            requests += [Request("get", f"{path}?{query}") for query in reach.queries(guesses)]
            requests.append(Request("post", path, JSON_BODY, json=route.api))
            requests += reach.writes(guesses, path)
    return requests


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _reports(history: History, faction: str) -> list[str]:
    """Return the ids of a faction's reports on both sides, oldest first; the viewer's once."""
    ids = []
    for seq, moment in enumerate(history.moments):
        ids.append(str(outside_id(ID_SECRET, "stage report", f"1/{seq}/", faction)))
        ids += [
            str(outside_id(ID_SECRET, "battle report", f"1/{seq}/{report.subject}", faction))
            for side in (SIDES if faction != history.viewer else (0,))
            for report in moment.battles[side].get(faction, ())
        ]
    return ids


def _drawings(history: History) -> list[str]:
    """Return the ids of the viewer's design drafts, then of everybody else's."""
    return [
        str(
            outside_id(
                ID_SECRET, "class", f"{name}/{digest([name, moth_design(history, name)])}", key
            )
        )
        for key, name in [(history.viewer, "Moth"), *((key, HIDDEN) for key in history.others)]
    ]


def ids_of(kind: str, history: History) -> list[str]:
    """Return the ids of private things of the viewer, then of others: designs, scenarios."""
    owners = ("viewer", *(f"player-{key}" for key in history.others))
    return [str(outside_id(ID_SECRET, kind, owner)) for owner in owners]


def message_ids(guesses: Guesses) -> list[str]:
    """Return ids of messages: some to the viewer, some between others, and a missing one."""
    keys = [guesses.history.viewer, *guesses.history.others]
    ids = [message_id(sender, other, 0) for sender in keys for other in keys]
    return [*ids, NOT_THERE, "x"]


def _battles(history: History, faction: str) -> list[str]:
    """Return the ids by which a faction knows its battles, on both sides."""
    return [
        str(outside_id(ID_SECRET, "battle", f"1/{report.subject}", faction))
        for side in (SIDES if faction != history.viewer else (0,))
        for moment in history.moments
        for report in moment.battles[side].get(faction, ())
    ]


def true_battles(history: History) -> list[str]:
    """Return the umpire's ids of battles."""
    return [
        str(outside_id(ID_SECRET, "battle", f"1/{moment.week}/{engagement.key}"))
        for side in SIDES
        for moment in history.moments
        if moment.stage == "battles"
        for engagement in moment.worlds[side].engagements
    ]
