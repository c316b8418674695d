"""Sentences of a battle's log about the fire of ships and the actions of fighter groups."""

from __future__ import annotations

from campaign.words.battle.movement import UNABLE
from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    die,
    hits_words,
    plural_words_of,
    point_words,
    range_words,
    ship_words_of,
    systems_words,
    words_of,
)
from engine.core.phrase import join_phrases, phrase
from engine.english import Count, system_words
from engine.events.battle import SetUpOrder
from engine.events.damage import ThresholdChecked
from engine.events.fire import (
    ArcRolled,
    AreaFireSwept,
    BeamsFired,
    FiringBegan,
    FlakBurst,
    Initiative,
    NeedleFired,
    NovaArmed,
    OrderOfOthersSet,
    PackFired,
    PointDefence,
    ShotRefused,
    TorpedoFired,
)
from engine.pieces.dogfight_events import DogfightBrokenOff, DogfightStarted
from engine.pieces.group import CraftLost
from engine.pieces.group_events import (
    CraftRecovered,
    FightersFired,
    FlightRefused,
    GroupLaunched,
    GroupMoved,
)


@words_of(BeamsFired, PackFired)
def beams_fired_words(event: BeamsFired | PackFired, names: BattleNames) -> Words:
    screens = event.screens if isinstance(event, BeamsFired) else 0
    return _fires(event, names), range_words(event, phrase("arc {}", event.arc), screens=screens)


@words_of(TorpedoFired)
def torpedo_fired_words(event: TorpedoFired, names: BattleNames) -> Words:
    return _fires(event, names), phrase(
        "{:.0f} MU, needs {}, die {}", event.range, event.needed, event.die
    )


def _fires(event: BeamsFired | PackFired | TorpedoFired, names: BattleNames) -> str:
    """Describe a ship's fire with a weapon at a target, and its hits."""
    return phrase(
        "{} fires {} at {} and {}",
        names.of(event.ship),
        system_words(event.weapon),
        names.of(event.target),
        hits_words(event.hits),
    )


@words_of(NeedleFired)
def needle_fired_words(event: NeedleFired, names: BattleNames) -> Words:
    target = phrase("at the {} of {}", system_words(event.system), names.of(event.target))
    words = phrase("{} aims a needle beam {}", names.of(event.ship), target)
    return words, phrase("{:.0f} MU, die {}", event.range, event.die)


@words_of(ThresholdChecked)
def threshold_checked_words(event: ThresholdChecked, names: BattleNames) -> Words:
    lost_text = systems_words(event.lost)
    result = phrase("loses {}", lost_text) if lost_text else phrase("nothing lost")
    rolls = []
    for system, number in event.rolls:
        rolls.append(phrase("{} rolled {}", system_words(system), number))
    words = phrase("{} makes a threshold check: {}", names.of(event.ship), result)
    return words, phrase("lost on {}+: {}", event.loses_on, join_phrases(", ", rolls))


@words_of(Initiative)
def initiative_words(event: Initiative, names: BattleNames) -> Words:
    return phrase("Fire order: {}", _order(event, names)), _dice(event, names)


@words_of(FiringBegan)
def firing_began_words(event: FiringBegan, names: BattleNames) -> Words:
    return phrase("Ships fire in turn, by sides: {}", _order(event, names)), ""


@words_of(OrderOfOthersSet)
def order_of_others_words(event: OrderOfOthersSet, names: BattleNames) -> Words:
    side = names.side(event.side)
    if not event.order:
        return phrase("If {} wins the initiative, dice decide the order of the others", side), ""
    words = phrase(
        "If {} wins the initiative, the others act in this order: {}", side, _order(event, names)
    )
    return words, ""


@words_of(SetUpOrder)
def set_up_order_words(event: SetUpOrder, names: BattleNames) -> Words:
    return phrase("Set-up order: {}", _order(event, names)), _dice(event, names)


def _order(
    event: FiringBegan | Initiative | OrderOfOthersSet | SetUpOrder, names: BattleNames
) -> str:
    return join_phrases(", ", (names.side(side) for side in event.order))


def _dice(event: Initiative | SetUpOrder, names: BattleNames) -> str:
    rolls = join_phrases(
        ", ", (phrase("{} {}", names.side(side), die) for side, die in event.rolls)
    )
    return phrase("dice {}", rolls)


