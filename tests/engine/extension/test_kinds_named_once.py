"""Few modules name a kind of piece: its file, the list of kinds, and the exceptions below."""

from __future__ import annotations

import pytest

from engine.pieces.registry import KINDS, kinds
from tests.sources import names_in, origins_in, source_trees, texts_in

SHAPES = "engine/core/schemas.py"  # contents of older documents

LAYS = "orders to lay and sweep them"
STRIKES = "what one does to a ship"
BATTLE_FILE = "fields of them in battle files"
# Modules that name a kind besides its file and the list of kinds, with the reason.
NAMED_BY: dict[str, dict[str, str]] = {
    "nova": {"engine/combat/nova.py": "the cannon that leaves it"},
    "mine": {
        "umpire/adjudication/minefields.py": "keeps those on a table after the battle",
        "umpire/adjudication/sweeping.py": "sweeps those of a system",
        "engine/captains/common/mine_tactics.py": "a captain lays them, and sweeps those he knows of",
        "engine/second_edition/sequence.py": LAYS,
        "engine/second_edition/edition.py": LAYS,
        "engine/continuum/movement.py": LAYS,
        "engine/continuum/edition.py": LAYS,
        "engine/second_edition/mines.py": STRIKES,
        "engine/continuum/mines.py": STRIKES,
        "engine/second_edition/luck.py": "counts their dice",
        "engine/continuum/explosions.py": "antimatter clears them",
        "engine/continuum/area_fire.py": "spinal mounts sweep them away",
        "engine/notation/mines.py": "a battle file may begin with some",
    },
    "marker": {
        "engine/continuum/homing.py": "homing",
        "engine/continuum/luck.py": "counts the dice of what strikes",
        "engine/continuum/luck_facts.py": "remembers which weapon launched what",
        "engine/continuum/launching.py": "launches and further stages",
        "engine/continuum/defence_plans.py": "what is met",
        "engine/continuum/point_defence.py": "what is met, and strikes",
        "engine/continuum/craft/targets.py": "craft meet it",
        "engine/continuum/craft/guard_boats.py": "boats on guard meet it",
        "engine/order_requests/defend.py": "whom it calls to point defence",
        "engine/pieces/guard_events.py": "boats on guard meet it",
        "engine/continuum/craft/loads.py": "craft launch it",
        "engine/continuum/craft/dogfights.py": "craft meet it",
        "engine/pieces/craft_events.py": "craft meet it",
        "engine/captains/continuum/craft_attacks.py": "a captain's craft meet it",
        "engine/captains/continuum/expected_attacks.py": "what meets it, and what to expect",
        "campaign/forms/battle/task_data.py": "where it stands, and what it is called",
        "campaign/replays/moments.py": "where it stands before its strikes",
        "engine/continuum/defence_level.py": "what is met by level",
        "engine/continuum/blasts.py": "what goes off",
        "engine/continuum/explosions.py": "what explosions clear",
        "engine/continuum/area_fire.py": "what beams and waves sweep away",
        "engine/continuum/ftl.py": "what drives tear apart",
        "engine/pieces/point_defence_targets.py": "what it is taken for",
        "engine/pieces/flak.py": "flak goes off at it",
        "engine/continuum/flak.py": "flak goes off at it",
        "engine/stops.py": "orders name it",
        "engine/cli/battle.py": "battle files tell of it",
        "campaign/forms/battle/craft_attack_form.py": "craft are told to meet it",
        "campaign/forms/battle/ordnance_form.py": "its further stages are ordered, and it is a target",
        "campaign/forms/battle/launch_data.py": "the card of its further stage",
        "umpire/services/battle_sheets.py": "whose it is",
    },
    "rock": {
        "campaign/rules/system_terrain.py": "places those of a system",
        "campaign/web/battle_facts.py": "words of the die that decides their number",
        "campaign/web/scenario_menus.py": "words of the die that decides their number",
        "engine/second_edition/fire_phase.py": "fire at the same",
        "engine/continuum/fire_at_bodies.py": "fire at the same",
        "engine/notation/terms.py": BATTLE_FILE,
        "engine/notation/battles.py": BATTLE_FILE,
        "engine/notation/open_bodies.py": BATTLE_FILE,
        "engine/notation/laid_bodies.py": BATTLE_FILE,
        "engine/notation/body_places.py": "those that sides place",
        "engine/battle.py": "lays the field",
    },
    "cloud": {"engine/continuum/terrain.py": "lays them by an option"},
    "debris": {
        "engine/continuum/terrain.py": "lays a swarm by an option",
        "engine/continuum/checks.py": "ships that blow up leave it",
        "engine/continuum/point_defence.py": "those that missiles blow up too",
    },
    "flak": {
        "engine/continuum/flak.py": "guns lay it",
        "engine/continuum/fly_by.py": "what it does to what flies by",
        "engine/continuum/sequence.py": "when it bursts",
    },
    "star": {"engine/notation/terrain.py": "the turns of its flares"},
    "section": {
        "engine/notation/sections.py": "ships that are one, in battle files",
        "engine/continuum/sections.py": "how near the next one is",
        "campaign/rules/ship_sections.py": "how near the next one is, of a war's starbases",
    },
    "site": {
        "engine/captains/continuum/orbiting.py": "a captain's ships bombard it",
        "engine/continuum/ortillery.py": "it is bombarded",
        "engine/notation/ground.py": BATTLE_FILE,
        "engine/stops.py": "orders name it",
        "engine/table_results/validation.py": "people enter its damage",
        "engine/table_results/comparison.py": "people enter its damage",
        "umpire/adjudication/bombardment.py": "its damage stays in a war",
        "umpire/pages/battle_result.py": "an umpire enters its damage",
    },
    "planet": {
        "engine/continuum/terrain.py": "lays one by an option",
        "engine/captains/continuum/orbiting.py": "a captain's ships go round it, and bombard it",
        "engine/continuum/ortillery.py": "what is on it is bombarded",
        "engine/notation/ground.py": "what is on it, in battle files",
        "engine/continuum/orbits.py": "ships go round it",
        "engine/notation/orbits.py": "ships that begin in orbit",
        "engine/table_results/validation.py": "what ships run into, and land on, at a table",
        "campaign/forms/set_up_choices.py": "ships that are set up in orbit",
    },
    "gate": {
        "engine/notation/gates.py": BATTLE_FILE,
        "engine/notation/set_up.py": "ships that are set up to come out of one",
        "engine/notation/placing.py": "ships that are set up to come out of one",
        "engine/continuum/gates.py": "ships go through them",
        "engine/captains/continuum/gravity_and_gates.py": "those who leave do",
    },
}
# Fighters have orders, rules and captains of their own.
FIGHTERS = (
    *(
        "engine/fighters/",
        "engine/order_requests/",
        "engine/captains/",
        "engine/second_edition/",
        "engine/continuum/",
        "engine/movement/set_up_phase.py",
    ),
    *(
        "engine/stops.py",
        "engine/recorded_orders.py",
        "engine/sequences.py",
        "engine/combat/disengaging.py",
        "engine/events/battle.py",
    ),
    *(
        "engine/pieces/craft_events.py",
        "engine/pieces/group_events.py",
        "engine/pieces/squadron_events.py",
    ),
    *("engine/pieces/hangar_events.py", "engine/pieces/pilot_events.py"),
    *("engine/pieces/guard_events.py", "campaign/forms/battle/boat_guard_form.py"),
    *("engine/notation/battle_craft.py", "engine/notation/positions.py"),
    "campaign/forms/battle/dogfight_form.py",
    *("campaign/forms/battle/craft_data.py", "campaign/forms/battle/fire_data.py"),
    *("engine/pieces/point_defence_targets.py", "engine/pieces/flak.py"),
    *(
        "engine/pieces/craft_events.py",
        "engine/notation/battle_craft.py",
        "engine/pieces/atmosphere.py",
    ),
    *("engine/pieces/marker.py", "engine/pieces/dogfight_events.py"),
    *(
        "campaign/forms/battle/craft_form.py",
        "campaign/forms/battle/craft_attack_form.py",
        "campaign/forms/battle/ordnance_form.py",
        "campaign/forms/battle/task_data.py",
    ),
    "campaign/forms/battle/launch_data.py",
    *("campaign/forms/battle/fight_form.py", "umpire/services/battle_sheets.py"),
)
# Code that words events names the classes of events in a kind's file, but never the kind itself.
TELLING = ("campaign/words/battle/", "campaign/replays/", "campaign/web/battle_ends.py")


