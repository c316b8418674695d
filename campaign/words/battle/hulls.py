"""Sentences of a battle's log about hulls and systems: fire, armour, notes, repairs, cores."""

from __future__ import annotations

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    details_words,
    dice_words,
    die,
    hits_words,
    of_ship,
    plural_words_of,
    point_words,
    rolls_words,
    systems_words,
    titled_dice_words,
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
    MountPicked,
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
FACTS = {**facts_of(ShipRecord), **facts_of(ThisTurn)}
NOTE_WORDS = {name: fact.phrases for name, fact in FACTS.items()}
# The same for several ships; a note without a plural is written ship by ship.
PLURAL_NOTE_WORDS = {name: fact.plural_phrases for name, fact in FACTS.items()}
USUAL_NOTE_WORDS = (
    phrase("notes {words} {value} on its sheet"),
    phrase("removes {words} from its sheet"),
)


@words_of(GunFired)
def gun_fired_words(event: GunFired, names: BattleNames) -> Words:
    """Describe a weapon's fire: its target, range, arc, screens and dice."""
    words = phrase(
        "{} fires {}{} at {} and {}",
        names.of(event.ship),
        system_words(event.weapon),
        phrase(" ({})", kind_words(event.mode)) if event.mode else "",
        names.of(event.target),
        hits_words(event.hits),
    )
    detail = details_words(
        f"{event.range:.0f} MU",
        phrase("arc {}", event.arc),
        _screens(event.screens),
        phrase("needs {}", event.needed) if event.needed else "",
        dice_words(event.dice),
        titled_dice_words(phrase("damage"), event.damage),
    )
    return words, detail


def _screens(level: int) -> str:
    """Return the screens that applied to a hit in words, or ""."""
    return phrase("screens {}", level) if level else ""


@words_of(ArmourAbsorbed)
def armour_absorbed_words(event: ArmourAbsorbed, names: BattleNames) -> Words:
    points = counted_noun(event.points, "point")
    words = phrase("{} takes {} on its armour", names.of(event.ship), points)
    layers = _layers_left(event)
    if not layers:
        return words, ""
    return words, phrase("left, the outermost layer first: {}", layers)


def _layers_left(event: ArmourAbsorbed | ArmourRegenerated) -> str:
    """Return the boxes of armour left by layer, the outermost first."""
    layers = []
    for standard, regenerative in reversed(event.armour):
        layers.append(str(standard + regenerative))
    return join_phrases(", ", layers)


@words_of(WeaponUsed, RoundUsed)
def weapon_used_words(event: WeaponUsed | RoundUsed, names: BattleNames) -> Words:
    weapon = system_words(event.weapon)
    if event.remaining:
        rest = phrase("has {} left in {}", event.remaining, weapon)
    else:
        rest = phrase("has used up {}", weapon)
    return phrase("{} {}", names.of(event.ship), rest), ""


@plural_words_of(WeaponUsed, RoundUsed)
def weapons_used_words(event: WeaponUsed | RoundUsed, names: BattleNames) -> Words:
    weapon = system_words(event.weapon)
    if event.remaining:
        rest = phrase("have {} left in {}", event.remaining, weapon)
    else:
        rest = phrase("have used up {}", weapon)
    return phrase("{} {}", names.of(event.ship), rest), ""


@words_of(FactNoted, OpenFactNoted)
def fact_noted_words(event: FactNoted | OpenFactNoted, names: BattleNames) -> Words:
    name, _, system = str(event.note).partition(":")
    noted_template, removed_template = NOTE_WORDS.get(name, USUAL_NOTE_WORDS)
    template = noted_template if event.value else removed_template
    note_text = template.format(
        of=system_words(system), value=event.value, words=name.replace("-", " ")
    )
    if not note_text:
        return "", ""
    return phrase("{} {}", names.of(event.ship), note_text), ""


@plural_words_of(FactNoted, OpenFactNoted)
def facts_noted_words(event: FactNoted | OpenFactNoted, names: BattleNames) -> Words:
    name, _, system = str(event.note).partition(":")
    noted_template, removed_template = PLURAL_NOTE_WORDS.get(name, ("", ""))
    template = noted_template if event.value else removed_template
    if not template:
        return "", ""
    note_text = template.format(of=system_words(system), value=event.value)
    return phrase("{} {}", names.of(event.ship), note_text), ""


@words_of(InSquadron)
def in_squadron_words(event: InSquadron, names: BattleNames) -> Words:
    if not event.by:
        return phrase("{} leaves its squadron", names.of(event.ship)), ""
    return phrase("{} joins the squadron of {}", names.of(event.ship), names.of(event.by)), ""


@plural_words_of(InSquadron)
def several_in_squadron_words(event: InSquadron, names: BattleNames) -> Words:
    if not event.by:
        return phrase("{} leave their squadron", names.of(event.ship)), ""
    return phrase("{} join the squadron of {}", names.of(event.ship), names.of(event.by)), ""


