"""Compare the formations of the set-up with the usual ranks in mirrored battles of both editions.

`python -m tools.bench.formations [--battles N] [FORMATION ...]` prints how many battles the side in
each formation won and lost against the same fleet in the ranks in which fleets of wars begin: side
by side, in the order of their contact codes. `chosen` is the formation that captains choose for the
composition of the fleet.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import Any

from campaign.rules.starting_positions import place_ships
from engine.battle import fight, start
from engine.captains.common.doctrine import FORMATIONS, Doctrine
from engine.captains.line_up import choose_formation
from engine.core.dice import Dice
from engine.core.edition import Edition
from engine.notation.files import classes_for

BATTLES = 400  # of each fleet and formation
TABLE = (72, 48)
CHOSEN = "chosen"
EDGES = {"red": "left", "blue": "right"}
FLEETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "second-edition": (
        Edition.SECOND_EDITION,
        (
            *("Battleship", "Heavy Cruiser", "Heavy Cruiser", "Light Cruiser"),
            *("Destroyer", "Destroyer", "Frigate", "Frigate"),
        ),
    ),
    "second-edition-carriers": (
        Edition.SECOND_EDITION,
        ("Light Carrier", "Light Carrier", "Light Cruiser", "Destroyer", "Destroyer", "Frigate"),
    ),
    "continuum": (
        Edition.CONTINUUM,
        (
            *("Altai Battleship", "Baikal Heavy Cruiser", "Baikal Heavy Cruiser"),
            *("Ladoga Light Cruiser", "Groza Destroyer", "Groza Destroyer"),
            *("Burya Frigate", "Burya Frigate"),
        ),
    ),
    "continuum-carriers": (
        Edition.CONTINUUM,
        (
            *("Zarya Fleet Carrier", "Aerie Light Carrier", "Baikal Heavy Cruiser"),
            *("Groza Destroyer", "Groza Destroyer", "Burya Frigate"),
        ),
    ),
}


def battle_file(fleet: str, formations: dict[str, str], depth: int, number: int) -> dict[str, Any]:
    """Return two equal fleets that set up at the ends of the table.

    Args:
        formations: The formation of each side; "": the usual ranks.
        number: Decides the contact codes, and so the order of ships in ranks.
    """
    edition, classes = FLEETS[fleet]
    order = Random(number).sample(range(len(classes)), len(classes))
    _, places = place_ships(TABLE, [[len(classes)], [len(classes)]])
    sides = []
    for name, (start_places,) in zip(EDGES, places, strict=True):
        ships = []
        for place, index in zip(start_places, order, strict=True):
            ship: dict[str, Any] = {"id": f"{name[0]}{index}", "class": classes[index]}
            if not formations[name]:
                ship |= {"at": list(place.at), "course": place.course}
            ships.append(ship)
        doctrine = {"formation": formations[name]} if formations[name] else {}
        sides.append({"name": name, "ships": ships, "doctrine": doctrine})
    zones = {name: {"edge": edge, "deep": depth} for name, edge in EDGES.items()}
    return {"edition": edition, "table": TABLE, "deployment": {"zones": zones}, "sides": sides}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--battles", type=int, default=BATTLES)
    parser.add_argument("--depth", type=int, default=6, help="of the zones in MU (default 6)")
    parser.add_argument("names", nargs="*", metavar="FORMATION", default=[CHOSEN])
    args = parser.parse_args(arguments)
    names: list[str] = args.names
    if unknown := [name for name in names if name not in (CHOSEN, *FORMATIONS)]:
        print(f"no formation {', '.join(unknown)}", file=sys.stderr)
        return 2
    for fleet in FLEETS:
        for name in names:
            score = compare(fleet, name, args.battles, args.depth)
            print(f"{fleet}, {name}: {score}", flush=True)
    return 0


def compare(fleet: str, formation: str, battles: int, depth: int) -> str:
    """Fight battles of a formation against ranks, from either end in turn, and return the score."""
    if formation == CHOSEN:
        document = battle_file(fleet, dict.fromkeys(EDGES, ""), depth, 0)
        ships = start(document, classes_for(document)).state.ships
        formation = choose_formation(ships[: len(FLEETS[fleet][1])])
    wins = losses = 0
    doctrines = {"red": Doctrine(), "blue": Doctrine()}
    for number in range(battles):
        user = ("red", "blue")[number % 2]
        formations = {name: formation if name == user else "" for name in EDGES}
        document = battle_file(fleet, formations, depth, number // 2)
        battle = start(document, classes_for(document))
        seed = f"formation-{number // 2}"
        winner = fight(battle, doctrines, Dice(seed), seed, log=False).winner
        wins += winner == user
        losses += winner not in (user, None)
    return f"{formation or 'the usual ranks'} won {wins}, lost {losses} of {battles}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
