"""Noninterference of resolution: whether and how long others fight changes no byte at any time.

Both worlds of a pair are resolved by the services, under a running clock (see
`tests.access.played_wars`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Exists, QuerySet
from django.utils import timezone

from campaign import models
from campaign.rules.files import fixture_scenario
from campaign.selectors import proofs
from campaign.services.orders import submission_write
from campaign.services.outbox import rollback_announce, stage_announce, stage_ruled_announce
from campaign.store import publication
from campaign.store.prepared import PLANS
from engine.core import fair
from tests.access import played_wars
from tests.access.history_acts import ACTS, proof_addresses
from tests.access.played_wars import (
    Plot,
    Script,
    answers_over_time,
    difference,
    every_address,
    watched_pages,
)
from tests.access.private_rows import CAMPAIGN
from tests.access.scenarios import FOUR_POWERS, scenario_of_slug
from umpire.services import history, ruling_writing, stages

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.rule("camp.hidden")]
PORTAL, BACK_DOOR = "1608", "0821"  # from Karst's depot into the League


def holding(stage: models.Stage, faction: str, fleets: Sequence[Any]) -> dict[str, Any] | None:
    """Seal nothing: everybody stays."""
    return None


def attacking(stage: models.Stage, faction: str, fleets: Sequence[Any]) -> dict[str, Any] | None:
    """Send Karst through the portal in the first week to fight whoever is there."""
    if faction == "karst" and stage.kind == "orders" and stage.week == 1:
        return {
            "schema": 1,
            "moves": [
                {"fleet": fleet.key, "to": BACK_DOOR} for fleet in fleets if fleet.hex == PORTAL
            ],
        }
    if faction in ("karst", "halcyon") and stage.kind == "decisions":
        other = "halcyon" if faction == "karst" else "karst"
        return {"schema": 1, "decide": [{"hex": BACK_DOOR, "toward": other, "choice": "fight"}]}
    return {"schema": 1}


def commanding(stage: models.Stage, faction: str, fleets: Sequence[Any]) -> dict[str, Any] | None:
    """Fight as in `attacking`, with Karst's player in command of the battle."""
    payload = attacking(stage, faction, fleets)
    if payload is not None and faction == "karst" and stage.kind == "decisions":
        payload["take_command"] = [{"hex": BACK_DOOR, "by": "player"}]
    return payload


def marching(stage: models.Stage, faction: str, fleets: Sequence[Any]) -> dict[str, Any] | None:
    """Let the Union march where nobody looks."""
    if stage.kind == "orders":
        return {"schema": 1, "moves": [{"fleet": fleet.key, "to": "0107"} for fleet in fleets]}
    return {"schema": 1}


SCRIPTS = {
    "three": Script(fixture_scenario("three-powers"), "thessaly", (attacking, holding)),
    "four": Script(scenario_of_slug(FOUR_POWERS), "marches", (holding, attacking)),
    "continuum": Script(fixture_scenario("lafayette-continuum"), "nac", (holding, marching)),
}


@pytest.mark.any_database
@pytest.mark.parametrize("name", SCRIPTS)
def test_other_battles_and_their_duration_change_no_byte(name: str) -> None:
    number = list(SCRIPTS).index(name)
    every = every_address()[number :: len(SCRIPTS)]  # each address in one of the scripts
    requests = {"battles": [*watched_pages(), *every]}
    if name != "three":
        assert difference(SCRIPTS[name], requests, until="battles") == ""
        return
    requests["decisions"] = watched_pages()
    for act in ACTS:
        requests[act] = [*watched_pages(), *proof_addresses()]
    *_, last = ACTS  # after it, everything has happened
    requests[last] += every_address()
    assert difference(SCRIPTS[name], requests, "battles", ACTS) == ""


def test_other_battles_were_fought_and_the_worker_was_slow() -> None:
    """Check the harness: one world has a battle, the other none, and workers wrote at different
    times.
    """
    battle_statuses = []
    for side in (0, 1):
        for moment, _ in answers_over_time(SCRIPTS["three"], side, {}, until="battles"):
            if moment == "battles, public":
                battles = models.Battle.objects.filter(
                    branch__campaign__scenario__slug="three-powers"
                )
                battle_statuses.append(
                    (timezone.now(), list(battles.values_list("status", flat=True)))
                )
    assert [statuses for _, statuses in battle_statuses] == [["fought"], []]
    assert battle_statuses[0][0] == battle_statuses[1][0]


@pytest.mark.any_database
@pytest.mark.parametrize("other", [attacking, holding])
def test_who_commands_a_battle_elsewhere_changes_no_byte(other: Plot) -> None:
    """A war where players may take command shows a third faction neither battle nor commander."""
    script = Script(fixture_scenario("three-powers"), "thessaly", (commanding, other), "mixed")
    requests = {kind: watched_pages() for kind in ("decisions", "battles")}
    assert difference(script, requests, until="battles") == ""
    modes: set[str] = set()
    for _ in answers_over_time(script, 0, {}, until="decisions"):
        modes.update(models.Battle.objects.values_list("mode", flat=True))
    assert modes == {"online"}


Leak = Callable[[pytest.MonkeyPatch], None]


@pytest.mark.any_database
def test_no_leak_is_reported_without_a_leak() -> None:
    assert difference(SCRIPTS["three"], {"deploy": watched_pages()}, until="deploy") == ""


def opening_when_computed(patch: pytest.MonkeyPatch) -> None:
    """Open the next stage when the last one has been computed."""
    patch.setattr(stages, "decided_instant", lambda campaign, closed_at, now: now)


def counting_from_computed(patch: pytest.MonkeyPatch) -> None:
    """Count the grid point from the end of computing."""
    patch.setattr(
        stages, "decided_instant", lambda campaign, closed_at, now: publication.planned_instant(now)
    )


