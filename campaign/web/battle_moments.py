"""Moments of battles: the fleets that met, and what each side lost, as one side knew it.

Everything comes from that side's own report and view, as its replay does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.drawings.moment import (
    UNKNOWN,
    Force,
    Moment,
    MomentSide,
    MomentSize,
    Ships,
    draw_moment,
)
from campaign.errors import NoViewer
from campaign.models.campaign import Campaign, Faction
from campaign.rules.queries import ship_classes, sort_by_count
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import View
from campaign.sight.reports import (
    BattleSummary,
    list_phases,
    read_battle_report,
    read_phases,
    report_so_far,
)
from campaign.sight.views import sight_after
from campaign.web.battle_ends import ship_ends
from campaign.web.seat_marks import power_names, seats
from campaign.words.battle.log import phases_of
from campaign.words.common import place_name, side_words
from engine.core.cache import Cache
from engine.core.kinds import (
    CAPTURED,
    DESTROYED,
    FTL,
    HULK,
    LEFT_TABLE,
    RETURNING,
    SHIP_SURRENDERED,
    ShipStatus,
)
from engine.core.phrase import join_phrases, phrase
from engine.core.state import OVER
from engine.english import counted_noun, short_name

AWAY = {FTL, LEFT_TABLE, RETURNING}
LOST = {DESTROYED, CAPTURED, SHIP_SURRENDERED, HULK, ShipStatus.LANDED}
# By campaign, branch, faction and battle: saves reading a report of up to 200 kB for each battle.
_tallies: Cache[tuple[object, ...], BattleTally] = Cache(512)


@dataclass(frozen=True, slots=True)
class SideTally:
    """The ships of one side in a battle, as far as the reader saw them.

    Attributes:
        side: The keys of its factions, joined by "+".
        ships: By kind, the largest number first.
        decoys: Contacts that proved to be decoys.
        away: How many left the table.
    """

    side: str
    ships: tuple[Ships, ...]
    decoys: int = 0
    away: int = 0

    @property
    def count(self) -> int:
        """Return how many ships there were."""
        return sum(ships.count for ships in self.ships)

    @property
    def lost(self) -> int:
        """Return how many were lost."""
        return sum(ships.lost for ships in self.ships)

    @property
    def stayed(self) -> int:
        """Return how many were on the table at the end."""
        return self.count - self.lost - self.away


@dataclass(frozen=True, slots=True)
class BattleTally:
    """The ships in a battle, as its reader saw it.

    Attributes:
        others: The other sides, in the order of the battle.
    """

    own: SideTally
    others: tuple[SideTally, ...]


def battle_moment(
    campaign: Campaign,
    faction: Faction | None,
    scenario: Scenario,
    battle: BattleSummary,
    size: MomentSize = MomentSize.CARD,
) -> Moment:
    """Return the moment of a battle that a faction has the report of.

    Args:
        scenario: The scenario as the faction knows it.
    """
    key = (str(campaign.public_id), campaign.head_branch_id, battle.side, battle.id)
    tally = _tallies.get_or_make(key, lambda: _read_tally(campaign, faction, scenario, battle))
    names = power_names(scenario)
    numbers = seats(scenario)
    return draw_moment(
        size,
        _own_side(tally.own, numbers),
        _other_side(tally.others, names, numbers),
        place=battle_place(scenario, battle.hex),
        when=battle_time(scenario, battle),
        outcome=_outcome(scenario, battle, tally),
        alt=_alt(tally),
    )


def running_battle_moment(
    campaign: Campaign, faction: Faction, scenario: Scenario, view: View
) -> Moment | None:
    """Return the moment of the first battle that a faction is fighting, or None without one.

    Args:
        view: What the faction knew before its battles of this week.
    """
    newest = {phase.battle: phase for phase in list_phases(campaign, faction)}
    running = [phase for phase in newest.values() if phase.kind != OVER]
    if not running:
        return None
    sheets = read_phases(campaign, faction, running[0].battle)
    tally = tally_of(report_so_far(sheets), own_kinds(scenario, view))
    names = power_names(scenario)
    numbers = seats(scenario)
    turn = sheets[-1]["turn"]
    when = phrase("Week {} · battle, turn {}", view.week, turn)
    return draw_moment(
        MomentSize.CARD,
        _own_side(tally.own, numbers),
        _other_side(tally.others, names, numbers),
        place=battle_place(scenario, sheets[-1]["hex"]),
        when=phrase("Turn {}", turn) if is_skirmish(scenario) else when,
        alt=_alt(tally),
    )


def tally_of(body: Mapping[str, Any], own_kinds: Mapping[str, str]) -> BattleTally:
    """Count the ships in a side's report of a battle.

    Args:
        own_kinds: The classification of the faction's own ships, by key. Ships of allies have none.
    """
    phases = phases_of(body)
    ends = ship_ends(phases)
    own: dict[str, str] = {}
    contacts: dict[str, tuple[int, str]] = {}
    for phase in phases:
        for key, ship in phase["own"].items():
            if not ship.get("dummy"):
                own.setdefault(key, own_kinds.get(key, UNKNOWN))
        for contact in phase["contacts"]:
            contacts[str(contact["id"])] = (contact["side"], str(contact["classification"]))
    by_side: dict[int, dict[str, str]] = {}
    for key, (number, kind) in contacts.items():
        if key not in own:
            by_side.setdefault(number, {})[key] = kind
    others = []
    for number, kinds in sorted(by_side.items()):
        others.append(_side_tally(body["sides"][number], kinds, ends))
    return BattleTally(own=_side_tally(body["side"], own, ends), others=tuple(others))


def _read_tally(
    campaign: Campaign, faction: Faction | None, scenario: Scenario, battle: BattleSummary
) -> BattleTally:
    """Return the tally of a battle, from its report and the view before it."""
    _, seq, body = read_battle_report(campaign, faction, battle.id)
    try:
        before = sight_after(campaign, faction, seq - 1).view
    except NoViewer:  # the battle was the first event on this branch of the war
        before = sight_after(campaign, faction, seq).view
    return tally_of(body, own_kinds(scenario, before))


def own_kinds(scenario: Scenario, view: View) -> dict[str, str]:
    """Return the classification of a faction's ships, by key."""
    classes = ship_classes(scenario)
    kinds = {}
    for ship in view.ships:
        if ship.cls in classes:
            kinds[ship.key] = classes[ship.cls].classification
    return kinds


