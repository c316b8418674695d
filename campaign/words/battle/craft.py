"""Words for what craft of Continuum do in a battle: whom they attack, what shoots at them, when
they fly again.
"""

from __future__ import annotations

from campaign.words.battle.phrases import (
    Called,
    Words,
    dice_words,
    die,
    far,
    fired_for,
    guarded_by,
    words_of,
)
from engine.core.kinds import Pilots
from engine.core.phrase import joined_phrases, phrase
from engine.craft.squadron import FightAction
from engine.english import counted_noun, listed, system_words
from engine.events.defence_level import CraftCaught, ScreenThrown
from engine.pieces.craft_events import (
    AttackDeclared,
    BoatsFired,
    CraftBurned,
    CraftLaunched,
    CraftMet,
    GroupShotAt,
    MarkerMet,
    RunMet,
    ShuttlesLanded,
)
from engine.pieces.guard_events import BoatsMetCraft, BoatsMetOrdnance
from engine.pieces.hangar_events import HangarChecked, Rearmed, Scrambled
from engine.pieces.pilot_events import AceDuel, AceFired, MoraleThrown, PilotsRolled, PilotsShown
from engine.pieces.squadron_events import ActionsOrdered, DogfightAction


@words_of(AttackDeclared)
def declared(event: AttackDeclared, names: Called) -> Words:
    at = [*map(names.of, event.targets), *map(system_words, event.meets)]
    words = phrase("{} attacks {}", names.of(event.group), listed(at) or "something out of sight")
    using = [system_words(one) for one in event.using if one not in ("fighters", "boats")]
    return words, phrase("with {}", listed(using)) if using else ""


@words_of(CraftMet, GroupShotAt)
def shot_at(event: CraftMet | GroupShotAt, names: Called) -> Words:
    made = counted_noun(event.hits, "hit") if event.hits else phrase("no hit")
    ship, weapon, group = names.of(event.ship), system_words(event.weapon), names.of(event.group)
    guarded = guarded_by(event, names) if isinstance(event, CraftMet) else ""
    return fired_for(ship, weapon, group, guarded, made), far(event)


@words_of(BoatsFired)
def boats_fired(event: BoatsFired, names: Called) -> Words:
    made = counted_noun(event.hits, "point") if event.hits else "nothing"
    group, target = names.of(event.group), names.of(event.target)
    detail = far(event, screens=event.screens)
    if event.system:
        return phrase(
            "{} fires at the {} of {}: {}", group, system_words(event.system), target, made
        ), detail
    return phrase("{} fires at {}: {}", group, target, made), detail


@words_of(CraftLaunched)
def craft_launched(event: CraftLaunched, names: Called) -> Words:
    what = phrase("{} of {}", counted_noun(event.rounds, "round"), system_words(event.how))
    who = names.of(event.group)
    if event.dice:
        made = phrase("{} hit", event.strength) if event.strength else phrase("none hits")
        return phrase("{} fires {} at {}: {}", who, what, names.of(event.target), made), dice_words(
            event.dice
        )
    return phrase("{} launches {}: {}", who, what, system_words(event.marker)), ""


@words_of(ShuttlesLanded)
def shuttles_landed(event: ShuttlesLanded, names: Called) -> Words:
    aboard = phrase(
        "{} and {} aboard",
        counted_noun(event.marines, "marine"),
        counted_noun(event.parties, "party"),
    )
    dice = (*event.marine_dice, *event.party_dice)
    return phrase(
        "{} lands on {}: {}", names.of(event.group), names.of(event.target), aboard
    ), dice_words(dice)


@words_of(MarkerMet)
def marker_met(event: MarkerMet, names: Called) -> Words:
    made = phrase("{} shot down", event.hits) if event.hits else phrase("none hit")
    return phrase(
        "{} fires at {}: {}", names.of(event.group), system_words(event.marker), made
    ), far(event)


@words_of(BoatsMetCraft, BoatsMetOrdnance)
def boats_guarded(event: BoatsMetCraft | BoatsMetOrdnance, names: Called) -> Words:
    at = system_words(event.marker) if isinstance(event, BoatsMetOrdnance) else names.of(event.prey)
    made = counted_noun(event.hits, "hit") if event.hits else phrase("no hit")
    who = phrase("{} of {}", counted_noun(event.boats, "boat"), names.of(event.group))
    if event.guarded:
        guarded = names.of(event.guarded)
        return phrase("point defence by {} at {} for {}: {}", who, at, guarded, made), far(event)
    return phrase("point defence by {} at {}: {}", who, at, made), far(event)


@words_of(CraftBurned)
def burned(event: CraftBurned, names: Called) -> Words:
    return phrase(
        "{} is caught in a blast: {} lost", names.of(event.group), event.craft
    ), dice_words(event.dice)


@words_of(Rearmed)
def rearmed(event: Rearmed, names: Called) -> Words:
    if event.ready:
        when = phrase("it can fly again from turn {}", event.ready)
    else:
        when = phrase("it flies no more in this battle")
    return phrase("{} is aboard: {}", names.of(event.group), when), die(event.die)


