"""Pairs of worlds, built rather than played: equal in everything one faction may know, otherwise
different.

Known things are drawn once, hidden ones twice, and every tuple of the world is shuffled, so that
hidden things are between known ones in number, order and place. `differences` compares what the
faction sees in both worlds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from campaign.events.contacts import Survivors
from campaign.kinds import StageText
from campaign.rules.codec import encode
from campaign.rules.hexes import labels
from campaign.rules.orders import Decision, Detachment, Dock, FleetSetting, Move, Orders, Tow
from campaign.rules.scenario import Choice, Goods, Objective, Scenario
from campaign.rules.view import Notice, View
from campaign.rules.world import (
    Answer,
    Cargo,
    Contact,
    Delivery,
    Engagement,
    Fleet,
    GoodsStock,
    Holding,
    LateFleet,
    Loss,
    ObjectiveState,
    Pair,
    Scan,
    Ship,
    Work,
    World,
)
from engine.core.errors import Violation
from tests.access.scenarios import FOUR_POWERS, scenario_of_slug

Perceive = Callable[[Scenario, World, str, View | None, Sequence[Notice]], View]
Judge = Callable[[Scenario, World, View, Orders], tuple[Violation, ...]]

SLUGS = ("lafayette", "three-powers", "three-powers", "lafayette-continuum", FOUR_POWERS)
CHOICES: tuple[Choice, ...] = ("fight", "stand-off", "withdraw")
STAGES: tuple[StageText, ...] = ("orders", "decisions", "battles")
GRAIN = "grain"
STATES: tuple[Literal["held", "stand-off", "contested"], ...] = ("held", "stand-off", "contested")


@dataclass(frozen=True)
class WorldPair:
    """Two worlds that the faction `viewer` cannot tell apart, with its memory, reports and possible
    orders.

    Attributes:
        scenario_b: The scenario of the second world, if others have other secret objectives there.
    """

    scenario: Scenario
    viewer: str
    a: World
    b: World
    previous: View | None
    notices: tuple[Notice, ...]
    orders: Orders
    scenario_b: Scenario | None = None


@cache
def draw_scenario(slug: str, shared: bool) -> Scenario:
    return replace(scenario_of_slug(slug), shared_sight=shared)


def with_objectives(dice: random.Random, scenario: Scenario, viewer: str) -> Scenario:
    """Return a scenario with goods, income and objectives; secret ones of others are drawn."""
    places = [system.id for system in scenario.systems]
    systems = tuple(replace(system, income=5) for system in scenario.systems)
    objectives: list[Objective] = []
    for faction in sorted(faction.id for faction in scenario.factions):
        other = next(item.id for item in scenario.factions if item.id != faction)
        last = scenario.weeks
        feed = Objective("feed", faction, "deliver", 2, last, number=90)
        objectives += [
            Objective("hold", faction, "hold", 3, last, number=2, systems=("all",)),
            Objective("stop", faction, "deny", 2, last, of=f"{other}/hold"),
            replace(feed, what=GRAIN, to=(places[0],)),
        ]
        if faction == viewer:
            objectives.append(Objective("keep", faction, "save", 1, last, True, ships="all"))
        elif dice.random() < 0.7:
            points = dice.randint(1, 900)
            secret = Objective("sneak", faction, "bring", points, last, True, ships="all")
            objectives.append(replace(secret, to=(dice.choice(places),)))
    goods = (Goods(GRAIN, "cargo", tuple((place, 50) for place in places[:3])),)
    return replace(scenario, systems=systems, goods=goods, objectives=tuple(objectives))


def two_worlds(seed: int, remember: Perceive) -> WorldPair:
    """Return the pair of a seed.

    Args:
        remember: Gives the faction its memory, from a third world it was in a week before.
    """
    dice = random.Random(seed)
    scenario = draw_scenario(dice.choice(SLUGS), dice.random() < 0.3)
    viewer = dice.choice([faction.id for faction in scenario.factions])
    secrets = random.Random(f"objectives {seed}")
    plain = scenario
    scenario = with_objectives(secrets, plain, viewer)
    past = None
    if dice.random() < 0.7:
        shared_knowledge = SharedKnowledge(dice, scenario, viewer, week=2)
        past = remember(scenario, shared_knowledge.world(dice), viewer, None, ())
    shared_knowledge = SharedKnowledge(dice, scenario, viewer, week=3)
    a, b = shared_knowledge.world(dice), shared_knowledge.world(dice)
    notices = [
        Notice(
            3,
            "orders",
            dice.choice(("arrived", "scanned", "dropped")),
            hex_,
            (("ships", dice.randint(1, 9)),),
        )
        for hex_ in shared_knowledge.hexes[:3]
    ]
    counts = _counts(random.Random(seed))
    facts: tuple[tuple[str, str | int], ...] = (("faction", shared_knowledge.enemies[0]), *counts)
    notices.append(Notice(2, "battles", Survivors.code, shared_knowledge.hexes[0], facts))
    orders = shared_knowledge.orders(dice, a, b)
    other_scenario = with_objectives(secrets, plain, viewer)
    return WorldPair(scenario, viewer, a, b, past, tuple(notices), orders, other_scenario)


class SharedKnowledge:
    """All that one faction may know of a world, drawn once; `world` adds different hidden things
    each
    time.
    """

    def __init__(
        self,
        dice: random.Random,
        scenario: Scenario,
        viewer: str,
        week: int,
        stage: StageText | None = None,
    ) -> None:
        self.scenario, self.viewer, self.week = scenario, viewer, week
        self.stage: StageText = dice.choice(STAGES) if stage is None else stage
        alliance = next(faction.alliance for faction in scenario.factions if faction.id == viewer)
        allies = [
            f.id
            for f in scenario.factions
            if f.id == viewer or (alliance and f.alliance == alliance)
        ]
        self.observers = allies if scenario.shared_sight else [viewer]
        self.others = [faction.id for faction in scenario.factions if faction.id != viewer]
        self.enemies = [faction.id for faction in scenario.factions if faction.id not in allies]
        self.hexes = [system.hex for system in scenario.systems]
        dice.shuffle(self.hexes)
        self.fleets, self.ships = _force(dice, scenario, viewer, self.hexes, dice.randint(1, 8))
        # Allies' positions are known only with shared sight: then their fleets are drawn once, like
        # the viewer's own.
        for ally in self.observers:
            if ally != viewer:
                fleets, ships = _force(dice, scenario, ally, self.hexes, dice.randint(1, 4))
                self.fleets, self.ships = self.fleets + fleets, self.ships + ships
        observed_hexes = {
            fleet.hex
            for fleet in self.fleets
            if fleet.faction in self.observers and not fleet.in_ftl
        }
        self.observed_systems = {
            system.id for system in scenario.systems
            if system.hex in observed_hexes or (system.settled and system.owner in self.observers)
        }  # fmt: skip
        self.holdings = [
            _holding(dice, scenario, system.id)
            for system in scenario.systems
            if system.id in self.observed_systems
        ]
        self.scans = [
            Scan(h, viewer, enemy, _counts(dice)) for h in self.hexes[:3] for enemy in self.enemies
        ]
        mine = [
            (h, min(viewer, enemy), max(viewer, enemy))
            for h in self.hexes[:2]
            for enemy in self.enemies
        ]
        self.pairs = [(*key, dice.choice((None, *CHOICES))) for key in mine]
        self.contacts = [
            Contact(h, a, b, dice.choice(("stand-off", "contested")), "") for h, a, b in mine[:1]
        ]
        self.battles = {self.hexes[0]: dice.choice(self.enemies)} if dice.random() < 0.5 else {}
        lost_ships = _force(dice, scenario, viewer, self.hexes, 1, first=90)[1]
        self.losses = [
            Loss(ship, 1, dice.choice(self.hexes), dice.choice(("captured", "destroyed", "hulk")))
            for ship in lost_ships
        ]

    def world(self, dice: random.Random) -> World:
        """Return a world with what is known and new hidden things, everything in a new order."""
        fleets, ships = list(self.fleets), list(self.ships)
        scans, losses = list(self.scans), list(self.losses)
        holdings = list(self.holdings)
        holdings += [
            _holding(dice, self.scenario, s.id)
            for s in self.scenario.systems
            if s.id not in self.observed_systems
        ]
        for other in self.others:
            if other not in self.observers:
                places = self.hexes + dice.sample(
                    labels(self.scenario.columns, self.scenario.rows), 4
                )
                first = dice.randint(1, 40)
                more, new_ships = _force(
                    dice, self.scenario, other, places, dice.randint(0, 9), first=first
                )
                fleets, ships = (
                    fleets + more,
                    ships + new_ships + self._prizes(dice, more, first + len(new_ships)),
                )
                losses += [
                    Loss(ship, 2, dice.choice(self.hexes), "destroyed")
                    for ship in new_ships[: dice.randint(0, 3)]
                ]
        strangers = [other for other in self.others if other not in self.observers]
        for hex_ in dice.sample(self.hexes, dice.randint(0, 4)):
            for viewer in strangers:
                scans.append(Scan(hex_, viewer, self.viewer, _counts(dice)))
                scans += [
                    Scan(hex_, viewer, other, _counts(dice))
                    for other in strangers
                    if other != viewer
                ]
        pairs = [self._pair(dice, *pair) for pair in self.pairs]
        contacts, engagements = (
            list(self.contacts),
            [self._engagement(*fight) for fight in self.battles.items()],
        )
        if len(self.others) > 1:
            for hex_ in dice.sample(self.hexes, dice.randint(0, 3)):
                x, y = sorted(dice.sample(self.others, 2))
                pairs.append(Pair(hex_, x, y, dice.choice(CHOICES), dice.choice(CHOICES)))
                contacts.append(Contact(hex_, x, y, "stand-off", x))
                if hex_ not in self.battles:
                    engagements.append(
                        Engagement(_fight(hex_, self.week, x, y), hex_, ((x,), (y,)), ((x, y),))
                    )
        cargo = random.Random()  # separate dice too
        cargo.setstate(dice.getstate())
        yards = random.Random()  # separate dice, so that everything older is drawn as before
        yards.setstate(dice.getstate())
        world = World(
            week=self.week,
            stage=self.stage,
            fleets=_shuffled(dice, fleets),
            ships=_shuffled(dice, ships),
            holdings=_shuffled(dice, holdings),
            contacts=_shuffled(dice, contacts),
            scans=_shuffled(dice, scans),
            pairs=_shuffled(dice, pairs),
            engagements=_shuffled(dice, engagements),
            losses=_shuffled(dice, losses),
            works=self._works(yards),
            funds=self._funds(yards),
        )
        return replace(world, **self._cargo(cargo, world.ships))

    def _cargo(self, dice: random.Random, ships: Sequence[Ship]) -> dict[str, Any]:
        """Return goods, landings, progress and late fleets: what is known, and new hidden ones."""
        if not self.scenario.goods:
            return {}
        dice_of_viewer = random.Random(f"cargo {self.week} {self.viewer} {len(self.ships)}")
        goods = []
        for system in self.scenario.systems:
            is_observed = system.id in self.observed_systems
            amount = (dice_of_viewer if is_observed else dice).randint(0, 400)
            goods.append(GoodsStock(system.id, GRAIN, amount))
        target = self.scenario.systems[0].id
        deliveries = [Delivery(self.viewer, GRAIN, target, dice_of_viewer.randint(1, 60), 2)]
        late = [self._late_fleet(dice_of_viewer, self.viewer)]
        for other in self.others:
            for _ in range(dice.randint(0, 3)):
                amount = dice.choice((-1, 1)) * dice.randint(1, 60)
                deliveries.append(Delivery(other, GRAIN, target, amount, dice.randint(1, 2)))
                late.append(self._late_fleet(dice, other))
        states = []
        for objective in self.scenario.objectives:
            states.append(ObjectiveState(objective.key, dice.randint(0, 90)))
        landing = []
        for ship in ships:
            is_known = ship.faction in self.observers
            landing.append(ship if is_known else replace(ship, landing=dice.choice((None, 0, 7))))
        return {
            "goods": _shuffled(dice, goods),
            "deliveries": _shuffled(dice, deliveries),
            "late": _shuffled(dice, late),
            "objectives": _shuffled(dice, states),
            "ships": tuple(landing),
        }

    def _late_fleet(self, dice: random.Random, faction: str) -> LateFleet:
        """Return a fleet of a faction that arrives in a later week."""
        fleets, ships = _force(dice, self.scenario, faction, self.hexes, 1, first=200)
        return LateFleet(dice.randint(4, 6), fleets[0], tuple(ships))

    def _works(self, dice: random.Random) -> tuple[Work, ...]:
        """Return the viewer's yard queue in its order, among that of others."""
        built_class = self.scenario.catalogue[0].name
        mine = [
            Work(f"{self.viewer}/w{n}", self.viewer, "0101", built_class, f"Keel {n}")
            for n in range(1, 1 + len(self.hexes) % 3)
        ]
        other_works = [
            Work(f"{faction.id}/w{n}", faction.id, "0202", built_class, f"Hull {n}")
            for faction in self.scenario.factions
            if faction.id != self.viewer
            for n in range(1, dice.randint(1, 4))
        ]
        works = _shuffled(dice, other_works)
        at = dice.randint(0, len(works))
        return (*works[:at], *mine, *works[at:])

    def _funds(self, dice: random.Random) -> tuple[tuple[str, int], ...]:
        """Return the viewer's building points among those of others."""
        return tuple(
            (faction.id, 70 if faction.id == self.viewer else dice.randint(1, 900))
            for faction in self.scenario.factions
        )

    def _prizes(self, dice: random.Random, fleets: Sequence[Fleet], first: int) -> list[Ship]:
        """Return the viewer's lost ships as prizes, with random captors and numbers of hulks."""
        prizes_made = []
        for number, loss in enumerate(self.losses if fleets else ()):
            if loss.cause != "destroyed" and dice.random() < 0.5:
                fleet = dice.choice(fleets)
                key = f"{fleet.faction}/s{first + number}"
                name = f"{loss.ship.cls} prize {first + number}"
                prizes_made.append(
                    replace(
                        loss.ship,
                        key=key,
                        faction=fleet.faction,
                        fleet=fleet.key,
                        name=name,
                        laid_up=True,
                    )
                )
        return prizes_made

    def _pair(self, dice: random.Random, hex_: str, a: str, b: str, mine: Choice | None) -> Pair:
        other_choice = dice.choice((None, *CHOICES))
        return (
            Pair(hex_, a, b, mine, other_choice)
            if a == self.viewer
            else Pair(hex_, a, b, other_choice, mine)
        )

    def _engagement(self, hex_: str, enemy: str) -> Engagement:
        hostile = ((min(self.viewer, enemy), max(self.viewer, enemy)),)
        return Engagement(
            _fight(hex_, self.week, *hostile[0]), hex_, ((self.viewer,), (enemy,)), hostile
        )

    def orders(self, dice: random.Random, *worlds: World) -> Orders:
        """Return orders to try, legal or not, also about fleets and hexes that only one world has."""
        keys = [fleet.key for fleet in self.fleets] + [
            dice.choice(world.fleets).key for world in worlds
        ]
        ships = [ship.key for ship in self.ships] + [
            dice.choice(world.ships).key for world in worlds
        ]
        goals = self.hexes + [
            fleet.hex for world in worlds for fleet in world.fleets if fleet.faction in self.enemies
        ]
        hex_ = dice.choice(goals)
        return Orders(
            settings=tuple(FleetSetting(key, name="Renamed") for key in dice.sample(keys, 2)),
            detach=(
                Detachment(tuple(dice.sample(ships, 2)), f"{self.viewer}/f{dice.randint(1, 60)}"),
            ),
            dock=tuple(Dock(key, ("drive",), dice.random() < 0.5) for key in dice.sample(ships, 2)),
            weasels=(dice.choice(ships),),
            decide=(Decision(hex_, dice.choice(self.others), dice.choice(CHOICES)),),
            moves=tuple(Move(key, to=dice.choice(goals)) for key in dice.sample(keys, 3)),
            tow=tuple(
                Tow(key, tuple(dice.sample(ships, 2))) for key in (*ships[-2:], dice.choice(ships))
            ),
        )


