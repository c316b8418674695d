"""Sentences of a battle's log about craft of Continuum: attacks, fire at them, turnaround.

A group is named in the plural ("Wasp's fighters (1)"), so its verb is plural too.
"""

from __future__ import annotations

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    boarders_words,
    dice_words,
    die,
    guarded_ship_name,
    plural_words_of,
    point_defence_shot_words,
    range_words,
    words_of,
)
from engine.core.kinds import Pilots
from engine.core.phrase import join_phrases, phrase
from engine.craft.dogfight_figures import FightAction
from engine.english import counted_noun, join_names, system_words
from engine.events.defence_level import CraftCaught, ScreeningCraftFired
from engine.pieces.craft_events import (
    AttackDeclared,
    BoatsFired,
    CraftBurned,
    CraftEmpFired,
    CraftLaunched,
    DefenceLevelAtCraft,
    GroupFiredAtOrdnance,
    GroupShotAt,
    PointDefenceAtCraft,
    ShuttlesLanded,
)
from engine.pieces.guard_events import BoatsFiredAtCraft, BoatsFiredAtOrdnance
from engine.pieces.hangar_events import GroupRearmed, GroupsScrambled, HangarChecked
from engine.pieces.pilot_events import (
    AceDuel,
    AceFired,
    CraftMoraleChecked,
    PilotsRevealed,
    PilotsRolled,
)
from engine.pieces.squadron_events import ActionsOrdered, DogfightAction


@plural_words_of(AttackDeclared)
@words_of(AttackDeclared)
def attack_declared_words(event: AttackDeclared, names: BattleNames) -> Words:
    targets = [*map(names.of, event.targets), *map(system_words, event.engaged_markers)]
    target_text = join_names(targets) or phrase("something out of sight")
    weapons = []
    for weapon in event.using:
        if weapon not in ("fighters", "boats"):
            weapons.append(system_words(weapon))
    words = phrase("{} attack {}", names.of(event.group), target_text)
    return words, phrase("with {}", join_names(weapons)) if weapons else ""


@words_of(PointDefenceAtCraft, GroupShotAt)
def fire_at_craft_words(event: PointDefenceAtCraft | GroupShotAt, names: BattleNames) -> Words:
    guarded = ""
    if isinstance(event, PointDefenceAtCraft):
        guarded = guarded_ship_name(event, names)
    words = point_defence_shot_words(
        names.of(event.ship),
        system_words(event.weapon),
        target=names.of(event.group),
        guarded=guarded,
        result=counted_noun(event.hits, "hit") if event.hits else phrase("no hit"),
    )
    return words, range_words(event)


@words_of(BoatsFired)
def boats_fired_words(event: BoatsFired, names: BattleNames) -> Words:
    result = counted_noun(event.hits, "point") if event.hits else phrase("nothing")
    group = names.of(event.group)
    target = names.of(event.target)
    if event.system:
        system = system_words(event.system)
        words = phrase("{} fire at the {} of {}: {}", group, system, target, result)
    else:
        words = phrase("{} fire at {}: {}", group, target, result)
    return words, range_words(event, screens=event.screens)


@words_of(CraftEmpFired)
def craft_emp_fired_words(event: CraftEmpFired, names: BattleNames) -> Words:
    result = counted_noun(event.hits, "hit") if event.hits else phrase("no hit")
    group = names.of(event.group)
    target = names.of(event.target)
    if event.system:
        system = system_words(event.system)
        words = phrase("{} fire EMP at the {} of {}: {}", group, system, target, result)
    else:
        words = phrase("{} fire EMP at {}: {}", group, target, result)
    return words, range_words(event)


@words_of(CraftLaunched)
def craft_launched_words(event: CraftLaunched, names: BattleNames) -> Words:
    load = phrase("{} of {}", counted_noun(event.rounds, "round"), system_words(event.armament))
    group = names.of(event.group)
    if not event.dice:
        return phrase("{} launch {}: {}", group, load, system_words(event.marker)), ""
    result = phrase("{} hit", event.strength) if event.strength else phrase("no hits")
    words = phrase("{} fire {} at {}: {}", group, load, names.of(event.target), result)
    return words, dice_words(event.dice)


