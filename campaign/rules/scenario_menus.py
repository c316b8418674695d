"""The menus of the scenario editor that do not depend on the file."""

from __future__ import annotations

from campaign.rules.choice_rows import ANY, ENTRY, LISTED, OWN, SEVERAL
from campaign.rules.form_fields import Of
from campaign.rules.objective_checks import ALL, CLASSIFICATIONS, SETTLED
from campaign.rules.objective_file import END, GOODS_KINDS, KIND_KEYS, MEASURES, ONCE
from campaign.rules.scenario_file import FTL, LINK_KINDS, MOVEMENTS
from engine.core.phrase import phrase
from engine.craft.dogfight_figures import SquadronTrait

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
    "shares": ("1/4", "1/3", "1/2", "2/3", "3/4", "1"),
    "facilities": ("yard", "dockyard", "naval-base", "depot"),
    "traits": tuple(SquadronTrait),
    "planets": ("planet-1", "planet-2", "planet-3", "planet-4"),
    "war-terrain": ("asteroids", "asteroid", "planet", "cloud", "field", "debris", "flares"),
    "starts": (OWN, ENTRY, ANY, LISTED),
    "counted": (SETTLED, ALL, LISTED),
    "conditions": ("superiority", "ruins", "score", SEVERAL),
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
    "1/4": phrase("a quarter"),
    "1/3": phrase("a third"),
    "1/2": phrase("half"),
    "2/3": phrase("two thirds"),
    "3/4": phrase("three quarters"),
    "yard": phrase("yard"),
    "dockyard": phrase("dockyard"),
    "naval-base": phrase("naval base"),
    "depot": phrase("depot"),
    "fast": phrase("fast"),
    "heavy": phrase("heavy"),
    "rugged": phrase("rugged"),
    "planet-1": phrase("the first planet"),
    "planet-2": phrase("the second planet"),
    "planet-3": phrase("the third planet"),
    "planet-4": phrase("the fourth planet"),
    "asteroids": phrase("asteroid belt, placed by dice"),
    "asteroid": phrase("single asteroid"),
    "planet": phrase("planet"),
    "cloud": phrase("dust cloud"),
    "field": phrase("field of rocks"),
    "debris": phrase("battle debris"),
    "flares": phrase("solar flares"),
    OWN: phrase("in the faction's own systems"),
    ENTRY: phrase("where the faction enters the map"),
    LISTED: phrase("only these systems"),
    "superiority": phrase("superiority in systems"),
    "score": phrase("a share of the objectives' points"),
    SEVERAL: phrase("several of these"),
    "vector": phrase("vector movement"),
    "courses": phrase("cinematic movement"),
    "ships": phrase("ships"),
    "points": phrase("points"),
}
# Labels that a value has only in one menu.
MENU_LABELS: dict[Of, dict[str, str]] = {
    "starts": {ANY: phrase("anywhere")},
    "shares": {"1": phrase("all of them")},
}
ALL_SHIPS = {ALL: phrase("all ships"), **{name: phrase(name) for name in CLASSIFICATIONS}}
# The labels of an empty choice; others have a dash.
EMPTY_LABELS: dict[Of, str] = {
    "asteroid-counts": phrase("none"),
    "conditions": phrase("none: it counts if no other result does"),
    "facilities": phrase("none"),
    "tech-bases": phrase("none: everything can be built"),
    "battle-ships": phrase("choose ships"),
    "classes": phrase("choose a class"),
    "clock-courses": phrase("away from the nearest edge"),
    "deployments": phrase("as usual: meeting at the edges"),
    "drifts": phrase("none: they stay where they are"),
    "edges": phrase("none"),
    "fates": phrase("choose"),
    "fighters": phrase("standard"),
    "fleet-values": phrase("as usual: points"),
    "navies": phrase("as in the rulebook"),
    "scorings": phrase("the last side on the table"),
    "set-up-manners": phrase("as usual: in secret"),
    "terrain-kinds": phrase("choose"),
    "winners": phrase("no side: a draw"),
}
