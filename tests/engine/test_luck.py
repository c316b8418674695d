"""The luck account: distributions agree with the rules' own dice, and sums with the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from math import sqrt

import pytest

from engine.battle import begin, fight
from engine.continuum import luck
from engine.core.dice import Dice
from engine.core.ids import ShipId
from engine.core.luck import (
    BAD_FOR_OWNER,
    Outcome,
    Part,
    Pmf,
    at_least,
    pmf_of_faces,
    pmf_of_success,
    pmf_with_rerolls,
    times,
)
from engine.core.orders import Fire
from engine.core.rolls import BEAM_HITS, D6, Effect, Shot
from engine.craft import fighters
from engine.craft import fire as craft_fire
from engine.luck import FoughtBattle, luck_account
from engine.notation.battles import read_battle
from engine.ruleset import rules_of
from engine.systems.defences import BEAM_POINTS
from engine.weapons import beams, missiles, needles, point_defence, torpedoes
from engine.weapons.antimatter import roll_explosion
from engine.weapons.guard import Guard, PointDefenceTarget
from engine.weapons.mines import roll_warhead
from engine.weapons.ordnance import salvo_strike
from engine.weapons.registry import weapons_of
from engine.weapons.weapon import Weapon, points_of
from tests.engine.frozen.fighting import Case, document
from tests.engine.luck_events import small_battle

THROWS = 3000
OLD, NEW = "second-edition", "continuum"
# Parts of Continuum whose outcome is the points of the event.
SUMS = {
    *(Part.BEAMS, Part.GRASERS, Part.PLASMA, Part.DEFENCE_GUNS, Part.PHASERS),
    *(Part.SUBMUNITIONS, Part.FUSION, Part.NEEDLE_POINTS),
}
# Of them, those whose first dice are as many as the class of the weapon.
BY_CLASS = {Part.BEAMS, Part.GRASERS, Part.PLASMA, Part.PHASERS, Part.NEEDLE_POINTS}


def _chi_square(pmf: Pmf, values: list[int]) -> tuple[float, int]:
    """Return chi-square of values and its degrees of freedom; rare values are put together."""
    counts = Counter(values)
    expected = {n: pmf.chance(n) * len(values) for n in range(pmf.low, pmf.low + len(pmf.chances))}
    common = [value for value, number in expected.items() if number >= 5]
    assert set(counts) <= set(expected)
    total = sum((counts[value] - expected[value]) ** 2 / expected[value] for value in common)
    rare = len(values) - sum(expected[value] for value in common)
    if rare >= 5:
        seen = len(values) - sum(counts[value] for value in common)
        total += (seen - rare) ** 2 / rare
    return total, len(common) - (rare < 5)


def _assert_agrees(pmf: Pmf, values: list[int]) -> None:
    """Check mean, variance and chi-square of seeded values."""
    assert sum(pmf.chances) == pytest.approx(1, abs=1e-9)
    mean = sum(values) / len(values)
    assert abs(mean - pmf.mean) < 4 * sqrt(pmf.variance / len(values))
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    assert variance == pytest.approx(pmf.variance, rel=0.2)
    chi_square, degrees = _chi_square(pmf, values)
    assert chi_square < degrees + 4 * sqrt(2 * degrees)


def _shot(**fields: object) -> Shot:
    return Shot(**{"subject": "a/x", "distance": 8.0, "true_distance": 8.0, **fields})  # type: ignore[arg-type]


def _row(type_: str) -> Weapon:
    """Return a weapon of Continuum by its type."""
    return weapons_of(NEW)[type_]


def _file(row: Weapon, shot: Shot) -> dict[str, object]:
    """Return a file with the ship that fires, and with its target."""
    screens = "advanced-screen" if shot.advanced else "screen"
    ships = [
        {"id": "a", "design": {"systems": [{"type": row.type, "model": shot.variant}]}},
        {"id": "b", "design": {"systems": [{"type": screens}]}},
    ]
    return {"sides": [{"name": "x", "ships": ships}]}


def _fire(row: Weapon, type_: str, edition: str, shot: Shot, dice: Dice) -> Outcome:
    """Fire a weapon by the rules, and return what the account makes of its event."""
    assert row.fire is not None
    effect = row.fire(shot, dice)
    event = row.make_event(1, ShipId("a"), Fire(f"{type_}-1", ("b",)), "b", "F", shot, effect)
    line = event.to_json()
    outcomes = rules_of(edition).counted_dice(_file(row, shot))[line["event"]](line)
    assert outcomes is not None
    outcome = outcomes[0]
    if edition == OLD or outcome.part in SUMS:
        needled = effect.needled and edition == OLD
        assert outcome.value == points_of(effect) + effect.craft + needled
        assert outcome.value == line.get("hits", effect.needled)
    return outcome


@pytest.mark.parametrize(
    ("row", "edition", "shot"),
    [
        (beams.SECOND_EDITION[0], OLD, _shot(variant="A", screens=1)),
        (torpedoes.SECOND_EDITION[0], OLD, _shot()),
        (needles.SECOND_EDITION[0], OLD, _shot()),
        (missiles.SECOND_EDITION[0], OLD, _shot()),
        (point_defence.SECOND_EDITION[0], OLD, _shot()),
        (beams.CONTINUUM[0], NEW, _shot(size=3, screens=1)),
        (beams.CONTINUUM[0], NEW, _shot(size=2, screens=3)),
        (torpedoes.CONTINUUM[0], NEW, _shot()),
        (_row("graser"), NEW, _shot(size=3, screens=1)),
        (_row("graser"), NEW, _shot(size=2, screens=3)),
        (_row("plasma-cannon"), NEW, _shot(size=3, screens=2)),
        (_row("k-gun"), NEW, _shot(size=2)),
        (_row("mkp"), NEW, _shot()),
        (_row("ads"), NEW, _shot(true_distance=5.0)),
        (_row("scattergun"), NEW, _shot()),
        (_row("phaser"), NEW, _shot(size=2, screens=1)),
        (_row("phaser"), NEW, _shot(size=2, mode="needle")),
        (_row("needle"), NEW, _shot(size=3)),
        (_row("heavy-graser"), NEW, _shot(size=2, screens=1)),
        (_row("heavy-graser"), NEW, _shot(size=1, variant="high-intensity")),
        (_row("submunition"), NEW, _shot(screens=3, advanced=2)),
        (_row("submunition"), NEW, _shot(screens=2)),
        (_row("fusion-array"), NEW, _shot(distance=14.0, screens=1, advanced=1)),
        (_row("fusion-array"), NEW, _shot(mode="torpedo", screens=2)),
    ],
)
def test_guns_agree_with_their_distribution(row: Weapon, edition: str, shot: Shot) -> None:
    dice = Dice("luck")
    outcomes = [_fire(row, row.type, edition, shot, dice) for _ in range(THROWS)]
    assert len({outcome.pmf for outcome in outcomes}) == 1
    first = outcomes[0]
    if edition == NEW and first.part in BY_CLASS:
        assert {outcome.count for outcome in outcomes} == {shot.size}  # re-rolls are no first dice
    _assert_agrees(times(first.pmf, first.count), [outcome.value for outcome in outcomes])


def _success(needed: int, dice: Dice) -> int:
    return int(dice.roll("threshold", "a") >= needed)


def _strike(fire: Callable[[Shot, Dice, int], Effect], dice: Dice) -> int:
    effect = fire(_shot(screens=2), dice, 3)
    return points_of(effect) or effect.craft


def _strike_by_beams(dice: Dice) -> int:
    return points_of(craft_fire.beams()(_shot(screens=1), dice, 3))


def _shoot_at(type_: str, target: PointDefenceTarget) -> Callable[[Dice], int]:
    """Return what throws a weapon's point defence dice once."""
    guard = _guard(type_)
    return lambda dice: guard.fire(target, 0.0, mode="split", subject="a", dice=dice)[1]


