"""The form for an umpire to enter the result of a tabletop battle, with the sides' claims.

Where the sides differ, the form shows what each of them entered and what the phone record says. The
umpire chooses whose entry counts, or enters another one. Everything else is prefilled and folded.
"""

from __future__ import annotations

import uuid
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from campaign.access import Viewer
from campaign.errors import StageClosed
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
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.english import system_words
from engine.notation.battles import read_battle
from engine.pieces.site import Site
from engine.table_results.comparison import GROUND, Difference
from umpire.pages.battles import true_names
from umpire.pages.frame import ASK_METHODS, battle_row, branch_of, page, show
from umpire.services.records import start_of
from umpire.services.table_claims import TableClaims, claims_of, end_by
from umpire.services.tables import table_enter

UNPROCESSABLE = 422
RECORD, BY_HAND = "record", "hand"  # values of the choice that are no faction
BATTLE = "battle"  # form name for differences about the whole battle
CLAIM = ChoiceField("choice")  # whose entry counts


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """The claims about one part, of each faction that sealed a result and of the phone record."""

    about: str
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotedEntry:
    """An entry of the phone record: its faction, time and text."""

    faction: str
    at: datetime
    words: str


@dataclass(frozen=True, slots=True)
class Choice:
    """An option for whose entry counts."""

    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Dispute:
    """A ship, or the battle as a whole, about which the sides differ."""

    key: str
    name: str
    side: str
    lines: tuple[ClaimLine, ...]
    choices: tuple[Choice, ...]
    row: EndRow | None  # its fields for entry by hand; None for the battle
    entries: tuple[NotedEntry, ...]  # the phone record's entries about it, earliest first
    faults: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """The name of its choice field."""
        return CLAIM.name(self.key)


@dataclass(frozen=True, slots=True)
class ResultForm:
    """A battle with everything its form needs."""

    battle: Battle
    claims: TableClaims
    ships: Sequence[ShipState]
    sites: list[dict[str, Any]]
    names: Mapping[str, str]  # of ships by id
    powers: Mapping[str, str]
    sides: Mapping[str, str]  # labels by key
    # Phone record by ship id; under `BATTLE` about the whole battle
    noted: Mapping[str, list[NotedEntry]]


@page(umpire=True, methods=ASK_METHODS)
def result(request: HttpRequest, viewer: Viewer, public_id: uuid.UUID) -> HttpResponse:
    """Show and handle the form of a battle's whole result."""
    row = battle_of(branch=branch_of(viewer.campaign), public_id=public_id)
    if row.mode != BattleMode.TABLE or row.status != BattleStatus.WAITING:
        messages.warning(request, phrase("This battle is not waiting for a result from a table."))
        return redirect("umpire-battle", c=viewer.campaign.public_id, public_id=row.public_id)
    form = _form(viewer, row)
    if request.method != "POST":
        prefilled: dict[str, Any] = {**form.claims.result}
        return _page(request, viewer, form, prefilled, form.claims.impossible, status=200)
    payload, faults = _read_form(form, request.POST)
    try:
        if faults:
            raise RuleViolations(faults)
        table_enter(
            viewer=viewer,
            battle=row,
            payload=payload,
            reason=request.POST.get("reason", "").strip(),
            round=_round(request.POST),
        )
    except RuleViolations as error:
        return _page(request, viewer, form, payload, error.limited_violations, status=UNPROCESSABLE)
    except StageClosed as error:
        messages.warning(request, phrase("Nothing was entered: {}.", error.words))
    else:
        messages.success(
            request, phrase("Result entered. All sides are notified. The battle is over.")
        )
    return redirect("umpire-battle", c=viewer.campaign.public_id, public_id=row.public_id)