def differences(two: WorldPair, perceive: Perceive, judge: Judge) -> list[str]:
    """Return the names of what the faction sees differently in the two worlds."""
    results = []
    for scenario, world in ((two.scenario, two.a), (two.scenario_b or two.scenario, two.b)):
        view = perceive(scenario, world, two.viewer, two.previous, two.notices)
        results.append((encode(view), repr(judge(scenario, world, view, two.orders))))
    names = ("view", "violations")
    return [
        name
        for name, first, other in zip(names, results[0], results[1], strict=True)
        if first != other
    ]


def _force(
    dice: random.Random,
    scenario: Scenario,
    faction: str,
    hexes: Sequence[str],
    fleets: int,
    first: int = 1,
) -> tuple[list[Fleet], list[Ship]]:
    fleets_made: list[Fleet] = []
    ships: list[Ship] = []
    for number in range(first, first + fleets):
        in_ftl = dice.random() < 0.2
        fleet = Fleet(
            key=f"{faction}/f{number}",
            faction=faction,
            name=f"Fleet {number}",
            hex=dice.choice(hexes),
            in_ftl=in_ftl,
            must_leave=in_ftl,
            decoys=dice.randint(0, 2),
            standing=dice.choice((None, *CHOICES)),
            answers=(Answer("fight", "", least=dice.randint(1, 5)),) if dice.random() < 0.3 else (),
        )
        fleets_made.append(fleet)
        for _ in range(dice.randint(1, 3)):
            cls = dice.choice(scenario.catalogue)
            lost_systems = tuple(sorted(dice.sample(cls.systems, dice.randint(0, 2))))
            key = f"{faction}/s{first + len(ships)}"
            damage = dice.randint(0, cls.damage_points - 1)
            stock = tuple(
                (system, dice.randrange(full)) for system, full in cls.stock if dice.random() < 0.5
            )
            ships.append(
                Ship(
                    key,
                    faction,
                    f"Ship {len(ships)}",
                    cls.name,
                    fleet.key,
                    damage,
                    lost_systems,
                    stock,
                    laid_up=dice.random() < 0.1,
                    cargo=Cargo("colonists", 100, dice.randint(0, 100))
                    if dice.random() < 0.2
                    else None,
                )
            )
    return fleets_made, _put_in_tow(dice, scenario, ships)


