"""Battles as the umpire has them fought: what goes in, the record of each phase, the result.

Pure: battles without players are fought here by computer captains, with a record of each phase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from campaign.rules.battle_sightings import ContactOutcome
from campaign.rules.scenario import Scenario
from campaign.rules.world import Engagement, World
from campaign.store.battle_documents import PhaseInputs
from engine import battle as engine
from engine.battle import ResolvedStop as EngineStop
from engine.core import fair
from engine.core.dice import Dice
from engine.core.limits import DEFAULT_MAX_TURNS
from engine.core.state import SET_UP, BattleState
from engine.documents import BattleDocument
from engine.notation.battle_file import BattleFileDocument
from engine.view.contact_fates import ContactFate, contact_fates, visible_contacts
from engine.view.documents import LogLine, StopViewDocument
from umpire.adjudication.battles import battle_result, total_contacts_seen
from umpire.adjudication.outcome import BattleResult

PLAIN = "plain"  # remedy by which captains hold their courses


@dataclass(frozen=True, slots=True)
class BattleTask:
    """A battle to fight.

    Attributes:
        start: The engine's set-up.
        doctrines: That of each side's captain, by the side's name.
        captain_seed: Seed of the captains' own random stream.
        dice_key: Context of its dice keys.
        progress: The battle so far, if captains continue one.
    """

    scenario: Scenario
    world: World
    engagement: Engagement
    start: BattleFileDocument
    doctrines: dict[str, dict[str, Any]]
    dice: Dice
    captain_seed: str
    dice_key: tuple[str | int | list[str | int], ...] = ()
    progress: engine.Battle | None = None

    @property
    def max_turns(self) -> int:
        """Return the turn after which captains end it."""
        return self.start.get("max_turns", DEFAULT_MAX_TURNS)


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """One phase of a battle: what each side chose, what happened, and what each side saw.

    Attributes:
        events: The umpire's log.
        views: By the side's name.
    """

    inputs: PhaseInputs
    events: list[LogLine]
    views: dict[str, StopViewDocument]


@dataclass(frozen=True, slots=True)
class BattleOutcome:
    """A battle that is over: the engine's last state, all phases, and the result for the campaign.

    Attributes:
        chain: The hashes of those first phases that were already chained.
        stored_phases: How many phases are stored.
    """

    state: BattleDocument
    phases: tuple[PhaseRecord, ...]
    result: BattleResult
    chain: tuple[str, ...] = ()
    stored_phases: int = 0


Fighter = Callable[[BattleTask], BattleOutcome]


def chain_hashes(
    first: str, phases: tuple[PhaseRecord, ...], stored: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the hash of each phase. Each hash covers the hash before it.

    Args:
        first: The hash before the first phase, from `chain_begin`.
        stored: Known hashes of the first phases.
    """
    hashes = list(stored)
    last = hashes[-1] if hashes else first
    for phase in phases[len(hashes) :]:
        last = chain_link(last, phase)
        hashes.append(last)
    return tuple(hashes)


def chain_link(last: str, phase: PhaseRecord) -> str:
    """Return the hash of a phase, chained onto the one before."""
    document = {"inputs": phase.inputs, "events": phase.events, "views": phase.views}
    return fair.chain_link(last, document)


def make_phase_record(phase: EngineStop, inputs: PhaseInputs) -> PhaseRecord:
    """Return the record of a resolved phase of the engine."""
    sides = phase.before.sides
    return PhaseRecord(
        inputs=inputs,
        events=[event.to_json() for event in phase.events],
        views={name: phase.view(number) for number, name in enumerate(sides)},
    )


def captain_inputs(phase: EngineStop) -> PhaseInputs:
    """Return the inputs of a phase at which captains played all sides."""
    return {
        "turn": phase.turn,
        "phase": phase.kind,
        "by": "captains",
        "orders": phase.inputs,
        "pursue": list(phase.pursue),
    }


def fight_by_captains(task: BattleTask) -> BattleOutcome:
    """Fight a battle to its end, with a captain for each side by its doctrine."""
    engine_battle = task.progress or engine.start(task.start)
    phases: list[PhaseRecord] = []

    def record_phase(phase: engine.ResolvedStop) -> None:
        phases.append(make_phase_record(phase, captain_inputs(phase)))

    ended = engine.fight(
        engine_battle,
        task.doctrines,
        task.dice,
        task.captain_seed,
        max_turns=task.max_turns,
        on_stop=record_phase,
    )
    return make_outcome(task, ended, phases)


def make_outcome(
    task: BattleTask, ended: engine.Battle, phases: Sequence[PhaseRecord]
) -> BattleOutcome:
    """Return the outcome of a battle that is over, with its result for the campaign."""
    state = ended.to_json()
    result = battle_result(
        task.scenario,
        task.world,
        task.engagement,
        state=state,
        winner=ended.winner,
        turns=ended.turn,
        contacts_seen=contacts_seen_in_phases(task, phases, ended.state),
    )
    return BattleOutcome(state, tuple(phases), result)


def contacts_seen_in_phases(
    task: BattleTask, phases: Sequence[PhaseRecord], ended: BattleState
) -> tuple[ContactOutcome, ...]:
    """Return what each side saw happen to its contacts, from its views and logs.

    The contacts are those at the beginning of the first turn, when all sides have set up.
    """
    if not phases:
        return ()
    first_turn = 0
    while first_turn < len(phases) - 1 and phases[first_turn].inputs["phase"] == SET_UP:
        first_turn += 1
    sides = ended.sides

    def fates_of(number: int) -> list[ContactFate]:
        views = [phase.views[sides[number]] for phase in phases]
        log: list[LogLine] = []
        for view in views:
            log.extend(view["log"])
        return contact_fates(
            sides, views[first_turn]["contacts"], log, visible_contacts(ended, number)
        )

    return total_contacts_seen(task.scenario, task.world, sides, fates_of)
