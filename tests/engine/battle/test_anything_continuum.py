"""Random battles of Continuum with every weapon and defence, under random legal orders."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine import stops
from engine.battle import Battle, ResolvedStop, battle_from, start
from engine.captains.common.doctrine import Doctrine
from engine.continuum.defence_level import is_by_level
from engine.continuum.defence_plans import defence_weapons
from engine.continuum.edition import CONTINUUM
from engine.continuum.launching import STAGE_ORDER
from engine.core.dice import Dice
from engine.core.geometry import SIX_ARC_BITS
from engine.core.kinds import BASED
from engine.core.state import CONTROL, ENGAGE, OVER, PLOT
from engine.events.event import Event
from engine.notation.designs import read_design
from engine.order_requests.attack import ATTACK
from engine.order_requests.defend import DEFEND
from engine.order_requests.launch import launchers_of
from engine.pieces.group import Group
from engine.pieces.marker import Marker
from engine.ruleset import option_violations
from engine.view.side_log import side_log
from engine.view.side_view import observe
from engine.weapons.weapon import Trait
from tests.engine.battle.table import replays
from tests.engine.battle.variations import varied

ARCS = tuple(SIX_ARC_BITS)
SYSTEM_PRICES = tuple(price for prices in CONTINUUM.system_prices.values() for price in prices)
CORNERS = ((35.0, 38.0, 3), (55.0, 50.0, 9), (38.0, 55.0, 5))
TURNS = 7
SETTINGS = {
    "fusion-array": ("torpedo", "flare"),
    "pulse-torpedo": ("long", "short", "standard"),
    "pulser": ("short",),
}


def fitting(luck: Random) -> dict[str, Any]:
    """Return a random row of the price lists, with possible arcs."""
    price = luck.choice(SYSTEM_PRICES)
    entry: dict[str, Any] = {"type": price.type}
    if price.size:
        entry["class"] = price.size
    if price.model:
        entry["model"] = price.model
    arcs = luck.choice(price.mounts)[0] if price.mounts else 0
    if 0 < arcs < len(ARCS):
        at = ARCS.index("F") if arcs == 1 else luck.randrange(len(ARCS))
        entry["arcs"] = [ARCS[(at + n - arcs // 2) % len(ARCS)] for n in range(arcs)]
    if price.free:
        entry["mass"] = luck.randint(1, 6)
    return entry


def armed_with_ordnance(luck: Random) -> list[dict[str, Any]]:
    """Return a magazine with launchers, single missiles, and defences against them."""
    magazine = {"type": "magazine", "mass": luck.choice([2, 4, 7, 8])}
    launchers = luck.randint(1, 2)
    ordnance = [
        {"type": "salvo-launcher", "arcs": ["FP", "F", "FS"], "magazine": "magazine-1"}
        for _ in range(launchers)
    ]
    more: list[dict[str, Any]] = [
        {"type": "rocket-pod", "arcs": ["FP", "F", "FS"]}, {"type": "rocket-pod", "arcs": ["AP", "FP", "F"]},
        {"type": "plasma-bolt", "class": luck.randint(1, 3), "arcs": ["F"]},
        {"type": "antimatter-missile", "arcs": ["FP", "F", "FS"]},
        {"type": "salvo-rack", "arcs": ["FP", "F", "FS"]}, {"type": "heavy-missile"}, {"type": "pds"}, {"type": "adfc"},
        {"type": "heavy-missile", "model": "two-stage"}, {"type": "ads", "arcs": [*ARCS]}, {"type": "scattergun"},
    ]  # fmt: skip
    return [magazine, *ordnance, *luck.sample(more, luck.randint(1, 5))]


def design(luck: Random, options: list[str]) -> dict[str, Any]:
    """Return a legal ship: parts that make it illegal are removed again."""
    mass = luck.choice([20, 40, 60, 90, 140, 200, 300])
    result: dict[str, Any] = {
        "class": f"Ship {luck.randint(1, 9999)}",
        "edition": "continuum",
        "kind": "warship",
        "mass": mass,
        "hull": {"boxes": luck.randint(mass // 8 + 4, mass // 4 + 4), "rows": luck.randint(3, 6)},
        "thrust": luck.randint(0, 6),
        "drive": luck.choice(["standard", "standard", "advanced"]),
        "ftl": luck.choice(["none", "standard", "advanced"]),
        "armour": [[luck.randint(0, 3), luck.randint(0, 2)] for _ in range(luck.randint(0, 3))],
        "stealth": luck.choice([0, 0, 1, 2]),
        "orientation": luck.choice(["alpha", "alpha", "beta"]),
        "systems": [
            {"type": "firecon", "count": 2},
            *(fitting(luck) for _ in range(luck.randint(2, mass // 6))),
        ],
    }
    if mass >= 60 and luck.random() < 0.4:
        result["systems"] += armed_with_ordnance(luck)
    for _ in range(80):
        faults = read_design(result, options=options)
        wrong = [*faults.malformed, *faults.illegal]
        if not wrong:
            return result
        places = [
            int(match[1])
            for fault in wrong
            if (match := re.match(r"systems\[(\d+)\]", fault.where))
        ]
        if places:
            result["systems"] = [
                item for n, item in enumerate(result["systems"]) if n not in places
            ]
        elif len(result["systems"]) > 1:
            result["systems"].pop()
        else:
            result |= {
                "armour": [],
                "stealth": 0,
                "thrust": 2,
                "hull": {"boxes": mass // 4 + 1, "rows": 4},
            }
    raise AssertionError(wrong)


def battle(luck: Random) -> dict[str, Any]:
    """Return two or three sides of one to four ships, with or without bogeys and options."""
    options: list[str] = []
    for option in CONTINUUM.known_options:
        if luck.random() < 0.4 and not option_violations("continuum", [*options, option]):
            options.append(option)
    sides = []
    for n, (x, y, course) in enumerate(CORNERS[: luck.randint(2, 3)]):
        ships = [
            {
                "id": f"{'rbg'[n]}{k}Q",
                "contact": f"c{k}{'rbg'[n]}x",
                "design": design(luck, options),
                "at": [x + luck.randint(-6, 6), y + luck.randint(-4, 4)],
                "course": course,
                "velocity": luck.randint(0, 12),
            }
            for k in range(luck.randint(1, 4))
        ]
        sides.append({"name": ("red", "blue", "gold")[n], "ships": ships})
    bogeys = luck.random() < 0.4 and "known-contacts" not in options
    terms = {
        "edition": "continuum",
        "table": [96, 90],
        "bogeys": bogeys,
        "options": options,
        "seed": 1,
    }
    return {**terms, "sides": sides, "terrain": terrain(luck)}


def terrain(luck: Random) -> list[dict[str, Any]]:
    """Return random terrain between the fleets, sometimes none."""
    kinds: list[dict[str, Any]] = [
        {"kind": "cloud", "radius": luck.randint(3, 9)},
        {"kind": "field", "radius": luck.randint(2, 6)},
        {
            "kind": "debris",
            "radius": 2,
            "course": luck.randint(1, 12),
            "velocity": luck.randint(0, 9),
        },
    ]
    many = luck.choice((0, 0, 1, 2))
    return [
        {**body, "at": [luck.randint(30, 60), luck.randint(35, 60)]}
        for body in luck.sample(kinds, many)
    ]


def words(luck: Random, view: Any, ship: Any) -> list[str]:
    """Return plot words that may suit a ship's systems, each with a possible argument."""
    fits = ship.sheet.fits
    result = [
        "roll",
        "et",
        "ftl",
        "stealth active",
        "stealth passive",
        "reflex",
        f"cloak {luck.randint(1, 3)}",
        "jam",
    ]
    result += ["detonate"] if luck.random() < 0.1 else []
    result += [f"turret {fit.id} {luck.choice(ARCS)}" for fit in fits if fit.type == "turret"]
    result += [f"charge {fit.id}" for fit in fits if fit.type == "wave-gun"]
    result += [f"set {fit.id} {setting}" for fit in fits for setting in SETTINGS.get(fit.type, ())]
    result += [f"overload {fit.id}" for fit in fits if fit.type == "pulse-torpedo"]
    result += [f"squadron {other.id}" for other in view.own_ships if other is not ship]
    result += [f"ram {contact.id}" for contact in view.contacts] + ["nova", "alone", "leave"]
    return luck.sample(result, min(len(result), luck.randint(0, 6)))


