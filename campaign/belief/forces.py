"""The sampler of hidden forces: ships, decoys and weasels that match a long range scan.

A scan counts contacts by classification. Each sample draws anew what they may be: first ships bound
to the system, then mobile ships of that navy that are not seen elsewhere, then other classes of the
catalogue. Battles correct the published lists: classes met there are added, and ships seen
destroyed are removed. A faction's own design of which the reader has the complete record sheet is a
class like any other, of that navy alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from campaign.rules.battle_entries import DECOY_LABEL
from campaign.rules.codec import encode
from campaign.rules.designs import barred_class_fault
from campaign.rules.encountered_classes import EncounteredClass, count_ships_of
from campaign.rules.queries import budgets_of, own_class_name, ship_classes, side_of, systems_by_hex
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.sightings import newest_sighting
from campaign.rules.stations import known_stations
from campaign.rules.view import BATTLE, Sighting, View
from engine.core.dice import Dice, KeyedDice

T = TypeVar("T")

# A weight; a list of ships by class, and one class of it.
Choice = tuple[int, tuple[Counter[str], str]]
Decoys = Literal["likely", "none", "some", "many"]  # what the reader assumes about the escorts
# Per cent of the escorts that are decoys.
DECOY_SHARES: Mapping[str, int] = {"none": 0, "some": 30, "many": 60}
KEY = "belief"  # of all dice here
MAX_SEEDS = 1_000_000
HUNDRED = 100
# Weights with which a contact is a ship that is bound to the system, a mobile one, or one that
# passes for the contact's classification by its weasel.
BOUND_WEIGHT = 400
MOBILE_WEIGHT = 4
WEASEL_WEIGHT = 1
# Chances in per cent.
UNLISTED_CHANCE = 8  # a contact is of a class that no published list of that navy has
DECOYS_CHANCE = 60  # a fleet that has decoys has deployed them
DAMAGE_CHANCE_AFTER_FIGHT = 65  # a ship of a faction that has fought here is damaged
DAMAGE_CHANCE_PER_BATTLE = 15  # the same elsewhere, for each week in which the reader lost ships,
MAX_DAMAGE_CHANCE = 50  # up to this
STAYS_CHANCES = (100, 60, 40)  # mobile ships seen 0, 1, 2 or more weeks ago are still there
VISIT_CHANCE = 35  # a fleet is in a place that the reader never scanned
# Per cent of the boxes of a ship.
ROW_SHARE = 25  # a row; each row lost lets one more face of the die destroy a system
MAX_DAMAGE = 60


@dataclass(frozen=True, slots=True)
class BelievedShip:
    """A ship that may be there.

    Attributes:
        cls: The name of its class.
        label: The classification that a scan shows.
        damage: Boxes lost.
        lost: Ids of systems lost.
        bound: Whether it belongs to the published defences of the place, which cannot leave.
    """

    faction: str
    cls: str
    label: str
    damage: int = 0
    lost: tuple[str, ...] = ()
    bound: bool = False


@dataclass(frozen=True, slots=True)
class BelievedForce:
    """A force that may be there.

    Attributes:
        decoys: Pairs of a faction and the number of its decoys, which scans show as escorts.
    """

    ships: tuple[BelievedShip, ...]
    decoys: tuple[tuple[str, int], ...] = ()

    @property
    def has_fleet(self) -> bool:
        """Return whether it has more than the published defences."""
        return any(not ship.bound for ship in self.ships)

    def counts(self) -> dict[str, dict[str, int]]:
        """Return what a long range scan would show, by faction and classification."""
        by_faction: dict[str, dict[str, int]] = {}
        for ship in self.ships:
            counts = by_faction.setdefault(ship.faction, {})
            counts[ship.label] = counts.get(ship.label, 0) + 1
        for faction, number in self.decoys:
            counts = by_faction.setdefault(faction, {})
            counts[DECOY_LABEL] = counts.get(DECOY_LABEL, 0) + number
        return by_faction


def belief_key(view: View) -> bytes:
    """Return the key of a belief's dice: the SHA-256 of the encoded View."""
    return hashlib.sha256(encode(view)).digest()