def _guard(type_: str) -> Guard:
    guard = _row(type_).guard
    assert guard is not None
    return guard


# Weapons and targets of point defence with dice of different kinds.
DEFENCES = (
    ("pds", PointDefenceTarget.FIGHTERS),
    ("beam", PointDefenceTarget.MISSILES),
    ("k-gun", PointDefenceTarget.MISSILES),
    ("emp", PointDefenceTarget.MISSILES),
    ("phaser", PointDefenceTarget.PLASMA_BOLT),
    ("ads", PointDefenceTarget.HEAVY_MISSILE),
)


def _explode(dice: Dice) -> int:
    return roll_explosion(3, 1, dice, "a")[1]


@pytest.mark.parametrize(
    ("pmf", "throw"),
    [
        (pmf_of_success(at_least(5)), partial(_success, 5)),
        (times(pmf_of_faces(BEAM_POINTS[2]), 3), partial(_strike, fighters.beam)),
        (times(pmf_of_faces(point_defence.KILLS), 3), partial(_strike, fighters.guns)),
        (times(pmf_of_faces(BEAM_POINTS[1]), 2), lambda dice: roll_warhead(1, dice, "a")[1]),
        (times(pmf_of_faces((0, 0, 1, 2, 3, 4, 5)), 3), _explode),
        (times(pmf_of_faces(D6), 4), lambda dice: sum(salvo_strike(4, 1, "a", dice).dice)),
        *((luck.defence_pmf(_guard(type_), to), _shoot_at(type_, to)) for type_, to in DEFENCES),
        (pmf_of_faces(D6), _shoot_at("scattergun", PointDefenceTarget.HEAVY_MISSILE)),
        (
            pmf_of_faces(point_defence.KILLS),
            _shoot_at("scattergun", PointDefenceTarget.PLASMA_BOLT),
        ),
        (times(pmf_with_rerolls(BEAM_HITS[1], BEAM_HITS[0]), 3), _strike_by_beams),
    ],
)
def test_other_dice_agree_with_their_distribution(pmf: Pmf, throw: Callable[[Dice], int]) -> None:
    dice = Dice("luck")
    _assert_agrees(pmf, [throw(dice) for _ in range(THROWS)])


