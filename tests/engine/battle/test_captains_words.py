"""Some captain uses every word of plots, or a list gives the reason why none does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.battle import Battle, start
from engine.captains.common.doctrine import Doctrine
from engine.pieces.mine import Mine
from engine.ruleset import all_rules
from engine.stops import advise
from tests.engine.battle import test_riders as riders
from tests.engine.battle.continuum_hulls import table as laid_out
from tests.engine.battle.table import classes
from tests.engine.battle.test_captains_in_orbit import WORLD
from tests.engine.battle.test_captains_piers import at_pier
from tests.engine.control.test_alongside import WRECK, meeting
from tests.engine.craft.test_refusals import facing_groups
from tests.engine.craft.test_squadron_fights import to_attack
from tests.engine.defences.battles import facing, start_battle
from tests.engine.frozen.fighting import Case, cases, document, fight_case
from tests.engine.guns.duels import ship, table
from tests.engine.ordnance.test_blasts import add_ships, bolt

CONTINUUM, SECOND = "continuum", "second-edition"

# Words that no captain uses, with the reason.
NEVER: dict[tuple[str, str], str] = {
    (CONTINUUM, "alone"): "captains form no squadrons, so there is none to leave",
    (
        CONTINUUM,
        "squadron",
    ): "ships that a captain moves one by one go where each does most; a squadron's plot is the "
    "leader's, and asks no more of any ship than the slowest can give",
    (
        CONTINUUM,
        "tow",
    ): "a link takes two turns of flying alike under fire; a captain leaves a cripple behind",
    (
        CONTINUUM,
        "swing",
    ): "captains search their moves with gravity as it is, and never count on turning by more of it",
    (CONTINUUM, "detonate"): "captains do not blow up a ship that may still fight or be saved",
}

# Options whose orders no captain gives, with the reason.
NEVER_BY_OPTION: dict[str, str] = {
    "refuse-dogfights": "a captain's groups move every turn to where they do most, and then cannot refuse; one that "
    "has not moved fires back, which costs its attackers as much",
}

# Words used in battles of the frozen battery, with a short one of these.
FROZEN: dict[str, tuple[tuple[str, str], ...]] = {
    "second-edition/captains-57": ((SECOND, "ftl"),),
    "second-edition/captains-17": ((SECOND, "stay"), (SECOND, "leave")),
    "second-edition/captains-47": ((SECOND, "sweep"), (SECOND, "nova")),
    "second-edition/captains-68": ((SECOND, "undock"),),
    "planets/captains-3": ((CONTINUUM, "ftl"),),
    "continuum/captains-79": ((CONTINUUM, "stay"), (CONTINUUM, "leave")),
    "continuum/captains-49": ((CONTINUUM, "nova"),),
    "company/captains-17": ((CONTINUUM, "charge"), (CONTINUUM, "cloak")),
    "company/captains-11": ((CONTINUUM, "et"),),
    "continuum/captains-47": ((CONTINUUM, "jam"),),
    "ortillery/captains-1": ((CONTINUUM, "reflex"),),
    "ortillery/captains-2": ((CONTINUUM, "bombard"),),
    "morale/captains-6": ((CONTINUUM, "roll"),),
    "alongside/captains-9": ((CONTINUUM, "set"),),
    "continuum/captains-43": ((CONTINUUM, "stealth"),),
    "continuum/captains-28": ((CONTINUUM, "turret"),),
    "gates/captains-1": ((CONTINUUM, "gate"), (CONTINUUM, "deactivate")),
    "gates/captains-3": ((CONTINUUM, "activate"),),
    "riders/captains-3": ((CONTINUUM, "detach"),),
    "continuum/captains-31": ((CONTINUUM, "overload"),),
}


def advised(source: Any, doctrine: Doctrine) -> set[str]:
    """Return the words of the first plots of the first side's captain."""
    battle = source if not isinstance(source, dict) else start(source, classes())
    plots = advise(battle, 0, doctrine, "words")["plot"]
    return {word for text in plots.values() for word in words_of(text)}


