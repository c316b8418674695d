"""What the sides of a battle at a table claim about its result, and what their record on the phones
says. For umpires.

    claims_of(battle) -> TableClaims

Everything here is named by the ships' ids in the battle file. A side's claim is the newest result
it sealed, in whatever round that was, as long as it has not unsealed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from campaign.kinds import TABLE
from campaign.models.battle import Battle
from campaign.models.campaign import Faction
from campaign.models.stage import Stage, Submission
from campaign.rules.table_record import proposal
from campaign.services.table_records import record_of
from campaign.services.tables import tables_of
from engine.core.errors import Violation
from engine.core.kinds import DESTROYED, FIGHTING
from engine.core.schemas import RESULT
from engine.notation.battle_file import BattleFileDocument
from engine.table_results.ends import EndDocument, ResultDocument
from engine.table_results.entering import Difference, by_ids, differences, whole
from engine.table_results.judging import faults
from umpire.services.records import start_of


@dataclass(frozen=True, slots=True)
class Claim:
    """The result that a faction sealed. `side`: its side of the battle."""

    side: str
    result: ResultDocument


@dataclass(frozen=True, slots=True)
class TableClaims:
    """What is claimed about the result of a battle.

    `round`: the round of results that is open. `missing`: the sides that have sealed nothing.
    `claims`: by the faction that sealed. `record`: what the phone record says, of each ship what
    its own side noted; empty where nobody kept one. `result`: the claims put together; where they
    differ, a ship's own side counts. `unlike`: where they differ. `impossible`: why a result on
    which all agree cannot be.
    """

    round: int
    missing: tuple[str, ...]
    claims: Mapping[str, Claim]
    record: ResultDocument | None
    result: ResultDocument
    unlike: tuple[Difference, ...]
    impossible: tuple[Violation, ...] = field(default=())


def claims_of(battle: Battle) -> TableClaims:
    """Read the claims about a battle at a table."""
    start = start_of(battle)
    newest = Stage.objects.filter(battle=battle, kind=TABLE).order_by("-ordinal").first()
    claims = _sealed(battle, start)
    said = {key: (claim.side, claim.result) for key, claim in claims.items()}
    unlike = differences(start, said) if said else ()
    result = _completed(start, whole(start, said) if said else {"ships": {}})
    missing = tuple(
        side["name"]
        for side in start["sides"]
        if side["name"] not in {one.side for one in claims.values()}
    )
    agree = not missing and not unlike
    return TableClaims(
        round=0 if newest is None else newest.ordinal,
        missing=missing,
        claims=claims,
        record=_record(battle, start),
        result=result,
        unlike=unlike,
        impossible=faults(start, result) if agree else (),
    )


def end_by(claims: TableClaims, ship: str, said: EndDocument) -> EndDocument:
    """A ship's end as somebody claims it, with the stores that only its own side can count."""
    own = claims.result["ships"].get(ship)
    end = cast(EndDocument, dict(said))
    if own is None or end["status"] == DESTROYED:
        return end
    if "stock" in own and "stock" not in end:
        end["stock"] = own["stock"]
    return end


def _sealed(battle: Battle, start: BattleFileDocument) -> dict[str, Claim]:
    """The newest sealed result of each faction, under the ships' ids."""
    sides = _sides(start)
    rows = Submission.objects.filter(
        stage__battle=battle, stage__kind=TABLE, withdrawn_at__isnull=True
    )
    found: dict[str, Claim] = {}
    for row in rows.select_related("faction").order_by("faction__key", "stage__ordinal"):
        side = sides[row.faction.key]
        found[row.faction.key] = Claim(side, by_ids(start, side, row.payload))
    return found


def _completed(start: BattleFileDocument, result: ResultDocument) -> ResultDocument:
    """The result with every ship of the battle; of which nobody said anything, as it came."""
    ships = dict(result["ships"])
    for side in start["sides"]:
        for ship in side["ships"]:
            came: EndDocument = {
                "status": FIGHTING,
                "damage": ship.get("damage", 0),
                "lost": list(ship.get("lost", ())),
            }
            ships.setdefault(ship["id"], came)
    return {"schema": RESULT.schema, "turns": 1, **result, "ships": ships}


def _record(battle: Battle, start: BattleFileDocument) -> ResultDocument | None:
    """The result as the record on the phones says it: of each ship what its own side noted, else
    what another did.
    """
    said: dict[str, tuple[str, ResultDocument]] = {}
    campaign = battle.branch.campaign
    sides = _sides(start)
    for faction in Faction.objects.filter(campaign=campaign, key__in=sides).order_by("key"):
        for table in tables_of(campaign, faction):
            if table.stage.battle_id != battle.pk:
                continue
            record = record_of(table, faction)
            if any(whose == faction.key for whose, _ in record.entries):
                noted: Any = proposal(table.sheet, record.kept)
                said[faction.key] = sides[faction.key], by_ids(start, sides[faction.key], noted)
    return whole(start, said) if said else None


def _sides(start: BattleFileDocument) -> dict[str, str]:
    """The side of every faction of a battle."""
    return {key: side["name"] for side in start["sides"] for key in side["name"].split("+")}