@words_of(MoraleThrown)
def morale_thrown(event: MoraleThrown, names: Called) -> Words:
    made = (
        phrase("goes through with its attack")
        if event.holds
        else phrase("loses heart and breaks off its attack")
    )
    return phrase("{} {}", names.of(event.group), made), phrase(
        "die {}, {} craft left", event.die, event.craft
    )


@words_of(PilotsRolled)
def pilots_rolled(event: PilotsRolled, names: Called) -> Words:
    words = phrase("the group of {} has {}", system_words(event.bay), Pilots.words(event.pilots))
    return phrase("{}: {}", names.of(event.ship), words), phrase("die {}", event.die)


@words_of(PilotsShown)
def pilots_shown(event: PilotsShown, names: Called) -> Words:
    return phrase("{} shows {}", names.of(event.group), Pilots.words(event.pilots)), ""


@words_of(AceFired)
def ace_fired(event: AceFired, names: Called) -> Words:
    made = (
        phrase("hits it")
        if event.needled
        else counted_noun(event.hits, "point")
        if event.hits
        else "nothing"
    )
    at = phrase("the {} of {}", system_words(event.system), names.of(event.target))
    return phrase("the ace of {} aims at {}: {}", names.of(event.group), at, made), far(event)


@words_of(AceDuel)
def ace_duel(event: AceDuel, names: Called) -> Words:
    made = phrase("shoots him down") if event.won else phrase("misses")
    return phrase(
        "the ace of {} goes for that of {}: {}", names.of(event.group), names.of(event.target), made
    ), far(event)


@words_of(Scrambled)
def scrambled(event: Scrambled, names: Called) -> Words:
    who, away = names.of(event.ship), event.groups
    if event.wrecked:
        wrecked = system_words(event.wrecked)
        return phrase("{} scrambles, and a mishap puts its {} out of action", who, wrecked), die(
            event.die
        )
    groups = counted_noun(away, "group")
    made = phrase("{} got away", groups) if away else phrase("nobody gets away")
    return phrase("{} scrambles: {}", who, made), die(event.die)


@words_of(HangarChecked)
def hangar_checked(event: HangarChecked, names: Called) -> Words:
    bay, ship = system_words(event.bay), names.of(event.ship)
    made = (
        phrase("explodes for {}", counted_noun(event.points, "point"))
        if event.dice
        else phrase("does not explode")
    )
    least = event.explodes_to  # nothing for those who do not know how its decks are
    told = (
        phrase("die {}", event.die)
        if least is None
        else phrase("die {}, up to {}", event.die, least)
    )
    dice = dice_words(event.dice)
    words = phrase("The {} of {} {}", bay, ship, made)
    return words, phrase("{}; {}", told, dice) if dice else told


@words_of(RunMet)
def run_met(event: RunMet, names: Called) -> Words:
    level = event.level + event.screens
    by = phrase("{} and {} by its screens", event.level, event.screens) if event.screens else ""
    words = phrase("{} meets level {} at {}", names.of(event.group), level, names.of(event.ship))
    return phrase(
        "{}, {} lower", words, counted_noun(event.lower, "band")
    ) if event.lower else words, by


@words_of(ScreenThrown)
def screen_thrown(event: ScreenThrown, names: Called) -> Words:
    hits = event.hits
    made = counted_noun(hits, "hit") if hits else phrase("nothing")
    group, guarded = names.of(event.group), names.of(event.guarded)
    return phrase("{} defends {}: {}", group, guarded, made), dice_words(event.dice)


@words_of(CraftCaught)
def craft_caught(event: CraftCaught, names: Called) -> Words:
    who = joined_phrases(" and ", (names.of(group) for group in event.groups))
    made = phrase("{} craft hit", event.craft) if event.craft else phrase("nobody hit")
    return phrase("point defence of {} at {}: {}", names.of(event.ship), who, made), dice_words(
        event.dice
    )


@words_of(ActionsOrdered)
def actions_ordered(event: ActionsOrdered, names: Called) -> Words:
    actions = [phrase(str(action)) for action in event.actions]
    told = [phrase("first {}", action) for action in actions[:1]]
    told += [phrase("then {}", action) for action in actions[1:]]
    to = event.leaves_to
    leaves = phrase("then flies to {:g}, {:g}", to[0], to[1]) if to else ""
    parts = joined_phrases(", ", [*told, *([leaves] if leaves else [])])
    return phrase("{} is told for a dogfight: {}", names.of(event.group), parts), ""


@words_of(DogfightAction)
def dogfight_action(event: DogfightAction, names: Called) -> Words:
    who, foe = names.of(event.group), names.of(event.target)
    pools, at = [], 0
    for dice in event.weapons:
        pools.append(" ".join(map(str, event.dice[at : at + dice])))
        at += dice
    thrown_dice = phrase("dice {}", " / ".join(pools)) if event.dice else ""
    if event.action == FightAction.BREAK_OFF:
        if event.done:
            return phrase("{} breaks off its dogfight with {}", who, foe), thrown_dice
        return phrase("{} cannot break off its dogfight with {}", who, foe), thrown_dice
    made = (
        phrase("{} of damage", counted_noun(event.points, "point"))
        if event.points
        else phrase("nothing")
    )
    if event.action == FightAction.STAY:
        return phrase("{} stays on its target, and fires at {}: {}", who, foe, made), thrown_dice
    return phrase("{} engages {}: {}", who, foe, made), thrown_dice
