"""The master list of technologies as a literal table: what each costs, what it asks for, what comes with it.

Rules: Continuum "The Imperial tech base" 15.1 [camp.tech-base]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.phrase import phrase

SHIPS, DEFENCES, TARGETING, DIRECT = "ships", "defences", "targeting", phrase("direct fire")
SPINAL, ORDNANCE, FIGHTERS, GUNBOATS, SECONDARY = (
    phrase("spinal mounts"),
    "ordnance",
    "fighters",
    "gunboats",
    "secondary",
)


@dataclass(frozen=True, slots=True)
class Technology:
    """A row of the list.

    `choices`: what naming it costs. `needs`: prerequisites, all of them; each is a group of which any one will do.
    `with_`: it comes along with any of these, unnamed and for nothing, where its prerequisites are met. What has
    neither choices nor `with_` every faction has.
    """

    id: str
    name: str
    section: str
    choices: int
    needs: tuple[tuple[str, ...], ...] = ()
    with_: tuple[str, ...] = ()

    @property
    def free(self) -> bool:
        """Whether every faction has it."""
        return not self.choices and not self.with_


def _all(*ids: str) -> tuple[tuple[str, ...], ...]:
    """Prerequisites that are all asked for."""
    return tuple((id_,) for id_ in ids)


BOATS = _all("gunboats")

# fmt: off
TECHNOLOGIES: tuple[Technology, ...] = (
    Technology("hull", phrase("Hulls of four, five and six rows"), SHIPS, 0),
    Technology("advanced-hull", phrase("Advanced hull of three rows"), SHIPS, 1),
    Technology("stealth-hull", phrase("Stealth hull"), SHIPS, 1),
    Technology("hangars", phrase("Hangar bay and launch tube"), SHIPS, 0),
    Technology("catapult", phrase("Launch tube catapult"), SHIPS, 1),
    Technology("drive", phrase("Standard drive"), SHIPS, 0),
    Technology("advanced-drive", phrase("Advanced gravity drive"), SHIPS, 3),
    Technology("ftl", phrase("FTL drive"), SHIPS, 0),
    Technology("advanced-ftl", phrase("Advanced FTL drive"), SHIPS, 1),

    Technology("armour", "Armour", DEFENCES, 1),
    Technology("layered-armour", phrase("Layered armour"), DEFENCES, 1, _all("armour")),
    Technology("regenerative-armour", phrase("Regenerative armour"), DEFENCES, 2),
    Technology("adfc", "ADFC", DEFENCES, 0),
    Technology("advanced-adfc", phrase("Advanced ADFC"), DEFENCES, 1),
    Technology("pds", "PDS", DEFENCES, 1),
    Technology("ads", "ADS", DEFENCES, 1, _all("pds")),
    Technology("scattergun", "Scattergun", DEFENCES, 1, _all("grapeshot")),
    Technology("grapeshot", "Grapeshot", DEFENCES, 1),
    Technology("screens", "Screens", DEFENCES, 1),
    Technology("advanced-screens", phrase("Advanced screens"), DEFENCES, 2, _all("screens")),
    Technology("area-screens", phrase("Area screens"), DEFENCES, 3, _all("advanced-screens")),
    Technology("holofield", "Holofield", DEFENCES, 1),
    Technology("stealth-field", phrase("Stealth field"), DEFENCES, 1),
    Technology("ecm", "ECM", DEFENCES, 2),
    Technology("area-ecm", phrase("Area ECM"), DEFENCES, 0, with_=("ecm",)),
    Technology("cloaking-device", phrase("Cloaking device"), DEFENCES, 1, _all("stealth-field")),
    Technology("cloaking-field", phrase("Cloaking field"), DEFENCES, 1, _all("stealth-field")),
    Technology("tuffley-cloak", phrase("Tuffley cloaking device"), DEFENCES, 1, _all("stealth-field")),
    Technology("suicide-charge", phrase("Antimatter suicide charge"), DEFENCES, 1),

    Technology("fire-control", phrase("Fire control"), TARGETING, 0),
    Technology("advanced-fire-control", phrase("Advanced fire control"), TARGETING, 1),

    Technology("beams", phrase("Beams, classes 1 to 3"), DIRECT, 1),
    Technology("heavy-beams", phrase("Beams, classes 4 to 6"), DIRECT, 1, _all("beams")),
    Technology("emp", phrase("EMP projectors"), DIRECT, 1),
    Technology("plasma-cannon", phrase("Plasma cannon"), DIRECT, 1),
    Technology("grasers", phrase("Standard grasers"), DIRECT, 1, _all("beams")),
    Technology("heavy-grasers", phrase("Heavy grasers"), DIRECT, 1, _all("grasers")),
    Technology("phasers", "Phasers", DIRECT, 1, _all("beams", "grasers")),
    Technology("transporters", phrase("Transporter beams"), DIRECT, 1),
    Technology("gatling", phrase("Gatling batteries"), DIRECT, 1, _all("beams")),
    Technology("particle-array", phrase("Twin particle arrays"), DIRECT, 1, _all("beams")),
    Technology("meson", phrase("Meson projectors"), DIRECT, 0, with_=("particle-array", "gatling")),
    Technology("needles", phrase("Needle beams"), DIRECT, 1),
    Technology("pulse-torpedoes", phrase("Pulse torpedoes, standard and short range"), DIRECT, 1),
    Technology("overloaded-torpedoes", phrase("Overloaded pulse torpedoes"), DIRECT, 1, _all("pulse-torpedoes")),
    Technology("long-torpedoes", phrase("Long range pulse torpedoes"), DIRECT, 1, _all("pulse-torpedoes")),
    Technology("variable-torpedoes", phrase("Variable strength pulse torpedoes"), DIRECT, 1, _all("pulse-torpedoes")),
    Technology("fusion-arrays", phrase("Fusion arrays"), DIRECT, 1),
    Technology("submunitions", phrase("Submunition packs"), DIRECT, 1),
    Technology("k-guns", phrase("K-guns, standard and short range"), DIRECT, 1),
    Technology("long-k-guns", phrase("Long range K-guns"), DIRECT, 1, _all("k-guns")),
    Technology("flak", phrase("Flak ammunition"), DIRECT, 1),
    Technology("gravitic-guns", phrase("Gravitic guns"), DIRECT, 1),
    Technology("boarding-torpedoes", phrase("Boarding torpedoes"), DIRECT, 1),
    Technology("pulsers", "Pulsers", DIRECT, 2, _all("beams")),
    Technology("turrets", "Turrets", DIRECT, 1),

    Technology("spinal-singularity", phrase("Point singularity projectors"), SPINAL, 2, _all("gravitic-guns")),
    Technology("spinal-beams", phrase("Spinal mount beams"), SPINAL, 1, _all("beams")),
    Technology("spinal-plasma", phrase("Spinal mount plasma"), SPINAL, 1, _all("plasma-cannon")),

    Technology("antimatter-missiles", phrase("Antimatter missiles"), ORDNANCE, 1),
    Technology("salvo-launchers", phrase("Salvo missile launchers"), ORDNANCE, 1),
    Technology("salvo-racks", phrase("Salvo missile racks"), ORDNANCE, 0, with_=("salvo-launchers",)),
    Technology("extended-salvoes", phrase("Extended range salvo missiles"), ORDNANCE, 1),
    Technology("rocket-pods", phrase("Rocket pods"), ORDNANCE, 1),
    Technology("heavy-missiles", phrase("Heavy missiles"), ORDNANCE, 1),
    Technology("minelayers", phrase("Minelayer racks"), ORDNANCE, 1),
    Technology("mines", phrase("Standard mines"), ORDNANCE, 0),
    Technology("mkp", phrase("Multiple kinetic penetrators"), ORDNANCE, 1, _all("k-guns")),
    Technology("plasma-bolts", phrase("Plasma bolt launchers"), ORDNANCE, 1),

    Technology("beam-fighters", phrase("Standard fighters with beams"), FIGHTERS, 1, _all("beams")),
    Technology("gun-fighters", phrase("Standard fighters with guns"), FIGHTERS, 1, _all("k-guns")),
    Technology("heavy-fighters", phrase("Heavy fighters"), FIGHTERS, 1),
    Technology("fast-fighters", phrase("Fast fighters"), FIGHTERS, 1),
    Technology("long-range-fighters", phrase("Long range fighters"), FIGHTERS, 1),
    Technology("interceptors", "Interceptors", FIGHTERS, 1, with_=("beam-fighters", "gun-fighters")),
    Technology("attack-fighters", phrase("Attack fighters"), FIGHTERS, 1),
    Technology("torpedo-fighters", phrase("Torpedo fighters"), FIGHTERS, 1, _all("pulse-torpedoes")),
    Technology("graser-fighters", phrase("Graser fighters"), FIGHTERS, 1, _all("grasers")),
    Technology("plasma-fighters", phrase("Plasma fighters"), FIGHTERS, 1, _all("plasma-cannon")),
    Technology("mkp-fighters", phrase("MKP fighters"), FIGHTERS, 1, _all("mkp")),
    Technology("missile-fighters", phrase("Missile fighters"), FIGHTERS, 1, _all("salvo-launchers")),
    Technology("multi-role-fighters", phrase("Multi-role fighters"), FIGHTERS, 3,
               (("beam-fighters", "gun-fighters"), ("attack-fighters",))),
    Technology("robot-fighters", phrase("Robot fighters"), FIGHTERS, 1),
    Technology("fighter-racks", phrase("Fighter racks"), FIGHTERS, 0, with_=("robot-fighters",)),
    Technology("ftl-fighters", phrase("FTL fighters"), FIGHTERS, 1),
    Technology("assault-shuttles", phrase("Assault shuttles"), FIGHTERS, 1),
    Technology("fighter-package", phrase("Fighter specialists: six choices of fighters for three"), FIGHTERS, 3),

    Technology("gunboats", "Gunboats", GUNBOATS, 1),
    Technology("gunboat-racks", phrase("Gunboat racks"), GUNBOATS, 0, with_=("gunboats",)),
    Technology("ftl-gunboats", phrase("FTL gunboats"), GUNBOATS, 1, BOATS),
    Technology("beam-gunboats", phrase("Beam gunboats"), GUNBOATS, 0, BOATS, ("beams",)),
    Technology("plasma-gunboats", phrase("Plasma gunboats"), GUNBOATS, 0, BOATS, ("plasma-cannon",)),
    Technology("graser-gunboats", phrase("Graser gunboats"), GUNBOATS, 0, BOATS, ("grasers",)),
    Technology("gatling-gunboats", phrase("Gatling gunboats"), GUNBOATS, 0, BOATS, ("gatling", "pulsers")),
    Technology("needle-gunboats", phrase("Needle gunboats"), GUNBOATS, 0, BOATS, ("needles",)),
    Technology("torpedo-gunboats", phrase("Pulse torpedo gunboats"), GUNBOATS, 0, BOATS, ("pulse-torpedoes",)),
    Technology("submunition-gunboats", phrase("Submunition gunboats"), GUNBOATS, 0, BOATS, ("submunitions",)),
    Technology("mkp-gunboats", phrase("MKP gunboats"), GUNBOATS, 0, BOATS, ("mkp",)),
    Technology("k-gun-gunboats", phrase("K-gun gunboats"), GUNBOATS, 0, BOATS, ("k-guns",)),
    Technology("missile-gunboats", phrase("Missile gunboats"), GUNBOATS, 0, BOATS, ("salvo-launchers",)),
    Technology("rocket-gunboats", phrase("Rocket gunboats"), GUNBOATS, 0, BOATS, ("rocket-pods",)),
    Technology("ads-gunboats", phrase("Area defence gunboats"), GUNBOATS, 0, BOATS, ("ads",)),
    Technology("ecm-gunboats", phrase("Electronic warfare gunboats"), GUNBOATS, 0, BOATS, ("ecm", "area-ecm")),
    Technology("scatterpack-gunboats", phrase("Scatterpack gunboats"), GUNBOATS, 0, BOATS, ("scattergun",)),
    Technology("plasma-bombers", phrase("Plasma bombers"), GUNBOATS, 0, BOATS, ("plasma-bolts",)),
    Technology("heavy-gunboats", phrase("Heavy or screened gunboats"), GUNBOATS, 1, BOATS),

    Technology("enhanced-sensors", phrase("Enhanced sensors"), SECONDARY, 0),
    Technology("superior-sensors", phrase("Superior sensors"), SECONDARY, 1),
    Technology("minesweepers", "Minesweepers", SECONDARY, 1),
    Technology("boat-bays", phrase("Boat bays"), SECONDARY, 0),
    Technology("holds", phrase("Cargo holds"), SECONDARY, 0),
    Technology("berthing", phrase("Troop and passenger berthing"), SECONDARY, 0),
    Technology("shipyards", "Shipyards", SECONDARY, 0),
    Technology("marines", "Marines", SECONDARY, 0),
    Technology("damage-control", phrase("Damage control parties"), SECONDARY, 0),
    Technology("ortillery", "Ortillery", SECONDARY, 0),
    Technology("weasels", phrase("Weasel emitters"), SECONDARY, 0),
)
# fmt: on

BY_ID: dict[str, Technology] = {row.id: row for row in TECHNOLOGIES}
