"""Events that umpires write: sealed, delivered when their stage opens, and secret until the end."""

from __future__ import annotations

from typing import Any

import pytest

from campaign.access import Viewer, viewer_of
from campaign.errors import NotFound
from campaign.models import Act, Campaign, Faction, LedgerRow, Report, Stage, View
from campaign.models.ledger import UMPIRE_EVENT
from campaign.rules.codec import from_document
from campaign.rules.view import View as FactionView
from campaign.services.campaigns import membership_add
from campaign.web.gazette_issues import OWN, PUBLIC, issue_for
from engine.core.canonical import digest
from engine.core.errors import RuleViolations
from tests.campaign.seats.people import person
from tests.umpire.services.wars import campaign_at, resolve_stage
from umpire.adjudication.umpire_events import UmpireEvent
from umpire.services.ledger_checks import ledger_faults
from umpire.services.umpire_events import umpire_event_write, written_events

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
TEXT = "Convoy of {three} at <Frost>"


def umpired_war(kind: str = "orders") -> tuple[Viewer, Stage]:
    """Return the umpire of a war in its first stage of a kind, and the stage."""
    campaign, stage = campaign_at(kind)
    user = person("ulla")
    membership_add(campaign=campaign, user=user, role="umpire")
    return viewer_of(user, campaign.public_id), stage


def view_of(campaign: Campaign, faction: str) -> FactionView:
    """Return what a faction knows after the newest stage."""
    row = View.objects.filter(branch__campaign=campaign, faction__key=faction).latest("seq")
    view: FactionView = from_document(FactionView, row.body)
    return view


def report(kind: str = "report", **changes: Any) -> UmpireEvent:
    """Return an event for Ember in the decisions of week 1."""
    values = {"kind": kind, "factions": ("ember",), "week": 1, "stage": "decisions", "text": TEXT}
    return UmpireEvent(**{**values, **changes})


def test_report_is_sealed_delivered_and_covered_by_the_row() -> None:
    umpire, stage = umpired_war()
    act = umpire_event_write(viewer=umpire, event=report())
    assert (act.verb, act.stage_id, act.sha256) == (UMPIRE_EVENT, stage.pk, digest(act.body))
    assert not written_events(umpire, (1, "orders"))[0].is_delivered
    resolve_stage(stage)
    (notice,) = [n for n in view_of(umpire.campaign, "ember").notices if n.code == "intelligence"]
    assert dict(notice.facts) == {"text": TEXT, "unconfirmed": 0}
    bodies = Report.objects.filter(
        branch__campaign=umpire.campaign, kind="stage", faction__key="ember"
    )
    assert TEXT in str(bodies.latest("seq").body)
    assert written_events(umpire, (1, "decisions"))[0].is_delivered
    assert ledger_faults(branch=stage.branch) == ()


def test_rumour_looks_like_a_report_unless_it_is_marked() -> None:
    facts = []
    for kind, unconfirmed in (("report", False), ("rumour", False), ("rumour", True)):
        umpire, stage = umpired_war()
        umpire_event_write(viewer=umpire, event=report(kind, unconfirmed=unconfirmed))
        resolve_stage(stage)
        view = view_of(umpire.campaign, "ember")
        facts.append([n.facts for n in view.notices if n.code == "intelligence"])
        umpire.user.delete()
    assert facts[0] == facts[1] != facts[2]


def test_contact_appears_as_reported_and_delay_is_kept() -> None:
    umpire, stage = umpired_war()
    contact = report(
        "contact", text="", stage="battles", hex="0804", power="frost", counts=(("cruiser", 2),)
    )
    umpire_event_write(viewer=umpire, event=contact)
    after = resolve_stage(stage).next
    assert after is not None
    assert not [s for s in view_of(umpire.campaign, "ember").sightings if s.source == "report"]
    resolve_stage(after)
    (sighting,) = [s for s in view_of(umpire.campaign, "ember").sightings if s.source == "report"]
    assert (sighting.hex, sighting.faction, sighting.counts) == ("0804", "frost", (("cruiser", 2),))


def test_reinforcements_bulletin_and_press_item_arrive_with_the_week() -> None:
    umpire, stage = umpired_war("battles")
    ship_class = view_of(umpire.campaign, "ember").ships[0].cls
    before = len(view_of(umpire.campaign, "ember").ships)
    for event in (
        report(
            "reinforcements",
            week=2,
            stage="orders",
            hex="0504",
            name="Relief",
            ships=((ship_class, 2),),
        ),
        report("bulletin", factions=("ember", "frost"), week=2, stage="orders"),
        report("press", week=2, stage="orders", headline="Cheers {at} home"),
    ):
        umpire_event_write(viewer=umpire, event=event)
    resolve_stage(stage)
    view = view_of(umpire.campaign, "ember")
    assert len(view.ships) == before + 2
    assert [fleet.hex for fleet in view.fleets if fleet.name == "Relief"] == ["0504"]
    assert {"bulletin", "press-item", "reinforced"} <= {notice.code for notice in view.notices}
    reader = Viewer(
        umpire.campaign,
        umpire.user,
        Faction.objects.get(campaign=umpire.campaign, key="ember"),
        frozenset({"player"}),
    )
    issue, _ = issue_for(reader, OWN, 1)
    assert issue.stories[0].headline == "Cheers {at} home"
    public, _ = issue_for(umpire, PUBLIC, 1)
    assert TEXT in [story.text[0] for story in public.stories if story.headline == "Bulletin"]
    assert "Cheers {at} home" not in [story.headline for story in public.stories]  # for Ember alone
    assert ledger_faults(branch=stage.branch) == ()


def test_third_faction_learns_nothing() -> None:
    views, rows = [], []
    for writes in (False, True):
        umpire, stage = umpired_war()
        if writes:
            umpire_event_write(viewer=umpire, event=report())
            umpire_event_write(
                viewer=umpire,
                event=report("contact", hex="0804", power="frost", counts=(("cruiser", 2),)),
            )
        resolve_stage(stage)
        views.append(view_of(umpire.campaign, "frost"))
        rows.append(sorted(LedgerRow.objects.latest("pk").body))
        umpire.user.delete()
    assert views[0] == views[1]
    assert rows[0] == rows[1]


def test_only_umpires_write_and_all_faults_are_named() -> None:
    umpire, _ = umpired_war()
    host = person("harry")
    membership_add(campaign=umpire.campaign, user=host, role="host")
    with pytest.raises(NotFound):
        umpire_event_write(viewer=viewer_of(host, umpire.campaign.public_id), event=report())
    event = report("contact", factions=("ember", "mars"), week=1, stage="orders", power="ember")
    with pytest.raises(RuleViolations) as error:
        umpire_event_write(viewer=umpire, event=event)
    assert {fault.code for fault in error.value.violations} == {
        "unknown-faction",
        "unknown-hex",
        "own-ships",
        "bad-number",
        "bad-time",
    }
    assert not Act.objects.exists()
