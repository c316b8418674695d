"""The faults of settings and detachments: what fleets are to do and how they are formed anew."""

from __future__ import annotations

import re
from collections.abc import Mapping

from campaign.rules.fleet_names import MOST_LETTERS
from campaign.rules.orders import Detach, FleetSetting
from campaign.rules.own_keys import unknown_fleet, unknown_ship
from campaign.rules.scenario import Scenario
from campaign.rules.view import View
from campaign.rules.world import Answer, Doctrine, Fleet, Ship
from engine.core.errors import Violation, place
from engine.core.names import name_fault
from engine.core.reason import reason

MOST_ANSWERS = 6  # conditions of one fleet
MOST_CONTACTS = 999
CLASSIFICATIONS = ("capital", "cruiser", "escort", "merchant", "installation")  # as long range scans read contacts
MOST_RANGE = 54  # MU, as far as any sensor or battery reaches


def name_faults(name: str, where: str) -> list[Violation]:
    """Every fault of a name: it has to show something, on one line, in up to 40 characters."""
    words = name_fault(name, MOST_LETTERS)
    return [Violation(where, "bad-name" if name.strip() else "no-name", words)] if words else []


def answer_faults(answers: tuple[Answer, ...], where: str) -> list[Violation]:
    """Every fault of standing orders with conditions."""
    found = []
    if len(answers) > MOST_ANSWERS:
        found.append(
            Violation(
                where, "too-many", reason("fleet-most-conditions", "a fleet has at most {} conditions", MOST_ANSWERS)
            )
        )
    for n, one in enumerate(answers):
        spot = f"{where}{place(n)}"
        if one.of not in ("", *CLASSIFICATIONS):
            words = reason(
                "contacts-read-none-said", "contacts are read as {}; none said: all", ", ".join(CLASSIFICATIONS)
            )
            found.append(Violation(f"{spot}.of", "unknown-classification", words))
        if not 0 <= one.least <= MOST_CONTACTS:
            found.append(
                Violation(
                    f"{spot}.least",
                    "out-of-range",
                    reason("number-of-contacts", "a number of contacts is 0 to {}", MOST_CONTACTS),
                )
            )
        if one.most is not None and not one.least <= one.most <= MOST_CONTACTS:
            words = reason("most-not-below-least", "the most is not below the least, nor above {}", MOST_CONTACTS)
            found.append(Violation(f"{spot}.most", "out-of-range", words))
        if not one.least and one.most is None:
            words = reason(
                "say-how-many-contacts",
                "say how many contacts at least, or at most; what holds always is the standing order itself",
            )
            found.append(Violation(f"{spot}.least", "no-condition", words))
    return found


def doctrine_faults(doctrine: Doctrine, where: str) -> list[Violation]:
    """Every fault of a doctrine."""
    found = []
    if doctrine.range is not None and not 1 <= doctrine.range <= MOST_RANGE:
        found.append(
            Violation(f"{where}.range", "out-of-range", reason("range-1-mu", "a range is 1 to {} MU", MOST_RANGE))
        )
    if not 0 <= doctrine.break_off <= 100:
        found.append(
            Violation(
                f"{where}.break_off", "out-of-range", reason("share-0-100-percent", "a share is 0 to 100 percent")
            )
        )
    return found


def setting_violations(
    scenario: Scenario, settings: tuple[FleetSetting, ...], fleets: Mapping[str, Fleet], crews: Mapping[str, list[Ship]]
) -> list[Violation]:
    """The faults of settings; `fleets` and `crews` are the faction's own after its detachments."""
    found: list[Violation] = []
    seen: dict[str, int] = {}
    for n, setting in enumerate(settings):
        where = place("settings", n)
        fleet = fleets.get(setting.fleet)
        if fleet is None:
            found.append(unknown_fleet(f"{where}.fleet", setting.fleet))
            continue
        if setting.fleet in seen:
            words = reason(
                "already-settings-settings", "{} already has settings in settings[{}]", fleet.name, seen[setting.fleet]
            )
            found.append(Violation(f"{where}.fleet", "twice", words))
        seen.setdefault(setting.fleet, n)
        if setting.name is not None:
            found.extend(name_faults(setting.name, f"{where}.name"))
        if setting.doctrine is not None:
            found.extend(doctrine_faults(setting.doctrine, f"{where}.doctrine"))
        if setting.answers is not None:
            found.extend(answer_faults(setting.answers, f"{where}.answers"))
        if setting.decoys_on is not None:
            real = len(crews.get(fleet.key, ()))
            found.extend(_decoys(scenario, fleet, real, setting.decoys_on, f"{where}.decoys_on"))
    return found


