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
from campaign.rules.encountered_classes import EncounteredClass, count_ships_of
from campaign.rules.queries import budgets_of, own_class_name, ship_classes, side_of, systems_by_hex
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.sightings import newest_sighting
from campaign.rules.view import BATTLE, Sighting, View
from engine.core.dice import Dice, KeyedDice

T = TypeVar("T")

Decoys = Literal["likely", "none", "some", "many"]  # what the reader assumes about the escorts
# Per cent of the escorts that are decoys
SHARES: Mapping[str, int] = {"none": 0, "some": 30, "many": 60}
KEY = "belief"
MOST_SEEDS = 1_000_000
HUNDRED = 100
# Weights with which a contact is a listed ship of one of these kinds.
BOUND, MOBILE, WEASEL = 400, 4, 1
OWN_DESIGN = 8  # in a hundred contacts: of a class that no published list of that navy has
DRONES = 60  # in a hundred fleets with drones: they are deployed
HURT_BEFORE = 65  # in a hundred ships of a faction that has fought here: damaged
HURT_A_BATTLE = 15  # the same elsewhere, for each week in which the reader lost ships,
HURT_IN_ALL = 50  # up to this
A_ROW = 25  # per cent of the boxes; each row lost lets one more face of the die destroy a system
MOST_HURT = 60  # per cent of the boxes
STAYS = (100, 60, 40)  # in a hundred: mobile ships seen 0, 1, 2 or more weeks ago are still there
VISITS = 35  # in a hundred: a fleet is in a place that the reader never scanned