@words_of(ShuttlesLanded)
def shuttles_landed_words(event: ShuttlesLanded, names: BattleNames) -> Words:
    people = phrase("{} aboard", boarders_words(event.marines, event.parties))
    words = phrase("{} land on {}: {}", names.of(event.group), names.of(event.target), people)
    return words, dice_words((*event.marine_dice, *event.party_dice))


@words_of(GroupFiredAtOrdnance)
def group_fired_at_ordnance_words(event: GroupFiredAtOrdnance, names: BattleNames) -> Words:
    result = phrase("{} shot down", event.hits) if event.hits else phrase("none hit")
    marker = system_words(event.marker)
    return phrase("{} fire at {}: {}", names.of(event.group), marker, result), range_words(event)


@words_of(BoatsFiredAtCraft, BoatsFiredAtOrdnance)
def boats_on_guard_words(
    event: BoatsFiredAtCraft | BoatsFiredAtOrdnance, names: BattleNames
) -> Words:
    if isinstance(event, BoatsFiredAtOrdnance):
        target = system_words(event.marker)
    else:
        target = names.of(event.target)
    result = counted_noun(event.hits, "hit") if event.hits else phrase("no hit")
    boats = phrase("{} of {}", counted_noun(event.boats, "boat"), names.of(event.group))
    if event.guarded:
        guarded = names.of(event.guarded)
        words = phrase("point defence by {} at {} for {}: {}", boats, target, guarded, result)
    else:
        words = phrase("point defence by {} at {}: {}", boats, target, result)
    return words, range_words(event)


@words_of(CraftBurned)
def craft_burned_words(event: CraftBurned, names: BattleNames) -> Words:
    group = names.of(event.group)
    words = phrase("{} are caught in an explosion: {} lost", group, event.craft)
    return words, dice_words(event.dice)


@plural_words_of(GroupRearmed)
@words_of(GroupRearmed)
def group_rearmed_words(event: GroupRearmed, names: BattleNames) -> Words:
    if event.ready:
        state = phrase("they can fly again from turn {}", event.ready)
    else:
        state = phrase("they cannot fly again in this battle")
    return phrase("{} are aboard: {}", names.of(event.group), state), die(event.die)


@plural_words_of(CraftMoraleChecked)
@words_of(CraftMoraleChecked)
def craft_morale_checked_words(event: CraftMoraleChecked, names: BattleNames) -> Words:
    result = phrase("press their attack") if event.holds else phrase("break off their attack")
    words = phrase("{} {}", names.of(event.group), result)
    return words, phrase("die {}, {} craft left", event.die, event.craft)


@words_of(PilotsRolled)
def pilots_rolled_words(event: PilotsRolled, names: BattleNames) -> Words:
    words = phrase("the group in {} has {}", system_words(event.bay), Pilots.label_of(event.pilots))
    return phrase("{}: {}", names.of(event.ship), words), phrase("die {}", event.die)


@plural_words_of(PilotsRevealed)
@words_of(PilotsRevealed)
def pilots_revealed_words(event: PilotsRevealed, names: BattleNames) -> Words:
    pilots = Pilots.label_of(event.pilots)
    return phrase("{} turn out to have {}", names.of(event.group), pilots), ""


@words_of(AceFired)
def ace_fired_words(event: AceFired, names: BattleNames) -> Words:
    result = counted_noun(event.hits, "point") if event.hits else phrase("nothing")
    if event.needled:
        result = phrase("hits it")
    target = phrase("the {} of {}", system_words(event.system), names.of(event.target))
    words = phrase("the ace of {} aims at {}: {}", names.of(event.group), target, result)
    return words, range_words(event)


@words_of(AceDuel)
def ace_duel_words(event: AceDuel, names: BattleNames) -> Words:
    words = phrase(
        "the ace of {} attacks the ace of {}: {}",
        names.of(event.group),
        names.of(event.target),
        phrase("shoots it down") if event.succeeded else phrase("misses"),
    )
    return words, range_words(event)


