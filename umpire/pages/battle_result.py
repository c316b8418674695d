"""The form in which an umpire enters the result of a battle at a table, with what its sides claim
about it.

Where the sides differ, the form shows what each of them entered and what the record on their phones
says, and the umpire chooses whose entry counts, or enters another one. Everything else is prefilled
and folded.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from campaign.access import Viewer
from campaign.errors import StageIsClosed
from campaign.forms.field import ChoiceField
from campaign.forms.table.entry_words import ship_entry_words
from campaign.forms.table.table_form import (
    HOWS,
    PARTS,
    EndRow,
    GroundRow,
    form_rows,
    ground_rows,
    part_words,
    table_payload,
)
from campaign.kinds import BattleMode, BattleStatus
from campaign.models.battle import Battle
from campaign.models.table_record import TableEntry
from campaign.selectors.truth import battle_of, snapshot_before_battles, world_of
from campaign.store.documents import scenario_of
from campaign.web.seat_marks import power_names
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship import ShipState
from engine.english import system_words
from engine.notation.battles import read_battle
from engine.pieces.site import Site
from engine.table_results.entering import GROUND, Difference
from umpire.pages.battles import true_names
from umpire.pages.desk import ASKED, battle_row, branch_of, page, show
from umpire.services.records import start_of
from umpire.services.table_claims import TableClaims, claims_of, end_by
from umpire.services.tables import table_enter

FAULTY = 422
RECORD, BY_HAND = "record", "hand"  # whose entry counts, where it is no faction's
BATTLE = "battle"  # what the differences about the whole battle are called in the form
CLAIM = ChoiceField("choice")  # whose entry counts


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """What is claimed about one part: of each faction that sealed a result, and of the phone
    record.
    """

    about: str
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotedEntry:
    """An entry of the phone record: the faction that made it, when, and what it says."""

    who: str
    at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to whose entry counts."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Dispute:
    """A ship, or the battle as a whole, about which the sides differ.

    `row`: its fields by hand; None: the battle's.

    `entries`: what the phone record says about it, entry by entry, the earliest first.
    """

    key: str
    name: str
    side: str
    lines: tuple[ClaimLine, ...]
    choices: tuple[Choice, ...]
    row: EndRow | None
    entries: tuple[NotedEntry, ...]
    faults: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """The name of the choice in the form."""
        return CLAIM.name(self.key)


@dataclass(frozen=True, slots=True)
class ResultForm:
    """A battle with everything its form is made of.

    `names`: of ships by their ids; `sides`: in words by their keys.

    `noted`: the entries of the phone record by the ship's id; those about the whole battle under
    `BATTLE`.
    """

    battle: Battle
    claims: TableClaims
    ships: Sequence[ShipState]
    sites: list[dict[str, Any]]
    names: Mapping[str, str]
    powers: Mapping[str, str]
    sides: Mapping[str, str]
    noted: Mapping[str, list[NotedEntry]]


@page(umpire=True, methods=ASKED)
def result(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """The form of a battle's whole result."""
    row = battle_of(branch=branch_of(viewer.campaign), public_id=public_id)
    if row.mode != BattleMode.TABLE or row.status != BattleStatus.WAITING:
        messages.warning(request, phrase("This battle does not wait for a result from a table."))
        return redirect("umpire-battle", c=viewer.campaign.public_id, public_id=row.public_id)
    form = _form(viewer, row)
    if request.method != "POST":
        shown: dict[str, Any] = {**form.claims.result}
        return _page(request, viewer, form, shown, form.claims.impossible, status=200)
    payload, found = _posted(form, request.POST)
    try:
        if found:
            raise RuleViolations(found)
        table_enter(
            viewer=viewer,
            battle=row,
            payload=payload,
            reason=request.POST.get("reason", "").strip(),
            round=_round(request.POST),
        )
    except RuleViolations as refused:
        return _page(request, viewer, form, payload, refused.listed, status=FAULTY)
    except StageIsClosed as refused:
        messages.warning(request, phrase("Nothing was entered: {}.", refused.words))
    else:
        messages.success(
            request, phrase("The result is entered and all sides are told; the battle is over.")
        )
    return redirect("umpire-battle", c=viewer.campaign.public_id, public_id=row.public_id)


def _form(viewer: Viewer, row: Battle) -> ResultForm:
    powers = power_names(scenario_of(viewer.campaign))
    sides = [str(part["name"]) for part in row.start["sides"]]
    state = read_battle(start_of(row), {}).state
    sites = [
        {"id": site.id, "side": site.side, "damage": site.damage, "boxes": site.boxes}
        for site in state.of(Site)
    ]
    names = dict(true_names(world_of(snapshot_before_battles(battle=row)), row).known)
    return ResultForm(
        battle=row,
        claims=claims_of(row),
        ships=state.ships,
        sites=sites,
        names=names,
        noted=_noted(row, names, powers),
        powers=powers,
        sides={
            side: joined_phrases(" and ", (powers.get(part, part) for part in side.split("+")))
            for side in sides
        },
    )


def _noted(
    row: Battle, names: Mapping[str, str], powers: Mapping[str, str]
) -> dict[str, list[NotedEntry]]:
    """Read the phone record of a battle, in words.

    Dice that are about no ship, and plots, are left out.
    """
    found: dict[str, list[NotedEntry]] = {}
    rows = TableEntry.objects.filter(battle=row).order_by("number")
    for key, at, body in rows.values_list("faction__key", "at", "body"):
        ship = body.get("ship")
        if ship is not None:
            words = ship_entry_words(body, names.get(ship, ship))
        elif body["kind"] == GROUND:
            words = phrase("{}: {} marked off", system_words(body["site"]), body["damage"])
        else:
            continue
        found.setdefault(ship or BATTLE, []).append(NotedEntry(powers.get(key, key), at, words))
    return found