def words_of(text: str) -> list[str]:
    return [part.split()[0] for part in text.split(";") if part.split()]


def orbit() -> dict[str, Any]:
    fallen = ship("r1", 60, 72, "", 12, velocity=6, thrust=1, ftl="none")
    return table([fallen], [ship("b1", 60, 20, "beam:2@ALL")], terrain=[WORLD])


def shaped() -> dict[str, Any]:
    own = facing(bolt(3), "", 8.0, options=("shaped-bolts",))
    document: dict[str, Any] = add_ships(own, ("r2", [64, 28]), side=0)
    return document


def worn_mother() -> dict[str, Any]:
    """Return a mothership that has lost half its boxes, and flees with an undamaged rider aboard."""
    document: dict[str, Any] = laid_out(riders.mother(damage=25), riders.rider())
    return document


def near_mines() -> Battle:
    battle = start(
        table([ship("r1", 60, 60, "minesweeper", velocity=10)], [ship("b1", 60, 100, "")]),
        classes(),
    )
    state = battle.state.copy()
    state.pieces.append(Mine("b1/mine-rack-1/1", 1, 61.0, 64.0, 0, 3))
    battle.state = state
    return battle


# Words used in the first turn of a battle made for it.
DRAWN_UP: dict[tuple[str, str], Callable[[], Any]] = {
    (CONTINUUM, "undock"): lambda: at_pier("beam:2@ALL"),
    (CONTINUUM, "board"): lambda: meeting(foe=WRECK),
    (CONTINUUM, "orbit"): orbit,
    (CONTINUUM, "shaped"): shaped,
    (CONTINUUM, "sweep"): near_mines,
    (CONTINUUM, "bear"): worn_mother,
}
FLEES = ("bear",)  # words of a fleeing side


def test_every_order_word_is_given_or_has_a_reason() -> None:
    covered_words = {word for words in FROZEN.values() for word in words} | set(DRAWN_UP)
    assert not covered_words & set(NEVER)
    grammar = {
        (str(rules.edition), word)
        for rules in all_rules()
        for word in (*rules.grammar.flags, *rules.grammar.words)
    }
    assert covered_words | set(NEVER) == grammar


@pytest.mark.parametrize("name", FROZEN)
def test_captains_give_the_word_in_a_battery_battle(name: str) -> None:
    case = next(candidate for candidate in cases() if candidate.name == name)
    assert case.captains
    assert set(FROZEN[name]) <= {(case.edition, word) for word in collect_plot_words(case)}


def collect_plot_words(case: Case) -> set[str]:
    """Return the words of all plots of a battle's captains, after the turns written in its file."""
    scripted_turns = len(document(case).get("turns", ()))
    lines: list[str] = []
    fight_case(case, lambda hashed, line: lines.append(line) if hashed == "log" else None)
    words: set[str] = set()
    for line in lines:
        stop = json.loads(line)
        if (
            isinstance(stop, list)
            and len(stop) == 4
            and stop[2] == "plot"
            and stop[1] > scripted_turns
        ):
            texts = [text for text in stop[3].values() if isinstance(text, str)]
            words |= {word for text in texts for word in words_of(text)}
    return words


@pytest.mark.parametrize("word", [word for _, word in DRAWN_UP])
def test_captain_gives_the_word_where_useful(word: str) -> None:
    doctrine = replace(Doctrine(), flee=word in FLEES)
    assert word in advised(DRAWN_UP[CONTINUUM, word](), doctrine)


@pytest.mark.parametrize("option", NEVER_BY_OPTION)
def test_captains_do_not_give_optional_orders(option: str) -> None:
    battle = to_attack(start_battle(facing_groups("fast", "standard", (option,))))
    attack = dict(advise(battle, 0, Doctrine(), "words"))["attack"]
    assert isinstance(attack, dict)
    assert [order for orders in attack.values() for order in orders if "to" in order] == []
