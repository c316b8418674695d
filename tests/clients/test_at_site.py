"""Playing at the command line, against the site in this process: what comes too late, what is lost, what is said."""

from __future__ import annotations

import json

import pytest
from blindjump.errors import NOT_YET, REFUSED

from tests.campaign.api.calls import War, war_at
from tests.campaign.api.test_knowledge import after_a_battle
from tests.clients.at_site import Typist, typist
from tests.umpire.services.wars import resolved

__all__ = ["typist"]  # a fixture

pytestmark = pytest.mark.django_db


@pytest.fixture
def war(typist: Typist) -> War:
    war = war_at("deploy")
    typist.is_(war.ember.token)
    return war


def test_a_deployment_sealed_too_late_is_told_when_its_stage_closed_and_the_draft_stays(
    typist: Typist, war: War
) -> None:
    deployment = json.dumps(typist.json("orders", "default")["orders"])
    resolved(war.stage)
    fleet = typist.json("fleets")["fleets"][0]["key"]
    typist.run("orders", "set", "-", piped=f"standing {fleet} fight\n")
    before = typist.json("orders", "show")
    for act in ("check", "set", "seal"):
        said = typist.run("orders", act, "-", piped=deployment, status=REFUSED)
        assert said.startswith("blindjump: the deployment closed at 2")
        assert said.endswith("; now the stage 'orders' of week 1 is open (409 stage-closed)\n")
    told = typist.json("orders", "seal", "-", piped=deployment, status=REFUSED)
    assert (told["code"], told["closed"]["kind"], told["now"]["kind"]) == ("stage-closed", "deploy", "orders")
    assert typist.json("orders", "show") == before
    said = typist.run("orders", "seal", "--week", "0", status=REFUSED)
    assert "these orders are for week 0, and it is week 1, orders (open)" in said
    assert typist.json("orders", "show") == before
    assert typist.json("orders", "seal", "--week", "1")["orders"] == before["orders"]


def test_unsealing_says_whether_anything_was_sealed(typist: Typist, war: War) -> None:
    assert "Nothing was sealed, and nothing has changed: week 0, deploy (open)" in typist.run("orders", "unseal")
    typist.run("orders", "seal", "-", piped=json.dumps(typist.json("orders", "default")["orders"]))
    assert "Taken back, and nothing is sealed now: week 0, deploy (open)" in typist.run("orders", "unseal")
    assert typist.json("orders", "unseal")["sealed"] is None


def test_waiting_in_vain_ends_with_a_status_of_its_own(typist: Typist, war: War) -> None:
    assert typist.json("wait", "--at-most", "0")["wants"]["due"]
    typist.run("orders", "seal", "-", piped=json.dumps(typist.json("orders", "default")["orders"]))
    assert "nothing was wanted of you within 0 seconds" in typist.run("wait", "--at-most", "0", status=NOT_YET)


def test_a_report_is_told_in_sentences_place_by_place(typist: Typist) -> None:
    war = after_a_battle()
    typist.is_(war.ember.token)
    said = typist.run("report", "--week", "1")
    assert said.count("week 1, battles\nFrost (0804)\n  The battle ended after ") == 1
    assert "\nFrost (0804)\n  You chose to fight; Frost Assembly chose to stand off. There will be a battle.\n" in said
    assert said.count("The battle ended after") == said.count("week 1, orders") == 1
    assert "You lost the battle" not in said, "the stage's own report tells of it"
    assert "{" not in said
    told = typist.json("report", "--week", "1")["reports"]
    assert {line["code"] for one in told for line in one["lines"]} >= {"decided", "battle", "holding"}
    assert "nothing was reported of week 9" in typist.run("report", "--week", "9")