def _decoys(scenario: Scenario, fleet: Fleet, real: int, wanted: int, where: str) -> list[Violation]:
    if wanted < 0:
        return [
            Violation(where, "out-of-range", reason("number-decoys-not-below", "a number of decoys is not below 0"))
        ]
    if wanted and not scenario.decoys:
        return [Violation(where, "no-decoys", reason("no-decoys", "this war has no decoys"))]
    if wanted > fleet.decoys:
        return [
            Violation(
                where,
                "too-many-decoys",
                reason("too-many-decoys", "{} carries {} decoys, not {}", fleet.name, fleet.decoys, wanted),
            )
        ]
    if wanted > real:
        words = reason("decoys-beside-real-ships", "{} decoys beside {} real ships: at most one a ship", wanted, real)
        return [Violation(where, "too-many-decoys", words)]
    return []


def battle_setting_violations(view: View, settings: tuple[FleetSetting, ...]) -> list[Violation]:
    """In the stage of battles a faction sets the doctrine of its fleets that fight, and nothing else."""
    found: list[Violation] = []
    hexes = {fleet.key: fleet.hex for fleet in view.fleets}
    for n, setting in enumerate(settings):
        where = place("settings", n)
        for part in ("name", "standing", "answers", "decoys_on"):
            if getattr(setting, part) is not None:
                words = reason("only-doctrine-set-battle", "only doctrine can be set for a battle")
                found.append(Violation(f"{where}.{part}", "not-now", words))
        if setting.fleet in hexes and hexes[setting.fleet] not in view.fighting:
            found.append(
                Violation(
                    f"{where}.fleet", "not-fighting", reason("not-fighting", "this fleet has no battle this week")
                )
            )
    return found


def detach_violations(view: View, detach: tuple[Detach, ...]) -> list[Violation]:
    """The faults of detachments, from the faction's own fleets and ships as they are before any.

    Rules: 2E "The campaign map" [camp.fleets]
    """
    if not detach:
        return []
    fleets = {fleet.key: fleet for fleet in view.fleets}
    ships = {ship.key: ship for ship in view.ships}
    new = re.compile(rf"{re.escape(view.faction)}/f[1-9][0-9]{{0,5}}")
    found: list[Violation] = []
    taken: dict[str, int] = {}
    formed: dict[str, int] = {}
    for n, item in enumerate(detach):
        where = place("detach", n)
        if item.into in formed:
            words = reason(
                "already-formed-detach-name",
                "{} is already formed in detach[{}]: name all its ships there",
                item.into,
                formed[item.into],
            )
            found.append(Violation(f"{where}.into", "twice", words))
        formed.setdefault(item.into, n)
        into = fleets.get(item.into)
        if into is None and not new.fullmatch(item.into):
            words = reason(
                "not-your-fleet-new",
                "'{}' is not your fleet; a new fleet needs a key like {}/f12",
                item.into,
                view.faction,
            )
            found.append(Violation(f"{where}.into", "bad-key", words))
        if item.name and into is not None:
            found.append(
                Violation(
                    f"{where}.name",
                    "not-new",
                    reason("name-use-settings-rename", "{} has a name; use settings to rename it", into.name),
                )
            )
        elif item.name:
            found.extend(name_faults(item.name, f"{where}.name"))
        if not item.ships:
            found.append(
                Violation(f"{where}.ships", "no-ships", reason("name-ships-detach", "name the ships to detach"))
            )
        for m, key in enumerate(item.ships):
            spot = f"{where}.ships[{m}]"
            if key not in ships:
                found.append(unknown_ship(spot, key))
            elif key in taken:
                words = reason(
                    "already-detached-detach", "{} is already detached in detach[{}]", ships[key].name, taken[key]
                )
                found.append(Violation(spot, "twice", words))
            elif ships[key].fleet == item.into:
                found.append(
                    Violation(
                        spot, "goes-nowhere", reason("already-fleet", "{} is already in that fleet", ships[key].name)
                    )
                )
            taken.setdefault(key, n)
        sources = [fleets[key] for key in sorted({ships[key].fleet for key in item.ships if key in ships})]
        found.extend(_together(sources, into, where))
        found.extend(_drones(sources, item.decoys, where))
    return found


def _together(sources: list[Fleet], into: Fleet | None, where: str) -> list[Violation]:
    all_of_them = [*sources, into] if into is not None else sources
    if len({fleet.hex for fleet in all_of_them}) > 1:
        words = reason("ships-change-fleets-only", "ships change fleets only within one hex")
        return [Violation(f"{where}.ships", "not-together", words)]
    if len({(fleet.in_ftl, fleet.must_leave) for fleet in all_of_them}) > 1:
        words = reason(
            "fleets-leave-fleets-not", "fleets that have to leave and fleets that have not cannot exchange ships"
        )
        return [Violation(f"{where}.ships", "not-together", words)]
    return []


def _drones(sources: list[Fleet], wanted: int, where: str) -> list[Violation]:
    aboard = sum(fleet.decoys for fleet in sources)
    if not 0 <= wanted <= aboard:
        words = reason(
            "decoys-taken-along-fleets",
            "{} decoys are to be taken along; the fleets they leave carry {}",
            wanted,
            aboard,
        )
        return [Violation(f"{where}.decoys", "too-many-decoys", words)]
    return []
