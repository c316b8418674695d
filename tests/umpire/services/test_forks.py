"""Forks: what they begin with, who may make one, what stays secret, and their archives."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.access import Viewer, viewer_of
from campaign.errors import AlreadyOver, NotAllowed, NotFound
from campaign.kinds import BranchKind
from campaign.models import Branch, Campaign, Lineage, Simulation, Snapshot, Stage, View
from campaign.selectors.entropy import genesis
from campaign.selectors.families import may_be_public
from campaign.services.campaigns import membership_add
from campaign.services.simulation_work import simulations_work
from campaign.sight.views import current_sight
from engine.core.canonical import digest
from engine.core.errors import RuleViolations
from proof.archive import archive_bytes, archive_line
from proof.check import Options, Verdict
from proof.derived import with_derived
from proof.findings import Exit, Level
from proof.forks import UNPROVEN
from tests.proof.archived import Body, page_answer, page_verdicts, verdict_of_bytes
from tests.row_cache import build_once
from tests.umpire.services.wars import ATTACK, attack, campaign_at, campaign_of, resolve_stage
from umpire.services import fork_rights
from umpire.services.archives import archive_lines
from umpire.services.checking import campaign_faults
from umpire.services.fork_rights import fork_refusal
from umpire.services.fork_starts import fork_weeks
from umpire.services.forks import ForkSettings, history_fork
from umpire.services.history import head_place, history_take_back
from umpire.services.proposals import proposal_answer
from umpire.services.reveal import reveal_propose, seeds_reveal
from umpire.services.wars import campaign_start, war_run
from umpire.services.what_ifs import wars_of_question, what_if_balance, what_if_question

pytestmark = pytest.mark.django_db
WEEK = 2


def finished_war() -> Campaign:
    """Return a war of computers that is over, built once in a run."""

    def build() -> Campaign:
        campaign = campaign_of(seed=7, admirals={"ember": ATTACK})
        war_run(campaign=campaign, progress=lambda _: None, admiral=attack)
        return Campaign.objects.get(pk=campaign.pk)

    return build_once("finished war to fork", build)


def member(campaign: Campaign, name: str, role: str, faction: str = "") -> Viewer:
    """Return the viewer of a new member."""
    user, _ = User.objects.get_or_create(username=name)
    row = campaign.factions.get(key=faction) if faction else None
    membership_add(campaign=campaign, user=user, role=role, faction=row)
    return viewer_of(user, campaign.public_id)


def archive_so_far(campaign: Campaign, without: str = "") -> bytes:
    """Return the archive that a war would have if it ended now, perhaps without a kind of lines."""
    lines = [line for line in with_derived(archive_lines(campaign)) if line.kind != without]
    return b"".join(archive_bytes(archive_line(line.kind, line.body) for line in lines))


def verdict_of(data: bytes) -> Verdict:
    return verdict_of_bytes(data, Options(level=Level.WEEKS))


def page_faults(*files: Path) -> list[str | None]:
    """Return what the verifier of the offline page finds in archives."""
    verdicts = page_verdicts([str(file) for file in files])
    return [verdict["fault"] and verdict["fault"]["words"] for verdict in verdicts]


def test_fork_begins_with_the_world_and_views_of_its_parent() -> None:
    parent = finished_war()
    host = member(parent, "hanna", "host")
    weeks = fork_weeks(parent)
    assert [stage.week for stage in weeks] == sorted((row.week for row in weeks), reverse=True)
    fork = history_fork(viewer=host, week=WEEK, settings=ForkSettings(play="ember"))
    other = history_fork(
        viewer=host, week=WEEK, stage="decisions", settings=ForkSettings(name="Another")
    )
    assert genesis(fork) != genesis(other)
    assert fork.seed not in (parent.seed, other.seed)
    snapshot = Snapshot.objects.get(branch__campaign=parent, stage="orders", week=WEEK)
    assert fork.forked_from_id == snapshot.pk
    branch = Branch.objects.get(campaign=fork)
    assert (branch.kind, branch.parent_id, branch.head_id) == (BranchKind.FORK, snapshot.pk, None)
    assert Lineage.objects.get(branch=branch).ancestor_id == branch.pk
    stage = campaign_start(campaign=fork)
    assert (stage.week, stage.kind, stage.ordinal) == (WEEK, "orders", 0)
    fork = Campaign.objects.get(pk=fork.pk)
    assert stage.from_snapshot.sha256 == snapshot.sha256
    for faction in fork.factions.all():
        view = View.objects.get(snapshot=snapshot, faction__key=faction.key)
        assert current_sight(fork, faction).etag == view.sha256
    assert campaign_faults(fork) == []
    decisions = campaign_start(campaign=other)
    assert (decisions.week, decisions.kind, decisions.ordinal) == (WEEK, "decisions", 0)
    assert campaign_faults(Campaign.objects.get(pk=other.pk)) == []


def played_fork(kind: str) -> Campaign:
    """Return a fork from a kind of stages, a few stages after its start."""
    parent = finished_war()
    host = member(parent, "hanna", "host")
    fork = history_fork(viewer=host, week=WEEK, stage=kind)
    stage = campaign_start(campaign=fork)
    assert (stage.week, stage.kind, stage.ordinal) == (WEEK, kind, 0)
    while stage.kind != "orders" or stage.ordinal == 0:
        following = resolve_stage(stage).next
        if following is None:
            break
        stage = following
    return Campaign.objects.get(pk=fork.pk)


def test_fork_is_proven_from_the_row_of_its_parent(tmp_path: Path) -> None:
    fork = played_fork("battles")
    row = Stage.objects.get(branch__campaign=fork, ordinal=0).ledger_row
    assert row.seq == 0
    assert row.prev_hash == genesis(fork)
    opening = row.body["opening"]
    assert opening["kind"] == "fork"
    assert opening["seed_sha256"] == fork.seed_sha256
    before = Stage.objects.get(to_snapshot=fork.forked_from)
    assert opening["parent"] == [str(before.branch.campaign.public_id), 1, before.ordinal + 1]
    assert opening["parent_row"] == before.ledger_row.hash
    assert campaign_faults(fork) == []
    whole, orphan, forged = tmp_path / "whole", tmp_path / "orphan", tmp_path / "forged"
    whole.write_bytes(archive_so_far(fork))
    orphan.write_bytes(archive_so_far(fork, "parent"))
    forged.write_bytes(changed_line(whole.read_bytes(), "snapshot", move_to_next_week))
    verdict = verdict_of(whole.read_bytes())
    assert verdict.differences == []
    assert verdict.exit in (Exit.PROVEN, Exit.AS_FAR_AS_SHOWN)
    assert verdict_of(orphan.read_bytes()).exit == Exit.DIFFERS
    (difference,) = verdict_of(forged.read_bytes()).differences
    assert difference.words == "the row of the other war does not cover the first 'snapshot'"
    assert page_faults(whole, orphan, forged) == [
        None,
        "the war it was forked from is missing",
        "the other war does not cover the first 'snapshot'",
    ]
    unproven = tmp_path / "unproven"
    unproven.write_bytes(changed_line(whole.read_bytes(), "parent", forget_proofs))
    assert UNPROVEN in verdict_of(unproven.read_bytes()).limits
    pages = page_answer([str(whole), str(unproven)])["verdicts"]
    assert [page["limits"] for page in pages] == [[], ["unproven-fork"]]


def changed_line(data: bytes, kind: str, change: Callable[[Body], None]) -> bytes:
    """Return an archive whose first line of a kind was changed."""
    lines = data.splitlines(keepends=True)[:-1]
    for index, line in enumerate(lines):
        body = json.loads(line)
        if body.pop("kind") == kind:
            change(body)
            lines[index] = archive_line(kind, body)
            break
    return b"".join(archive_bytes(lines))


def move_to_next_week(body: Body) -> None:
    """Change a world, with its hash."""
    body["world"]["body"]["week"] += 1
    body["sha256"] = digest(body["world"])


def forget_proofs(body: Body) -> None:
    """Leave out that the row of the other war covers the first world."""
    body["leaves"] = []


@pytest.mark.any_database
def test_secrets_of_the_family_stay_until_the_fork_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = finished_war()
    host = member(parent, "hanna", "host")
    assert may_be_public(campaign=parent)
    fork = history_fork(viewer=host, week=WEEK)
    assert not may_be_public(campaign=parent)
    assert not may_be_public(campaign=fork)
    later = timezone.now() + timedelta(days=8)
    with monkeypatch.context() as patched:
        patched.setattr("campaign.selectors.families.timezone.now", lambda: later)
        assert may_be_public(campaign=parent)
        assert not may_be_public(campaign=fork)
    campaign_start(campaign=fork)
    assert not may_be_public(campaign=parent)
    assert_all_sides_can_agree_to_publish(parent, Campaign.objects.get(pk=fork.pk))
    war_run(campaign=Campaign.objects.get(pk=fork.pk), progress=lambda _: None, admiral=attack)
    assert may_be_public(campaign=parent)
    assert may_be_public(campaign=Campaign.objects.get(pk=fork.pk))


def assert_all_sides_can_agree_to_publish(parent: Campaign, fork: Campaign) -> None:
    """Vote in both wars; the seed is published with the last consent. Nothing stays changed."""
    with transaction.atomic():
        pia = member(parent, "pia", "player", "ember")
        member(parent, "ruth", "player", "frost")
        olaf = member(fork, "olaf", "player", "ember")
        with pytest.raises(NotAllowed):
            reveal_propose(viewer=olaf)  # the fork goes on
        client = Client()
        client.force_login(User.objects.get(username="pia"))
        check_page = client.get(f"/c/{parent.public_id}/check/").content.decode()
        assert "Propose to publish it now" in check_page
        votes = {vote.campaign_id: vote for vote in reveal_propose(viewer=pia)}
        assert set(votes) == {parent.pk, fork.pk}
        with pytest.raises(NotAllowed):
            reveal_propose(viewer=pia)
        client.force_login(User.objects.get(username="olaf"))
        page = client.get(f"/c/{fork.public_id}/rollback/").content.decode()
        assert "This cannot be undone" in page
        proposal_answer(viewer=olaf, proposal=votes[fork.pk].pk, agree=True)
        assert not may_be_public(campaign=parent)
        assert seeds_reveal(now=timezone.now()) == 0
        client.force_login(User.objects.get(username="ruth"))
        war_page = client.get(f"/c/{parent.public_id}/").content.decode()
        assert "Read and answer" in war_page  # although the war is over
        check_page = client.get(f"/c/{parent.public_id}/check/").content.decode()
        assert "A vote is open" in check_page
        assert "Propose to publish it now" not in check_page
        assert client.get(f"/api/campaigns/{parent.public_id}/luck/").status_code == 404
        form = {"act": "agree", "proposal": votes[parent.pk].pk}
        client.post(f"/c/{parent.public_id}/rollback/", form)
        assert may_be_public(campaign=parent)
        assert not may_be_public(campaign=fork)
        assert seeds_reveal(now=timezone.now()) == 1
        ledger = client.get(f"/api/campaigns/{parent.public_id}/ledger/").json()
        assert ledger["end"]["body"]["seed"] == parent.seed
        assert ledger["end"]["prev_hash"] == ledger["rows"][-1]["hash"]
        assert client.get(f"/c/{parent.public_id}/ledger/").content.decode().count(parent.seed) == 1
        luck = client.get(f"/api/campaigns/{parent.public_id}/luck/").json()
        assert {line["battle"] for line in luck["lines"]} >= {""}
        transaction.set_rollback(True)


def test_running_war_can_be_forked_only_by_its_single_player() -> None:
    campaign, stage = campaign_at("orders")
    player = member(campaign, "pia", "player", "ember")
    assert fork_refusal(player) == ""
    practice = history_fork(viewer=player, week=stage.week)
    assert fork_refusal(player) == ""
    rival = member(practice, "ruth", "player", "frost")
    assert fork_refusal(rival) == fork_rights.NOT_BEGUN
    campaign_start(campaign=practice)
    assert fork_refusal(player) == fork_rights.FAMILY_RUNS
    other = member(campaign, "olaf", "player", "frost")
    with pytest.raises(NotAllowed, match="shares this history"):
        history_fork(viewer=other, week=stage.week)


def test_faults_of_a_fork_are_listed() -> None:
    host = member(finished_war(), "hanna", "host")
    with pytest.raises(RuleViolations) as caught:
        history_fork(
            viewer=host,
            week=99,
            settings=ForkSettings(name="x" * 300, play="nobody", admirals={"ember": "mad"}),
        )
    codes = [violation.where for violation in caught.value.violations]
    assert codes == ["name", "admirals.ember", "play", "week"]


def test_wars_from_a_week_are_the_same_each_time_and_only_after_the_end() -> None:
    parent = finished_war()
    parent.factions.update(admiral="")
    question = what_if_question(parent, WEEK)
    war = wars_of_question(question)
    samples = [war(number) for number in (0, 1, 0)]
    assert samples[0] == samples[2]
    assert all(weeks >= WEEK for _, _, weeks in samples)
    assert what_if_balance(parent, samples).wars == len(samples)
    with pytest.raises(NotFound):
        what_if_question(parent, 99)
    history_fork(viewer=member(parent, "hanna", "host"), week=WEEK)
    for ask in (lambda: what_if_question(parent, WEEK), lambda: wars_of_question(question)):
        with pytest.raises(NotFound):
            ask()


def test_finished_war_is_not_rolled_back(client: Client) -> None:
    parent = finished_war()
    host = member(parent, "hanna", "host")
    client.force_login(User.objects.get(pk=host.user.pk))
    address = reverse("rollback", args=[parent.public_id])
    page = client.get(address).content.decode()
    assert "it can no longer be rolled back" in page
    assert "Choose this stage" not in page
    head = head_place(parent)
    with pytest.raises(AlreadyOver, match="the war is over"):
        history_take_back(viewer=host, to=head, head=head, reason="a wrong order")


def test_page_forks_the_war_and_plays_wars_between_computers(client: Client) -> None:
    parent = finished_war()
    parent.factions.update(admiral="")
    host = member(parent, "hanna", "host")
    client.force_login(User.objects.get(pk=host.user.pk))
    address = reverse("fork", args=[parent.public_id])
    for name in ("public", "story", "rollback"):
        page = client.get(reverse(name, args=[parent.public_id])).content.decode()
        assert f'href="{address}"' in page
    page = client.get(address).content.decode()
    assert "Fork the war" in page
    assert "Play 100 wars" in page
    assert not Simulation.objects.exists()
    answer = client.get(address, {"week": WEEK, "play": 1})
    assert f"From week {WEEK}: 0 of 100 wars" in answer.content.decode()
    simulations_work({"user": host.user.pk})
    fragment = client.get(address, {"week": WEEK, "play": 1}, headers={"HX-Request": "true"})
    played = Simulation.objects.get().battles_done
    assert f"{played} of 100 wars" in fragment.content.decode()
    assert "<html" not in fragment.content.decode()
    stopped = client.get(address, {"week": WEEK, "play": 1, "stop": 1})
    assert "Play more wars" in stopped.content.decode()
    assert client.get(address, {"week": 99}).status_code == 404
    refused = client.post(address, {"start": "x"})
    assert refused.status_code == 422
    done = client.post(address, {"start": f"{WEEK}-orders", "name": "What if", "play": "ember"})
    fork = Campaign.objects.get(name="What if")
    assert done["Location"] == reverse("lobby", args=[fork.public_id])
    assert "This war is a fork" in client.get(done["Location"]).content.decode()
    page = client.get(address).content.decode()
    assert "Computer against computer" not in page
    assert "Another war shares its history" in page


@pytest.mark.any_database
def test_pages_of_a_forked_war_say_that_its_story_is_secret(client: Client) -> None:
    parent = finished_war()
    host = member(parent, "hanna", "host")
    client.force_login(User.objects.get(pk=host.user.pk))

    def page_of(name: str) -> str:
        return client.get(reverse(name, args=[parent.public_id])).content.decode()

    assert "Everybody can now read" in page_of("lobby")
    assert "Another war shares its history" not in page_of("public")
    history_fork(viewer=host, week=WEEK)
    lobby = page_of("lobby")
    assert "Everybody can now read" not in lobby
    assert "when the last war that shares its history is over" in lobby
    for name in ("story", "public"):
        assert "Another war shares its history" in page_of(name)
    assert client.get(reverse("story-archive", args=[parent.public_id])).status_code == 404
