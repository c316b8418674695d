"""Play random wars of all kinds between computer admirals, and report what goes wrong.

`python -m tools.bench.any_wars [--wars N] [--first SEED]` takes the scenarios of the project in
turn, and changes each at random: terrain, stations, mines, goods, objectives, late forces, rules
for set-ups, agreed and barred things, craft, movement, open markers. A change that is not valid is
left out. Admirals have random characters. Now and then a faction gives no orders, or its fleets get
another doctrine, and its battles another formation and places of single ships. After every stage
the world and each view are read back from JSON, no ship is lost or doubled, and no view has the key
of a hostile ship. Every tenth war is a tournament instead, whose battles captains fight.

The exit status is 1 if a war has a fault: an exception, invalid orders of an admiral, or a failed
check.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any, Literal

from campaign.events.war import OrderDropped
from campaign.kinds import StageKind
from campaign.orders.validation import order_violations
from campaign.rules.codec import from_document, to_document
from campaign.rules.files import (
    fixture_scenarios,
    fixture_text,
    neutral_region_text,
)
from campaign.rules.orders import BattleSetUp, FleetSetting, Orders
from campaign.rules.queries import are_hostile
from campaign.rules.scenario import Scenario
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import read_file
from campaign.rules.set_up_sheets import known_file, own_entries, place_faults
from campaign.rules.skirmish import BATTLE
from campaign.rules.system_mines import MAX_MINES
from campaign.rules.tournament import next_round, round_count, table_of
from campaign.rules.tournament_file import read_tournament
from campaign.rules.view import SetUpSheet, View
from campaign.rules.world import Doctrine, World
from engine.battle import fight, start
from engine.core.dice import Dice
from engine.core.terms import ACES, DOGFIGHT_ACTIONS, MIXED_MOVEMENT
from engine.craft.roles import CHOICES as ROLE_CHOICES
from engine.design.restrictions import restriction_words
from engine.notation.files import classes_for, read_input
from engine.ruleset import rules_of
from umpire.admirals.character import CHARACTERS
from umpire.rehearsal import PlayedStage, WarInMemory

Document = dict[str, Any]
Change = Callable[[Random, Document], None]

WARS = 300
SHARE = 0.5  # how often each change is tried
ABSENT = 0.08  # share of the orders that a faction does not give
VARIED = 0.3  # share of the orders in which a doctrine or a formation is drawn at random
FORMATIONS: tuple[Literal["ranks", "line", "column", "wedge", "screen"], ...] = (
    *("ranks", "line", "column"),
    *("wedge", "screen"),
)
SECOND_EDITION = "second-edition"
STATIONS = {
    SECOND_EDITION: ("Mining Station", "Defence Installation", "Research Station", "Starbase"),
    "continuum": ("Picket Station",),
}
GATE_STATION = "Gate Station"  # a class of Continuum; in the second edition the change is not valid
FREIGHTERS = {SECOND_EDITION: ("Heavy Freighter", 306), "continuum": ("Bulk Freighter", 200)}
TERRAIN = {
    SECOND_EDITION: (
        {"kind": "asteroids", "roll": True},
        {"kind": "asteroids", "count": 6},
        {"kind": "asteroid", "at": [0, 6], "radius": 2, "boxes": 50},
    ),
    "continuum": (
        {"kind": "asteroids", "roll": True},
        {"kind": "planet", "at": [0, 0], "radius": 5},
        {"kind": "cloud", "at": [4, 4], "radius": 6},
        {"kind": "field", "at": [-6, 2], "radius": 4},
        {"kind": "debris", "at": [5, -5], "radius": 3, "course": 4, "velocity": 3},
        {"kind": "flares", "turns": [2, 5]},
    ),
}
GOODS = "ore"
SINGLE_BATTLES = ("meeting-engagement", "first-battle", "convoy-990")
TOURNAMENT_EVERY = 10  # wars


def war_documents() -> dict[str, Document]:
    """Return the scenario files of wars, by slug, and that of the neutral region."""
    documents = {slug: read_file(fixture_text(slug)) for slug in sorted(fixture_scenarios())}
    wars = {slug: document for slug, document in documents.items() if BATTLE not in document}
    return {**wars, "lantern-reach": read_file(neutral_region_text())}


def draw_scenario(luck: Random, document: Document) -> tuple[Scenario, list[str]]:
    """Return a scenario with random changes, and the names of those that were valid."""
    changed = document
    scenario, faults = check_draft(document)
    assert not faults, faults
    names = []
    for change in CHANGES:
        if luck.random() > SHARE:
            continue
        candidate: Document = json.loads(json.dumps(changed))
        change(luck, candidate)
        candidate_scenario, faults = check_draft(candidate)
        if not faults:
            changed, scenario = candidate, candidate_scenario
            names.append(change.__name__.strip("_"))
    return scenario, names


def _some_systems(luck: Random, document: Document) -> list[Document]:
    systems: list[Document] = document["systems"]
    return luck.sample(systems, luck.randint(1, len(systems)))


def _factions(document: Document) -> list[str]:
    return [faction["id"] for faction in document["factions"]]


def _add_terrain(luck: Random, document: Document) -> None:
    for system in _some_systems(luck, document):
        kinds = TERRAIN[document["edition"]]
        system["terrain"] = [dict(body) for body in luck.sample(kinds, luck.randint(1, 2))]
        if any("asteroid" in body["kind"] for body in system["terrain"]):
            system["drift"] = luck.choice(["roll", {"course": 4, "speed": 3}])


def _add_mines(luck: Random, document: Document) -> None:
    width, depth = document["table"]
    for system in _some_systems(luck, document):
        system["mines"] = [
            {
                "faction": luck.choice(_factions(document)),
                "at": [
                    luck.randint(-width // 4, width // 4),
                    luck.randint(-depth // 4, depth // 4),
                ],
            }
            for _ in range(luck.randint(1, 12))
        ]


def _add_stations(luck: Random, document: Document) -> None:
    for number, system in enumerate(_some_systems(luck, document)):
        if system.get("stations"):
            continue
        station = {
            "id": f"post{number}",
            "class": luck.choice(STATIONS[document["edition"]]),
            "faction": system.get("owner") or luck.choice(_factions(document)),
            "name": f"Post {number}",
            "at": [luck.randint(-15, 15), luck.randint(-10, 10)],
        }
        if luck.random() < 0.5:
            station["base"] = True
        if luck.random() < 0.3:
            station["berths"] = [10, 5]
        if luck.random() < 0.3:
            station |= {"course": luck.randint(1, 12), "velocity": luck.randint(1, 4)}
        system["stations"] = [station]


def _add_gate_stations(luck: Random, document: Document) -> None:
    """Let a station carry an end of each link that begins or ends in a star system."""
    systems = {system["hex"]: system for system in document["systems"]}
    for number, link in enumerate(document.get("links", ())):
        ends = [systems[hex_] for hex_ in (link["a"], link["b"]) if hex_ in systems]
        if link["kind"] == "gate" and ends:
            system = luck.choice(ends)
            link.setdefault("id", f"link{number}")
            station = {
                "id": f"gate{number}",
                "class": GATE_STATION,
                "faction": system.get("owner") or luck.choice(_factions(document)),
                "name": f"Gate {number}",
                "at": [-20, luck.randint(-10, 10)],
                "gate": link["id"],
            }
            system.setdefault("stations", []).append(station)


def _forbid_ftl(luck: Random, document: Document) -> None:
    for system in _some_systems(luck, document):
        system["hyper_limit"] = True


def _add_income(luck: Random, document: Document) -> None:
    for system in _some_systems(luck, document):
        system["income"] = luck.randint(10, 80)


def _add_convoys(luck: Random, document: Document) -> None:
    """Give a faction freighters with goods to deliver, and another one the task to stop them."""
    owned = [system for system in document["systems"] if system.get("owner")]
    source = luck.choice(owned)
    faction = source["owner"]
    targets = [system for system in document["systems"] if system is not source]
    target = luck.choice(targets)
    freighter, points = FREIGHTERS[document["edition"]]
    count = luck.randint(2, 4)
    force = document["forces"][faction]
    force["budgets"]["ore-convoy"] = {
        "points": count * points,
        "ftl": "required",
        "deploy": [source["id"]],
    }
    force["default"].append(
        {
            "name": "Ore Convoy",
            "budget": "ore-convoy",
            "at": source["id"],
            "ships": {freighter: count},
        }
    )
    document.setdefault("goods", {})[GOODS] = {
        "kind": luck.choice(("cargo", "passengers", "troops", "specialists")),
        "at": {source["id"]: 100 * count},
    }
    objectives = document.setdefault("objectives", {})
    deliver = {"id": "ore", "kind": "deliver", "what": GOODS, "to": [target["id"]]}
    objectives.setdefault(faction, []).append({**deliver, "amount": 50 * count, "points": 4})
    for other in _factions(document):
        if other != faction:
            objectives.setdefault(other, []).append(
                {"id": "stop-ore", "kind": "deny", "of": f"{faction}/ore", "points": 3}
            )


def _add_mine_warfare(luck: Random, document: Document) -> None:
    """Give each faction a budget of minelayers and minesweepers."""
    document["classification_limit"] = "4/5"  # these ships are escorts
    classes = {
        SECOND_EDITION: ("Minelayer", "Minesweeper"),
        "continuum": ("Sower Minelayer", "Reaper Minesweeper"),
    }[document["edition"]]
    for faction, force in document["forces"].items():
        own = [system["id"] for system in document["systems"] if system.get("owner") == faction]
        if own:
            place = luck.choice(own)
            force["budgets"]["mines"] = {"points": 600, "ftl": "required", "deploy": own}
            ships = {name: luck.randint(1, 2) for name in classes}
            force["default"].append(
                {"name": "Mine Flotilla", "budget": "mines", "at": place, "ships": ships}
            )


def _limit_set_ups(luck: Random, document: Document) -> None:
    document["set_up"] = {
        "manner": luck.choice(("sealed", "by-side")),
        "velocity": [luck.randint(0, 6), luck.randint(6, 24)],
        "ftl": luck.random() < 0.5,
    }


def _agree_options(luck: Random, document: Document) -> None:
    """Add options that need no other, each only if the scenario stays valid."""
    names = [
        option.name
        for option in rules_of(document["edition"]).choices
        if not option.of_designs and not option.needs
    ]
    for name in luck.sample(names, 5):
        options = document.get("options", [])
        if name not in options and not check_draft({**document, "options": [*options, name]})[1]:
            document["options"] = [*options, name]


def _open_markers(luck: Random, document: Document) -> None:
    document["open_play"] = True
    document["dummies"] = luck.randint(0, 3)


def _let_patrols_scan(_: Random, document: Document) -> None:
    document["patrols"] = True


def _shorten_battles(luck: Random, document: Document) -> None:
    document["battles"] = {"max_turns": luck.randint(6, 30)}


def _let_crews_ram(luck: Random, document: Document) -> None:
    for faction in document["factions"]:
        faction["ram_on"] = luck.randint(2, 6)


def _send_late_forces(luck: Random, document: Document) -> None:
    """Let ships of each faction arrive in a later week, from a budget of their own."""
    week = luck.randint(2, max(2, document["weeks"] - 1))
    for faction, force in document["forces"].items():
        own = [system["id"] for system in document["systems"] if system.get("owner") == faction]
        if not own:
            continue
        ships = luck.choice(force["default"])["ships"]
        name = luck.choice(list(ships))
        force["budgets"]["late"] = {"points": 1000, "ftl": "any", "deploy": own, "week": week}
        late = {"name": "Late Squadron", "budget": "late", "at": own[0], "ships": {name: 1}}
        force["default"].append(late)


def _add_objectives(luck: Random, document: Document) -> None:
    """Give each faction a series of objectives, some of them secret, each only if it is valid."""
    factions = _factions(document)
    systems = [system["id"] for system in document["systems"]]
    objectives = document.setdefault("objectives", {})
    for faction in factions:
        enemy = luck.choice([other for other in factions if other != faction])
        ships = luck.choice(("all", "escort", "cruiser", "capital"))
        kinds: list[Document] = [
            {"kind": "hold", "of": "all", "at_least": luck.randint(1, 3), "weeks": 2},
            {"kind": "hold", "of": [luck.choice(systems)], "when": luck.choice(("once", "end"))},
            {"kind": "bring", "ships": ships, "to": luck.sample(systems, 2), "at_least": 1},
            {"kind": "destroy", "of": enemy, "ships": ships, "at_least": 2},
            {"kind": "destroy", "of": enemy, "at_least": 300, "measure": "points"},
            {"kind": "save", "ships": ships, "at_least": 1},
            {"kind": "lose-less", "measure": luck.choice(("ships", "points")), "at_most": 5},
            {"kind": "ruins", "of": enemy, "at_least": 1},
        ]
        for number, kind in enumerate(luck.sample(kinds, 3)):
            objective = {"id": f"aim{number}", **kind, "points": luck.randint(1, 5)}
            objective["secret"] = luck.random() < 0.5
            if luck.random() < 0.2:
                objective["by"] = luck.randint(2, document["weeks"])
            own = objectives.get(faction, [])
            added = {**objectives, faction: [*own, objective]}
            if not check_draft({**document, "objectives": added})[1]:
                objectives[faction] = added[faction]
    document["judging"] = {"first": luck.random() < 0.5, "margin": luck.choice((0, 100))}


def _bar_things(luck: Random, document: Document) -> None:
    """Bar systems and kinds of ships, or allow only some, each only if the forces stay valid."""
    words = restriction_words(rules_of(document["edition"]))
    if luck.random() < 0.5:
        document["barred"] = luck.sample(words, 2)
        return
    allowed = list(words)
    for word in luck.sample(words, 4):
        fewer = [other for other in allowed if other != word]
        if not check_draft({**document, "allowed": fewer})[1]:
            allowed = fewer
    document["allowed"] = allowed


def _mix_movement(luck: Random, document: Document) -> None:
    options = document.get("options", [])
    document["options"] = [*options, *({MIXED_MOVEMENT} - {*options})]
    luck.choice(document["factions"])["movement"] = "vector"


def _choose_craft(luck: Random, document: Document) -> None:
    """Let aces be bought, fighters dogfight by actions, and multi-role fighters have other types."""
    options = document.get("options", [])
    document["options"] = [*options, *({ACES, DOGFIGHT_ACTIONS} - {*options})]
    document["aces"] = "bought"
    for faction in document["factions"]:
        faction["dogfights"] = {"fuel": luck.randint(3, 8)}
    if document["edition"] != SECOND_EDITION:
        document["multi_role"] = luck.sample(ROLE_CHOICES, 3)


def _close_gates(_: Random, document: Document) -> None:
    """Leave links to those who hold their ends."""
    for link in document.get("links", ()):
        link["open"] = "holder"


CHANGES: tuple[Change, ...] = (
    *(_add_terrain, _add_mines, _add_stations, _add_gate_stations, _forbid_ftl, _add_income),
    *(_add_convoys, _add_mine_warfare, _limit_set_ups, _agree_options),
    *(_open_markers, _let_patrols_scan, _shorten_battles, _let_crews_ram),
    *(_send_late_forces, _add_objectives, _bar_things, _mix_movement, _choose_craft),
    _close_gates,
)


def play_war(document: Document, seed: int) -> tuple[int, Counter[str]]:
    """Play the war of a seed; return its weeks, and how often what happened.

    Raises:
        AssertionError: A check failed, or an admiral gave invalid orders.
    """
    luck = Random(f"any war {seed}")
    scenario, names = draw_scenario(luck, document)
    war = WarInMemory(scenario, seed)
    admirals = {faction: luck.choice(CHARACTERS) for faction in war.factions}
    counts: Counter[str] = Counter(names)
    while not war.is_over:
        orders = {}
        for faction in war.factions:
            if luck.random() < ABSENT:
                continue
            admiral_orders = war.admiral_orders(faction, admirals[faction])
            orders[faction] = varied_orders(luck, scenario, war.views[faction], admiral_orders)
            faults = order_violations(scenario, war.views[faction], orders[faction], faction)
            assert not faults, f"invalid orders of {faction}: {faults}"
        played = war.play_stage(orders)
        check_stage(played)
        check_views(scenario, war)
        counts.update(event.code for event in played.outcome.week_events)
    return war.world.week, counts


def varied_orders(luck: Random, scenario: Scenario, view: View, orders: Orders) -> Orders:
    """Return orders in which now and then fleets or battles get what no admiral chooses."""
    if luck.random() > VARIED:
        return orders
    if view.stage == StageKind.BATTLES:
        set_ups = [_drawn_set_up(luck, scenario, view, sheet) for sheet in view.set_ups]
        return replace(orders, set_up=tuple(set_ups))
    changed = {setting.fleet for setting in orders.settings}
    settings = []
    for fleet in view.fleets:
        if fleet.key not in changed:
            doctrine = Doctrine(
                break_off=luck.choice((20, 60, 100)),
                formation=luck.choice(FORMATIONS),
                speed=luck.choice((None, 0, 12, 24)),
                reserve=luck.choice((0, 2, 5)),
            )
            settings.append(FleetSetting(fleet.key, doctrine=doctrine))
    varied = replace(orders, settings=(*orders.settings, *settings))
    # Not in every stage may fleets be given a doctrine
    return orders if order_violations(scenario, view, varied, view.faction) else varied


def _drawn_set_up(luck: Random, scenario: Scenario, view: View, sheet: SetUpSheet) -> BattleSetUp:
    """Return a formation for a battle, with places of some ships if they are valid."""
    set_up = BattleSetUp(sheet.hex, formation=luck.choice(FORMATIONS))
    file = known_file(scenario, view, sheet)
    places: dict[str, Document] = {}
    for ship in own_entries(file, sheet):
        if "at" in ship and not ship.get("fixed") and luck.random() < SHARE:
            x, y = ship["at"]
            place = {
                "at": [x + luck.randint(-4, 4), y + luck.randint(-8, 8)],
                "velocity": luck.randint(0, 16),
            }
            if not place_faults(file, {**places, ship["id"]: place}, ""):
                places[ship["id"]] = place
    return replace(set_up, ships=places)


def check_stage(played: PlayedStage) -> None:
    """Check the world after a stage."""
    world = played.outcome.world
    assert from_document(World, json.loads(json.dumps(to_document(world)))) == world, (
        "the world is read back otherwise"
    )
    for event in played.outcome.week_events:
        # Whether a gate is open to a faction may change on the way, or be unknown to it
        if isinstance(event, OrderDropped) and event.fault != "gate-closed":
            raise AssertionError(f"an order was dropped: {event}")
    before = [ship.key for ship in played.before.ships]
    before += [loss.ship.key for loss in played.before.losses]
    after = [ship.key for ship in world.ships]
    after += [loss.ship.key for loss in world.losses]
    assert len(after) == len(set(after)), "a ship exists twice"
    assert set(before) <= set(after), f"ships vanished: {sorted(set(before) - set(after))}"
    fleets = {fleet.key for fleet in world.fleets}
    assert {ship.fleet for ship in world.ships} <= fleets, "a ship is in no fleet"
    mines = Counter((mine.system, mine.faction) for mine in world.mines)
    assert all(count <= MAX_MINES for count in mines.values()), "too many mines"


def check_views(scenario: Scenario, war: WarInMemory) -> None:
    """Check that views are read back, and have no keys of hostile ships."""
    stations = {ship.key for ship in war.world.ships if ship.station}
    for faction, view in war.views.items():
        document = json.loads(json.dumps(to_document(view)))
        assert from_document(View, document) == view, "a view is read back otherwise"
        text = json.dumps(document)
        for ship in war.world.ships:
            if ship.key not in stations and are_hostile(scenario, ship.faction, faction):
                assert f'"{ship.key}"' not in text, f"{faction} reads the key {ship.key}"


def play_tournament(seed: int) -> int:
    """Play a tournament with random rules; return its number of rounds.

    Raises:
        AssertionError: A check failed.
    """
    luck = Random(f"any tournament {seed}")
    players = [f"player {n}" for n in range(luck.randint(2, 7))]
    document: Document = {
        "players": players,
        "pairing": luck.choice(("swiss", "all")),
        "rounds": luck.randint(1, 4),
        "win": luck.randint(1, 3),
        "draw": luck.randint(0, 1),
        "results": [],
    }
    slug = luck.choice(SINGLE_BATTLES)
    rounds = 0
    while True:
        tournament = read_tournament(document)
        coming = next_round(tournament)
        if coming.is_over:
            break
        rounds += 1
        assert rounds <= round_count(tournament), "too many rounds"
        in_round = [*chain.from_iterable(coming.pairs), *coming.byes]
        assert len(in_round) == len(set(in_round)), "a player is paired twice in a round"
        for first, second in coming.pairs:
            result = _fight_pair(slug, f"{seed}/{rounds}/{first}", (first, second))
            document["results"].append(
                {"round": coming.number, "a": first, "b": second, "winner": result}
            )
        for player in coming.byes:
            document.setdefault("byes", []).append({"round": coming.number, "player": player})
    rows = table_of(read_tournament(document))
    assert {row.player for row in rows} == set(players)
    return rounds


def _fight_pair(slug: str, seed: str, players: tuple[str, str]) -> str | None:
    """Fight a battle by captains, and return the player who won, or None."""
    file = read_input(f"fixtures/battles/{slug}.yaml")
    battle = start(file, classes_for(file))
    ended = fight(battle, {}, Dice(seed), seed, log=False)
    if ended.winner is None:
        return None
    return players[list(battle.state.sides).index(ended.winner)]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wars", type=int, default=WARS, help=f"default {WARS}")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first war")
    options = parser.parse_args(arguments)
    documents = war_documents()
    slugs = list(documents)
    began, faults = time.process_time(), 0
    weeks = tournaments = 0
    counts: Counter[str] = Counter()
    for seed in range(options.first, options.first + options.wars):
        slug = slugs[seed % len(slugs)]
        try:
            if seed % TOURNAMENT_EVERY == TOURNAMENT_EVERY - 1:
                slug = "tournament"
                play_tournament(seed)
                tournaments += 1
            else:
                played, events = play_war(documents[slug], seed)
                weeks += played
                counts.update(events)
        except Exception as error:  # noqa: BLE001 (whatever it is, it is printed with its seed, and the others are played)
            faults += 1
            print(f"{slug} {seed}: {''.join(traceback.format_exception(error))}", flush=True)
    for name, count in sorted(counts.items()):
        print(f"{count:>6} {name}")
    seconds = time.process_time() - began
    summary = (
        f"{options.wars} wars, of them {tournaments} tournaments, {weeks} weeks, "
        f"{seconds:.0f} CPU seconds"
    )
    print(f"{summary}: {faults} with a fault" if faults else f"{summary}: without a fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