def test_many_dice_are_summed_without_loss() -> None:
    pmf = times(pmf_of_faces(BEAM_POINTS[0]), 2000)
    assert sum(pmf.chances) == pytest.approx(1, abs=1e-9)
    assert pmf.mean == pytest.approx(2000 * 4 / 6)
    assert pmf.two_sided(round(pmf.mean)) == 1.0
    assert pmf.two_sided(4000) == 0.0


@pytest.mark.parametrize(("name", "edition"), [("captains", OLD), ("captains", NEW)])
def test_account_has_what_the_log_has(name: str, edition: str) -> None:
    battles = []
    points = 0
    for seed in (5, 6, 7):
        file = document(Case(f"{edition}/{name}-{seed}", edition, seed, captains=True))
        battle = read_battle(file, {})
        dice = Dice(seed)
        ended = fight(begin(battle, dice), battle.doctrines, dice, "luck", max_turns=6)
        events = ended.events_json
        points += sum(event["hits"] for event in events if event["event"] == "shot")
        battles.append(FoughtBattle(f"b{seed}", file, events))
    account = luck_account(battles)
    whole = [line for line in account.lines if not line.battle]
    parts = [line for line in account.lines if line.battle]
    assert sum(line.effect for line in whole) == sum(line.effect for line in parts)
    assert sum(line.expected for line in whole) == pytest.approx(sum(p.expected for p in parts))
    assert {line.part for line in whole} >= {Part.THRESHOLDS}
    assert all(line.faction for line in whole)
    assert all(0 <= line.p <= 1 and 0 <= line.better_than <= 1 for line in account.lines)
    assert "shot" not in account.not_counted
    if edition == OLD:
        assert sum(line.effect for line in whole if line.part == Part.BEAMS) == points > 0


def test_losing_systems_is_bad_luck() -> None:
    event = {"event": "threshold", "ship": "nac/s1", "loses_on": 6, "rolls": [["drive", 6]]}
    side = {"name": "nac+esu", "ships": [{"id": "nac/s1"}]}
    file = {"edition": OLD, "options": [], "sides": [side]}
    unknown = {"event": "disengaged", "rolls": [["nac+esu", 4, 4]]}
    account = luck_account([FoughtBattle("x", file, [event, unknown, {"event": "moved"}])])
    line = account.lines[0]
    assert (line.faction, line.part, line.effect, line.dice) == ("nac", Part.THRESHOLDS, 1, 1)
    assert line.part in BAD_FOR_OWNER
    assert line.better_than == pytest.approx(1 / 12)
    assert account.not_counted == {"disengaged": 1}


def test_dice_of_continuum_are_counted_by_part() -> None:
    file, events = small_battle()
    account = luck_account([FoughtBattle("x", file, events)])
    found = {}
    for line in account.lines:
        if not line.battle:
            found[line.part] = (line.effect, line.dice, round(line.expected, 2))
    assert found == {
        Part.GUN_HITS: (2, 3, 2.0),
        Part.DOUBLED_HITS: (1, 2, 0.83),
        Part.SALVOES: (5, 1, 3.5),
        Part.MISSILES: (7, 2, 7.0),
        Part.BLASTS: (5, 2, 5.0),
        Part.POINT_DEFENCE: (3, 2, 0.8),
        Part.FIGHTERS: (3, 3, 1.6),
        Part.PHASERS: (3, 2, 1.6),
        Part.NEEDLE_POINTS: (1, 2, 1.0),
        Part.GRASERS: (9, 2, 5.13),
        Part.SUBMUNITIONS: (1, 1, 0.63),
        Part.FUSION: (2, 3, 1.27),
        Part.ORDNANCE_DEFENCE: (8, 4, 4.13),
        Part.DOGFIGHTS: (1, 1, 0.8),
    }
    assert account.not_counted == {"fire": 2, "fighters-fired": 1, "point-defence-at-ordnance": 1}
    file, events = small_battle(fighters="torpedo")
    account = luck_account([FoughtBattle("x", file, events)])
    assert account.not_counted == {
        "fire": 2,
        "fighters-fired": 3,
        "point-defence-at-craft": 1,
        "point-defence-at-ordnance": 1,
    }


def test_fire_with_hidden_modifiers_is_not_counted() -> None:
    ship = {"id": "nac/s1", "design": {"systems": [{"type": "holofield"}]}}
    file = {"edition": NEW, "options": [], "sides": [{"name": "nac", "ships": [ship]}]}
    fire = {"event": "fire", "ship": "nac/s1", "weapon": "beam-1", "screens": 0, "dice": [4]}
    account = luck_account([FoughtBattle("x", file, [{**fire, "hits": 1, "damage": []}])])
    assert not account.lines
    assert account.not_counted == {"fire": 1}
