"""Battles between carriers of Continuum: every type of fighter and gunboat, escorts and ordnance.

They were added later, so the random draws of earlier ones stay unchanged.
"""

from __future__ import annotations

from random import Random

from engine.craft import gunboats
from engine.craft.craft_type import Family
from engine.craft.fighters import CONTINUUM
from tests.engine.frozen.making import Document, fit_ids

HOLDING = {
    "hangar": ("launch-tube", "hangar"),
    "combined-hangar": ("combined-hangar",),
    "fighter-rack": ("fighter-rack",),
}
TABLE = (72, 60)
PLACES = ((24, 20, 12), (30, 38, 6))
HALF_WAY = ((28, 33), (30, 24))  # positions of either side's groups that begin in flight
PILOTS = ("fighter-morale", "aces")
LAUNCHERS = ("salvo-rack", "antimatter-missile", "plasma-bolt", "plasma-bolt", "heavy-missile")
WITH = (
    "pds",
    "pds",
    "ads",
    "scattergun",
    "grapeshot",
    "adfc",
    "advanced-adfc",
    "ecm",
    "screen",
    "holofield",
)


def craft(luck: Random, holds: str) -> Document:
    """Return the craft of a bay: a random type with possible modifications."""
    row = luck.choice(CONTINUUM.types_under(()))
    able = [mod for mod in CONTINUUM.mods if not mod.restricted_to[0] or mod.name in row.mods]
    mods: list[str] = ["robot"] if holds == "fighter-rack" else []
    for mod in luck.sample(able, min(len(able), 2)):
        apart = {
            name for other in able if other.name in [*mods, mod.name] for name in other.excludes[0]
        }
        if mod.name not in mods and not apart & {*mods, mod.name}:
            mods.append(mod.name)
    number = 8 if "light" in mods else 6
    return {"load": {row.type: number}} | ({"mods": mods} if mods else {})


def ship(luck: Random, name: str, x: float, y: float, course: int) -> Document:
    """Return a carrier, or an escort."""
    systems: list[Document] = [{"type": "firecon", "count": 2}]
    if luck.random() < 0.55:
        holds = luck.choice(list(HOLDING))
        for _ in range(luck.randint(1, 3)):
            systems += [
                {"type": type_} | (craft(luck, holds) if type_ == holds else {})
                for type_ in HOLDING[holds]
            ]
    else:
        systems += [{"type": luck.choice(WITH)} for _ in range(4)]
        systems += [
            {"type": "beam", "class": luck.randint(1, 3), "arcs": ["FP", "F", "FS"]}
            for _ in range(3)
        ]
        systems += [{"type": luck.choice(LAUNCHERS), "arcs": ["FP", "F", "FS"]} for _ in range(4)]
        for item in systems:
            if item["type"] == "plasma-bolt":
                item["class"] = 2
    systems += [{"type": luck.choice(WITH)} for _ in range(3)]
    systems += [
        {"type": "salvo-rack", "arcs": ["FP", "F", "FS"]} for _ in range(luck.randint(0, 4))
    ]
    allowed: list[Document] = []
    for item in systems:
        if item["type"] not in ("holofield", "ecm", "adfc", "advanced-adfc") or item not in allowed:
            allowed.append(item)
    screened = any(item["type"] == "screen" for item in allowed)
    allowed = [item for item in allowed if not (screened and item["type"] == "holofield")]
    design = {
        "class": f"carrier {luck.randint(1, 9999)}", "edition": "continuum", "kind": "warship", "mass": 160,
        "hull": {"boxes": luck.randint(24, 40), "rows": 4}, "thrust": luck.randint(2, 5), "drive": "standard",
        "ftl": "standard", "armour": [[luck.randint(0, 4), 0]], "systems": allowed,
    }  # fmt: skip
    return {
        "id": name, "contact": f"c{name[::-1]}x", "design": design, "at": [x, y], "course": course,
        "velocity": luck.randint(0, 6),
    }  # fmt: skip


def battle(luck: Random) -> Document:
    """Return two sides of one to three ships."""
    options = [
        "combined-hangars",
        *(name for name in ("catapults", "hangar-criticals") if luck.random() < 0.2),
    ]
    sides = []
    for n, (x, y, course) in enumerate(PLACES):
        ships = [
            ship(luck, f"{'rb'[n]}{k}Q", x + luck.randint(-4, 4) + 7 * k, y, course)
            for k in range(luck.choice([1, 2, 2, 3]))
        ]
        sides.append({"name": ("red", "blue")[n], "ships": ships})
    return {
        "edition": "continuum", "table": list(TABLE), "bogeys": luck.random() < 0.2, "options": options,
        "seed": luck.randint(0, 999), "sides": sides,
    }  # fmt: skip


