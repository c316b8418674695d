"""The names of systems in FTJava, a play-by-mail program, and in this project.

Its ships are XML elements `Ship`; systems are elements in the groups Electronics, Defenses, Holds
and Weapons.
"""

from __future__ import annotations

GROUPS = ("Electronics", "Defenses", "Holds", "Weapons")
HOLD = "CargoHold"
HANGAR = "HangerBay"  # its spelling; `size` is the mass of the craft it holds
MAGAZINE = "SalvoMissileMagazine"
LAUNCHER = "SalvoMissileLauncher"

# FTJava's element: type and model here, and FTJava's group.
SYSTEMS: dict[str, tuple[str, str, str]] = {
    "FireControl": ("firecon", "", "Electronics"),
    "AreaDefenseFireControl": ("adfc", "", "Electronics"),
    "EnhancedSensors": ("enhanced-sensors", "", "Electronics"),
    "SuperiorSensors": ("superior-sensors", "", "Electronics"),
    "ECM": ("ecm", "", "Electronics"),
    "AreaECM": ("area-ecm", "", "Electronics"),
    "Screen": ("screen", "", "Defenses"),
    "VapourShroud": ("shroud", "", "Defenses"),
    "ReflexField": ("reflex-field", "", "Defenses"),
    "CloakingDevice": ("cloaking-device", "", "Defenses"),
    "CloakingField": ("cloaking-field", "", "Defenses"),
    "Holofield": ("holofield", "", "Defenses"),
    "PointDefense": ("pds", "", "Weapons"),
    "Scattergun": ("scattergun", "", "Weapons"),
    "Grapeshot": ("grapeshot", "", "Weapons"),
    "FighterBay": ("combined-hangar", "", "Weapons"),
    "BeamBattery": ("beam", "", "Weapons"),
    "PulseTorpedo": ("pulse-torpedo", "", "Weapons"),
    "NeedleBeam": ("needle", "", "Weapons"),
    "SubmunitionPack": ("submunition", "", "Weapons"),
    LAUNCHER: ("salvo-launcher", "", "Weapons"),
    "SalvoMissileRack": ("salvo-rack", "", "Weapons"),
    MAGAZINE: ("magazine", "", "Weapons"),
    "Missile": ("heavy-missile", "", "Weapons"),
    "RocketPod": ("rocket-pod", "", "Weapons"),
    "AntiMatterTorpedoLauncher": ("antimatter-missile", "", "Weapons"),
    "KineticGun": ("k-gun", "", "Weapons"),
    "MultipleKineticPenetratorPack": ("mkp", "", "Weapons"),
    "Graser": ("graser", "", "Weapons"),
    "Pulser": ("pulser", "", "Weapons"),
    "PlasmaBoltLauncher": ("plasma-bolt", "", "Weapons"),
    "PlasmaCannon": ("plasma-cannon", "", "Weapons"),
    "NovaCannon": ("nova-cannon", "", "Weapons"),
    "WaveGun": ("wave-gun", "", "Weapons"),
    "MineLayer": ("minelayer", "", "Weapons"),
    "MineSweeper": ("minesweeper", "", "Weapons"),
    "Ortillery": ("ortillery", "", "Weapons"),
}
HOLDS = {  # FTJava's kind of hold: type here. The export writes the first name of each type.
    "Cargo Hold": "hold",
    "Laboratory Hold": "hold",
    "Passenger Space": "passengers",
    "Troop Space": "troops",
    "Passenger": "passengers",
    "Troop Transport": "troops",
}
CIVIL = ("Merchant", "Civilian")  # classes of hull
NO_SHIPS = ("Planet",)  # ship classes that are other things on the table
# Hull boxes in percent of mass.
HULLS = {
    "Fragile": 10,
    "Weak": 20,
    "Average": 30,
    "Strong": 40,
    "Super": 50,
}
CUSTOM = "Custom"
SALVOES = {"Standard Salvo": "standard", "Extended Range Salvo": "extended"}
ALL_ARCS = "All arcs"
