"""The API resource of a finished war's luck account."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from rest_framework.request import Request

from campaign.api.resource import Resource, heavy, json_response
from campaign.api.schema import documented
from campaign.errors import NotFound
from campaign.selectors.families import may_be_public
from engine.core.phrase import phrase
from umpire.services.luck import luck_of


@dataclass(frozen=True, slots=True)
class LuckLineSheet:
    """What the dice of a faction did in a part of a battle.

    Attributes:
        part: Such as beams or thresholds.
        battle: The id of the battle; empty for all battles together.
        dice: How many were rolled.
        effect: What they did: points of damage, craft, systems, successes.
        expected: What was to be expected of so many dice.
        deviation: The standard deviation of that.
        p: The chance of a number at least as far from the expected one, on either side.
        better_than: The share of wars with worse luck.
    """

    faction: str
    part: str
    battle: str
    dice: int
    effect: int
    expected: float
    deviation: float
    p: float
    better_than: float


@dataclass(frozen=True, slots=True)
class LuckSheet:
    """The luck account of a war.

    Attributes:
        lines: Of all battles together, by faction and part; then those of each battle.
        not_counted: How many events of each kind had dice that are not counted.
    """

    lines: list[LuckLineSheet]
    not_counted: dict[str, int]


class LuckResource(Resource):
    """The luck account of a war, once its story is public."""

    @documented(
        "luck",
        "The luck account of a finished war",
        {200: LuckSheet},
        problems=(404, 503),
    )
    @heavy
    def get(self, request: Request, campaign: str) -> HttpResponse:
        """Return what dice did in battles, and what was to be expected; 404 before the end."""
        war = self.viewer(campaign).campaign
        if war.head_branch is None or not may_be_public(campaign=war):
            raise NotFound(phrase("the story of this war is not public yet"))
        account = luck_of(war.head_branch)
        lines = []
        for line in account.lines:
            lines.append(
                LuckLineSheet(
                    faction=line.faction,
                    part=line.part.value,
                    battle=line.battle,
                    dice=line.dice,
                    effect=line.effect,
                    expected=line.expected,
                    deviation=line.deviation,
                    p=line.p,
                    better_than=line.better_than,
                )
            )
        return json_response(LuckSheet(lines, dict(account.not_counted)))
