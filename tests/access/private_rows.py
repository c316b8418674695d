"""Private rows of a stored war: envelopes, drafts, ledger, battles, tokens, invitations, messages.

The viewer's are equal on both sides; those of others are drawn anew. `tests.access.stored_wars`
writes the rest.
"""

from __future__ import annotations

import hashlib
import random
import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from campaign import models
from campaign.kinds import BattleMode, Role, SimulationKind, StageKind, StageStatus
from campaign.rules.files import fixture_scenario, fixture_text
from campaign.rules.public_ids import outside_id
from campaign.rules.upgrades import BATTLE_PHASE
from campaign.services import tokens
from campaign.services.outside_ids import named_id
from campaign.services.scenarios import scenario_import
from campaign.services.tables import table_first_draft
from campaign.store.documents import BATTLE_SCHEMA, LEDGER_SCHEMA
from engine.core import fair
from engine.core.canonical import digest
from engine.core.versions import NEWEST
from tests.access.histories import History

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
BEGAN = NOW - timedelta(days=30)
SEED = hashlib.sha256(b"dice").hexdigest()
ID_SECRET = hashlib.sha256(b"ids").hexdigest()
CAMPAIGN = str(outside_id(ID_SECRET, "campaign", ""))  # the id of each pair's war
FEED = "feed-of-the-viewer"
INVITE = "invitation-by-the-viewer"
MOTHS: dict[str, dict[str, Any]] = {
    "second-edition": {
        "mass": 4,
        "thrust": 4,
        "systems": [{"type": "battery", "battery": "C", "arcs": ["F"]}],
    },
    "continuum": {
        "mass": 8,
        "thrust": 4,
        "hull": {"boxes": 2, "rows": 4},
        "systems": [{"type": "beam", "class": 1}],
    },
}
HIDDEN = "Wasp"  # names of designs and scenarios of others
OTHER_SCENARIO = "war-of-the-wasps"  # the id of those from which others opened campaigns
PHASE: dict[str, Any] = {
    "schema": BATTLE_PHASE.schema,
    "inputs": {"by": "captains"},
    "events": [],
    "views": {},
}


def moth_design(history: History, name: str = "Moth") -> dict[str, Any]:
    """Return a design by the war's rulebook, under a name."""
    fields = {
        "class": name,
        "edition": history.scenario.edition,
        "kind": "warship",
        "ftl": "standard",
    }
    return fields | MOTHS[history.scenario.edition]


def _write_plans(
    dice: random.Random, stage: models.Stage, faction: models.Faction, *, mine: bool
) -> None:
    """Write plans for later weeks: the viewer's of this week and the last; those of others are
    hidden.
    """
    hidden = random.Random()  # separate dice, so that everything older is drawn as before
    hidden.setstate(dice.getstate())
    for fleet in (1, 2) if mine else hidden.sample((1, 2, 3, 4), hidden.randint(0, 4)):
        models.Plan.objects.create(
            branch=stage.branch,
            faction=faction,
            fleet=f"{faction.key}/f{fleet}",
            goals="0304 0505" if mine else f"0{hidden.randint(1, 9)}0{hidden.randint(1, 9)}",
            week=stage.week - fleet % 2,
        )


