"""What a week leaves of ground targets: damage in battles over their planets, and bombardment that
nobody hinders.

Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaign.events.event import WeekEvent
from campaign.events.systems import GroundHit
from campaign.rules.ground_targets import called, damage_by, fought_over, marked
from campaign.rules.scenario import StarSystem
from campaign.rules.world import GroundDamage, Holding, World
from engine.core.phrase import phrase
from engine.notation.ground import site_id
from engine.pieces.site import Site
from umpire.adjudication.muster import Book, Muster
from umpire.adjudication.outcome import BattleResult

ORTILLERY = "ortillery"
IN_BATTLE, UNHINDERED = phrase("in battle"), "unhindered"


def damage_after(
    system: StarSystem, sides: Mapping[str, str], state: Mapping[str, Any]
) -> tuple[tuple[int, int], ...]:
    """The damage of a system's ground targets as a battle has left it, by their numbers, those
    among them that it has left behind. `state`: the battle's last.
    """
    listed = [number for number, _, _ in fought_over(system, sides)]
    sites = {
        piece["id"]: piece["damage"]
        for piece in (state["pieces"] if listed else ())
        if piece["kind"] == Site.kind
    }
    named = {number: site_id(place) for place, number in enumerate(listed, 1)}
    return tuple((number, sites[name]) for number, name in named.items() if name in sites)


def bombarded(
    book: Book,
    world: World,
    muster: Muster,
    holdings: Sequence[Holding],
    results: Mapping[str, BattleResult],
) -> tuple[tuple[GroundDamage, ...], list[WeekEvent]]:
    """The damage of all ground targets at the end of a week, and who hears of what is new: the
    owner, and whoever is there.

    After the battles a faction that has superiority in a system in peace lays every hostile target
    there in ruins, if any of its ships' ortillery works: a week is long enough.

    Rules: Continuum "Ortillery" 12.6 [pc.ortillery]
    """
    ground, heard = world.ground, []
    systems = {system.id: hex_ for hex_, system in book.system_at.items() if system.ground}
    held = {holding.system: holding for holding in holdings}
    for id_, hex_ in sorted(systems.items()):
        system, before = book.system_at[hex_], damage_by(ground, id_)
        now = dict(before)
        for fight in world.engagements:
            now |= dict(results[fight.key].ground) if fight.hex == hex_ else {}
        heard += _told(muster, system, before, now, IN_BATTLE)
        after = now | _unhindered(book, muster, system, held[id_])
        heard += _told(muster, system, now, after, UNHINDERED)
        ground = marked(ground, id_, after)
    return ground, heard


def _unhindered(book: Book, muster: Muster, system: StarSystem, holding: Holding) -> dict[int, int]:
    """The targets that who has superiority in a system lays in ruins."""
    power = holding.unchallenged
    if power is None:
        return {}
    fleets = muster.present(system.hex)
    ships = [
        ship
        for faction, there in fleets.items()
        if not book.hostile(faction, power)
        for fleet in there
        for ship in muster.ships_of[fleet.key]
    ]
    able = any(
        fit.startswith(f"{ORTILLERY}-") and fit not in ship.lost
        for ship in ships
        if not ship.helpless
        for fit in book.classes[ship.cls].systems
    )
    if not able:
        return {}
    return {
        number: target.boxes
        for number, target in enumerate(system.ground, 1)
        if book.hostile(target.faction, power)
    }


def _told(
    muster: Muster,
    system: StarSystem,
    before: Mapping[int, int],
    after: Mapping[int, int],
    how: str,
) -> list[WeekEvent]:
    found: list[WeekEvent] = []
    for number, target in enumerate(system.ground, 1):
        damage = after.get(number, 0)
        if damage == before.get(number, 0):
            continue
        audience = tuple(sorted({target.faction, *muster.present(system.hex)}))
        found.append(
            GroundHit(
                audience,
                system.hex,
                target=called(target, number),
                owner=target.faction,
                boxes=target.boxes,
                left=target.boxes - damage,
                how=how,
            )
        )
    return found
