"""Words for what lies on the table and for contacts, mines, asteroids, ends that people entered:
how lines of a log about them are made.
"""

from __future__ import annotations

from campaign.words.battle.phrases import (
    Called,
    Words,
    dice_words,
    die,
    far,
    hits_words,
    of_ship,
    place,
    systems,
    words_of,
)
from campaign.words.stored_reasons import reason_words
from engine.core.kinds import ShipStatus, SweepOutcome
from engine.core.phrase import phrase
from engine.english import counted_noun, system_words
from engine.events.detection import DummyFound, Revealed, ScanFailed, Scanning, Uncovered
from engine.events.entered import Entered
from engine.pieces.asteroid import Avoided, Crashed, Drifted, RockBroken, RockDamaged, RockShot
from engine.pieces.mine import MineDetonated, MineFired, MineLaid, MineSwept, Sweeping


@words_of(Revealed)
def revealed(event: Revealed, names: Called) -> Words:
    if event.ship != event.contact:
        return phrase("They identified {}", names.of(event.ship)), ""
    return phrase("{} is identified: {}", names.bogey(event.contact), names.of(event.ship)), ""


@words_of(DummyFound)
def dummy_found(event: DummyFound, names: Called) -> Words:
    if event.ship != event.contact:
        return phrase("{} is recognised as a decoy by the other side", names.of(event.ship)), ""
    return phrase("{} was a decoy drone", names.bogey(event.contact)), ""


@words_of(Drifted)
def drifted(event: Drifted, _: Called) -> Words:
    many = len(event.rocks)
    rocks = counted_noun(many, "asteroid")
    words = phrase("{} drifts", rocks) if many == 1 else phrase("{} drift", rocks)
    return phrase("{}, {} off the table", words, len(event.gone)) if event.gone else words, ""


@words_of(Entered)
def entered(event: Entered, names: Called) -> Words:
    words = phrase("{} {}", names.of(event.ship), ENDS.get(event.status, event.status))
    if event.captor:
        words = phrase("{} by {}", words, names.side(event.captor))
    damage, lost = phrase("{} damage", event.damage), systems(event.lost)
    return words, phrase("{}, lost {}", damage, lost) if lost else damage


ENDS: dict[str, str] = {
    ShipStatus.FIGHTING: phrase("is still on the table"),
    ShipStatus.LEFT: phrase("left the table"),
    ShipStatus.FTL: phrase("left under FTL"),
    ShipStatus.DESTROYED: phrase("is destroyed"),
    ShipStatus.CAPTURED: phrase("is captured"),
    ShipStatus.STRUCK: phrase("struck its colours, and is held"),
    ShipStatus.SCANNED_AWAY: phrase("was found to be a decoy drone"),
    ShipStatus.HULK: phrase("is adrift"),
    ShipStatus.LANDED: phrase("is on the ground"),
}


@words_of(MineLaid)
def mine_laid(event: MineLaid, names: Called) -> Words:
    return phrase("{} lays a mine {}", names.of(event.ship), place(event.at)), ""


@words_of(MineSwept)
def mine_swept(event: MineSwept, names: Called) -> Words:
    outcome = SweepOutcome.words(event.outcome)
    return phrase("{} {} {}", names.of(event.ship), outcome, place(event.at)), die(event.die)


@words_of(MineDetonated)
def mine_detonated(event: MineDetonated, names: Called) -> Words:
    return phrase("A mine goes off {}, near {}", place(event.at), names.of(event.near)), ""


@words_of(MineFired)
def mine_fired(event: MineFired, names: Called) -> Words:
    words = phrase("The mine strikes {} and {}", names.of(event.ship), hits_words(event.hits))
    dice = dice_words(event.dice)
    return words, phrase("{}, screens {}", dice, event.screens) if event.screens else dice


@words_of(ScanFailed)
def scan_failed(event: ScanFailed, names: Called) -> Words:
    ship, target = names.of(event.ship), names.of(event.target)
    return phrase("{} does not scan {}: {}", ship, target, reason_words(event.why)), ""


# What a Q ship does that shows what it is.
UNCOVERED = {
    "fires": phrase("fires"),
    "scans": phrase("scans"),
    "sweeps": phrase("sweeps mines"),
    "moves": phrase("moves"),
    "jumps": phrase("leaves under FTL"),
}


@words_of(Uncovered)
def uncovered(event: Uncovered, names: Called) -> Words:
    why = UNCOVERED.get(event.why, event.why)
    return phrase("{} is revealed as a {}: it {}", names.of(event.ship), event.cls, why), ""


AVOIDS = phrase("avoids asteroid {rock}")
HITS = phrase("hits asteroid {rock}")


@words_of(Avoided)
def avoided(event: Avoided, names: Called) -> Words:
    return phrase("{} {}", names.of(event.ship), AVOIDS.format(rock=event.rock)), die(event.die)


@words_of(Crashed)
def crashed(event: Crashed, names: Called) -> Words:
    return phrase("{} {}", names.of(event.ship), HITS.format(rock=event.rock)), die(event.die)


@words_of(RockShot)
def rock_shot(event: RockShot, names: Called) -> Words:
    ship, weapon = names.of(event.ship), system_words(event.weapon)
    made = hits_words(event.hits)
    return phrase("{} fires {} at asteroid {} and {}", ship, weapon, event.rock, made), far(event)


@words_of(RockDamaged)
def rock_damaged(event: RockDamaged, _names: Called) -> Words:
    words = phrase(
        "Asteroid {} takes {} of damage", event.rock, counted_noun(event.points, "point")
    )
    return words, phrase("{} in all", event.total)


@words_of(RockBroken)
def rock_broken(event: RockBroken, _names: Called) -> Words:
    return phrase(
        "Asteroid {} breaks into {}", event.rock, counted_noun(len(event.chunks), "piece")
    ), ""


words_of(Sweeping)(of_ship(phrase("sweeps for mines")))
words_of(Scanning)(of_ship(phrase("uses active sensors: everybody notices")))