def computing_past_the_point(patch: pytest.MonkeyPatch) -> None:
    """Let the outcome take so long that it misses its grid point when others fight."""
    patch.setattr(played_wars, "SLOW", (timedelta(seconds=2 * played_wars.ALLOWANCE), timedelta(0)))


def sealing_when_written(patch: pytest.MonkeyPatch) -> None:
    """Give entries for missing players the time at which the worker wrote them."""
    honest = submission_write

    def leaky(*, now: datetime, **kwargs: Any) -> Any:
        return honest(now=timezone.now(), **kwargs)

    patch.setattr(stages, "submission_write", leaky)


def all_rows(rows: QuerySet[Any], now: datetime) -> QuerySet[Any]:
    """Return all rows; the moment is in the query, as planned queries need it."""
    return rows.filter(Exists(models.Stage.objects.filter(opens__lte=now)))


def entries_at_once(patch: pytest.MonkeyPatch) -> None:
    """Show entries for missing players as soon as they exist."""
    for place in ("campaign.selectors.envelopes", "campaign.api.orders"):
        patch.setattr(f"{place}.public_entries", all_rows)


def outcomes_at_once(patch: pytest.MonkeyPatch) -> None:
    """Show views and reports as soon as they exist."""
    patch.setattr("campaign.sight.views.public_outcomes", all_rows)
    patch.setattr("campaign.sight.reports.public_outcomes", all_rows)


def stages_as_stored(patch: pytest.MonkeyPatch) -> None:
    """Show a stage with the status of its row."""
    for place in ("campaign.selectors.envelopes", "campaign.api.resource"):
        patch.setattr(f"{place}.public_stage", lambda campaign, row, now=None: row)


def ledger_at_once(patch: pytest.MonkeyPatch) -> None:
    """Show the ledger's row as soon as it exists."""
    patch.setattr("campaign.api.campaigns.public_ledger", lambda rows, now: rows)


def messages_at_once(patch: pytest.MonkeyPatch) -> None:
    """Send messages as soon as they are written."""
    honest = stage_announce
    patch.setattr(
        stages, "stage_announce", lambda now, **given: honest(now=timezone.now(), **given)
    )


LEAKS: tuple[Leak, ...] = (
    *(
        opening_when_computed,
        counting_from_computed,
        computing_past_the_point,
        sealing_when_written,
    ),
    *(entries_at_once, outcomes_at_once, stages_as_stored, ledger_at_once, messages_at_once),
)


@pytest.fixture
def unplanned() -> Iterator[None]:
    """Plan queries anew for an inserted leak, and restore them afterwards."""
    PLANS.clear()
    yield
    PLANS.clear()


# Some watched pages; each leak but that of messages shows on one of them.
LEAKY = tuple(
    f"/api/campaigns/{CAMPAIGN}/{part}/" for part in ("view", "orders", "receipts", "ledger")
)


@pytest.mark.any_database
@pytest.mark.usefixtures("unplanned")
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_planted_leaks_are_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    pages = [request for request in watched_pages() if request.path in LEAKY]
    assert len(pages) == len(LEAKY)
    assert difference(SCRIPTS["three"], {"deploy": pages}, until="deploy") != ""


def proofs_by_size(patch: pytest.MonkeyPatch) -> None:
    """Give a row as many leaves as it needs."""

    def leaky(branch: models.Branch, seq: int, leaves: Mapping[str, str]) -> fair.OutcomeTree:
        return fair.outcome_tree(proofs.outcome_keys(branch, seq), leaves, len(leaves))

    patch.setattr(proofs, "outcome_tree", leaky)


def ruling_to_all(patch: pytest.MonkeyPatch) -> None:
    """Send every faction the notice of a ruling that is meant for those it concerns."""
    honest = stage_ruled_announce

    def leaky(told: Sequence[str], **given: Any) -> None:
        honest(
            told=tuple(models.Faction.objects.values_list("key", flat=True)) if told else told,
            **given,
        )

    patch.setattr(ruling_writing, "stage_ruled_announce", leaky)


def returned_messages_counted(patch: pytest.MonkeyPatch) -> None:
    """Say in the notice of a rollback how many messages are not sent."""
    honest = rollback_announce

    def leaky(campaign: models.Campaign, reason: str, **given: Any) -> int:
        waiting = models.Message.objects.filter(campaign=campaign, delivered_at__isnull=True)
        return honest(campaign=campaign, reason=f"{reason} ({waiting.count()})", **given)

    patch.setattr(history, "rollback_announce", leaky)


def rulings_counted(patch: pytest.MonkeyPatch) -> None:
    """Number rulings in their notices, those that are held too."""
    honest = stage_ruled_announce

    def leaky(number: int, note: str, **given: Any) -> None:
        held = models.Act.objects.filter(verb="ruling-held").count()
        honest(number=number, note=f"{note} {number + held}", **given)

    patch.setattr(ruling_writing, "stage_ruled_announce", leaky)


# With the acts at which each shows.
HISTORY_LEAKS: dict[Leak, tuple[str, ...]] = {
    proofs_by_size: ("held", "ruling"),
    ruling_to_all: ("ruling",),
    rulings_counted: ("held", "ruling"),
    returned_messages_counted: ("ruling", "rollback"),
}


@pytest.mark.any_database
@pytest.mark.parametrize("leak", HISTORY_LEAKS, ids=lambda leak: leak.__name__)
def test_planted_leaks_of_rulings_and_rollbacks_are_found(
    leak: Leak, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    requests = {"ruling": proof_addresses()}
    acts = {name: ACTS[name] for name in HISTORY_LEAKS[leak]}
    assert difference(SCRIPTS["three"], requests, "deploy", acts) != ""
