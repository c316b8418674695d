"""A choice to be made about a hostile faction: with the scan of it and one's own strength there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from campaign.pages.faults import Faults
from campaign.pages.orderparts import Choosing, choice_words, items
from campaign.pages.sayings import counted, place_words, strength_words, weeks_ago
from campaign.rules.queries import can_jump, ship_classes
from campaign.rules.scenario import Scenario
from campaign.rules.view import View


def choosing(
    scenario: Scenario,
    view: View,
    label: str,
    toward: str,
    state: str,
    fixed: str,
    decides: Mapping[tuple[str, str], Mapping[str, Any]],
    faults: Faults,
    default: str = "",
) -> Choosing:
    """A choice to be made, with the last scan of the other side and one's own strength there."""
    scans = [s for s in view.sightings if s.hex == label and s.faction == toward]
    scan = max(scans, key=lambda s: s.week, default=None)
    classes, here = ship_classes(scenario), {f.key for f in view.fleets if f.hex == label and not f.in_ftl}
    crew = [ship for ship in view.ships if ship.fleet in here]
    names = {power.id: power.name for power in scenario.factions}
    standing = [f.standing for f in sorted(view.fleets, key=lambda f: f.key) if f.key in here and f.standing]
    id_ = f"decide-{label}-{toward}"
    return Choosing(
        id=id_,
        field=id_,
        hex=label,
        place=place_words(scenario, label),
        toward=toward,
        name=names.get(toward, toward),
        state=state,
        choice=str(decides.get((label, toward), {}).get("choice", "")),
        default=choice_words(default or (standing[0] if standing else "stand-off") or ""),
        scan="" if scan is None else strength_words(scan.counts),
        scan_age="" if scan is None else weeks_ago(view.week - scan.week),
        own=strength_words(counted(scenario, crew)),
        own_ships=len(crew),
        stuck=sum(1 for ship in crew if not (ship.tug or can_jump(classes[ship.cls], ship))),
        fixed=choice_words(fixed),
        faults=faults.at(id_),
    )


def decided(payload: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The decisions of a payload by hex and faction."""
    return {(str(item.get("hex")), str(item.get("toward"))): item for item in items(payload, "decide")}
