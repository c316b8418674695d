"""The form fields of a scenario file, by the groups of rows that have them.

A key with dots leads into nested tables of the row. `campaign.rules.scenario_sections` puts the
groups on pages; `campaign.rules.scenario_editing` reads and writes files with these tables.
"""

from __future__ import annotations

from dataclasses import replace

from campaign.rules.choice_rows import HEX, LISTED, NAMED, OWN_BASE, SEVERAL
from campaign.rules.form_fields import Field
from campaign.rules.objective_file import KIND_KEYS, NUMBER_KEYS
from engine.core.phrase import phrase

FACTION = Field("faction", "Faction", "choice", of="factions", is_required=True)
SYSTEM = Field("system", phrase("System"), "choice", of="systems", is_required=True)
CLASS = Field("class", "Class", "choice", of="classes")
SHIPS = Field("ships", "Ships", "ships", phrase("0 removes a class"), of="classes")
PLACE = Field(
    "at",
    phrase("Place in MU"),
    "pair",
    phrase("from the middle of the table; 0 and 0 if empty"),
    parts=(phrase("to the right"), phrase("upwards")),
)

WAR = (
    Field("name", "Name"),
    Field("intro", "Introduction", "prose"),
    Field("edition", "Rules", "choice", of="editions"),
    Field("weeks", "Weeks", "number"),
    Field("hexes_per_week", "Hexes a fleet can move in a week", "number"),
    Field("shared_sight", "Allies share what they see", "flag"),
    Field("patrols", "Fleets may patrol", "flag"),
    Field("open_play", "Open markers on the map", "flag"),
    Field("dummies", "Dummy counters of a faction, with open markers", "number"),
)
AGREED = (
    Field("options", "Optional rules", "ticks", of="options"),
    Field(
        "barred",
        "Not allowed",
        "ticks",
        phrase("factions may not bring or build these; the list is public"),
        of="restrictions",
    ),
    Field(
        "allowed",
        "Only these systems are allowed",
        "ticks",
        "instead of a list of what is not allowed",
        of="restrictions",
    ),
)
FLEET_RULES = (
    Field(
        "classification_limit",
        phrase("Ships of one classification in a fleet list, at most"),
        "choice",
        phrase("half if empty"),
        of="shares",
    ),
    Field(
        "tech_choices",
        "Choices in a faction's tech base",
        "number",
        "each technology costs some of them; 10 if empty",
    ),
    Field("decoys.allowed", "Decoy drones", "flag", default=True),
    Field("decoys.points", "Points of a decoy drone", "number"),
)
BATTLES = (
    Field(
        "table",
        phrase("Battle table in MU"),
        "pair",
        parts=(phrase("Width"), phrase("Depth")),
    ),
    Field("battles.max_turns", "Turns after which a battle ends", "number", "30 if empty"),
    Field("set_up.manner", phrase("Set-up of battles"), "choice", of="manners"),
    Field(
        "set_up.velocity",
        phrase("Velocity at the start of battles in MU"),
        "pair",
        phrase("0 to 24 if empty"),
        parts=(phrase("at least"), phrase("at most")),
    ),
    Field(
        "set_up.ftl",
        phrase("Newcomers may hold ships back in FTL"),
        "flag",
        default=True,
    ),
    Field(
        "multi_role",
        phrase("Types of multi-role fighters"),
        "ticks",
        phrase("Continuum only: exactly three; none: standard, interceptor and attack fighters"),
        of="craft-types",
    ),
    Field(
        "aces",
        phrase("Aces"),
        "choice",
        phrase("with the rule “Aces and turkeys”"),
        of="pilot-sources",
    ),
)
CLASS_MOVEMENT = (CLASS, Field("movement", phrase("Movement"), "choice", of="movements"))
FILE = (
    Field("slug", "Id", hint="lower-case letters, digits and hyphens"),
    Field("version", "Version", "number"),
)
AT = Field("at", phrase("Starts at"), "choice", of="places")
AT_HEX = Field("at_hex", phrase("Hex"), "hex", by="at", only=(HEX,), places=("at",))
FACTIONS = (
    Field("name", "Name"),
    Field(
        "alliance",
        "Alliance",
        hint=phrase("one word in lower case, the same for all its members"),
        of="alliances",
    ),
    Field("construction", "Points per week for building", "number"),
    Field("withdraws_at", "Withdraws at losses of (%)", "number"),
    Field("tech_base", "Tech base", "choice", phrase("Continuum only"), of="tech-bases"),
    Field(
        "technologies",
        phrase("Technologies"),
        "ticks",
        of="technologies",
        by="tech_base",
        only=(OWN_BASE,),
        places=("tech_base",),
    ),
    Field(
        "tech_base_name",
        phrase("Name of the tech base"),
        by="tech_base",
        only=(OWN_BASE,),
    ),
    Field("no_quarter", "Never gives quarter to", "ticks", of="factions"),
    Field(
        "navy",
        "Navy that built the ships",
        hint="any name, such as imperial; the rule “Civil war” compares it between the sides",
    ),
    Field(
        "movement",
        "Movement of its ships",
        "choice",
        "Continuum only, with the rule “Mixed movement”",
        of="movements",
    ),
    Field("ram_on", "Crews ram on a roll of at least", "number", "2 to 6; by the rules if empty"),
    Field(
        "dogfights.fire_control",
        phrase("Fighters: weapons fired at once"),
        "number",
        phrase("Continuum only, with the rule “Dogfight actions”, like the next five fields"),
    ),
    Field("dogfights.fuel", phrase("Fighters: fuel"), "number"),
    Field("dogfights.skill", phrase("Fighters: skill"), "number"),
    Field("dogfights.damage", phrase("Fighters: damage points"), "number"),
    Field(
        "dogfights.weapons",
        phrase("Fighters: dice of each weapon"),
        "numbers",
        phrase("one number for each weapon"),
    ),
    Field("dogfights.traits", phrase("Fighters: traits"), "ticks", of="traits"),
)
SYSTEMS = (
    Field("name", "Name"),
    Field("hex", "Hex", "hex", "column and row, such as 0108"),
    Field("owner", "Owner", "choice", of="factions"),
    Field("settled", "Settled", "flag"),
    Field("hyper_limit", phrase("No FTL in battles there"), "flag"),
    Field("facility.kind", "Facility", "choice", of="facilities"),
    Field("facility.repairs", "Repairs ships", "flag"),
    Field("facility.repair_mass_limit", "Largest mass it repairs", "number"),
    Field("facility.replenishes", "Replenishes ships", "flag"),
    Field("facility.fighters", "Has fighters", "flag"),
    Field("facility.yard", "Shipyard: largest mass", "number"),
    Field("income", phrase("Points per week for the faction that controls it"), "number"),
    Field(
        "drift.course",
        phrase("Course on which its asteroids drift"),
        "number",
        phrase("1 to 12"),
    ),
    Field("drift.speed", phrase("Drift of its asteroids in MU a turn"), "number"),
    Field("drift_dice", phrase("Or dice decide in each battle how they drift"), "flag"),
    Field("note", "Note", "prose"),
)
PLANET = ("planet",)
BELT = ("asteroids",)
ASTEROIDS = ("asteroids", "asteroid")
BODIES = ("asteroid", "cloud", "field", "debris", "planet", "flares")
TERRAIN = (
    SYSTEM,
    Field("kind", phrase("Kind"), "choice", of="war-terrain"),
    replace(
        PLACE,
        hint=phrase(
            "from the middle of the table, within its middle half; flares without a place reach "
            "the whole table"
        ),
        only=BODIES,
    ),
    Field("roll", phrase("Number by dice: 5 to 10"), "flag", only=BELT),
    Field("count", phrase("Or this many asteroids"), "number", phrase("1 to 30"), only=BELT),
    Field("radius", phrase("Radius in MU"), "number", only=(*BELT, *BODIES)),
    Field("apart", phrase("Least distance between them in MU"), "number", "12 if empty", only=BELT),
    Field(
        "boxes",
        phrase("Damage boxes of each"),
        "number",
        phrase("with the rule “Asteroids can be destroyed”; empty: nothing breaks them"),
        only=ASTEROIDS,
    ),
    Field("simple", phrase("Simple planet: only its disc matters"), "flag", only=PLANET),
    Field(
        "gravity",
        phrase("Gravity zones of a planet"),
        "numbers",
        phrase("up to four: the radius of each in MU, the largest first"),
        only=PLANET,
    ),
    Field(
        "g", phrase("Strength of its gravity in course points"), "number", "1 if empty", only=PLANET
    ),
    Field(
        "atmosphere",
        phrase("Velocity for entering its atmosphere"),
        "number",
        phrase("empty if it has none"),
        only=PLANET,
    ),
    Field("orbit.velocity", phrase("Velocity for entering orbit"), "number", only=PLANET),
    Field("orbit.points", phrase("Places in orbit"), "number", only=PLANET),
    Field(
        "course",
        phrase("Course of its drift"),
        "number",
        phrase("1 to 12"),
        only=("field", "debris"),
    ),
    Field("velocity", phrase("Drift in MU a turn"), "number", only=("field", "debris")),
    Field(
        "turns",
        phrase("Turns with flares"),
        "ticks",
        of="turns",
        only=("flares",),
    ),
)
MINES = (
    SYSTEM,
    FACTION,
    replace(PLACE, hint=phrase("from the middle of the table, within its middle half")),
)
GROUND = (
    SYSTEM,
    FACTION,
    Field("boxes", phrase("Damage boxes"), "number"),
    Field("name", "Name"),
    Field("planet", phrase("On planet"), "choice", phrase("the first if empty"), of="planets"),
)
STATIONS = (
    SYSTEM,
    FACTION,
    Field("class", "Class", "choice", of="station-classes"),
    Field("name", "Name", hint=phrase("the class if empty")),
    Field("base", phrase("The facility of the system is this station"), "flag"),
    Field(
        "berths",
        phrase("Internal bays"),
        "numbers",
        phrase("the mass that each takes"),
    ),
    Field("gate", phrase("Carries this gate"), "choice", of="gates"),
    PLACE,
    Field("course", phrase("Course"), "number", phrase("12 if empty")),
    Field("velocity", phrase("Velocity in MU"), "number", phrase("0 if empty: it stays in place")),
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
    Field("key", phrase("Name of the budget"), hint=phrase("one word, such as mobile")),
    Field("points", "Points", "number"),
    Field("ftl", "FTL drives", "choice", of="ftl"),
    Field("week", "Arrives in week", "number", "empty if its fleets are there at the start"),
    Field("deploy", phrase("Where its fleets start"), "choice", of="starts"),
    Field(
        "deploy_systems",
        phrase("In these systems"),
        "ticks",
        of="systems",
        by="deploy",
        only=(LISTED,),
        places=("deploy",),
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
    Field("budget", "Budget", "choice", of="budgets"),
    AT,
    AT_HEX,
    SHIPS,
    Field("decoys", "Decoy drones", "number"),
)
ARRIVALS = (
    FACTION,
    Field("week", "Week", "number"),
    replace(AT, label="Arrives at"),
    AT_HEX,
    Field("name", "Name"),
    SHIPS,
)
ENTRIES = (FACTION, Field("hex", "Hex", "hex"), Field("week", "Week", "number"))
SUPERIORITY = ("superiority", SEVERAL)
RUINS = ("ruins", SEVERAL)
SCORE = ("score", SEVERAL)
VICTORY = (
    Field("result", "Result", hint=phrase("such as Red victory, or draw")),
    Field("winner", "Winner", "choice", of="sides"),
    Field("condition", phrase("Condition"), "choice", of="conditions"),
    Field(
        "superiority.by", "Superiority of", "choice", of="sides", by="condition", only=SUPERIORITY
    ),
    Field(
        "superiority.at_least",
        "in at least this many systems",
        "number",
        by="condition",
        only=SUPERIORITY,
    ),
    Field(
        "of_word",
        phrase("Systems that count"),
        "choice",
        of="counted",
        by="condition",
        only=SUPERIORITY,
        places=("superiority.of",),
    ),
    Field(
        "of_systems",
        phrase("These systems"),
        "ticks",
        of="systems",
        by="of_word",
        only=(LISTED,),
        places=("superiority.of",),
    ),
    Field(
        "superiority.including",
        "of which these are required",
        "ticks",
        of="systems",
        by="condition",
        only=SUPERIORITY,
    ),
    Field(
        "ruins.of",
        phrase("Ground targets of"),
        "choice",
        of="factions",
        by="condition",
        only=RUINS,
    ),
    Field(
        "ruins.at_least",
        phrase("Ground targets in ruins, at least"),
        "number",
        by="condition",
        only=RUINS,
    ),
    Field(
        "score.of",
        phrase("Share of the objectives' points of"),
        "choice",
        of="sides",
        by="condition",
        only=SCORE,
    ),
    Field(
        "score.share",
        phrase("Share in thousandths, at least"),
        "number",
        by="condition",
        only=SCORE,
    ),
    Field("total", "Ends the war as soon as it is met", "flag"),
)
# The label of the number that each kind of objective asks for.
NUMBER_LABELS = {
    "hold": phrase("Systems needed"),
    "deliver": phrase("Units of goods needed"),
    "bring": phrase("Ships needed"),
    "destroy": phrase("Losses needed"),
    "save": phrase("Ships needed"),
    "lose-less": phrase("Losses without loss of points"),
    "ruins": phrase("Ground targets needed"),
}


def _number_keys(kind: str) -> tuple[str, ...]:
    """Return the key of the number that a kind of objective asks for."""
    return tuple(key for key in KIND_KEYS[kind] if key in NUMBER_KEYS)


OBJECTIVES = (
    FACTION,
    Field("kind", "Kind", "choice", of="objective-kinds"),
    Field(
        "of_word",
        "Systems that count",
        "choice",
        phrase("systems with a settlement if empty"),
        of="counted",
        only=("hold",),
        places=("of",),
    ),
    Field(
        "of_systems",
        phrase("These systems"),
        "ticks",
        of="systems",
        by="of_word",
        only=(LISTED,),
        places=("of",),
    ),
    Field("including", "of which these are required", "ticks", of="systems", only=("hold",)),
    Field("weeks", "Weeks in a row", "number", "1 if empty", only=("hold",)),
    Field("when", "Counts", "choice", of="when", only=("hold",)),
    Field("what", "Goods to deliver", "choice", of="goods", only=("deliver",)),
    Field(
        "of_faction",
        phrase("Losses of"),
        "choice",
        of="sides",
        only=("destroy",),
        places=("of",),
    ),
    Field(
        "of_owner",
        phrase("Ground targets of"),
        "choice",
        of="sides",
        only=("ruins",),
        places=("of",),
    ),
    Field("ships", "Which ships", "choice", of="ship-kinds", only=("bring", "destroy", "save")),
    Field(
        "ship_names",
        phrase("Names of the ships"),
        "ticks",
        phrase("as preset fleets and reinforcements have them; players can rename their ships"),
        of="ship-names",
        by="ships",
        only=(NAMED,),
        places=("ships",),
    ),
    Field(
        "more_names",
        phrase("Other names"),
        "words",
        phrase("separated by commas"),
        by="ships",
        only=(NAMED,),
    ),
    Field("to", "Where to", "ticks", of="systems", only=("deliver", "bring")),
    Field("measure", "Losses count in", "choice", of="measures", only=("destroy", "lose-less")),
    *(
        Field(f"number_{kind}", label, "number", only=(kind,), places=_number_keys(kind))
        for kind, label in NUMBER_LABELS.items()
    ),
    Field(
        "of_objective",
        "Objective to deny",
        "choice",
        of="objectives",
        only=("deny",),
        places=("of",),
    ),
    Field("points", "Points", "number", "1 if empty"),
    Field("by", "Last week that counts", "number", "the last week of the war if empty"),
    Field("secret", "Secret until the war is over", "flag"),
    Field("text", "In your own words", "prose", "if empty, the program describes it"),
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
CAPACITY = (CLASS, Field("amount", "Units of goods a ship carries", "number"))
NAVY_LISTS = (FACTION, Field("list", "List", "choice", of="navies"))
NAMES = (FACTION, CLASS, Field("name", "Name in that faction"))
CARGO = (
    FACTION,
    CLASS,
    Field("what", "Cargo type", of="goods"),
    Field("amount", "Amount", "number"),
)
