"""The sampler of hidden forces: ships, decoys and weasels that would read as a long range scan
does.

A scan counts contacts by classification. What stands behind it is drawn anew for every sample:
ships bound to the system first, then the mobile ones of that navy that are not seen elsewhere, then
other classes of the catalogue. What battles have told counts more than the lists: classes met there
are among them, ships seen destroyed are not. A design of its own that the reader has the whole
record sheet of is a class like any other, of that navy alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from campaign.rules.battle_entries import DECOY_LABEL
from campaign.rules.classes_met import ClassMet, of_a_faction
from campaign.rules.codec import encode
from campaign.rules.queries import budgets_of, own_class, ship_classes, side_of, systems_by_hex
from campaign.rules.scenario import Scenario, ShipClass
from campaign.rules.sightings import newest_sighting
from campaign.rules.view import BATTLE, Sighting, View
from engine.core.dice import Dice, KeyedDice

T = TypeVar("T")

Decoys = Literal["likely", "none", "some", "many"]  # what the reader takes the escorts for
SHARES: Mapping[str, int] = {"none": 0, "some": 30, "many": 60}  # per cent of the escorts
KEY = "belief"
MOST_SEEDS = 1_000_000
HUNDRED = 100
BOUND, MOBILE, WEASEL = (
    400,
    4,
    1,
)  # how likely a contact is one of these, beside each other, a ship of the list
OWN_DESIGN = 8  # in a hundred contacts: of a class that no published list of that navy has
DRONES = 60  # in a hundred fleets that have drones: they are out
HURT_BEFORE = 65  # in a hundred ships of who has fought here already: they bear damage
HURT_A_BATTLE = 15  # the same of others, for each week in which ours lost ships, and
HURT_IN_ALL = 50  # at most
A_ROW = 25  # per cent of the boxes: with each row gone, one die in six takes a system
MOST_HURT = 60  # per cent of the boxes
STAYS = (100, 60, 40)  # in a hundred: mobile ships seen so many weeks ago are still there
VISITS = 35  # in a hundred: a fleet lies where nobody of ours ever looked


@dataclass(frozen=True, slots=True)
class BelievedShip:
    """A ship that may be there: whose, of which class, what it reads as, and the boxes and systems
    it has lost.

    `bound`: it belongs to the published defences of the place.
    """

    faction: str
    cls: str
    label: str
    damage: int = 0
    lost: tuple[str, ...] = ()
    bound: bool = False


@dataclass(frozen=True, slots=True)
class BelievedForce:
    """A force that may be there: its ships, and the drones that read as escorts, by their
    faction.
    """

    ships: tuple[BelievedShip, ...]
    decoys: tuple[tuple[str, int], ...] = ()

    @property
    def has_fleet(self) -> bool:
        """Whether more is there than the published defences."""
        return any(not ship.bound for ship in self.ships)

    def counts(self) -> dict[str, dict[str, int]]:
        """What a long range scan of it would read, by faction and classification."""
        found: dict[str, dict[str, int]] = {}
        for ship in self.ships:
            kinds = found.setdefault(ship.faction, {})
            kinds[ship.label] = kinds.get(ship.label, 0) + 1
        for faction, many in self.decoys:
            kinds = found.setdefault(faction, {})
            kinds[DECOY_LABEL] = kinds.get(DECOY_LABEL, 0) + many
        return found


def key_of(view: View) -> bytes:
    """The key of a belief's dice: SHA-256 of the View as it is written down."""
    return hashlib.sha256(encode(view)).digest()