@words_of(GroupsScrambled)
def groups_scrambled_words(event: GroupsScrambled, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    if event.wrecked:
        bay = system_words(event.wrecked)
        words = phrase("{} scrambles, and a mishap puts its {} out of action", ship, bay)
        return words, die(event.die)
    result = phrase("no group gets away")
    if event.groups:
        result = phrase("{} got away", counted_noun(event.groups, "group"))
    return phrase("{} scrambles: {}", ship, result), die(event.die)


@words_of(HangarChecked)
def hangar_checked_words(event: HangarChecked, names: BattleNames) -> Words:
    result = phrase("does not explode")
    if event.dice:
        result = phrase("explodes for {}", counted_noun(event.points, "point"))
    words = phrase("{} of {} {}", system_words(event.bay), names.of(event.ship), result)
    # Sides that do not know the state of its decks do not know what it explodes on
    if event.explodes_to is None:
        detail = phrase("die {}", event.die)
    else:
        detail = phrase("die {}, up to {}", event.die, event.explodes_to)
    dice = dice_words(event.dice)
    return words, phrase("{}; {}", detail, dice) if dice else detail


@words_of(DefenceLevelAtCraft)
def defence_level_at_craft_words(event: DefenceLevelAtCraft, names: BattleNames) -> Words:
    words = phrase(
        "{} meet defence level {} at {}",
        names.of(event.group),
        event.level + event.screens,
        names.of(event.ship),
    )
    if event.lower:
        words = phrase("{}, {} lower", words, counted_noun(event.lower, "band"))
    if not event.screens:
        return words, ""
    return words, phrase("{} and {} by its screens", event.level, event.screens)


@words_of(ScreeningCraftFired)
def screening_craft_fired_words(event: ScreeningCraftFired, names: BattleNames) -> Words:
    result = counted_noun(event.hits, "hit") if event.hits else phrase("nothing")
    words = phrase("{} defend {}: {}", names.of(event.group), names.of(event.guarded), result)
    return words, dice_words(event.dice)


@words_of(CraftCaught)
def craft_caught_words(event: CraftCaught, names: BattleNames) -> Words:
    groups = join_phrases(" and ", (names.of(group) for group in event.groups))
    result = phrase("{} craft hit", event.craft) if event.craft else phrase("none hit")
    words = phrase("point defence of {} at {}: {}", names.of(event.ship), groups, result)
    return words, dice_words(event.dice)


@words_of(ActionsOrdered)
def actions_ordered_words(event: ActionsOrdered, names: BattleNames) -> Words:
    steps: list[str] = []
    for action in event.actions:
        action_text = phrase(str(action))
        steps.append(phrase("then {}", action_text) if steps else phrase("first {}", action_text))
    if event.leaves_to:
        x, y = event.leaves_to
        steps.append(phrase("then fly to {:g}, {:g}", x, y))
    orders = join_phrases(", ", steps)
    return phrase("{} have dogfight orders: {}", names.of(event.group), orders), ""


@words_of(DogfightAction)
def dogfight_action_words(event: DogfightAction, names: BattleNames) -> Words:
    group = names.of(event.group)
    target = names.of(event.target)
    rolls = _dogfight_rolls(event)
    if event.action == FightAction.BREAK_OFF:
        if event.succeeded:
            return phrase("{} break off their dogfight with {}", group, target), rolls
        return phrase("{} cannot break off their dogfight with {}", group, target), rolls
    result = phrase("nothing")
    if event.points:
        result = phrase("{} of damage", counted_noun(event.points, "point"))
    if event.action == FightAction.STAY:
        return phrase("{} stay on their target and fire at {}: {}", group, target, result), rolls
    return phrase("{} engage {}: {}", group, target, result), rolls


def _dogfight_rolls(event: DogfightAction) -> str:
    """Return the dice of a dogfight, weapon by weapon; "" without any."""
    if not event.dice:
        return ""
    dice_by_weapon = []
    first = 0
    for dice_count in event.weapons:
        dice = event.dice[first : first + dice_count]
        dice_by_weapon.append(" ".join(map(str, dice)))
        first += dice_count
    return phrase("dice {}", " / ".join(dice_by_weapon))