def _side_tally(side: str, kinds: Mapping[str, str], ends: Mapping[str, ShipStatus]) -> SideTally:
    """Count a side's ships.

    Args:
        kinds: The classification of each of them, by key.
    """
    decoys = {key for key in kinds if ends.get(key) == ShipStatus.SCANNED_AWAY}
    counts = Counter(kind for key, kind in kinds.items() if key not in decoys)
    lost = Counter(kind for key, kind in kinds.items() if ends.get(key) in LOST)
    ships = []
    for kind, count in sort_by_count(counts):
        ships.append(Ships(kind=kind, count=count, lost=lost[kind]))
    away = sum(ends.get(key) in AWAY for key in kinds)
    return SideTally(side=side, ships=tuple(ships), decoys=len(decoys), away=away)


def _own_side(tally: SideTally, numbers: Mapping[str, int]) -> MomentSide:
    """Return the reader's side of a moment."""
    return MomentSide(
        name=phrase("You"),
        figures=_own_figures(tally),
        detail=_lost_words(tally) if tally.lost else "",
        forces=(Force(_seat(tally.side, numbers), tally.ships),),
        is_own=True,
    )


def _own_figures(tally: SideTally) -> str:
    """Return how many own ships are left."""
    if tally.lost:
        return phrase("{} of {} left", tally.count - tally.lost, tally.count)
    return counted_noun(tally.count, "ship")


def _lost_words(tally: SideTally) -> str:
    """Return how many ships a side lost."""
    return phrase("{} lost", tally.lost)


def _other_side(
    tallies: tuple[SideTally, ...], names: Mapping[str, str], numbers: Mapping[str, int]
) -> MomentSide:
    """Return the other sides of a battle as one side of its moment."""
    count = sum(tally.count for tally in tallies)
    lost = sum(tally.lost for tally in tallies)
    decoys = sum(tally.decoys for tally in tallies)
    figures = phrase("{} of {} lost", lost, count) if lost else counted_noun(count, "ship")
    keys = [key for tally in tallies for key in tally.side.split("+")]
    forces = tuple(Force(_seat(tally.side, numbers), tally.ships) for tally in tallies)
    if not tallies:
        return MomentSide(name=phrase("Nobody seen"), figures="", forces=())
    return MomentSide(
        name=join_phrases(" and ", [side_words(tally.side, names) for tally in tallies]),
        short_name=join_phrases(", ", [short_name(key) for key in keys]),
        figures=figures,
        detail=counted_noun(decoys, "decoy") if decoys else "",
        forces=forces,
    )


def _seat(side: str, numbers: Mapping[str, int]) -> int:
    """Return the seat of a side's first faction."""
    return numbers.get(side.split("+", maxsplit=1)[0], 0)


def battle_place(scenario: Scenario, hex_: str) -> str:
    """Return the name of a single battle, or of a battle's place."""
    return scenario.name if is_skirmish(scenario) else place_name(scenario, hex_)


def battle_time(scenario: Scenario, battle: BattleSummary) -> str:
    """Return when a battle was fought, and how long it lasted."""
    turns = counted_noun(battle.turns, "turn")
    if is_skirmish(scenario):
        return turns
    return phrase("Week {} · battle, {}", battle.week, turns)


def _outcome(scenario: Scenario, battle: BattleSummary, tally: BattleTally) -> str:
    """Return who won, and in a war how many of the ships seen stayed if the reader did not."""
    stayed = sum(other.stayed for other in tally.others)
    if battle.winner == battle.side or not stayed or is_skirmish(scenario):
        return _result(battle)
    return join_phrases(" ", [_result(battle), phrase("Of the ships you saw, {} stayed.", stayed)])


def _result(battle: BattleSummary) -> str:
    """Return who won."""
    if not battle.winner:
        return phrase("The battle was drawn.")
    if battle.winner == battle.side:
        return phrase("You won.")
    return phrase("You lost.")


def _alt(tally: BattleTally) -> str:
    """Return the picture of a battle in words."""
    theirs = sum(other.count for other in tally.others)
    their_losses = sum(other.lost for other in tally.others)
    return phrase(
        "Your ships: {}, lost {}. Their ships: {}, lost {}.",
        tally.own.count,
        tally.own.lost,
        theirs,
        their_losses,
    )
