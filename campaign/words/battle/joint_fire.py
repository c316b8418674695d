"""One line of a battle's log for like weapons of a ship that fire at the same target in a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, TypeGuard

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    details_words,
    dice_words,
    hits_words,
    titled_dice_words,
)
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun, kind_words, system_words
from engine.events.event import Event
from engine.events.fire import BeamsFired, GunFired

WeaponFire: TypeAlias = BeamsFired | GunFired


def runs_of_fire(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield adjacent events of like fire together, and every other event alone."""
    run: list[Event] = []
    for event in events:
        if run and not _is_like_fire(run[0], event):
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def is_joint_fire(run: Sequence[Event]) -> TypeGuard[Sequence[WeaponFire]]:
    """Return whether these events are the fire of several weapons that share a line."""
    return len(run) > 1


def joint_fire_words(shots: Sequence[WeaponFire], names: BattleNames) -> Words:
    """Describe the fire of several like weapons: their number and hits, and the dice of each."""
    first = shots[0]
    mode = first.mode if isinstance(first, GunFired) else ""
    words = phrase(
        "{} fires {}{} at {} and {}",
        names.of(first.ship),
        counted_noun(len(shots), system_words(_weapon_type(first))),
        phrase(" ({})", kind_words(mode)) if mode else "",
        names.of(first.target),
        hits_words(sum(shot.hits for shot in shots)),
    )
    circumstances = details_words(
        f"{first.range:.0f} MU",
        phrase("arc {}", first.arc),
        phrase("screens {}", first.screens) if first.screens else "",
        phrase("needs {}", first.needed) if isinstance(first, GunFired) and first.needed else "",
    )
    return words, join_phrases("; ", [circumstances, *map(_weapon_dice, shots)])


def _weapon_dice(shot: WeaponFire) -> str:
    """Return a weapon with its dice: "battery 1: dice 5 6"."""
    damage = shot.damage if isinstance(shot, GunFired) else ()
    rolls = details_words(dice_words(shot.dice), titled_dice_words(phrase("damage"), damage))
    weapon = system_words(shot.weapon)
    return phrase("{}: {}", weapon, rolls) if rolls else weapon


def _is_like_fire(first: Event, event: Event) -> bool:
    """Return whether two events are fire that differs only in the weapon's number and the dice."""
    if not isinstance(first, WeaponFire) or not isinstance(event, WeaponFire):
        return False
    return _common_values(first) == _common_values(event)


def _common_values(shot: WeaponFire) -> tuple[object, ...]:
    """Return what the shots in one line have in common."""
    mode_and_need = (shot.mode, shot.needed) if isinstance(shot, GunFired) else ()
    return (
        type(shot),
        shot.ship,
        shot.target,
        _weapon_type(shot),
        shot.range,
        shot.arc,
        shot.screens,
        mode_and_need,
    )


def _weapon_type(shot: WeaponFire) -> str:
    """Return the type of the weapon, its id without the number."""
    type_, _, number = shot.weapon.rpartition("-")
    return type_ if number.isdecimal() else shot.weapon
