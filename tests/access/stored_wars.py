"""One side of a `History` as a campaign: equal rows for the viewer, other rows for everybody else.

Hidden rows are written among the viewer's own, in another order and number, after other campaigns.
The commitments of other factions are constants: they are the one secret that is not varied.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User

from campaign import models
from campaign.kinds import Role, StageKind, StageStatus
from campaign.lineage import branch_create
from campaign.rules.codec import to_document
from campaign.rules.files import fixture_scenario
from campaign.rules.public_ids import outside_id
from campaign.rules.timetable import timetable_of
from campaign.rules.upgrades import REPORTS
from campaign.services.campaigns import campaign_create
from campaign.services.scenarios import scenario_import
from engine.core import fair
from engine.core.canonical import digest
from engine.core.versions import NEWEST
from jobs.models import Job
from tests.access.fights import write_fights
from tests.access.histories import History
from tests.access.messages import message_settings, write_messages
from tests.access.private_rows import (
    BEGAN,
    ID_SECRET,
    NOW,
    SEED,
    write_battles,
    write_design_libraries,
    write_drawings,
    write_envelopes,
    write_ledger,
    write_private_rows,
    write_scenarios,
    write_simulations,
    write_tables,
    write_tournaments,
)
from umpire.services.projection import projection_rows, projection_write
from umpire.services.wars import campaign_start

WEEK_EVENT: dict[str, Any] = {"code": "withdrew", "audience": [], "hex": "0101", "facts": []}


@dataclass(frozen=True)
class StoredWar:
    """A stored campaign: its row, its stages, and its people by name (`viewer` is the one who
    looks).
    """

    campaign: models.Campaign
    faction: models.Faction
    stages: tuple[models.Stage, ...]
    people: dict[str, User]


def store(history: History, side: int) -> StoredWar:
    """Write one side, in the caller's transaction."""
    dice = random.Random(f"rows {history.seed} {side}")
    write_other_campaigns(dice)
    campaign = write_campaign(history)
    people = seat_people(dice, history, campaign)
    factions = {row.key: row for row in campaign.factions.all()}
    viewer = factions[history.viewer]
    branch = campaign.head_branch
    assert branch is not None
    snapshots = _snapshots(dice, history, side, branch, factions)
    stages = _stages(history, branch, snapshots)
    write_envelopes(dice, history, stages, factions, people)
    write_ledger(history, branch, stages, factions)
    write_drawings(dice, history, campaign, factions)
    write_design_libraries(dice, history, people)
    write_scenarios(dice, history, people)
    write_tournaments(dice, history, people)
    write_simulations(dice, history, people)
    write_battles(dice, history, side, branch)
    write_tables(dice, history, side, branch, snapshots, factions)
    write_fights(dice, history, side, branch, snapshots, factions)
    world = history.moments[-1].worlds[side]
    rules = history.scenario
    projection_write(
        branch=branch, before=projection_rows(rules, None), after=projection_rows(rules, world)
    )
    write_messages(dice, history, campaign, factions, people)
    write_private_rows(dice, history, campaign, viewer, stages, people)
    people["guest"] = seat_guest(campaign, viewer)
    campaign.refresh_from_db()
    return StoredWar(campaign, viewer, tuple(stages), people)


def write_other_campaigns(dice: random.Random) -> None:
    """Write other campaigns, users and jobs, so that ids differ between the sides."""
    for number in range(dice.randint(1, 3)):
        user = _user(f"elsewhere-{number}-{dice.randint(1, 999)}")
        scenario = scenario_import(scenario=fixture_scenario("first-steps"))
        other = campaign_create(scenario=scenario, name=f"Elsewhere {dice.randint(1, 999)}")
        models.Membership.objects.create(campaign=other, user=user, role=Role.HOST)
        stage = campaign_start(campaign=other, now=BEGAN)
        moment = BEGAN - timedelta(days=number)
        Job.objects.create(
            kind="stage",
            args={},
            dedupe_key=f"x/{stage.pk}",
            asked_at=moment,
            send_at=moment + timedelta(hours=1),
        )