def plot(luck: Random, battle: Battle, view: Any, ship: Any) -> str:
    """Return a move, and words that this ship could carry out, each on its own."""
    burns = ["TP2", "TS1", "MD2", "MD1", "PP1", "PS1", "PR1"]
    moves = [
        "P1",
        "S1",
        "P2+1",
        "S1-1",
        "+2",
        "-1",
        "P1S1",
        "",
        " ".join(luck.sample(burns, luck.randint(1, 3))),
    ]
    parts = [part for part in (luck.choice(moves), *words(luck, view, ship)) if part]
    accepted_words = [
        part
        for part in parts
        if not stops.read_orders(battle, view.side, {"plot": {ship.id: part}})[1]
    ]
    return "; ".join(dict.fromkeys(accepted_words))


def fires(luck: Random, view: Any, ship: Any) -> list[dict[str, Any]]:
    """Return fire of every weapon at random targets, in random modes."""
    result = []
    foes = [contact for contact in view.contacts if contact.hostile]
    for fit, weapon in zip(ship.sheet.fits, ship.profile.weapons, strict=True):
        if not weapon.is_aimed or not foes or luck.random() < 0.2:
            continue
        foe = luck.choice(foes)
        shot: dict[str, Any] = {"weapon": fit.id, "target": foe.id}
        mode = luck.choice(weapon.modes)
        if mode:
            shot["mode"] = mode
        if foe.sheet is not None:
            system = luck.choice(foe.sheet.fits).id
            if mode in weapon.at_system:
                shot["system"] = system
            elif Trait.SPREADS in weapon.traits and luck.random() < 0.5:
                shot["system"] = [system]
        if luck.random() < 0.1 or mode == "flak":
            shot["at"] = [luck.randint(0, 90), luck.randint(0, 90)]
        result.append(shot)
    return result