def write_envelopes(
    dice: random.Random,
    history: History,
    stages: list[models.Stage],
    factions: dict[str, models.Faction],
    people: dict[str, User],
) -> None:
    """Write one live entry of each faction for every resolved stage.

    Whether others have sealed now, and how often they changed their entry, is hidden.
    """
    for stage in stages:
        over = stage.status != StageStatus.OPEN
        for key in dice.sample(sorted(factions), len(factions)):
            mine = key == history.viewer
            payload = (
                history.orders[stage.ordinal]
                if mine
                else {"schema": 1, "weasels": [f"{key}/s{dice.random()}"]}
            )
            if mine:
                withdrawn, live = (stage.ordinal % 3 == 1, over or history.sealed)
            else:
                withdrawn, live = (dice.random() < 0.4, over or dice.random() < 0.5)
                if len(factions) == 2 and stage.status == StageStatus.OPEN:
                    live = live and not history.sealed  # with both sealed the stage would be closed
            author = people["viewer" if mine else f"player-{key}"]
            for revision in range(1, 1 + withdrawn + live):
                moment = stage.opens + timedelta(minutes=revision if mine else dice.randint(5, 300))
                nonce = fair.server_nonce(SEED, "pair", 1, stage.ordinal, key, revision)
                constant = hashlib.sha256(f"{stage.ordinal} {key}".encode()).hexdigest()
                models.Submission.objects.create(
                    stage=stage,
                    faction=factions[key],
                    revision=revision,
                    payload=payload,
                    nonce=nonce,
                    digest=fair.orders_digest(payload, nonce) if mine else constant,
                    source="player" if mine else dice.choice(("player", "default", "admiral")),
                    author=author,
                    sealed_at=moment,
                    withdrawn_at=moment + timedelta(minutes=1)
                    if revision == 1 and withdrawn
                    else None,
                )
            if stage.status == StageStatus.OPEN and stage.kind == StageKind.ORDERS:
                _write_plans(dice, stage, factions[key], mine=mine)
            if stage.status == StageStatus.OPEN and (
                history.drafted if mine else dice.random() < 0.5
            ):
                version = 3 if mine else dice.randint(1, 9)
                models.Draft.objects.create(
                    stage=stage, faction=factions[key], payload=payload, version=version
                )


def write_ledger(
    history: History,
    branch: models.Branch,
    stages: list[models.Stage],
    factions: dict[str, models.Faction],
) -> None:
    """Write one row for each resolved stage, with a constant outcome."""
    last = hashlib.sha256(b"genesis").hexdigest()
    for seq, stage in enumerate(
        open_stage for open_stage in stages if open_stage.status == StageStatus.RESOLVED
    ):
        live = models.Submission.objects.filter(
            stage=stage, withdrawn_at__isnull=True
        ).select_related("faction")
        digests = {row.faction.key: row.digest for row in live}
        body = {
            "schema": LEDGER_SCHEMA,
            "week": stage.week,
            "stage": stage.kind,
            "rules_version": NEWEST,
            "release": NEWEST,
            "digests": [digests[key] for key in sorted(factions)],
            "outcome": hashlib.sha256(f"outcome {seq}".encode()).hexdigest(),
        }
        link = digest([last, body])
        names = ["acts"]
        for kind in ("view", "told", "sheets", "entry"):
            names += [f"{kind}/{key}" for key in factions]
        models.LedgerRow.objects.create(
            branch=branch,
            seq=seq,
            stage=stage,
            schema=LEDGER_SCHEMA,
            body=body,
            prev_hash=last,
            hash=link,
            leaves={name: digest([seq, name]) for name in names},
        )
        last = link


def write_battles(dice: random.Random, history: History, side: int, branch: models.Branch) -> None:
    """Write the umpire's battles, with the viewer's, and a number of phases that only the umpire
    knows.
    """
    for seq, moment in enumerate(history.moments):
        if moment.stage != StageKind.BATTLES:
            continue
        was_fought = seq + 1 < len(history.moments)
        for engagement in moment.worlds[side].engagements:
            row = models.Battle.objects.create(
                public_id=outside_id(ID_SECRET, "battle", f"1/{moment.week}/{engagement.key}"),
                branch=branch,
                seq=seq,
                week=moment.week,
                key=engagement.key,
                mode=BattleMode.CAPTAINS,
                rules_version=NEWEST,
                schema=BATTLE_SCHEMA,
                start={"sides": [{"name": "+".join(names)} for names in engagement.sides]},
                dice_context=[],
                status="fought" if was_fought else "waiting",
                result={} if was_fought else None,
            )
            for phase in range(dice.randint(0, 3) if was_fought else 0):
                chain = hashlib.sha256(f"{side} {row.pk} {phase}".encode()).hexdigest()
                models.BattlePhase.objects.create(battle=row, seq=phase, chain=chain, **PHASE)


