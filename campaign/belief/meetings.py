"""Battle files of meetings that a faction may imagine: its own ships as they are, against a force
that may be there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from campaign.belief.forces import KEY, Belief, BelievedForce, Decoys
from campaign.rules.battle_entries import battle_options, drone_entry, ship_entry
from campaign.rules.queries import can_jump, ships_by_fleet
from campaign.rules.starting_positions import place_ships
from campaign.rules.system_terrain import terrain_on
from campaign.rules.table_gates import gates_on
from campaign.rules.view import Doctrine, Ship
from engine.core.dice import Dice
from engine.core.edition import Edition
from engine.core.terms import KNOWN_CONTACTS
from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument, ShipEntry

Aim = Literal["nearest", "weakest", "strongest", "dangerous"]

TO_THE_END = 100
CAUTION = (
    45,
    60,
    60,
    60,
    80,
    100,
)  # at what share of losses those opposite may break off, by a die
AIMS: tuple[Aim, ...] = ("dangerous", "dangerous", "dangerous", "strongest", "nearest", "weakest")
HOPELESS, OUTMATCHED = 35, 60  # per cent of our points: with less they leave at once, or soon
# Up to this die they stay all the same: who is outmatched and comes to a battle can seldom leave
STAYS = 5


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: whom to meet where, with which fleets (none named: those there), and what is
    believed and done.

    `to_the_end`: one's own captain never breaks off; else he does as his fleet's doctrine says.
    """

    hex: str
    toward: str
    fleets: tuple[str, ...] = ()
    decoys: Decoys = "likely"
    to_the_end: bool = False


def own_ships(belief: Belief, question: Question) -> list[list[Ship]]:
    """The ships that would fight, fleet by fleet: those of the fleets named, else of those at the
    hex.
    """
    view = belief.view
    here = [
        fleet.key
        for fleet in view.fleets
        if (
            fleet.key in question.fleets
            if question.fleets
            else fleet.hex == question.hex and not fleet.in_ftl
        )
    ]
    fleet_ships = ships_by_fleet(view.ships)
    groups = [
        [ship for ship in fleet_ships.get(key, ()) if not ship.is_helpless] for key in sorted(here)
    ]
    return [group for group in groups if group]


def own_doctrine(belief: Belief, groups: Sequence[Sequence[Ship]], question: Question) -> Doctrine:
    """The doctrine of one's own side: that of its fleet with the most points."""
    points = {
        group[0].fleet: sum(belief.classes[ship.cls].points for ship in group) for group in groups
    }
    doctrines = {fleet.key: fleet.doctrine for fleet in belief.view.fleets}
    doctrine = doctrines[min(points, key=lambda key: (-points[key], key))] if points else Doctrine()
    return replace(doctrine, break_off=TO_THE_END, flee=False) if question.to_the_end else doctrine