def squadron(luck: Random) -> Document:
    """Return a rack of gunboats of a random type, often modified."""
    mods = luck.sample(("heavy", "ecm-1", "ecm-3"), luck.randint(0, 2))
    mods = mods if len({mod[:3] for mod in mods}) == len(mods) else mods[:1]
    row = luck.choice([row for row in gunboats.CONTINUUM.types_under(()) if row.guns.with_ships])
    return {"type": "gunboat-rack", "load": {row.type: luck.choice((3, 6, 6))}} | (
        {"mods": mods} if mods else {}
    )


def tender(luck: Random, name: str, x: float, y: float, course: int) -> Document:
    """Return a ship with racks and guns, often with boat bays, empty or with boats."""
    entry = ship(luck, name, x, y, course)
    design = entry["design"]
    guns: list[Document] = [
        {"type": "firecon", "count": 2},
        {"type": "pds"},
        {"type": "scattergun"},
    ]
    guns += [{"type": luck.choice(("pds", "grapeshot", "advanced-adfc", "ecm", "screen"))}]
    racks = [squadron(luck) for _ in range(luck.randint(1, 3))]
    bays: list[Document] = [{"type": "boat-bay", "mass": 27} for _ in range(luck.randint(0, 2))]
    if luck.random() < 0.3:
        bays.append({"type": "boat-bay", "mass": 36, "load": {"beam": 6}, "mods": ["ftl"]})
    beams = [
        {"type": "beam", "class": luck.randint(2, 3), "arcs": ["FP", "F", "FS"]} for _ in range(3)
    ]
    beams += [
        {"type": "graser", "class": 1, "arcs": ["FP", "F", "FS"]},
        {"type": "k-gun", "class": 3, "arcs": ["F"]},
    ]
    design |= {
        "mass": 320,
        "hull": {"boxes": luck.randint(32, 48), "rows": 4},
        "systems": [*guns, *beams, *racks, *bays],
    }
    return entry


def of_boats(luck: Random) -> Document:
    """Return two sides of one to three ships with gunboats, and fighters beside them."""
    document = battle(luck)
    for n, side in enumerate(document["sides"]):
        for k, ship in enumerate(side["ships"]):
            if k == 0 or luck.random() < 0.7:
                x, y, course = PLACES[n]
                side["ships"][k] = tender(luck, ship["id"], x + 7 * k, y, course)
    return document


def of_shuttles(luck: Random) -> Document:
    """Return two sides close together with assault shuttles and marines; boarding is allowed."""
    document = of_boats(luck)
    for side in document["sides"]:
        first = side["ships"][0]
        shuttles: list[Document] = [
            {"type": "launch-tube"},
            {"type": "hangar", "load": {"assault-shuttle": 6}},
        ]
        guns: list[Document] = [
            {"type": "firecon"},
            {"type": "pds"},
            *({"type": "marines"} for _ in range(4)),
        ]
        first["design"]["systems"] = [*guns, *shuttles, *shuttles]
        first["at"] = [first["at"][0], 27 if first["course"] == 12 else 35]
        first["velocity"] = 0
    document["options"] = [*document["options"], "boarding"]
    return document


def of_pilots(luck: Random) -> Document:
    """Return a carrier and an escort a side with depleted groups, and the options about pilots."""
    document = battle(luck)
    for n, side in enumerate(document["sides"]):
        x, y, course = PLACES[n]
        carrier = ship(luck, side["ships"][0]["id"], x, y, course)
        holds: list[Document] = [{"type": "launch-tube"}, {"type": "launch-tube"}]
        holds += [{"type": "hangar"} | craft(luck, "hangar") for _ in range(3)]
        guns: list[Document] = [
            {"type": "firecon"},
            {"type": "pds"},
            {"type": luck.choice(("pds", "screen", "adfc"))},
        ]
        carrier["design"]["systems"] = [
            *guns,
            {"type": "salvo-rack", "arcs": ["FP", "F", "FS"]},
            *holds,
        ]
        carrier["groups"] = {
            f"hangar-{bay}": {"craft": luck.randint(1, 6)}
            | ({"at": [27, luck.choice(HALF_WAY[n])]} if bay < 3 else {})
            for bay in (1, 2, 3)[: luck.randint(2, 3)]
        }
        holds[2] |= {"load": {"standard": 6}}
        holds[3] |= {"load": {"standard": 6}}
        for bay in holds[2:4]:
            bay.pop("mods", None)
        carrier["velocity"] = min(carrier["velocity"], 2)
        side["ships"] = [carrier, *side["ships"][1:2]]
    document["turns"] = scramble_after_recovery(
        document["sides"][0]["ships"][0], document["sides"][1]["ships"][0]["id"]
    )
    document["options"] = [*document["options"], *(name for name in PILOTS if luck.random() < 0.8)]
    if "aces" in document["options"]:
        for side in document["sides"]:
            bays = luck.sample((1, 2, 3), luck.randint(1, 3))
            pilots_by_bay = {
                f"hangar-{bay}": luck.choice(("ace", "ace", "ace", "turkey", "average"))
                for bay in bays
            }
            valid_bays = {
                fit
                for fit, item in fit_ids(side["ships"][0]["design"])
                if "robot" not in item.get("mods", ())
            }
            side["ships"][0]["pilots"] = {
                bay: pilots for bay, pilots in pilots_by_bay.items() if bay in valid_bays
            }
    return document