def write_drawings(
    dice: random.Random,
    history: History,
    campaign: models.Campaign,
    factions: dict[str, models.Faction],
) -> None:
    """Write the viewer's design draft, and a random number of others under a name the viewer may
    use.
    """
    drawings = [(history.viewer, "Moth")]
    for key in history.others:
        names = (HIDDEN, *(f"Wasp {n}" for n in range(9)))
        drawings += [(key, name) for name in names[: dice.randint(0, 4)]]
    for key, name in dice.sample(drawings, len(drawings)):
        design = moth_design(history, name)
        sha256 = digest([name, design])
        models.ShipClass.objects.create(
            campaign=campaign,
            faction=factions[key],
            public_id=outside_id(ID_SECRET, "class", f"{name}/{sha256}", key),
            name=name,
            mass=design["mass"],
            points=12,
            classification="escort",
            schema=1,
            design=design,
            sha256=sha256,
        )


def write_design_libraries(dice: random.Random, history: History, people: dict[str, User]) -> None:
    """Write the viewer's library with one design, and those of others with one or none."""
    owners = ["viewer", *(f"player-{key}" for key in history.others)]
    for owner in dice.sample(owners, len(owners)):
        if owner != "viewer" and dice.random() < 0.4:
            continue
        design = moth_design(history, "Moth" if owner == "viewer" else HIDDEN)
        models.LibraryDesign.objects.create(
            user=people[owner],
            public_id=outside_id(ID_SECRET, "library-design", owner),
            name=design["class"],
            edition=design["edition"],
            schema=1,
            design=design,
            notes="mine" if owner == "viewer" else f"{HIDDEN} {dice.random()}",
            changed_at=BEGAN,
        )


def write_simulations(dice: random.Random, history: History, people: dict[str, User]) -> None:
    """Write simulations for odds of others; their number differs between the sides."""
    hidden = random.Random()  # separate dice, so that everything older is drawn as before
    hidden.setstate(dice.getstate())
    for owner in (f"player-{key}" for key in history.others):
        for number in range(hidden.randint(0, 3)):
            name = f"{owner} {number} {hidden.random()}"
            models.Simulation.objects.create(
                user=people[owner],
                public_id=outside_id(ID_SECRET, "simulation", name),
                kind=SimulationKind.MEETING,
                key=hashlib.sha256(name.encode()).hexdigest(),
                question={"hidden": HIDDEN},
                battles_wanted=1,
                until=NOW,
            )


def write_scenarios(dice: random.Random, history: History, people: dict[str, User]) -> None:
    """Write the viewer's own scenario, and those that some others edit and open campaigns from."""
    owners = ["viewer", *(f"player-{key}" for key in history.others)]
    for owner in dice.sample(owners, len(owners)):
        if owner != "viewer" and dice.random() < 0.4:
            continue
        name = "Mine" if owner == "viewer" else f"{HIDDEN} {dice.random()}"
        text = fixture_text("first-steps").replace("name: First Steps", f"name: {name}")
        draft = models.ScenarioDraft.objects.create(
            user=people[owner],
            public_id=outside_id(ID_SECRET, "scenario", owner),
            name=name,
            edition="second-edition",
            text=text,
            faults=0 if owner == "viewer" else dice.randrange(9),
            changed_at=BEGAN,
        )
        write_balance(dice, draft, mine=owner == "viewer")
        if owner != "viewer":
            own_scenario = scenario_import(
                scenario=replace(fixture_scenario("first-steps"), slug=OTHER_SCENARIO, name=name)
            )
            models.PrivateScenario.objects.get_or_create(
                scenario=own_scenario, defaults={"user": people[owner]}
            )


def write_tournaments(dice: random.Random, history: History, people: dict[str, User]) -> None:
    """Write a tournament of the viewer after its first round, and hidden ones of others."""
    hidden = random.Random()  # separate dice, so that everything older is drawn as before
    hidden.setstate(dice.getstate())
    scenario = scenario_import(scenario=fixture_scenario("first-battle"))
    other = f"player-{history.others[0]}"
    for owner in ("viewer", *(f"player-{key}" for key in history.others)):
        is_mine = owner == "viewer"
        tournament = models.Tournament.objects.create(
            public_id=outside_id(ID_SECRET, "tournament", owner),
            name="My Cup" if is_mine else f"{HIDDEN} {hidden.random()}",
            organiser=people[owner],
            scenario=scenario,
            battles=BattleMode.CAPTAINS,
            timetable={"schema": 1, "zone": "UTC", "hours": {}, "early_close": True},
            pairing="swiss",
            rounds=2,
            win=3,
            draw=1,
            created_at=BEGAN,
            started_at=BEGAN,
        )
        players = []
        for number, name in enumerate((owner, other if is_mine else HIDDEN), 1):
            user = people.get(name)
            players.append(
                models.TournamentPlayer.objects.create(
                    tournament=tournament, user=user, name=name, number=number
                )
            )
        scores = (30, 20) if is_mine else (hidden.randrange(90), hidden.randrange(90))
        models.TournamentMatch.objects.create(
            round=models.TournamentRound.objects.create(
                tournament=tournament, number=1, opened_at=BEGAN, ended_at=BEGAN
            ),
            first=players[0],
            second=players[1],
            winner=players[0],
            first_scored=scores[0],
            second_scored=scores[1],
            ended_at=BEGAN,
        )


