"""The pages of the scenario editor, with the groups of rows on each."""

from __future__ import annotations

from itertools import chain

from campaign.rules.form_fields import Field, Group, Section
from campaign.rules.scenario_fields import (
    AGREED,
    ARRIVALS,
    BATTLES,
    BUDGETS,
    CAPACITY,
    CARGO,
    CLASS_MOVEMENT,
    DEFENCES,
    ENTRIES,
    FACTIONS,
    FILE,
    FLEET_RULES,
    FLEETS,
    GOODS,
    GROUND,
    JUDGING,
    LINKS,
    MINES,
    NAMES,
    NAVY_LISTS,
    OBJECTIVES,
    STATIONS,
    SYSTEMS,
    TERRAIN,
    VICTORY,
    WAR,
)
from engine.core.phrase import phrase


def _top_keys(*groups: tuple[Field, ...]) -> tuple[str, ...]:
    """Return the top keys of the file that the fields of single rows have."""
    keys = [field.key.partition(".")[0] for field in chain.from_iterable(groups)]
    return tuple(dict.fromkeys(keys))


SECTIONS = (
    Section(
        "war",
        phrase("The war"),
        (
            *_top_keys(WAR, AGREED, FLEET_RULES, BATTLES, FILE),
            "class_movement",
        ),
        (
            Group("war", phrase("The war"), "war", WAR, single=True),
            Group("agreed", phrase("What is allowed"), "war", AGREED, single=True),
            Group("fleet-rules", phrase("Fleet lists"), "war", FLEET_RULES, single=True),
            Group("battles", phrase("Battles"), "war", BATTLES, single=True),
            Group(
                "class_movement",
                phrase("Movement of single classes"),
                "class",
                CLASS_MOVEMENT,
                hint=phrase("Continuum only, with the rule “Mixed movement”."),
                add_label=phrase("Add a class"),
            ),
            Group(
                "file",
                phrase("For files and programs"),
                "war",
                FILE,
                single=True,
                hint=phrase("You need to change this only if you publish the file."),
            ),
        ),
    ),
    Section(
        "factions",
        "Factions",
        ("factions",),
        (Group("factions", "Factions", "faction", FACTIONS, add_label=phrase("Add a faction")),),
    ),
    Section(
        "map",
        "Map",
        ("map", "systems", "links", "closed"),
        (
            Group(
                "map",
                "Size",
                "map",
                (
                    Field("map.columns", "Columns", "number"),
                    Field("map.rows", "Rows", "number"),
                    Field(
                        "closed",
                        "Closed hexes",
                        "hexes",
                        "hexes that no fleet can enter, such as 0102 0103",
                    ),
                ),
                single=True,
            ),
            Group("systems", "Systems", "system", SYSTEMS, add_label=phrase("Add a system")),
            Group(
                "terrain",
                phrase("Terrain in battles"),
                phrase("terrain"),
                TERRAIN,
                add_label=phrase("Add terrain"),
            ),
            Group(
                "mines",
                phrase("Mines"),
                phrase("mine"),
                MINES,
                hint=phrase("They are there when the war begins; only their faction knows them."),
                add_label=phrase("Add a mine"),
            ),
            Group(
                "ground",
                phrase("Ground targets"),
                phrase("ground target"),
                GROUND,
                hint=phrase("On planets, for the weapons of Continuum that fire at the ground."),
                add_label=phrase("Add a ground target"),
            ),
            Group(
                "stations",
                "Stations",
                "station",
                STATIONS,
                hint=phrase(
                    "Installations that are there from the start and cost no points. A system’s "
                    "base can be a station that is attacked, and a gate can be part of one."
                ),
                add_label=phrase("Add a station"),
            ),
            Group(
                "links", phrase("Gates and portals"), "link", LINKS, add_label=phrase("Add a link")
            ),
        ),
    ),
    Section(
        "forces",
        "Forces",
        ("forces", "classes"),
        (
            Group("budgets", "Budgets", "budget", BUDGETS, add_label=phrase("Add a budget")),
            Group(
                "defences",
                phrase("System defence"),
                "defence",
                DEFENCES,
                add_label=phrase("Add a defence"),
            ),
            Group(
                "fleets",
                phrase("Preset fleets"),
                "fleet",
                FLEETS,
                hint=phrase("Players can choose their own."),
                add_label=phrase("Add a fleet"),
            ),
        ),
    ),
    Section(
        "arrivals",
        "Arrivals",
        ("entries", "reinforcements"),
        (
            Group(
                "entries",
                "Entries",
                "entry",
                ENTRIES,
                hint=phrase("Where a force enters the map, and when."),
                add_label=phrase("Add an entry"),
            ),
            Group(
                "reinforcements",
                "Reinforcements",
                "reinforcement",
                ARRIVALS,
                add_label=phrase("Add a reinforcement"),
            ),
        ),
    ),
    Section(
        "victory",
        "Victory",
        ("victory",),
        (
            Group(
                "victory",
                "Results",
                "result",
                VICTORY,
                hint=phrase(
                    "The first result whose condition is met after the last week counts. The "
                    "last one must have no condition. With objectives, leave that one out: they "
                    "decide if no result applies."
                ),
                add_label=phrase("Add a result"),
            ),
        ),
    ),
    Section(
        "objectives",
        "Objectives",
        ("objectives", "judging"),
        (
            Group(
                "objectives",
                "Objectives",
                "objective",
                OBJECTIVES,
                hint=phrase(
                    "If no result under Victory applies, objectives decide: the side that "
                    "reaches the greatest share of its points wins."
                ),
                add_label=phrase("Add an objective"),
            ),
            Group("judging", phrase("Judging"), "judging", JUDGING, single=True),
        ),
    ),
    Section(
        "goods",
        "Goods",
        ("goods", "capacity"),
        (
            Group(
                "goods",
                "Goods",
                "goods",
                GOODS,
                hint=phrase("Goods that ships can load and land."),
                add_label=phrase("Add goods"),
            ),
            Group(
                "capacity",
                phrase("Space for goods"),
                "class",
                CAPACITY,
                hint=phrase(
                    "In the second edition, a merchant ship carries half its mass unless you say "
                    "otherwise here. In Continuum its holds decide."
                ),
                add_label=phrase("Add a class"),
            ),
        ),
    ),
    Section(
        "ships",
        phrase("Names and cargo"),
        ("class_names", "cargo"),
        (
            Group(
                "navies",
                phrase("Lists of names"),
                "list",
                NAVY_LISTS,
                hint=phrase(
                    "The faction calls all its classes as this navy does. Such a list replaces the "
                    "faction's own names below."
                ),
                add_label=phrase("Add a list"),
            ),
            Group(
                "class_names",
                phrase("Names of classes"),
                "name",
                NAMES,
                hint=phrase("The name a faction uses for a class."),
                add_label=phrase("Add a name"),
            ),
            Group(
                "cargo",
                "Cargo",
                "cargo",
                CARGO,
                hint=phrase("Cargo of every ship of a class when the war begins."),
                add_label=phrase("Add cargo"),
            ),
        ),
    ),
)