STRIKE = "strike"  # fire of fighters at the ship they attack
# Other kinds of fire of fighters; any further one is named by its weapon
STRIKES = {
    "range": phrase("fire at"),
    "dogfight": phrase("dogfight with"),
    "parting": phrase("fire a parting shot at"),
}


@words_of(FightersFired)
def fighters_fired_words(event: FightersFired, names: BattleNames) -> Words:
    group = names.of(event.group)
    target = names.of(event.target)
    result = phrase("hit for {}", event.hits) if event.hits else phrase("hit nothing")
    detail = range_words(event, screens=event.screens)
    if event.armament == STRIKE:
        return phrase("{} attack {} and {}", group, target, result), detail
    verb = STRIKES.get(event.armament, phrase("fire {} at", event.armament))
    return phrase("{} {} {} and {}", group, verb, target, result), detail


@words_of(PointDefence)
def point_defence_words(event: PointDefence, names: BattleNames) -> Words:
    words = phrase(
        "{} fires {} at {}: {}",
        names.of(event.ship),
        system_words(event.weapon),
        names.of(event.target),
        phrase("{} shot down", event.hits) if event.hits else phrase("none hit"),
    )
    return words, range_words(event)


@words_of(GroupLaunched)
def group_launched_words(event: GroupLaunched, names: BattleNames) -> Words:
    return phrase(
        "{} launches {}, {} craft", names.of(event.ship), names.of(event.group), event.craft
    ), ""


@words_of(CraftLost)
def craft_lost_words(event: CraftLost, names: BattleNames) -> Words:
    rest = phrase("{} left", event.remaining) if event.remaining else phrase("none left")
    words = phrase("{} lose {} craft, {}", names.of(event.group), event.craft, rest)
    return words, die(event.die)


@words_of(ArcRolled)
def arc_rolled_words(event: ArcRolled, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    target = names.of(event.target)
    return phrase("{} counts {} as being in arc {}", ship, target, event.arc), die(event.die)


@plural_words_of(ArcRolled)
def arcs_rolled_words(event: ArcRolled, names: BattleNames) -> Words:
    ships = names.of(event.ship)
    return phrase("{} count {} as being in arc {}", ships, names.of(event.target), event.arc), ""


@words_of(ShotRefused)
def shot_refused_words(event: ShotRefused, names: BattleNames) -> Words:
    weapon = system_words(event.weapon)
    return phrase("{} holds fire with {}: {}", names.of(event.ship), weapon, event.reason), ""


@plural_words_of(ShotRefused)
def shots_refused_words(event: ShotRefused, names: BattleNames) -> Words:
    weapon = system_words(event.weapon)
    return phrase("{} hold fire with {}: {}", names.of(event.ship), weapon, event.reason), ""


@plural_words_of(DogfightStarted)
@words_of(DogfightStarted)
def dogfight_started_words(event: DogfightStarted, names: BattleNames) -> Words:
    return phrase(
        "{} {} {}", names.of(event.group), phrase("start a dogfight with"), names.of(event.target)
    ), ""


RECOVERS = phrase("recovers {craft:craft} of")


@words_of(CraftRecovered)
def craft_recovered_words(event: CraftRecovered, names: BattleNames) -> Words:
    recovers = RECOVERS.format(craft=Count(event.craft))
    return phrase("{} {} {}", names.of(event.ship), recovers, names.of(event.group)), ""


@words_of(AreaFireSwept)
def area_fire_swept_words(event: AreaFireSwept, names: BattleNames) -> Words:
    words = phrase("{} {}", names.of(event.ship), phrase("sweeps the table with its fire"))
    return words, system_words(event.weapon)


@plural_words_of(AreaFireSwept)
def several_swept_words(event: AreaFireSwept, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), phrase("sweep the table with their fire")), ""


@words_of(FlakBurst)
def flak_burst_words(event: FlakBurst, names: BattleNames) -> Words:
    words = phrase(
        "{} sets off flak {}, {:.0f} MU around",
        names.of(event.ship),
        point_words(event.at),
        event.radius,
    )
    return words, system_words(event.weapon)


# A group is named in the plural: "fighters 3"
ship_words_of(FlightRefused, UNABLE, UNABLE)
ship_words_of(
    GroupMoved, phrase("fly, facing course {course}"), phrase("fly, facing course {course}")
)
ship_words_of(
    DogfightBrokenOff, phrase("break off their dogfight"), phrase("break off their dogfight")
)
ship_words_of(
    NovaArmed,
    phrase("puts all power into its nova cannon"),
    phrase("put all power into their nova cannons"),
)
