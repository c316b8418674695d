"""What the sides of a battle at a table claim as its result, and their phone record. For umpires.

Ships have their ids in the battle file. A side's claim is its newest sealed result of any round,
unless it was unsealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from campaign.kinds import TABLE
from campaign.models.battle import Battle
from campaign.models.campaign import Faction
from campaign.models.stage import Stage, Submission
from campaign.rules.table_record import propose_result
from campaign.services.table_records import record_of
from campaign.services.tables import tables_of
from engine.core.errors import Violation
from engine.core.kinds import DESTROYED, FIGHTING
from engine.core.schemas import RESULT
from engine.notation.battle_file import BattleFileDocument
from engine.table_results.comparison import (
    Difference,
    combine_results,
    find_differences,
    with_ship_ids,
)
from engine.table_results.ends import EndDocument, ResultDocument
from engine.table_results.validation import result_faults
from umpire.services.records import start_of


@dataclass(frozen=True, slots=True)
class Claim:
    """The result that a faction sealed, and its side of the battle."""

    side: str
    result: ResultDocument


@dataclass(frozen=True, slots=True)
class TableClaims:
    """The claims about the result of a battle.

    Attributes:
        round: The open round of results.
        missing: The sides that have sealed nothing.
        claims: By the faction that sealed.
        record: The phone record, for each ship by its own side; None without one.
        result: The combined claims; where they differ, a ship's own side counts.
        differences: Where the claims differ.
        impossible: Why a result on which all agree is impossible.
    """

    round: int
    missing: tuple[str, ...]
    claims: Mapping[str, Claim]
    record: ResultDocument | None
    result: ResultDocument
    differences: tuple[Difference, ...]
    impossible: tuple[Violation, ...] = field(default=())


def claims_of(battle: Battle) -> TableClaims:
    """Return the claims about a battle at a table."""
    start = start_of(battle)
    newest = Stage.objects.filter(battle=battle, kind=TABLE).order_by("-ordinal").first()
    claims = _sealed(battle, start)
    results = {key: (claim.side, claim.result) for key, claim in claims.items()}
    differing = find_differences(start, results) if results else ()
    result = _completed(start, combine_results(start, results) if results else {"ships": {}})
    missing = tuple(
        side["name"]
        for side in start["sides"]
        if side["name"] not in {item.side for item in claims.values()}
    )
    agree = not missing and not differing
    return TableClaims(
        round=0 if newest is None else newest.ordinal,
        missing=missing,
        claims=claims,
        record=_record(battle, start),
        result=result,
        differences=differing,
        impossible=result_faults(start, result) if agree else (),
    )


def end_by(claims: TableClaims, ship: str, claimed: EndDocument) -> EndDocument:
    """Return a ship's claimed end, with the stores that only its own side can count."""
    own_end = claims.result["ships"].get(ship)
    end = cast(EndDocument, dict(claimed))
    if own_end is None or end["status"] == DESTROYED:
        return end
    if "stock" in own_end and "stock" not in end:
        end["stock"] = own_end["stock"]
    return end


def _sealed(battle: Battle, start: BattleFileDocument) -> dict[str, Claim]:
    """Return the newest sealed result of each faction, with the ships' ids."""
    sides = _sides(start)
    rows = Submission.objects.filter(
        stage__battle=battle, stage__kind=TABLE, withdrawn_at__isnull=True
    )
    claims: dict[str, Claim] = {}
    for row in rows.select_related("faction").order_by("faction__key", "stage__ordinal"):
        side = sides[row.faction.key]
        claims[row.faction.key] = Claim(side, with_ship_ids(start, side, row.payload))
    return claims


def _completed(start: BattleFileDocument, result: ResultDocument) -> ResultDocument:
    """Return the result with all ships of the battle; a ship without a claim is unchanged."""
    ships = dict(result["ships"])
    for side in start["sides"]:
        for ship in side["ships"]:
            initial: EndDocument = {
                "status": FIGHTING,
                "damage": ship.get("damage", 0),
                "lost": list(ship.get("lost", ())),
            }
            ships.setdefault(ship["id"], initial)
    return {"schema": RESULT.schema, "turns": 1, **result, "ships": ships}


def _record(battle: Battle, start: BattleFileDocument) -> ResultDocument | None:
    """Return the result in the phone record: for each ship its own side's notes, else another's."""
    results: dict[str, tuple[str, ResultDocument]] = {}
    campaign = battle.branch.campaign
    sides = _sides(start)
    for faction in Faction.objects.filter(campaign=campaign, key__in=sides).order_by("key"):
        for table in tables_of(campaign, faction):
            if table.stage.battle_id != battle.pk:
                continue
            record = record_of(table, faction)
            if any(owner == faction.key for owner, _ in record.entries):
                noted: Any = propose_result(table.sheet, record.state)
                results[faction.key] = (
                    sides[faction.key],
                    with_ship_ids(start, sides[faction.key], noted),
                )
    if results:
        return combine_results(start, results)
    return None


def _sides(start: BattleFileDocument) -> dict[str, str]:
    """Return the side of each faction of a battle."""
    result: dict[str, str] = {}
    for side in start["sides"]:
        for key in side["name"].split("+"):
            result[key] = side["name"]
    return result
