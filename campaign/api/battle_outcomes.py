"""What decided a battle, in the sheet of a battle: the same facts as on its result card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.errors import NoViewer
from campaign.models.campaign import Campaign, Faction
from campaign.rules.queries import with_known_designs
from campaign.services.shown_odds import shown_odds_of
from campaign.sight.views import sight_after
from campaign.store.documents import scenario_of
from campaign.web.battle_card import battle_facts, shown_chance


@dataclass(frozen=True, slots=True)
class LossesOfTurn:
    """What both sides lost in a turn, as far as the caller's side saw.

    Attributes:
        own: Points that the caller's side lost.
        theirs: Points that the others lost; foreign classes may be estimated.
    """

    turn: int
    own: int
    theirs: int
    own_ships: int
    their_ships: int


@dataclass(frozen=True, slots=True)
class BestShipSheet:
    """The ship of the caller's side with the most hits on ships.

    Attributes:
        destroyed: How many ships it hit last before they were destroyed.
    """

    ship: str
    hits: int
    destroyed: int


@dataclass(frozen=True, slots=True)
class BattleOutcome:
    """What decided a battle (`docs/reference/battle-results.md` has the measures).

    Attributes:
        odds: The chance to win in per cent that the side was shown before the battle, or null.
        turning_point: The turn in which the losses of the sides differed most, or null.
    """

    odds: int | None
    turning_point: int | None
    best_ship: BestShipSheet | None
    losses: list[LossesOfTurn]


def battle_outcome(
    campaign: Campaign, faction: Faction, week: int, seq: int, body: Mapping[str, Any]
) -> BattleOutcome:
    """Return what decided a battle, as a faction's report tells.

    Args:
        seq: The number of the snapshot with which the report was written.
    """
    try:
        before = sight_after(campaign, faction, seq - 1).view
    except NoViewer:  # the battle was the first event on this branch of the war
        before = sight_after(campaign, faction, seq).view
    scenario = with_known_designs(scenario_of(campaign, faction.key), before)
    facts = battle_facts(scenario, body, before)
    turning = facts.turning_point
    best = facts.best_ship
    losses = []
    for item in facts.turns:
        losses.append(
            LossesOfTurn(
                turn=item.turn,
                own=round(item.own),
                theirs=round(item.theirs),
                own_ships=item.own_ships,
                their_ships=item.their_ships,
            )
        )
    return BattleOutcome(
        odds=shown_chance(shown_odds_of(campaign, faction, week), body["hex"]),
        turning_point=None if turning is None else turning.turn,
        best_ship=None if best is None else BestShipSheet(best.key, best.hits, best.destroyed),
        losses=losses,
    )
