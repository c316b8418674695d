"""The one envelope in the API: read, saved, checked, sealed and taken back, whatever document lies
in it.

A `Desk` says what is special to a kind of document: its types, its words, where it is found. The
resources are made of it by `draft_resource`, `check_resource`, `seal_resource` and
`unseal_resource`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.access import Viewer
from campaign.api.requests import body_of, is_sent, is_unchanged, read_json, require_match
from campaign.api.resource import Resource, idempotent, json_response, not_modified
from campaign.api.schema import documented
from campaign.api.shapes import DocumentFaults, Nothing, SealMark
from campaign.errors import StageClosed
from campaign.models.stage import Submission
from campaign.selectors.envelopes import Document, Envelope, envelope_of
from campaign.services.envelopes import draft_save, envelope_seal, envelope_unseal
from campaign.web.problems import STAGE_CLOSED, Fault, Refusal
from engine.core.errors import RuleViolations, Violation, faults_json, place


@dataclass(frozen=True, slots=True)
class RouteNames:
    """How a kind of document is spoken of in the OpenAPI document.

    `draft`: the operation that reads it; `stem`: what the names of the others begin with; `what`
    and `when`: its noun, and where it belongs.
    """

    draft: str
    stem: str
    tag: str
    document_name: str
    stage_name: str


class EnvelopeEndpoint(ABC):
    """A caller's desk with one kind of document on it."""

    names: ClassVar[RouteNames]
    sheet_type: ClassVar[Any]
    body_type: ClassVar[Any]  # the document itself
    sealing_type: ClassVar[Any]  # {nonce?, <noun>?}
    receipt_type: ClassVar[Any]

    def __init__(self, viewer: Viewer, document: Document) -> None:
        """Raises StageIsClosed where no stage asks the caller's faction."""
        self.viewer, self.document = viewer, document
        self.envelope: Envelope = envelope_of(document)

    @classmethod
    @abstractmethod
    def of(cls, viewer: Viewer, **where: Any) -> EnvelopeEndpoint:
        """The desk at an address. Raises NotThere, and what says that nobody is asked there now."""

    @property
    @abstractmethod
    def etag_prefix(self) -> str:
        """Where the war stands as far as the document goes: the beginning of its ETag."""

    @abstractmethod
    def sheet(self) -> Any:
        """The document, with where it belongs and what is wrong with it."""

    @abstractmethod
    def receipt(self, row: Submission) -> Any:
        """A sealed entry of it."""

    def receipt_url(self) -> str:
        """Where a receipt can be read again; empty where it stands in a list."""
        return ""

    def check_stage(self, payload: object) -> None:
        """Raises Refusal where a document was written for a stage before this one."""
        del payload

    def closed_refusal(self, refused: StageClosed) -> Refusal:
        """The answer where the stage takes nothing any more."""
        return Refusal(409, STAGE_CLOSED, str(refused))

    @contextmanager
    def while_open(self) -> Iterator[None]:
        """While something is done that needs the stage open. Raises Refusal."""
        try:
            yield
        except StageClosed as refused:
            raise self.closed_refusal(refused) from refused

    @property
    def tag(self) -> str:
        """Changes with the stage, with every save and with every seal: what is public, or the
        faction's own doing.
        """
        ready = "-ready" if self.ready else ""
        return f"{self.etag_prefix}-{self.envelope.version}-{self.envelope.revision}{ready}"

    @property
    def ready(self) -> bool:
        """Whether the document is sealed and its side ready to go on as soon as everybody is."""
        row = self.envelope.sealed
        return row is not None and row.ready_at is not None

    @property
    def seal_mark(self) -> SealMark | None:
        """The seal of the document, None where it is not sealed."""
        row = self.envelope.sealed
        return (
            None if row is None else SealMark(row.revision, row.digest, row.sealed_at, row.source)
        )

    @property
    def violations(self) -> list[Fault]:
        """What keeps the draft from being sealed, as the API lists faults."""
        return fault_list(self.envelope.faults)


def fault_list(violations: tuple[Violation, ...]) -> list[Fault]:
    """Faults as the API lists them."""
    return cast("list[Fault]", faults_json(violations))


def draft_resource(endpoint: type[EnvelopeEndpoint], *, reads: str = "") -> type[Resource]:
    """Reading a document and saving it as a draft.

    `reads`: what reading is called, where it tells more than that.
    """
    names = endpoint.names

    class DraftResource(Resource):
        """What the faction writes in a stage."""

        @documented(
            names.draft,
            reads or f"The faction's {names.document_name} for the {names.stage_name}",
            {200: endpoint.sheet_type},
            etag="read",
            problems=(404, 409),
            tag=names.tag,
        )
        def get(self, request: Request, campaign: str, **where: Any) -> HttpResponse:
            """What is sealed, else the draft, with its faults; the ETag changes with every save and
            every seal.
            """
            mine = endpoint.of(self.viewer(campaign, play=True), **where)
            return (
                not_modified(mine.tag)
                if is_unchanged(request, mine.tag)
                else json_response(mine.sheet(), etag=mine.tag)
            )

        @documented(
            f"{names.draft}_put",
            f"Save the {names.document_name} for the {names.stage_name} as a draft, with whatever is wrong with it",
            {200: endpoint.sheet_type},
            body_type=endpoint.body_type,
            etag="write",
            problems=(404,),
            writes=True,
            tag=names.tag,
        )
        @idempotent
        def put(self, request: Request, campaign: str, **where: Any) -> HttpResponse:
            """The draft as it was saved, its faults listed with it: a draft may be faulty."""
            viewer = self.viewer(campaign, play=True)
            mine = endpoint.of(viewer, **where)
            payload = read_json(request)
            mine.check_stage(payload)
            require_match(request, mine.tag, needed=True)
            with mine.while_open():
                draft_save(document=mine.document, payload=payload, version=mine.envelope.version)
            mine = endpoint.of(viewer, **where)
            return json_response(mine.sheet(), etag=mine.tag)

    return DraftResource