def write_balance(dice: random.Random, draft: models.ScenarioDraft, *, mine: bool) -> None:
    """Write the results of wars in a scenario; those of others, in progress or not, are hidden."""
    hidden = random.Random()  # separate dice, so that everything older is drawn as before
    hidden.setstate(dice.getstate())
    playing = not mine and hidden.random() < 0.5
    row = models.ScenarioBalance.objects.create(
        draft=draft,
        text=draft.text,
        war_sha256=digest([draft.text]),
        wars=40,
        place=models.ScenarioBalance.objects.filter(place__isnull=False).count()
        if playing
        else None,
        ending="" if playing else "done",
        asked_at=BEGAN,
    )
    for number in range(2):
        ember, frost = (11, 9) if mine else (hidden.randint(0, 9), hidden.randint(0, 9))
        counts = [["Ember victory", "ember", 3, ember], ["Frost victory", "frost", 3, frost]]
        models.BalancePart.objects.create(
            balance=row, step=0, number=number, played=ember + frost, counts=counts
        )


def write_tables(
    dice: random.Random,
    history: History,
    side: int,
    branch: models.Branch,
    snapshots: list[models.Snapshot],
    factions: dict[str, models.Faction],
) -> None:
    """Write a battle at a table for every reported battle: its sheets, its draft."""
    design = next(item.design for item in history.scenario.catalogue if item.ftl)
    place = {"at": [3, 4], "course": 3, "velocity": 8}
    for seq, moment in enumerate(history.moments):
        battles = [
            (name, item) for name in sorted(factions) for item in moment.battles[side].get(name, ())
        ]
        for key, report in battles:
            id_ = str(outside_id(ID_SECRET, "battle", f"1/{report.subject}", key))
            battle = models.Battle.objects.create(
                public_id=outside_id(ID_SECRET, "table", f"1/{report.subject}", key),
                branch=branch,
                seq=seq,
                week=moment.week,
                key=f"{report.subject}/table of {key}",
                mode=BattleMode.TABLE,
                rules_version=NEWEST,
                schema=BATTLE_SCHEMA,
                start={"sides": []},
                dice_context=[],
                status="waiting",
            )
            stage = models.Stage.objects.create(
                branch=branch,
                week=moment.week,
                kind="table",
                battle=battle,
                ordinal=0,
                opens=BEGAN,
                status=StageStatus.OPEN,
                from_snapshot=snapshots[seq],
            )
            sheet = {
                **{
                    "battle": id_,
                    "hex": report.body["hex"],
                    "side": key,
                    "sides": [key, "others"],
                    "hostile": [],
                },
                **{
                    "edition": history.scenario.edition,
                    "rules": NEWEST,
                    "options": [],
                    "table": [72, 48],
                    "bogeys": True,
                },
                "own": [
                    {
                        "id": f"{key}/s1",
                        "design": design,
                        "contact": "0a1b2c3d4e",
                        "label": "escort",
                        **place,
                    }
                ],
                "contacts": [{"id": "f0e1d2c3b4", "classification": "cruiser", "side": 1, **place}],
                "seen": {"rocks": []},
            }
            models.Report.objects.create(
                public_id=outside_id(ID_SECRET, "table report", f"1/{seq}/{report.subject}", key),
                branch=branch,
                seq=seq,
                week=moment.week,
                stage=StageKind.BATTLES,
                faction=factions[key],
                kind="table",
                subject=report.subject,
                schema=1,
                body=sheet,
            )
            models.Draft.objects.create(
                stage=stage, faction=factions[key], payload=table_first_draft(sheet), version=1
            )
            write_record(dice, battle, factions, key)


