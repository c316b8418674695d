"""The master list of technologies: costs, prerequisites, and what is included with others.

Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.phrase import phrase
from engine.core.terms import NAMED_CRAFT

SHIPS, DEFENCES, TARGETING, DIRECT, SPINAL = (
    "ships",
    "defences",
    "targeting",
    "direct fire",
    "spinal mounts",
)
ORDNANCE, FIGHTERS, GUNBOATS, SECONDARY = "ordnance", "fighters", "gunboats", "secondary"


@dataclass(frozen=True, slots=True)
class Technology:
    """A technology in the list of technologies.

    A technology with neither `choices` nor `with_` is free for every faction.

    Attributes:
        choices: How many of a faction's choices it uses up.
        needs: Prerequisites; each is a group of alternatives.
        with_: Technologies of which any one includes this one for free, once its prerequisites are
            met.
        option: The option without which there is no such technology.
    """

    id: str
    name: str
    section: str
    choices: int
    needs: tuple[tuple[str, ...], ...] = ()
    with_: tuple[str, ...] = ()
    option: str = ""

    @property
    def title(self) -> str:
        """Its translatable name."""
        return phrase(self.name)

    @property
    def free(self) -> bool:
        """Whether every faction has it."""
        return not self.choices and not self.with_


def _all(*ids: str) -> tuple[tuple[str, ...], ...]:
    """Return prerequisites without alternatives."""
    return tuple((id_,) for id_ in ids)


BOATS = _all("gunboats")

# fmt: off
TECHNOLOGIES: tuple[Technology, ...] = (
    Technology("hull", "Hulls of four, five and six rows", SHIPS, 0),
    Technology("advanced-hull", "Advanced hull of three rows", SHIPS, 1),
    Technology("stealth-hull", "Stealth hull", SHIPS, 1),
    Technology("hangars", "Hangar bay and launch tube", SHIPS, 0),
    Technology("catapult", "Launch tube catapult", SHIPS, 1),
    Technology("drive", "Standard drive", SHIPS, 0),
    Technology("advanced-drive", "Advanced gravity drive", SHIPS, 3),
    Technology("ftl", "FTL drive", SHIPS, 0),
    Technology("advanced-ftl", "Advanced FTL drive", SHIPS, 1),

    Technology("armour", "Armour", DEFENCES, 1),
    Technology("layered-armour", "Layered armour", DEFENCES, 1, needs=_all("armour")),
    Technology("regenerative-armour", "Regenerative armour", DEFENCES, 2),
    Technology("adfc", "ADFC", DEFENCES, 0),
    Technology("advanced-adfc", "Advanced ADFC", DEFENCES, 1),
    Technology("pds", "PDS", DEFENCES, 1),
    Technology("ads", "ADS", DEFENCES, 1, needs=_all("pds")),
    Technology("scattergun", "Scattergun", DEFENCES, 1, needs=_all("grapeshot")),
    Technology("grapeshot", "Grapeshot", DEFENCES, 1),
    Technology("screens", "Screens", DEFENCES, 1),
    Technology("advanced-screens", "Advanced screens", DEFENCES, 2, needs=_all("screens")),
    Technology("area-screens", "Area screens", DEFENCES, 3, needs=_all("advanced-screens")),
    Technology("holofield", "Holofield", DEFENCES, 1),
    Technology("stealth-field", "Stealth field", DEFENCES, 1),
    Technology("ecm", "ECM", DEFENCES, 2),
    Technology("area-ecm", "Area ECM", DEFENCES, 0, with_=("ecm",)),
    Technology("cloaking-device", "Cloaking device", DEFENCES, 1, needs=_all("stealth-field")),
    Technology("cloaking-field", "Cloaking field", DEFENCES, 1, needs=_all("stealth-field")),
    Technology("tuffley-cloak", "Tuffley cloaking device", DEFENCES, 1,
               needs=_all("stealth-field")),
    Technology("suicide-charge", "Antimatter suicide charge", DEFENCES, 1),

    Technology("fire-control", "Fire control", TARGETING, 0),
    Technology("advanced-fire-control", "Advanced fire control", TARGETING, 1),

    Technology("beams", "Beams, classes 1 to 3", DIRECT, 1),
    Technology("heavy-beams", "Beams, classes 4 to 6", DIRECT, 1, needs=_all("beams")),
    Technology("emp", "EMP projectors", DIRECT, 1),
    Technology("plasma-cannon", "Plasma cannon", DIRECT, 1),
    Technology("grasers", "Standard grasers", DIRECT, 1, needs=_all("beams")),
    Technology("heavy-grasers", "Heavy grasers", DIRECT, 1, needs=_all("grasers")),
    Technology("phasers", "Phasers", DIRECT, 1, needs=_all("beams", "grasers")),
    Technology("transporters", "Transporter beams", DIRECT, 1),
    Technology("gatling", "Gatling batteries", DIRECT, 1, needs=_all("beams")),
    Technology("particle-array", "Twin particle arrays", DIRECT, 1, needs=_all("beams")),
    Technology("meson", "Meson projectors", DIRECT, 0, with_=("particle-array", "gatling")),
    Technology("needles", "Needle beams", DIRECT, 1),
    Technology("pulse-torpedoes", "Pulse torpedoes, standard and short range", DIRECT, 1),
    Technology("overloaded-torpedoes", "Overloaded pulse torpedoes", DIRECT, 1,
               needs=_all("pulse-torpedoes")),
    Technology("long-torpedoes", "Long range pulse torpedoes", DIRECT, 1,
               needs=_all("pulse-torpedoes")),
    Technology("variable-torpedoes", "Variable strength pulse torpedoes", DIRECT, 1,
               needs=_all("pulse-torpedoes")),
    Technology("fusion-arrays", "Fusion arrays", DIRECT, 1),
    Technology("submunitions", "Submunition packs", DIRECT, 1),
    Technology("k-guns", "K-guns, standard and short range", DIRECT, 1),
    Technology("long-k-guns", "Long range K-guns", DIRECT, 1, needs=_all("k-guns")),
    Technology("flak", "Flak ammunition", DIRECT, 1),
    Technology("gravitic-guns", "Gravitic guns", DIRECT, 1),
    Technology("boarding-torpedoes", "Boarding torpedoes", DIRECT, 1),
    Technology("pulsers", "Pulsers", DIRECT, 2, needs=_all("beams")),
    Technology("turrets", "Turrets", DIRECT, 1),

    Technology("spinal-singularity", "Point singularity projectors", SPINAL, 2,
               needs=_all("gravitic-guns")),
    Technology("spinal-beams", "Spinal mount beams", SPINAL, 1, needs=_all("beams")),
    Technology("spinal-plasma", "Spinal mount plasma", SPINAL, 1, needs=_all("plasma-cannon")),

    Technology("antimatter-missiles", "Antimatter missiles", ORDNANCE, 1),
    Technology("salvo-launchers", "Salvo missile launchers", ORDNANCE, 1),
    Technology("salvo-racks", "Salvo missile racks", ORDNANCE, 0, with_=("salvo-launchers",)),
    Technology("extended-salvoes", "Extended range salvo missiles", ORDNANCE, 1),
    Technology("rocket-pods", "Rocket pods", ORDNANCE, 1),
    Technology("heavy-missiles", "Heavy missiles", ORDNANCE, 1),
    Technology("minelayers", "Minelayer racks", ORDNANCE, 1),
    Technology("mines", "Standard mines", ORDNANCE, 0),
    Technology("mkp", "Multiple kinetic penetrators", ORDNANCE, 1, needs=_all("k-guns")),
    Technology("plasma-bolts", "Plasma bolt launchers", ORDNANCE, 1),

    Technology("beam-fighters", "Standard fighters with beams", FIGHTERS, 1, needs=_all("beams")),
    Technology("gun-fighters", "Standard fighters with guns", FIGHTERS, 1, needs=_all("k-guns")),
    Technology("heavy-fighters", "Heavy fighters", FIGHTERS, 1),
    Technology("fast-fighters", "Fast fighters", FIGHTERS, 1),
    Technology("long-range-fighters", "Long range fighters", FIGHTERS, 1),
    Technology("interceptors", "Interceptors", FIGHTERS, 1,
               with_=("beam-fighters", "gun-fighters")),
    Technology("attack-fighters", "Attack fighters", FIGHTERS, 1),
    Technology("torpedo-fighters", "Torpedo fighters", FIGHTERS, 1, needs=_all("pulse-torpedoes")),
    Technology("graser-fighters", "Graser fighters", FIGHTERS, 1, needs=_all("grasers")),
    Technology("plasma-fighters", "Plasma fighters", FIGHTERS, 1, needs=_all("plasma-cannon")),
    Technology("mkp-fighters", "MKP fighters", FIGHTERS, 1, needs=_all("mkp")),
    Technology("missile-fighters", "Missile fighters", FIGHTERS, 1, needs=_all("salvo-launchers")),
    Technology("emp-fighters", "EMP fighters", FIGHTERS, 1, needs=_all("emp"), option=NAMED_CRAFT),
    Technology("needle-fighters", "Needle fighters", FIGHTERS, 1, needs=_all("needles"),
               option=NAMED_CRAFT),
    Technology("rocket-fighters", "Rocket fighters", FIGHTERS, 1, needs=_all("rocket-pods"),
               option=NAMED_CRAFT),
    Technology("multi-role-fighters", "Multi-role fighters", FIGHTERS, 3,
               needs=(("beam-fighters", "gun-fighters"), ("attack-fighters",))),
    Technology("robot-fighters", "Robot fighters", FIGHTERS, 1),
    Technology("fighter-racks", "Fighter racks", FIGHTERS, 0, with_=("robot-fighters",)),
    Technology("ftl-fighters", "FTL fighters", FIGHTERS, 1),
    Technology("assault-shuttles", "Assault shuttles", FIGHTERS, 1),
    Technology("fighter-package",
               "Fighter specialists: six choices of fighters for the price of three",
               FIGHTERS, 3),

    Technology("gunboats", "Gunboats", GUNBOATS, 1),
    Technology("gunboat-racks", "Gunboat racks", GUNBOATS, 0, with_=("gunboats",)),
    Technology("ftl-gunboats", "FTL gunboats", GUNBOATS, 1, needs=BOATS),
    Technology("beam-gunboats", "Beam gunboats", GUNBOATS, 0, needs=BOATS, with_=("beams",)),
    Technology("plasma-gunboats", "Plasma gunboats", GUNBOATS, 0,
               needs=BOATS, with_=("plasma-cannon",)),
    Technology("graser-gunboats", "Graser gunboats", GUNBOATS, 0, needs=BOATS, with_=("grasers",)),
    Technology("gatling-gunboats", "Gatling gunboats", GUNBOATS, 0,
               needs=BOATS, with_=("gatling", "pulsers")),
    Technology("needle-gunboats", "Needle gunboats", GUNBOATS, 0, needs=BOATS, with_=("needles",)),
    Technology("torpedo-gunboats", "Pulse torpedo gunboats", GUNBOATS, 0,
               needs=BOATS, with_=("pulse-torpedoes",)),
    Technology("submunition-gunboats", "Submunition gunboats", GUNBOATS, 0,
               needs=BOATS, with_=("submunitions",)),
    Technology("mkp-gunboats", "MKP gunboats", GUNBOATS, 0, needs=BOATS, with_=("mkp",)),
    Technology("k-gun-gunboats", "K-gun gunboats", GUNBOATS, 0, needs=BOATS, with_=("k-guns",)),
    Technology("missile-gunboats", "Missile gunboats", GUNBOATS, 0,
               needs=BOATS, with_=("salvo-launchers",)),
    Technology("rocket-gunboats", "Rocket gunboats", GUNBOATS, 0,
               needs=BOATS, with_=("rocket-pods",)),
    Technology("ads-gunboats", "Area defence gunboats", GUNBOATS, 0, needs=BOATS, with_=("ads",)),
    Technology("ecm-gunboats", "Electronic warfare gunboats", GUNBOATS, 0,
               needs=BOATS, with_=("ecm", "area-ecm")),
    Technology("scatterpack-gunboats", "Scatterpack gunboats", GUNBOATS, 0,
               needs=BOATS, with_=("scattergun",)),
    Technology("plasma-bombers", "Plasma bombers", GUNBOATS, 0,
               needs=BOATS, with_=("plasma-bolts",)),
    Technology("heavy-gunboats", "Heavy or screened gunboats", GUNBOATS, 1, needs=BOATS),

    Technology("enhanced-sensors", "Enhanced sensors", SECONDARY, 0),
    Technology("superior-sensors", "Superior sensors", SECONDARY, 1),
    Technology("minesweepers", "Minesweepers", SECONDARY, 1),
    Technology("boat-bays", "Boat bays", SECONDARY, 0),
    Technology("holds", "Cargo holds", SECONDARY, 0),
    Technology("berthing", "Troop and passenger berthing", SECONDARY, 0),
    Technology("shipyards", "Shipyards", SECONDARY, 0),
    Technology("marines", "Marines", SECONDARY, 0),
    Technology("damage-control", "Damage control parties", SECONDARY, 0),
    Technology("ortillery", "Ortillery", SECONDARY, 0),
    Technology("weasels", "Weasel emitters", SECONDARY, 0),
)
# fmt: on

BY_ID: dict[str, Technology] = {row.id: row for row in TECHNOLOGIES}
