"""API resources to read, save, check, seal and unseal any kind of document.

An `EnvelopeEndpoint` defines what is special to a kind of document: its types, names and address.
`draft_resource`, `check_resource`, `seal_resource` and `unseal_resource` make its resources.
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
from campaign.api.shapes import DocumentFaults, SealMark, Unsealing
from campaign.errors import StageClosed
from campaign.models.stage import Submission
from campaign.selectors.envelopes import Document, Envelope, envelope_of
from campaign.services.envelopes import (
    BAD_NONCE,
    BAD_SHARE,
    draft_save,
    envelope_seal,
    envelope_unseal,
)
from campaign.web.problems import STAGE_CLOSED, Fault, Refusal
from engine.core.errors import RuleViolations, Violation, fault_path, faults_json


@dataclass(frozen=True, slots=True)
class RouteNames:
    """The names of a kind of document in the OpenAPI document.

    Attributes:
        draft: The operation that reads it.
        stem: The prefix of the other operations' names.
        document_name: What it is called.
        stage_name: What it is written for.
    """

    draft: str
    stem: str
    tag: str
    document_name: str
    stage_name: str


class EnvelopeEndpoint(ABC):
    """One kind of document of a caller."""

    names: ClassVar[RouteNames]
    sheet_type: ClassVar[Any]
    body_type: ClassVar[Any]  # the document itself
    sealing_type: ClassVar[Any]  # {nonce?, <noun>?}
    receipt_type: ClassVar[Any]

    def __init__(self, viewer: Viewer, document: Document) -> None:
        """Load the caller's envelope. Raises StageClosed if no stage asks the caller's faction."""
        self.viewer, self.document = viewer, document
        self.envelope: Envelope = envelope_of(document)

    @classmethod
    @abstractmethod
    def of(cls, viewer: Viewer, **where: Any) -> EnvelopeEndpoint:
        """Return the endpoint at an address.

        Raises NotFound, or an error if nothing is asked there now.
        """

    @property
    @abstractmethod
    def etag_prefix(self) -> str:
        """Return the beginning of the ETag: the state of the war that affects the document."""

    @abstractmethod
    def sheet(self) -> Any:
        """Return the document with its stage and faults."""

    @abstractmethod
    def receipt(self, row: Submission) -> Any:
        """Return a sealed entry in the form of the API."""

    def receipt_url(self) -> str:
        """Return the address of the receipt; empty if receipts are only in a list."""
        return ""

    def check_stage(self, payload: object) -> None:
        """Raise Refusal if the payload was written for an earlier stage."""
        del payload

    def warnings(self, payload: object) -> tuple[Violation, ...]:
        """Return what is valid in the document but advised against; by default nothing."""
        del payload
        return ()

    def closed_refusal(self, refused: StageClosed) -> Refusal:
        """Return the refusal if the stage accepts nothing any more."""
        return Refusal(409, STAGE_CLOSED, str(refused))

    @contextmanager
    def while_open(self) -> Iterator[None]:
        """Turn StageClosed into Refusal within a block that needs the stage open."""
        try:
            yield
        except StageClosed as refused:
            raise self.closed_refusal(refused) from refused

    @property
    def tag(self) -> str:
        """Return the ETag.

        It changes with the stage, with each save and with each seal. All of these are public or the
        faction's own actions.
        """
        ready = "-ready" if self.ready else ""
        return f"{self.etag_prefix}-{self.envelope.version}-{self.envelope.revision}{ready}"

    @property
    def ready(self) -> bool:
        """Return whether it is sealed and its side is ready to go on as soon as all sides are."""
        row = self.envelope.sealed
        return row is not None and row.ready_at is not None

    @property
    def seal_mark(self) -> SealMark | None:
        """Return the seal of the document, or None."""
        row = self.envelope.sealed
        if row is None:
            return None
        return SealMark(row.revision, row.digest, row.sealed_at, row.source)

    @property
    def violations(self) -> list[Fault]:
        """Return the faults that keep the draft from being sealed."""
        return fault_list(self.envelope.faults)


def fault_list(violations: tuple[Violation, ...]) -> list[Fault]:
    """Return faults in the form of the API."""
    return cast("list[Fault]", faults_json(violations))


def draft_resource(endpoint: type[EnvelopeEndpoint], *, reads: str = "") -> type[Resource]:
    """Make the resource that reads a document and saves it as a draft.

    Args:
        reads: Summary of the read operation, if it needs a special one.
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
            """Return what is sealed, or else the draft, with its faults.

            The ETag changes with each save and each seal.
            """
            mine = endpoint.of(self.viewer(campaign, play=True), **where)
            if is_unchanged(request, mine.tag):
                return not_modified(mine.tag)
            return json_response(mine.sheet(), etag=mine.tag)

        @documented(
            f"{names.draft}_put",
            f"Save the {names.document_name} for the {names.stage_name} as a draft, "
            "including its faults",
            {200: endpoint.sheet_type},
            body_type=endpoint.body_type,
            etag="write",
            problems=(404,),
            writes=True,
            tag=names.tag,
        )
        @idempotent
        def put(self, request: Request, campaign: str, **where: Any) -> HttpResponse:
            """Save the draft and return it with its faults: a draft may be faulty."""
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
    """Make the resource that checks a document without saving it."""
    names = endpoint.names

    class CheckResource(Resource):
        """The faults that would keep a document from being sealed."""

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
            """Return all faults that would keep the document from being sealed."""
            mine = endpoint.of(self.viewer(campaign, play=True), **where)
            payload = read_json(request)
            mine.check_stage(payload)
            faults = fault_list(mine.document.faults(payload))
            return json_response(DocumentFaults(faults, fault_list(mine.warnings(payload))))

    return CheckResource


