"""The page of a stage entry: its form becomes a document, which is saved, sealed or unsealed.

A subclass of `EntryPage` defines what is special to one kind of document: its form, its texts and
where its faults appear. Everything else is here once: stale forms, edit conflicts, faults and
repeated submissions. Services do the storing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, cast

from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect
from django.utils.cache import patch_cache_control

from campaign.access import Viewer
from campaign.errors import AlreadySealed, EditConflict, NothingSealed, StageClosed
from campaign.forms.faults import Faults, faults_of
from campaign.forms.field import Payload
from campaign.forms.week.conditional_orders import offered
from campaign.forms.week.orders_words import orders_words
from campaign.kinds import ClosingRule, StageKind, StageStatus
from campaign.models.stage import Draft, Stage
from campaign.selectors.due import closing_of
from campaign.selectors.envelopes import Document, Envelope, SealedEntry, envelope_of
from campaign.selectors.receipts import ReceiptSigner, SignedReceipt
from campaign.services.envelopes import (
    draft_save,
    envelope_ready,
    envelope_seal,
    envelope_unseal,
    is_word_of,
)
from campaign.services.memos import memo_for
from campaign.services.orders import WeekOrders
from campaign.services.preferences import guide_mark_done
from campaign.web.common import data_for_script
from campaign.web.war import War, war_of
from engine.core.canonical import canonical_json, encode_floats
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

CLOSED = phrase("That stage has closed in the meantime. This page shows the current stage.")
SAVED = phrase("Draft saved. It counts only once you seal it.")
CLOSED_QUIETLY = phrase("Not saved: the stage has closed. Load this page again.")
DRAFT_HEADER = "X-Draft"  # request header of scripts that save the draft
CONFLICT_STATUS = 409
READY, UNREADY = "ready", "unready"
READINESS = {
    READY: phrase("You are ready: the stage closes as soon as every side is."),
    UNREADY: phrase("You are no longer marked ready. The stage keeps its deadline."),
}
UNPROCESSABLE_STATUS = 422


@dataclass(frozen=True, slots=True)
class PageTexts:
    """The texts of a page about its document."""

    sealed: str  # after sealing
    unsealed: str  # after unsealing
    other_sealed: str  # when a different document is sealed
    unseal_until: str  # how long it can be unsealed
    unsaved: str  # what applies until a draft is saved


ORDER_TEXTS = PageTexts(
    sealed=phrase("Sealed. Here is your receipt."),
    unsealed=phrase("Unsealed: your orders are a draft again. Seal them before the stage closes."),
    other_sealed=phrase(
        "Other orders are already sealed. Unseal them first; yours are kept as the draft."
    ),
    unseal_until=phrase("You can unseal your orders until the stage closes."),
    unsaved=phrase(
        "Nothing saved yet. If the stage closes before you seal, your fleets stay where they are, "
        "except those that must leave."
    ),
)

# What applies until a draft is saved, in the stages after the orders
UNSAVED_LATER: dict[str, str] = {
    StageKind.DECISIONS: phrase(
        "Nothing saved yet. If the stage closes before you seal, your standing orders decide."
    ),
    StageKind.BATTLES: phrase(
        "Nothing saved yet. If the stage closes before you seal, your captains follow their "
        "fleets' earlier doctrine."
    ),
}
ADMIRAL_DECIDES = phrase(
    "Nothing saved yet. If the stage closes before you seal, your computer admiral decides."
)


@dataclass(frozen=True, slots=True)
class EntryState:
    """The state of the document that the page shows."""

    texts: PageTexts
    key: str  # the browser remembers the nonce it made under this key
    stage: Stage
    payload: Payload  # the draft, or what was just submitted
    version: int  # of the draft that the next save replaces
    is_saved: bool  # whether a draft exists
    sealed: SealedEntry | None
    signed: SignedReceipt | None  # the receipt of what is sealed
    violations: tuple[Violation, ...]
    faults: Faults
    is_paused: bool  # while the clock is paused, no stage closes
    has_conflict: bool = False  # another member of the side has saved meanwhile
    other_draft_lines: tuple[str, ...] = ()  # that member's draft in words
    is_sealed_meanwhile: bool = False  # the form is shown although an entry is sealed
    status: int = 200

    @property
    def is_open(self) -> bool:
        """Whether the stage still accepts entries, as far as players can see."""
        return self.stage.status == StageStatus.OPEN

    @property
    def closes(self) -> datetime | None:
        """The stage's deadline; None while the clock is paused or if there is none."""
        return None if self.is_paused else self.stage.closes

    @property
    def can_refresh(self) -> bool:
        """Whether the page may reload automatically without losing input."""
        return self.sealed is not None or not self.is_open

    @property
    def shown_payload(self) -> Payload:
        """The sealed document, or the form's contents if nothing is sealed."""
        if self.sealed is None:
            return self.payload
        return self.sealed.receipt.payload

    @property
    def canonical(self) -> str:
        """The text whose digest is sealed; empty if nothing is sealed."""
        if self.sealed is None:
            return ""
        return canonical_text(self.sealed.receipt.payload)


