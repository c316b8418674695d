"""The envelope with every kind of document: two devices of one player, on pages and over the API."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from campaign.errors import AlreadySealed, EditConflict, NothingSealed
from campaign.models import Draft, Submission
from campaign.services import envelopes
from campaign.services.envelopes import draft_save, envelope_seal, envelope_unseal
from tests.campaign.envelopes.cases import (
    CASES,
    DEVICES,
    FAULTY,
    GOOD,
    OTHER,
    Browser,
    Device,
    EnvelopeCase,
    Program,
)
from tests.campaign.pages.war.browsing import Page

pytestmark = pytest.mark.django_db
PAIRS = [("page", "page"), ("api", "api"), ("page", "api"), ("api", "page")]
TITLES = {"week": "orders", "phase": ": phase 1, movement", "table": ": result"}
of_any_kind = pytest.mark.parametrize("kind", list(CASES))
on_any_devices = pytest.mark.parametrize(
    "pair",  # pages send no query that programs do not
    [
        pytest.param(pair, id="-".join(pair), marks=[pytest.mark.any_database] * ("page" in pair))
        for pair in PAIRS
    ],
)

on_any_device = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.any_database] * (name == "page")) for name in DEVICES],
)


def at(kind: str, *names: str) -> tuple[EnvelopeCase, list[Device]]:
    """Return a case, with devices that have all loaded its present state."""
    case = CASES[kind]()
    devices = [DEVICES[name](case) for name in names]
    for device in devices:
        device.look()
    return case, devices


@of_any_kind
@on_any_devices
def test_second_concurrent_writer_is_told_and_nothing_is_lost(
    kind: str, pair: tuple[str, str]
) -> None:
    case, (first, second) = at(kind, *pair)
    assert first.save(GOOD) == "ok"
    assert second.save(OTHER) == "lost"
    assert second.seal(OTHER) == "lost"
    assert (case.draft(), case.sealed()) == (GOOD, [])
    second.look()
    assert second.save(OTHER) == "ok"
    assert case.draft() == OTHER


@of_any_kind
@pytest.mark.parametrize("names", [("page", "api"), ("api", "page")], ids="-".join)
@pytest.mark.any_database
def test_sealed_version_stays_until_unsealed(kind: str, names: tuple[str, str]) -> None:
    """Each device seals first, and unseals what the other has sealed."""
    case, (first, second) = at(kind, *names)
    assert first.seal(GOOD) == "ok"
    assert second.seal(OTHER) in ("lost", "sealed")
    assert second.save(OTHER) in ("lost", "sealed")
    assert case.sealed() == [GOOD]
    second.look()
    assert second.unseal() == "ok"
    assert second.unseal() == "ok"  # it took effect
    assert case.sealed() == []
    second.look()
    assert second.seal(OTHER) == "ok"
    assert case.sealed() == [OTHER]
    assert Submission.objects.filter(stage=case.stage, faction=case.faction).count() == 2


@pytest.mark.any_database
@of_any_kind
def test_form_contents_survive_a_seal_by_a_teammate(kind: str) -> None:
    case, (first, second) = at(kind, "page", "page")
    assert isinstance(second, Browser)
    assert first.seal(GOOD) == "ok"
    answer = second.client.post(
        second.url, {**second.fields, **case.fields(OTHER), "action": "save"}
    )
    assert answer.status_code == 409
    page = Page(answer.content.decode())
    assert "You have already sealed a version" in page.text
    second.fields = next(form for form in page.forms if "version" in form)
    assert second.submit({**second.fields, "action": "save"}) == "sealed"  # as shown there
    assert (case.draft(), case.sealed()) == (OTHER, [GOOD])


@of_any_kind
@on_any_device
def test_sealing_twice_is_sealing_once(kind: str, name: str) -> None:
    case, (device,) = at(kind, name)
    assert device.seal(GOOD) == "ok"
    if isinstance(device, Program):
        device.look()
    assert device.seal(GOOD) == "ok"
    assert (
        case.sealed(),
        Submission.objects.filter(stage=case.stage, faction=case.faction).count(),
    ) == ([GOOD], 1)


@of_any_kind
@pytest.mark.any_database
def test_sealing_the_same_orders_gives_the_same_receipt(kind: str) -> None:
    case = CASES[kind]()
    device = Program(case)
    body = {case.noun: case.body(GOOD), "nonce": "ab" * 16}
    first = device.caller.post(f"{case.under}seal/", body)
    again = device.caller.post(f"{case.under}seal/", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert (
        device.caller.post(f"{case.under}seal/", {**body, "nonce": "cd" * 16}).json()["code"]
        == "already-sealed"
    )


@of_any_kind
def test_receipts_are_listed_with_their_war(kind: str) -> None:
    case, (device,) = at(kind, "api")
    assert isinstance(device, Program)
    assert [device.seal(GOOD), device.unseal()] == ["ok", "ok"]
    device.look()
    assert device.seal(OTHER) == "ok"
    week = device.caller.get("receipts/").json()["receipts"]
    assert {line["stage"]["kind"] for line in week} <= {"deploy", "orders", "decisions", "battles"}
    where = {"week": "", "phase": case.api.removesuffix("orders/"), "table": case.api}[kind]
    lines = device.caller.get(f"{where}receipts/").json()["receipts"]
    ours = [line for line in lines if line["source"] == "player"]
    assert [(line["revision"], line["withdrawn_at"] is None) for line in ours] == [
        (2, True),
        (1, False),
    ]


@of_any_kind
def test_receipts_page_lists_weeks_battles_and_tables(
    kind: str,
) -> None:
    case, (device,) = at(kind, "page")
    assert isinstance(device, Browser)
    assert [device.seal(GOOD), device.unseal()] == ["ok", "ok"]
    device.look()
    assert device.seal(OTHER) == "ok"
    where = reverse("receipts", kwargs={"c": case.stage.branch.campaign.public_id})
    text = device.client.get(where).content.decode()
    ours = list(
        Submission.objects.filter(stage=case.stage, faction=case.faction, source="player").order_by(
            "-revision"
        )
    )
    places = [text.index(f"<code data-digest>{row.digest}</code>") for row in ours]
    assert (len(places), places) == (2, sorted(places))
    assert text.count(f"<code data-nonce-used>{ours[0].nonce}</code>") == 1
    assert TITLES[kind] in text
    assert ("To the battle</a>" in text) is (kind != "week")
    assert text.index('<span class="tag">unsealed</span>') > places[0]


@of_any_kind
@on_any_device
@pytest.mark.any_database
def test_draft_with_faults_is_saved_and_never_sealed(kind: str, name: str) -> None:
    case, (device,) = at(kind, name)
    assert device.faults() == 0
    assert device.save(FAULTY) == "ok"
    assert (case.draft(), device.faults()) == (FAULTY, 1)
    device.look()
    assert device.seal(FAULTY) == "faulty"
    assert (case.draft(), case.sealed()) == (FAULTY, [])
    device.look()
    assert device.save(GOOD) == "ok"
    assert (case.draft(), device.faults()) == (GOOD, 0)


@of_any_kind
@on_any_device
def test_closed_stage_accepts_no_save_seal_or_unseal(kind: str, name: str) -> None:
    case, (device, other) = at(kind, name, name)
    assert device.seal(GOOD) == "ok"
    before = case.draft()
    case.close()
    assert device.unseal() == "closed"
    assert case.sealed() == [GOOD]
    other.look() if isinstance(other, Program) else None
    assert other.save(OTHER) == "closed"
    assert other.seal(OTHER) == "closed"
    assert (case.draft(), case.sealed()) == (before, [GOOD])


@of_any_kind
@on_any_device
@pytest.mark.any_database
def test_orders_for_another_stage_change_nothing(kind: str, name: str) -> None:
    case, (device,) = at(kind, name)
    before = case.draft()
    assert device.stale() == ("closed" if name == "page" else "lost")
    assert (case.draft(), case.sealed()) == (before, [])


def once_while(patch: pytest.MonkeyPatch, then: Callable[[], Any]) -> None:
    """Do something just after the next writer's document is checked and before the stage is locked."""

    def atomic() -> Any:
        patch.setattr(envelopes, "transaction", transaction)
        then()
        return transaction.atomic()

    patch.setattr(envelopes, "transaction", SimpleNamespace(atomic=atomic))


