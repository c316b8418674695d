"""A war of several timelines reads like the same war played in one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection

from campaign import models
from campaign.kinds import StageStatus
from campaign.lineage import WHOLE, branch_create, of_line, played_on_line
from tests.access import site_routes
from tests.access.client_requests import (
    Answer,
    Request,
    answers,
    describe_difference,
    freeze_randomness,
    roll_back,
)
from tests.access.histories import LONG_SEED, build_history
from tests.access.private_rows import CAMPAIGN, NOW
from tests.access.route_requests import ROUTE_REQUESTS
from tests.access.shared_results import share_results
from tests.access.stored_wars import StoredWar, store
from tests.growth import work_of
from tests.sources import nodes_of, source_trees

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

CUTS = (2, 5)  # the snapshots at which the second and the third timeline begin
ABOUT_TIMELINES = ("rollback", "timeline", "timeline-map", "ledger", "own-archive")
OF_EACH_ROUTE = 2  # requests: the first ask for the player's own things
# Rows by the number of their snapshot, and rows that are played from it.
WRITTEN = ("snapshot", "view")
PLAYED = {"ledgerrow": "seq", "battle": "seq"}
SHEETS = ("phase", "table", "table-check")
# The number of the branch is part of receipts and of a head's origin, and of what signs them.
NUMBERED = re.compile(
    rb"(?:/war/|&#x2F;war&#x2F;)[^\"]*|[1-3]/[\w/-]+/(?=0/)[^<\"]*|"
    rb"\xe2\x80\x94 [^<\"]*|[0-9A-Za-z+/]{86,}=*"
)
FILTERS = {"filter", "exclude", "get", "Q"}
BRANCH = re.compile(r"(?:.*__)?branch(?:_id|__in|_id__in|__headed.*)?")
# Modules that write, or read what is of a single branch: the stage that is open or closed, with its
# battles, plans and messages, and the projection.
OF_ONE_BRANCH = {
    "campaign/selectors/beacon.py",
    "campaign/selectors/clock.py",
    "campaign/selectors/due.py",
    "campaign/selectors/entropy.py",
    "campaign/selectors/envelopes.py",
    "campaign/selectors/finished.py",
    "campaign/selectors/next_action.py",
    "campaign/selectors/proofs.py",
    "campaign/selectors/truth.py",
    "campaign/selectors/umpired.py",
    "campaign/services/acts.py",
    "campaign/services/clock.py",
    "campaign/services/messages.py",
    "campaign/services/outbox.py",
    "campaign/services/plans.py",
    "campaign/services/preferences.py",
    "campaign/sight/reports.py",
    "campaign/store/publication.py",
    "umpire/services/archives.py",
    "umpire/services/attention.py",
    "umpire/services/battle_phases.py",
    "umpire/services/battle_sheets.py",
    "umpire/services/beacon_waivers.py",
    "umpire/services/checking.py",
    "umpire/services/computing.py",
    "umpire/services/faction_archives.py",
    "umpire/services/history.py",
    "umpire/services/ledger.py",
    "umpire/services/ledger_checks.py",
    "umpire/services/online_set_ups.py",
    "umpire/services/phase_clock.py",
    "umpire/services/projection.py",
    "umpire/services/quarantine.py",
    "umpire/services/rebuilding.py",
    "umpire/services/records.py",
    "umpire/services/reveal.py",
    "umpire/services/slices.py",
    "umpire/services/stage_holds.py",
    "umpire/services/stages.py",
    "umpire/services/tables.py",
    "umpire/services/ticks.py",
    "umpire/services/tournaments.py",
    "umpire/services/wars.py",
}


def test_reads_by_branch_go_through_lineage() -> None:
    found = set()
    for name, tree in source_trees().items():
        for node in nodes_of(tree):
            if isinstance(node, ast.Call) and _filters_by_branch(node):
                found.add(name)
    found -= {name for name in found if "/migrations/" in name}
    assert sorted(found - OF_ONE_BRANCH - {"campaign/lineage.py"}) == [], (
        "read along the line of a branch with of_line or played_on_line of campaign/lineage.py"
    )
    assert sorted(OF_ONE_BRANCH - found) == [], "take these off the list"


def _filters_by_branch(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in FILTERS and any(
        keyword.arg is not None and BRANCH.fullmatch(keyword.arg) for keyword in call.keywords
    )


def test_war_of_three_timelines_reads_like_one() -> None:
    history = build_history(LONG_SEED)
    guesses = site_routes.guesses_of(history)
    asks = []
    for route in site_routes.all_routes():
        if "<uuid:c>" in route.route and route.name not in ABOUT_TIMELINES:
            requests = site_routes.requests_for(
                route, ROUTE_REQUESTS[route.route], guesses, CAMPAIGN
            )
            asks += [ask for ask in requests if ask.method.lower() == "get"][:OF_EACH_ROUTE]
    with freeze_randomness(), share_results(), roll_back():
        war = store(history, 0)
        in_one = answers(war, "viewer", asks)
        with _three_timelines(war):
            in_three = answers(war, "viewer", asks)
    found = _differences(asks, in_one, in_three)
    assert found == [], "\n".join(found)


def test_three_timelines_cost_little_more_work_than_one() -> None:
    history = build_history(LONG_SEED)
    pages = [Request("get", f"/c/{CAMPAIGN}/{page}") for page in ("", "map/", "reports/")]
    receipts = [Request("get", f"/c/{CAMPAIGN}/receipts/")]  # also those of abandoned timelines
    with freeze_randomness(), share_results(), roll_back():
        war = store(history, 0)
        answers(war, "viewer", [*pages, *receipts])
        in_one = work_of(lambda: answers(war, "viewer", pages))
        receipts_of_one = work_of(lambda: answers(war, "viewer", receipts))
        with _three_timelines(war):
            in_three = work_of(lambda: answers(war, "viewer", pages))
            receipts_of_three = work_of(lambda: answers(war, "viewer", receipts))
    assert in_three.queries.total() == in_one.queries.total()
    assert in_three.steps.total() <= 1.1 * in_one.steps.total()
    more = receipts_of_three.queries - receipts_of_one.queries
    assert set(more.values()) == {1}, "a query for each abandoned timeline"


def test_line_is_read_up_to_where_it_leaves_its_ancestors() -> None:
    history = build_history(LONG_SEED)
    with roll_back():
        war = store(history, 0)
        branch = war.campaign.head_branch
        assert branch is not None
        count = branch.snapshots.count()
        parent = branch.snapshots.get(seq=2)
        other = branch_create(campaign=war.campaign, parent=parent, reason="a test")
        last = branch_create(campaign=war.campaign, parent=parent, reason="a test")
        rows = models.Lineage.objects.filter(branch=last).order_by("distance")
        assert list(rows.values_list("ancestor", "upto")) == [(last.pk, WHOLE), (branch.pk, 2)]
        for of_branch, snapshots, stages in ((branch, count, count), (other, 3, 2), (last, 3, 2)):
            assert of_line(models.Snapshot.objects.all(), of_branch.pk).count() == snapshots
            weekly = models.Stage.objects.filter(battle__isnull=True)
            assert played_on_line(weekly, of_branch.pk).count() in (stages, stages - 1)


@contextmanager
def _three_timelines(war: StoredWar) -> Iterator[None]:
    """Divide a war of one timeline between three, each with an abandoned rest, for a while."""
    with roll_back():
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{name}"')
        first = war.campaign.head_branch
        assert first is not None
        head = first
        for cut in CUTS:
            head = _divide(war, head, cut)
        models.Campaign.objects.filter(pk=war.campaign.pk).update(head_branch=head)
        yield


def _divide(war: StoredWar, branch: models.Branch, cut: int) -> models.Branch:
    """Give what came after a snapshot to a new branch, and leave an abandoned stage behind."""
    campaign = war.campaign
    parent = models.Snapshot.objects.get(branch=branch, seq=cut)
    newest = branch.head
    new = branch_create(campaign=campaign, parent=parent, reason="a test", now=NOW)
    for name in WRITTEN:
        _move(name, branch, new, f"seq > {cut}")
    for name, column in PLAYED.items():
        _move(name, branch, new, f"{column} >= {cut}")
    _move("report", branch, new, f"seq > {cut} OR seq = {cut} AND kind IN {SHEETS}")
    of_weeks = models.Stage.objects.filter(branch=branch, battle__isnull=True, ordinal__gte=cut)
    of_battles = models.Stage.objects.filter(branch=branch, battle__branch=new)
    for stages in (of_weeks, of_battles):
        models.Stage.objects.filter(pk__in=list(stages.values_list("pk", flat=True))).update(
            branch=new
        )
    for table in ("plan", "fleet", "ship", "facilitystate", "repair", "message"):
        _move(table, branch, new, "TRUE")
    models.Branch.objects.filter(pk=new.pk).update(head=newest)
    models.Branch.objects.filter(pk=branch.pk).update(head=parent, left_at=NOW)
    models.Stage.objects.create(
        branch=branch,
        week=parent.week,
        kind=parent.stage,
        ordinal=cut,
        opens=NOW - timedelta(days=1),
        closed_at=NOW,
        publishes_at=NOW,
        status=StageStatus.LEFT,
        from_snapshot=parent,
    )
    new.refresh_from_db()
    return new


def _move(table: str, branch: models.Branch, new: models.Branch, where: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE campaign_{table} SET branch_id = {new.pk}"
            f" WHERE branch_id = {branch.pk} AND ({where})"
        )


def _differences(asks: list[Request], first: list[Answer], other: list[Answer]) -> list[str]:
    found = []
    for ask, one, three in zip(asks, first, other, strict=True):
        words = describe_difference(_without_numbers(one), _without_numbers(three))
        if words:
            found.append(f"{ask}: {words}")
    return found


def _without_numbers(answer: Answer) -> Answer:
    headers = tuple(
        (name, "") if name.lower() in ("etag", "content-length") else (name, value)
        for name, value in answer.headers
    )
    return replace(answer, headers=headers, body=NUMBERED.sub(b"", answer.body))
