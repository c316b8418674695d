"""The optional rules by subject, in the order in which forms list them."""

from __future__ import annotations

from engine.core.phrase import phrase

# (title, names of options); every option of both editions is in exactly one group.
OPTION_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        phrase("Movement and the table"),
        (
            *("vector", "mixed-movement", "wide-lock-on", "emergency-thrust", "table-return"),
            *("moving-table", "fixed-table", "no-ftl", "ftl-scatter", "orbital-table"),
        ),
    ),
    (
        phrase("Contacts and sensors"),
        ("known-contacts", "no-decoys", "advanced-sensors", "sensor-ecm", "sensors-by-range"),
    ),
    (
        phrase("Ramming and boarding"),
        (
            *("no-ramming", "ram-on-5", "ram-on-4", "ram-on-3", "ram-on-2", "ramming-ability"),
            "boarding",
        ),
    ),
    (
        phrase("Terrain"),
        (
            *("asteroid-destruction", "clouds", "flares", "swarms", "battle-debris", "planets"),
            *("simple-planet", "shared-orbits", "jump-points"),
        ),
    ),
    (
        phrase("Fire and damage"),
        (
            *(
                "aft-fire",
                "docked-fire",
                "rear-attack",
                "drive-damage",
                "knocked-off-course",
                "core-systems",
            ),
            *("reactor-breach", "no-repairs", "overload", "flak", "shaped-bolts"),
            *("hangar-criticals", "short-spines", "fire-by-ship"),
        ),
    ),
    (phrase("Morale"), ("fleet-morale", "striking", "late-striking", "civil-war")),
    (
        phrase("Fighters and point defence"),
        (
            *("fighter-morale", "aces", "multi-role", "dogfight-actions", "refuse-dogfights"),
            *("catapults", "combined-hangars", "point-defence-level", "advanced-missiles"),
            "scattergun-four",
        ),
    ),
    (
        phrase("Designs and prices"),
        (
            *("no-multi-stage", "no-short-k-guns", "fighters-and-gunboats", "named-craft"),
            "flawed-designs",
            *("point-defence-costs", "free-adfc", "table-prices", "table-sensors", "cpv"),
            *("science-fiction", "one-navy"),
        ),
    ),
)
