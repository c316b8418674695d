"""One side of a `History` as a campaign: the same people and papers for the viewer, other rows for everybody else.

What is hidden is written among the viewer's own rows, in an order and a number of its own, after a number of other
campaigns. The commitments of other factions are constants: they are the one secret that is modelled, not hidden.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from campaign import fairness, models
from campaign.models.membership import HOST, OBSERVER, PLAYER, STAFF, UMPIRE
from campaign.models.stage import CLOSED, OPEN, RESOLVED
from campaign.rules.codec import to_document
from campaign.rules.files import fixture_scenario
from campaign.services.campaigns import campaign_create
from campaign.services.scenarios import scenario_import
from campaign.services.timetable import timetable_of
from campaign.services.tokens import token_key
from campaign.versions import BATTLE_SCHEMA, LEDGER_SCHEMA, REPORT_SCHEMA, RULES_VERSION
from engine.canonical import digest
from jobs.models import Job
from tests.access.histories import History
from umpire.services.projection import projection_rows, projection_write
from umpire.services.starting import campaign_start

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
BEGAN = NOW - timedelta(days=30)
SEED = hashlib.sha256(b"dice").hexdigest()
ID_SECRET = hashlib.sha256(b"ids").hexdigest()
FEED = "feed-of-the-viewer"
INVITE = "invitation-by-the-viewer"
HAPPENING: dict[str, Any] = {"code": "withdrew", "audience": [], "hex": "0101", "facts": []}
STOP = {"inputs": {"by": "captains"}, "events": [], "views": {}}


@dataclass(frozen=True)
class Stored:
    """A campaign as stored: its row, its stages and its people by name (`viewer` is the one who looks)."""

    campaign: models.Campaign
    faction: models.Faction
    stages: tuple[models.Stage, ...]
    people: dict[str, User]


def store(history: History, side: int) -> Stored:
    """Write one side, in the caller's transaction."""
    dice = random.Random(f"rows {history.seed} {side}")
    _elsewhere(dice)
    campaign = _campaign(history)
    people = _people(dice, history, campaign)
    factions = {row.key: row for row in campaign.factions.all()}
    viewer = factions[history.viewer]
    branch = campaign.head_branch
    assert branch is not None
    snapshots = _snapshots(dice, history, side, branch, factions)
    stages = _stages(history, branch, snapshots)
    _envelopes(dice, history, stages, factions, people)
    _ledger(history, branch, stages, factions)
    _battles(dice, history, side, branch)
    world = history.moments[-1].worlds[side]
    rules = history.scenario
    projection_write(branch=branch, before=projection_rows(rules, None), after=projection_rows(rules, world))
    _papers(dice, history, campaign, viewer, stages, people)
    campaign.refresh_from_db()
    return Stored(campaign, viewer, tuple(stages), people)


def _elsewhere(dice: random.Random) -> None:
    """Other campaigns, users and jobs, so that no row has the number it has on the other side."""
    for number in range(dice.randint(1, 3)):
        user = _user(f"elsewhere-{number}-{dice.randint(1, 999)}")
        scenario = scenario_import(scenario=fixture_scenario("first-steps"))
        other = campaign_create(scenario=scenario, name=f"Elsewhere {dice.randint(1, 999)}")
        models.Membership.objects.create(campaign=other, user=user, role=HOST)
        stage = campaign_start(campaign=other, now=BEGAN)
        moment = BEGAN - timedelta(days=number)
        Job.objects.create(
            kind="stage", args={}, dedupe_key=f"x/{stage.pk}", asked_at=moment, lease_until=moment + timedelta(hours=1)
        )


def _user(name: str) -> User:
    return User.objects.create(username=name, email=f"{name}@example.org", password="none")


def _campaign(history: History) -> models.Campaign:
    slug = history.scenario.slug
    scenario = scenario_import(scenario=history.scenario)
    value = history.scenario
    campaign = models.Campaign.objects.create(
        public_id=fairness.outside_id(ID_SECRET, "campaign", ""),
        name=f"The war of {slug}",
        scenario=scenario,
        ruleset={
            "schema": 1,
            "edition": value.edition,
            "options": list(value.options),
            "rules_version": RULES_VERSION,
        },
        timetable=timetable_of("daily", "Europe/Berlin"),
        seed=SEED,
        seed_sha256=fairness.commitment(SEED),
        dice_key=f"{slug}/pair",
        id_secret=ID_SECRET,
        started_at=BEGAN,
    )
    for faction in value.factions:
        models.Faction.objects.create(
            campaign=campaign, key=faction.id, name=faction.name, alliance=faction.alliance or ""
        )
    campaign.head_branch = models.Branch.objects.create(campaign=campaign, number=1, reason="the beginning")
    campaign.save(update_fields=["head_branch"])
    return campaign