def build_imagined_battle(
    belief: Belief, question: Question, number: int, rules: str = NEWEST
) -> BattleFileDocument | None:
    """The battle file of sample `number`; None where a side has no ships in it, or a class has no
    known design.

    Sides stand as in a battle of the campaign: who holds the system at one end, who came at the
    other.
    """
    scenario, view = belief.scenario, belief.view
    groups = own_ships(belief, question)
    force = belief.force(question.hex, question.toward, number, question.decoys)
    class_names = [ship.cls for group in groups for ship in group] + [
        ship.cls for ship in force.ships
    ]
    if (
        not groups
        or not force.ships
        or not all(belief.classes[name].design for name in class_names)
    ):
        return None
    dice = belief.dice("battle", question.hex, question.toward, question.decoys, number)
    drones = {fleet.key: fleet.decoys_out for fleet in view.fleets}
    are_contacts_known = KNOWN_CONTACTS in scenario.options
    mine: list[list[ShipEntry]] = []
    for group in groups:
        out = 0 if are_contacts_known else min(drones[group[0].fleet], len(group))
        extra = [
            drone_entry(belief.classes, scenario.edition, f"{group[0].fleet}/d{n}")
            for n in range(1, out + 1)
        ]
        mine.append([*(ship_entry(belief.classes, ship) for ship in group), *extra])
    theirs = _entries(belief, force, drones=not are_contacts_known)
    own_side, enemy_side = view.faction, question.toward
    system = belief.system_at.get(question.hex)
    holder = next(
        (item.holder for item in view.systems if system is not None and item.system == system.id),
        None,
    )
    order = (1, 0) if holder == own_side else (0, 1)  # who came, who holds the system
    rosters = (mine, [theirs])
    table, start_places = place_ships(
        scenario.table, [[len(fleet) for fleet in rosters[n]] for n in order]
    )
    entries: list[list[ShipEntry]] = [[], []]
    for n, fleets in zip(order, start_places, strict=True):
        for fleet, places in zip(rosters[n], fleets, strict=True):
            for ship in fleet:
                ship["contact"] = hashlib.sha256(f"{number}/{ship['id']}".encode()).hexdigest()[:10]
            for ship, start_place in zip(sorted(fleet, key=_contact), places, strict=True):
                ship["at"], ship["course"] = list(start_place.at), start_place.course
                entries[n].append(ship)
    file: BattleFileDocument = {
        "edition": scenario.edition,
        "rules": rules,
        "options": battle_options(scenario.options),
        "table": list(table),
        "sides": [
            {
                "name": own_side,
                "ships": entries[0],
                "doctrine": asdict(own_doctrine(belief, groups, question)),
            },
            {
                "name": enemy_side,
                "ships": entries[1],
                "doctrine": asdict(_their_doctrine(belief, groups, force, dice)),
            },
        ],
        "hostile": [[own_side, enemy_side]],
        "bogeys": not are_contacts_known,
        "seed": belief.seed(question.hex, enemy_side, number),
    }
    if system is not None and system.terrain:
        file["terrain"] = terrain_on(system.terrain, table)
    if scenario.edition == Edition.CONTINUUM and (
        gates := gates_on(
            scenario, question.hex, table, holder if holder in (own_side, enemy_side) else ""
        )
    ):
        file["gates"] = gates
    return file


def _contact(entry: ShipEntry) -> str:
    return entry["contact"]


def _entries(belief: Belief, force: BelievedForce, *, drones: bool) -> list[ShipEntry]:
    """The entries of a believed force, as those of ships nobody has a name for."""
    entries: list[ShipEntry] = []
    for n, ship in enumerate(force.ships, 1):
        key = f"{ship.faction}/s{n}"
        entry = ship_entry(
            belief.classes,
            Ship(key, ship.faction, key, ship.cls, "", damage=ship.damage, lost=ship.lost),
        )
        entry["label"] = ship.label
        entries.append(entry)
    for faction, count in force.decoys if drones else ():
        entries += [
            drone_entry(belief.classes, belief.scenario.edition, f"{faction}/d{n}")
            for n in range(1, count + 1)
        ]
    return entries


def _their_doctrine(
    belief: Belief, groups: Sequence[Sequence[Ship]], force: BelievedForce, dice: Dice
) -> Doctrine:
    """How those opposite may fight: who is outmatched fights to the end, or leaves early."""
    ours = sum(belief.classes[ship.cls].points for group in groups for ship in group)
    theirs = sum(belief.classes[ship.cls].points for ship in force.ships)
    leaves = any(
        can_jump(belief.classes[ship.cls], Ship("", "", "", ship.cls, "")) for ship in force.ships
    )
    aim = AIMS[dice.roll(KEY, "aim") - 1]
    share = CAUTION[dice.roll(KEY, "caution") - 1]
    if not leaves or (theirs * 100 < ours * OUTMATCHED and dice.roll(KEY, "stays") <= STAYS):
        return Doctrine(targets=aim, break_off=TO_THE_END)
    if theirs * 100 < ours * HOPELESS:
        return Doctrine(targets=aim, break_off=20, flee=True)
    if theirs * 100 < ours * OUTMATCHED:
        return Doctrine(targets=aim, break_off=share // 2)
    return Doctrine(targets=aim, break_off=share)
