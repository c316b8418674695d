"""Which of a captain's point defence meets what comes at his ships, where that is more than every
ship does by itself.

Which groups a captain scrambles from carriers that fighters attack.

Rules: Continuum "Point defense" 8.8 [pc.point-defence]; Continuum "Scrambling fighter groups" 8.3
[pc.scramble]
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.captains.common.doctrine import Doctrine, Post
from engine.captains.common.flying import STRENGTH, taken_by
from engine.captains.continuum.boat_guards import guarded_by_boats
from engine.captains.continuum.boat_hunting import boats_left, in_defence
from engine.captains.continuum.level_runs import shares
from engine.captains.continuum.marks import chart_of
from engine.continuum import aiming
from engine.continuum.craft.scramble import scramble_fault, scramblers
from engine.continuum.craft.targets import attackers_of, engaged
from engine.continuum.defence_level import by_level
from engine.continuum.defence_plans import ShotPlan, attackers, comes_at, guard_of, in_flight
from engine.continuum.defences import apart
from engine.continuum.fire_control import way_of, working
from engine.core.geometry import NEAR
from engine.core.kinds import FIGHTING
from engine.core.orders import BY_ITSELF, SCRAMBLE, Defence, Fire
from engine.core.ship import ShipState
from engine.core.state import BattleState
from engine.craft.registry import craft_type
from engine.pieces.group import Group
from engine.pieces.quarry import Prey
from engine.view.side_view import SideView
from engine.weapons.guard import AREA, SUPPORT_REACH

KILLED_BY = 0.8  # missiles a point defence die takes, in the mean
SALVO_DICE = 3.0  # hits on a salvo that a weapon of one shot is worth


@dataclass(frozen=True, slots=True)
class _Coming:
    """What attacks a ship of the side, by its id: ordnance or craft, and how much of it there is to
    kill.
    """

    prey: Prey
    target: str
    size: int


def defences(post: Post, view: SideView) -> dict[str, tuple[Defence, ...]]:
    """Point defence of the ships that are attacked, or that guard others by ADFC, where it is more
    than what every ship does by itself; and what boats on guard meet.

    Rules: Continuum "Point defense" 8.8 [pc.point-defence]
    """
    state = chart_of(view)
    hostile = state.hostile[view.side]
    markers = [marker for marker in attackers(state) if hostile >> marker.side & 1]
    if by_level(state):
        flown_at = [
            ship.id for ship in view.own for one in comes_at(state, ship) if isinstance(one, Group)
        ]
        scrambling = {
            ship.id: bays for ship in view.own if (bays := scrambled(state, ship, post.doctrine))
        }
        shared = shares(
            view, state, [*(marker.target for marker in markers), *flown_at], post.doctrine.never
        )
        return shared | {
            name: (Defence(SCRAMBLE, bays, BY_ITSELF),) for name, bays in scrambling.items()
        }
    foes = [ship for ship in state.ships if hostile >> ship.commander & 1]
    coming = [
        *(_Coming(marker, marker.target, marker.strength) for marker in markers),
        *(
            _Coming(group, ship.id, group.craft)
            for ship in view.own
            for group in comes_at(state, ship)
            if isinstance(group, Group)
        ),
        *(
            _Coming(prey, "", prey.craft if isinstance(prey, Group) else prey.strength)
            for prey in _afar(state, hostile)
        ),
    ]
    found: dict[str, tuple[Defence, ...]] = {}
    hits: dict[str, float] = {}
    left = boats_left(state, view)
    for ship in (ship for ship in view.own if ship.status == FIGHTING):
        if bays := scrambled(state, ship, post.doctrine):
            found[ship.id] = (Defence(SCRAMBLE, bays, BY_ITSELF),)
            continue
        plan = ShotPlan(state, ship)
        given: list[Defence] = []
        for index in _by_their_worth(state, ship, foes, post.doctrine.never):
            guard = guard_of(ship, index)
            assert guard is not None
            once = ship.profile.weapons[index].once
            mode = AREA if guard.as_area and working(ship, "advanced-firecon") else ""
            far = guard.reach(mode) > SUPPORT_REACH
            for one in sorted(
                coming,
                key=lambda one: (one.target != ship.id, not one.target, hits.get(one.prey.id, 0.0)),
            ):
                met = hits.get(one.prey.id, 0.0)
                out = (
                    one.target
                    and not far
                    and apart(ship, state.named(one.target)) > SUPPORT_REACH + NEAR
                )
                if (
                    met >= one.size
                    or out
                    or (once and (not one.target or one.size - met < SALVO_DICE))
                ):
                    continue
                order = Defence(ship.sheet.fits[index].id, (one.prey.id,), mode)
                if not plan.take(order):
                    given.append(order)
                    hits[one.prey.id] = met + KILLED_BY * max(guard.dice, SALVO_DICE if once else 1)
                    break
        if given:
            found[ship.id] = tuple(given)
        guns = in_defence(state, ship, plan, left, post.doctrine.never)
        if guns:
            found[ship.id] = (*(given or _spread(state, ship)), *guns)
    unmet = [(one.prey, bool(one.target), one.size - hits.get(one.prey.id, 0.0)) for one in coming]
    return found | guarded_by_boats(state, view, unmet)


def _spread(state: BattleState, ship: ShipState) -> tuple[Defence, ...]:
    """What a ship's point defence does by itself, as orders."""
    plan = ShotPlan(state, ship)
    plan.unordered()
    return tuple(Defence(ship.sheet.fits[shot.index].id, (shot.prey.id,)) for shot in plan.shots)