def _form(viewer: Viewer, row: Battle) -> ResultForm:
    """Return a battle with everything its form needs."""
    powers = power_names(scenario_of(viewer.campaign))
    sides = [str(part["name"]) for part in row.start["sides"]]
    state = read_battle(start_of(row), {}).state
    sites = []
    for site in state.pieces_of(Site):
        sites.append({"id": site.id, "side": site.side, "damage": site.damage, "boxes": site.boxes})
    names = dict(true_names(world_of(snapshot_before_battles(battle=row)), row).name_by_key)
    return ResultForm(
        battle=row,
        claims=claims_of(row),
        ships=state.ships,
        sites=sites,
        names=names,
        noted=_record_entries(row, names, powers),
        powers=powers,
        sides={
            side: join_phrases(" and ", (powers.get(part, part) for part in side.split("+")))
            for side in sides
        },
    )


def _record_entries(
    row: Battle, names: Mapping[str, str], powers: Mapping[str, str]
) -> dict[str, list[NotedEntry]]:
    """Return the phone record of a battle in words.

    Plots, and dice that are about no ship, are left out.
    """
    result: dict[str, list[NotedEntry]] = {}
    rows = TableEntry.objects.filter(battle=row).order_by("number")
    for key, at, body in rows.values_list("faction__key", "at", "body"):
        ship = body.get("ship")
        if ship is not None:
            words = ship_entry_words(body, names.get(ship, ship))
        elif body["kind"] == GROUND:
            words = phrase("{}: {} marked off", system_words(body["site"]), body["damage"])
        else:
            continue
        result.setdefault(ship or BATTLE, []).append(NotedEntry(powers.get(key, key), at, words))
    return result


def _round(posted: QueryDict) -> int | None:
    """Return the round that the form was written for, or None."""
    text = posted.get("round", "")
    if text.isascii() and text.isdigit() and len(text) < 7:
        return int(text)
    return None


def _read_form(form: ResultForm, posted: QueryDict) -> tuple[dict[str, Any], tuple[Violation, ...]]:
    """Return the result in a submitted form, and faults for disputes without a choice."""
    edition = str(form.battle.start["edition"])
    payload = table_payload(form.ships, (), posted, edition, form.sites)
    faults = []
    for key, about in _disputes_by_ship(form.claims).items():
        choice = CLAIM.text(posted, key)
        if choice == BY_HAND:
            continue
        claimed = _claimed_result(form.claims, choice)
        if claimed is None or (key != BATTLE and key not in claimed["ships"]):
            where = "" if key == BATTLE else f"ships.{key}"
            faults.append(Violation(where, "no-choice", phrase("choose whose entry counts")))
        elif key != BATTLE:
            payload["ships"][key] = end_by(form.claims, key, claimed["ships"][key])
        else:
            for difference in about:
                if difference.part in claimed:
                    payload[difference.part] = claimed[difference.part]
    return payload, tuple(faults)


def _claimed_result(claims: TableClaims, choice: str) -> Any:
    """Return the whole result of the chosen claimant, or None."""
    if choice == RECORD:
        return claims.record
    claim = claims.claims.get(choice)
    if claim is None:
        return None
    return claim.result


def _disputes_by_ship(claims: TableClaims) -> dict[str, list[Difference]]:
    """Return the differences by ship; those about the whole battle under `BATTLE`."""
    result: dict[str, list[Difference]] = {}
    for difference in claims.differences:
        result.setdefault(difference.ship or BATTLE, []).append(difference)
    return result


def _page(
    request: HttpRequest,
    viewer: Viewer,
    form: ResultForm,
    payload: dict[str, Any],
    faults: tuple[Violation, ...],
    *,
    status: int,
) -> HttpResponse:
    """Show the form with the values of `payload`; disputed parts first, the others folded."""
    rows = {row.key: row for row in form_rows(form.ships, (), payload, form.names, faults)}
    disputes = []
    for key, about in _disputes_by_ship(form.claims).items():
        disputes.append(_dispute(form, key, about, rows, request.POST))
    disputed = {dispute.key for dispute in disputes}
    undisputed = _undisputed_rows(form, rows, disputed)
    undisputed_rows = list(chain.from_iterable(rows for _, rows in undisputed))
    is_refused = status == UNPROCESSABLE
    response = show(
        request,
        viewer,
        "battle_result",
        "battles",
        row=battle_row(scenario_of(viewer.campaign), form.battle),
        battle=form.battle,
        claims=form.claims,
        claimants=[form.powers.get(key, key) for key in form.claims.claims],
        missing_sides=[form.sides[side] for side in form.claims.missing],
        disputes=disputes,
        sides=undisputed,
        undisputed_count=len(undisputed_rows),
        battle_disputed=BATTLE in disputed,
        folded=bool(disputes) and not any(row.faults for row in undisputed_rows),
        turns=payload.get("turns", 1),
        ground=_ground(form, payload),
        captors=list(form.sides.items()),
        hows=HOWS,
        reason=request.POST.get("reason", ""),
        faults=faults if is_refused else (),
        impossible=() if is_refused else faults,
        rows=list(rows.values()),
        general=[fault.message for fault in faults if not fault.where.startswith("ships.")],
    )
    response.status_code = status
    return response