class Belief:
    """All that one View lets its faction believe of others.

    The same View gives the same samples, byte for byte.

    `scenario`: with the classes beyond the catalogue that it has the plans or record sheets of.
    `met`: the classes it has met in its battles so far, the earliest first.
    """

    __slots__ = ("_alike", "_key", "_listed", "classes", "met", "scenario", "system_at", "view")

    def __init__(self, scenario: Scenario, view: View, met: Sequence[ClassMet] = ()) -> None:
        self.scenario, self.view, self.met = scenario, view, tuple(met)
        self.classes = ship_classes(scenario)
        self.system_at = systems_by_hex(scenario)
        self._key = key_of(view)
        self._alike: dict[tuple[str, str], list[ShipClass]] = {}  # by faction and what a scan reads
        self._listed: dict[
            tuple[str, str], tuple[Counter[str], Counter[str]]
        ] = {}  # by faction and hex

    def dice(self, *names: str | int) -> Dice:
        """The dice of one sample, keyed by the View and these names."""
        return KeyedDice(self._key, (KEY, *names))

    def seed(self, *names: str | int) -> int:
        """The seed of a battle's dice."""
        said = "/".join(str(name) for name in names).encode()
        return int.from_bytes(hashlib.sha256(self._key + said).digest()[:4]) % MOST_SEEDS

    def force(
        self, hex_: str, toward: str, number: int, decoys: Decoys = "likely"
    ) -> BelievedForce:
        """The sample of that number: what may stand at a hex of a hostile faction and those who
        fight beside it.
        """
        dice = self.dice(hex_, toward, decoys, number)
        ships: list[BelievedShip] = []
        drones: list[tuple[str, int]] = []
        for faction in side_of(self.scenario, toward):
            known = newest_sighting(self.view, hex_, faction)
            if known is not None and known.week == self.view.week:
                crew, out = self._fitting_scan(known, decoys, dice)
            elif faction == toward or known is not None:
                crew, out = self._expected_unseen(hex_, faction, known, dice), 0
            else:
                continue
            ships += crew
            drones += [(faction, out)] if out else []
        return BelievedForce(tuple(ships), tuple(drones))

    def is_in_sight(self, hex_: str, toward: str) -> bool:
        """Whether a scan of this week reads a faction, or one that fights beside it, at a hex."""
        return any(
            item.hex == hex_ and item.week == self.view.week
            for item in self.view.sightings
            if item.faction in side_of(self.scenario, toward)
        )

    def garrison(self, hex_: str, toward: str) -> Counter[str]:
        """Return the published defences of a faction at a hex by classification.

        Without those that battles showed to be gone.
        """
        bound, _ = self._listed_ships(toward, hex_)
        found: Counter[str] = Counter()
        for name, many in bound.items():
            found[self.classes[name].classification] += many
        return +found

    def _fitting_scan(
        self, known: Sighting, decoys: Decoys, dice: Dice
    ) -> tuple[list[BelievedShip], int]:
        """Ships and drones that fit these counts exactly: (ships, drones that are out)."""
        hex_, faction, counts = known.hex, known.faction, dict(known.counts)
        out = self._draw_drones(faction, counts, decoys, dice)
        bound, mobile = self._listed_ships(faction, hex_)
        battles = len({item.week for item in self.view.losses})
        fought = known.source == BATTLE or self._fought_here(hex_, faction)
        chance = HURT_BEFORE if fought else min(HURT_IN_ALL, HURT_A_BATTLE * battles)
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
        """Draw how many escorts are drones: one for each real ship at most, and what the faction
        can have had.
        """
        escorts, whole = counts.get(DECOY_LABEL, 0), sum(counts.values())
        most = min(escorts, whole // 2)
        if not self.scenario.decoys or most <= 0:
            return 0
        if decoys != "likely":
            return min(most, (escorts * SHARES[decoys] + 50) // HUNDRED)
        listed = sum(pick.decoys for pick in dict(self.scenario.defaults).get(faction, ()))
        points = sum(
            budget.points
            for budget in budgets_of(self.scenario, faction).values()
            if budget.ftl != "none"
        )
        had = listed or points // 10 // max(1, self.scenario.decoy_points)
        if dice.roll(KEY, "drones", HUNDRED) > DRONES:
            return 0
        most = min(most, had)
        return dice.roll(KEY, "many", most) if most else 0

    def _listed_ships(self, faction: str, hex_: str) -> tuple[Counter[str], Counter[str]]:
        """(bound to the system, mobile and not seen elsewhere this week): ships of the published
        lists, by class. They are the caller's to change.
        """
        if (faction, hex_) not in self._listed:
            self._listed[faction, hex_] = self._count_listed(faction, hex_)
        bound, mobile = self._listed[faction, hex_]
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
        self._correct(mobile, faction, *of_a_faction(self.met, faction), ftl=True)
        self._correct(bound, faction, *of_a_faction(self.met, faction, hex_), ftl=False)
        for kind, many in sorted(self._read_elsewhere(faction, hex_).items()):
            _strike_off(
                mobile,
                [name for name in sorted(mobile) if self.classes[name].classification == kind],
                many,
            )
        return bound, mobile

    def _correct(
        self, pool: Counter[str], faction: str, most: Counter[str], gone: Counter[str], *, ftl: bool
    ) -> None:
        """Correct a list of ships with FTL drives, or of those without, by what battles showed of a
        faction.

        `most`: met at once, by class; `gone`: seen destroyed.
        """
        for met, many in sorted(most.items()):
            name = met if met in self.classes else own_class(faction, met)
            if name in self.classes and self.classes[name].ftl == ftl:
                pool[name] = max(0, max(pool[name], many) - gone[met])

    def _read_elsewhere(self, faction: str, hex_: str) -> Counter[str]:
        """Contacts of a faction read at other hexes this week, without as many as may be bound
        there.
        """
        found: Counter[str] = Counter()
        for item in self.view.sightings:
            if item.faction == faction and item.week == self.view.week and item.hex != hex_:
                found.update(dict(item.counts))
        return found

    def _draw_class(
        self, faction: str, kind: str, bound: Counter[str], mobile: Counter[str], dice: Dice
    ) -> ShipClass:
        """Draw a class that reads as `kind`, taken off the lists where it stands there."""
        classes = self.classes
        free = [
            (name, bound[name], classes[name])
            for name in sorted(bound)
            if bound[name] > 0 and name in classes
        ]
        choices = [
            (BOUND * many, (bound, name)) for name, many, cls in free if cls.classification == kind
        ]
        free = [
            (name, mobile[name], classes[name])
            for name in sorted(mobile)
            if mobile[name] > 0 and name in classes
        ]
        choices += [
            (MOBILE * many, (mobile, name))
            for name, many, cls in free
            if cls.classification == kind
        ]
        choices += [
            (WEASEL * many, (mobile, name))
            for name, many, cls in free
            if cls.weasel == kind != cls.classification
        ]
        if choices and dice.roll(KEY, "listed", HUNDRED) > OWN_DESIGN:
            pool, name = _weighted(choices, dice)
            pool[name] -= 1
            return self.classes[name]
        return self._draw_any(faction, kind, dice)

    def _draw_any(self, faction: str, kind: str, dice: Dice) -> ShipClass:
        """Any class of the catalogue that reads so, armed ones first; of own designs a faction has
        its own alone.
        """
        key = faction, kind
        if key not in self._alike:
            self._alike[key] = self._classes_reading(faction, kind)
        return _weighted([(1, cls) for cls in self._alike[key]], dice)

    def _classes_reading(self, faction: str, kind: str) -> list[ShipClass]:
        foreign = tuple(
            own_class(power.id, "") for power in self.scenario.factions if power.id != faction
        )
        may_have = [cls for cls in self.scenario.catalogue if not cls.name.startswith(foreign)]
        alike = [cls for cls in may_have if cls.classification == kind]
        return [cls for cls in alike if cls.weapons] or alike or may_have

    def _fought_here(self, hex_: str, faction: str) -> bool:
        """Whether ours have fought that faction at a hex: they are in contact since a battle, or
        lost ships there.
        """
        touched = any(item.hex == hex_ and item.toward == faction for item in self.view.in_contact)
        return touched or any(item.hex == hex_ for item in self.view.losses)

    def _expected_unseen(
        self, hex_: str, faction: str, known: Sighting | None, dice: Dice
    ) -> list[BelievedShip]:
        """Draw what may stand where no scan of this week looks: published defences, and who was
        seen or may come.
        """
        bound, mobile = self._listed_ships(faction, hex_)
        if known is not None:
            return self._left_of_seen(known, bound, mobile, dice)
        ships: list[BelievedShip] = []
        lost = self._fought_here(hex_, faction)
        for name, many in sorted(bound.items()):
            left = sum(
                not lost or dice.roll(KEY, "left", HUNDRED) <= HUNDRED // 2 for _ in range(many)
            )
            one = BelievedShip(faction, name, self.classes[name].classification, bound=True)
            ships += [one] * left
        if dice.roll(KEY, "visits", HUNDRED) <= VISITS:
            fleets = [pick for pick in dict(self.scenario.defaults).get(faction, ()) if pick.hex]
            moving = [
                pick for pick in fleets if any(self.classes[name].ftl for name, _ in pick.ships)
            ]
            if moving:
                pick = _weighted([(1, pick) for pick in moving], dice)
                crew = [name for name, many in pick.ships for _ in range(many)]
                ships += [
                    BelievedShip(faction, name, self.classes[name].classification) for name in crew
                ]
        return ships

    def _left_of_seen(
        self, known: Sighting, bound: Counter[str], mobile: Counter[str], dice: Dice
    ) -> list[BelievedShip]:
        """Draw what is left of ships seen in an earlier week.

        Defences that cannot leave are still there, as many as were seen. The others are gone by and
        by, unless they are still in contact.
        """
        seen = Counter(dict(known.counts))
        drawn: list[tuple[str, str, bool]] = []  # (class, what it reads as, whether it is bound)
        for name, many in sorted(bound.items()):
            kind = self.classes[name].classification
            there = min(many, seen[kind])
            seen[kind] -= there
            drawn += [(name, kind, True)] * there
        in_contact = any(
            (touch.hex, touch.toward) == (known.hex, known.faction)
            for touch in self.view.in_contact
        )
        weeks = self.view.week - known.week
        stays = HUNDRED if in_contact else STAYS[min(weeks, len(STAYS) - 1)]
        if dice.roll(KEY, "stays", HUNDRED) <= stays:
            nobody: Counter[str] = Counter()
            for kind in sorted(seen):
                classes = [
                    self._draw_class(known.faction, kind, nobody, mobile, dice)
                    for _ in range(seen[kind])
                ]
                drawn += [(cls.name, kind, False) for cls in classes]
        chance = HURT_BEFORE if known.source == BATTLE else 0
        found = []
        for name, kind, is_bound in drawn:
            damage, lost = _damage_before(self.classes[name], chance, dice)
            found.append(BelievedShip(known.faction, name, kind, damage, lost, is_bound))
        return found


def _damage_before(cls: ShipClass, chance: int, dice: Dice) -> tuple[int, tuple[str, ...]]:
    """Draw the boxes and systems that a ship has lost before.

    `chance`: in a hundred, that it has lost any.
    """
    if not chance or dice.roll(KEY, "hurt", HUNDRED) > chance:
        return 0, ()
    share = dice.roll(KEY, "how hurt", MOST_HURT)
    chances = 6 - share // A_ROW
    lost = tuple(id_ for id_ in cls.systems if chances < 6 and dice.roll(KEY, "row") > chances)
    return cls.damage_points * share // HUNDRED, lost


def _strike_off(pool: Counter[str], names: Sequence[str], many: int) -> None:
    """Take so many ships off a list, of each class in turn, as nobody knows which they are."""
    while many > 0 and any(pool[name] for name in names):
        for name in names:
            if pool[name] and many > 0:
                pool[name] -= 1
                many -= 1


def _weighted(choices: Sequence[tuple[int, T]], dice: Dice) -> T:
    """Draw one of the choices, by their weights."""
    whole = sum(weight for weight, _ in choices)
    left = whole * (2 * dice.roll(KEY, "which", HUNDRED) - 1)
    for weight, choice in choices:
        left -= 2 * HUNDRED * weight
        if left <= 0:
            return choice
    return choices[-1][1]
