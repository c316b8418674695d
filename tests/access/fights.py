"""Online battles in a stored war: the viewer's own, and those of others, which stay hidden.

The umpire's service makes the viewer's sheet of a phase from two truths that differ in all the
viewer may not know: what the bogeys are, which is a drone, what is out of sight.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

from campaign import models
from campaign.kinds import BattleMode, StageKind, StageStatus
from campaign.rules.public_ids import outside_id
from campaign.rules.scenario import Scenario
from campaign.services.phases import phase_payload
from campaign.store.documents import BATTLE_SCHEMA
from engine.battle import Battle, start
from engine.captains.common.doctrine import Doctrine
from engine.core import fair
from engine.core.dice import Dice
from engine.core.state import OVER
from engine.core.versions import NEWEST
from engine.notation.battle_file import BattleFileDocument
from engine.stops import resolve_documents
from tests.access.histories import History, sample_battle
from tests.access.private_rows import BEGAN, ID_SECRET
from tests.access.two_worlds import draw_scenario
from umpire.adjudication.battles import battle_setup
from umpire.services.battle_sheets import BattleParties, PhaseSheets, owners_of, phase_sheets_for

CHAIN = "0" * 64  # commitments are the one secret that is a constant
MOST = 4  # ships of a side: few, so that a battle is read quickly
UNSEEN = 60  # MU between the fleets: beyond all scans


@dataclass(frozen=True)
class Truth:
    """A battle at its first two phases and at its end, and its factions."""

    document: BattleFileDocument
    battles: tuple[Battle, ...]
    parties: BattleParties
    events: tuple[Any, ...]


def fight_key(history: History, week: int) -> str:
    """Return the key of the viewer's online battle in a week."""
    return f"{history.scenario.systems[0].hex}/w{week}/online"


def fight_id(history: History, week: int, faction: str) -> str:
    """Return the id by which a faction knows it."""
    return str(outside_id(ID_SECRET, "battle", f"1/{fight_key(history, week)}", faction))


def known_fights(history: History) -> list[str]:
    """Return the viewer's ids of their online battles, newest first, and the ids of others."""
    weeks = [
        moment.week for moment in reversed(history.moments) if moment.stage == StageKind.BATTLES
    ]
    return [
        fight_id(history, week, key) for key in (history.viewer, *history.others) for week in weeks
    ]


def guessed_ships(history: History) -> list[str]:
    """Return names in the battle: own ids, foreign contacts, and their ids, which nobody may
    recognise.
    """
    sides = truth(history.scenario.slug, history.viewer, 0).document["sides"]
    own_ships = next(part["ships"] for part in sides if history.viewer in part["name"].split("+"))
    foes = next(part["ships"] for part in sides if history.viewer not in part["name"].split("+"))
    return [
        *(ship["id"] for ship in own_ships[:3]),
        *(ship["contact"] for ship in foes[:3]),
        *(ship["id"] for ship in foes[:2]),
        "nobody",
    ]


@cache
def truth(slug: str, viewer: str, side: int) -> Truth:
    """Return a faction's sample battle, whose foes differ between the sides."""
    scenario = draw_scenario(slug, False)
    played, _ = sample_battle(scenario, viewer)
    engagement = played.before.engagements[0]
    document = _start(scenario, viewer, side)
    battle = start(document)
    mine = next(number for number, names in enumerate(engagement.sides) if viewer in names)
    after, phase = resolve_documents(battle, {}, Dice(1))
    over = Battle(
        after.edition, after.options, after.state.copy(), document["sides"][mine]["name"], []
    )
    over.state.stop = OVER
    parties = BattleParties(
        engagement.sides, owners_of(played.before, document), (Doctrine(), Doctrine())
    )
    return Truth(document, (battle, after, over), parties, phase.events)


def _start(scenario: Scenario, viewer: str, side: int) -> BattleFileDocument:
    """Return the set-up of the sample battle, beyond scans; on side 1 the foes differ."""
    played, _ = sample_battle(scenario, viewer)
    engagement = played.before.engagements[0]
    document: Any = json.loads(
        json.dumps(battle_setup(scenario, played.before, engagement, salt=b"sample"))
    )
    foes = next(part for part in document["sides"] if viewer not in part["name"].split("+"))
    own_side = next(part for part in document["sides"] if part is not foes)
    for part in (own_side, foes):
        real = [ship for ship in part["ships"] if not ship.get("dummy")][:MOST]
        drones = [ship for ship in part["ships"] if ship.get("dummy")][:1]
        part["ships"] = sorted(real + drones, key=lambda ship: str(ship["contact"]))
    escorts = [
        ship["id"] for ship in foes["ships"] if ship["label"] == "escort" and not ship.get("dummy")
    ][:1]
    document.pop("deployment", None)  # the ships begin farther apart than their zones allow
    for number, ship in enumerate(own_side["ships"]):
        ship["at"] = [2, 2 + 2 * number]
    for number, ship in enumerate(foes["ships"]):
        ship["at"] = [2 + UNSEEN, 2 + 2 * number]
        ship["velocity"] = 0
        if side == 1:
            others = [
                ship_class.design
                for ship_class in scenario.catalogue
                if ship_class.ftl and ship_class.classification == ship["label"]
            ]
            ship.update(
                design=others[number % len(others)], damage=0, lost=[], dummy=ship["id"] in escorts
            )
            ship.pop("class", None)
            ship.pop("stock", None)
    return cast(BattleFileDocument, document)


