"""A battle that is fought at a table at home: its sheets to print, and the result its players enter."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path

from campaign.access import Viewer
from campaign.errors import AlreadySealed, LostUpdate, NothingSealed, NoViewer, StageIsClosed
from campaign.models.stage import RESOLVED
from campaign.pages.entries import CLOSED, FAULTY, LOST, Shown, canonical_text
from campaign.pages.sayings import place_words
from campaign.pages.tableform import form_rows, impossible, names_at, table_payload, unlike
from campaign.pages.tablesheets import record_sheets, set_up
from campaign.pages.war import War, player_page, war_of
from campaign.papers import Paper, draft_of, sealed_of
from campaign.services.orders import draft_save, submission_unseal
from campaign.services.tables import Table, table_of, table_seal, table_violations
from engine.errors import RuleViolations, listed
from engine.plausible import own_state


@player_page
def table(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """The result of a battle at a table: draft, seal, unseal, and what the sides say differently."""
    war, mine = _opened(viewer, battle)
    if request.method == "POST":
        done = _posted(request, war, mine)
        return done if isinstance(done, HttpResponse) else _page(request, war, mine, done)
    return _page(request, war, mine, _stored(war, mine))


@player_page
def sheets(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """The record sheets and the set-up of a battle at a table, to print."""
    war, mine = _opened(viewer, battle)
    names = _names(war, mine)
    context = {
        **_context(war, mine),
        "sheets": record_sheets(mine.sheet, names),
        "setup": set_up(mine.sheet, names),
    }
    return render(request, "campaign/table_sheets.html", context)


def _opened(viewer: Viewer, battle: uuid.UUID) -> tuple[War, Table]:
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404("there is no such battle") from error
    return war, table_of(viewer.campaign, war.faction, str(battle))


def _names(war: War, mine: Table) -> dict[str, str]:
    return names_at(mine.sheet, {ship.key: ship.name for ship in war.sight.view.ships})


def _stored(war: War, mine: Table) -> Shown:
    draft = draft_of(mine.stage, war.faction)
    if draft is None:
        raise Http404("there is no such battle")
    return Shown(draft.payload, draft.version)


def _context(war: War, mine: Table) -> dict[str, Any]:
    return {
        "war": war,
        "mine": mine,
        "place": place_words(war.scenario, mine.sheet["hex"]),
        "foes": " and ".join(side_words(war, name) for name in mine.sheet["sides"] if name != mine.sheet["side"]),
    }


def _powers(war: War) -> dict[str, str]:
    """What the factions are called."""
    return {power.id: power.name for power in war.scenario.factions}


def side_words(war: War, side: str) -> str:
    """What a side is called: its factions."""
    powers = _powers(war)
    return " and ".join(powers.get(part, part) for part in side.split("+"))


def _page(request: HttpRequest, war: War, mine: Table, shown: Shown) -> HttpResponse:
    names = _names(war, mine)
    sealed: Paper | None = sealed_of(mine.stage, war.faction)
    check = mine.checks[-1] if mine.checks else None
    powers = _powers(war)
    payload = sealed.receipt.payload if sealed else shown.payload
    rows = form_rows(own_state(mine.sheet).ships, mine.sheet["contacts"], payload, names, shown.faults)
    context = {
        **_context(war, mine),
        "rows": [row for row in rows if row.own],
        "others": [row for row in rows if not row.own],
        "turns": payload.get("turns", 1),
        "captors": [(name, side_words(war, name)) for name in mine.sheet["sides"]],
        "shown": shown,
        "general": [fault.message for fault in shown.faults if not fault.where.startswith("ships.")],
        "sealed": sealed,
        "canonical": canonical_text(sealed.receipt.payload) if sealed else "",
        "unlike": unlike(check, names, powers) if check else (),
        "impossible": impossible(check, names) if check else (),
        "over": mine.stage.status == RESOLVED or not mine.open,
        "agreed": mine.stage.status == RESOLVED and sealed is not None,
        "closes": war.stage.closes if war.stage is not None else None,
    }
    return render(request, "campaign/table.html", context, status=shown.status)


def _posted(request: HttpRequest, war: War, mine: Table) -> Shown | HttpResponse:
    """Do what the form asks: save, seal or unseal."""
    here = redirect("battle-table", c=war.id, battle=mine.id)
    if request.POST.get("round") != str(mine.stage.ordinal) or not mine.open:
        messages.warning(request, CLOSED)
        return here
    try:
        if request.POST.get("action") == "unseal":
            submission_unseal(stage=mine.stage, faction=war.faction)
            messages.success(request, "Unsealed: your result is a draft again.")
            return here
        payload = {
            "battle": mine.id,
            **table_payload(own_state(mine.sheet).ships, mine.sheet["contacts"], request.POST),
        }
        version = request.POST.get("version", "")
        saved = draft_save(
            stage=mine.stage,
            faction=war.faction,
            payload=payload,
            version=int(version) if version.isascii() and version.isdigit() and len(version) < 9 else -1,
        )
        if request.POST.get("action") != "seal":
            messages.success(request, "Draft saved. It counts only once it is sealed.")
            return here
        return _seal(request, war, mine, payload, saved.version) or here
    except LostUpdate:
        stored = _stored(war, mine)
        if stored.payload == payload:
            return here  # the same form sent twice
        return Shown(payload, stored.version, listed(table_violations(mine, payload)), lost=True, status=LOST)
    except StageIsClosed:
        messages.warning(request, CLOSED)
        return here
    except NothingSealed:
        return here


def _seal(request: HttpRequest, war: War, mine: Table, payload: dict[str, Any], version: int) -> Shown | None:
    user: Any = request.user
    nonce = request.POST.get("nonce", "")
    try:
        table_seal(table=mine, faction=war.faction, payload=payload, nonce=nonce, author=user)
    except AlreadySealed:
        messages.warning(request, "Another result is already sealed. Unseal it first; yours is kept as the draft.")
    except RuleViolations as refused:
        return Shown(payload, version, refused.listed, status=FAULTY)
    else:
        messages.success(request, "Sealed. The results are compared when the other side has sealed too.")
    return None


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/table/", table, name="battle-table"),
    path("c/<str:c>/battles/<uuid:battle>/sheets/", sheets, name="battle-sheets"),
]