@words_of(EmergencyThrust)
def emergency_thrust_words(event: EmergencyThrust, names: BattleNames) -> Words:
    words = phrase("{} {}", names.of(event.ship), DriveOutcome.label_of(event.outcome))
    if event.hits == 1:
        words = phrase("{}, which is hit", words)
    elif event.hits:
        words = phrase("{}, which is hit twice", words)
    dice = dice_words(event.dice)
    if dice:
        return words, phrase("{}, total {}", dice, event.score)
    return words, ""


@plural_words_of(EmergencyThrust)
def several_emergency_thrust_words(event: EmergencyThrust, names: BattleNames) -> Words:
    if event.hits:  # told ship by ship, with the hits on each drive
        return "", ""
    return phrase("{} {}", names.of(event.ship), DriveOutcome.plural_label_of(event.outcome)), ""


@words_of(SystemChecked)
def system_checked_words(event: SystemChecked, names: BattleNames) -> Words:
    lost_text = systems_words(event.lost)
    result = phrase("loses {}", lost_text) if lost_text else phrase("nothing lost")
    words = phrase("{} checks individual systems: {}", names.of(event.ship), result)
    rolls = rolls_words(event.rolls)
    if rolls:
        return words, phrase("lost on {}+: {}", event.loses_on, rolls)
    return words, phrase("lost on {}+", event.loses_on)


