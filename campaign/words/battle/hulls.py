"""Words for what happens to a ship's hull and systems in a battle: fire, armour, notes on its
sheet, repairs, cores.
"""

from __future__ import annotations

from campaign.words.battle.phrases import (
    Called,
    Words,
    dice_words,
    die,
    of_ship,
    place,
    systems,
    words_of,
)
from engine.continuum.cores import BRIDGE, LIFE_SUPPORT
from engine.continuum.damage import FLAW
from engine.core.facts import FOREVER, facts_of
from engine.core.kinds import (
    AdriftCause,
    CloakKind,
    DecloakReason,
    DriveOutcome,
)
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship_facts import ShipRecord, ThisTurn
from engine.english import counted_noun, kind_words, system_words
from engine.events.damage import (
    Absorbed,
    Adrift,
    Burned,
    ChargeRolled,
    CoreHit,
    Damaged,
    Destroyed,
    Detonated,
    Marked,
    Noted,
    ReactorRolled,
    Reflected,
    Regenerated,
    Repaired,
    SystemChecked,
    SystemLost,
)
from engine.events.detection import Cloaked, Decloaked
from engine.events.fire import GunFired, RoundDrawn, Spent, Struck
from engine.events.movement import EmergencyThrust, InSquadron

# How a fact that is written down on a ship's sheet is told, and one that is rubbed out; those
# without words say nothing that another line does not say.
SAID = {name: one.said for name, one in {**facts_of(ShipRecord), **facts_of(ThisTurn)}.items()}
NOTED = (phrase("notes {words} {value} on its sheet"), phrase("removes {words} from its sheet"))


@words_of(GunFired)
def fired(event: GunFired, names: Called) -> Words:
    """A weapon's fire: whom it met, from where, through what, and its dice."""
    made = phrase("hits for {}", event.hits) if event.hits else phrase("misses")
    weapon, target = system_words(event.weapon), names.of(event.target)
    how = phrase(" ({})", kind_words(event.mode)) if event.mode else ""
    parts = [f"{event.range:.0f} MU", phrase("arc {}", event.arc)]
    parts += [phrase("screens {}", event.screens)] if event.screens else []
    parts += [phrase("needs {}", event.needed)] if event.needed else []
    parts += [dice_words(event.dice), _dice(phrase("damage"), event.damage)]
    words = phrase("{} fires {}{} at {} and {}", names.of(event.ship), weapon, how, target, made)
    return words, joined_phrases(", ", (part for part in parts if part))


def _dice(what: str, dice: tuple[int, ...]) -> str:
    return phrase("{} {}", what, " ".join(map(str, dice))) if dice else ""


@words_of(Absorbed)
def absorbed(event: Absorbed, names: Called) -> Words:
    left = [f"{standard + regenerative}" for standard, regenerative in reversed(event.armour)]
    words = phrase(
        "{} takes {} on its armour", names.of(event.ship), counted_noun(event.points, "point")
    )
    return words, phrase(
        "left, the outermost layer first: {}", joined_phrases(", ", left)
    ) if left else ""


@words_of(Spent, RoundDrawn)
def spent(event: Spent | RoundDrawn, names: Called) -> Words:
    weapon = system_words(event.weapon)
    left = (
        phrase("has {} left in {}", event.left, weapon)
        if event.left
        else phrase("has used up {}", weapon)
    )
    return phrase("{} {}", names.of(event.ship), left), ""


@words_of(Noted, Marked)
def noted(event: Noted | Marked, names: Called) -> Words:
    name, _, system = str(event.note).partition(":")
    to, off = SAID.get(name, NOTED)
    told = (to if event.value else off).format(
        of=system_words(system), value=event.value, words=name.replace("-", " ")
    )
    return (phrase("{} {}", names.of(event.ship), told) if told else ""), ""


@words_of(InSquadron)
def squadron(event: InSquadron, names: Called) -> Words:
    if not event.by:
        return phrase("{} leaves its squadron", names.of(event.ship)), ""
    return phrase("{} joins the squadron of {}", names.of(event.ship), names.of(event.by)), ""


@words_of(EmergencyThrust)
def emergency(event: EmergencyThrust, names: Called) -> Words:
    outcome = DriveOutcome.words(event.outcome)
    words = phrase("{} {}", names.of(event.ship), outcome)
    if event.hits:
        words = (
            phrase("{}, which is hit", words)
            if event.hits == 1
            else phrase("{}, which is hit twice", words)
        )
    dice = dice_words(event.dice)
    total = event.score
    return words, phrase("{}, in all {}", dice, total) if dice else phrase("in all {}", total)


@words_of(SystemChecked)
def system_check(event: SystemChecked, names: Called) -> Words:
    lost = systems(event.lost)
    rolls = joined_phrases(
        ", ", (phrase("{} {}", system_words(system), die) for system, die in event.rolls)
    )
    words = phrase(
        "{} checks individual systems: {}",
        names.of(event.ship),
        phrase("loses {}", lost) if lost else phrase("nothing lost"),
    )
    return words, phrase("lost on {}+: {}", event.loses_on, rolls) if rolls else phrase(
        "lost on {}+", event.loses_on
    )


