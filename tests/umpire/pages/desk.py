"""A war and everybody who could look at it, for the tests of the umpire's pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, Stage
from campaign.services.campaigns import membership_add
from tests.umpire.services.wars import ATTACK, resolved, started

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
EVERYBODY = (*ROLES, *OUTSIDE)


@dataclass
class Desk:
    """A campaign of which a battle is fought and another stage is open, and its people by their
    parts.
    """

    campaign: Campaign
    stage: Stage
    battle: str = ""
    people: dict[str, User | AnonymousUser] = field(default_factory=dict)

    def client(self, who: str) -> Client:
        """A browser in which somebody is logged in; `nobody`: nobody."""
        client = Client()
        if who != "nobody":
            user = self.people[who]
            assert isinstance(user, User)
            client.force_login(user, backend=LOGIN)
        return client

    def url(self, name: str, **more: object) -> str:
        return reverse(name, kwargs={"c": self.campaign.public_id, **more})


def desk_at(kind: str = "orders", week: int = 2, closes_in: int | None = 48) -> Desk:
    """A war of the small scenario, attacked in week 1 and brought to a stage of a week."""
    campaign, stage = started(seed=3, admirals={"ember": ATTACK})
    while (stage.week, stage.kind) != (week, kind):
        following = resolved(stage).next
        assert following is not None
        stage = following
    campaign.factions.update(admiral="")
    if closes_in is not None:
        Stage.objects.filter(pk=stage.pk).update(closes=timezone.now() + timedelta(hours=closes_in))
        stage.refresh_from_db()
    desk = Desk(campaign, stage)
    elsewhere, _ = started(seed=4)
    for where, parts in ((campaign, ROLES), (elsewhere, ELSEWHERE)):
        for who, seats in parts.items():
            user = User.objects.create_user(
                who.replace(" ", "-"), email=f"{who.replace(' ', '-')}@example.org"
            )
            for role, faction in seats:
                own = where.factions.get(key=faction) if faction else None
                membership_add(campaign=where, user=user, role=role, faction=own)
            desk.people[who] = user
    desk.people["superuser"] = User.objects.create_superuser("root")
    first = campaign.head_branch
    assert first is not None
    fought = first.battles.first()
    desk.battle = str(fought.public_id) if fought else ""
    return desk


def finished(desk: Desk) -> Desk:
    """The same war, fought to its end."""
    stage: Stage | None = desk.stage
    while stage is not None:
        stage = resolved(stage).next
    return desk
