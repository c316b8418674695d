"""A war with every kind of person who could look at it, for tests of the umpire's pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, Stage
from campaign.services.campaigns import membership_add
from tests.umpire.services.wars import ATTACK, resolve_stage, start_campaign

LOGIN = "config.sessions.Backend"
ROLES: dict[str, tuple[tuple[str, str], ...]] = {
    "umpire": (("umpire", ""),),
    "host": (("host", ""),),
    "host who plays": (("host", ""), ("player", "ember")),
    "player": (("player", "frost"),),
    "staff": (("staff", "ember"),),
    "observer": (("observer", ""),),
}
ELSEWHERE: dict[str, tuple[tuple[str, str], ...]] = {
    "umpire elsewhere": (("umpire", ""),),
    "player elsewhere": (("player", "ember"),),
}
OUTSIDE = ("superuser", *ELSEWHERE)
ALL_ROLES = (*ROLES, *OUTSIDE)


@dataclass
class StaffedWar:
    """A campaign with a battle behind it and another stage open, and its people by role."""

    campaign: Campaign
    stage: Stage
    battle: str = ""
    people: dict[str, User | AnonymousUser] = field(default_factory=dict)

    def client(self, role: str) -> Client:
        """Return a browser with somebody logged in; `nobody`: without a log-in."""
        client = Client()
        if role != "nobody":
            user = self.people[role]
            assert isinstance(user, User)
            client.force_login(user, backend=LOGIN)
        return client

    def url(self, name: str, **more: object) -> str:
        return reverse(name, kwargs={"c": self.campaign.public_id, **more})


def make_staffed_war(kind: str = "orders", week: int = 2, closes_in: int | None = 48) -> StaffedWar:
    """Create a war of the small scenario, attacked in week 1, at a stage of a week."""
    campaign, stage = start_campaign(seed=5, admirals={"ember": ATTACK})
    while (stage.week, stage.kind) != (week, kind):
        following = resolve_stage(stage).next
        assert following is not None
        stage = following
    campaign.factions.update(admiral="")
    if closes_in is not None:
        Stage.objects.filter(pk=stage.pk).update(closes=timezone.now() + timedelta(hours=closes_in))
        stage.refresh_from_db()
    desk = StaffedWar(campaign, stage)
    elsewhere, _ = start_campaign(seed=4)
    for where, parts in ((campaign, ROLES), (elsewhere, ELSEWHERE)):
        for role_name, seats in parts.items():
            user = User.objects.create_user(
                role_name.replace(" ", "-"), email=f"{role_name.replace(' ', '-')}@example.org"
            )
            for role, faction in seats:
                own_faction = where.factions.get(key=faction) if faction else None
                membership_add(campaign=where, user=user, role=role, faction=own_faction)
            desk.people[role_name] = user
    desk.people["superuser"] = User.objects.create_superuser("root")
    first = campaign.head_branch
    assert first is not None
    battle = first.battles.first()
    desk.battle = str(battle.public_id) if battle else ""
    return desk


def play_to_end(desk: StaffedWar) -> StaffedWar:
    """Return the same war, played to its end."""
    stage: Stage | None = desk.stage
    while stage is not None:
        stage = resolve_stage(stage).next
    return desk