def _people(dice: random.Random, history: History, campaign: models.Campaign) -> dict[str, User]:
    """Who plays is public: the same names and parts on both sides, in the same order."""
    people = {name: _user(name) for name in ("viewer", "host", "umpire", "observer", "stranger", "staff", "elsewhere")}
    for key in history.others:
        for _ in range(dice.randint(0, 2)):
            _user(f"nobody-{dice.random()}")
        people[f"player-{key}"] = _user(f"player-{key}")
    factions = {row.key: row for row in campaign.factions.all()}

    def seat(name: str, role: str, key: str = "") -> None:
        models.Membership.objects.create(campaign=campaign, user=people[name], role=role, faction=factions.get(key))

    seat("viewer", PLAYER, history.viewer)
    seat("staff", STAFF, history.viewer)
    seat("viewer" if history.hosts else "host", HOST)
    seat("umpire", UMPIRE)
    seat("observer", OBSERVER)
    for key in history.others:
        seat(f"player-{key}", PLAYER, key)
    other = models.Campaign.objects.exclude(pk=campaign.pk).order_by("pk")[0]
    models.Membership.objects.create(campaign=other, user=people["elsewhere"], role=UMPIRE)
    return people


def _snapshots(
    dice: random.Random, history: History, side: int, branch: models.Branch, factions: dict[str, models.Faction]
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
            happenings=[HAPPENING] * dice.randint(0, 9),
            sha256=digest(document),
            rules_version=RULES_VERSION,
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
            for told in moment.battles[side].get(key, ()):
                place = f"{branch.number}/{told.subject}"
                body = {"battle": str(fairness.outside_id(ID_SECRET, "battle", place, key)), **told.body}
                _report(branch, factions[key], seq, week, stage, "battle", told.subject, body)
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
        public_id=fairness.outside_id(ID_SECRET, f"{kind} report", place, faction.key),
        branch=branch,
        seq=seq,
        week=week,
        stage=stage,
        faction=faction,
        kind=kind,
        subject=subject,
        schema=REPORT_SCHEMA,
        body=body,
    )


def _stages(history: History, branch: models.Branch, snapshots: list[models.Snapshot]) -> list[models.Stage]:
    """The stages of the timetable: the last one is open (or being resolved), all before it are over."""
    rows = []
    for ordinal, snapshot in enumerate(snapshots):
        if snapshot.stage == "over":
            break
        later = snapshots[ordinal + 1] if ordinal + 1 < len(snapshots) else None
        now = CLOSED if history.seed % 11 == 5 else OPEN
        opens = NOW - timedelta(days=len(snapshots) - 1 - ordinal, hours=6)
        rows.append(
            models.Stage.objects.create(
                branch=branch,
                week=snapshot.week,
                kind=snapshot.stage,
                ordinal=ordinal,
                opens=opens,
                closes=opens + timedelta(days=1),
                status=RESOLVED if later else now,
                from_snapshot=snapshot,
                to_snapshot=later,
            )
        )
    return rows


def _envelopes(
    dice: random.Random,
    history: History,
    stages: list[models.Stage],
    factions: dict[str, models.Faction],
    people: dict[str, User],
) -> None:
    """Every stage that is over has one live entry of each faction; whether others are in now, and how often they
    changed their minds, is hidden."""
    for stage in stages:
        over = stage.status != OPEN
        for key in dice.sample(sorted(factions), len(factions)):
            mine = key == history.viewer
            payload = history.orders[stage.ordinal] if mine else {"schema": 1, "weasels": [f"{key}/s{dice.random()}"]}
            if mine:
                withdrawn, live = (stage.ordinal % 3 == 1, over or history.sealed)
            else:
                withdrawn, live = (dice.random() < 0.4, over or dice.random() < 0.5)
                if len(factions) == 2 and stage.status == OPEN:
                    live = live and not history.sealed  # with all of two in, the stage would be closed
            author = people["viewer" if mine else f"player-{key}"]
            for revision in range(1, 1 + withdrawn + live):
                moment = stage.opens + timedelta(minutes=revision if mine else dice.randint(5, 300))
                nonce = fairness.server_nonce(SEED, "pair", 1, stage.ordinal, key, revision)
                constant = hashlib.sha256(f"{stage.ordinal} {key}".encode()).hexdigest()
                models.Submission.objects.create(
                    stage=stage,
                    faction=factions[key],
                    revision=revision,
                    payload=payload,
                    nonce=nonce,
                    digest=fairness.orders_digest(payload, nonce) if mine else constant,
                    source="player" if mine else dice.choice(("player", "default", "admiral")),
                    author=author,
                    sealed_at=moment,
                    withdrawn_at=moment + timedelta(minutes=1) if revision == 1 and withdrawn else None,
                )
            if stage.status == OPEN and (history.drafted if mine else dice.random() < 0.5):
                version = 3 if mine else dice.randint(1, 9)
                models.Draft.objects.create(stage=stage, faction=factions[key], payload=payload, version=version)