def _put_in_tow(dice: random.Random, scenario: Scenario, ships: list[Ship]) -> list[Ship]:
    """Return the ships with some of them in tow of their fleets' tugs."""
    tugs = {cls.name for cls in scenario.catalogue if cls.tug}
    by_fleet = {ship.fleet: ship.key for ship in ships if ship.cls in tugs}
    return [
        replace(ship, tug=by_fleet[ship.fleet])
        if ship.cls not in tugs and ship.fleet in by_fleet and dice.random() < 0.7
        else ship
        for ship in ships
    ]


def _holding(dice: random.Random, scenario: Scenario, system: str) -> Holding:
    powers: list[Any] = [None, *(faction.id for faction in scenario.factions)]
    return Holding(
        system, dice.choice(powers), dice.randint(0, 3), dice.choice(STATES), dice.choice(powers)
    )


def _fight(hex_: str, week: int, *factions: str) -> str:
    """Return the key of a battle as adjudication makes it, known to its participants."""
    return f"{hex_}/w{week}/{'+'.join(sorted(factions))}"


def _counts(dice: random.Random) -> tuple[tuple[str, int], ...]:
    return tuple(
        (kind, dice.randint(1, 9))
        for kind in ("capital", "cruiser", "escort")
        if dice.random() < 0.6
    )


def _shuffled(dice: random.Random, items: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(dice.sample(items, len(items)))
