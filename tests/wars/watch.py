"""What players find out about a war by their own papers alone: stores used up and filled up,
prizes, foreign names.

A player's papers are his views in order and his battles, as the API or a page of data gave them to
him.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# How fleets of a watched player are called: `NAMED faction number`, so that a leak is found
NAMED = "Ensign of "
CRAFT = ("hangar", "fighter-rack", "gunboat-rack", "fighter-bay")
FULL = 1_000  # what is not below full
GOES_ON = ("fighting", "left", "ftl")  # ships that come out of a battle as their owner's


@dataclass
class Papers:
    """Of one faction.

    `foreign`: names and keys of others that stood in an answer, with the address that gave them.
    """

    faction: str
    views: list[Any] = field(default_factory=list)
    battles: list[Any] = field(default_factory=list)
    foreign: Counter[tuple[str, str]] = field(default_factory=Counter)

    def read(self, address: str, text: str, others: Sequence[str]) -> None:
        """Look for others' ships, fleets and names in an answer."""
        if not others:
            return
        one_of = "|".join(map(re.escape, others))
        for name in re.findall(rf"\b(?:{one_of})/[sfd]\d+|{NAMED}(?:{one_of}) \d+", text):
            self.foreign[name, re.sub(r"[0-9a-f]{8}-?[0-9a-f-]{8,}|\d+", "N", address)] += 1


@dataclass
class Seen:
    """What was found in a war.

    `told`: how often each thing was seen; `faults`: what should not be.
    """

    told: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def found(papers: Sequence[Papers]) -> Seen:
    """All that the papers of a war's players show."""
    seen = Seen()
    for own in papers:
        stores(own, seen)
        refilled(own, seen)
        prizes(own, papers, seen)
        seen.faults += [
            f"{own.faction} read {name} at {address}" for name, address in sorted(own.foreign)
        ]
    keys = Counter(ship["key"] for own in papers for ship in own.views[-1]["ships"])
    seen.faults += [f"{key} has {count} owners" for key, count in keys.items() if count > 1]
    return seen


def stores(own: Papers, seen: Seen) -> None:
    """What a battle used up is missing in the next week.

    A ship that fought was not at dock: nobody filled it up.

    The last stop shows a ship before what came of it: of stores there may be fewer since, of craft,
    which come home, more.
    """
    for (week, key), after in _last_of_battles(own).items():
        now = next((view for view in own.views if view["week"] > week or view["result"]), None)
        ship = None if now is None else _by_key(now).get(key)
        if ship is None:
            continue
        left, then = dict(map(tuple, ship["stock"])), after.get("stock", {})
        for name in sorted({*left, *then}):
            kind = name.partition("/")[0].rpartition("-")[0]
            fewer, more = left.get(name, FULL), then.get(name, FULL)
            if (fewer < more) if kind in CRAFT else (fewer > more):
                seen.faults.append(f"week {week}: {key} came out with {then}, and has {left}")
            seen.told[f"used up: {kind}"] += name in left


def _last_of_battles(own: Papers) -> dict[tuple[int, str], Any]:
    """Each of one's own ships as it came out of its last battle of a week, where it is one's own
    still.
    """
    after: dict[tuple[int, str], Any] = {}
    for battle in sorted(own.battles, key=lambda one: (one["week"], one["seq"])):
        for stop in battle["stops"]:
            for key, ship in stop["own"].items():
                after[battle["week"], key] = ship
    return {place: ship for place, ship in after.items() if ship["status"] in GOES_ON}


def refilled(own: Papers, seen: Seen) -> None:
    """A ship that its base is said to have filled up has all its stores, but for craft, which not
    every base has, and for what its lost systems held.
    """
    for view in own.views:
        for notice in view["notices"]:
            facts: Mapping[str, Any] = dict(map(tuple, notice["facts"]))
            ship = next((one for one in view["ships"] if one["name"] == facts.get("ship")), None)
            if notice["code"] != "replenished" or ship is None:
                continue
            holders = {name.partition("/")[0] for name, _ in ship["stock"]} - set(ship["lost"])
            short = sorted(name for name in holders if name.rpartition("-")[0] not in CRAFT)
            seen.told["filled up at a base"] += 1
            if short:
                seen.faults.append(
                    f"week {notice['week']}: {ship['key']} was filled up and is short of {short}"
                )


def prizes(own: Papers, papers: Sequence[Papers], seen: Seen) -> None:
    """Who is told of a prize has it, laid up, under a name of his own; its old owner has lost one
    of that class.
    """
    for view in own.views:
        for notice in view["notices"]:
            facts: Mapping[str, Any] = dict(map(tuple, notice["facts"]))
            if notice["code"] not in ("prize", "taken-at-dock") or not facts.get("ship"):
                continue
            ship = next((one for one in view["ships"] if one["name"] == facts["ship"]), None)
            if ship is None or not ship["laid_up"]:
                seen.faults.append(
                    f"week {notice['week']}: {own.faction} does not have its prize {facts['ship']}"
                )
                continue
            seen.told["prizes"] += 1
            later = [
                _by_key(one).get(ship["key"]) for one in own.views if one["week"] > view["week"]
            ]
            seen.told["prizes at work"] += any(
                one is not None and not one["laid_up"] for one in later
            )
            for other in papers:
                if other.faction == facts.get("owner"):
                    lost = {(one["week"], one["hex"]) for one in other.views[-1]["losses"]}
                    if (notice["week"], notice["hex"]) not in lost:
                        seen.faults.append(
                            f"week {notice['week']}: {other.faction} has not lost {facts['ship']}"
                        )


def _by_key(view: Any) -> dict[str, Any]:
    return {ship["key"]: ship for ship in view["ships"]}
