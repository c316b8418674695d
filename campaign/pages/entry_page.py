"""The page of an envelope: a form becomes a document, which is saved, sealed or taken back;
services do the rest.

An `EntryPage` says what is special to a kind of document: its form, its words, where its faults
stand. What a page of another kind of stage shares with it, stands here once: stale forms, lost
updates, faults, seals sent twice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
from campaign.forms.week.conditional_orders import OFFERED
from campaign.forms.week.orders_words import orders_words
from campaign.kinds import ClosingRule, StageKind, StageStatus
from campaign.models.stage import Draft, Stage
from campaign.selectors.due import closing_of
from campaign.selectors.envelopes import Document, Envelope, SealedEntry, envelope_of
from campaign.services.envelopes import draft_save, envelope_ready, envelope_seal, envelope_unseal
from campaign.services.memos import memo_for
from campaign.services.orders import WeekOrders
from campaign.services.preferences import guide_mark_done
from campaign.web.common import data_for_script
from campaign.web.war import War, war_of
from engine.core.canonical import canonical_json, encode_floats
from engine.core.errors import RuleViolations, Violation
from engine.core.phrase import phrase

CLOSED = phrase("That stage has closed in the meantime. This page shows the present stage.")
SAVED = phrase("Draft saved. It counts only once it is sealed.")
CLOSED_QUIETLY = phrase("Not saved: the stage has closed. Load this page again.")
DRAFT_HEADER = "X-Draft"  # a header of scripts that keep the draft
CONFLICT_STATUS = 409
READY, UNREADY = "ready", "unready"
READINESS = {
    READY: phrase("You are ready: the stage closes as soon as every side is."),
    UNREADY: phrase("The stage keeps its deadline, as far as you are concerned."),
}
UNPROCESSABLE_STATUS = 422


@dataclass(frozen=True, slots=True)
class PageTexts:
    """The words of a page about its document.

    `sealed`, `unsealed` and `other`: when that was done, and when something else is sealed;
    `until`: how long it can be unsealed; `unsaved`: what holds while nobody has saved a draft.
    """

    sealed: str
    unsealed: str
    other_sealed: str
    unseal_until: str
    unsaved: str


ORDER_TEXTS = PageTexts(
    sealed=phrase("Sealed. Here is your receipt."),
    unsealed=phrase("Unsealed: your orders are a draft again. Seal them before the stage closes."),
    other_sealed=phrase(
        "Other orders are already sealed. Unseal them first; yours are kept as the draft."
    ),
    unseal_until=phrase("You can unseal your orders until the stage closes."),
    unsaved=phrase("Nothing saved yet. If you don't seal, these orders are used."),
)

ADMIRAL_DECIDES = phrase("Nothing saved yet. If you don't seal, your computer admiral decides.")


@dataclass(frozen=True, slots=True)
class EntryState:
    """The state of the document that the page shows.

    `payload`: the draft, or what was just posted; `version`: of the draft it is saved over.

    `key`: by which a browser remembers the nonce it made. `saved`: somebody has saved a draft.
    `lost`: somebody of its side saved in between; `theirs`: that, in words. `beside_a_seal`: the
    form is shown though something is sealed.
    """

    texts: PageTexts
    key: str
    stage: Stage
    payload: Payload
    version: int
    is_saved: bool
    sealed: SealedEntry | None
    violations: tuple[Violation, ...]
    faults: Faults
    has_conflict: bool = False
    other_draft_lines: tuple[str, ...] = ()
    is_sealed_meanwhile: bool = False
    status: int = 200

    @property
    def is_open(self) -> bool:
        """Whether the stage still takes entries, as everybody sees it."""
        return self.stage.status == StageStatus.OPEN

    @property
    def can_refresh(self) -> bool:
        """Whether the page may go on by itself: nothing can be lost on it."""
        return self.sealed is not None or not self.is_open

    @property
    def shown_payload(self) -> Payload:
        """The sealed document, else what the form holds."""
        return self.payload if self.sealed is None else self.sealed.receipt.payload

    @property
    def canonical(self) -> str:
        """The text whose digest is sealed; empty where nothing is."""
        return "" if self.sealed is None else canonical_text(self.sealed.receipt.payload)


class EntryPage(ABC):
    """A page on which a faction writes one document, for one request.

    `document`: None where none is asked of it.
    """

    texts: PageTexts

    def __init__(self, request: HttpRequest, war: War, document: Document | None) -> None:
        self.request, self.war, self.document = request, war, document

    @abstractmethod
    def redirect_here(self) -> HttpResponse:
        """The way back to this page, as it is then."""

    @abstractmethod
    def payload(self, post: QueryDict) -> Payload:
        """The document that the form says. No rule is asked."""

    @abstractmethod
    def render_entry(self, entry: EntryState) -> HttpResponse:
        """The page."""

    @abstractmethod
    def place_faults(self, payload: Payload, violations: Sequence[Violation]) -> Faults:
        """Faults, each with its place on the page."""

    def is_ready(self) -> bool | None:
        """Whether the form says that the side is ready to go on; None where a page has no such
        choice.
        """
        return None

    def other_action(self, document: Document, action: str) -> HttpResponse | None:  # noqa: ARG002
        """The answer to an action of this kind of page alone; None where it has no such action."""
        return None

    def payload_lines(self, payload: Payload) -> tuple[str, ...]:  # noqa: ARG002
        """A document in words, where a page has such; used for what somebody else has saved."""
        return ()

    def key(self, document: Document) -> str:
        """The key of the document among all of this site's."""
        return f"{self.war.id}/{document.stage.ordinal}"

    def after_seal(self) -> None:  # noqa: B027 (most pages have nothing to do then)
        """What else the page does when its document has been sealed."""

    def render_idle(self) -> HttpResponse:
        """The page where nothing is asked of the faction."""
        return self.redirect_here()

    def response(self) -> HttpResponse:
        """The page, or what comes of the form that was sent from it."""
        if self.document is None:
            return self._respond_closed() if self.request.method == "POST" else self.render_idle()
        if self.request.method != "POST":
            return self._render_entry(self._stored_entry(self.document))
        result = self._handle_post(self.document)
        return result if isinstance(result, HttpResponse) else self._render_entry(result)

    def _render_entry(self, entry: EntryState) -> HttpResponse:
        """The page; one that shows the nonce of a seal is sent as it is: what is compressed holds
        no secret.
        """
        response = self.render_entry(entry)
        if entry.sealed is not None:
            patch_cache_control(response, no_transform=True)
        return response

    def _stored_entry(self, document: Document) -> EntryState:
        """The entry as it lies there, or what is there before anybody has written."""
        envelope = envelope_of(document)
        payload = (
            self.initial_payload(document) if envelope.draft is None else envelope.draft.payload
        )
        return self._entry(envelope, payload, envelope.faults)

    def _entry(
        self, envelope: Envelope, payload: Payload, violations: tuple[Violation, ...], **extra: Any
    ) -> EntryState:
        return EntryState(
            texts=self.texts,
            key=self.key(envelope.document),
            stage=envelope.document.stage,
            payload=payload,
            version=envelope.version,
            is_saved=envelope.has_draft,
            sealed=envelope.sealed_entry,
            violations=violations,
            faults=self.place_faults(payload, violations),
            **extra,
        )

    def _faulty_entry(
        self, envelope: Envelope, payload: Payload, violations: tuple[Violation, ...], **extra: Any
    ) -> EntryState:
        """What was posted, in its form: also where a mate has sealed meanwhile, for it would be
        lost otherwise.
        """
        entry = self._entry(envelope, payload, violations, **extra)
        return replace(entry, sealed=None, is_sealed_meanwhile=entry.sealed is not None)

    def _respond_closed(self) -> HttpResponse:
        if self.request.headers.get(DRAFT_HEADER):
            return data_for_script({"closed": CLOSED_QUIETLY})
        messages.warning(self.request, CLOSED)
        return self.redirect_here()

    def _handle_post(self, document: Document) -> EntryState | HttpResponse:
        """Do what the form asks: save, seal, take what is there before anybody has written, or
        unseal.
        """
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
            payload = document.default() if action == "default" else self.payload(post)
            return self._save(document, payload, seal=action == "seal")
        except StageClosed:
            return self._respond_closed()

    def _save(
        self, document: Document, payload: Payload, *, seal: bool
    ) -> EntryState | HttpResponse:
        """Save the draft, and seal it.

        An Entry where the page has to show something more to mend.
        """
        try:
            version = self._save_draft(document, payload).version
        except EditConflict:
            now = envelope_of(document)
            if now.draft is None or now.draft.payload != document.stored_payload(payload):
                return self._conflict_entry(now, payload)
            version = now.version  # the same form sent twice
        except RuleViolations as refused:
            return self._refused_entry(document, payload, refused)
        return self._seal(document, payload, version) if seal else self._respond_saved(document)

    def _save_for_script(self, document: Document) -> HttpResponse:
        """Save the draft for a script that keeps it as one goes: the version it has now and its
        faults, as JSON; `lost` where somebody else has saved in between, and nothing was saved.
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
        fault_rows = [
            {"anchor": fault.anchor, "subject": fault.subject, "words": fault.words}
            for fault in faults.all
        ]
        return data_for_script(
            {"version": version, "faults": fault_rows, **self.script_extras(payload, faults)}
        )

    def initial_payload(self, document: Document) -> Payload:
        """What the form shows before anybody has written."""
        return document.default()

    def script_extras(self, payload: Payload, faults: Faults) -> dict[str, Any]:  # noqa: ARG002
        """What a page's script is told of a document besides its faults."""
        return {}

    def _save_draft(self, document: Document, payload: Payload) -> Draft:
        """Keep the form as the draft over the version it names."""
        return draft_save(
            document=document,
            payload=payload,
            version=_version(self.request.POST.get("version", "")),
            despite_seal=True,
        )

    def _respond_saved(self, document: Document) -> HttpResponse:
        if envelope_of(document).sealed is None:
            messages.success(self.request, SAVED)
        else:
            messages.warning(self.request, self.texts.other_sealed)
        return self.redirect_here()

    def _seal(
        self, document: Document, payload: Payload, version: int
    ) -> EntryState | HttpResponse:
        user: Any = self.request.user
        nonce = self.request.POST.get("nonce", "")
        try:
            seal = envelope_seal(
                document=document,
                payload=payload,
                nonce=nonce,
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
        try:
            envelope_unseal(document=document)
        except NothingSealed:
            return self.redirect_here()  # unsealed already
        messages.success(self.request, self.texts.unsealed)
        return self.redirect_here()

    def _conflict_entry(self, envelope: Envelope, payload: Payload) -> EntryState:
        """Both texts, where somebody else saved in between."""
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

    kinds: ClassVar[tuple[str, ...]]  # of the stages that this page answers

    def __init__(self, request: HttpRequest, war: War, document: Document | None) -> None:
        super().__init__(request, war, document)
        self.texts = (
            replace(ORDER_TEXTS, unsaved=ADMIRAL_DECIDES) if war.faction.admiral else ORDER_TEXTS
        )

    def redirect_here(self) -> HttpResponse:
        return redirect(self.war.page, c=self.war.id)

    def is_ready(self) -> bool | None:
        return self.request.POST.get("ready") == "yes"

    def other_action(self, document: Document, action: str) -> HttpResponse | None:
        """Say of what is sealed that the side is ready to go on, or take that back."""
        if action not in READINESS:
            return None
        try:
            envelope_ready(document=document, ready=action == READY)
        except NothingSealed:
            return self.redirect_here()  # unsealed meanwhile
        messages.success(self.request, READINESS[action])
        return self.redirect_here()

    def after_seal(self) -> None:
        """Who seals has taken all the steps that a guided war shows him here: none where nothing is
        asked of him.
        """
        war, user, view = self.war, cast(AbstractBaseUser, self.request.user), self.war.sight.view
        is_asked_by_kind = {
            StageKind.DECISIONS.value: view.asked,
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
        """The context of every page of the week's stages, besides its own form."""
        words = self.payload_lines(entry.shown_payload)
        memo = memo_for(self.war.faction, self.war.week)
        rule = closing_of(entry.stage).rule if entry.is_open else ClosingRule.DEADLINE
        return {
            "war": self.war,
            **self.war.tabs("entry"),
            "entry": entry,
            "words": words,
            "memo": memo,
            "ready_offered": rule == ClosingRule.READY,
            "ready_ticked": self.request.POST.get("ready") == "yes",
            **OFFERED,
        }


def week_page(request: HttpRequest, viewer: Viewer, page: type[WeekPage]) -> HttpResponse:
    """A page of the open stage; the way to that stage's own page from those of others."""
    war = war_of(viewer)
    stage = war.stage
    if stage is None:  # there is nothing to order any more: its war room says how it ended
        return redirect("lobby", c=war.id)
    if stage.kind not in page.kinds:
        if request.method == "POST":
            messages.warning(request, CLOSED)
        return redirect(war.page, c=war.id)
    return page(request, war, WeekOrders(stage, war.faction, war.sight.view)).response()


def _version(text: str) -> int:
    """The version that a form names; -1, which no draft has, where it names none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else -1


def canonical_text(payload: Mapping[str, Any]) -> str:
    """The text whose digest is sealed."""
    return canonical_json(encode_floats(payload)).decode()