def _round(posted: QueryDict) -> int | None:
    """The round that the form was written for; None where it names none."""
    text = posted.get("round", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def _posted(form: ResultForm, posted: QueryDict) -> tuple[dict[str, Any], tuple[Violation, ...]]:
    """The result that a posted form asks for, and the disputes in which it chooses nothing."""
    edition = str(form.battle.start["edition"])
    payload = table_payload(form.ships, (), posted, edition, form.sites)
    found = []
    for key, about in _disputed(form.claims).items():
        choice = CLAIM.text(posted, key)
        if choice == BY_HAND:
            continue
        said = _said_by(form.claims, choice)
        if said is None or (key != BATTLE and key not in said["ships"]):
            where = "" if key == BATTLE else f"ships.{key}"
            found.append(Violation(where, "no-choice", phrase("choose whose entry counts")))
        elif key != BATTLE:
            payload["ships"][key] = end_by(form.claims, key, said["ships"][key])
        else:
            payload |= {part: said[part] for part in (one.part for one in about) if part in said}
    return payload, tuple(found)


def _said_by(claims: TableClaims, choice: str) -> Any:
    """The whole result of whoever is chosen; None where that is nobody."""
    if choice == RECORD:
        return claims.record
    claim = claims.claims.get(choice)
    return None if claim is None else claim.result


def _disputed(claims: TableClaims) -> dict[str, list[Difference]]:
    """The differences by ship; those about the whole battle under `BATTLE`."""
    found: dict[str, list[Difference]] = {}
    for one in claims.unlike:
        found.setdefault(one.ship or BATTLE, []).append(one)
    return found


def _page(
    request: HttpRequest,
    viewer: Viewer,
    form: ResultForm,
    payload: dict[str, Any],
    found: tuple[Violation, ...],
    *,
    status: int,
) -> HttpResponse:
    rows = {row.key: row for row in form_rows(form.ships, (), payload, form.names, found)}
    disputes = [
        _dispute(form, key, about, rows, request.POST)
        for key, about in _disputed(form.claims).items()
    ]
    apart = {one.key for one in disputes}
    names = list(form.sides)
    others = [
        (
            form.sides[side],
            [
                rows[ship.id]
                for ship in form.ships
                if names[ship.owner] == side and ship.id not in apart
            ],
        )
        for side in names
    ]
    response = show(
        request,
        viewer,
        "battle_result",
        "battles",
        row=battle_row(scenario_of(viewer.campaign), form.battle),
        battle=form.battle,
        claims=form.claims,
        claimants=[form.powers.get(key, key) for key in form.claims.claims],
        missing=[form.sides[side] for side in form.claims.missing],
        disputes=disputes,
        sides=[(name, rows) for name, rows in others if rows],
        others=sum(len(rows) for _, rows in others),
        battle_disputed=BATTLE in apart,
        folded=bool(disputes) and not any(row.faults for _, rows in others for row in rows),
        turns=payload.get("turns", 1),
        ground=_ground(form, payload),
        captors=list(form.sides.items()),
        hows=HOWS,
        reason=request.POST.get("reason", ""),
        faults=found if status == FAULTY else (),
        impossible=found if status != FAULTY else (),
        rows=list(rows.values()),
        general=[fault.message for fault in found if not fault.where.startswith("ships.")],
    )
    response.status_code = status
    return response


def _ground(form: ResultForm, payload: Mapping[str, Any]) -> list[GroundRow]:
    return ground_rows(form.sites, payload, list(form.sides.values()))


def _dispute(
    form: ResultForm,
    key: str,
    about: Sequence[Difference],
    rows: Mapping[str, EndRow],
    posted: QueryDict,
) -> Dispute:
    claims, row = form.claims, rows.get(key)
    chosen = CLAIM.text(posted, key)
    options = [
        (who, form.powers.get(who, who)) for who in claims.claims if _speaks(claims, who, key)
    ]
    if _speaks(claims, RECORD, key):
        options.append((RECORD, phrase("Phone record")))
    options.append((BY_HAND, phrase("By hand")))
    return Dispute(
        key=key,
        name=phrase("The battle") if row is None else row.name,
        side="" if row is None else _side_of(form, key),
        lines=tuple(ClaimLine(PARTS[one.part], _said_about(claims, key, one)) for one in about),
        choices=tuple(Choice(value, words, value == chosen) for value, words in options),
        row=row,
        entries=tuple(form.noted.get(key, ())),
        faults=() if row is None else row.faults,
    )


def _side_of(form: ResultForm, ship: str) -> str:
    names = list(form.sides)
    owner = next(one.owner for one in form.ships if one.id == ship)
    return form.sides[names[owner]]


def _speaks(claims: TableClaims, who: str, key: str) -> bool:
    """Whether somebody says anything about a ship, or about the battle as a whole."""
    said = _said_by(claims, who)
    return said is not None and (key == BATTLE or key in said["ships"])


def _said_about(claims: TableClaims, key: str, about: Difference) -> tuple[str, ...]:
    """What is said about a part, in words: by each faction that sealed a result, then by the phone
    record.
    """
    said = dict(about.said)
    found = [_words(about.part, said.get(who)) for who in claims.claims]
    if claims.record is not None:
        noted: Any = claims.record if key == BATTLE else claims.record["ships"].get(key, {})
        found.append(_words(about.part, noted.get(about.part)))
    return tuple(found)


def _words(part: str, value: Any) -> str:
    """A claim in words; a dash where nothing is said."""
    if value is None or value == "":
        return "–"
    return part_words(part, value)
