"""The rules of a war on its pages: which they are, and what newer ones would change."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest

from campaign.models import Act, Stage
from campaign.selectors.rules import rules_now
from engine.core.versions import NEWEST
from tests.rulesets import write_ruleset
from tests.two_versions import (
    CHANGES,
    CONTINUUM_CHANGE,
    EVERYWHERE,
    NO_FTL_CHANGE,
    OLD,
    UNPLAYED,
    two_versions,
)
from tests.umpire.pages.staffed_war import StaffedWar
from tests.umpire.services.wars import resolve_stage

pytestmark = pytest.mark.django_db
EVERYWHERE_HEADING = "Changed in every war since this one began"

CONCERNED = [CONTINUUM_CHANGE]  # what concerns a war of Continuum without options


@pytest.fixture(autouse=True)
def _older_rules() -> Iterator[None]:
    with two_versions():
        yield


def set_rules_version(
    desk: StaffedWar, version: str, edition: str = "continuum", options: tuple[str, ...] = ()
) -> None:
    """Set the version as if an earlier release had opened the war."""
    ruleset = desk.campaign.ruleset | {
        "rules_version": version,
        "edition": edition,
        "options": list(options),
    }
    write_ruleset(desk.campaign, ruleset)
    desk.campaign.refresh_from_db()


def text(desk: StaffedWar, role: str, name: str, **more: object) -> str:
    """Return the words of a page."""
    return words_of(desk.client(role).get(desk.url(name, **more)))


def words_of(answer: Any) -> str:
    assert answer.status_code == 200
    page = answer.content.decode().replace("</td>", " </td>")
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


def test_war_with_newest_rules_says_so(desk: StaffedWar) -> None:
    for role, name in (("player", "public"), ("host", "host"), ("umpire", "umpire")):
        words = text(desk, role, name)
        assert f"This war has used rules version {NEWEST} from the start." in words
        assert "would change" not in words
        assert "Switch to another version" not in words
        assert EVERYWHERE_HEADING not in words
    assert "There is no newer version." in text(desk, "host", "host-act", verb="rules")


def test_changes_that_concern_the_war_are_public(desk: StaffedWar) -> None:
    set_rules_version(desk, OLD)
    for role in ("player", "observer", "staff"):
        words = text(desk, role, "public")
        assert f"This war has used rules version {OLD} from the start." in words
        assert f"Version {NEWEST} would change this:" in words
        for change in CHANGES:
            assert (change.words in words) == (change in CONCERNED)
        assert EVERYWHERE_HEADING in words
        assert f"With {NEWEST}: {EVERYWHERE}" in words
        assert "Switch to another version" not in words
    set_rules_version(desk, OLD, "second-edition")
    assert f"Version {NEWEST} would change nothing in this war." in text(desk, "player", "public")
    set_rules_version(desk, OLD, "second-edition", ("no-ftl",))
    assert NO_FTL_CHANGE.words in text(desk, "player", "public")


@pytest.mark.parametrize("role", ["host", "umpire", "host who plays"])
def test_confirmation_shows_the_changes_and_acts_once(desk: StaffedWar, role: str) -> None:
    set_rules_version(desk, OLD)
    door, home = ("umpire-act", "umpire") if role == "umpire" else ("host-act", "host")
    words = text(desk, role, door, verb="rules")
    assert "From the start of week 3" in words
    assert CONTINUUM_CHANGE.words in words
    assert not Act.objects.exists()
    client = desk.client(role)
    for _ in range(2):
        form = {"stage": desk.stage.ordinal, "rules": NEWEST, "reason": "all agreed"}
        answer = client.post(desk.url(door, verb="rules"), form)
        assert (answer.status_code, answer.headers["Location"]) == (302, desk.url(home))
    act = Act.objects.get()
    assert (act.verb, act.body["facts"]) == ("rules", {"from": OLD, "to": NEWEST, "week": 3})
    name = desk.people[role].get_username()
    notice = f"From the start of week 3 on the war is played by rules version {NEWEST}."
    assert notice in words_of(client.get(desk.url(home)))
    for reader, page in (("player", "public"), (role, home)):
        coming = f"From the start of week 3, rules version {NEWEST} applies (switched by {name})."
        assert coming in text(desk, reader, page)
    assert f"Version {NEWEST} changes this:" in text(desk, "player", "public")
    assert f"Keep version {OLD} and cancel the switch" in text(desk, role, door, verb="rules")
    assert f"changed the version of the rules: from {OLD} to {NEWEST}, starting in week 3" in text(
        desk, role, home
    )


def test_record_and_ledger_show_the_start_of_new_rules(desk: StaffedWar) -> None:
    set_rules_version(desk, OLD)
    desk.client("host").post(
        desk.url("host-act", verb="rules"), {"stage": desk.stage.ordinal, "rules": NEWEST}
    )
    stage: Stage | None = desk.stage
    while stage is not None and stage.week < 3:
        stage = resolve_stage(stage).next
    assert stage is not None
    resolve_stage(stage)
    words = text(desk, "player", "public")
    assert f"This war began with rules version {OLD} and now uses version {NEWEST}." in words
    assert f"Week 3: from {OLD} to {NEWEST}, switched by host on" in words
    rows = text(desk, "player", "ledger")
    assert f"week 2, battles {OLD} (release {NEWEST})" in rows
    assert f"week 3, orders {NEWEST} " in rows
    assert "release" not in rows.partition("week 3, orders")[2][:40]


def test_invalid_choice_is_reported_and_nothing_written(desk: StaffedWar) -> None:
    set_rules_version(desk, OLD)
    answer = desk.client("host").post(
        desk.url("host-act", verb="rules"), {"stage": desk.stage.ordinal, "rules": "9"}
    )
    assert answer.status_code == 422
    assert f"0.9, {NEWEST}" in answer.content.decode()
    assert not Act.objects.exists()


def test_record_mentions_unplayable_rules(desk: StaffedWar) -> None:
    set_rules_version(desk, UNPLAYED)
    words = text(desk, "player", "public")
    assert f"This war uses rules version {OLD}. Its record names version {UNPLAYED}" in words
    assert rules_now(desk.campaign).version_in(2) == OLD


def test_api_shows_the_same(desk: StaffedWar) -> None:
    set_rules_version(desk, OLD)
    base = f"/api/campaigns/{desk.campaign.public_id}/"
    player, host = desk.client("player"), desk.client("host")
    sheet = player.get(base + "rules/").json()
    assert (sheet["first_version"], sheet["now"], sheet["newest"], sheet["coming"]) == (
        OLD,
        OLD,
        NEWEST,
        None,
    )
    assert [change["words"] for change in sheet["changes"]] == [
        change.words for change in CONCERNED
    ]
    assert sheet["everywhere"][0]["version"] == NEWEST
    assert player.get(base).json()["rules_version"] == OLD
    payload = {"stage": desk.stage.ordinal, "version": NEWEST}
    assert (
        player.post(base + "umpire/rules/", payload, content_type="application/json").status_code
        == 404
    )
    for _ in range(2):
        answer = host.post(base + "umpire/rules/", payload, content_type="application/json")
        assert answer.status_code == 200
        assert (answer.json()["coming"]["week"], answer.json()["coming"]["by"]) == (3, "host")
    assert Act.objects.count() == 1
    wrong = host.post(
        base + "umpire/rules/", payload | {"version": "9"}, content_type="application/json"
    )
    assert (wrong.status_code, wrong.json()["violations"][0]["where"]) == (422, "version")
    late = host.post(
        base + "umpire/rules/", payload | {"stage": 0}, content_type="application/json"
    )
    assert late.status_code == 409
