"""Electronic counter measures: noise that shortens lock-ons and blinds scans, of one ship or of all around it.

Rules: Continuum "ECM" 7.18, "Area ECM" 7.19, "Electronic counter measures" 12.4 [pc.ecm]
"""

from __future__ import annotations

MOST = 3  # levels that a ship's own suites and area ECM make together
AREA_REACH = 6.0  # MU around a ship with area ECM within which its friends' lock-ons are covered too
SCAN_REACH = 12.0  # MU within which it disturbs active scans, of friend and foe
DEBLIP_STEP = 6.0  # MU that each level takes from the range at which sensors tell what a contact is
LOCK_ON_STEP = 1.0  # MU that each level takes from a lock-on
HOLOFIELD_STEP = 1.0  # and a holofield


def level(own: int, area: int) -> int:
    """The level of a ship's own suites and of area ECM around it together. Rules: Continuum "Area ECM" 7.19 [pc.ecm]"""
    return min(own + area, MOST)


def lock_on(radius: float, ecm: int, *, holofield: bool = False, rocket: bool = False) -> float:
    """MU from which missiles, fighters and gunboats still lock on to a ship; ECM does nothing against rockets.

    `radius`: their own, after stealth. Rules: Continuum "ECM" 7.18, "Holofield" 7.17 [pc.ecm]
    """
    less = 0.0 if rocket else ecm * LOCK_ON_STEP
    return max(radius - less - (HOLOFIELD_STEP if holofield else 0.0), 0.0)


def deblip_range(reach: float, ecm: int) -> float:
    """MU at which sensors of a reach still make a contact out. Rules: Continuum "ECM" 7.18 [pc.ecm]"""
    return max(reach - ecm * DEBLIP_STEP, 0.0)


def scan_result(die: int, bonus: int, jamming: tuple[int, ...]) -> int:
    """An active scan's result: the die and its sensors' bonus, less the die of each jammer in the way.

    The target's side throws one where the target is jammed, the scanning side one where its own ECM jams it.
    Rules: Continuum "Electronic counter measures" 12.4 [pc.ecm]
    """
    return die + bonus - sum(jamming)