def naming(module: str, words: tuple[str, ...]) -> list[str]:
    """Return the modules that import from a kind's file, or write its name or its list in a view."""
    return [
        path
        for path, tree in source_trees().items()
        if module in origins_in(tree) or not texts_in(tree).isdisjoint(words)
    ]


@pytest.mark.parametrize("kind", [kind.kind for kind in KINDS])
def test_kind_is_named_by_its_file_and_few_others(kind: str) -> None:
    cls = next(candidate for candidate in kinds() if candidate.kind == kind)
    home = cls.__module__.replace(".", "/") + ".py"
    words = tuple(
        key for key in cls.view_keys if key in ("flyers", "novas")
    )  # the others also mean something else
    others = {*naming(cls.__module__, words)} - {home, "engine/pieces/registry.py", SHAPES}
    others = {
        path
        for path in others
        if not path.startswith(TELLING) or cls.__name__ in names_in(source_trees()[path])
    }
    if kind == "group":
        others = {path for path in others if not path.startswith(FIGHTERS)}
    assert others == set(NAMED_BY.get(kind, {}))


def test_nova_template_is_named_by_three_modules() -> None:
    classes = [path for path, tree in source_trees().items() if "Nova" in names_in(tree)]
    assert sorted(classes) == [
        "engine/combat/nova.py",
        "engine/pieces/nova.py",
        "engine/pieces/registry.py",
    ]


@pytest.mark.parametrize(
    "path",
    [
        *(
            "engine/core/state.py",
            "engine/documents.py",
            "engine/view/side_view.py",
            "engine/known_battle.py",
        ),
        *("engine/view/side_log.py", "engine/movement/edges.py"),
        *("umpire/services/tables.py", "campaign/pages/battle/fights.py"),
        *("campaign/pages/table/tables.py", "campaign/services/phases.py"),
        *("engine/combat/line_of_sight.py", "engine/captains/common/objectives.py"),
    ],
)
def test_modules_that_pass_pieces_on_name_no_kind(path: str) -> None:
    assert names_in(source_trees()[path]).isdisjoint(
        {"Group", "Marker", "Mine", "Asteroid", "Nova"}
    )
