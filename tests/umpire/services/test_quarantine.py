"""A stage that cannot be computed: all are notified, host and umpire choose how it continues."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaign.access import viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import BattleMode, Role, StageStatus
from campaign.models import Act, Battle, BattlePhase, Branch, Faction, Notification, Stage
from campaign.services.campaigns import membership_add
from campaign.services.tokens import token_make
from engine.core.errors import RuleViolations
from jobs.models import DONE, Job
from jobs.services import job_run
from tests.campaign.api.calls import Caller
from tests.umpire.services.wars import ATTACK, attack, play_until, start_campaign
from umpire.adjudication.fighting import PLAIN
from umpire.adjudication.smaller import shrink_battle
from umpire.services import slices, ticks
from umpire.services.ledger_checks import ledger_faults
from umpire.services.quarantine import AGAIN, BY_HAND, SMALLER, quarantined_stages, stage_remedy
from umpire.services.stages import entries_complete, stage_close
from umpire.tasks import TRIES, stage_enqueue

pytestmark = pytest.mark.django_db


class StuckWar:
    """A war with a battle, whose stage cannot be computed. `host` plays; `umpire` does not."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.campaign, stage = start_campaign(seed=12, admirals={"ember": ATTACK})
        self.stage = play_until("battles", stage)
        factions = {row.key: row for row in Faction.objects.filter(campaign=self.campaign)}
        self.host = User.objects.create_user("host")
        self.player = User.objects.create_user("player")
        self.umpire = User.objects.create_user("umpire")
        ember, other = sorted(factions)
        membership_add(campaign=self.campaign, user=self.host, role=Role.HOST)
        membership_add(
            campaign=self.campaign, user=self.host, role=Role.PLAYER, faction=factions[ember]
        )
        membership_add(
            campaign=self.campaign, user=self.player, role=Role.PLAYER, faction=factions[other]
        )
        membership_add(campaign=self.campaign, user=self.umpire, role=Role.UMPIRE)
        stage_close(stage=self.stage.pk, force=True)
        entries_complete(stage=self.stage.pk, admiral=attack)
        stage_enqueue("umpire.stage_resolve", self.stage.pk)
        with monkeypatch.context() as broken:
            broken.setattr(slices, "fight_by_captains", raise_memory_error)
            for _ in range(TRIES):
                job_run(job=self.job.pk)

    @property
    def job(self) -> Job:
        return Job.objects.get(kind="umpire.stage_resolve", args={"stage": self.stage.pk})

    def remedy(self, user: User, way: str) -> None:
        viewer = viewer_of(user, self.campaign.public_id)
        stage_remedy(viewer=viewer, stage=self.stage.ordinal, way=way, reason="the server gave up")

    def resolved(self) -> bool:
        job_run(job=self.job.pk)
        return Stage.objects.get(pk=self.stage.pk).status == StageStatus.RESOLVED


def raise_memory_error(_: Any) -> Any:
    raise MemoryError


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> StuckWar:
    return StuckWar(monkeypatch)


def page(user: User, path: str) -> str:
    client = Client()
    client.force_login(user)
    return client.get(path).content.decode()


def test_everybody_is_notified_once_and_sees_it(stuck: StuckWar) -> None:
    notifications = Notification.objects.filter(dedupe_key__startswith="stuck/")
    assert sorted(notifications.values_list("user__username", flat=True)) == [
        "host",
        "player",
        "umpire",
    ]
    assert len(set(notifications.values_list("body", flat=True))) == 1
    ((quarantined,),) = quarantined_stages([stuck.campaign.pk]).values()
    assert (quarantined.stage, quarantined.kind, quarantined.failures, quarantined.battle) == (
        stuck.stage.pk,
        "battles",
        TRIES,
        None,
    )
    assert quarantined.error.startswith("MemoryError in raise_memory_error")
    where = f"/c/{stuck.campaign.public_id}/"
    assert "The server cannot compute this stage" in page(stuck.player, where)
    for user, home in ((stuck.host, "host/"), (stuck.umpire, "umpire/")):
        assert "Choose how to continue" in page(user, f"{where}{home}")
    assert "Results by hand" not in page(stuck.host, f"{where}host/act/remedy/")
    assert "Results by hand" in page(stuck.umpire, f"{where}umpire/act/remedy/")