def check_resource(endpoint: type[EnvelopeEndpoint]) -> type[Resource]:
    """Judging a document without keeping it."""
    names = endpoint.names

    class CheckResource(Resource):
        """What would keep a document from being sealed."""

        @documented(
            f"{names.stem}_check",
            f"Check {names.document_name} for the {names.stage_name} without saving anything",
            {200: DocumentFaults},
            body_type=endpoint.body_type,
            problems=(404,),
            writes=True,
            tag=names.tag,
        )
        def post(self, request: Request, campaign: str, **where: Any) -> HttpResponse:
            """Every fault that would keep the document from being sealed; an empty list where it
            could be.
            """
            mine = endpoint.of(self.viewer(campaign, play=True), **where)
            payload = read_json(request)
            mine.check_stage(payload)
            return json_response(DocumentFaults(fault_list(mine.document.faults(payload))))

    return CheckResource


def seal_resource(endpoint: type[EnvelopeEndpoint]) -> type[Resource]:
    """Sealing the draft, or what is sent along."""
    names = endpoint.names

    class SealResource(Resource):
        """Sealing."""

        @documented(
            f"{names.stem}_seal",
            f"Seal the draft for the {names.stage_name}, or the {names.document_name} in the body; sealing once more without a change "
            "returns the same receipt",
            {200: endpoint.receipt_type, 201: endpoint.receipt_type},
            body_type=endpoint.sealing_type,
            etag="may",
            problems=(404,),
            writes=True,
            tag=names.tag,
        )
        @idempotent
        def post(self, request: Request, campaign: str, **where: Any) -> HttpResponse:
            """The receipt with nonce and digest: 201 for a new seal, 200 for one that changes
            nothing. 422 names every fault; 409 where there is nothing to seal.
            """
            viewer = self.viewer(campaign, play=True)
            mine = endpoint.of(viewer, **where)
            body = body_of(request, endpoint.sealing_type)
            noun = mine.document.noun
            document_sent = getattr(body, noun)
            mine.check_stage(document_sent)
            require_match(request, mine.tag, needed=False)
            payload = mine.envelope.draft_or_sealed if document_sent is None else document_sent
            if payload is None:
                raise Refusal(
                    409,
                    "no-draft",
                    f"there is no draft: save the {noun} first, or send it in the body",
                )
            try:
                with mine.while_open():
                    seal = envelope_seal(
                        document=mine.document,
                        payload=payload,
                        nonce=body.nonce,
                        author=viewer.user,
                        version=mine.envelope.version
                        if document_sent is None or is_sent(request)
                        else None,
                        ready=getattr(body, "ready", None),
                    )
            except RuleViolations as refused:
                raise RuleViolations(
                    [_placed(noun, fault) for fault in refused.violations]
                ) from refused
            status = 200 if seal.is_repeat else 201
            return json_response(
                mine.receipt(seal.row),
                status,
                location="" if seal.is_repeat else mine.receipt_url(),
            )

    return SealResource


def unseal_resource(endpoint: type[EnvelopeEndpoint]) -> type[Resource]:
    """Taking back what is sealed."""
    names = endpoint.names

    class UnsealResource(Resource):
        """Unsealing."""

        @documented(
            f"{names.stem}_unseal",
            f"Unseal the {names.document_name} for the {names.stage_name}; does nothing if nothing is sealed",
            {200: endpoint.sheet_type},
            body_type=Nothing,
            etag="may",
            problems=(404,),
            writes=True,
            tag=names.tag,
        )
        @idempotent
        def post(self, request: Request, campaign: str, **where: Any) -> HttpResponse:
            """The document with its draft as it stands after the seal was taken back."""
            viewer = self.viewer(campaign, play=True)
            mine = endpoint.of(viewer, **where)
            body_of(request, Nothing)
            require_match(request, mine.tag, needed=False)
            if mine.envelope.sealed is not None:
                with mine.while_open():
                    envelope_unseal(document=mine.document, revision=mine.envelope.revision)
                mine = endpoint.of(viewer, **where)
            return json_response(mine.sheet(), etag=mine.tag)

    return UnsealResource


def _placed(noun: str, fault: Violation) -> Violation:
    """A fault with its place in the body of a seal: the document stands under its noun, the nonce
    beside it.
    """
    if fault.code == "bad-nonce":
        return fault
    return Violation(place(noun, fault.where) if fault.where else noun, fault.code, fault.message)