@words_of(Repaired)
def repaired(event: Repaired, names: Called) -> Words:
    ship, system = names.of(event.ship), system_words(event.system)
    if not event.parties:
        return phrase("{} regains its {} without damage control parties", ship, system), ""
    many = counted_noun(event.parties, "party")
    return phrase(
        "{} {} its {}", ship, phrase("repairs") if event.done else phrase("fails to repair"), system
    ), phrase("{}, {}", many, die(event.die))


@words_of(CoreHit)
def core_hit(event: CoreHit, names: Called) -> Words:
    ship, value = names.of(event.ship), event.value
    if event.system == BRIDGE:
        until = phrase("for good") if value == FOREVER else phrase("to the end of turn {}", value)
        return phrase("{} loses its bridge and is out of control {}", ship, until), die(event.die)
    if event.system == LIFE_SUPPORT:
        return phrase(
            "{} loses its life support and has air to the end of turn {}", ship, value
        ), die(event.die)
    return phrase(
        "{} loses control of its power core, which explodes on {} or more", ship, value
    ), die(event.die)


@words_of(ReactorRolled)
def reactor(event: ReactorRolled, names: Called) -> Words:
    blown = event.die >= event.needed
    words = (
        phrase("cannot hold its power core") if blown else phrase("holds its power core this turn")
    )
    return phrase("{} {}", names.of(event.ship), words), phrase(
        "explodes on {}+, {}", event.needed, die(event.die)
    )


@words_of(Burned)
def burned(event: Burned, names: Called) -> Words:
    """An explosion's dice to a ship: beside it (`reactor:e1`), or its own."""
    what, _, source = str(event.cause).partition(":")
    ship, points = names.of(event.ship), counted_noun(event.points, "point")
    if source and source != event.ship:
        words = phrase("{} is caught in the explosion of {}: {}", ship, names.of(source), points)
    else:
        words = phrase("{} is caught in the explosion: {}", ship, points)
    screens = phrase("screens {}", event.screens) if event.screens else ""
    details = (kind_words(what), screens, dice_words(event.dice))
    return words, joined_phrases(", ", (part for part in details if part))


@words_of(Regenerated)
def regenerated(event: Regenerated, names: Called) -> Words:
    left = joined_phrases(
        ", ", (f"{standard + regenerative}" for standard, regenerative in reversed(event.armour))
    )
    ship = names.of(event.ship)
    if left:
        return phrase(
            "{} repairs its armour: {} left, the outermost layer first", ship, left
        ), dice_words(event.dice)
    return phrase("{} repairs its armour", ship), dice_words(event.dice)


@words_of(ChargeRolled)
def charges(event: ChargeRolled, names: Called) -> Words:
    rolls = joined_phrases(
        ", ", (phrase("{} {}", system_words(system), die) for system, die in event.rolls)
    )
    return phrase("{} has damaged suicide charges aboard", names.of(event.ship)), phrase(
        "dice {}", rolls
    ) if rolls else ""


@words_of(Decloaked)
def decloaked(event: Decloaked, names: Called) -> Words:
    return phrase(
        "{} {} {}", names.of(event.ship), DecloakReason.words(event.why), place(event.at)
    ), ""


@words_of(Cloaked)
def cloaked(event: Cloaked, names: Called) -> Words:
    return phrase("{} {} {}", names.of(event.ship), CloakKind.words(event.how), place(event.at)), ""


@words_of(Reflected)
def reflected(event: Reflected, names: Called) -> Words:
    ship, by = names.of(event.ship), names.of(event.by)
    words = phrase(
        "{} reflects the fire of {}: takes {}, returns {}", ship, by, event.taken, event.returned
    )
    return words, phrase("{} points, {}", event.points, die(event.die))


@words_of(Destroyed)
def destroyed(event: Destroyed, names: Called) -> Words:
    ship = names.of(event.ship)
    flawed = event.cause == FLAW
    return phrase("{} is destroyed: its design was flawed", ship) if flawed else phrase(
        "{} is destroyed", ship
    ), ""


@words_of(Adrift)
def adrift(event: Adrift, names: Called) -> Words:
    return phrase("{} {}", names.of(event.ship), AdriftCause.words(event.why)), ""


@words_of(Struck)
def struck(event: Struck, names: Called) -> Words:
    words = phrase(
        "{} is struck by the {} of {}",
        names.of(event.ship),
        system_words(event.weapon),
        names.of(event.by),
    )
    screens = phrase("screens {}", event.screens) if event.screens else ""
    damage = _dice(phrase("damage"), event.damage)
    parts = [phrase("hits for {}", event.hits), screens, dice_words(event.dice), damage]
    return words, joined_phrases(", ", (part for part in parts if part))


@words_of(Detonated)
def detonated(event: Detonated, names: Called) -> Words:
    return phrase("{} blows up in antimatter {}", names.of(event.ship), place(event.at)), ""


@words_of(SystemLost)
def system_lost(event: SystemLost, names: Called) -> Words:
    return phrase("{} loses {}", names.of(event.ship), system_words(event.system)), ""


words_of(Damaged)(of_ship(phrase("takes {points:point} of damage ({total} in all)")))
