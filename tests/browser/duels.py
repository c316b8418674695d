"""Small online battles that end soon, created in a site's environment.

`python -m tests.browser.duels NAC ESU` prints the campaigns' ids. Two ships a side and one turn or
two, close enough that every decision occurs: two battles of the second edition, one with fighters,
and two of Continuum, one with craft, boarders and damage control, one with long plots. `refusals`
after the names creates two of Continuum in which fighters may refuse a dogfight. `pictures` creates
one of Continuum at each of its phases, played to it by captains. `large` creates one of the second
edition with 68 ships, at its first phase.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import Any

SEED = 7
CARRIERS = ("Aerie Light Carrier", "Reaver Boarding Cruiser")
MISSILES = "Longshot Missile Cruiser"
WORDY = (
    "Mangle Turret Cruiser",
    "Umbra Raider",
    "Reaver Boarding Cruiser",
)  # with much to display


@dataclass(frozen=True, slots=True)
class Duel:
    """A battle.

    Attributes:
        turns: The most turns.
        boarders: The boarders of each side aboard the other's second ship.
        flying: A group of each side's first ship already flies, 2 MU from the other.
    """

    slug: str
    edition: str
    turns: int
    nac: tuple[str, ...]
    esu: tuple[str, ...]
    options: tuple[str, ...] = ()
    boarders: int = 0
    flying: bool = False
    rows: int = 4  # ships abreast; further ships are placed behind them
    gap: int = 6  # MU between them


REFUSAL = Duel(
    "duel-refusal",
    "continuum",
    1,
    ("Zarya Fleet Carrier",),
    ("Aerie Light Carrier",),
    ("refuse-dogfights",),
    flying=True,
)
REFUSALS = (REFUSAL, replace(REFUSAL, slug="duel-refusal-on-a-phone"))
FLYING = {
    "nac": {"hangar-3": {"at": [35, 24], "course": 3}},
    "esu": {"hangar-1": {"at": [37, 24], "course": 9}},
}
DUELS = (
    Duel(
        "duel-mouse",
        "second-edition",
        1,
        ("Light Carrier", "Frigate"),
        ("Heavy Cruiser", "Frigate"),
    ),
    Duel(
        "duel-keys",
        "second-edition",
        1,
        ("Heavy Cruiser", "Destroyer"),
        ("Light Carrier", "Frigate"),
    ),
    Duel("duel-touch", "continuum", 2, CARRIERS, CARRIERS, ("boarding", "core-systems"), 2),
    Duel(
        "duel-words",
        "continuum",
        1,
        (*WORDY, MISSILES),
        ("Heavy Cruiser",),
        ("boarding", "emergency-thrust"),
    ),
)


LINE = ("Heavy Cruiser", "Destroyer", "Frigate", "Light Cruiser")
LARGE_FLEET = (*LINE * 8, "Battleship", "Battleship")
LARGE = Duel("duel-large", "second-edition", 4, LARGE_FLEET, LARGE_FLEET, rows=12, gap=3)
PHASES = ("plot", "attack", "defend", "engage", "control")  # in the second turn
FLEET = (*CARRIERS, MISSILES, "Warden Heavy Cruiser")


def main(nac: str, esu: str, which: str = "") -> None:
    """Create the battles for these two players, and print where they are."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    names = {"nac": nac, "esu": esu}
    if which != "pictures":
        duels = {"refusals": REFUSALS, "large": (LARGE,)}.get(which, DUELS)
        print(*(_start_duel(duel, names) for duel in duels))
        return
    battles = [
        Duel(f"picture-{phase}", "continuum", 6, FLEET, FLEET, ("boarding", "core-systems"), 2)
        for phase in PHASES
    ]
    print(
        *(
            _play_to_phase(_start_duel(duel, names), phase)
            for duel, phase in zip(battles, PHASES, strict=True)
        )
    )


def _play_to_phase(campaign: str, kind: str) -> str:
    """Return the id of a battle at that phase of its second turn, waiting for the first player."""
    from campaign.models import Campaign
    from campaign.services.phases import fights_of
    from umpire.services.battle_phases import phase_resolve

    while True:
        row = Campaign.objects.get(public_id=campaign)
        fights = {faction.key: fights_of(row, faction)[0] for faction in row.factions.all()}
        mine = fights["nac"]
        if (mine.last.turn, mine.last.kind, mine.state) == (2, kind, "open"):
            return campaign
        stage = next((fight.stage for fight in fights.values() if fight.stage is not None), None)
        assert stage is not None, "the battle was over before that"
        # Or the site's worker resolves it after it closes
        phase_resolve(stage=stage.pk, force=True)


def _start_duel(duel: Duel, names: dict[str, str]) -> str:
    from django.contrib.auth.models import User

    from campaign.rules.files import SHIPS, load_sheets
    from campaign.rules.skirmish import skirmish_scenario
    from campaign.services.campaigns import campaign_create, membership_add
    from campaign.services.scenarios import scenario_import
    from umpire.services.wars import campaign_start, seed_from

    factions = [{"id": key, "name": key.upper()} for key in names]
    title: dict[object, object] = {
        "slug": duel.slug,
        "version": 1,
        "name": duel.slug,
        "edition": duel.edition,
        "intro": "A duel.",
    }
    data = {**title, "factions": factions}
    battle = {
        "edition": duel.edition, "table": [72, 48], "max_turns": duel.turns, "scoring": "losses",
        "options": list(duel.options),
        "sides": [_side("nac", duel.nac, 24, 3, duel), _side("esu", duel.esu, 46, 9, duel)],
    }  # fmt: skip
    sheets = load_sheets(SHIPS / f"{duel.edition}.yaml", duel.options)
    scenario = scenario_import(scenario=skirmish_scenario(data, battle, sheets))
    campaign = campaign_create(
        scenario=scenario, battles="online", seed=seed_from(SEED), dice_key=duel.slug
    )
    for key, name in names.items():
        user = User.objects.get(username=name)
        membership_add(
            campaign=campaign, user=user, role="player", faction=campaign.factions.get(key=key)
        )
    campaign_start(campaign=campaign)
    return str(campaign.public_id)


def _side(name: str, classes: tuple[str, ...], x: int, course: int, duel: Duel) -> dict[str, Any]:
    ships: list[dict[str, Any]] = [
        {
            "id": f"{name[0]}{row}",
            "class": cls,
            "at": _place(row, x, course, duel),
            "course": course,
            "velocity": 6,
        }
        for row, cls in enumerate(classes, 1)
    ]
    if duel.boarders:
        ships[1]["boarders"] = {"esu" if name == "nac" else "nac": {"marines": duel.boarders}}
    if duel.flying:
        ships[0]["groups"] = FLYING[name]
    return {"name": name, "ships": ships}


def _place(number: int, x: int, course: int, duel: Duel) -> list[int]:
    """Return where the ship with this number in its fleet begins, in MU."""
    column, row = divmod(number - 1, duel.rows)
    back = -3 * column if course == 3 else 3 * column
    middle = 24 if duel.rows > 4 else 33
    return [x + back, round(middle + duel.gap * (row - (duel.rows - 1) / 2))]


if __name__ == "__main__":
    main(*sys.argv[1:])
