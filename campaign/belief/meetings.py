"""Battle files of imagined meetings: a faction's own ships against a force that may be there."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from campaign.belief.cases import Case, case_force
from campaign.belief.forces import KEY, Belief, BelievedForce, Decoys
from campaign.rules.battle_entries import battle_options, decoy_entry, ship_entry
from campaign.rules.belts import add_seed
from campaign.rules.faction_settings import add_ram_die
from campaign.rules.queries import ships_by_fleet
from campaign.rules.scenario import StarSystem
from campaign.rules.starting_positions import place_ships
from campaign.rules.system_mines import known_mine_entries
from campaign.rules.system_terrain import add_terrain
from campaign.rules.table_gates import gates_on
from campaign.rules.view import Doctrine, Ship, View
from engine.core.dice import Dice
from engine.core.edition import Edition
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.terms import KNOWN_CONTACTS
from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument, ShipEntry

Targets = Literal["nearest", "weakest", "strongest", "dangerous"]

TO_THE_END = 100  # per cent of losses: a side never breaks off
# By the roll of a D6: the losses in per cent at which the other side breaks off, and the targets
# that it prefers.
BREAK_OFF_BY_ROLL = (45, 60, 60, 60, 80, 100)
TARGETS_BY_ROLL: tuple[Targets, ...] = (
    *("dangerous", "dangerous", "dangerous"),
    *("strongest", "nearest", "weakest"),
)
# Per cent of the player's points: a hostile side with less leaves at once, or soon.
HOPELESS = 35
OUTMATCHED = 60
HOPELESS_BREAK_OFF = 20  # per cent of losses
# Up to this roll of a D6 an outmatched side stays all the same: in a battle it can seldom leave.
STAYS_UP_TO = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a meeting.

    Attributes:
        toward: The hostile faction.
        fleets: The fleets that meet it; empty: those at the hex.
        decoys: What the player assumes about escorts.
        to_the_end: Whether the player's captain never breaks off; else the fleet's doctrine
            decides.
        case: What is supposed to be there; "": whatever may be there, with its likelihood.
        week: With a case: the week of the meeting.
    """

    hex: str
    toward: str
    fleets: tuple[str, ...] = ()
    decoys: Decoys = "likely"
    to_the_end: bool = False
    case: Case = ""
    week: int = 0


def force_of(belief: Belief, question: Question, number: int) -> BelievedForce:
    """Return one sample of the hostile force of a question.

    Args:
        number: The number of the sample.
    """
    if question.case:
        return case_force(
            belief,
            question.case,
            question.hex,
            question.toward,
            question.week,
            number,
            question.decoys,
        )
    return belief.force(question.hex, question.toward, number, question.decoys)


def own_ships(belief: Belief, question: Question) -> list[list[Ship]]:
    """Return the ships that would fight, by fleet: of the fleets named, else of those there."""
    view = belief.view
    fleet_keys = []
    for fleet in view.fleets:
        if question.fleets:
            takes_part = fleet.key in question.fleets
        else:
            takes_part = fleet.hex == question.hex and not fleet.in_ftl
        if takes_part:
            fleet_keys.append(fleet.key)
    fleet_ships = ships_by_fleet(view.ships)
    groups = []
    for key in sorted(fleet_keys):
        group = [ship for ship in fleet_ships.get(key, ()) if not ship.is_helpless]
        if group:
            groups.append(group)
    return groups


def own_doctrine(belief: Belief, groups: Sequence[Sequence[Ship]], question: Question) -> Doctrine:
    """Return the doctrine of the player's side: that of its fleet with the most points.

    Args:
        groups: The ships that fight, by fleet.
    """
    points = {}
    for group in groups:
        points[group[0].fleet] = sum(belief.classes[ship.cls].points for ship in group)
    doctrines = {fleet.key: fleet.doctrine for fleet in belief.view.fleets}
    if points:
        doctrine = doctrines[min(points, key=lambda key: (-points[key], key))]
    else:
        doctrine = Doctrine()
    if question.to_the_end:
        return replace(doctrine, break_off=TO_THE_END, flee=False)
    return doctrine