@pytest.mark.any_database
@pytest.mark.parametrize("way", [AGAIN, PLAIN, SMALLER])
def test_war_continues_in_the_way_the_host_chose(
    stuck: StuckWar, way: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr("umpire.services.quarantine.MAX_SHIPS", 6)
    stuck.remedy(stuck.host, way)
    assert stuck.resolved()
    assert stuck.job.status == DONE
    assert ledger_faults(branch=Branch.objects.get(campaign=stuck.campaign)) == ()
    assert Act.objects.get(verb="remedy").body["facts"]["way"] == way
    battle = Battle.objects.get(branch__campaign=stuck.campaign)
    assert BattlePhase.objects.filter(battle=battle).exists()
    assert (sum(len(side["ships"]) for side in battle.start["sides"]) <= 7) == (way == SMALLER)
    assert quarantined_stages([stuck.campaign.pk]) == {}
    with pytest.raises(NotAllowed):
        stuck.remedy(stuck.host, AGAIN)


def test_only_an_umpire_requests_a_manual_result(stuck: StuckWar) -> None:
    with pytest.raises(NotFound):
        stuck.remedy(stuck.player, AGAIN)
    with pytest.raises(RuleViolations):
        stuck.remedy(stuck.host, BY_HAND)
    body = {"stage": stuck.stage.ordinal, "way": BY_HAND, "reason": "we fight it ourselves"}
    statuses = []
    for user in (stuck.player, stuck.host, stuck.umpire):
        caller = Caller(user, token_make(user=user), str(stuck.campaign.public_id))
        statuses.append(caller.post("umpire/remedy/", body).status_code)
        statuses.append(caller.get("/api/umpire/troubles/").status_code)
    assert statuses == [404, 404, 422, 404, 200, 200]
    assert Act.objects.get(verb="remedy").body["reason"] == "we fight it ourselves"
    battle = Battle.objects.get(branch__campaign=stuck.campaign)
    assert battle.mode == BattleMode.TABLE
    assert not stuck.resolved()  # nothing continues before the result is there
    from umpire.services.tables import table_enter

    ships = {
        ship["id"]: {"status": "fighting", "damage": 0}
        for side in battle.start["sides"]
        for ship in side["ships"]
    }
    viewer = viewer_of(stuck.umpire, stuck.campaign.public_id)
    table_enter(viewer=viewer, battle=battle, payload={"turns": 3, "ships": ships})
    assert stuck.resolved()
    assert ledger_faults(branch=Branch.objects.get(campaign=stuck.campaign)) == ()


def test_smaller_battle_keeps_shares_and_groups() -> None:
    def ship(name: str, **more: Any) -> dict[str, Any]:
        return {"id": name, "class": "Frigate", **more}

    many = [ship(f"a{n}") for n in range(58)] + [ship("mother"), ship("rider", carried="mother")]
    few = [ship(f"b{n}") for n in range(20)]
    start: Any = {
        "edition": "continuum",
        "sides": [{"name": "a", "ships": many}, {"name": "b", "ships": few}],
    }
    small = shrink_battle(start, 40)
    assert [len(side["ships"]) for side in small["sides"]] == [30, 10]
    turned: Any = {**start, "sides": [{"name": "a", "ships": many[::-1]}, start["sides"][1]]}
    ids = {ship_entry["id"] for ship_entry in shrink_battle(turned, 8)["sides"][0]["ships"]}
    assert {"mother", "rider"} <= ids
    assert shrink_battle(start, 80) is start


@pytest.mark.any_database
def test_battle_in_slices_leaves_the_same_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stages = [
        play_until("battles", start_campaign(seed=12, admirals={"ember": ATTACK})[1])
        for _ in range(2)
    ]
    for stage, is_sliced in zip(stages, (False, True), strict=True):
        monkeypatch.setattr(slices, "SHORT", -1.0 if is_sliced else 1e9)
        monkeypatch.setattr(ticks, "SLICE", 0.0)  # one phase in each slice
        stage_close(stage=stage.pk, force=True)
        entries_complete(stage=stage.pk, admiral=attack)
        stage_enqueue("umpire.stage_resolve", stage.pk)
        job = Job.objects.get(args={"stage": stage.pk})
        runs = 0
        while not job_run(job=job.pk):
            runs += 1
            assert runs < 200
        assert (runs > 10) == is_sliced
    first, other = (
        [
            [phase.inputs, phase.events, phase.views, phase.chain]
            for phase in BattlePhase.objects.filter(battle__branch=stage.branch).order_by(
                "battle__key", "seq"
            )
        ]
        for stage in stages
    )
    assert first
    assert first == other