@dataclass(frozen=True, slots=True)
class BelievedShip:
    """A ship that may be there.

    Attributes:
        cls: The name of its class.
        label: The classification that a scan shows.
        damage: Boxes lost.
        lost: Ids of systems lost.
        bound: Whether it belongs to the published defences of the place.
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
        decoys: Pairs of a faction and the number of its drones, which scans show as escorts.
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
            kinds = by_faction.setdefault(ship.faction, {})
            kinds[ship.label] = kinds.get(ship.label, 0) + 1
        for faction, count in self.decoys:
            kinds = by_faction.setdefault(faction, {})
            kinds[DECOY_LABEL] = kinds.get(DECOY_LABEL, 0) + count
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
        return int.from_bytes(hashlib.sha256(self._key + text).digest()[:4]) % MOST_SEEDS

    def force(
        self, hex_: str, toward: str, number: int, decoys: Decoys = "likely"
    ) -> BelievedForce:
        """Return one sample of what a hostile faction and its allies may have at a hex.

        Args:
            number: The number of the sample.
        """
        dice = self.dice(hex_, toward, decoys, number)
        ships: list[BelievedShip] = []
        drones: list[tuple[str, int]] = []
        for faction in side_of(self.scenario, toward):
            sighting = newest_sighting(self.view, hex_, faction)
            if sighting is not None and sighting.week == self.view.week:
                drawn_ships, out = self._draw_matching_scan(sighting, decoys, dice)
            elif faction == toward or sighting is not None:
                drawn_ships = self._draw_unseen(hex_, faction, sighting, dice)
                out = 0
            else:
                continue
            ships += drawn_ships
            drones += [(faction, out)] if out else []
        return BelievedForce(tuple(ships), tuple(drones))

    def is_in_sight(self, hex_: str, toward: str) -> bool:
        """Return whether a scan of this week shows a faction or its allies at a hex."""
        return any(
            item.hex == hex_ and item.week == self.view.week
            for item in self.view.sightings
            if item.faction in side_of(self.scenario, toward)
        )

    def garrison(self, hex_: str, toward: str) -> Counter[str]:
        """Return the published defences of a faction at a hex by classification.

        Ships that battles showed to be destroyed are left out.
        """
        bound, _ = self._listed_ships(toward, hex_)
        counts: Counter[str] = Counter()
        for name, count in bound.items():
            counts[self.classes[name].classification] += count
        return +counts

    def _draw_matching_scan(
        self, sighting: Sighting, decoys: Decoys, dice: Dice
    ) -> tuple[list[BelievedShip], int]:
        """Draw ships and a number of drones that match the counts of a scan exactly."""
        hex_ = sighting.hex
        faction = sighting.faction
        counts = dict(sighting.counts)
        out = self._draw_drones(faction, counts, decoys, dice)
        bound, mobile = self._listed_ships(faction, hex_)
        battles = len({item.week for item in self.view.losses})
        has_fought = sighting.source == BATTLE or self._has_fought_here(hex_, faction)
        if has_fought:
            chance = HURT_BEFORE
        else:
            chance = min(HURT_IN_ALL, HURT_A_BATTLE * battles)
        ships = []
        for kind in sorted(counts, key=lambda kind: (kind == DECOY_LABEL, kind)):
            real = counts[kind] - (out if kind == DECOY_LABEL else 0)
            for _ in range(real):
                cls = self._draw_class(faction, kind, bound, mobile, dice)
                ships.append(
                    BelievedShip(faction, cls.name, kind, *_damage_before(cls, chance, dice))
                )
        return ships, out

    def _draw_drones(
        self, faction: str, counts: Mapping[str, int], decoys: Decoys, dice: Dice
    ) -> int:
        """Draw how many escorts are drones: at most one a real ship and what the faction had."""
        escorts = counts.get(DECOY_LABEL, 0)
        total = sum(counts.values())
        most = min(escorts, total // 2)
        if not self.scenario.decoys or most <= 0:
            return 0
        if decoys != "likely":
            return min(most, (escorts * SHARES[decoys] + 50) // HUNDRED)
        listed_count = sum(pick.decoys for pick in dict(self.scenario.defaults).get(faction, ()))
        points = sum(
            budget.points
            for budget in budgets_of(self.scenario, faction).values()
            if budget.ftl != "none"
        )
        had = listed_count or points // 10 // max(1, self.scenario.decoy_points)
        if dice.roll(KEY, "drones", HUNDRED) > DRONES:
            return 0
        most = min(most, had)
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
        bound: Counter[str] = Counter()
        mobile: Counter[str] = Counter()
        budgets = budgets_of(self.scenario, faction)
        for pick in dict(self.scenario.defaults).get(faction, ()):
            fixed = pick.budget in budgets and budgets[pick.budget].ftl == "none"
            if not fixed:
                mobile.update(dict(pick.ships))
            elif pick.hex == hex_:
                bound.update(dict(pick.ships))
        for arrival in self.scenario.reinforcements:
            if arrival.faction == faction and arrival.week <= self.view.week:
                mobile.update(dict(arrival.ships))
        self._correct(mobile, faction, *count_ships_of(self.encounters, faction), ftl=True)
        self._correct(bound, faction, *count_ships_of(self.encounters, faction, hex_), ftl=False)
        for kind, count in sorted(self._read_elsewhere(faction, hex_).items()):
            _strike_off(
                mobile,
                [name for name in sorted(mobile) if self.classes[name].classification == kind],
                count,
            )
        return bound, mobile

    def _correct(
        self,
        pool: Counter[str],
        faction: str,
        most: Counter[str],
        destroyed: Counter[str],
        *,
        ftl: bool,
    ) -> None:
        """Correct a list of ships by what battles showed of a faction.

        Args:
            most: By class, the most ships met at once.
            destroyed: By class, the ships seen destroyed.
            ftl: Whether the list is of ships with FTL drives or of those without.
        """
        for shown_name, count in sorted(most.items()):
            if shown_name in self.classes:
                name = shown_name
            else:
                name = own_class_name(faction, shown_name)
            if name in self.classes and self.classes[name].ftl == ftl:
                pool[name] = max(0, max(pool[name], count) - destroyed[shown_name])

    def _read_elsewhere(self, faction: str, hex_: str) -> Counter[str]:
        """Count the contacts of a faction that were scanned at other hexes this week."""
        contacts: Counter[str] = Counter()
        for item in self.view.sightings:
            if item.faction == faction and item.week == self.view.week and item.hex != hex_:
                contacts.update(dict(item.counts))
        return contacts

    def _draw_class(
        self, faction: str, kind: str, bound: Counter[str], mobile: Counter[str], dice: Dice
    ) -> ShipClass:
        """Draw a class that scans show as `kind`; a listed ship is taken off its list."""
        classes = self.classes
        free = [
            (name, bound[name], classes[name])
            for name in sorted(bound)
            if bound[name] > 0 and name in classes
        ]
        choices = [
            (BOUND * count, (bound, name))
            for name, count, cls in free
            if cls.classification == kind
        ]
        free = [
            (name, mobile[name], classes[name])
            for name in sorted(mobile)
            if mobile[name] > 0 and name in classes
        ]
        choices += [
            (MOBILE * count, (mobile, name))
            for name, count, cls in free
            if cls.classification == kind
        ]
        choices += [
            (WEASEL * count, (mobile, name))
            for name, count, cls in free
            if cls.weasel == kind != cls.classification
        ]
        if choices and dice.roll(KEY, "listed", HUNDRED) > OWN_DESIGN:
            pool, name = _draw_weighted(choices, dice)
            pool[name] -= 1
            return self.classes[name]
        return self._draw_any(faction, kind, dice)

    def _draw_any(self, faction: str, kind: str, dice: Dice) -> ShipClass:
        """Draw any class of the catalogue that scans show as `kind`, preferably an armed one.

        Own designs of other factions are left out.
        """
        key = faction, kind
        if key not in self._similar_classes:
            self._similar_classes[key] = self._classes_reading(faction, kind)
        return _draw_weighted([(1, cls) for cls in self._similar_classes[key]], dice)

    def _classes_reading(self, faction: str, kind: str) -> list[ShipClass]:
        foreign = tuple(
            own_class_name(power.id, "") for power in self.scenario.factions if power.id != faction
        )
        may_have = []
        for cls in self.scenario.catalogue:
            if not cls.name.startswith(foreign):
                may_have.append(cls)
        matching = [cls for cls in may_have if cls.classification == kind]
        return [cls for cls in matching if cls.weapons] or matching or may_have

    def _has_fought_here(self, hex_: str, faction: str) -> bool:
        """Return whether the reader is in contact with the faction here, or has lost ships here."""
        in_contact = any(
            item.hex == hex_ and item.toward == faction for item in self.view.in_contact
        )
        return in_contact or any(item.hex == hex_ for item in self.view.losses)

    def _draw_unseen(
        self, hex_: str, faction: str, sighting: Sighting | None, dice: Dice
    ) -> list[BelievedShip]:
        """Draw ships for a hex without a scan this week: defences, earlier sightings, visitors."""
        bound, mobile = self._listed_ships(faction, hex_)
        if sighting is not None:
            return self._draw_survivors(sighting, bound, mobile, dice)
        ships: list[BelievedShip] = []
        has_fought = self._has_fought_here(hex_, faction)
        for name, count in sorted(bound.items()):
            survivors = sum(
                not has_fought or dice.roll(KEY, "left", HUNDRED) <= HUNDRED // 2
                for _ in range(count)
            )
            ship = BelievedShip(faction, name, self.classes[name].classification, bound=True)
            ships += [ship] * survivors
        if dice.roll(KEY, "visits", HUNDRED) <= VISITS:
            fleets = [pick for pick in dict(self.scenario.defaults).get(faction, ()) if pick.hex]
            moving = [
                pick for pick in fleets if any(self.classes[name].ftl for name, _ in pick.ships)
            ]
            if moving:
                pick = _draw_weighted([(1, pick) for pick in moving], dice)
                class_names = []
                for name, count in pick.ships:
                    for _ in range(count):
                        class_names.append(name)
                ships += [
                    BelievedShip(faction, name, self.classes[name].classification)
                    for name in class_names
                ]
        return ships

    def _draw_survivors(
        self, sighting: Sighting, bound: Counter[str], mobile: Counter[str], dice: Dice
    ) -> list[BelievedShip]:
        """Draw what is left of ships seen in an earlier week.

        Defences that cannot leave are still there, as many as were seen. The other ships become
        less likely with each week, unless they are still in contact.
        """
        counts = Counter(dict(sighting.counts))
        draws: list[tuple[str, str, bool]] = []  # (class, what scans show, whether it is bound)
        for name, count in sorted(bound.items()):
            kind = self.classes[name].classification
            there = min(count, counts[kind])
            counts[kind] -= there
            draws += [(name, kind, True)] * there
        in_contact = any(
            (touch.hex, touch.toward) == (sighting.hex, sighting.faction)
            for touch in self.view.in_contact
        )
        weeks = self.view.week - sighting.week
        if in_contact:
            stays = HUNDRED
        else:
            stays = STAYS[min(weeks, len(STAYS) - 1)]
        if dice.roll(KEY, "stays", HUNDRED) <= stays:
            no_bound: Counter[str] = Counter()
            for kind in sorted(counts):
                classes = []
                for _ in range(counts[kind]):
                    classes.append(self._draw_class(sighting.faction, kind, no_bound, mobile, dice))
                draws += [(cls.name, kind, False) for cls in classes]
        chance = HURT_BEFORE if sighting.source == BATTLE else 0
        ships = []
        for name, kind, is_bound in draws:
            damage, lost = _damage_before(self.classes[name], chance, dice)
            ships.append(BelievedShip(sighting.faction, name, kind, damage, lost, is_bound))
        return ships


def _damage_before(cls: ShipClass, chance: int, dice: Dice) -> tuple[int, tuple[str, ...]]:
    """Draw the boxes and systems that a ship has lost in earlier battles.

    Args:
        chance: The chance in per cent that it has lost any.
    """
    if not chance or dice.roll(KEY, "hurt", HUNDRED) > chance:
        return 0, ()
    share = dice.roll(KEY, "how hurt", MOST_HURT)
    chances = 6 - share // A_ROW
    lost = tuple(id_ for id_ in cls.systems if chances < 6 and dice.roll(KEY, "row") > chances)
    return cls.damage_points * share // HUNDRED, lost


def _strike_off(pool: Counter[str], names: Sequence[str], count: int) -> None:
    """Take ships off a list, one of each class in turn, because their classes are unknown."""
    while count > 0 and any(pool[name] for name in names):
        for name in names:
            if pool[name] and count > 0:
                pool[name] -= 1
                count -= 1


def _draw_weighted(choices: Sequence[tuple[int, T]], dice: Dice) -> T:
    """Draw one of the choices by weight."""
    total = sum(weight for weight, _ in choices)
    remaining = total * (2 * dice.roll(KEY, "which", HUNDRED) - 1)
    for weight, choice in choices:
        remaining -= 2 * HUNDRED * weight
        if remaining <= 0:
            return choice
    return choices[-1][1]
