"""Sentences of a log about terrain, contacts, mines, asteroids and results entered by players."""

from __future__ import annotations

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    dice_words,
    die,
    hits_words,
    plural_words_of,
    point_words,
    range_words,
    ship_words_of,
    systems_words,
    words_of,
)
from engine.core.kinds import ShipStatus, SweepOutcome
from engine.core.phrase import phrase
from engine.english import counted_noun, system_words
from engine.events.detection import (
    ContactIdentified,
    DummyIdentified,
    QShipUncovered,
    ScanFailed,
    Scanning,
)
from engine.events.entered import ResultEntered
from engine.pieces.asteroid import (
    AsteroidAvoided,
    AsteroidBroken,
    AsteroidCollision,
    AsteroidDamaged,
    AsteroidsDrifted,
    AsteroidShot,
)
from engine.pieces.mine import MineDetonated, MineFired, MineLaid, MinesweepersActivated, MineSwept


@words_of(ContactIdentified)
def contact_identified_words(event: ContactIdentified, names: BattleNames) -> Words:
    if event.ship != event.contact:
        return phrase("They identified {}", names.of(event.ship)), ""
    return phrase("{} is identified: {}", names.bogey(event.contact), names.of(event.ship)), ""


@words_of(DummyIdentified)
def dummy_identified_words(event: DummyIdentified, names: BattleNames) -> Words:
    if event.ship != event.contact:
        return phrase("the other side recognises {} as a decoy", names.of(event.ship)), ""
    return phrase("{} was a decoy drone", names.bogey(event.contact)), ""


@plural_words_of(DummyIdentified)
def dummies_identified_words(event: DummyIdentified, names: BattleNames) -> Words:
    return phrase("{} were decoy drones", names.bogey(event.contact)), ""


@words_of(AsteroidsDrifted)
def asteroids_drifted_words(event: AsteroidsDrifted, _: BattleNames) -> Words:
    rock_count = len(event.rocks)
    rocks = counted_noun(rock_count, "asteroid")
    words = phrase("{} drifts", rocks) if rock_count == 1 else phrase("{} drift", rocks)
    if event.removed:
        words = phrase("{}; {} off the table", words, len(event.removed))
    return words, ""


@words_of(ResultEntered)
def result_entered_words(event: ResultEntered, names: BattleNames) -> Words:
    words = phrase("{} {}", names.of(event.ship), ENDS.get(event.status, event.status))
    if event.captor:
        words = phrase("{} by {}", words, names.side(event.captor))
    detail = phrase("{} damage", event.damage)
    lost_text = systems_words(event.lost)
    if lost_text:
        detail = phrase("{}, lost {}", detail, lost_text)
    return words, detail


ENDS: dict[str, str] = {
    ShipStatus.FIGHTING: phrase("is still on the table"),
    ShipStatus.LEFT_TABLE: phrase("left the table"),
    ShipStatus.FTL: phrase("left by FTL"),
    ShipStatus.DESTROYED: phrase("is destroyed"),
    ShipStatus.CAPTURED: phrase("is captured"),
    ShipStatus.SURRENDERED: phrase("struck its colours and is held"),
    ShipStatus.SCANNED_AWAY: phrase("was found to be a decoy drone"),
    ShipStatus.HULK: phrase("is adrift"),
    ShipStatus.LANDED: phrase("has landed"),
}


@words_of(MineLaid)
def mine_laid_words(event: MineLaid, names: BattleNames) -> Words:
    return phrase("{} lays a mine {}", names.of(event.ship), point_words(event.at)), ""


@words_of(MineSwept)
def mine_swept_words(event: MineSwept, names: BattleNames) -> Words:
    outcome = SweepOutcome.label_of(event.outcome)
    return phrase("{} {} {}", names.of(event.ship), outcome, point_words(event.at)), die(event.die)


@words_of(MineDetonated)
def mine_detonated_words(event: MineDetonated, names: BattleNames) -> Words:
    return phrase("A mine explodes {}, near {}", point_words(event.at), names.of(event.near)), ""


@words_of(MineFired)
def mine_fired_words(event: MineFired, names: BattleNames) -> Words:
    words = phrase("The mine attacks {} and {}", names.of(event.ship), hits_words(event.hits))
    detail = dice_words(event.dice)
    if event.screens:
        detail = phrase("{}, screens {}", detail, event.screens)
    return words, detail


@words_of(ScanFailed)
def scan_failed_words(event: ScanFailed, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    target = names.of(event.target)
    return phrase("{} does not scan {}: {}", ship, target, event.reason), ""


@plural_words_of(ScanFailed)
def scans_failed_words(event: ScanFailed, names: BattleNames) -> Words:
    ships = names.of(event.ship)
    return phrase("{} do not scan {}: {}", ships, names.of(event.target), event.reason), ""


# The actions that reveal a Q ship.
UNCOVERED = {
    "fires": phrase("fires"),
    "scans": phrase("scans"),
    "sweeps": phrase("sweeps mines"),
    "moves": phrase("moves"),
    "jumps": phrase("leaves by FTL"),
}


@words_of(QShipUncovered)
def q_ship_uncovered_words(event: QShipUncovered, names: BattleNames) -> Words:
    reason = UNCOVERED.get(event.cause, event.cause)
    return phrase(
        "{} is revealed as a {}: it {}", names.of(event.ship), phrase(event.cls), reason
    ), ""


AVOIDS = phrase("avoids asteroid {rock}")
AVOID = phrase("avoid asteroid {rock}")
HITS = phrase("hits asteroid {rock}")
HIT = phrase("hit asteroid {rock}")


@words_of(AsteroidAvoided)
def asteroid_avoided_words(event: AsteroidAvoided, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), AVOIDS.format(rock=event.rock)), die(event.die)


@plural_words_of(AsteroidAvoided)
def asteroid_avoided_by_several_words(event: AsteroidAvoided, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), AVOID.format(rock=event.rock)), ""


@words_of(AsteroidCollision)
def asteroid_collision_words(event: AsteroidCollision, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), HITS.format(rock=event.rock)), die(event.die)


@plural_words_of(AsteroidCollision)
def asteroid_collisions_words(event: AsteroidCollision, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), HIT.format(rock=event.rock)), ""


@words_of(AsteroidShot)
def asteroid_shot_words(event: AsteroidShot, names: BattleNames) -> Words:
    words = phrase(
        "{} fires {} at asteroid {} and {}",
        names.of(event.ship),
        system_words(event.weapon),
        event.rock,
        hits_words(event.hits),
    )
    return words, range_words(event)


@words_of(AsteroidDamaged)
def asteroid_damaged_words(event: AsteroidDamaged, _names: BattleNames) -> Words:
    words = phrase(
        "Asteroid {} takes {} of damage", event.rock, counted_noun(event.points, "point")
    )
    return words, phrase("lost in all: {}", event.total)


@words_of(AsteroidBroken)
def asteroid_broken_words(event: AsteroidBroken, _names: BattleNames) -> Words:
    return phrase(
        "Asteroid {} breaks into {}", event.rock, counted_noun(len(event.chunks), "piece")
    ), ""


ship_words_of(MinesweepersActivated, phrase("sweeps for mines"), phrase("sweep for mines"))
ship_words_of(
    Scanning,
    phrase("uses active sensors, which everybody notices"),
    phrase("use active sensors, which everybody notices"),
)
