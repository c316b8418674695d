"""Sentences of a battle's log about hulls and systems: fire, armour, notes, repairs, cores."""

from __future__ import annotations

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    dice_words,
    die,
    of_ship,
    point_words,
    systems_words,
    words_of,
)
from engine.continuum.cores import BRIDGE, LIFE_SUPPORT
from engine.continuum.damage import FLAW
from engine.core.facts import FOREVER, facts_of
from engine.core.kinds import (
    CloakKind,
    DecloakReason,
    DerelictCause,
    DriveOutcome,
)
from engine.core.phrase import join_phrases, phrase
from engine.core.ship_facts import ShipRecord, ThisTurn
from engine.english import counted_noun, kind_words, system_words
from engine.events.damage import (
    ArmourAbsorbed,
    ArmourRegenerated,
    ChargeRolled,
    ChargesDetonated,
    CoreHit,
    ExplosionDamage,
    FactNoted,
    OpenFactNoted,
    ReactorRolled,
    ReflexFieldRolled,
    RepairRolled,
    ShipBecameDerelict,
    ShipDamaged,
    ShipDestroyed,
    SystemChecked,
    SystemLost,
)
from engine.events.detection import ShipCloaked, ShipDecloaked
from engine.events.fire import AreaFireHit, GunFired, RoundUsed, WeaponUsed
from engine.events.movement import EmergencyThrust, InSquadron

# The sentences for a note written on a ship's sheet and for its removal. Notes without sentences
# are covered by other lines.
NOTE_WORDS = {
    name: fact.phrases for name, fact in {**facts_of(ShipRecord), **facts_of(ThisTurn)}.items()
}
USUAL_NOTE_WORDS = (
    phrase("notes {words} {value} on its sheet"),
    phrase("removes {words} from its sheet"),
)


@words_of(GunFired)
def gun_fired_words(event: GunFired, names: BattleNames) -> Words:
    """Describe a weapon's fire: its target, range, arc, screens and dice."""
    if event.hits:
        result = phrase("hits for {}", event.hits)
    else:
        result = phrase("misses")
    weapon = system_words(event.weapon)
    target = names.of(event.target)
    if event.mode:
        mode_text = phrase(" ({})", kind_words(event.mode))
    else:
        mode_text = ""
    parts = [f"{event.range:.0f} MU", phrase("arc {}", event.arc)]
    parts += [phrase("screens {}", event.screens)] if event.screens else []
    parts += [phrase("needs {}", event.needed)] if event.needed else []
    parts += [dice_words(event.dice), _dice(phrase("damage"), event.damage)]
    words = phrase(
        "{} fires {}{} at {} and {}", names.of(event.ship), weapon, mode_text, target, result
    )
    return words, join_phrases(", ", (part for part in parts if part))


def _dice(title: str, dice: tuple[int, ...]) -> str:
    if dice:
        return phrase("{} {}", title, " ".join(map(str, dice)))
    return ""


@words_of(ArmourAbsorbed)
def absorbed_words(event: ArmourAbsorbed, names: BattleNames) -> Words:
    layers_left = []
    for standard, regenerative in reversed(event.armour):
        layers_left.append(f"{standard + regenerative}")
    words = phrase(
        "{} takes {} on its armour", names.of(event.ship), counted_noun(event.points, "point")
    )
    return words, phrase(
        "left, the outermost layer first: {}", join_phrases(", ", layers_left)
    ) if layers_left else ""


@words_of(WeaponUsed, RoundUsed)
def spent_words(event: WeaponUsed | RoundUsed, names: BattleNames) -> Words:
    weapon = system_words(event.weapon)
    if event.remaining:
        left_text = phrase("has {} left in {}", event.remaining, weapon)
    else:
        left_text = phrase("has used up {}", weapon)
    return phrase("{} {}", names.of(event.ship), left_text), ""


@words_of(FactNoted, OpenFactNoted)
def noted_words(event: FactNoted | OpenFactNoted, names: BattleNames) -> Words:
    name, _, system = str(event.note).partition(":")
    to, off = NOTE_WORDS.get(name, USUAL_NOTE_WORDS)
    note_text = (to if event.value else off).format(
        of=system_words(system), value=event.value, words=name.replace("-", " ")
    )
    return (phrase("{} {}", names.of(event.ship), note_text) if note_text else ""), ""


@words_of(InSquadron)
def in_squadron_words(event: InSquadron, names: BattleNames) -> Words:
    if not event.by:
        return phrase("{} leaves its squadron", names.of(event.ship)), ""
    return phrase("{} joins the squadron of {}", names.of(event.ship), names.of(event.by)), ""


@words_of(EmergencyThrust)
def emergency_thrust_words(event: EmergencyThrust, names: BattleNames) -> Words:
    outcome = DriveOutcome.label_of(event.outcome)
    words = phrase("{} {}", names.of(event.ship), outcome)
    if event.hits:
        if event.hits == 1:
            words = phrase("{}, which is hit", words)
        else:
            words = phrase("{}, which is hit twice", words)
    dice = dice_words(event.dice)
    total = event.score
    return words, phrase("{}, in all {}", dice, total) if dice else phrase("in all {}", total)


@words_of(SystemChecked)
def system_checked_words(event: SystemChecked, names: BattleNames) -> Words:
    lost_text = systems_words(event.lost)
    rolls = join_phrases(
        ", ", (phrase("{} {}", system_words(system), die) for system, die in event.rolls)
    )
    words = phrase(
        "{} checks individual systems: {}",
        names.of(event.ship),
        phrase("loses {}", lost_text) if lost_text else phrase("nothing lost"),
    )
    return words, phrase("lost on {}+: {}", event.loses_on, rolls) if rolls else phrase(
        "lost on {}+", event.loses_on
    )