def launches(luck: Random, battle: Battle, side: int) -> dict[str, Any]:
    """Return launches at points where targets may be, and further stages, each legal on its own."""
    view = observe(battle.state, side)
    ships = [
        (ship.id, (ship.x, ship.y), launcher)
        for ship in view.own_ships
        for launcher in launchers_of(ship)
    ]
    ways = [
        (item.id, (item.x, item.y), STAGE_ORDER)
        for item in battle.state.pieces_of(Marker)
        if item.side == side
    ]
    result: dict[str, Any] = {}
    for name, (x, y), weapon in (*ships, *ways):
        aims = [(contact.x, contact.y) for contact in view.contacts] or [(x + 9, y)]
        (to_x, to_y), share = luck.choice(aims), luck.choice((0.5, 0.8, 1.0, 1.2))
        at = [round(x + (to_x - x) * share, 1), round(y + (to_y - y) * share, 1)]
        item: dict[str, Any] = {"weapon": weapon, "at": at}
        if weapon.startswith("rocket-pod"):
            item = {
                "weapon": weapon,
                "target": luck.choice([contact.id for contact in view.contacts] or ["?"]),
            }
        if weapon.startswith("antimatter") and luck.random() < 0.4:
            item["fuse"] = "open"
        if luck.random() < 0.2:
            item["load"] = luck.choice(("standard", "extended", "two-stage"))
        tried = {**result, name: [*result.get(name, []), item]}
        if not stops.read_orders(battle, side, {"plot": {}, "launch": tried})[1]:
            result = tried
    return result


def defences(luck: Random, battle: Battle, ship: Any) -> list[dict[str, Any]]:
    """Return random point defence of a ship at what is on its way; by level for a ship of its side."""
    markers = [item.id for item in battle.state.pieces_of(Marker) if item.side != ship.owner]
    if is_by_level(battle.state):
        markers = [item.id for item in battle.state.ships if item.owner == ship.owner]
    else:
        markers += [item.id for item in battle.state.pieces_of(Group) if item.side != ship.owner]
    if not markers:
        return []
    guns = [ship.sheet.fits[index].id for index in defence_weapons(ship)]
    result = [
        {"weapon": gun, "target": luck.choice(markers)} for gun in guns if luck.random() < 0.7
    ]
    for item in result:
        if luck.random() < 0.2:
            item["mode"] = "area"
    side = ship.owner
    return [
        item
        for item in result
        if not stops.read_orders(battle, side, {"defend": {ship.id: [item]}})[1]
    ]