def _afar(state: BattleState, hostile: int) -> list[Prey]:
    """What of its foes attacks nobody, and an ADFC may fire at: missiles that fly on, and craft."""
    prey: list[Prey] = [
        *in_flight(state),
        *(group for group in state.of(Group) if not engaged(state, group)),
    ]
    return [one for one in prey if hostile >> one.side & 1]


def _by_their_worth(
    state: BattleState, ship: ShipState, foes: list[ShipState], never: tuple[str, ...]
) -> list[int]:
    """The places of a ship's point defence in the order in which it is given targets: what has no
    other work, then the smallest guns and those that would have nothing to fire at, then weapons of
    one shot.
    """
    places = [
        index
        for index, fit in enumerate(ship.sheet.fits)
        if ship.alive[index]
        and fit.type not in never
        and guard_of(ship, index) is not None
        and (_light(ship, index) or not _bears(state, ship, index, foes))
    ]
    return sorted(
        places, key=lambda index: (ship.profile.weapons[index].once, not _by_itself(ship, index))
    )


def _by_itself(ship: ShipState, index: int) -> bool:
    guard = guard_of(ship, index)
    return guard is not None and guard.by_itself


def _bears(state: BattleState, ship: ShipState, index: int, foes: list[ShipState]) -> bool:
    """Whether a weapon has a foe to fire at later in the turn, in which nothing moves any more."""
    fire, mode = Fire(ship.sheet.fits[index].id, ()), way_of(ship, index, "")
    return any(aiming.aim(state, ship, index, fire, mode, foe) is not None for foe in foes)


def _light(ship: ShipState, index: int) -> bool:
    """Whether a weapon is worth more as point defence than as a gun."""
    fit = ship.sheet.fits[index]
    return _by_itself(ship, index) or fit.size == 1 or ship.profile.weapons[index].once


WORTH_A_SCRAMBLE = 2.0  # craft that a group takes in a fight, in the mean, for which it scrambles


def scrambled(state: BattleState, ship: ShipState, doctrine: Doctrine) -> tuple[str, ...]:
    """The bays whose groups a ship under attack of fighters scrambles, those first that do most in
    a fight: not for a few attackers, as a mishap may wreck the bay.

    Rules: Continuum "Scrambling fighter groups" 8.3 [pc.scramble]
    """
    rows = {
        bay: craft_type(ship.profile.craft[ship.profile.index_of[bay]])
        for bay in scramblers(state, ship)
    }
    able = {
        bay: ship.stock[ship.profile.index_of[bay]] * taken_by(row)
        for bay, row in rows.items()
        if ship.sheet.fits[ship.profile.index_of[bay]].type not in doctrine.never
    }
    raiders = [group for group in attackers_of(state, ship) if not group.row.berth]
    able = {bay: taken for bay, taken in able.items() if taken >= WORTH_A_SCRAMBLE}
    if sum(group.craft for group in raiders) < STRENGTH:
        return ()
    bays: tuple[str, ...] = ()
    for bay in sorted(able, key=lambda bay: (-able[bay], bay)):
        if len(bays) < len(raiders) and not scramble_fault(state, ship, (*bays, bay)):
            bays = (*bays, bay)
    return bays