class Belief:
    """All that a View lets its faction believe of others.

    The same View gives the same samples, byte for byte.

    Args:
        scenario: The scenario, with the classes beyond the catalogue whose plans or record sheets
            the faction has.
        encounters: The classes that the faction met in its battles, earliest first.
    """

    __slots__ = (
        "_key",
        "_published_ships",
        "_similar_classes",
        "classes",
        "encounters",
        "scenario",
        "system_at",
        "view",
    )

    def __init__(
        self, scenario: Scenario, view: View, encounters: Sequence[EncounteredClass] = ()
    ) -> None:
        self.scenario = scenario
        self.view = view
        self.encounters = tuple(encounters)
        self.classes = ship_classes(scenario)
        self.system_at = systems_by_hex(scenario)
        self._key = belief_key(view)
        # By faction and the classification that a scan shows.
        self._similar_classes: dict[tuple[str, str], list[ShipClass]] = {}
        # By faction and hex: ships bound to the system, and mobile ones.
        self._published_ships: dict[tuple[str, str], tuple[Counter[str], Counter[str]]] = {}

    def dice(self, *names: str | int) -> Dice:
        """Return the dice of one sample, keyed by the View and these names."""
        return KeyedDice(self._key, (KEY, *names))

    def seed(self, *names: str | int) -> int:
        """Return the seed of a battle's dice."""
        text = "/".join(str(name) for name in names).encode()
        return int.from_bytes(hashlib.sha256(self._key + text).digest()[:4]) % MAX_SEEDS

    def force(
        self, hex_: str, toward: str, number: int, decoys: Decoys = "likely"
    ) -> BelievedForce:
        """Return one sample of what a hostile faction and its allies may have at a hex.

        Args:
            number: The number of the sample.
        """
        dice = self.dice(hex_, toward, decoys, number)
        ships: list[BelievedShip] = []
        decoy_counts: list[tuple[str, int]] = []
        for faction in side_of(self.scenario, toward):
            sighting = newest_sighting(self.view, hex_, faction)
            if sighting is not None and sighting.week == self.view.week:
                drawn_ships, decoy_count = self._draw_matching_scan(sighting, decoys, dice)
                ships += drawn_ships
                if decoy_count:
                    decoy_counts.append((faction, decoy_count))
            elif sighting is not None:
                ships += self._draw_survivors(sighting, dice)
            elif faction == toward:
                ships += self._draw_unseen(hex_, faction, dice)
        return BelievedForce(tuple(ships), tuple(decoy_counts))

    def is_in_sight(self, hex_: str, toward: str) -> bool:
        """Return whether a scan of this week shows a faction or its allies at a hex."""
        side = side_of(self.scenario, toward)
        for sighting in self.view.sightings:
            is_here_and_now = sighting.hex == hex_ and sighting.week == self.view.week
            if is_here_and_now and sighting.faction in side:
                return True
        return False

    def garrison(self, hex_: str, toward: str) -> Counter[str]:
        """Return the published defences of a faction at a hex by classification.

        Ships that battles showed to be destroyed are left out.
        """
        bound, _ = self._listed_ships(toward, hex_)
        counts: Counter[str] = Counter()
        for name, count in bound.items():
            counts[self.classes[name].classification] += count
        return +counts

    def garrison_ships(self, hex_: str, toward: str) -> tuple[BelievedShip, ...]:
        """Return the published defences of a faction at a hex, undamaged."""
        bound, _ = self._listed_ships(toward, hex_)
        ships: list[BelievedShip] = []
        for name, count in sorted(bound.items()):
            ship = BelievedShip(toward, name, self.classes[name].classification, bound=True)
            ships += [ship] * max(0, count)
        return tuple(ships)

    def mobile_counts(self, sighting: Sighting) -> Counter[str]:
        """Return the contacts of a sighting by kind, without the defences of the place."""
        counts = Counter(dict(sighting.counts))
        counts.subtract(self.garrison(sighting.hex, sighting.faction))
        return +counts

    def fleet_in(
        self, sighting: Sighting, decoys: Decoys, dice: Dice
    ) -> tuple[list[BelievedShip], int]:
        """Draw the ships of a sighting that can move, and how many of its contacts are decoys."""
        counts = self.mobile_counts(sighting)
        faction = sighting.faction
        decoy_count = self._draw_decoys(faction, counts, decoys, dice)
        _, mobile = self._listed_ships(faction, sighting.hex)
        no_bound: Counter[str] = Counter()
        ships: list[BelievedShip] = []
        for kind in sorted(counts):
            count = counts[kind] - (decoy_count if kind == DECOY_LABEL else 0)
            for _ in range(count):
                cls = self._draw_class(faction, kind, dice, bound=no_bound, mobile=mobile)
                ships.append(BelievedShip(faction, cls.name, kind))
        return ships, decoy_count

    def _draw_matching_scan(
        self, sighting: Sighting, decoys: Decoys, dice: Dice
    ) -> tuple[list[BelievedShip], int]:
        """Draw ships and a number of decoys that match the counts of a scan exactly."""
        hex_ = sighting.hex
        faction = sighting.faction
        counts = dict(sighting.counts)
        decoy_count = self._draw_decoys(faction, counts, decoys, dice)
        bound, mobile = self._listed_ships(faction, hex_)
        if sighting.source == BATTLE or self._has_fought_here(hex_, faction):
            damage_chance = DAMAGE_CHANCE_AFTER_FIGHT
        else:
            weeks_with_losses = len({loss.week for loss in self.view.losses})
            damage_chance = min(MAX_DAMAGE_CHANCE, DAMAGE_CHANCE_PER_BATTLE * weeks_with_losses)
        ships = []
        for kind in sorted(counts, key=lambda kind: (kind == DECOY_LABEL, kind)):
            ship_count = counts[kind]
            if kind == DECOY_LABEL:
                ship_count -= decoy_count
            for _ in range(ship_count):
                cls = self._draw_class(faction, kind, dice, bound=bound, mobile=mobile)
                damage, lost_systems = _damage_before(cls, damage_chance, dice)
                ships.append(
                    BelievedShip(faction, cls.name, kind, damage=damage, lost=lost_systems)
                )
        return ships, decoy_count

    def _draw_decoys(
        self, faction: str, counts: Mapping[str, int], decoys: Decoys, dice: Dice
    ) -> int:
        """Draw how many escorts are decoys: at most one a real ship, and what the faction bought.

        Where the scenario lists no decoys, a tenth of the points of mobile forces counts as spent
        on them.
        """
        escorts = counts.get(DECOY_LABEL, 0)
        total = sum(counts.values())
        most = min(escorts, total // 2)
        if not self.scenario.decoys or most <= 0:
            return 0
        if decoys != "likely":
            return min(most, (escorts * DECOY_SHARES[decoys] + 50) // HUNDRED)
        listed_count = sum(pick.decoys for pick in dict(self.scenario.defaults).get(faction, ()))
        budgets = budgets_of(self.scenario, faction).values()
        points = sum(budget.points for budget in budgets if budget.ftl != "none")
        bought = listed_count or points // 10 // max(1, self.scenario.decoy_points)
        if dice.roll(KEY, "drones", HUNDRED) > DECOYS_CHANCE:
            return 0
        most = min(most, bought)
        if most:
            return dice.roll(KEY, "many", most)
        return 0

    def _listed_ships(self, faction: str, hex_: str) -> tuple[Counter[str], Counter[str]]:
        """Return the ships of the published lists by class, as counters that the caller may change.

        Returns:
            The ships bound to the system, and the mobile ones not seen elsewhere this week.
        """
        if (faction, hex_) not in self._published_ships:
            self._published_ships[faction, hex_] = self._count_listed(faction, hex_)
        bound, mobile = self._published_ships[faction, hex_]
        return bound.copy(), mobile.copy()

    def _count_listed(self, faction: str, hex_: str) -> tuple[Counter[str], Counter[str]]:
        """Count the ships of the published lists, corrected by what battles and scans showed."""
        bound: Counter[str] = Counter()
        mobile: Counter[str] = Counter()
        budgets = budgets_of(self.scenario, faction)
        for pick in dict(self.scenario.defaults).get(faction, ()):
            is_bound = pick.budget in budgets and budgets[pick.budget].ftl == "none"
            if not is_bound:
                mobile.update(dict(pick.ships))
            elif pick.hex == hex_:
                bound.update(dict(pick.ships))
        bound.update(self._stations(faction, hex_))
        for arrival in self.scenario.reinforcements:
            if arrival.faction == faction and arrival.week <= self.view.week:
                mobile.update(dict(arrival.ships))
        self._correct(mobile, faction, ftl=True)
        self._correct(bound, faction, ftl=False, hex_=hex_)
        for kind, count in sorted(self._scanned_elsewhere(faction, hex_).items()):
            names = [name for name in sorted(mobile) if self.classes[name].classification == kind]
            _strike_off(mobile, names, count)
        return bound, mobile

    def _stations(self, faction: str, hex_: str) -> Counter[str]:
        """Count the stations that a faction has at a hex, as the reader knows them, by class."""
        system = self.system_at.get(hex_)
        counts: Counter[str] = Counter()
        if system is None or not system.stations:
            return counts
        stations = known_stations(self.view)
        for station in system.stations:
            if stations[station.key].faction == faction:
                counts[station.cls] += 1
        return counts

    def _correct(self, ship_list: Counter[str], faction: str, *, ftl: bool, hex_: str = "") -> None:
        """Correct a list of ships by what battles showed of a faction.

        Args:
            ftl: Whether the list is of ships with FTL drives or of those without.
            hex_: Where the battles were; "": everywhere.
        """
        most, destroyed = count_ships_of(self.encounters, faction, hex_)
        for shown_name, count in sorted(most.items()):
            if shown_name in self.classes:
                name = shown_name
            else:
                name = own_class_name(faction, shown_name)
            if name in self.classes and self.classes[name].ftl == ftl:
                ship_list[name] = max(0, max(ship_list[name], count) - destroyed[shown_name])

    def _scanned_elsewhere(self, faction: str, hex_: str) -> Counter[str]:
        """Count the contacts of a faction that were scanned at other hexes this week."""
        contacts: Counter[str] = Counter()
        for item in self.view.sightings:
            if item.faction == faction and item.week == self.view.week and item.hex != hex_:
                contacts.update(dict(item.counts))
        return contacts

    def _draw_class(
        self,
        faction: str,
        kind: str,
        dice: Dice,
        *,
        bound: Counter[str],
        mobile: Counter[str],
    ) -> ShipClass:
        """Draw a class that scans show as `kind`; a listed ship is taken off its list.

        Args:
            bound: The listed ships that are bound to the system, by class.
            mobile: The listed mobile ships, by class.
        """
        choices: list[Choice] = []
        for name in self._remaining(bound):
            if self.classes[name].classification == kind:
                choices.append((BOUND_WEIGHT * bound[name], (bound, name)))
        mobile_names = self._remaining(mobile)
        for name in mobile_names:
            if self.classes[name].classification == kind:
                choices.append((MOBILE_WEIGHT * mobile[name], (mobile, name)))
        for name in mobile_names:
            cls = self.classes[name]
            if cls.weasel == kind != cls.classification:
                choices.append((WEASEL_WEIGHT * mobile[name], (mobile, name)))
        if choices and dice.roll(KEY, "listed", HUNDRED) > UNLISTED_CHANCE:
            ship_list, name = _draw_weighted(choices, dice)
            ship_list[name] -= 1
            return self.classes[name]
        return self._draw_any(faction, kind, dice)

    def _remaining(self, ship_list: Counter[str]) -> list[str]:
        """Return the known classes of which a list has ships left, sorted."""
        return [name for name in sorted(ship_list) if ship_list[name] > 0 and name in self.classes]

    def _draw_any(self, faction: str, kind: str, dice: Dice) -> ShipClass:
        """Draw any class of the catalogue that scans show as `kind`, preferably an armed one.

        Own designs of other factions are left out.
        """
        key = faction, kind
        if key not in self._similar_classes:
            self._similar_classes[key] = self._classes_shown_as(faction, kind)
        return _draw_weighted([(1, cls) for cls in self._similar_classes[key]], dice)

    def _classes_shown_as(self, faction: str, kind: str) -> list[ShipClass]:
        """Return the classes of the catalogue for a contact: armed ones of its classification.

        If there are none, unarmed ones of the classification, or else all classes. Barred classes
        are left out.
        """
        foreign_prefixes = []
        for power in self.scenario.factions:
            if power.id != faction:
                foreign_prefixes.append(own_class_name(power.id, ""))
        available = []
        for cls in self.scenario.catalogue:
            is_foreign = cls.name.startswith(tuple(foreign_prefixes))
            if not is_foreign and barred_class_fault(self.scenario, cls) is None:
                available.append(cls)
        matching = [cls for cls in available if cls.classification == kind]
        armed = [cls for cls in matching if cls.weapons]
        return armed or matching or available

    def _has_fought_here(self, hex_: str, faction: str) -> bool:
        """Return whether the reader is in contact with the faction here, or has lost ships here."""
        if self._is_in_contact(hex_, faction):
            return True
        return any(loss.hex == hex_ for loss in self.view.losses)

    def _is_in_contact(self, hex_: str, faction: str) -> bool:
        """Return whether the reader is in contact with a faction since an earlier week."""
        contacts = self.view.in_contact
        return any(item.hex == hex_ and item.toward == faction for item in contacts)

    def _draw_unseen(self, hex_: str, faction: str, dice: Dice) -> list[BelievedShip]:
        """Draw ships for a hex that was never scanned: the defences, and perhaps a fleet."""
        bound, _ = self._listed_ships(faction, hex_)
        ships: list[BelievedShip] = []
        has_fought = self._has_fought_here(hex_, faction)
        for name, count in sorted(bound.items()):
            ship = BelievedShip(faction, name, self.classes[name].classification, bound=True)
            for _ in range(count):
                # After a battle here, half of the defences are left.
                if not has_fought or dice.roll(KEY, "left", HUNDRED) <= HUNDRED // 2:
                    ships.append(ship)
        if dice.roll(KEY, "visits", HUNDRED) <= VISIT_CHANCE:
            ships += self._draw_visitors(faction, dice)
        return ships

    def _draw_visitors(self, faction: str, dice: Dice) -> list[BelievedShip]:
        """Draw one of the faction's listed fleets that can move."""
        fleets = []
        for pick in dict(self.scenario.defaults).get(faction, ()):
            if pick.hex and any(self.classes[name].ftl for name, _ in pick.ships):
                fleets.append((1, pick))
        if not fleets:
            return []
        ships: list[BelievedShip] = []
        for name, count in _draw_weighted(fleets, dice).ships:
            ships += [BelievedShip(faction, name, self.classes[name].classification)] * count
        return ships

    def _draw_survivors(self, sighting: Sighting, dice: Dice) -> list[BelievedShip]:
        """Draw what is left of ships seen in an earlier week.

        Defences that cannot leave are still there, as many as were seen. The other ships become
        less likely with each week, unless they are still in contact.
        """
        faction = sighting.faction
        bound, mobile = self._listed_ships(faction, sighting.hex)
        counts = Counter(dict(sighting.counts))
        draws: list[tuple[str, str, bool]] = []  # (class, what scans show, whether it is bound)
        for name, count in sorted(bound.items()):
            kind = self.classes[name].classification
            seen_count = min(count, counts[kind])
            counts[kind] -= seen_count
            draws += [(name, kind, True)] * seen_count
        if self._is_in_contact(sighting.hex, faction):
            stays_chance = HUNDRED
        else:
            weeks_ago = self.view.week - sighting.week
            stays_chance = STAYS_CHANCES[min(weeks_ago, len(STAYS_CHANCES) - 1)]
        if dice.roll(KEY, "stays", HUNDRED) <= stays_chance:
            no_bound: Counter[str] = Counter()
            for kind in sorted(counts):
                for _ in range(counts[kind]):
                    cls = self._draw_class(faction, kind, dice, bound=no_bound, mobile=mobile)
                    draws.append((cls.name, kind, False))
        damage_chance = DAMAGE_CHANCE_AFTER_FIGHT if sighting.source == BATTLE else 0
        ships = []
        for name, kind, is_bound in draws:
            damage, lost_systems = _damage_before(self.classes[name], damage_chance, dice)
            ship = BelievedShip(
                faction=faction,
                cls=name,
                label=kind,
                damage=damage,
                lost=lost_systems,
                bound=is_bound,
            )
            ships.append(ship)
        return ships


def _damage_before(cls: ShipClass, chance: int, dice: Dice) -> tuple[int, tuple[str, ...]]:
    """Draw the boxes and systems that a ship has lost in earlier battles.

    Args:
        chance: The chance in per cent that it has lost any.
    """
    if not chance or dice.roll(KEY, "hurt", HUNDRED) > chance:
        return 0, ()
    share = dice.roll(KEY, "how hurt", MAX_DAMAGE)
    highest_safe_roll = 6 - share // ROW_SHARE
    lost_systems: list[str] = []
    if highest_safe_roll < 6:
        for id_ in cls.systems:
            if dice.roll(KEY, "row") > highest_safe_roll:
                lost_systems.append(id_)
    return cls.damage_points * share // HUNDRED, tuple(lost_systems)


def _strike_off(ship_list: Counter[str], names: Sequence[str], count: int) -> None:
    """Take ships off a list, one of each class in turn, because their classes are unknown."""
    while count > 0 and any(ship_list[name] for name in names):
        for name in names:
            if ship_list[name] and count > 0:
                ship_list[name] -= 1
                count -= 1


def _draw_weighted(choices: Sequence[tuple[int, T]], dice: Dice) -> T:
    """Draw one of the choices, which are pairs of a weight and a value.

    A die of a hundred faces is enough: each face stands for the middle of its share of the weights.
    """
    total = sum(weight for weight, _ in choices)
    remaining = total * (2 * dice.roll(KEY, "which", HUNDRED) - 1)
    for weight, choice in choices:
        remaining -= 2 * HUNDRED * weight
        if remaining <= 0:
            return choice
    return choices[-1][1]