class EntryPage(ABC):
    """A page on which a faction writes one document, for one request.

    Args:
        document: None if the faction has nothing to write now.
    """

    texts: PageTexts
    # Whether saving a draft is announced; a page that shows its state all the time need not
    announces_drafts: ClassVar[bool] = True

    def __init__(self, request: HttpRequest, war: War, document: Document | None) -> None:
        self.request, self.war, self.document = request, war, document

    @abstractmethod
    def redirect_here(self) -> HttpResponse:
        """Redirect to this page."""

    @abstractmethod
    def payload(self, post: QueryDict) -> Payload:
        """Return the document in the submitted form, without checking any rule."""

    @abstractmethod
    def render_entry(self, entry: EntryState) -> HttpResponse:
        """Render the page."""

    @abstractmethod
    def place_faults(self, payload: Payload, violations: Sequence[Violation]) -> Faults:
        """Assign each fault its place on the page."""

    def is_ready(self) -> bool | None:
        """Return whether the form marks the side as ready, or None without such a choice."""
        return None

    def other_action(self, document: Document, action: str) -> HttpResponse | None:  # noqa: ARG002
        """Handle an action that only this kind of page has; return None for any other."""
        return None

    def payload_lines(self, payload: Payload) -> tuple[str, ...]:  # noqa: ARG002
        """Return a document in words, to show what another member saved; empty without words."""
        return ()

    @property
    def battle_id(self) -> str:
        """The faction's outside id of the battle that the document is for; empty for the week."""
        return ""

    def key(self, document: Document) -> str:
        """Return the key of the document, unique on this site."""
        battle = f"{self.battle_id}/" if self.battle_id else ""
        return f"{self.war.id}/{battle}{document.stage.ordinal}"

    def after_seal(self) -> None:  # noqa: B027 (most pages have nothing to do then)
        """Run after the document has been sealed."""

    def render_idle(self) -> HttpResponse:
        """Render the page if the faction has nothing to write now."""
        return self.redirect_here()

    def response(self) -> HttpResponse:
        """Return the page, or the response to its submitted form."""
        if self.document is None:
            if self.request.method == "POST":
                return self._respond_closed()
            return self.render_idle()
        if self.request.method != "POST":
            return self._render_entry(self._stored_entry(self.document))
        result = self._handle_post(self.document)
        if isinstance(result, HttpResponse):
            return result
        return self._render_entry(result)

    def _render_entry(self, entry: EntryState) -> HttpResponse:
        """Render the page, uncompressed if it shows the nonce of a seal.

        Compression could reveal the secret through the size of the response.
        """
        response = self.render_entry(entry)
        if entry.sealed is not None:
            patch_cache_control(response, no_transform=True)
        return response

    def _stored_entry(self, document: Document) -> EntryState:
        """Return the stored entry, or the initial one if nothing is saved."""
        envelope = envelope_of(document)
        if envelope.draft is None:
            payload = self.initial_payload(document)
        else:
            payload = envelope.draft.payload
        return self._entry(envelope, payload, envelope.faults)

    def _entry(
        self, envelope: Envelope, payload: Payload, violations: tuple[Violation, ...], **extra: Any
    ) -> EntryState:
        sealed = envelope.sealed_entry
        signed = None
        if sealed is not None:
            sealed = replace(sealed, battle=self.battle_id)
            signed = ReceiptSigner(self.war.viewer.campaign).receipt_of(sealed)
        return EntryState(
            texts=self.texts,
            key=self.key(envelope.document),
            stage=envelope.document.stage,
            payload=payload,
            version=envelope.version,
            is_saved=envelope.has_draft,
            sealed=sealed,
            signed=signed,
            violations=violations,
            faults=self.place_faults(payload, violations),
            is_paused=self.war.is_paused,
            **extra,
        )

    def _faulty_entry(
        self, envelope: Envelope, payload: Payload, violations: tuple[Violation, ...], **extra: Any
    ) -> EntryState:
        """Return what was submitted, back in its form.

        This also applies if a teammate has sealed meanwhile. The input would be lost otherwise.
        """
        entry = self._entry(envelope, payload, violations, **extra)
        return replace(entry, sealed=None, is_sealed_meanwhile=entry.sealed is not None)

    def _respond_closed(self) -> HttpResponse:
        if self.request.headers.get(DRAFT_HEADER):
            return data_for_script({"closed": CLOSED_QUIETLY})
        messages.warning(self.request, CLOSED)
        return self.redirect_here()

    def _handle_post(self, document: Document) -> EntryState | HttpResponse:
        """Save, seal, unseal or restore the default, as the form asks."""
        post = self.request.POST
        action = post.get("action", "save")
        if post.get("stage") != str(document.stage.ordinal):
            return self._respond_closed()
        try:
            if self.request.headers.get(DRAFT_HEADER):
                return self._save_for_script(document)
            if action == "unseal":
                return self._unseal(document)
            if (response := self.other_action(document, action)) is not None:
                return response
            if action == "default":
                payload = document.default()
            else:
                payload = self.payload(post)
            return self._save(document, payload, seal=action == "seal")
        except StageClosed:
            return self._respond_closed()

    def _save(
        self, document: Document, payload: Payload, *, seal: bool
    ) -> EntryState | HttpResponse:
        """Save the draft, and seal it if asked.

        Returns:
            An EntryState if the page has to show something to correct, else a response.
        """
        try:
            version = self._save_draft(document, payload).version
        except EditConflict:
            now = envelope_of(document)
            if now.draft is None or now.draft.payload != document.stored_payload(payload):
                return self._conflict_entry(now, payload)
            version = now.version  # the same form was sent twice
        except RuleViolations as refused:
            return self._refused_entry(document, payload, refused)
        if seal:
            return self._seal(document, payload, version)
        return self._respond_saved(document)

    def _save_for_script(self, document: Document) -> HttpResponse:
        """Save the draft for a script that saves while the player edits.

        Returns:
            JSON with the new version and the faults; `lost` if another member has saved in between.
            In that case nothing is saved.
        """
        payload = self.payload(self.request.POST)
        try:
            version = self._save_draft(document, payload).version
        except EditConflict:
            return data_for_script({"lost": True})
        except RuleViolations as refused:
            return self._respond_to_script(
                payload, refused.violations, envelope_of(document).version
            )
        return self._respond_to_script(payload, document.faults(payload), version)

    def _respond_to_script(
        self, payload: Payload, violations: Sequence[Violation], version: int
    ) -> JsonResponse:
        faults = self.place_faults(payload, violations)
        fault_rows = []
        for fault in faults.all:
            fault_rows.append(
                {"anchor": fault.anchor, "subject": fault.subject, "words": fault.words}
            )
        return data_for_script(
            {"version": version, "faults": fault_rows, **self.script_extras(payload, faults)}
        )

    def initial_payload(self, document: Document) -> Payload:
        """Return what the form shows before a draft is saved."""
        return document.default()

    def script_extras(self, payload: Payload, faults: Faults) -> dict[str, Any]:  # noqa: ARG002
        """Return what the page's script needs to know about a document besides its faults."""
        return {}

    def _save_draft(self, document: Document, payload: Payload) -> Draft:
        """Save the form as a draft over the version it names."""
        return draft_save(
            document=document,
            payload=payload,
            version=_version(self.request.POST.get("version", "")),
            despite_seal=True,
        )

    def _respond_saved(self, document: Document) -> HttpResponse:
        if envelope_of(document).sealed is None:
            if self.announces_drafts:
                messages.success(self.request, SAVED)
        else:
            messages.warning(self.request, self.texts.other_sealed)
        return self.redirect_here()

    def _seal(
        self, document: Document, payload: Payload, version: int
    ) -> EntryState | HttpResponse:
        user: Any = self.request.user
        try:
            seal = envelope_seal(
                document=document,
                payload=payload,
                nonce=self.request.POST.get("nonce", ""),
                share=self.request.POST.get("share", ""),
                author=user,
                version=version,
                ready=self.is_ready(),
            )
        except AlreadySealed:
            sealed = envelope_of(document).sealed
            if sealed is None or sealed.payload != document.canonical(payload):
                messages.warning(self.request, self.texts.other_sealed)
        except EditConflict:
            return self._conflict_entry(envelope_of(document), payload)
        except RuleViolations as refused:
            return self._refused_entry(document, payload, refused)
        else:
            if not seal.is_repeat:
                messages.success(self.request, self.texts.sealed)
                self.after_seal()
        return self.redirect_here()

    def _unseal(self, document: Document) -> HttpResponse:
        word = self.request.POST.get("word", "")
        sealed = envelope_of(document).sealed
        try:
            envelope_unseal(document=document, word=word if is_word_of(sealed, word) else "")
        except NothingSealed:
            return self.redirect_here()  # already unsealed
        messages.success(self.request, self.texts.unsealed)
        return self.redirect_here()

    def _conflict_entry(self, envelope: Envelope, payload: Payload) -> EntryState:
        """Return the submitted text together with the one another member saved in between."""
        other_draft_lines = self.payload_lines(
            {} if envelope.draft is None else envelope.draft.payload
        )
        return self._faulty_entry(
            envelope,
            payload,
            envelope.document.faults(payload),
            has_conflict=True,
            other_draft_lines=other_draft_lines,
            status=CONFLICT_STATUS,
        )

    def _refused_entry(
        self, document: Document, payload: Payload, refused: RuleViolations
    ) -> EntryState:
        return self._faulty_entry(
            envelope_of(document), payload, refused.violations, status=UNPROCESSABLE_STATUS
        )