def seal_resource(endpoint: type[EnvelopeEndpoint]) -> type[Resource]:
    """Make the resource that seals the draft, or the document in the body."""
    names = endpoint.names

    class SealResource(Resource):
        """Sealing a document."""

        @documented(
            f"{names.stem}_seal",
            f"Seal the draft for the {names.stage_name}, or the {names.document_name} in the body; "
            "sealing it again unchanged returns the same receipt",
            {200: endpoint.receipt_type, 201: endpoint.receipt_type},
            body_type=endpoint.sealing_type,
            etag="may",
            problems=(404,),
            writes=True,
            tag=names.tag,
        )
        @idempotent
        def post(self, request: Request, campaign: str, **where: Any) -> HttpResponse:
            """Seal, and return the receipt with nonce and digest.

            201 for a new seal, 200 for one that changes nothing. 422 lists all faults; 409 if there
            is nothing to seal.
            """
            viewer = self.viewer(campaign, play=True)
            mine = endpoint.of(viewer, **where)
            body = body_of(request, endpoint.sealing_type)
            noun = mine.document.noun
            document_sent = getattr(body, noun)
            mine.check_stage(document_sent)
            require_match(request, mine.tag, needed=False)
            if document_sent is None:
                payload = mine.envelope.draft_or_sealed
            else:
                payload = document_sent
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
                        share=body.share,
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
    """Make the resource that withdraws a sealed entry."""
    names = endpoint.names

    class UnsealResource(Resource):
        """Unsealing a document."""

        @documented(
            f"{names.stem}_unseal",
            f"Unseal the {names.document_name} for the {names.stage_name}; "
            "does nothing if nothing is sealed",
            {200: endpoint.sheet_type},
            body_type=Unsealing,
            etag="may",
            problems=(404,),
            writes=True,
            tag=names.tag,
        )
        @idempotent
        def post(self, request: Request, campaign: str, **where: Any) -> HttpResponse:
            """Withdraw what is sealed, and return the document with its draft."""
            viewer = self.viewer(campaign, play=True)
            mine = endpoint.of(viewer, **where)
            body = body_of(request, Unsealing)
            require_match(request, mine.tag, needed=False)
            if mine.envelope.sealed is not None:
                with mine.while_open():
                    envelope_unseal(
                        document=mine.document, word=body.word, revision=mine.envelope.revision
                    )
                mine = endpoint.of(viewer, **where)
            return json_response(mine.sheet(), etag=mine.tag)

    return UnsealResource


def _placed(noun: str, fault: Violation) -> Violation:
    """Return a fault with its place in the body, where the document is under its noun."""
    if fault.code in (BAD_NONCE, BAD_SHARE):
        return fault
    return Violation(
        fault_path(noun, fault.where) if fault.where else noun, fault.code, fault.message
    )