def document(luck: Random, battle: Battle, side: int) -> dict[str, Any]:
    """Return a side's orders at the present phase, before illegal ones are removed."""
    view = observe(battle.state, side)
    if view.stop == PLOT:
        plots = {"plot": {ship.id: plot(luck, battle, view, ship) for ship in view.own_ships}}
        launched = launches(luck, battle, side)
        return plots | ({"launch": launched} if launched else {})
    if view.stop == DEFEND:
        return {"defend": {ship.id: defences(luck, battle, ship) for ship in view.own_ships}}
    if view.stop == ENGAGE:
        return {"engage": {ship.id: fires(luck, view, ship) for ship in view.own_ships}}
    assert view.stop == CONTROL
    repairs = {
        ship.id: {
            "repairs": [
                {"system": name, "parties": 1} for name in dict.fromkeys(ship.lost_systems())
            ][:2]
        }
        for ship in view.own_ships
    }
    return {"control": repairs}


def valid_orders(luck: Random, battle: Battle, side: int) -> dict[str, Any]:
    """Return random orders without those that are refused before sealing."""
    result = document(luck, battle, side)
    entry = next(iter(result))
    for _ in range(40):
        _, faults = stops.read_orders(battle, side, result)
        if not faults:
            return result
        for fault in faults:
            name = re.match(rf"{entry}\.([\w-]+)", fault.where)
            assert name is not None, fault
            orders = result[entry].get(name[1])
            if entry == PLOT and orders and ";" in orders:
                result[entry][name[1]] = orders.rpartition(";")[0]
            elif entry == ENGAGE and orders and (place := re.search(r"\[(\d+)\]", fault.where)):
                result[entry][name[1]] = [
                    order for n, order in enumerate(orders) if n != int(place[1])
                ]
            else:
                result[entry].pop(name[1], None)
            break
    raise AssertionError(faults)


def ordered(luck: Random, battle: Battle, side: int) -> Any:
    """Return a side's orders; sometimes its captain gives all, to reach states that chance seldom
    finds.
    """
    if luck.random() < 0.2 or battle.state.stop == ATTACK:
        return stops.advise(battle, side, Doctrine(), "seed")
    return valid_orders(luck, battle, side)


def check_random_battle(seed: int, *, varies: bool = True) -> None:
    """Fight the battle of a seed, and check every phase: JSON, side views and logs, and the whole
    log.
    """
    luck = Random(seed)
    file = battle(luck)
    if varies:
        file = varied(Random(f"variations/{seed}"), file)
    initial_battle = fighting = start(file)
    dice = Dice(seed)
    events: list[Event] = []
    while fighting.state.stop != OVER and fighting.turn <= TURNS:
        turn_orders = {
            side: ordered(luck, fighting, side) for side in stops.awaited_sides(fighting)
        }
        fighting, stop = stops.resolve_documents(fighting, turn_orders, dice)
        events += stop.events
        looked_at(fighting, stop)
    assert not [event for event in events if event.kind == "order-refused"]
    if fighting.state.stop in (PLOT, OVER):
        assert replays(initial_battle, fighting)


def looked_at(after: Battle, stop: ResolvedStop) -> None:
    text = json.dumps(after.to_json())
    assert json.dumps(battle_from(json.loads(text)).to_json()) == text
    for side in range(len(stop.after.sides)):
        documents = json.dumps(
            [observe(stop.after, side).to_json(), side_log(stop.events, stop.before, side)]
        )
        assert [
            ship.id
            for ship in stop.after.ships
            if ship.owner != side and ship.status != BASED and ship.id in documents
        ] == []


@settings(max_examples=4, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(st.integers(0, 1_000_000))
def test_random_battles_resume_replay_and_leak_nothing(seed: int) -> None:
    check_random_battle(seed)


@pytest.mark.parametrize("seed", [339])  # a hulk that drifts on by vectors
def test_battles_that_once_failed(seed: int) -> None:
    check_random_battle(seed, varies=False)
