"""The form fields of a scenario file: its sections, their groups of rows, and the fields of a row.

A key with dots leads into nested tables of the row. `campaign.rules.scenario_editing` reads and
writes files with these tables.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from campaign.rules.objective_checks import ALL, CLASSIFICATIONS, SETTLED
from campaign.rules.objective_file import END, GOODS_KINDS, KIND_KEYS, MEASURES, ONCE
from campaign.rules.scenario_file import FTL, LINK_KINDS, MOVEMENTS
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
    "manners",
    "options",
    "places",
    "budgets",
    "classes",
    "navies",
    "objective-kinds",
    "objectives",
    "held",
    "when",
    "goods",
    "goods-kinds",
    "measures",
    "ship-kinds",
    "restrictions",
    "movements",
    "edges",
    "fleet-values",
    "fleet-limits",
    "terrain-kinds",
    "deployments",
    "set-up-manners",
    "station-classes",
    "gates",
    "link-users",
    "scorings",
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
    Field(
        "barred",
        "Not allowed",
        "ticks",
        "what nobody may bring or build; the list is public",
        of="restrictions",
    ),
    Field(
        "allowed",
        "Only these systems are allowed",
        "ticks",
        "instead of a list of what is not allowed",
        of="restrictions",
    ),
    Field("weeks", "Weeks", "number"),
    Field("hexes_per_week", "Hexes a fleet can move in a week", "number"),
    Field("table", "Battle table in MU", "numbers", "width and depth, such as 72, 48"),
    Field("battles.max_turns", "Turns after which a battle ends", "number", "30 if empty"),
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
    Field(
        "class_movement",
        "Movement of single classes",
        "yaml",
        "Continuum only, with the rule “Mixed movement”; one line per class: Frigate: vector",
    ),
    Field(
        "set_up.manner",
        phrase("Set-up of battles"),
        "choice",
        of="manners",
    ),
    Field(
        "set_up.velocity",
        phrase("Velocity at the start of battles"),
        "numbers",
        phrase("least and greatest in MU: 0, 24"),
    ),
    Field(
        "set_up.ftl",
        phrase("Newcomers may hold ships back in FTL"),
        "flag",
        default=True,
    ),
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
    Field(
        "movement",
        "Movement of its ships",
        "choice",
        "Continuum only, with the rule “Mixed movement”",
        of="movements",
    ),
    Field("ram_on", "Crews ram on a roll of at least", "number", "2 to 6; by the rules if empty"),
    Field(
        "dogfights",
        "Values of its fighters in dogfights",
        "yaml",
        "Continuum only, with the rule “Dogfight actions”, such as {fuel: 6, skill: 4}",
    ),
)
SYSTEMS = (
    ID,
    Field("name", "Name"),
    Field("hex", "Hex", "hex", "column and row, such as 0108"),
    Field("owner", "Owner", "choice", of="factions"),
    Field("settled", "Settled", "flag"),
    Field("hyper_limit", phrase("No FTL in battles there"), "flag"),
    Field("facility.kind", "Facility", hint="such as dockyard"),
    Field("facility.repairs", "Repairs ships", "flag"),
    Field("facility.repair_mass_limit", "Largest mass it repairs", "number"),
    Field("facility.replenishes", "Replenishes ships", "flag"),
    Field("facility.fighters", "Has fighters", "flag"),
    Field("facility.yard", "Shipyard: largest mass", "number"),
    Field("income", "Points per week for whoever controls it", "number"),
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
STATIONS = (
    Field("system", "System", "choice", of="systems"),
    FACTION,
    Field("class", "Class", "choice", of="station-classes"),
    Field("name", "Name", hint=phrase("the class if empty")),
    Field("base", phrase("The facility of the system is this station"), "flag"),
    Field("berths", phrase("Internal bays"), "numbers", phrase("the mass each takes: 20, 20")),
    Field("gate", phrase("Carries this gate"), "choice", of="gates"),
    Field("at", phrase("Place in battles"), "numbers", phrase("MU from the middle: 6, 0")),
    Field("course", phrase("Course"), "number", phrase("12 if empty")),
    Field("velocity", phrase("Velocity in MU"), "number", phrase("0 if empty: it stays in place")),
    Field("id", "Id", hint=phrase("if empty, it is made from the name")),
)
LINKS = (
    Field("kind", "Kind", "choice", of="links"),
    Field("a", "From hex", "hex"),
    Field("b", "To hex", "hex"),
    Field("cost", "Movement cost in hexes", "number"),
    Field("transfer_mass", "Mass limit per faction and week", "number"),
    Field("open", phrase("Who may use it"), "choice", of="link-users"),
)
BUDGETS = (
    FACTION,
    Field("key", "Id"),
    Field("points", "Points", "number"),
    Field("ftl", "FTL drives", "choice", of="ftl"),
    Field("week", "Arrives in week", "number", "empty if its fleets are there at the start"),
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
    Field("score.of", "Or share of the objectives' points, for", "choice", of="sides"),
    Field("score.share", "at least, in thousandths", "number"),
    Field("total", "Ends the war as soon as it is met", "flag"),
)
OBJECTIVES = (
    FACTION,
    Field("kind", "Kind", "choice", of="objective-kinds"),
    Field("number", "How many", "number", "systems, ships, points or units of goods"),
    Field("points", "Points", "number", "1 if empty"),
    Field("by", "Last week that counts", "number", "the last week of the war if empty"),
    Field("secret", "Secret until the war is over", "flag"),
    Field("of_word", "Systems that count", "choice", of="held"),
    Field("of_systems", "or these systems", "ticks", of="systems"),
    Field("including", "of which these are required", "ticks", of="systems"),
    Field("weeks", "Weeks in a row", "number", "1 if empty"),
    Field("when", "Counts", "choice", of="when"),
    Field("what", "Goods to deliver", "choice", of="goods"),
    Field("to", "Where to", "ticks", of="systems"),
    Field("of_faction", "Whose ships or ground targets", "choice", of="sides"),
    Field("ships", "Which ships", "choice", of="ship-kinds"),
    Field("ship_names", "or ships with these names", "words", "names, separated by commas"),
    Field("measure", "Losses count in", "choice", of="measures"),
    Field("of_objective", "Objective to deny", "choice", of="objectives"),
    Field("text", "In your own words", "prose", "if empty, the program describes it"),
    Field("id", "Id", hint=phrase("if empty, it is made from the kind")),
)
JUDGING = (
    Field(
        "judging.first",
        "The first side to reach all of its objectives wins at once",
        "flag",
        default=True,
    ),
    Field("judging.margin", "Largest lead that is still a draw, in thousandths", "number"),
)
GOODS = (
    Field("name", "Goods", hint="such as grain"),
    Field("kind", "Kind", "choice", of="goods-kinds"),
    Field("system", "In system", "choice", of="systems"),
    Field("amount", "Amount", "number"),
)
CLASS = Field("class", "Class", of="classes")
CAPACITY = (CLASS, Field("amount", "Units of goods a ship carries", "number"))
NAVY_LISTS = (FACTION, Field("list", "List", "choice", of="navies"))
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
                    "last one must have no condition."
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
                    "reaches the greatest share of its points wins. Fields that a kind does "
                    "not use are dropped."
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
# The options that do not depend on the file.
CHOICES: dict[Of, tuple[str, ...]] = {
    "links": tuple(LINK_KINDS),
    "ftl": FTL,
    "objective-kinds": tuple(KIND_KEYS),
    "held": (SETTLED, ALL),
    "when": (ONCE, END),
    "goods-kinds": GOODS_KINDS,
    "measures": MEASURES,
    "movements": MOVEMENTS,
}
# The labels of options whose value is not the word that players use.
CHOICE_LABELS = {
    "required": phrase("required"),
    "none": phrase("none"),
    "any": phrase("any"),
    "hold": phrase("hold systems"),
    "deliver": phrase("deliver goods"),
    "bring": phrase("bring ships somewhere"),
    "destroy": phrase("destroy or take ships"),
    "save": phrase("keep own ships"),
    "lose-less": phrase("limit own losses"),
    "ruins": phrase("ruin ground targets"),
    "deny": phrase("deny another objective"),
    SETTLED: phrase("systems with a settlement"),
    ALL: phrase("all systems"),
    ONCE: phrase("in its best week"),
    END: phrase("in the last week that counts"),
}
ALL_SHIPS = {ALL: phrase("all ships"), **{name: phrase(name) for name in CLASSIFICATIONS}}