def _user(name: str) -> User:
    return User.objects.create(username=name, email=f"{name}@example.org", password="none")


def write_campaign(history: History, battles: str = "captains") -> models.Campaign:
    slug = history.scenario.slug
    scenario = scenario_import(scenario=history.scenario)
    value = history.scenario
    campaign = models.Campaign.objects.create(
        public_id=outside_id(ID_SECRET, "campaign", ""),
        name=f"The war of {slug}",
        scenario=scenario,
        ruleset={
            "schema": 1,
            "edition": value.edition,
            "options": list(value.options),
            "rules_version": NEWEST,
            "battles": battles,
            **message_settings(history).ruleset_entries(),
        },
        timetable=timetable_of("daily", "Europe/Berlin"),
        seed=SEED,
        seed_sha256=fair.commitment(SEED),
        dice_key=f"{slug}/pair",
        id_secret=ID_SECRET,
        started_at=BEGAN,
    )
    for faction in value.factions:
        models.Faction.objects.create(
            campaign=campaign, key=faction.id, name=faction.name, alliance=faction.alliance or ""
        )
    campaign.head_branch = branch_create(campaign=campaign, reason="the beginning")
    campaign.save(update_fields=["head_branch"])
    return campaign


def seat_people(
    dice: random.Random, history: History, campaign: models.Campaign
) -> dict[str, User]:
    """Seat the people, who are public: the same names and roles on both sides, in the same order."""
    people = {
        name: _user(name)
        for name in ("viewer", "host", "umpire", "observer", "stranger", "staff", "elsewhere")
    }
    for key in history.others:
        for _ in range(dice.randint(0, 2)):
            _user(f"nobody-{dice.random()}")
        people[f"player-{key}"] = _user(f"player-{key}")
    factions = {row.key: row for row in campaign.factions.all()}

    def seat(name: str, role: str, key: str = "") -> None:
        models.Membership.objects.create(
            campaign=campaign, user=people[name], role=role, faction=factions.get(key)
        )

    seat("viewer", Role.PLAYER, history.viewer)
    seat("staff", Role.STAFF, history.viewer)
    seat("viewer" if history.hosts else "host", Role.HOST)
    seat("umpire", Role.UMPIRE)
    seat("observer", Role.OBSERVER)
    for key in history.others:
        seat(f"player-{key}", Role.PLAYER, key)
    hidden = random.Random()  # separate dice, so that everything older is drawn as before
    hidden.setstate(dice.getstate())
    for name in ("viewer", *(f"player-{key}" for key in history.others)):
        if hidden.random() < 0.6:
            models.UmpireNote.objects.create(
                campaign=campaign,
                author=people["umpire"],
                about=people[name],
                text=f"{name} {hidden.random()}",
                written_at=BEGAN + timedelta(minutes=hidden.randint(1, 999)),
            )
            models.PencilMark.objects.create(
                campaign=campaign,
                author=people["umpire"],
                hex=f"{hidden.randint(1000, 9999)}",
                text=f"{name} {hidden.random()}",
                written_at=BEGAN,
            )
            models.UmpireAccess.objects.create(
                campaign=campaign,
                user=people["umpire"],
                name="umpire",
                page="umpire-faction",
                subject=f"{hidden.random()}",
                at=BEGAN,
            )
    branch = campaign.head_branch
    assert branch is not None
    for key in history.others:
        models.ViewOpening.objects.create(
            branch=branch,
            seq=hidden.randint(0, 1),
            faction=factions[key],
            user=people[f"player-{key}"],
            opened_at=BEGAN,
        )
    for faction in factions.values():
        mine = faction.key == history.viewer
        for week in (1, 2) if mine else hidden.sample((1, 2, 3), hidden.randint(0, 3)):
            models.Memo.objects.create(
                faction=faction,
                week=week,
                text=f"Week {week}: hold Ember" if mine else f"{faction.key} {hidden.random()}",
                author=people["viewer" if mine else f"player-{faction.key}"],
                written_at=BEGAN,
            )
    other = models.Campaign.objects.exclude(pk=campaign.pk).order_by("pk")[0]
    models.Membership.objects.create(campaign=other, user=people["elsewhere"], role=Role.UMPIRE)
    return people


