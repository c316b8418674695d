"""Technologies that a design needs: every missing one, at its place."""

from __future__ import annotations

import pytest

from engine.continuum.edition import CONTINUUM
from engine.craft import fighters, gunboats
from engine.design import techbase
from engine.design.techbase import TechBase, missing_technologies, needs
from engine.design.technologies import BY_ID
from engine.design.value import Design, Fitting

pytestmark = pytest.mark.rule("camp.tech-base")
UNION = TechBase(
    "Eurasian Solar Union",
    ("beams", "heavy-beams", "pds", "screens", "beam-fighters", "fast-fighters"),
)


def design(*systems: Fitting, **more: object) -> Design:
    values: dict[str, object] = {"hull_rows": 4, "boxes": 12, **more}
    return Design("Hunter", "continuum", "warship", 60, 4, "standard", systems, **values)  # type: ignore[arg-type]


def lacks(ship_design: Design, base: TechBase | None = UNION) -> list[tuple[str, str]]:
    words = ", which Eurasian Solar Union does not have"
    return [
        (fault.where, fault.message.removeprefix("needs the technology ").removesuffix(words))
        for fault in missing_technologies(ship_design, base)
        if fault.code == "missing-technology"
    ]


def test_everything_missing_is_named_with_its_place() -> None:
    ship_design = Design(
        "Hunter", "continuum", "warship", 60, 4, "advanced",
        (
            Fitting("beam", size=3),
            Fitting("advanced-screen", count=2),
            Fitting("pulse-torpedo", "long", flags=("overload",)),
            Fitting("firecon"),
        ),
        hull_rows=3, drive="advanced", stealth=1, armour=((4, 0), (2, 2)),
    )  # fmt: skip
    assert lacks(ship_design) == [
        ("hull.rows", "Advanced hull of three rows"),
        ("drive", "Advanced gravity drive"),
        ("ftl", "Advanced FTL drive"),
        ("armour[0]", "Armour"),
        ("armour[1]", "Armour"),
        ("armour[1]", "Regenerative armour"),
        ("armour[1]", "Layered armour"),
        ("stealth", "Stealth hull"),
        ("systems[1]", "Advanced screens"),
        ("systems[2]", "Long range pulse torpedoes"),
        ("systems[2].overload", "Overloaded pulse torpedoes"),
    ]


def test_everything_can_be_built_without_a_tech_base() -> None:
    assert missing_technologies(design(Fitting("cloaking-field"), Fitting("pulser")), None) == ()


def test_free_and_chosen_technologies_are_no_fault() -> None:
    free = ("firecon", "hangar", "launch-tube", "adfc", "enhanced-sensors", "weasel", "hold", "troops", "marines",
            "shipyard", "ortillery", "boat-bay", "tender-bay", "damage-control", "passengers")  # fmt: skip
    assert (
        missing_technologies(
            design(*map(Fitting, free), Fitting("beam", size=4), Fitting("pds")), UNION
        )
        == ()
    )


@pytest.mark.parametrize(
    ("size", "needed"), [(1, "beams"), (3, "beams"), (4, "heavy-beams"), (5, "heavy-beams")]
)
def test_beams_of_class_four_are_a_separate_technology(size: int, needed: str) -> None:
    assert needs(design(Fitting("beam", size=size))) == (("systems[0]", (needed,)),)


@pytest.mark.parametrize(
    ("load", "mods", "needed"),
    [
        ((("standard", 6),), (), ["beam-fighters"]),
        ((("standard", 6),), ("cannon", "fast"), ["fast-fighters", "gun-fighters"]),
        ((("attack", 6),), ("heavy", "light"), ["attack-fighters", "heavy-fighters"]),
        ((("torpedo", 0),), (), []),
    ],
)
def test_fighters_need_their_type_and_modifications(
    load: tuple[tuple[str, int], ...], mods: tuple[str, ...], needed: list[str]
) -> None:
    requirements = needs(design(Fitting("hangar", load=load, mods=mods)))
    assert requirements == tuple(("systems[0].load", (id_,)) for id_ in needed)


def test_magazines_and_racks_need_their_contents() -> None:
    requirements = needs(
        design(
            Fitting("magazine", load=(("standard", 1), ("extended", 2))),
            Fitting("gunboat-rack", load=(("beam", 6),), mods=("ecm-2",)),
            Fitting("minelayer", load=(("mines", 4),)),
            Fitting("salvo-rack", "two-stage"),
        )
    )
    assert requirements == (
        ("systems[0].load", ("extended-salvoes",)),
        ("systems[1]", ("gunboat-racks",)),
        ("systems[1].load", ("beam-gunboats",)),
        ("systems[1].load", ("ecm-gunboats",)),
        ("systems[2]", ("minelayers",)),
        ("systems[3]", ("extended-salvoes",)),
    )


def test_tables_name_listed_technologies() -> None:
    tables = (techbase.FLAG_NEEDS, techbase.LOAD_NEEDS)
    craft = {
        id_
        for family in (fighters.CONTINUUM, gunboats.CONTINUUM)
        for row in family.types
        for id_ in (*row.needs, *family.modified(row, [mod.name for mod in family.mods]).needs)
    }
    asked = {id_ for rows in CONTINUUM.system_prices.values() for row in rows for id_ in row.needs}
    assert {id_ for table in tables for id_ in table.values()} | asked | craft <= set(BY_ID)