@words_of(RepairRolled)
def repaired_words(event: RepairRolled, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    system = system_words(event.system)
    if not event.parties:
        return phrase("{} regains its {} without damage control parties", ship, system), ""
    parties_text = counted_noun(event.parties, "party")
    return phrase(
        "{} {} its {}",
        ship,
        phrase("repairs") if event.succeeded else phrase("fails to repair"),
        system,
    ), phrase("{}, {}", parties_text, die(event.die))


@words_of(CoreHit)
def core_hit_words(event: CoreHit, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    value = event.value
    if event.system == BRIDGE:
        if value == FOREVER:
            until = phrase("for good")
        else:
            until = phrase("to the end of turn {}", value)
        return phrase("{} loses its bridge and is out of control {}", ship, until), die(event.die)
    if event.system == LIFE_SUPPORT:
        return phrase(
            "{} loses its life support and has air to the end of turn {}", ship, value
        ), die(event.die)
    return phrase(
        "{} loses control of its power core, which explodes on {} or more", ship, value
    ), die(event.die)


@words_of(ReactorRolled)
def reactor_rolled_words(event: ReactorRolled, names: BattleNames) -> Words:
    blown = event.die >= event.needed
    if blown:
        words = phrase("cannot hold its power core")
    else:
        words = phrase("holds its power core this turn")
    return phrase("{} {}", names.of(event.ship), words), phrase(
        "explodes on {}+, {}", event.needed, die(event.die)
    )


@words_of(ExplosionDamage)
def burned_words(event: ExplosionDamage, names: BattleNames) -> Words:
    """Describe an explosion's damage to a ship, its own or another's (`reactor:e1`)."""
    cause, _, source = str(event.cause).partition(":")
    ship = names.of(event.ship)
    points = counted_noun(event.points, "point")
    if source and source != event.ship:
        words = phrase("{} is caught in the explosion of {}: {}", ship, names.of(source), points)
    else:
        words = phrase("{} is caught in the explosion: {}", ship, points)
    if event.screens:
        screens = phrase("screens {}", event.screens)
    else:
        screens = ""
    details = (kind_words(cause), screens, dice_words(event.dice))
    return words, join_phrases(", ", (part for part in details if part))


@words_of(ArmourRegenerated)
def regenerated_words(event: ArmourRegenerated, names: BattleNames) -> Words:
    layers_left = join_phrases(
        ", ", (f"{standard + regenerative}" for standard, regenerative in reversed(event.armour))
    )
    ship = names.of(event.ship)
    if layers_left:
        return phrase(
            "{} repairs its armour: {} left, the outermost layer first", ship, layers_left
        ), dice_words(event.dice)
    return phrase("{} repairs its armour", ship), dice_words(event.dice)


@words_of(ChargeRolled)
def charge_rolled_words(event: ChargeRolled, names: BattleNames) -> Words:
    rolls = join_phrases(
        ", ", (phrase("{} {}", system_words(system), die) for system, die in event.rolls)
    )
    return phrase("{} has damaged suicide charges aboard", names.of(event.ship)), phrase(
        "dice {}", rolls
    ) if rolls else ""


@words_of(ShipDecloaked)
def decloaked_words(event: ShipDecloaked, names: BattleNames) -> Words:
    return phrase(
        "{} {} {}", names.of(event.ship), DecloakReason.label_of(event.cause), point_words(event.at)
    ), ""


@words_of(ShipCloaked)
def cloaked_words(event: ShipCloaked, names: BattleNames) -> Words:
    return phrase(
        "{} {} {}", names.of(event.ship), CloakKind.label_of(event.cloak), point_words(event.at)
    ), ""


@words_of(ReflexFieldRolled)
def reflected_words(event: ReflexFieldRolled, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    by = names.of(event.by)
    words = phrase(
        "{} reflects the fire of {}: takes {}, sends back {}",
        ship,
        by,
        event.damage_taken,
        event.returned,
    )
    return words, phrase("{} points, {}", event.points, die(event.die))


@words_of(ShipDestroyed)
def destroyed_words(event: ShipDestroyed, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    flawed = event.cause == FLAW
    return phrase("{} is destroyed: its design was flawed", ship) if flawed else phrase(
        "{} is destroyed", ship
    ), ""


@words_of(ShipBecameDerelict)
def adrift_words(event: ShipBecameDerelict, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), DerelictCause.label_of(event.cause)), ""


@words_of(AreaFireHit)
def struck_words(event: AreaFireHit, names: BattleNames) -> Words:
    words = phrase(
        "{} is hit by the {} of {}",
        names.of(event.ship),
        system_words(event.weapon),
        names.of(event.by),
    )
    if event.screens:
        screens = phrase("screens {}", event.screens)
    else:
        screens = ""
    damage = _dice(phrase("damage"), event.damage)
    parts = [phrase("hits for {}", event.hits), screens, dice_words(event.dice), damage]
    return words, join_phrases(", ", (part for part in parts if part))


@words_of(ChargesDetonated)
def detonated_words(event: ChargesDetonated, names: BattleNames) -> Words:
    return phrase("{} explodes in antimatter {}", names.of(event.ship), point_words(event.at)), ""


@words_of(SystemLost)
def system_lost_words(event: SystemLost, names: BattleNames) -> Words:
    return phrase("{} loses {}", names.of(event.ship), system_words(event.system)), ""


words_of(ShipDamaged)(of_ship(phrase("takes {points:point} of damage ({total} in all)")))
