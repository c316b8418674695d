"""Ships as the ftLibShip builder writes them, and the mass and points of its systems in Continuum."""

from __future__ import annotations

from typing import Any


def ship_document(*entries: dict[str, Any], mass: int = 100, **more: Any) -> dict[str, Any]:
    """Return a ship as the builder writes it; an entry's name determines its group."""
    ship = {
        "hull": {"points": mass // 10, "rows": 4, "stealth": "0", "streamlining": "none"},
        "armour": [],
        "systems": list(entries),
        "weapons": [],
        "ordnance": [],
        "extras": [],
        "fighters": [],
        "orientation": "alpha",
        "points": 1,
        "cpv": 1,
        "mass": mass,
        "class": "Tester",
        "name": "Own",
    }
    return ship | more


def entry(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "id": "x1", **fields}


def bearing(left_arc: str, number: int) -> dict[str, Any]:
    return {"leftArc": left_arc, "numArcs": number}


SYSTEMS = [
    # the builder's text, mass, points
    (entry("fireControl"), 1, 4),
    (entry("fireControl", advanced=True), 1, 5),
    (entry("adfc"), 2, 8),
    (entry("adfc", advanced=True), 2, 10),
    (entry("sensors"), 4, 24),
    (entry("sensors", advanced=True), 8, 48),
    (entry("screen", advanced=False, area=False), 5, 15),
    (entry("screen", level=2), 10, 30),
    (entry("screen", advanced=True), 8, 32),
    (entry("screen", area=True), 20, 70),
    (entry("screen", area=True, advanced=True), 30, 105),
    (entry("ecm"), 1, 3),
    (entry("ecm", area=True), 2, 6),
    (entry("suicide"), 1, 5),
    (entry("mineSweeper"), 5, 15),
    (entry("damageControl"), 0, 5),
    (entry("marines"), 0, 5),
    (entry("stealthField"), 5, 30),
    (entry("holofield"), 10, 50),
    (entry("cloakDevice"), 1, 25),
    (entry("cloakField"), 1, 100),
    (entry("ortillery"), 3, 9),
    (entry("reflex"), 10, 60),
    (entry("shroud"), 5, 15),
    (entry("decoy", type="cruiser"), 2, 8),
    (entry("decoy", type="capital"), 4, 16),
    (entry("launchTube"), 3, 9),
    (entry("launchTube", catapult=True), 3, 10),
    (entry("hangar", isRack=False, critRules=False), 9, 27),
    (entry("hangar", critRules=True), 9, 18),
    (entry("hangar", isRack=True), 6, 6),
    (entry("gunboatRack"), 18, 0),
    (entry("mineLayer", capacity=4), 6, 14),
    (entry("magazine", capacity=3), 6, 18),
    (entry("magazine", capacity=3, modifier="er"), 9, 27),
    (entry("magazine", capacity=3, modifier="twostage"), 12, 36),
    (entry("boardingTorpedoMagazine", capacity=3), 3, 9),
    (entry("bay", type="cargo", capacity=21), 21, 0),
    (entry("bay", type="passenger", capacity=80), 20, 0),
    (entry("bay", type="troop", capacity=7), 2, 0),
    (entry("bay", type="boat", capacity=18), 27, 0),
    (entry("bay", type="tender", capacity=20), 30, 90),
    (entry("bay", type="tender", capacity=20, ratio=1), 20, 60),
    (entry("beam", **{"class": 1}, **bearing("F", 6)), 1, 3),
    (entry("beam", **{"class": 3}, **bearing("AP", 3)), 6, 18),
    (entry("emp", **{"class": 2}, **bearing("F", 3)), 2, 6),
    (entry("plasmaCannon", **{"class": 2}, **bearing("F", 3)), 4, 12),
    (entry("phaser", **{"class": 2}, **bearing("F", 3)), 4, 14),
    (entry("transporter", **{"class": 2}, **bearing("F", 3)), 2, 6),
    (entry("needle", **{"class": 2}, **bearing("F", 2)), 6, 18),
    (entry("graser", **{"class": 2}, heavy=False, **bearing("F", 3)), 4, 12),
    (entry("graser", **{"class": 2}, heavy=True, **bearing("F", 1)), 9, 27),
    (entry("graser", **{"class": 2}, heavy=True, highIntensity=True, **bearing("F", 1)), 9, 36),
    (entry("gatling", **bearing("F", 3)), 3, 12),
    (entry("particle", **bearing("F", 1)), 2, 8),
    (entry("meson", **bearing("F", 6)), 4, 16),
    (entry("pulser", range="long", **bearing("F", 3)), 3, 15),
    (entry("fusion", mode="flare", **bearing("F", 2)), 4, 12),
    (entry("gravitic", **{"class": 3}, **bearing("F", 1)), 4, 12),
    (entry("torpedoPulse", **bearing("F", 1)), 4, 12),
    (entry("torpedoPulse", modifier="short", **bearing("FP", 3)), 3, 9),
    (entry("torpedoPulse", modifier="long", **bearing("F", 2)), 10, 30),
    (entry("submunition", **bearing("FP", 3)), 1, 3),
    (entry("kgun", **{"class": 3}, **bearing("F", 1)), 5, 20),
    (entry("kgun", **{"class": 1}, **bearing("F", 6)), 2, 8),
    (entry("kgun", **{"class": 3}, modifier="short", **bearing("F", 1)), 3, 12),
    (entry("kgun", **{"class": 3}, modifier="long", **bearing("F", 1)), 10, 40),
    (entry("mkp", arc="FS"), 1, 4),
    (entry("pbl", **{"class": 3}, **bearing("FP", 3)), 15, 45),
    (entry("boardingTorpedoLauncher", **bearing("FP", 3)), 2, 6),
    (entry("spinalBeam", range="short"), 8, 32),
    (entry("spinalPlasma", range="medium"), 16, 64),
    (entry("spinalSingularity", range="long"), 32, 160),
    (entry("spinalNova"), 20, 60),
    (entry("spinalWave"), 12, 36),
    (entry("pds"), 1, 3),
    (entry("ads", **bearing("FP", 3)), 2, 6),
    (entry("scatterGun"), 1, 5),
    (entry("grapeshot"), 1, 4),
    (entry("amt"), 2, 10),
    (entry("rocketPod"), 1, 3),
    (entry("missile"), 2, 6),
    (entry("missile", modifier="er"), 3, 9),
    (entry("salvo", modifier="twostage"), 6, 24),
    (entry("salvoLauncher", **bearing("FP", 3)), 3, 9),
]
