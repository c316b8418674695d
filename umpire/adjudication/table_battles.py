"""The outcome of a battle at a table, from the results that its sides or the umpire entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.kinds import TABLE, Source
from campaign.store.battle_documents import PhaseInputs
from engine.battle import start
from engine.events.entered import ResultEntered
from engine.table_results.comparison import combine_results, end_events, result_state
from engine.table_results.ends import ResultDocument
from engine.view.contact_fates import ContactFate, contact_fates
from engine.view.documents import StopViewDocument
from engine.view.event_reader import read_events_of
from engine.view.side_view import observe
from umpire.adjudication.battles import battle_result, total_contacts_seen
from umpire.adjudication.fighting import BattleOutcome, BattleTask, PhaseRecord


@dataclass(frozen=True, slots=True)
class TableClaim:
    """A result that was entered for a faction.

    Attributes:
        source: Who entered it.
        payload: As it was entered, under the side's own names of the ships.
        result: The same with the ships' ids.
    """

    faction: str
    side: str
    source: str
    payload: Any
    result: ResultDocument


def outcome_of_claims(task: BattleTask, claims: Sequence[TableClaim]) -> BattleOutcome:
    """Return the outcome of a battle whose sides agree on a possible result.

    Args:
        claims: In faction order.
    """
    results = {claim.faction: (claim.side, claim.result) for claim in claims}
    combined = combine_results(task.start, results)
    state, winner, turns = result_state(task.start, combined)
    sources = {claim.source for claim in claims}
    inputs: PhaseInputs = {
        "turn": turns,
        "phase": TABLE,
        "by": "umpire" if Source.UMPIRE in sources else "players",
        "entered": {claim.faction: claim.payload for claim in claims},
    }
    state_before = start(task.start).state
    sides = state_before.sides
    views: dict[str, StopViewDocument] = {}
    fates: list[list[ContactFate]] = []
    for number, name in enumerate(sides):
        first_view = observe(state_before, number).to_json()
        log = end_events(_result_of_side(claims, name), turns)
        views[name] = {**first_view, "turn": turns, "stop": TABLE, "log": log}
        entered: list[Mapping[str, Any]] = []
        for end in read_events_of(log, ResultEntered):
            entered.append({"id": end.ship, "status": end.status})
        fates.append(contact_fates(sides, first_view["contacts"], (), entered))
    result = battle_result(
        task.scenario,
        task.world,
        task.engagement,
        state=state,
        winner=winner,
        turns=turns,
        contacts_seen=total_contacts_seen(task.scenario, task.world, sides, fates.__getitem__),
    )
    record = PhaseRecord(inputs, end_events(combined, turns), views)
    return BattleOutcome(state, (record,), result)


def _result_of_side(claims: Sequence[TableClaim], side: str) -> ResultDocument:
    """Return the result that a side entered, under its own names of the ships."""
    for claim in claims:
        if claim.side == side:
            result: ResultDocument = claim.payload
            return result
    return {"ships": {}}