def seat_guest(campaign: models.Campaign, faction: models.Faction) -> User:
    """Seat a guest of the viewer's faction, last, so that nothing else is drawn differently."""
    guest = _user("guest")
    models.Membership.objects.create(
        campaign=campaign, user=guest, role=Role.GUEST, faction=faction
    )
    return guest


def _snapshots(
    dice: random.Random,
    history: History,
    side: int,
    branch: models.Branch,
    factions: dict[str, models.Faction],
) -> list[models.Snapshot]:
    rows: list[models.Snapshot] = []
    for seq, moment in enumerate(history.moments):
        document = to_document(moment.worlds[side])
        row = models.Snapshot.objects.create(
            branch=branch,
            seq=seq,
            week=moment.week,
            stage=moment.stage,
            parent=rows[-1] if rows else None,
            schema=document["schema"],
            world=document,
            events=[WEEK_EVENT] * dice.randint(0, 9),
            sha256=digest(document),
            rules_version=NEWEST,
        )
        past = history.moments[seq - 1] if seq else None
        keys = dice.sample(sorted(factions), len(factions))
        for key in keys:
            view = to_document(moment.views[side][key])
            models.View.objects.create(
                snapshot=row,
                branch=branch,
                seq=seq,
                faction=factions[key],
                schema=view["schema"],
                body=view,
                sha256=digest(view),
            )
        for key in keys:
            lines = to_document(moment.views[side][key])["body"]["notices"]
            week, stage = (past.week, past.stage) if past else (moment.week, "start")
            _report(branch, factions[key], seq, week, stage, "stage", "", {"notices": lines})
            for report in moment.battles[side].get(key, ()):
                place = f"{branch.number}/{report.subject}"
                body = {
                    "battle": str(outside_id(ID_SECRET, "battle", place, key)),
                    **report.body,
                }
                _report(branch, factions[key], seq, week, stage, "battle", report.subject, body)
        rows.append(row)
    models.Branch.objects.filter(pk=branch.pk).update(head=rows[-1])
    return rows


def _report(
    branch: models.Branch,
    faction: models.Faction,
    seq: int,
    week: int,
    stage: str,
    kind: str,
    subject: str,
    body: dict[str, Any],
) -> None:
    place = f"{branch.number}/{seq}/{subject}"
    models.Report.objects.create(
        public_id=outside_id(ID_SECRET, f"{kind} report", place, faction.key),
        branch=branch,
        seq=seq,
        week=week,
        stage=stage,
        faction=faction,
        kind=kind,
        subject=subject,
        schema=REPORTS[kind].schema,
        body=body,
    )


def _stages(
    history: History, branch: models.Branch, snapshots: list[models.Snapshot]
) -> list[models.Stage]:
    """Write the stages of the timetable: the last is open or being resolved, the others are
    resolved.
    """
    rows = []
    for ordinal, snapshot in enumerate(snapshots):
        if snapshot.stage == StageKind.OVER:
            break
        later = snapshots[ordinal + 1] if ordinal + 1 < len(snapshots) else None
        now = StageStatus.CLOSED if history.seed % 11 == 5 else StageStatus.OPEN
        opens = NOW - timedelta(days=len(snapshots) - 1 - ordinal, hours=6)
        rows.append(
            models.Stage.objects.create(
                branch=branch,
                week=snapshot.week,
                kind=snapshot.stage,
                ordinal=ordinal,
                opens=opens,
                closes=opens + timedelta(days=1),
                closed_at=None
                if later is None and now == StageStatus.OPEN
                else opens + timedelta(hours=5),
                publishes_at=None if later is None else opens + timedelta(days=1),
                status=StageStatus.RESOLVED if later else now,
                from_snapshot=snapshot,
                to_snapshot=later,
            )
        )
    return rows
