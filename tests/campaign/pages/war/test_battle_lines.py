"""The lines of a battle's log: several weapons in one line, and damage beyond the last hull box."""

from __future__ import annotations

from typing import Any

from django.utils import translation

from campaign.words.battle.log import SideNames, lines_of
from engine.core.phrase import localize
from tests.campaign.replays.battles import contact, phase, ship

FOE = "0123456789"
NAMES = {"n1": "Wasp", FOE: "Destroyer 0123"}


def lines(*log: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return the kind, words and details of a phase's lines."""
    foe = contact(FOE, 30, 30, **{"class": "Destroyer", "damage": 4})
    record = phase(*log, own={"n1": ship(10, 10)}, contacts=[foe])
    return [
        (line.kind, localize(line.words), localize(line.detail))
        for line in lines_of(record, SideNames(NAMES))
    ]


def shot(weapon: str, *dice: int, hits: int, **extra: Any) -> dict[str, Any]:
    usual = {"event": "shot", "ship": "n1", "target": FOE, "range": 11.4, "arc": "F", "screens": 1}
    return {**usual, "weapon": weapon, "dice": list(dice), "hits": hits, **extra}


def damaged(points: int, total: int) -> dict[str, Any]:
    return {"event": "damaged", "ship": FOE, "cause": "", "points": points, "total": total}


def test_like_weapons_at_one_target_share_a_line_with_all_dice() -> None:
    log = [shot("battery-1", 5, 6, hits=3), shot("battery-2", 1, hits=0)]
    log += [shot("battery-4", 4, 4, hits=2), shot("pulse-torpedo-1", 2, hits=0)]
    assert lines(*log) == [
        (
            "hit",
            "Wasp fires 3 batteries at Destroyer 0123 and hits for 5",
            "11 MU, arc F, screens 1; battery 1: dice 5 6; battery 2: dice 1; battery 4: dice 4 4",
        ),
        (
            "miss",
            "Wasp fires pulse torpedo 1 at Destroyer 0123 and misses",
            "11 MU, arc F, screens 1, dice 2",
        ),
    ]
    with translation.override("de"):
        _, words, detail = lines(*log)[0]
    assert words == "Wasp feuert mit 3 Batterien auf Destroyer 0123 und trifft: 5"
    assert detail.endswith("; Batterie 1: Würfel 5 6; Batterie 2: Würfel 1; Batterie 4: Würfel 4 4")


def test_weapons_in_different_circumstances_have_their_own_lines() -> None:
    other_range = shot("battery-2", 1, hits=0, range=20.0)
    other_target = shot("battery-3", 1, hits=0, target="n9")
    assert len(lines(shot("battery-1", 1, hits=0), other_range, other_target)) == 3
    between = damaged(2, 6)
    assert len(lines(shot("battery-1", 6, hits=2), between, shot("battery-2", 1, hits=0))) == 3


def test_guns_in_one_line_show_the_dice_of_their_damage() -> None:
    gun = {"event": "fire", "mode": "", "needed": 3, "screens": 0, "arc": "F", "damage": [2, 6]}
    guns = [shot(f"k-gun-{number}", 4, hits=number, **gun) for number in (1, 2)]
    ((kind, words, detail),) = lines(*guns)
    assert (kind, words) == ("hit", "Wasp fires 2 K-guns at Destroyer 0123 and hits for 3")
    assert detail == (
        "11 MU, arc F, needs 3; K-gun 1: dice 4, damage 2 6; K-gun 2: dice 4, damage 2 6"
    )


def test_damage_beyond_the_last_box_is_not_counted() -> None:
    """The ship had lost 4 of its 11 boxes when the phase began."""
    first, last = lines(damaged(2, 6), damaged(7, 11))
    assert first[1] == "Destroyer 0123 takes 2 points of damage (hull boxes lost in all: 6)"
    assert last[1] == "Destroyer 0123 takes 7 points of damage and had only 5 hull boxes left"
    with translation.override("de"):
        assert lines(damaged(8, 11))[0][1] == (
            "Destroyer 0123 erleidet 8 Punkte Schaden und hatte nur noch 7 Rumpfkästchen"
        )
    with translation.override("fr"):
        assert lines(damaged(8, 11))[0][1] == (
            "Destroyer 0123 subit 8 points de dégâts et n’avait plus que 7 cases de coque"
        )