def _ledger(
    history: History, branch: models.Branch, stages: list[models.Stage], factions: dict[str, models.Faction]
) -> None:
    """One row a stage that is over; its outcome is a constant."""
    last = hashlib.sha256(b"genesis").hexdigest()
    for seq, stage in enumerate(one for one in stages if one.status == RESOLVED):
        live = models.Submission.objects.filter(stage=stage, withdrawn_at__isnull=True).select_related("faction")
        digests = {row.faction.key: row.digest for row in live}
        body = {
            "schema": LEDGER_SCHEMA,
            "week": stage.week,
            "stage": stage.kind,
            "rules_version": RULES_VERSION,
            "digests": [digests[key] for key in sorted(factions)],
            "outcome": hashlib.sha256(f"outcome {seq}".encode()).hexdigest(),
        }
        link = digest([last, body])
        models.LedgerRow.objects.create(
            branch=branch, seq=seq, stage=stage, schema=LEDGER_SCHEMA, body=body, prev_hash=last, hash=link
        )
        last = link


def _battles(dice: random.Random, history: History, side: int, branch: models.Branch) -> None:
    """The umpire's battles, the viewer's among them, with a number of stops that only he may count."""
    for seq, moment in enumerate(history.moments):
        if moment.stage != "battles":
            continue
        fought = seq + 1 < len(history.moments)
        for engagement in moment.worlds[side].engagements:
            row = models.Battle.objects.create(
                public_id=fairness.outside_id(ID_SECRET, "battle", f"1/{moment.week}/{engagement.key}"),
                branch=branch,
                week=moment.week,
                key=engagement.key,
                mode="captains",
                rules_version=RULES_VERSION,
                schema=BATTLE_SCHEMA,
                start={"sides": [{"name": "+".join(names)} for names in engagement.sides]},
                dice_context=[],
                status="fought" if fought else "waiting",
                result={} if fought else None,
            )
            for stop in range(dice.randint(0, 3) if fought else 0):
                chain = hashlib.sha256(f"{side} {row.pk} {stop}".encode()).hexdigest()
                models.BattleStop.objects.create(battle=row, seq=stop, chain=chain, **STOP)


def _papers(
    dice: random.Random,
    history: History,
    campaign: models.Campaign,
    viewer: models.Faction,
    stages: list[models.Stage],
    people: dict[str, User],
) -> None:
    """Tokens, invitations, messages, the clock's acts: the viewer's and the public ones equal, others' at random."""
    from rest_framework.authtoken.models import Token

    me = people["viewer"]
    models.FeedToken.objects.create(user=me, sha256=hashlib.sha256(FEED.encode()).hexdigest(), created_at=BEGAN)
    Token.objects.create(user=me, key=token_key("viewer"))
    for name, user in people.items():
        if name != "viewer" and dice.random() < 0.5:
            Token.objects.create(user=user, key=token_key(f"{name} {dice.random()}"))
    for number, stage in enumerate(stages):
        for user in dice.sample(sorted(people.values(), key=lambda one: one.username), len(people)):
            if user == me or dice.random() < 0.5:
                models.Notification.objects.create(
                    user=user,
                    dedupe_key=f"stage/{campaign.public_id}/1/{number}/{user.pk}",
                    body=f"{campaign.name}: week {stage.week}, {stage.kind}. Your orders can be sealed now.",
                    sent_at=stage.opens,
                )
    facts = {"to": NOW.isoformat()}
    body = {"schema": 1, "verb": "extend", "actor": "umpire", "at": BEGAN.isoformat(), "reason": "", "facts": facts}
    models.Act.objects.create(
        campaign=campaign, stage=stages[0], actor=people["umpire"], verb="extend", body=body, sha256=digest(body),
        at=BEGAN,
    )  # fmt: skip
    # a player's own invitation to his faction; those of other factions are not his to see, nor the host's to count
    makers = [(viewer, me, INVITE)]
    for key in history.others:
        if not history.hosts:
            row = campaign.factions.get(key=key)
            makers += [(row, people[f"player-{key}"], f"{key} {dice.random()}") for _ in range(dice.randint(0, 2))]
    for faction, maker, token in dice.sample(makers, len(makers)):
        sha256 = hashlib.sha256(token.encode()).hexdigest()
        models.Invite.objects.create(
            public_id=fairness.outside_id(ID_SECRET, "invite", sha256),
            campaign=campaign,
            role=PLAYER,
            faction=faction,
            token_sha256=sha256,
            created_by=maker,
            created_at=BEGAN,
            expires=NOW + timedelta(days=5),
        )