class WeekPage(EntryPage):
    """The page of a stage of the week."""

    kinds: ClassVar[tuple[str, ...]]  # kinds of stages this page handles

    def __init__(self, request: HttpRequest, war: War, document: Document | None) -> None:
        super().__init__(request, war, document)
        if war.faction.admiral:
            self.texts = replace(ORDER_TEXTS, unsaved=ADMIRAL_DECIDES)
        else:
            unsaved = UNSAVED_LATER.get(self.war.kind, ORDER_TEXTS.unsaved)
            self.texts = replace(ORDER_TEXTS, unsaved=unsaved)

    def redirect_here(self) -> HttpResponse:
        return redirect(self.war.page, c=self.war.id)

    def is_ready(self) -> bool | None:
        return self.request.POST.get("ready") == "yes"

    def other_action(self, document: Document, action: str) -> HttpResponse | None:
        """Mark the sealed entry as ready, or take that back."""
        if action not in READINESS:
            return None
        try:
            envelope_ready(document=document, ready=action == READY)
        except NothingSealed:
            return self.redirect_here()  # unsealed meanwhile
        messages.success(self.request, READINESS[action])
        return self.redirect_here()

    def after_seal(self) -> None:
        """Mark the steps of a guided war shown on this page as done.

        Does nothing if the stage asks nothing of the player.
        """
        war = self.war
        user = cast(AbstractBaseUser, self.request.user)
        view = self.war.sight.view
        is_asked_by_kind = {
            StageKind.DECISIONS.value: view.open_decisions,
            StageKind.BATTLES.value: view.fighting,
        }
        if not is_asked_by_kind.get(war.kind, True):
            return
        if steps := war.guided.steps:
            guide_mark_done(user=user, steps=[step.id for step in steps])

    def place_faults(self, payload: Payload, violations: Sequence[Violation]) -> Faults:
        return faults_of(payload, violations)

    def payload_lines(self, payload: Payload) -> tuple[str, ...]:
        return orders_words(self.war.scenario, self.war.sight.view, payload)

    def context(self, entry: EntryState) -> dict[str, Any]:
        """Return the context that all pages of the week's stages share."""
        words = self.payload_lines(entry.shown_payload)
        memo = memo_for(self.war.faction, self.war.week)
        if entry.is_open:
            rule = closing_of(entry.stage).rule
        else:
            rule = ClosingRule.DEADLINE
        return {
            "war": self.war,
            **self.war.tabs("entry"),
            "entry": entry,
            "words": words,
            "memo": memo,
            "ready_offered": rule == ClosingRule.READY,
            "ready_ticked": self.request.POST.get("ready") == "yes",
            **offered(has_set_up=self.war.has_set_up),
        }


def week_page(request: HttpRequest, viewer: Viewer, page: type[WeekPage]) -> HttpResponse:
    """Return the page of the open stage, or redirect if another page handles that stage."""
    war = war_of(viewer)
    stage = war.stage
    if stage is None:  # the war is over; the war room shows how it ended
        return redirect("lobby", c=war.id)
    if stage.kind not in page.kinds:
        if request.method == "POST":
            messages.warning(request, CLOSED)
        return redirect(war.page, c=war.id)
    return page(request, war, WeekOrders(stage, war.faction, war.sight.view)).response()


def _version(text: str) -> int:
    """Return the version that a form names, or -1 (which no draft has) if it names none."""
    if text.isascii() and text.isdigit() and len(text) < 9:
        return int(text)
    return -1


def canonical_text(payload: Mapping[str, Any]) -> str:
    """Return the text whose digest is sealed."""
    return canonical_json(encode_floats(payload)).decode()
