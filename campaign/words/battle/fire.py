"""Words for the fire of ships, and for what groups of fighters do: how lines of a battle's log
about them are made.
"""

from __future__ import annotations

from campaign.words.battle.phrases import (
    Called,
    Words,
    die,
    far,
    hits_words,
    of_ship,
    place,
    systems,
    words_of,
)
from campaign.words.stored_reasons import reason_words
from engine.core.phrase import joined_phrases, phrase
from engine.english import Count, system_words
from engine.events.damage import Threshold
from engine.events.fire import (
    ArcRolled,
    BeamsFired,
    FlakBurst,
    Initiative,
    NeedleFired,
    NovaArmed,
    PackFired,
    PointDefence,
    ShotRefused,
    Swept,
    TorpedoFired,
)
from engine.pieces.dogfight_events import BrokeOff, DogfightBegun
from engine.pieces.group import CraftLost
from engine.pieces.group_events import FightersFired, FlightRefused, Flown, Launched, Recovered


@words_of(BeamsFired, PackFired)
def shot(event: BeamsFired | PackFired, names: Called) -> Words:
    screens = event.screens if isinstance(event, BeamsFired) else 0
    return _fires(event, names), far(event, phrase("arc {}", event.arc), screens=screens)


@words_of(TorpedoFired)
def torpedo(event: TorpedoFired, names: Called) -> Words:
    return _fires(event, names), phrase(
        "{:.0f} MU, needs {}, die {}", event.range, event.needed, event.die
    )


def _fires(event: BeamsFired | PackFired | TorpedoFired, names: Called) -> str:
    ship, target = names.of(event.ship), names.of(event.target)
    return phrase(
        "{} fires {} at {} and {}", ship, system_words(event.weapon), target, hits_words(event.hits)
    )


@words_of(NeedleFired)
def needle(event: NeedleFired, names: Called) -> Words:
    aimed = phrase("at {} of {}", system_words(event.system), names.of(event.target))
    return phrase("{} aims a needle beam {}", names.of(event.ship), aimed), phrase(
        "{:.0f} MU, die {}", event.range, event.die
    )


@words_of(Threshold)
def threshold(event: Threshold, names: Called) -> Words:
    lost = systems(event.lost)
    rolls = joined_phrases(
        ", ", (phrase("{} rolled {}", system_words(system), die) for system, die in event.rolls)
    )
    words = phrase(
        "{} makes a threshold check: {}",
        names.of(event.ship),
        phrase("loses {}", lost) if lost else phrase("nothing lost"),
    )
    return words, phrase("lost on {}+: {}", event.loses_on, rolls)


@words_of(Initiative)
def initiative(event: Initiative, names: Called) -> Words:
    rolls = joined_phrases(
        ", ", (phrase("{} {}", names.side(side), die) for side, die in event.rolls)
    )
    order = joined_phrases(", ", (names.side(side) for side in event.order))
    return phrase("Fire order: {}", order), phrase("dice {}", rolls)


STRIKE = "strike"  # fire of fighters at a ship that they attack


STRIKES = {
    "range": phrase("fire at"),
    "dogfight": phrase("dogfight with"),
    "parting": phrase("take a parting shot at"),
}


@words_of(FightersFired)
def fighters_fired(event: FightersFired, names: Called) -> Words:
    group, target = names.of(event.group), names.of(event.target)
    made = phrase("hit for {}", event.hits) if event.hits else phrase("hit nothing")
    if event.how == STRIKE:
        return phrase("{} attack {} and {}", group, target, made), far(event, screens=event.screens)
    how = STRIKES.get(event.how, phrase("fire {} at", event.how))
    return phrase("{} {} {} and {}", group, how, target, made), far(event, screens=event.screens)


@words_of(PointDefence)
def point_defence(event: PointDefence, names: Called) -> Words:
    made = phrase("{} shot down", event.hits) if event.hits else phrase("none hit")
    weapon = system_words(event.weapon)
    return phrase(
        "{} fires {} at {}: {}", names.of(event.ship), weapon, names.of(event.target), made
    ), far(event)


@words_of(Launched)
def launched(event: Launched, names: Called) -> Words:
    return phrase(
        "{} launches {}, {} craft", names.of(event.ship), names.of(event.group), event.craft
    ), ""


@words_of(CraftLost)
def craft_lost(event: CraftLost, names: Called) -> Words:
    left = phrase("{} left", event.left) if event.left else phrase("none left")
    return phrase("{} lose {} craft, {}", names.of(event.group), event.craft, left), die(event.die)


@words_of(ArcRolled)
def arc_rolled(event: ArcRolled, names: Called) -> Words:
    ship, target = names.of(event.ship), names.of(event.target)
    return phrase("{} treats {} as in arc {}", ship, target, event.arc), die(event.die)


@words_of(ShotRefused)
def shot_refused(event: ShotRefused, names: Called) -> Words:
    weapon = system_words(event.weapon)
    return phrase(
        "{} holds fire with {}: {}", names.of(event.ship), weapon, reason_words(event.why)
    ), ""


@words_of(DogfightBegun)
def dogfight_begun(event: DogfightBegun, names: Called) -> Words:
    return phrase(
        "{} {} {}", names.of(event.group), phrase("close with"), names.of(event.target)
    ), ""


RECOVERS = phrase("recovers {craft:craft} of")


@words_of(Recovered)
def recovered(event: Recovered, names: Called) -> Words:
    recovers = RECOVERS.format(craft=Count(event.craft))
    return phrase("{} {} {}", names.of(event.ship), recovers, names.of(event.group)), ""


@words_of(Swept)
def swept(event: Swept, names: Called) -> Words:
    ship = names.of(event.ship)
    return phrase("{} {}", ship, phrase("fires a sweep across the table")), system_words(
        event.weapon
    )


@words_of(FlakBurst)
def flak_burst(event: FlakBurst, names: Called) -> Words:
    words = phrase(
        "{} sets off flak {}, {:.0f} MU around", names.of(event.ship), place(event.at), event.radius
    )
    return words, system_words(event.weapon)


words_of(FlightRefused)(of_ship(phrase("cannot carry out {order}: {why}")))
words_of(Flown)(of_ship(phrase("fly, facing course {course}")))
words_of(BrokeOff)(of_ship(phrase("break off")))
words_of(NovaArmed)(of_ship(phrase("puts all power into its nova cannon")))
