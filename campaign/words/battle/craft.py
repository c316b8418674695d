"""Sentences of a battle's log about craft of Continuum: attacks, fire at them, turnaround."""

from __future__ import annotations

from campaign.words.battle.phrases import (
    BattleNames,
    Words,
    dice_words,
    die,
    guarded_ship_name,
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


@words_of(AttackDeclared)
def attack_declared_words(event: AttackDeclared, names: BattleNames) -> Words:
    at = [*map(names.of, event.targets), *map(system_words, event.engaged_markers)]
    words = phrase(
        "{} attacks {}", names.of(event.group), join_names(at) or "something out of sight"
    )
    using = []
    for weapon in event.using:
        if weapon not in ("fighters", "boats"):
            using.append(system_words(weapon))
    return words, phrase("with {}", join_names(using)) if using else ""


@words_of(PointDefenceAtCraft, GroupShotAt)
def craft_met_words(event: PointDefenceAtCraft | GroupShotAt, names: BattleNames) -> Words:
    if event.hits:
        result = counted_noun(event.hits, "hit")
    else:
        result = phrase("no hit")
    ship = names.of(event.ship)
    weapon = system_words(event.weapon)
    group = names.of(event.group)
    if isinstance(event, PointDefenceAtCraft):
        guarded = guarded_ship_name(event, names)
    else:
        guarded = ""
    return point_defence_shot_words(ship, weapon, group, guarded, result), range_words(event)


@words_of(BoatsFired)
def boats_fired_words(event: BoatsFired, names: BattleNames) -> Words:
    if event.hits:
        result = counted_noun(event.hits, "point")
    else:
        result = "nothing"
    group = names.of(event.group)
    target = names.of(event.target)
    detail = range_words(event, screens=event.screens)
    if event.system:
        return phrase(
            "{} fires at the {} of {}: {}", group, system_words(event.system), target, result
        ), detail
    return phrase("{} fires at {}: {}", group, target, result), detail


@words_of(CraftLaunched)
def craft_launched_words(event: CraftLaunched, names: BattleNames) -> Words:
    load = phrase("{} of {}", counted_noun(event.rounds, "round"), system_words(event.armament))
    group = names.of(event.group)
    if event.dice:
        if event.strength:
            result = phrase("{} hit", event.strength)
        else:
            result = phrase("no hits")
        return phrase(
            "{} fires {} at {}: {}", group, load, names.of(event.target), result
        ), dice_words(event.dice)
    return phrase("{} launches {}: {}", group, load, system_words(event.marker)), ""


@words_of(ShuttlesLanded)
def shuttles_landed_words(event: ShuttlesLanded, names: BattleNames) -> Words:
    aboard = phrase(
        "{} and {} aboard",
        counted_noun(event.marines, "marine"),
        counted_noun(event.parties, "party"),
    )
    dice = (*event.marine_dice, *event.party_dice)
    return phrase(
        "{} lands on {}: {}", names.of(event.group), names.of(event.target), aboard
    ), dice_words(dice)


@words_of(GroupFiredAtOrdnance)
def craft_fired_at_ordnance_words(event: GroupFiredAtOrdnance, names: BattleNames) -> Words:
    if event.hits:
        result = phrase("{} shot down", event.hits)
    else:
        result = phrase("none hit")
    return phrase(
        "{} fires at {}: {}", names.of(event.group), system_words(event.marker), result
    ), range_words(event)


@words_of(BoatsFiredAtCraft, BoatsFiredAtOrdnance)
def boats_on_guard_words(
    event: BoatsFiredAtCraft | BoatsFiredAtOrdnance, names: BattleNames
) -> Words:
    if isinstance(event, BoatsFiredAtOrdnance):
        at = system_words(event.marker)
    else:
        at = names.of(event.target)
    if event.hits:
        result = counted_noun(event.hits, "hit")
    else:
        result = phrase("no hit")
    boats = phrase("{} of {}", counted_noun(event.boats, "boat"), names.of(event.group))
    if event.guarded:
        guarded = names.of(event.guarded)
        return phrase(
            "point defence by {} at {} for {}: {}", boats, at, guarded, result
        ), range_words(event)
    return phrase("point defence by {} at {}: {}", boats, at, result), range_words(event)


@words_of(CraftBurned)
def craft_burned_words(event: CraftBurned, names: BattleNames) -> Words:
    return phrase(
        "{} is caught in an explosion: {} lost", names.of(event.group), event.craft
    ), dice_words(event.dice)


@words_of(GroupRearmed)
def rearmed_words(event: GroupRearmed, names: BattleNames) -> Words:
    if event.ready:
        when = phrase("it can fly again from turn {}", event.ready)
    else:
        when = phrase("it cannot fly again in this battle")
    return phrase("{} is aboard: {}", names.of(event.group), when), die(event.die)


@words_of(CraftMoraleChecked)
def craft_morale_words(event: CraftMoraleChecked, names: BattleNames) -> Words:
    if event.holds:
        result = phrase("presses its attack")
    else:
        result = phrase("breaks off its attack")
    return phrase("{} {}", names.of(event.group), result), phrase(
        "die {}, {} craft left", event.die, event.craft
    )


@words_of(PilotsRolled)
def pilots_rolled_words(event: PilotsRolled, names: BattleNames) -> Words:
    words = phrase("the group in {} has {}", system_words(event.bay), Pilots.label_of(event.pilots))
    return phrase("{}: {}", names.of(event.ship), words), phrase("die {}", event.die)


@words_of(PilotsRevealed)
def pilots_shown_words(event: PilotsRevealed, names: BattleNames) -> Words:
    return phrase(
        "{} turns out to have {}", names.of(event.group), Pilots.label_of(event.pilots)
    ), ""


@words_of(AceFired)
def ace_fired_words(event: AceFired, names: BattleNames) -> Words:
    if event.hits:
        result = counted_noun(event.hits, "point")
    else:
        result = "nothing"
    if event.needled:
        result = phrase("hits it")
    at = phrase("the {} of {}", system_words(event.system), names.of(event.target))
    return phrase("the ace of {} aims at {}: {}", names.of(event.group), at, result), range_words(
        event
    )


@words_of(AceDuel)
def ace_duel_words(event: AceDuel, names: BattleNames) -> Words:
    if event.succeeded:
        result = phrase("shoots it down")
    else:
        result = phrase("misses")
    return phrase(
        "the ace of {} attacks the ace of {}: {}",
        names.of(event.group),
        names.of(event.target),
        result,
    ), range_words(event)


@words_of(GroupsScrambled)
def scrambled_words(event: GroupsScrambled, names: BattleNames) -> Words:
    ship = names.of(event.ship)
    group_count = event.groups
    if event.wrecked:
        wrecked = system_words(event.wrecked)
        return phrase("{} scrambles, and a mishap puts its {} out of action", ship, wrecked), die(
            event.die
        )
    groups = counted_noun(group_count, "group")
    if group_count:
        result = phrase("{} got away", groups)
    else:
        result = phrase("no group gets away")
    return phrase("{} scrambles: {}", ship, result), die(event.die)


@words_of(HangarChecked)
def hangar_checked_words(event: HangarChecked, names: BattleNames) -> Words:
    bay = system_words(event.bay)
    ship = names.of(event.ship)
    if event.dice:
        result = phrase("explodes for {}", counted_noun(event.points, "point"))
    else:
        result = phrase("does not explode")
    least = event.explodes_to  # empty for sides that do not know the state of its decks
    if least is None:
        detail = phrase("die {}", event.die)
    else:
        detail = phrase("die {}, up to {}", event.die, least)
    dice = dice_words(event.dice)
    words = phrase("The {} of {} {}", bay, ship, result)
    return words, phrase("{}; {}", detail, dice) if dice else detail


@words_of(DefenceLevelAtCraft)
def defence_level_at_craft_words(event: DefenceLevelAtCraft, names: BattleNames) -> Words:
    level = event.level + event.screens
    if event.screens:
        by = phrase("{} and {} by its screens", event.level, event.screens)
    else:
        by = ""
    words = phrase(
        "{} meets defence level {} at {}", names.of(event.group), level, names.of(event.ship)
    )
    return phrase(
        "{}, {} lower", words, counted_noun(event.lower, "band")
    ) if event.lower else words, by


@words_of(ScreeningCraftFired)
def screening_craft_words(event: ScreeningCraftFired, names: BattleNames) -> Words:
    hits = event.hits
    if hits:
        result = counted_noun(hits, "hit")
    else:
        result = phrase("nothing")
    group = names.of(event.group)
    guarded = names.of(event.guarded)
    return phrase("{} defends {}: {}", group, guarded, result), dice_words(event.dice)


@words_of(CraftCaught)
def craft_caught_words(event: CraftCaught, names: BattleNames) -> Words:
    groups = join_phrases(" and ", (names.of(group) for group in event.groups))
    if event.craft:
        result = phrase("{} craft hit", event.craft)
    else:
        result = phrase("nobody hit")
    return phrase(
        "point defence of {} at {}: {}", names.of(event.ship), groups, result
    ), dice_words(event.dice)


@words_of(ActionsOrdered)
def actions_ordered_words(event: ActionsOrdered, names: BattleNames) -> Words:
    actions = [phrase(str(action)) for action in event.actions]
    steps = [phrase("first {}", action) for action in actions[:1]]
    steps += [phrase("then {}", action) for action in actions[1:]]
    to = event.leaves_to
    if to:
        leaves = phrase("then flies to {:g}, {:g}", to[0], to[1])
    else:
        leaves = ""
    parts = join_phrases(", ", [*steps, *([leaves] if leaves else [])])
    return phrase("{} has dogfight orders: {}", names.of(event.group), parts), ""


@words_of(DogfightAction)
def dogfight_action_words(event: DogfightAction, names: BattleNames) -> Words:
    group = names.of(event.group)
    foe = names.of(event.target)
    pools, at = [], 0
    for dice in event.weapons:
        pools.append(" ".join(map(str, event.dice[at : at + dice])))
        at += dice
    if event.dice:
        rolls = phrase("dice {}", " / ".join(pools))
    else:
        rolls = ""
    if event.action == FightAction.BREAK_OFF:
        if event.succeeded:
            return phrase("{} breaks off its dogfight with {}", group, foe), rolls
        return phrase("{} cannot break off its dogfight with {}", group, foe), rolls
    if event.points:
        result = phrase("{} of damage", counted_noun(event.points, "point"))
    else:
        result = phrase("nothing")
    if event.action == FightAction.STAY:
        return phrase("{} stays on its target and fires at {}: {}", group, foe, result), rolls
    return phrase("{} engages {}: {}", group, foe, result), rolls
