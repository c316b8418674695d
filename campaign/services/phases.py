"""A faction's online battles: the phase that waits for its orders, their faults, and their sealing.

A sheet is what `campaign.sight.reports.read_phase` returns: what the faction received when the
phase opened.

    {battle, week, hex, side, at, sides, table, number, turn, kind, needs_orders, mine, view, log,
     battle_document, advice, winner, chain}

Its fields:

- `at`: index of the faction's side in `sides`.
- `number`: of the phase, from 0.
- `kind`: set_up, plot, fighters, defend, engage, control or over.
- `needs_orders`: the phase waits for this faction; only then are `battle_document` and `advice`
  there.
- `mine`: ids of the ships, fighter groups and ordnance that it orders (allies order their own).
- `view`: what its side sees before the phase (`engine.view.side_view.SideView.to_json`).
- `log`: what happened since the phase before, as its side saw it.
- `battle_document`: the battle as its side knows it (`engine.stops`), by which orders are checked.
- `advice`: what its captain would order; used if nothing is sealed.
- `winner`: once the battle is over.
- `chain`: hash of the phase before.

Orders of a phase: {"set_up": {ship: place}}, {"plot": {ship: text}}, beside it "launch": {ship:
[{weapon, at, load}]} where ships launch ordnance, {"fighters": {group: text}}, {"defend": {ship:
[{weapon, target, mode}], group: [{weapon, target, count}]}}, {"engage": {ship: [fire]} or [[ship,
fire]]} or {"control": {ship: {repairs: [{system, parties}], dump, abandon, repel, marines}},
"board": {ship: {at_marines}}}, as in docs/reference/orders.md. With `"pursue": true` an engage
order follows a side that disengages. They are sealed with {schema, week, hex, stop}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import BigIntegerField
from django.utils import timezone
from typing_extensions import override

from campaign.errors import NotFound, StageClosed
from campaign.kinds import FactionBattleState, FactionBattleText, Source, StageStatus
from campaign.lineage import played_on_line
from campaign.models.campaign import Campaign, Faction
from campaign.models.stage import Draft, Stage, Submission
from campaign.rules.upgrades import PHASE_ORDERS
from campaign.selectors.due import PHASE_RESOLVE, task_enqueue
from campaign.selectors.envelopes import OF_BATTLE_STAGE, Document
from campaign.services.envelopes import envelope_write, lock_stage, oversized_part_faults
from campaign.sight.reports import PhaseSummary, list_battles, list_phases, read_phase
from campaign.store.battle_documents import PhaseSheet
from campaign.store.prepared import PreparedRows
from campaign.words.battle.phase_titles import PHASES
from engine.battle import battle_from
from engine.captains.common.doctrine import Doctrine
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase
from engine.core.state import OVER, SET_UP
from engine.order_requests.engage import PURSUE
from engine.pieces.registry import kinds
from engine.sequences import entries_at
from engine.stops import advise, read_orders

DRAFTS = PreparedRows(
    lambda faction, branch: played_on_line(
        Draft.objects.filter(faction_id=faction, stage__kind__in=PHASES),
        branch,
        *OF_BATTLE_STAGE,
    ),
    parameters=(BigIntegerField(), BigIntegerField()),
    related=("stage",),
)
SEALED = PreparedRows(
    lambda faction, branch: played_on_line(
        Submission.objects.filter(
            faction_id=faction, stage__kind__in=PHASES, withdrawn_at__isnull=True
        ),
        branch,
        *OF_BATTLE_STAGE,
    ),
    parameters=(BigIntegerField(), BigIntegerField()),
    related=("author",),
)
# Keys that identify the phase. Its number is under `stop`: dice depend on the hash of what is
# sealed, so this key cannot change while battles are in progress.
ENVELOPE = ("schema", "battle", "week", "hex", "stop")


@dataclass(frozen=True, slots=True)
class Fight:
    """An online battle as its faction knows it.

    Attributes:
        last: Its newest phase.
        stages: Primary keys of the stages at which the faction was asked.
        state: open (waits for this faction's orders), sealed, waiting (for others or the umpire) or
            over.
        stage: The stage of the newest phase, if that asks for orders.
        draft: The faction's draft in that stage.
        newest_draft: Its draft in the newest phase that asked it, past or present.
    """

    last: PhaseSummary
    phases: tuple[PhaseSummary, ...]
    stages: tuple[int, ...]
    state: FactionBattleText
    stage: Stage | None
    draft: Draft | None
    sealed: Submission | None
    newest_draft: Draft | None

    @property
    def id(self) -> str:
        """The faction's outside id of the battle."""
        return self.last.battle

    @property
    def is_left_to_captain(self) -> bool:
        """Whether the faction's captain finishes the battle."""
        return self.newest_draft is not None and self.newest_draft.is_left_to_captain


class PhaseOrders(Document):
    """Orders in a phase of an online battle.

    Only factions that the phase asks write them. The first draft is the captain's advice.
    """

    noun = "orders"
    first_version = 1

    def __init__(self, fight: Fight, faction: Faction) -> None:
        super().__init__(faction)
        self.fight = fight

    @property
    def battle_id(self) -> str:
        return self.fight.id

    @property
    def stage(self) -> Stage:
        return open_stage_of(self.fight)

    @property
    def sheet(self) -> PhaseSheet:
        """Return the faction's sheet of this phase, by which its orders are checked."""
        return newest_sheet(self.stage.branch.campaign, self.faction, self.fight)

    def faults(self, payload: object) -> tuple[Violation, ...]:
        return phase_violations(self.sheet, payload)

    def canonical(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        return phase_payload(self.sheet, payload)

    def default(self) -> dict[str, Any]:
        return {**self.sheet["advice"]}

    def size_faults(self, payload: Mapping[str, Any]) -> tuple[Violation, ...]:
        most = len(self.sheet["mine"])
        faults: list[Violation] = []
        for entry in entries_of(self.sheet):
            for fault in oversized_part_faults(payload, entry, most):
                faults.append(fault)
        return tuple(faults)

    def stored_payload(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        return {**payload, "battle": self.fight.id, "stop": self.fight.last.number}

    @override
    def after_seal(self, now: datetime) -> None:
        """Ask the umpire's service to resolve the phase, if all sides have sealed."""
        task_enqueue(name=PHASE_RESOLVE, row=self.stage.pk)


def fights_of(campaign: Campaign, faction: Faction) -> tuple[Fight, ...]:
    """Return the faction's online battles, past and present, earliest first."""
    phases_by_battle: dict[str, list[PhaseSummary]] = {}
    for phase in list_phases(campaign, faction):
        phases_by_battle.setdefault(phase.battle, []).append(phase)
    finished_ids = {battle.id for battle in list_battles(campaign, faction)}
    branch = campaign.head_branch_id or 0
    drafts: dict[str, dict[int, Draft]] = {}  # by battle and number of the phase
    for draft in DRAFTS.rows(faction.pk, branch):
        drafts.setdefault(draft.payload["battle"], {})[draft.stage.ordinal] = draft
    seals = SEALED.rows(faction.pk, branch) if drafts else []
    sealed_by_stage = {row.stage_id: row for row in seals}
    fights = []
    for id_, phases in phases_by_battle.items():
        fight = _fight(
            campaign, phases, drafts.get(id_, {}), sealed_by_stage, is_finished=id_ in finished_ids
        )
        fights.append(fight)
    return tuple(fights)


def _fight(
    campaign: Campaign,
    phases: list[PhaseSummary],
    drafts: Mapping[int, Draft],
    sealed_by_stage: Mapping[int, Submission],
    *,
    is_finished: bool,
) -> Fight:
    """Return a battle with what its newest phase asks of the faction.

    Args:
        drafts: The faction's drafts in the battle, by number of the phase.
        is_finished: Whether the faction has the battle's report.
    """
    newest_phase = phases[-1]
    draft = drafts.get(newest_phase.number)
    stage = None if draft is None else _prepare_stage(draft.stage, campaign)
    sealed = None if stage is None else sealed_by_stage.get(stage.pk)
    asked_phases = [phase for phase in phases if phase.number in drafts]
    return Fight(
        last=newest_phase,
        phases=tuple(phases),
        stages=tuple(drafts[phase.number].stage_id for phase in asked_phases),
        state=_state(stage, sealed, is_over=is_finished or newest_phase.kind == OVER),
        stage=stage,
        draft=draft,
        sealed=sealed,
        newest_draft=drafts[asked_phases[-1].number] if asked_phases else None,
    )


def captain_set(
    *,
    document: PhaseOrders,
    finishes: bool,
    author: AbstractBaseUser | None = None,
    now: datetime | None = None,
) -> None:
    """Leave the rest of a battle to the faction's captain, or take over again.

    The captain's orders are sealed in the present phase, unless something is sealed there already,
    and in each further phase as soon as it opens. Nobody else learns that before the battle ends
    (`Source.CAPTAIN`). Taking over again also unseals the orders of the present phase.

    Args:
        author: Who leaves it to the captain.

    Raises:
        StageClosed: The phase is closed.
    """
    stage = document.stage
    moment = now or timezone.now()
    with transaction.atomic():
        lock_stage(stage, moment)
        drafts = Draft.objects.filter(stage=stage, faction=document.faction)
        drafts.update(is_left_to_captain=finishes)
        entries = Submission.objects.filter(
            stage=stage, faction=document.faction, withdrawn_at__isnull=True
        )
        if not finishes:
            entries.update(withdrawn_at=moment)
        elif not entries.exists():
            envelope_write(
                stage=stage,
                faction=document.faction,
                payload=document.canonical(document.default()),
                source=Source.CAPTAIN,
                author=author,
                now=moment,
            )
            document.after_seal(moment)


def fight_of(campaign: Campaign, faction: Faction, id_: str) -> Fight:
    """Return one of the faction's online battles by its outside id. Raises NotFound."""
    match = next((fight for fight in fights_of(campaign, faction) if fight.id == id_), None)
    if match is None:
        raise NotFound(phrase("there is no such battle"))
    return match


def entries_at_phases(fight: Fight, faction: Faction) -> list[Submission]:
    """Return all entries sealed by or for the faction in the phases of a battle, newest first."""
    rows = Submission.objects.filter(faction=faction, stage_id__in=fight.stages)
    return list(rows.select_related("stage", "faction").order_by("-stage__ordinal", "-revision"))


def newest_sheet(campaign: Campaign, faction: Faction, fight: Fight) -> PhaseSheet:
    """Return the faction's sheet of the newest phase."""
    return read_phase(campaign, faction, fight.id, fight.last.number)


def phase_violations(sheet: Mapping[str, Any], payload: object) -> tuple[Violation, ...]:
    """Return all faults of a faction's orders in a phase, judged by what the faction knows."""
    if not isinstance(payload, Mapping):
        words = phrase("orders must be an object with the entry for this phase")
        return (Violation("", "not-a-mapping", words),)
    violations = []
    if any(payload.get(key, sheet[key]) != sheet[key] for key in ("battle", "week", "hex")):
        words = phrase("these are orders for another battle")
        violations.append(Violation("battle", "other-battle", words))
    if payload.get("stop", sheet["number"]) != sheet["number"]:
        words = phrase("these are orders for another phase of the battle")
        violations.append(Violation("stop", "other-phase", words))
    try:
        payload = PHASE_ORDERS.upgrade(payload)
    except RuleViolations as error:
        violations.extend(error.violations)
    document = {key: value for key, value in payload.items() if key not in ENVELOPE}
    _, faults = read_orders(battle_from(sheet["battle_document"]), sheet["at"], document)
    return (*violations, *faults, *_foreign_order_faults(sheet, document))


def phase_payload(sheet: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked orders in a phase in the form that is sealed.

    A faction has one battle per hex and week, so the hex identifies it. A random id would make a
    repeated war differ.
    """
    entry, *extra_keys = entries_of(sheet)
    payload: dict[str, Any] = {
        "schema": PHASE_ORDERS.schema,
        "week": sheet["week"],
        "hex": sheet["hex"],
        "stop": sheet["number"],  # the battle stops for orders once in each phase
        entry: document.get(entry, {}),
    }
    for key in extra_keys:
        value = document.get(key)
        if value or value == []:  # an empty order of other sides leaves it to the dice again
            payload[key] = value
    if document.get(PURSUE):
        payload[PURSUE] = True
    return {key: _normalize_numbers(value) for key, value in payload.items()}


def _normalize_numbers(value: Any) -> Any:
    """Return the JSON value with whole floats as integers, so that 30.0 and 30 are sealed alike."""
    if isinstance(value, float):
        if value.is_integer():
            return int(value)
        return value
    if isinstance(value, Mapping):
        return {key: _normalize_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_normalize_numbers(item) for item in value]
    return value


def entries_of(sheet: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the possible entries of orders in a phase: its own, then those of any edition."""
    return entries_at(sheet["kind"])


def set_up_in_formation(sheet: PhaseSheet, formation: str) -> dict[str, Any]:
    """Return the faction's set-up with its ships in a formation, as fast as its captain advises."""
    battle = battle_from(sheet["battle_document"])
    proposal: Mapping[str, Any] = advise(battle, sheet["at"], Doctrine(formation=formation), "")
    advised: Mapping[str, Any] = sheet["advice"]
    places = {}
    for ship, place in proposal[SET_UP].items():
        if ship in advised[SET_UP]:
            speed = {key: advised[SET_UP][ship][key] for key in ("velocity",) if key in place}
            places[ship] = {**place, **speed}
    return {SET_UP: places}


def open_stage_of(fight: Fight) -> Stage:
    """Return the stage that waits for the faction's orders. Raises StageClosed."""
    if fight.stage is None or fight.state == FactionBattleState.OVER:
        raise StageClosed(phrase("this battle is not waiting for your orders"))
    return fight.stage


def _state(stage: Stage | None, sealed: Submission | None, *, is_over: bool) -> FactionBattleText:
    """Return what a battle waits for, as its faction sees it.

    Args:
        stage: The stage of the newest phase, if that asks for orders.
    """
    if is_over:
        return FactionBattleState.OVER
    if stage is None or stage.status != StageStatus.OPEN:
        return FactionBattleState.WAITING
    if sealed is None:
        return FactionBattleState.OPEN
    return FactionBattleState.SEALED


def _prepare_stage(stage: Stage, campaign: Campaign) -> Stage:
    """Set a stage's branch and campaign, so that services need not load them."""
    if campaign.head_branch is not None:
        campaign.head_branch.campaign = campaign
        stage.branch = campaign.head_branch
    return stage


def _foreign_order_faults(sheet: Mapping[str, Any], document: Mapping[str, Any]) -> list[Violation]:
    """Return a fault for each order to a ship or group that an ally commands."""
    allied_ids = _side_ids(sheet) - set(sheet["mine"])
    faults: list[Violation] = []
    for entry in entries_of(sheet):
        for id_ in _recipients(document.get(entry)):
            if id_ in allied_ids:
                words = phrase("'{}' is commanded by your ally", id_)
                faults.append(Violation(f"{entry}.{id_}", "not-yours", words))
    return faults


def _side_ids(sheet: Mapping[str, Any]) -> set[str]:
    """Return the ids of all ships, groups and ordnance of the faction's side."""
    view = sheet["view"]
    ids = set(view["own"])
    for kind in kinds():
        if kind.commanded:
            ids.update(piece["id"] for piece in view[kind.view_keys[0]])
    for marker in view.get("ordnance", ()):
        if marker["side"] == sheet["at"]:
            ids.add(marker["id"])
    return ids


def _recipients(orders: object) -> list[str]:
    """Return the ids of an entry's recipients: keys of a mapping, or firsts of [id, orders]."""
    rows = orders if isinstance(orders, (Mapping, list)) else ()
    ids = []
    for row in rows:
        id_ = row[0] if isinstance(row, (list, tuple)) and row else row
        if isinstance(id_, str):
            ids.append(id_)
    return ids
