"""Who may open each of these pages; everybody else gets the answer for a missing page."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Act, Battle, Campaign, LedgerRow, Stage, Submission
from engine.core import fair
from engine.luck import LuckAccount
from tests.umpire.pages.staffed_war import ALL_ROLES, OUTSIDE, ROLES, StaffedWar, play_to_end
from umpire.pages.acts import HOST_ACTS, UMPIRE_ACTS
from umpire.pages.frame import branch_of
from umpire.pages.urls import urlpatterns
from umpire.services.luck import luck_of

pytestmark = pytest.mark.django_db
UMPIRES = frozenset({"umpire"})
HOSTS = frozenset({"host", "host who plays"})
MEMBERS = frozenset(ROLES)

# Name of an address: who may open it, and a text on it. A new address has to be added here.
TABLES = "umpire-tables"  # all wars of an umpire, so it belongs to no campaign
DOORS: dict[str, tuple[frozenset[str], dict[str, object]]] = {
    "umpire": (UMPIRES, {}),
    "umpire-map": (UMPIRES, {}),
    "umpire-reports": (UMPIRES, {}),
    "umpire-stages": (UMPIRES, {}),
    "umpire-stage": (UMPIRES, {"ordinal": 1}),
    "umpire-battles": (UMPIRES, {}),
    "umpire-battle": (UMPIRES, {"public_id": "battle"}),
    "umpire-replay": (UMPIRES, {"public_id": "battle"}),
    "umpire-battle-result": (UMPIRES, {"public_id": "battle"}),
    "umpire-faction": (UMPIRES, {"key": "ember"}),
    "umpire-fleets": (UMPIRES, {}),
    "umpire-ships": (UMPIRES, {}),
    "umpire-events": (UMPIRES, {}),
    "umpire-rulings": (UMPIRES, {}),
    "umpire-checklist": (UMPIRES, {}),
    "umpire-time-line": (UMPIRES, {}),
    "umpire-week-pdf": (UMPIRES, {"week": 1}),
    "umpire-opened": (UMPIRES, {}),
    "umpire-notes": (UMPIRES, {}),
    "umpire-ledger": (UMPIRES, {}),
    "umpire-act": (UMPIRES, {"verb": "extend"}),
    "host": (HOSTS, {}),
    "host-act": (HOSTS, {"verb": "extend"}),
    "rollback": (MEMBERS, {}),
    "fork": (MEMBERS, {}),
    "public": (MEMBERS, {}),
    "ledger": (MEMBERS, {}),
    "check": (MEMBERS, {}),
    "own-archive": (frozenset({"player", "staff", "host who plays"}), {}),
    "story": (frozenset(), {}),
    "story-film": (frozenset(), {}),
    "war-result": (frozenset(), {}),
    "moments": (frozenset({"player", "staff", "host who plays"}), {}),
    "moment-new": (frozenset(), {"battle": "battle"}),
    "story-archive": (frozenset(), {}),
    "story-battle": (frozenset(), {"public_id": "battle"}),
    "story-replay": (frozenset(), {"public_id": "battle"}),
    "story-umpires": (frozenset(), {}),
    "story-luck": (frozenset(), {}),
}


# tests/umpire/pages/test_gallery.py
FOR_EVERYBODY = {"gallery", "gallery-war", "gallery-film", "gallery-battle", "gallery-newest"}
OF_FACTIONS = {"battle-result"}  # tests/access/test_matrix.py
FOR_EVERYBODY |= {"gallery-moment", "gallery-moment-picture"}  # tests/umpire/pages/test_moments.py
OF_NO_WAR = {"balance", "umpire-many"}  # tests/umpire/pages/test_balance.py, test_tables.py
ELSEWHERE = {"umpire-battle-result"}  # this war's battle is over, so no result is awaited


def address(desk: StaffedWar, name: str) -> str:
    more = dict(DOORS[name][1])
    for part in {"public_id", "battle"} & set(more):
        more[part] = desk.battle
    return desk.url(name, **more)


def test_every_address_has_an_access_rule() -> None:
    elsewhere = {TABLES, *FOR_EVERYBODY, *OF_FACTIONS, *OF_NO_WAR}
    assert {pattern.name for pattern in urlpatterns} == {*DOORS, *elsewhere}  # type: ignore[union-attr]


def test_who_opens_what(desk: StaffedWar) -> None:
    for role in ALL_ROLES:
        client = desk.client(role)
        for name, (allowed, _) in DOORS.items():
            opened = 302 if name in ELSEWHERE else 200
            expected = opened if role in allowed else 404
            assert client.get(address(desk, name)).status_code == expected, (role, name)


def test_list_of_all_wars_is_for_umpires_only(desk: StaffedWar) -> None:
    for role in ALL_ROLES:
        answer = desk.client(role).get(reverse(TABLES))
        assert answer.status_code == (200 if role in {"umpire", "umpire elsewhere"} else 404), role
        if role == "umpire elsewhere":
            assert str(desk.campaign.public_id) not in answer.content.decode()
    assert Client().get(reverse(TABLES)).headers["Location"].startswith("/accounts/login/")


def test_gallery_is_public_and_unpublished_wars_are_hidden(
    desk: StaffedWar,
) -> None:
    for role in (*ALL_ROLES, "nobody"):
        client = desk.client(role)
        assert client.get(reverse("gallery")).status_code == 200
        assert client.get(reverse("gallery-war", args=[desk.campaign.public_id])).status_code == 404


def test_missing_pages_never_redirect_to_the_login(desk: StaffedWar) -> None:
    client = Client()
    for name in DOORS:
        there = client.get(address(desk, name))
        response_missing = client.get(
            address(desk, name).replace(str(desk.campaign.public_id), str(uuid.UUID(int=7)))
        )
        assert (there.status_code, response_missing.status_code) == (302, 302)
        assert there.headers["Location"].startswith("/accounts/login/")


def test_hidden_and_missing_pages_look_the_same(desk: StaffedWar) -> None:
    for role in (*OUTSIDE, "player", "observer"):
        client = desk.client(role)
        missing = client.get(f"/c/{uuid.UUID(int=7)}/umpire/")
        for name, (allowed, _) in DOORS.items():
            if role not in allowed:
                hidden = client.get(address(desk, name))
                assert (hidden.status_code, hidden.content) == (
                    missing.status_code,
                    missing.content,
                ), (
                    role,
                    name,
                )
                assert hidden.headers.get("ETag") is None


def _secrets_of(campaign: Campaign) -> set[str]:
    """Return the seed, the keys under it, and the secret of outside ids."""
    secrets = {campaign.seed, campaign.id_secret}
    rows = LedgerRow.objects.filter(branch__campaign=campaign).select_related("stage", "branch")
    battles = Battle.objects.filter(branch__campaign=campaign).values_list("key", flat=True)
    for row in rows:
        keys = fair.outcome_keys(campaign.seed, campaign.dice_key, row.branch.number, row.seq)
        secrets |= {keys.blind, keys.place}
        stage = fair.stage_names(
            campaign.dice_key, row.stage.ordinal, row.stage.kind, row.body["past"]
        )
        secrets.add(fair.key_of(campaign.seed, [stage]).hex())
        secrets.add(fair.key_of(campaign.seed, [stage, ["week"]]).hex())
        for key in battles:
            secrets.add(fair.key_of(campaign.seed, [stage, ["battle", key]]).hex())
    return secrets


def test_no_page_has_a_key_of_dice_or_the_orders_of_others_before_the_end(
    desk: StaffedWar,
) -> None:
    secrets = _secrets_of(desk.campaign)
    entries = Submission.objects.filter(stage__branch__campaign=desk.campaign)
    nonces = {key: set[str]() for key in ("ember", "frost")}
    for faction, nonce in entries.values_list("faction__key", "nonce"):
        nonces[faction].add(nonce)
    unread = {
        "umpire": set[str](),
        "host": nonces["ember"] | nonces["frost"],
        "player": nonces["ember"],
        "observer": nonces["ember"] | nonces["frost"],
    }
    war = f"/c/{desk.campaign.public_id}/"
    api = f"/api/campaigns/{desk.campaign.public_id}/"
    paths = [
        *(address(desk, name) for name in DOORS),
        *(war + page for page in ("", "map/", "reports/", "receipts/", "receipts.txt", "orders/")),
        *(api + page for page in ("", "view/", "stages/", "receipts/", "ledger/", "archive/")),
        *(f"{api}ledger/{row}/proofs/" for row in range(3)),
    ]
    opened = 0
    for role, hidden in unread.items():
        client = desk.client(role)
        for path in paths:
            answer = client.get(path)
            body = answer.content.decode(errors="replace")
            opened += answer.status_code == 200
            assert not [secret for secret in secrets | hidden if secret in body], (role, path)
    assert opened > 60


def test_story_is_open_to_members_after_the_war(desk: StaffedWar) -> None:
    play_to_end(desk)
    for role in ALL_ROLES:
        client = desk.client(role)
        for name in ("war-result", *(name for name in DOORS if name.startswith("story"))):
            assert client.get(address(desk, name)).status_code == (
                200 if role in MEMBERS else 404
            ), (role, name)


def test_luck_account_names_what_dice_did(
    desk: StaffedWar, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_to_end(desk)
    page = desk.client("observer").get(address(desk, "story-luck")).content.decode()
    assert "were to be expected" in page
    assert "100 wars" in page
    account = luck_of(branch_of(desk.campaign))
    lines = [line for line in account.lines if not line.battle]
    assert page.count("standard deviation") == len(account.lines)
    assert sum(line.dice for line in lines) > 0
    monkeypatch.setattr("umpire.pages.luck.luck_of", lambda _: LuckAccount((), {"fire": 3}))
    page = desk.client("observer").get(address(desk, "story-luck")).content.decode()
    assert "No dice are counted." in page
    assert "Left out: 3 events" in page


def test_archive_comes_in_a_page_that_checks_it(desk: StaffedWar) -> None:
    play_to_end(desk)
    answer = desk.client("player").get(address(desk, "story-archive") + "?page")
    assert answer.headers["Content-Disposition"].endswith('.war.html"')
    assert b"verifyArchive" in answer.content


def test_nobody_else_acts(desk: StaffedWar) -> None:
    before = Stage.objects.get(pk=desk.stage.pk)
    payload = {"stage": desk.stage.ordinal, "hours": 24, "faction": "frost", "user": "player"}
    for role in ("player", "staff", "observer", *OUTSIDE):
        client = desk.client(role)
        for door in ("umpire-act", "host-act"):
            for verb in UMPIRE_ACTS:
                assert client.post(desk.url(door, verb=verb), payload).status_code == 404, (
                    role,
                    verb,
                )
    after = Stage.objects.get(pk=desk.stage.pk)
    assert (after.status, after.closes) == (before.status, before.closes)
    assert not Act.objects.exists()


def test_host_is_no_umpire_and_the_reverse(desk: StaffedWar) -> None:
    host, umpire = desk.client("host"), desk.client("umpire")
    for verb in HOST_ACTS:
        assert host.get(desk.url("host-act", verb=verb)).status_code == 200
        assert host.get(desk.url("umpire-act", verb=verb)).status_code == 404
        assert umpire.get(desk.url("host-act", verb=verb)).status_code == 404
    assert host.get(desk.url("host-act", verb="password-link") + "?user=player").status_code == 404
    assert (
        umpire.get(desk.url("umpire-act", verb="password-link") + "?user=player").status_code == 200
    )
    assert umpire.get(desk.url("umpire-act", verb="nonsense")).status_code == 404


def test_pages_are_not_cached(desk: StaffedWar) -> None:
    for role in ("umpire", "host", "player"):
        client = desk.client(role)
        for name, (allowed, _) in DOORS.items():
            if role in allowed:
                answer = client.get(address(desk, name))
                assert "no-store" in answer.headers["Cache-Control"], name
                assert "ETag" not in answer.headers


def test_pages_are_read_and_actions_posted(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    for name, (allowed, _) in DOORS.items():
        if "umpire" in allowed and name not in (
            *("umpire-act", "umpire-events", "umpire-map", "umpire-notes", "rollback"),
            *("fork", "check"),
            "umpire-rulings",
            *ELSEWHERE,
        ):
            assert client.post(address(desk, name)).status_code == 405, name


def test_missing_objects_are_not_found(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    for name, query in (
        ("umpire-map", "?seq=99"),
        ("umpire-map", "?seq=-1"),
        ("umpire-map", "?seq=%C2%B2"),
        ("umpire-map", "?seq=99999999999999999999"),
        ("umpire-reports", "?week=x"),
        ("umpire-replay", "?turn=999"),
        ("umpire-replay", "?as=nobody"),
        ("umpire-faction", "?seq=99"),
        ("umpire-faction", "?fleet=frost/f1"),
    ):
        assert client.get(address(desk, name) + query).status_code == 404, (name, query)


def test_unknown_numbers_and_names(desk: StaffedWar) -> None:
    client = desk.client("umpire")
    for path in (
        desk.url("umpire-stage", ordinal=99999999999999999999),
        desk.url("umpire-stage", ordinal=77),
        desk.url("umpire-faction", key="nobody"),
        desk.url("umpire-battle", public_id=uuid.UUID(int=7)),
    ):
        assert client.get(path).status_code == 404


def test_host_page_after_the_war_has_no_stage_to_seal(desk: StaffedWar) -> None:
    before = desk.client("host").get(desk.url("host")).content.decode()
    assert "You do not see what the fleets do." in before
    play_to_end(desk)
    after = desk.client("host").get(desk.url("host")).content.decode()
    assert "the war is over" in after
    assert "You do not see what the fleets do." not in after
    assert "not sealed" not in after


def test_leaving_tells_what_ends_for_each_role(desk: StaffedWar) -> None:
    texts = {}
    for role in ("umpire", "player"):
        texts[role] = desk.client(role).get(desk.url("lobby"), follow=True).content.decode()
    assert "You are then no longer an umpire of this campaign." in texts["umpire"]
    assert "last player of your side" not in texts["umpire"]
    assert "If you are the last player of your side" in texts["player"]


def test_admirals_are_offered_in_the_language_of_the_page(desk: StaffedWar) -> None:
    client = desk.client("host")
    client.cookies["django_language"] = "de"
    where = desk.url("host-act", verb="to-computer")
    offered = client.get(where, HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert re.search(r'value="steady"\s*>\s*besonnen', offered)