@of_any_kind
def test_concurrent_draft_is_not_sealed_unseen(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case, (device,) = at(kind, "api")
    assert device.save(GOOD) == "ok"
    document = case.document()
    row = Draft.objects.get(stage=case.stage, faction=case.faction)
    once_while(
        monkeypatch,
        lambda: draft_save(document=document, payload=case.body(OTHER), version=row.version),
    )
    answer = Program(case).caller.post(f"{case.under}seal/")
    assert (answer.status_code, answer.json()["code"]) == (412, "lost-update")
    assert (case.draft(), case.sealed()) == (OTHER, [])


@of_any_kind
def test_concurrent_save_does_not_change_a_seal(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case, (program, browser) = at(kind, "api", "page")
    before, document = case.draft(), case.document()
    once_while(monkeypatch, lambda: envelope_seal(document=document, payload=case.body(GOOD)))
    assert program.save(OTHER) == "sealed"
    assert (case.draft(), case.sealed()) == (before, [GOOD])
    assert (
        browser.save(OTHER) == "sealed"
    )  # unsealed input is kept beside the seal, and the page says so
    assert (case.draft(), case.sealed()) == (OTHER, [GOOD])


@of_any_kind
def test_unsealing_requires_the_version_that_was_seen(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[kind]()
    document = case.document()
    first = envelope_seal(document=document, payload=case.body(GOOD)).row

    def meanwhile() -> None:
        envelope_unseal(document=document)
        envelope_seal(document=document, payload=case.body(OTHER))

    once_while(monkeypatch, meanwhile)
    with pytest.raises(EditConflict):
        envelope_unseal(document=document, revision=first.revision)
    assert case.sealed() == [OTHER]
    envelope_unseal(document=document)
    with pytest.raises(NothingSealed):
        envelope_unseal(document=document)
    with pytest.raises(EditConflict):
        draft_save(document=document, payload=case.body(GOOD), version=77)


@of_any_kind
@pytest.mark.any_database
def test_draft_is_saved_beside_a_seal(kind: str) -> None:
    case = CASES[kind]()
    document = case.document()
    envelope_seal(document=document, payload=case.body(GOOD))
    version = document.first_version
    with pytest.raises(AlreadySealed):
        draft_save(document=document, payload=case.body(OTHER), version=version)
    draft_save(document=document, payload=case.body(OTHER), version=version, despite_seal=True)
    with pytest.raises(AlreadySealed):
        envelope_seal(document=document, payload=case.body(OTHER))
    assert (case.draft(), case.sealed()) == (OTHER, [GOOD])


KEY = "ember/s1"
NO_KEYS: list[Any] = [[], {}, 3]
ANYTHING: list[Any] = [
    *(
        None,
        5,
        "x",
        [],
        {},
        [[]],
        [None, 5, "a", True],
        {KEY: 5},
        {KEY: []},
        {KEY: {"lost": [{}, 3], "stock": {"a": []}}},
    ),
    *(
        [[KEY, [5]]],
        [[5]],
        [[KEY, [{"weapon": 5, "target": []}]]],
        {KEY: {"status": [], "damage": {}, "lost": 5}},
    ),
    [
        dict.fromkeys(("fleet", "ship", "hex", "tug", "dummy", "into", "budget"), junk_value)
        for junk_value in NO_KEYS
    ],
    [
        {
            "ship": {},
            "ships": 7,
            "hex": [],
            "toward": {},
            "choice": [],
            "path": {},
            "to": [],
            "name": [],
            "decoys": {},
        }
    ],
    [
        {
            "fleet": {},
            "doctrine": [],
            "standing": {},
            "repair": 4,
            "system": [],
            "setting": 5,
            "systems": 8,
            "class": [],
        }
    ],
]
PARTS = {
    "week": (
        "moves",
        "settings",
        "detach",
        "dock",
        "weasels",
        "decide",
        "tow",
        "dummies",
        "refit",
        "deploy",
        "designs",
    ),
    "phase": ("plot", "pursue"),
    "table": ("turns", "ships"),
}


@pytest.mark.any_database
@of_any_kind
def test_pages_show_any_draft_of_a_program(kind: str) -> None:
    case, (program, browser) = at(kind, "api", "page")
    assert isinstance(program, Program)
    assert isinstance(browser, Browser)
    for junk in ANYTHING:
        text = json.dumps(dict.fromkeys(PARTS[kind], junk))
        if kind == "phase":
            text = text.replace(KEY, case.ship)  # type: ignore[attr-defined]
        saved = program.caller.put(case.api, json.loads(text), If_Match="*")
        assert saved.status_code == 200, text
        assert saved.json()["violations"] or junk in ([], {}), text
        assert browser.client.get(browser.url).status_code == 200, text
    assert program.caller.put(case.api, ["no document"], If_Match="*").status_code == 422
    part = "ships" if kind == "table" else PARTS[kind][0]
    answer = program.caller.put(
        case.api, {part: {str(n): 1 for n in range(9000)} if kind != "week" else [{}] * 9000}
    )
    assert answer.status_code == 428
    answer = program.caller.put(
        case.api,
        {part: {str(n): 1 for n in range(9000)} if kind != "week" else [{}] * 9000},
        If_Match="*",
    )
    assert [fault["code"] for fault in answer.json()["violations"]] == ["too-many"]
