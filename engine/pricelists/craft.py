"""What fighters and gunboats cost, each and by the squadron. Rules: Continuum 8.15, 9.2, 14.7, 14.8 [pc.design]"""

from __future__ import annotations

GROUP = 6  # fighters or gunboats of a full squadron
LIGHT_GROUP = 8  # light fighters, for the price of six others

FIGHTERS = {  # points each
    "standard": 3,
    "interceptor": 3,
    "attack": 4,
    "torpedo": 6,
    "graser": 7,
    "plasma": 7,
    "mkp": 6,
    "missile": 4,
    "multi-role": 4,
    "assault-shuttle": 1,
}
FIGHTER_MODS = {  # points each on top
    "heavy": 3,
    "fast": 1,
    "long-range": 1,
    "ftl": 1,
    "robot": -1,
    "light": 0,
    "cannon": 0,  # guns that go through screens and never re-roll, instead of beams
}
LIGHT_TYPES = ("standard", "interceptor", "attack", "missile")
NOT_WITH_LIGHT = ("heavy", "long-range")
CANNON_TYPES = ("standard", "interceptor", "attack", "mkp", "missile", "multi-role")

GUNBOATS = {  # points each
    "beam": 9,
    "plasma": 9,
    "graser": 9,
    "gatling": 15,
    "needle": 9,
    "pulse-torpedo": 12,
    "submunition": 12,
    "mkp": 15,
    "k-gun": 12,
    "missile": 12,
    "rocket": 12,
    "point-defence": 9,
    "area-defence": 12,
    "scatterpack": 15,
    "plasma-bomber": 15,
}
GUNBOAT_MODS = {  # points for each gunboat on top: a squadron's 6 and 12, and 3 for each of up to three levels
    "ftl": 1,
    "heavy": 2,
    "ecm-1": 3,
    "ecm-2": 6,
    "ecm-3": 9,
}
GUNBOAT_BERTH, FTL_GUNBOAT_BERTH = 3, 4  # mass of one in a boat bay