def write_record(
    dice: random.Random, battle: models.Battle, factions: dict[str, models.Faction], viewer: str
) -> None:
    """Write the record of a battle at a table.

    Others may know that a plot is sealed, but not its contents or marks on an unidentified ship.
    """
    other = factions[next(key for key in sorted(factions) if key != viewer)]
    secret = {"kind": "plot", "turn": 1, "orders": {f"{other.key}/s1": f"P{dice.randint(1, 9)}"}}
    hidden = [
        {"kind": "boxes", "ship": f"{other.key}/s1", "first": 1, "last": n, "off": True}
        for n in (1, 2, 3)
    ]
    rows = [
        ({"kind": "plot", "turn": 1}, secret),
        *(({}, entry) for entry in hidden[: dice.randint(0, 3)]),
    ]
    for number, (others_may_know, body) in enumerate(dice.sample(rows, len(rows)), 1):
        models.TableEntry.objects.create(
            battle=battle,
            faction=other,
            key=uuid.UUID(int=dice.getrandbits(128)),
            number=number,
            schema=1,
            body=body,
            visible_body=others_may_know,
            at=BEGAN,
        )


def _token(user: User, secret: str) -> None:
    """Return a token that opens something, so that its owner's pages list it."""
    key = tokens.token_key(secret)
    models.ApiToken.objects.create(
        user=user,
        public_id=named_id("token", user, key),
        key=key,
        name="Wasp",
        read_only=False,
        password_sha256=tokens._password_hash(user),
        created_at=BEGAN,
    )


def write_private_rows(
    dice: random.Random,
    history: History,
    campaign: models.Campaign,
    viewer: models.Faction,
    stages: list[models.Stage],
    people: dict[str, User],
) -> None:
    """Write tokens, invitations, messages, actions: the viewer's and public ones equal, others
    random.
    """
    me = people["viewer"]
    models.FeedToken.objects.create(
        user=me, sha256=hashlib.sha256(FEED.encode()).hexdigest(), created_at=BEGAN
    )
    _token(me, "viewer")
    for name, user in people.items():
        if name != "viewer" and dice.random() < 0.5:
            _token(user, f"{name} {dice.random()}")
    for number, stage in enumerate(stages):
        for user in dice.sample(
            sorted(people.values(), key=lambda account: account.username), len(people)
        ):
            if user == me or dice.random() < 0.5:
                models.Notification.objects.create(
                    user=user,
                    dedupe_key=f"stage/{campaign.public_id}/1/{number}/{user.pk}",
                    body=f"{campaign.name}: week {stage.week}, {stage.kind}. Your orders can be sealed now.",
                    sent_at=stage.opens,
                )
    facts = {"to": NOW.isoformat()}
    body = {
        "schema": 1,
        "verb": "extend",
        "actor": "umpire",
        "at": BEGAN.isoformat(),
        "reason": "",
        "facts": facts,
    }
    models.Act.objects.create(
        campaign=campaign, stage=stages[0], actor=people["umpire"], verb="extend", body=body, sha256=digest(body),
        at=BEGAN,
    )  # fmt: skip
    # A player's own invitation to the faction; other factions' invitations are hidden from the
    # player, and even the host may not count them
    makers = [(viewer, me, INVITE)]
    for key in history.others:
        if not history.hosts:
            row = campaign.factions.get(key=key)
            makers += [
                (row, people[f"player-{key}"], f"{key} {dice.random()}")
                for _ in range(dice.randint(0, 2))
            ]
    for faction, maker, token in dice.sample(makers, len(makers)):
        sha256 = hashlib.sha256(token.encode()).hexdigest()
        models.Invite.objects.create(
            public_id=outside_id(ID_SECRET, "invite", sha256),
            campaign=campaign,
            role=Role.PLAYER,
            faction=faction,
            token_sha256=sha256,
            created_by=maker,
            created_at=BEGAN,
            expires=NOW + timedelta(days=5),
        )