def build_imagined_battle(
    belief: Belief, question: Question, number: int, rules: str = NEWEST
) -> BattleFileDocument | None:
    """Build the battle file of one sample.

    Sides are placed as in a battle of the campaign: the holder of the system at one end, the
    arriving side at the other.

    Returns:
        None if a side has no ships, or if a class has no known design.
    """
    scenario = belief.scenario
    groups = own_ships(belief, question)
    force = force_of(belief, question, number)
    if not groups or not force.ships or not _has_known_designs(belief, groups, force):
        return None
    dice_names = ("battle", question.hex, question.toward, question.decoys, number)
    their_doctrine = _their_doctrine(belief, groups, force, belief.dice(*dice_names))
    are_contacts_known = KNOWN_CONTACTS in scenario.options
    own_fleets = _own_entries(belief, groups, with_decoys=not are_contacts_known)
    their_ships = _their_entries(belief, force, with_decoys=not are_contacts_known)
    own_side = belief.view.faction
    enemy_side = question.toward
    system = belief.system_at.get(question.hex)
    holder = _known_holder(belief, system)
    # Sides take the edges of the table in this order: the arriving side, the holder of the system.
    order = (1, 0) if holder == own_side else (0, 1)
    table, (own_entries, their_entries) = _placed_entries(
        scenario.table, (own_fleets, [their_ships]), order, number
    )
    file: BattleFileDocument = {
        "edition": scenario.edition,
        "rules": rules,
        "options": battle_options(scenario.options, rules),
        "table": list(table),
        "sides": [
            {
                "name": own_side,
                "ships": own_entries,
                "doctrine": asdict(own_doctrine(belief, groups, question)),
            },
            {
                "name": enemy_side,
                "ships": their_entries,
                "doctrine": asdict(their_doctrine),
            },
        ],
        "hostile": [[own_side, enemy_side]],
        "bogeys": not are_contacts_known,
        "seed": belief.seed(question.hex, enemy_side, number),
    }
    if scenario.max_turns != DEFAULT_MAX_TURNS:
        file["max_turns"] = scenario.max_turns
    if scenario.multi_role:
        file["multi_role"] = list(scenario.multi_role)
    for entry in file["sides"]:
        add_ram_die(scenario, entry, [entry["name"]])
    if system is not None:
        add_terrain(file, system, table)
        if "asteroids" in file:
            add_seed(file, lambda names: belief.seed(question.hex, enemy_side, number, *names))
        _add_known_mines(file, belief.view, system, enemy_side)
    if scenario.edition == Edition.CONTINUUM:
        controlling_side = ""
        if holder in (own_side, enemy_side):
            controlling_side = holder
        gates = gates_on(scenario, question.hex, table, controlling_side)
        if gates:
            file["gates"] = gates
    return file


def _add_known_mines(
    file: BattleFileDocument, view: View, system: StarSystem, enemy_side: str
) -> None:
    """Put the mines that a faction knows on the table; those of others count for the enemy."""
    width, height = file["table"]
    mines = known_mine_entries(view, system, enemy_side, (width, height))
    if mines:
        file["mines"] = mines


def _has_known_designs(
    belief: Belief, groups: Sequence[Sequence[Ship]], force: BelievedForce
) -> bool:
    """Return whether the designs of all classes of both sides are known."""
    class_names = {ship.cls for ship in force.ships}
    for group in groups:
        class_names |= {ship.cls for ship in group}
    return all(belief.classes[name].design for name in class_names)


def _known_holder(belief: Belief, system: StarSystem | None) -> str | None:
    """Return the faction that holds a system, as far as the view says."""
    for item in belief.view.systems:
        if system is not None and item.system == system.id:
            return item.holder
    return None


def _own_entries(
    belief: Belief, groups: Sequence[Sequence[Ship]], *, with_decoys: bool
) -> list[list[ShipEntry]]:
    """Return the battle file entries of the player's ships, with deployed decoys, by fleet."""
    decoys_out = {fleet.key: fleet.decoys_out for fleet in belief.view.fleets}
    fleets: list[list[ShipEntry]] = []
    for group in groups:
        key = group[0].fleet
        entries = [ship_entry(belief.scenario, belief.classes, ship) for ship in group]
        if with_decoys:
            entries += _decoy_entries(belief, key, min(decoys_out[key], len(group)))
        fleets.append(entries)
    return fleets


