"""The form fields of a scenario file: its sections, their groups of rows, and the fields of a row.

A key with dots leads into nested tables of the row. `campaign.rules.scenario_editing` reads and
writes files with these tables.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from campaign.rules.scenario_file import FTL, LINK_KINDS
from engine.core.phrase import phrase

Kind = Literal[
    "text", "prose", "number", "flag", "choice", "words", "hex", "hexes", "numbers", "ticks", "yaml"
]
Of = Literal[
    "",
    "editions",
    "factions",
    "systems",
    "sides",
    "links",
    "ftl",
    "options",
    "places",
    "budgets",
    "classes",
]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a row.

    Attributes:
        kind: `words` is a list, or one of the words that stand for several values; `yaml` is a
            value with a notation of its own.
        of: The options to choose from, or the suggestions for a text.
        default: The value of a flag that the file leaves out.
    """

    key: str
    label: str
    kind: Kind = "text"
    hint: str = ""
    of: Of = ""
    default: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one kind.

    Attributes:
        key: The list in the file, or another name for rows that are stored elsewhere.
        single: Whether there is always exactly one row.
        add_label: The text of the button that adds a row.
    """

    key: str
    title: str
    noun: str
    fields: tuple[Field, ...]
    single: bool = False
    hint: str = ""
    add_label: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A page of the editor. `keys` are those of the file whose faults it shows."""

    slug: str
    title: str
    keys: tuple[str, ...]
    groups: tuple[Group, ...]


FACTION = Field("faction", "Faction", "choice", of="factions")
SHIPS = Field("ships", "Ships", "yaml", "one class and its number per line, such as Frigate: 2")

WAR = (
    Field("name", "Name"),
    Field("slug", "Id", hint="lower-case letters, digits and hyphens"),
    Field("version", "Version", "number"),
    Field("intro", "Introduction", "prose"),
    Field("edition", "Rules", "choice", of="editions"),
    Field("options", "Optional rules", "ticks", of="options"),
    Field("weeks", "Weeks", "number"),
    Field("hexes_per_week", "Hexes a fleet can move in a week", "number"),
    Field("table", "Battle table in MU", "numbers", "width and depth, such as 72, 48"),
    Field(
        "classification_limit",
        "Largest share of ships of one classification",
        hint="a fraction such as 1/2",
    ),
    Field(
        "tech_choices",
        "Choices in a faction's tech base",
        "number",
        "each technology costs some of them; 10 if empty",
    ),
    Field("decoys.allowed", "Decoy drones", "flag", default=True),
    Field("decoys.points", "Points of a decoy drone", "number"),
    Field("shared_sight", "Allies share what they see", "flag"),
    Field("open_play", "Open markers on the map", "flag"),
    Field("dummies", "Dummy counters of a faction, with open markers", "number"),
    Field("patrols", "Fleets may patrol", "flag"),
)
ID = Field("id", "Id", hint=phrase("if empty, it is made from the name"))
AT = Field(
    "at",
    "Starts at",
    hint="the id of a system, a hex, or entry (where its faction enters the map)",
    of="places",
)
FACTIONS = (
    ID,
    Field("name", "Name"),
    Field("alliance", "Alliance", hint="one id for all its members"),
    Field("tech_base", "Tech base", "yaml", "a name, or a list of technologies"),
    Field("construction", "Points per week for building", "number"),
    Field("withdraws_at", "Withdraws at losses of (%)", "number"),
    Field(
        "navy",
        "Navy that built the ships",
        hint="any name, such as imperial; the rule “Civil war” compares it between the sides",
    ),
    Field("no_quarter", "Never gives quarter to", "words", "ids of factions"),
)
SYSTEMS = (
    ID,
    Field("name", "Name"),
    Field("hex", "Hex", "hex", "column and row, such as 0108"),
    Field("owner", "Owner", "choice", of="factions"),
    Field("settled", "Settled", "flag"),
    Field("facility.kind", "Facility", hint="such as dockyard"),
    Field("facility.repairs", "Repairs ships", "flag"),
    Field("facility.repair_mass_limit", "Largest mass it repairs", "number"),
    Field("facility.replenishes", "Replenishes ships", "flag"),
    Field("facility.fighters", "Has fighters", "flag"),
    Field("facility.yard", "Shipyard: largest mass", "number"),
    Field("note", "Note", "prose"),
    Field(
        "terrain",
        "Terrain in battles",
        "yaml",
        "a list, such as [{kind: planet, at: [0, 0], radius: 4}]",
    ),
    Field(
        "ground",
        "Ground targets",
        "yaml",
        "a list, such as [{faction: tarn, boxes: 8, name: Docks}]",
    ),
)
LINKS = (
    Field("kind", "Kind", "choice", of="links"),
    Field("a", "From hex", "hex"),
    Field("b", "To hex", "hex"),
    Field("cost", "Movement cost in hexes", "number"),
    Field("transfer_mass", "Mass limit per faction and week", "number"),
)
BUDGETS = (
    FACTION,
    Field("key", "Id"),
    Field("points", "Points", "number"),
    Field("ftl", "FTL drives", "choice", of="ftl"),
    Field(
        "deploy",
        "Where its fleets start",
        "words",
        (
            "own (the faction's own systems), entry (where it enters the map), any, or ids of "
            "systems"
        ),
    ),
)
DEFENCES = (
    FACTION,
    Field("system", "System", "choice", of="systems"),
    Field("points", "Points", "number"),
)
FLEETS = (
    FACTION,
    Field("name", "Name"),
    Field("budget", "Budget", of="budgets"),
    AT,
    SHIPS,
    Field("decoys", "Decoy drones", "number"),
)
ARRIVALS = (
    ID,
    FACTION,
    Field("week", "Week", "number"),
    replace(AT, label="Arrives at"),
    Field("name", "Name"),
    SHIPS,
)
ENTRIES = (FACTION, Field("hex", "Hex", "hex"), Field("week", "Week", "number"))
VICTORY = (
    Field("result", "Result"),
    Field("winner", "Winner", "choice", of="sides"),
    Field("superiority.by", "Superiority of", "choice", of="sides"),
    Field("superiority.at_least", "in at least this many systems", "number"),
    Field(
        "superiority.of",
        "of these",
        "words",
        "settled (systems with a settlement), all, or ids of systems",
    ),
    Field("superiority.including", "including", "words", "ids of systems"),
    Field("ruins.of", "Or ground targets destroyed, belonging to", "choice", of="factions"),
    Field("ruins.at_least", "at least this many", "number"),
    Field("total", "Ends the war as soon as it is met", "flag"),
)
CLASS = Field("class", "Class", of="classes")
NAMES = (FACTION, CLASS, Field("name", "Name in that faction"))
CARGO = (FACTION, CLASS, Field("what", "Cargo type"), Field("amount", "Amount", "number"))

SECTIONS = (
    Section(
        "war",
        phrase("The war"),
        tuple(dict.fromkeys(field.key.partition(".")[0] for field in WAR)),
        (Group("war", phrase("The war"), "war", WAR, single=True),),
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
                    "last one must have no condition."
                ),
                add_label=phrase("Add a result"),
            ),
        ),
    ),
    Section(
        "ships",
        phrase("Names and cargo"),
        ("class_names", "cargo"),
        (
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
# The options that do not depend on the file.
CHOICES: dict[Of, tuple[str, ...]] = {
    "links": tuple(LINK_KINDS),
    "ftl": FTL,
}