def scramble_after_recovery(carrier: Document, foe: str) -> list[Document]:
    """Return orders for a carrier that has just recovered a group, is attacked, and scrambles it."""
    (x, y), name = carrier["at"], carrier["id"]
    carrier["groups"]["hangar-1"] = {"craft": 5, "at": [x, y + 2]}
    carrier["velocity"] = 0
    raider = f"{foe}/hangar-2"
    return [
        {"plot": {name: ""}, "fighters": {f"{name}/hangar-1": f"land {name}", raider: f"to {x + 2} {y + 8}; face 6"}},
        {
            "plot": {name: ""}, "fighters": {raider: f"to {x} {y + 3}; face 6"},
            "attack": {raider: [{"weapon": "fighters", "target": name}]},
            "defend": {name: {"scramble": ["hangar-1"]}},
        },
    ]  # fmt: skip


def of_roles(luck: Random) -> Document:
    """Return a carrier of multi-role groups and an escort a side.

    Some groups have a role before the battle, some get it in their bays.
    """
    document = battle(luck)
    agreed = luck.random() < 0.5
    roles = ["standard", "interceptor", "attack", "cannon", "interceptor-cannon", "attack-cannon"]
    roles += ["missile", "assault-shuttle"] if agreed else []
    plots: list[Document] = [{}, {}, {}]
    for n, side in enumerate(document["sides"]):
        x, y, course = PLACES[n]
        carrier = ship(luck, side["ships"][0]["id"], x, y, course)
        load: Document = {"load": {"multi-role": 6}}
        mods = luck.choice(([], [], ["heavy"], ["fast"], ["cannon"], ["robot"]))
        holds: list[Document] = [{"type": "launch-tube"}, {"type": "launch-tube"}]
        holds += [{"type": "hangar"} | load | ({"mods": mods} if mods else {}) for _ in range(3)]
        carrier["design"]["systems"] = [{"type": "firecon"}, {"type": "pds"}, *holds]
        carrier["settings"] = {"hangar-1": luck.choice(roles)}
        plots[0][carrier["id"]] = f"set hangar-2 {luck.choice(roles)}; launch hangar-1 hangar-2"
        plots[luck.randint(1, 2)][carrier["id"]] = f"set hangar-3 {luck.choice(roles)}"
        side["ships"] = [carrier, *side["ships"][1:2]]
    document["options"] = [*document["options"], *(["multi-role"] if agreed else [])]
    return document | {"turns": [{"plot": plot} for plot in plots]}


def of_named(luck: Random) -> Document:
    """Return a carrier a side with the craft that the book only names, one group in flight."""
    document = battle(luck)
    for n, side in enumerate(document["sides"]):
        x, y, course = PLACES[n]
        carrier = ship(luck, side["ships"][0]["id"], x, y, course)
        hangars = [named(luck, CONTINUUM, 1) for _ in range(2)]
        racks = [named(luck, gunboats.CONTINUUM, luck.choice((1, 1, 2))) for _ in range(2)]
        carrier["design"] |= {"mass": 300, "hull": {"boxes": 40, "rows": 4}}
        carrier["design"]["systems"] = [
            {"type": "firecon", "count": 2},
            {"type": luck.choice(("screen", "advanced-screen"))},
            {"type": "pds"},
            {"type": "beam", "class": 2, "arcs": ["FP", "F", "FS"], "count": 2},
            {"type": "launch-tube"},
            *({"type": "hangar", "load": load} for load in hangars),
            *({"type": "gunboat-rack", "load": load} for load in racks),
        ]
        carrier["groups"] = {"hangar-1": {"at": list(HALF_WAY[n]), "course": course}}
        side["ships"] = [carrier]
    level = ["point-defence-level"] if luck.random() < 0.3 else []
    return document | {"options": [*document["options"], "named-craft", "boarding", *level]}


def named(luck: Random, family: Family, number: int) -> Document:
    """Return six craft of a number of types that the book only names."""
    types = [row.type for row in family.types if row.option]
    several = luck.sample(types, number)
    return dict.fromkeys(sorted(several, key=types.index), 6 // number)