def _undisputed_rows(
    form: ResultForm, rows: Mapping[str, EndRow], disputed: Container[str]
) -> list[tuple[str, list[EndRow]]]:
    """Return each side's ships about which nobody differs, with the side's name."""
    result = []
    for number, name in enumerate(form.sides.values()):
        side_rows = []
        for ship in form.ships:
            if ship.owner == number and ship.id not in disputed:
                side_rows.append(rows[ship.id])
        if side_rows:
            result.append((name, side_rows))
    return result


def _ground(form: ResultForm, payload: Mapping[str, Any]) -> list[GroundRow]:
    """Return the ground targets with the damage entered for them."""
    return ground_rows(form.sites, payload, list(form.sides.values()))


def _dispute(
    form: ResultForm,
    key: str,
    about: Sequence[Difference],
    rows: Mapping[str, EndRow],
    posted: QueryDict,
) -> Dispute:
    """Return a dispute with every claim, and the choice posted before, if any.

    Args:
        key: The ship's id, or BATTLE.
        about: The parts in which the claims differ.
        rows: The fields for entry by hand, by the ship's id.
    """
    claims = form.claims
    row = rows.get(key)
    chosen = CLAIM.text(posted, key)
    options = []
    for claimant in claims.claims:
        if _has_claim(claims, claimant, key):
            options.append((claimant, form.powers.get(claimant, claimant)))
    if _has_claim(claims, RECORD, key):
        options.append((RECORD, phrase("Phone record")))
    options.append((BY_HAND, phrase("By hand")))
    lines = []
    for difference in about:
        lines.append(ClaimLine(PARTS[difference.part], _claim_texts(claims, key, difference)))
    return Dispute(
        key=key,
        name=phrase("The battle") if row is None else row.name,
        side="" if row is None else _side_of(form, key),
        lines=tuple(lines),
        choices=tuple(Choice(value, words, value == chosen) for value, words in options),
        row=row,
        entries=tuple(form.noted.get(key, ())),
        faults=() if row is None else row.faults,
    )


def _side_of(form: ResultForm, ship: str) -> str:
    """Return the name of a ship's side."""
    names = list(form.sides)
    owner = next(state.owner for state in form.ships if state.id == ship)
    return form.sides[names[owner]]


def _has_claim(claims: TableClaims, claimant: str, key: str) -> bool:
    """Return whether a claimant says anything about a ship, or the battle as a whole."""
    claimed = _claimed_result(claims, claimant)
    return claimed is not None and (key == BATTLE or key in claimed["ships"])


def _claim_texts(claims: TableClaims, key: str, about: Difference) -> tuple[str, ...]:
    """Return the claims about a part in words: each faction's, then the phone record's."""
    claimed = dict(about.entries)
    texts = [_words(about.part, claimed.get(claimant)) for claimant in claims.claims]
    if claims.record is not None:
        noted: Any
        if key == BATTLE:
            noted = claims.record
        else:
            noted = claims.record["ships"].get(key, {})
        texts.append(_words(about.part, noted.get(about.part)))
    return tuple(texts)


def _words(part: str, value: Any) -> str:
    """Return a claim in words, or a dash for none."""
    if value is None or value == "":
        return "–"
    return part_words(part, value)
