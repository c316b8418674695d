"""A stage's entry as its page edits it: draft, seal, unseal. A form becomes a payload; services do the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from campaign.errors import AlreadySealed, LostUpdate, NothingSealed, StageIsClosed
from campaign.models.stage import OPEN, Stage
from campaign.pages.faults import Faults, faults_of
from campaign.pages.fields import Payload
from campaign.pages.war import War
from campaign.pages.words import orders_words
from campaign.papers import Paper, draft_of, sealed_of
from campaign.rules.codec import orders_payload, parse_orders
from campaign.rules.orders_default import default_orders
from campaign.rules.violations import order_violations
from campaign.services.orders import draft_save, submission_seal, submission_unseal
from engine.canonical import canonical_json
from engine.errors import RuleViolations, Violation

CLOSED = "That stage has closed in the meantime. This page shows the present stage."
LOST = 409
FAULTY = 422


@dataclass(frozen=True, slots=True)
class Entry:
    """What the page shows. `payload`: the draft, or what was just posted; `version`: of the draft it is saved over.

    `saved`: a draft is stored. `theirs`: the stored draft in words, where somebody saved it in between.
    """

    stage: Stage
    payload: Payload
    version: int
    saved: bool
    sealed: Paper | None
    faults: Faults
    theirs: tuple[str, ...] = ()
    status: int = 200

    @property
    def lost(self) -> bool:
        return bool(self.theirs)

    @property
    def open(self) -> bool:
        """Whether the stage still takes entries, as everybody sees it."""
        return self.stage.status == OPEN

    @property
    def waits(self) -> bool:
        """Whether the page may go on by itself: nothing can be lost on it."""
        return self.sealed is not None or not self.open


@dataclass(frozen=True, slots=True)
class Shown:
    """What a battle's page shows of the faction's own entry. `lost`: somebody of its side saved in between."""

    payload: Mapping[str, Any]
    version: int
    faults: tuple[Violation, ...] = ()
    lost: bool = False
    status: int = 200


def entry_of(war: War, stage: Stage) -> Entry:
    """The entry as it is stored: the draft, or what is done where nothing is written."""
    sealed, draft = sealed_of(stage, war.faction), draft_of(stage, war.faction)
    if draft is None:
        payload = orders_payload(default_orders(war.scenario, war.sight.view))
        return Entry(stage, payload, 0, False, sealed, Faults())
    return Entry(stage, draft.payload, draft.version, True, sealed, judged(war, draft.payload))


def judged(war: War, payload: Payload, more: tuple[Violation, ...] = ()) -> Faults:
    """Every fault of a payload, of its form and against what the faction knows."""
    orders, found = parse_orders(payload)
    if orders is not None:
        found = (*found, *order_violations(war.scenario, war.sight.view, orders))
    return faults_of(payload, (*found, *more))


def entry_posted(
    request: HttpRequest, war: War, stage: Stage, payload_of: Callable[[QueryDict], Payload]
) -> Entry | HttpResponse:
    """Do what the form asks: save, seal or unseal. An Entry where the page has to show something more to mend."""
    action, page = request.POST.get("action", "save"), redirect(war.page, c=war.id)
    if request.POST.get("stage") != str(stage.ordinal):
        messages.warning(request, CLOSED)
        return page
    try:
        if action == "unseal":
            return _unseal(request, war, stage, page)
        payload = payload_of(request.POST)
        if action == "default":
            payload = orders_payload(default_orders(war.scenario, war.sight.view))
        lost = _save(war, stage, payload, request.POST.get("version", ""))
        if lost is not None:
            return lost
        if action != "seal":
            messages.success(request, "Draft saved. It counts only once it is sealed.")
            return page
        return _seal(request, war, stage, payload, page)
    except StageIsClosed:
        messages.warning(request, CLOSED)
        return page


def elsewhere(request: HttpRequest, war: War) -> HttpResponse:
    """Where a page leads whose stage is not the open one."""
    if request.method == "POST":
        messages.warning(request, CLOSED)
    return redirect(war.page, c=war.id)


def _save(war: War, stage: Stage, payload: Payload, version: str) -> Entry | None:
    """Save the draft; an Entry with both texts where somebody else saved in between."""
    try:
        draft_save(
            stage=stage,
            faction=war.faction,
            payload=payload,
            version=int(version) if version.isascii() and version.isdigit() and len(version) < 9 else -1,
        )
    except LostUpdate:
        stored = draft_of(stage, war.faction)
        if stored is not None and stored.payload == payload:
            return None  # the same form sent twice
        theirs = {} if stored is None else stored.payload
        return Entry(
            stage=stage,
            payload=payload,
            version=0 if stored is None else stored.version,
            saved=stored is not None,
            sealed=sealed_of(stage, war.faction),
            faults=judged(war, payload),
            theirs=orders_words(war.scenario, war.sight.view, theirs),
            status=LOST,
        )
    return None


def _seal(request: HttpRequest, war: War, stage: Stage, payload: Payload, page: HttpResponse) -> Entry | HttpResponse:
    user: Any = request.user
    try:
        submission_seal(
            stage=stage, faction=war.faction, payload=payload, nonce=request.POST.get("nonce", ""), author=user
        )
    except AlreadySealed:
        if not _same(sealed_of(stage, war.faction), payload):
            messages.warning(
                request, "Other orders are already sealed. Unseal them first; yours are kept as the draft."
            )
        return page
    except RuleViolations as refused:
        draft = draft_of(stage, war.faction)
        nonce = tuple(found for found in refused.violations if found.where == "nonce")
        return Entry(
            stage=stage,
            payload=payload,
            version=0 if draft is None else draft.version,
            saved=draft is not None,
            sealed=None,
            faults=judged(war, payload, nonce),
            status=FAULTY,
        )
    messages.success(request, "Sealed. Here is your receipt.")
    return page


def _same(paper: Paper | None, payload: Payload) -> bool:
    orders, _ = parse_orders(payload)
    return paper is not None and orders is not None and paper.receipt.payload == orders_payload(orders)


def _unseal(request: HttpRequest, war: War, stage: Stage, page: HttpResponse) -> HttpResponse:
    try:
        submission_unseal(stage=stage, faction=war.faction)
    except NothingSealed:
        return page  # unsealed already
    messages.success(request, "Unsealed: your orders are a draft again. Seal them before the stage closes.")
    return page


def canonical_text(payload: Payload) -> str:
    """The text whose digest is sealed."""
    return canonical_json(payload).decode()