@words_of(RepairRolled)
def repair_rolled_words(event: RepairRolled, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    system = system_words(event.system)
    if not event.parties:
        return phrase("{} regains its {} without damage control parties", ship, system), ""
    verb = phrase("repairs") if event.succeeded else phrase("fails to repair")
    detail = phrase("{}, {}", counted_noun(event.parties, "party"), die(event.die))
    return phrase("{} {} its {}", ship, verb, system), detail


@plural_words_of(RepairRolled)
def repairs_rolled_words(event: RepairRolled, names: BattleNames) -> Words:
    ships = names.of(event.ship)
    system = system_words(event.system)
    if not event.parties:
        return phrase("{} regain {} without damage control parties", ships, system), ""
    verb = phrase("repair") if event.succeeded else phrase("fail to repair")
    return phrase("{} {} {}", ships, verb, system), ""


@words_of(CoreHit)
def core_hit_words(event: CoreHit, names: BattleNames) -> Words:
    """Describe a hit on a core system; its value is a turn, or what the power core explodes on."""
    ship = names.of(event.ship)
    if event.system == BRIDGE:
        until = phrase("to the end of turn {}", event.value)
        if event.value == FOREVER:
            until = phrase("for good")
        words = phrase("{} loses its bridge and is out of control {}", ship, until)
    elif event.system == LIFE_SUPPORT:
        words = phrase(
            "{} loses its life support and has air to the end of turn {}", ship, event.value
        )
    else:
        words = phrase(
            "{} loses control of its power core, which explodes on {} or more", ship, event.value
        )
    return words, die(event.die)


@words_of(ReactorRolled)
def reactor_rolled_words(event: ReactorRolled, names: BattleNames) -> Words:
    explodes = event.die >= event.needed
    if explodes:
        result = phrase("cannot hold its power core")
    else:
        result = phrase("holds its power core this turn")
    detail = phrase("explodes on {}+, {}", event.needed, die(event.die))
    return phrase("{} {}", names.of(event.ship), result), detail


@plural_words_of(ReactorRolled)
def reactors_rolled_words(event: ReactorRolled, names: BattleNames) -> Words:
    if event.die >= event.needed:
        result = phrase("cannot hold their power cores")
    else:
        result = phrase("hold their power cores this turn")
    return phrase("{} {}", names.of(event.ship), result), ""


@words_of(ExplosionDamage)
def explosion_damage_words(event: ExplosionDamage, names: BattleNames) -> Words:
    """Describe an explosion's damage to a ship, its own or another's (`reactor:e1`)."""
    cause, _, source = str(event.cause).partition(":")
    ship = names.of(event.ship)
    points = counted_noun(event.points, "point")
    if source and source != event.ship:
        words = phrase("{} is caught in the explosion of {}: {}", ship, names.of(source), points)
    else:
        words = phrase("{} is caught in the explosion: {}", ship, points)
    detail = details_words(kind_words(cause), _screens(event.screens), dice_words(event.dice))
    return words, detail


@words_of(ArmourRegenerated)
def armour_regenerated_words(event: ArmourRegenerated, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    layers = _layers_left(event)
    if layers:
        words = phrase(
            "{} rolls to repair its armour: {} left, the outermost layer first", ship, layers
        )
    else:
        words = phrase("{} rolls to repair its armour", ship)
    return words, dice_words(event.dice)


@plural_words_of(ArmourRegenerated)
def several_regenerated_words(event: ArmourRegenerated, names: BattleNames) -> Words:
    if _layers_left(event):  # each has its own armour left
        return "", ""
    return phrase("{} roll to repair their armour", names.of(event.ship)), ""


@words_of(ChargeRolled)
def charge_rolled_words(event: ChargeRolled, names: BattleNames) -> Words:
    words = phrase("{} has damaged suicide charges aboard", names.of(event.ship))
    rolls = rolls_words(event.rolls)
    return words, rolls


@plural_words_of(ChargeRolled)
def charges_rolled_words(event: ChargeRolled, names: BattleNames) -> Words:
    return phrase("{} have damaged suicide charges aboard", names.of(event.ship)), ""


@words_of(ShipDecloaked)
def ship_decloaked_words(event: ShipDecloaked, names: BattleNames) -> Words:
    reason = DecloakReason.label_of(event.cause)
    return phrase("{} {} {}", names.of(event.ship), reason, point_words(event.at)), ""


@words_of(ShipCloaked)
def ship_cloaked_words(event: ShipCloaked, names: BattleNames) -> Words:
    cloak = CloakKind.label_of(event.cloak)
    return phrase("{} {} {}", names.of(event.ship), cloak, point_words(event.at)), ""


@words_of(ReflexFieldRolled)
def reflex_field_rolled_words(event: ReflexFieldRolled, names: BattleNames) -> Words:
    words = phrase(
        "{} reflects the fire of {}: takes {}, sends back {}",
        names.of(event.ship),
        names.of(event.by),
        event.damage_taken,
        event.returned,
    )
    return words, phrase("{} points, {}", event.points, die(event.die))


@words_of(ShipDestroyed)
def ship_destroyed_words(event: ShipDestroyed, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    if event.cause == FLAW:
        return phrase("{} is destroyed: its design was flawed", ship), ""
    return phrase("{} is destroyed", ship), ""


@plural_words_of(ShipDestroyed)
def ships_destroyed_words(event: ShipDestroyed, names: BattleNames) -> Words:
    ships = names.of(event.ship)
    if event.cause == FLAW:
        return phrase("{} are destroyed: their design was flawed", ships), ""
    return phrase("{} are destroyed", ships), ""


@words_of(ShipBecameDerelict)
def ship_became_derelict_words(event: ShipBecameDerelict, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), DerelictCause.label_of(event.cause)), ""


@plural_words_of(ShipBecameDerelict)
def ships_became_derelict_words(event: ShipBecameDerelict, names: BattleNames) -> Words:
    return phrase("{} {}", names.of(event.ship), DerelictCause.plural_label_of(event.cause)), ""


@words_of(AreaFireHit)
def area_fire_hit_words(event: AreaFireHit, names: BattleNames) -> Words:
    words = phrase(
        "{} is hit by the {} of {}",
        names.of(event.ship),
        system_words(event.weapon),
        names.of(event.by),
    )
    detail = details_words(
        phrase("hits for {}", event.hits),
        _screens(event.screens),
        dice_words(event.dice),
        titled_dice_words(phrase("damage"), event.damage),
    )
    return words, detail


@plural_words_of(AreaFireHit)
def area_fire_hits_words(event: AreaFireHit, names: BattleNames) -> Words:
    ships = names.of(event.ship)
    weapon = system_words(event.weapon)
    return phrase("{} are hit by the {} of {}", ships, weapon, names.of(event.by)), ""


@words_of(ChargesDetonated)
def charges_detonated_words(event: ChargesDetonated, names: BattleNames) -> Words:
    return phrase("{} explodes in antimatter {}", names.of(event.ship), point_words(event.at)), ""


@words_of(MountPicked)
def mount_picked_words(event: MountPicked, names: BattleNames) -> Words:
    words = phrase("A needle beam finds {} of {}", system_words(event.mount), names.of(event.ship))
    return words, phrase("die {} of {}", event.die, event.faces)


@words_of(SystemLost)
def system_lost_words(event: SystemLost, names: BattleNames) -> Words:
    return phrase("{} loses {}", names.of(event.ship), system_words(event.system)), ""


@plural_words_of(SystemLost)
def systems_lost_words(event: SystemLost, names: BattleNames) -> Words:
    return phrase("{} lose {}", names.of(event.ship), system_words(event.system)), ""


words_of(ShipDamaged)(
    of_ship(phrase("takes {points:point} of damage (hull boxes lost in all: {total})"))
)


def last_boxes_words(event: ShipDamaged, boxes_left: int, names: BattleNames) -> str:
    """Describe damage of more points than the ship had hull boxes left; the excess is lost."""
    points = counted_noun(event.points, "point")
    boxes = counted_noun(boxes_left, "hull box")
    return phrase("{} takes {} of damage and had only {} left", names.of(event.ship), points, boxes)
