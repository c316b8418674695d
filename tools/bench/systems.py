"""Measure how well captains use each system: a fleet that uses it against the same one that never
does.

`python -m tools.bench.systems [--battles N] [NAME ...]` fights 200 battles for each entry,
mirrored: each pair of fleets and dice once from either end.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import Any

from engine.battle import fight, start
from engine.captains.common.doctrine import Doctrine
from engine.core.dice import Dice
from tools.bench.continuum_systems import ENTRIES as CONTINUUM
from tools.bench.craft import ENTRIES as CRAFT
from tools.bench.entries import Entry, System, system
from tools.bench.ordnance import ENTRIES as ORDNANCE

BATTLES = 200
TABLE = (96, 72)
ARCS = ["P", "F", "S"]


@dataclass(frozen=True)
class Score:
    """Battles won by the side that uses the system, and by the other; and its share of points left."""

    wins: int
    losses: int
    share: float


def warship(cls: str, mass: int, thrust: int, *systems: System) -> dict[str, Any]:
    """Return the design of a warship with an FTL drive."""
    return {
        "class": cls,
        "edition": "second-edition",
        "kind": "warship",
        "mass": mass,
        "thrust": thrust,
        "ftl": "standard",
        "systems": list(systems),
    }


def battery(letter: str, count: int = 1) -> System:
    return {"type": "battery", "battery": letter, "arcs": ARCS, "count": count}


TORPEDO_CRUISER = warship(
    "Torpedo Cruiser", 36, 4, system("pulse-torpedo", 2), battery("B", 2), system("screen")
)
MISSILE_DESTROYER = warship(
    "Missile Destroyer", 14, 6, system("pulse-torpedo"), battery("C"), system("pdaf")
)
NEEDLE_CRUISER = warship(
    "Needle Cruiser", 36, 6, system("needle", 5), battery("B", 2), system("screen")
)
MISSILE_BOAT = warship("Missile Boat", 12, 8, system("submunition", 4), battery("C", 2))
NOVA_MONITOR = warship(
    "Nova Monitor", 90, 1, system("nova-cannon"), battery("B", 8), system("screen")
)

MINELAYER = warship("Minelayer", 36, 6, system("minelayer", 4), battery("B", 2), system("pdaf", 2))
RAIDER = warship("Raider", 36, 6, battery("A", 2), battery("B", 4), system("screen"))
Q_SHIP = warship("Q Ship", 60, 4, battery("B", 6), battery("A", 4), system("screen")) | {
    "kind": "q-ship"
}

CARRIER = warship(
    "Light Carrier",
    70,
    2,
    battery("C", 2),
    system("pdaf", 3),
    system("screen", 2),
    system("fighter-bay", 4),
)
BATTLE_CARRIER = warship(
    "Battle Carrier",
    60,
    4,
    system("fighter-bay", 2),
    battery("A", 2),
    battery("B", 2),
    system("screen", 2),
)
GUN_CRUISER = warship("Gun Cruiser", 32, 4, battery("A"), battery("B", 4))
FLAK_CRUISER = warship("Flak Cruiser", 36, 4, system("adaf", 5), system("screen"))
HEAVY_CRUISER = warship(
    "Heavy Cruiser", 32, 4, battery("A"), battery("B", 3), system("screen"), system("pdaf", 2)
)
LIGHT_CRUISER = warship(
    "Light Cruiser", 22, 6, battery("B", 3), system("screen"), system("pdaf", 2)
)
DESTROYER = warship("Destroyer", 14, 6, battery("B", 2), battery("C"), system("pdaf", 2))
FRIGATE = warship("Frigate", 10, 6, battery("B"), battery("C"), system("pdaf", 2))

ENTRIES: dict[str, Entry] = {
    "fighters": Entry(
        ("fighter-bay",), (CARRIER, HEAVY_CRUISER, LIGHT_CRUISER, DESTROYER, FRIGATE)
    ),
    "area-defence": Entry(
        ("adaf",), (GUN_CRUISER, BATTLE_CARRIER, FLAK_CRUISER, BATTLE_CARRIER, GUN_CRUISER)
    ),
    "pulse-torpedoes": Entry(
        ("pulse-torpedo",), (TORPEDO_CRUISER, TORPEDO_CRUISER, *[MISSILE_DESTROYER] * 3)
    ),
    "needle-beams": Entry(("needle",), (NEEDLE_CRUISER,) * 3),
    "submunitions": Entry(("submunition",), (MISSILE_BOAT,) * 5),
    "mines": Entry(("minelayer",), (MINELAYER,) * 3),
    "q-ships": Entry((), (RAIDER, Q_SHIP, Q_SHIP, RAIDER), without={"cover": None}),
    "nova-cannon": Entry(("nova-cannon",), (NOVA_MONITOR,) * 3),
    **CONTINUUM,
    **CRAFT,
    **ORDNANCE,
}


def battle_file(entry: Entry, user: str = "") -> dict[str, Any]:
    """Return two equal fleets abreast at both ends of the table, the second turned by 180°.

    Args:
        user: The side that uses the system.
    """
    width, height = TABLE
    first = (height - entry.gap * (len(entry.fleet) - 1)) / 2

    def ships(prefix: str, x: float, course: int, *, upwards: bool) -> list[dict[str, Any]]:
        rows = [first + entry.gap * n for n in range(len(entry.fleet))]
        return [
            {
                "id": f"{prefix}{n}",
                "design": design,
                "at": [x, y],
                "course": course,
                "velocity": entry.velocity,
            }
            | (entry.without if user and not user.startswith(prefix) else {})
            for n, (design, y) in enumerate(
                zip(entry.fleet, rows if upwards else rows[::-1], strict=True), 1
            )
        ]

    return {
        "edition": entry.edition,
        "table": list(TABLE),
        "sides": [
            {"name": "red", "ships": ships("r", 12, 3, upwards=True)},
            {"name": "blue", "ships": ships("b", width - 12, 9, upwards=False)},
        ],
        **entry.extra,
    }


def fight_mirrored(entry: Entry, battles: int) -> Score:
    """Fight so many battles; in half of them each side is the one that uses the system."""
    battle_for = {user: start(battle_file(entry, user)) for user in ("red", "blue")}
    doctrines = Doctrine(), Doctrine(never=entry.never)
    wins = losses = 0
    kept_share = 0.0
    for number in range(battles):
        user = ("red", "blue")[number % 2]
        doctrine_of = dict(
            zip(("red", "blue"), doctrines if user == "red" else doctrines[::-1], strict=True)
        )
        ended = fight(
            battle_for[user],
            doctrine_of,
            Dice(f"bench-{number // 2}"),
            f"bench-{number // 2}",
            log=False,
        )
        wins += ended.winner == user
        losses += ended.winner not in (user, None)
        points_left = [0.0, 0.0]
        for ship in ended.state.ships:
            if ship.status != "destroyed":
                points_left[ship.owner] += ship.sheet.points * (1 - ship.damage / ship.sheet.boxes)
        user_points, other_points = points_left if user == "red" else points_left[::-1]
        kept_share += (
            user_points / (user_points + other_points) if user_points + other_points else 0.5
        )
    return Score(wins, losses, kept_share / battles)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--battles", type=int, default=BATTLES, help=f"of each entry (default {BATTLES})"
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args(arguments)
    names: list[str] = args.names
    if unknown := [name for name in names if name not in ENTRIES]:
        print(f"no entry {', '.join(unknown)}; there are {', '.join(ENTRIES)}", file=sys.stderr)
        return 2
    for name in names or ENTRIES:
        score = fight_mirrored(ENTRIES[name], args.battles)
        score_text = f"{score.wins} won, {score.losses} lost of {args.battles}"
        print(f"{name}: {score_text}; it keeps {score.share:.0%} of what is left", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
