"""Battles that begin with a position of another battle, once all of that one is revealed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from campaign.access import Viewer, viewer_of
from campaign.errors import NotAllowed, NotFound
from campaign.kinds import TABLE
from campaign.models.battle import Battle
from campaign.models.campaign import Campaign
from campaign.models.own_scenario import PrivateScenario
from campaign.models.scenario import Scenario as ScenarioRow
from campaign.rules.skirmish import is_skirmish, skirmish_scenario
from campaign.selectors.clock import factions_of
from campaign.selectors.families import may_be_public
from campaign.selectors.truth import phases_of, upgraded_phases
from campaign.services.scenarios import scenario_import
from campaign.services.seats import COMPUTER, campaign_begin, campaign_open
from campaign.store.documents import scenario_of, stored_scenario
from campaign.words.common import battle_words
from engine.battle import start
from engine.core.errors import RuleViolations
from engine.core.phrase import phrase
from engine.core.state import PLOT, SET_UP, BattleState
from engine.documents import event_from_json, replay
from engine.notation.positions import cannot_begin, position_file
from umpire.services.records import start_of

SLUG = "position"
NO_POSITION = phrase("no battle can begin with this position")
HIDDEN = phrase("the positions of this battle are still secret")


def may_play_on(viewer: Viewer) -> bool:
    """Return whether the viewer may begin battles with positions of this war's battles."""
    has_played = viewer.faction is not None and viewer.guest_of is None
    return has_played and may_be_public(campaign=viewer.campaign)


def position_turns(battle: Battle) -> list[int]:
    """Return the turns of a battle with whose beginning another battle can begin."""
    first: BattleState | None = None
    turns = []
    for turn, state in _positions(battle):
        if first is None:
            first = state
        if not cannot_begin(first, state):
            turns.append(turn)
    return turns


@transaction.atomic
def play_on(*, viewer: Viewer, battle: Battle, turn: int, play: str) -> Campaign:
    """Begin a battle with a position of a battle of the viewer's war, against the computer.

    Args:
        battle: It belongs to the war.
        turn: The position is that before its plots.
        play: The key of the side that the viewer leads.

    Raises:
        NotAllowed: The position is secret, or no battle can begin with it.
        RuleViolations: There is no such side.
    """
    if not may_play_on(viewer):
        raise NotAllowed(HIDDEN)
    row = position_scenario(user=viewer.user, campaign=viewer.campaign, battle=battle, turn=turn)
    characters = {}
    for faction in factions_of(viewer.campaign):
        characters[faction.key] = faction.admiral or COMPUTER
    sides = [faction.id for faction in stored_scenario(row).factions]
    new = campaign_open(
        user=viewer.user,
        scenario=row,
        play=play,
        admirals={key: characters.get(key, COMPUTER) for key in sides if key != play},
    )
    campaign_begin(viewer=viewer_of(viewer.user, new.public_id))
    return new


def position_scenario(
    *, user: AbstractBaseUser, campaign: Campaign, battle: Battle, turn: int
) -> ScenarioRow:
    """Store a position as the scenario of a single battle that nobody sees in lists.

    The caller has checked that the user may know the position.

    Raises:
        NotAllowed: No battle can begin with it.
    """
    found = position_of(battle, turn)
    file = position_file(start_of(battle), found)
    names = {faction.key: faction.name for faction in factions_of(campaign)}
    scenario = scenario_of(campaign)
    name = scenario.name if is_skirmish(scenario) else battle_words(scenario, _hex_of(battle))
    data: dict[object, object] = {
        "slug": SLUG,
        "name": str(phrase("{}, turn {}", name, turn)),
        "edition": scenario.edition,
        "factions": [{"id": side["name"], "name": names[side["name"]]} for side in file["sides"]],
    }
    try:
        document = skirmish_scenario(data, file, {})
    except RuleViolations as error:
        raise NotAllowed(NO_POSITION) from error
    slug = f"{SLUG}-{battle.public_id.hex}-{turn}"
    row = scenario_import(scenario=replace(document, slug=slug))
    PrivateScenario.objects.get_or_create(scenario=row, defaults={"user_id": user.pk})
    return row


def position_of(battle: Battle, turn: int) -> BattleState:
    """Return the position before the plots of a turn.

    Raises:
        NotAllowed: No battle can begin with it.
        NotFound: The battle has no such turn.
    """
    first: BattleState | None = None
    for number, state in _positions(battle):
        first = first or state
        if number == turn:
            if cannot_begin(first, state):
                raise NotAllowed(NO_POSITION)
            return state
    raise NotFound(phrase("the battle has no such turn"))


def _positions(battle: Battle) -> Iterator[tuple[int, BattleState]]:
    """Yield each turn of a battle with the position before its plots.

    Allies on one side have no battle of their own, so their battles have no positions.
    """
    phases = upgraded_phases(phases_of(battle=battle))
    has_allies = any("+" in side["name"] for side in battle.start["sides"])
    if not phases or has_allies or phases[0].inputs["phase"] == TABLE:
        return
    asks_set_up = phases[0].inputs["phase"] == SET_UP
    state = start(start_of(battle), asks_set_up=asks_set_up).state
    for phase in phases:
        if phase.inputs["phase"] == PLOT:
            yield phase.inputs["turn"], state
        state = replay(state, map(event_from_json, phase.events))


def _hex_of(battle: Battle) -> str:
    """Return the hex of a battle, with which its key begins."""
    return battle.key.partition("/")[0]