def _decoy_entries(belief: Belief, key: str, count: int) -> list[ShipEntry]:
    """Return the battle file entries of decoy drones of a fleet or faction."""
    faction = key.partition("/")[0]
    entries = []
    for number in range(1, count + 1):
        decoy = f"{key}/d{number}"
        entries.append(decoy_entry(belief.scenario, belief.classes, decoy, faction))
    return entries


def _placed_entries(
    usual_table: tuple[int, int],
    rosters: Sequence[list[list[ShipEntry]]],
    order: Sequence[int],
    number: int,
) -> tuple[tuple[float, float], list[list[ShipEntry]]]:
    """Give each ship a contact code and a place.

    Ships are placed in the order of their codes.

    Args:
        rosters: The fleets of each side.
        order: The sides in the order in which they take the edges of the table.
        number: The number of the sample, which the codes depend on.

    Returns:
        The size of the table, and the entries of each side.
    """
    sizes = []
    for side in order:
        sizes.append([len(fleet) for fleet in rosters[side]])
    table, start_places = place_ships(usual_table, sizes)
    entries: list[list[ShipEntry]] = [[] for _ in rosters]
    for side, fleets in zip(order, start_places, strict=True):
        for fleet, places in zip(rosters[side], fleets, strict=True):
            for ship in fleet:
                ship["contact"] = hashlib.sha256(f"{number}/{ship['id']}".encode()).hexdigest()[:10]
            for ship, start_place in zip(sorted(fleet, key=_contact), places, strict=True):
                ship["at"] = list(start_place.at)
                ship["course"] = start_place.course
                entries[side].append(ship)
    return table, entries


def _contact(entry: ShipEntry) -> str:
    """Return the contact code of a ship."""
    return entry["contact"]


def _their_entries(belief: Belief, force: BelievedForce, *, with_decoys: bool) -> list[ShipEntry]:
    """Return the battle file entries of a believed force, whose ships have no names."""
    entries: list[ShipEntry] = []
    for n, ship in enumerate(force.ships, 1):
        key = f"{ship.faction}/s{n}"
        imagined_ship = Ship(
            key=key,
            faction=ship.faction,
            name=key,
            cls=ship.cls,
            fleet="",
            damage=ship.damage,
            lost=ship.lost,
        )
        entry = ship_entry(belief.scenario, belief.classes, imagined_ship)
        entry["label"] = ship.label
        entries.append(entry)
    if with_decoys:
        for faction, count in force.decoys:
            entries += _decoy_entries(belief, faction, count)
    return entries


def _their_doctrine(
    belief: Belief, groups: Sequence[Sequence[Ship]], force: BelievedForce, dice: Dice
) -> Doctrine:
    """Draw a doctrine for the other side: if outmatched, it fights to the end or leaves early."""
    own_points = 0
    for group in groups:
        own_points += sum(belief.classes[ship.cls].points for ship in group)
    their_points = sum(belief.classes[ship.cls].points for ship in force.ships)
    percent = their_points * 100 / own_points if own_points else 100
    can_leave = any(belief.classes[ship.cls].ftl for ship in force.ships)
    targets = TARGETS_BY_ROLL[dice.roll(KEY, "aim") - 1]
    break_off = BREAK_OFF_BY_ROLL[dice.roll(KEY, "caution") - 1]
    is_outmatched = percent < OUTMATCHED
    if not can_leave or (is_outmatched and dice.roll(KEY, "stays") <= STAYS_UP_TO):
        return Doctrine(targets=targets, break_off=TO_THE_END)
    if percent < HOPELESS:
        return Doctrine(targets=targets, break_off=HOPELESS_BREAK_OFF, flee=True)
    if is_outmatched:
        return Doctrine(targets=targets, break_off=break_off // 2)
    return Doctrine(targets=targets, break_off=break_off)