def write_fights(
    dice: random.Random,
    history: History,
    side: int,
    branch: models.Branch,
    snapshots: list[models.Snapshot],
    factions: dict[str, models.Faction],
) -> None:
    """Write the viewer's online battle of every week, and in some weeks a battle of others."""
    for seq, moment in enumerate(history.moments):
        if moment.stage != StageKind.BATTLES:
            continue
        past = seq + 1 < len(history.moments)
        if dice.random() < 0.5:
            _of_others(dice, history, branch, snapshots[seq], factions, past)
        truth_of_side = truth(history.scenario.slug, history.viewer, side)
        battle = _battle(branch, seq, moment.week, fight_key(history, moment.week), truth_of_side)
        for number in range(3 if past else 2):
            sheets = phase_sheets_for(
                battle,
                truth_of_side.battles[number],
                truth_of_side.parties,
                number=number,
                since=() if number == 0 else truth_of_side.events,
                before=truth_of_side.battles[0].state,
                chain=CHAIN,
            )
            _phase(dice, history, battle, snapshots[seq], factions, sheets, past)
        if dice.random() < 0.5:
            _of_others(dice, history, branch, snapshots[seq], factions, past)


def _battle(
    branch: models.Branch, seq: int, week: int, key: str, fight_truth: Truth
) -> models.Battle:
    return models.Battle.objects.create(
        public_id=outside_id(ID_SECRET, "battle", f"1/{week}/{key}"),
        branch=branch,
        seq=seq,
        week=week,
        key=key,
        mode=BattleMode.ONLINE,
        rules_version=NEWEST,
        schema=BATTLE_SCHEMA,
        start=fight_truth.document,
        state=fight_truth.battles[1].to_json(),
        dice_context=[],
        status="waiting",
    )


def _phase(
    dice: random.Random,
    history: History,
    battle: models.Battle,
    snapshot: models.Snapshot,
    factions: dict[str, models.Faction],
    sheets: PhaseSheets,
    past: bool,
) -> None:
    """Write a phase with its stage, sheets, drafts and envelopes; those of others are random."""
    open_now = sheets.number == 1 and not past
    stage = None
    if sheets.awaited_factions:
        stage = models.Stage.objects.create(
            branch=battle.branch,
            week=battle.week,
            kind=sheets.kind,
            battle=battle,
            ordinal=sheets.number,
            opens=BEGAN,
            closes=None,
            status=StageStatus.OPEN if open_now else StageStatus.RESOLVED,
            from_snapshot=snapshot,
        )
    for key in dice.sample(sorted(sheets.bodies), len(sheets.bodies)):
        body, mine = sheets.bodies[key], key == history.viewer
        place = f"1/{snapshot.seq}/{battle.key}#{sheets.number}"
        models.Report.objects.create(
            public_id=outside_id(ID_SECRET, "stop report", place, key),
            branch=battle.branch,
            seq=snapshot.seq,
            week=battle.week,
            stage=StageKind.BATTLES,
            faction=factions[key],
            kind="phase",
            subject=f"{battle.key}#{sheets.number}",
            schema=1,
            body=body,
        )
        if stage is None or not body["needs_orders"]:
            continue
        payload = phase_payload(body, body["advice"])
        version = 1 if mine else dice.randint(1, 5)
        draft = {"schema": 1, "battle": body["battle"], "stop": sheets.number, **body["advice"]}
        models.Draft.objects.create(
            stage=stage, faction=factions[key], payload=draft, version=version
        )
        if not open_now or (history.sealed if mine else dice.random() < 0.5 and not history.sealed):
            nonce = fair.server_nonce("00" * 32, "pair", 1, f"{battle.key}/{sheets.number}", key, 1)
            models.Submission.objects.create(
                stage=stage,
                faction=factions[key],
                revision=1,
                payload=payload,
                nonce=nonce,
                digest=fair.orders_digest(payload, nonce),
                source="player" if mine else dice.choice(("player", "default")),
                sealed_at=BEGAN,
            )


def _of_others(
    dice: random.Random,
    history: History,
    branch: models.Branch,
    snapshot: models.Snapshot,
    factions: dict[str, models.Faction],
    past: bool,
) -> None:
    """Write a battle in which the viewer has no part."""
    others = [key for key in history.others if key in factions]
    fight_truth = truth(history.scenario.slug, history.viewer, dice.choice((0, 1)))
    key = f"{dice.choice(history.scenario.systems).hex}/w{snapshot.week}/{'+'.join(others)}/{dice.random()}"
    battle = _battle(branch, snapshot.seq, snapshot.week, key, fight_truth)
    sheets = phase_sheets_for(
        battle,
        fight_truth.battles[0],
        fight_truth.parties,
        number=0,
        since=(),
        before=fight_truth.battles[0].state,
        chain=CHAIN,
    )
    swapped = {others[n % len(others)]: body for n, body in enumerate(sheets.bodies.values())}
    _phase(
        dice,
        history,
        battle,
        snapshot,
        factions,
        replace(sheets, bodies=swapped),
        past and dice.random() < 0.5,
    )
