"""What follows from the world after a stage: the battles to be fought next, and all views."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from campaign.kinds import StageKind
from campaign.rules.perception import build_view
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice, View
from campaign.rules.world import Engagement, World
from engine.notation.battle_file import BattleFileDocument
from umpire.adjudication.battles import battle_setup
from umpire.adjudication.set_ups import views_with_set_ups

SetUpSalt = Callable[[str], bytes]  # takes the key of an engagement


def battle_files(
    scenario: Scenario, world: World, salt: SetUpSalt, rules: str
) -> tuple[tuple[Engagement, BattleFileDocument], ...]:
    """Return the engagements of a world that waits for battles, by key, with their battle files.

    Args:
        salt: Of the contact codes and the first dice of a battle.
        rules: The version of the rules of its week.
    """
    if world.stage != StageKind.BATTLES:
        return ()
    result: list[tuple[Engagement, BattleFileDocument]] = []
    for engagement in sorted(world.engagements, key=lambda item: item.key):
        file = battle_setup(scenario, world, engagement, salt=salt(engagement.key), rules=rules)
        result.append((engagement, file))
    return tuple(result)


def views_after(
    scenario: Scenario,
    world: World,
    factions: Iterable[str],
    previous: Mapping[str, View],
    notices: Mapping[str, Sequence[Notice]],
    files: Mapping[str, BattleFileDocument],
) -> dict[str, View]:
    """Return the views of factions after a stage.

    Args:
        files: The files of the battles to be fought now, by the keys of their engagements.
    """
    views = {}
    for key in factions:
        views[key] = build_view(scenario, world, key, previous.get(key), notices.get(key, ()))
    return views_with_set_ups(views, world, files)
