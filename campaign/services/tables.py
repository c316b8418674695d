"""Results of battles at a table: entered by their players and sealed like any other document.

A result is the document of `engine.table_results.validation` with the faction's outside id of the
battle: {"schema", "battle", "turns", "ships"}. Ships are named as on the faction's sheet. When all
sides have sealed, the umpire's service compares the results. If they agree, the battle ends; if
not, all sides are shown the differences and write again in a new stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from typing_extensions import override

from campaign.errors import NotFound
from campaign.kinds import TABLE, StageStatus
from campaign.models.campaign import Campaign, Faction
from campaign.models.knowledge import TABLE_CHECK, TABLE_SHEET
from campaign.models.stage import Stage, Submission
from campaign.selectors.due import TABLE_COMPARE, task_enqueue
from campaign.selectors.envelopes import Document, battle_stages_of, draft_of
from campaign.services.envelopes import oversized_part_faults
from campaign.sight.reports import list_sheets
from campaign.store.battle_documents import TableCheck, TableSheet
from engine.core.errors import Violation
from engine.core.kinds import FIGHTING
from engine.core.phrase import phrase
from engine.core.schemas import RESULT
from engine.table_results.ends import read_ends_json
from engine.table_results.validation import side_faults


@dataclass(frozen=True, slots=True)
class TableBattle:
    """A battle that the faction fights at a table.

    Attributes:
        id: The faction's outside id of the battle.
        stage: The newest stage in which the faction writes.
        sheet: The forces, as the faction was told when the battle began.
        checks: Differences between the results of earlier rounds, latest last.
    """

    id: str
    week: int
    stage: Stage
    sheet: TableSheet
    checks: tuple[TableCheck, ...]

    @property
    def is_open(self) -> bool:
        """Return whether its players can still enter a result in the newest stage."""
        return self.stage.status == StageStatus.OPEN


class TableResult(Document):
    """The result of a battle at a table, written by its players."""

    noun = "result"
    first_version = 1

    def __init__(self, table: TableBattle, faction: Faction) -> None:
        super().__init__(faction)
        self.table = table

    @property
    def battle_id(self) -> str:
        return self.table.id

    @property
    def stage(self) -> Stage:
        return self.table.stage

    def faults(self, payload: object) -> tuple[Violation, ...]:
        return table_violations(self.table, payload)

    def canonical(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        return {"schema": RESULT.schema, "battle": self.table.id, **read_ends_json(payload)}

    def default(self) -> dict[str, Any]:
        return table_first_draft(self.table.sheet)

    def size_faults(self, payload: Mapping[str, Any]) -> tuple[Violation, ...]:
        sheet = self.table.sheet
        most_ships = len(sheet["own"]) + len(sheet["contacts"])
        return oversized_part_faults(payload, "ships", most_ships)

    def stored_payload(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        return {**payload, "battle": self.table.id}

    @override
    def after_seal(self, now: datetime) -> None:
        """Ask the umpire's service to compare the results, if all sides have sealed."""
        task_enqueue(name=TABLE_COMPARE, row=self.stage.pk)


def tables_of(campaign: Campaign, faction: Faction) -> tuple[TableBattle, ...]:
    """Return the faction's battles at a table, past and present, earliest first."""
    sheets = {}
    for report, body in list_sheets(campaign, faction, TABLE_SHEET):
        sheets[body["battle"]] = (report.week, body)
    if not sheets:
        return ()
    checks: dict[str, list[TableCheck]] = {}
    for _, body in list_sheets(campaign, faction, TABLE_CHECK):
        checks.setdefault(body["battle"], []).append(cast("TableCheck", body))
    newest_stages = _newest_stages(campaign, faction)
    battles: list[TableBattle] = []
    for id_, (week, body) in sheets.items():
        if id_ in newest_stages:
            battle = TableBattle(
                id=id_,
                week=week,
                stage=newest_stages[id_],
                sheet=cast("TableSheet", body),
                checks=tuple(checks.get(id_, ())),
            )
            battles.append(battle)
    return tuple(battles)


def _newest_stages(campaign: Campaign, faction: Faction) -> dict[str, Stage]:
    """Return the newest stage of each of the faction's battles at a table, by outside id."""
    newest: dict[str, Stage] = {}
    for stage in battle_stages_of(campaign, faction):
        draft = draft_of(stage, faction) if stage.kind == TABLE else None
        if draft is not None:
            newest[draft.payload["battle"]] = stage
    return newest


def table_of(campaign: Campaign, faction: Faction, id_: str) -> TableBattle:
    """Return one of the faction's battles at a table by its outside id. Raises NotFound."""
    match = next((table for table in tables_of(campaign, faction) if table.id == id_), None)
    if match is None:
        raise NotFound(phrase("there is no such battle"))
    return match


def sealed_results_of(table: TableBattle, faction: Faction) -> list[Submission]:
    """Return all entries sealed by or for the faction in all rounds of a battle, newest first."""
    rows = Submission.objects.filter(
        faction=faction, stage__battle=table.stage.battle_id, stage__kind=TABLE
    )
    return list(rows.select_related("stage", "faction").order_by("-stage__ordinal", "-revision"))


def table_first_draft(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result to start from, in which all ships still fight as they arrived."""
    own_ships = {ship["id"]: _initial_entry(ship) for ship in sheet["own"]}
    foreign_ships = {}
    for contact in sheet["contacts"]:
        foreign_ships[contact["id"]] = _initial_entry(contact)
    return {
        "schema": RESULT.schema,
        "battle": sheet["battle"],
        "turns": 1,
        "ships": own_ships | foreign_ships,
    }


def table_violations(table: TableBattle, payload: object) -> tuple[Violation, ...]:
    """Return all faults of a result that the faction may know."""
    if not isinstance(payload, Mapping):
        return side_faults(table.sheet, payload)
    result = {key: value for key, value in payload.items() if key != "battle"}
    violations = side_faults(table.sheet, result)
    if payload.get("battle", table.id) != table.id:
        violations = (
            Violation("battle", "other-battle", phrase("this is the result of another battle")),
            *violations,
        )
    return violations


def _initial_entry(ship: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of a ship of the sheet in the condition in which it arrived."""
    return {"status": FIGHTING, "damage": ship.get("damage", 0), "lost": list(ship.get("lost", ()))}
