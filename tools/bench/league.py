"""Play a league of twenty bots (computer admirals of different characters), and rate them.

`python -m tools.bench.league [--wars 1000] [--first 0] [--jobs 1] [--scenario first-steps ...]
[--write]` plays every bot against every other in memory, each pair from both seats of a scenario,
and rates bots and seats together with openskill (the Plackett-Luce model). A bot forms a team with
its seat, so an easy seat is credited to the seat. A rating is a mean with its standard error, 25 ±
8.3 before the first war. `--write` stores the table in fixtures/league.json, which the site's
league page shows. The same arguments give the same table on every machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from openskill.models import PlackettLuce, PlackettLuceRating

from campaign.rules.files import fixture_scenario
from engine.core.versions import NEWEST
from umpire.admirals.character import CHARACTERS, STEADY, Character
from umpire.rehearsal import play

TABLE = Path(__file__).resolve().parent.parent.parent / "fixtures" / "league.json"
SCENARIOS = ("first-steps", "lafayette", "lafayette-continuum")
SHARES = ("won", "drawn", "lost")


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot of the league; `words` describes its character."""

    name: str
    words: str
    character: Character


def _like(name: str, words: str, base: Character = STEADY, **differs: Any) -> Bot:
    return Bot(name, words, replace(base, name=name, **differs))


BOLD, CAUTIOUS = CHARACTERS[1], CHARACTERS[2]
BOTS: tuple[Bot, ...] = (
    _like("steady", "the default computer admiral"),
    _like("bold", "the bold computer admiral", BOLD),
    _like("cautious", "the cautious computer admiral", CAUTIOUS),
    _like("duellist", "steady, but fights at equal odds", attack=1.0),
    _like("gambler", "steady, but fights at four to five", attack=0.8, hold=0.5),
    _like("miser", "steady, but fights at three to two", attack=1.5),
    _like("stayer", "steady, but hardly ever withdraws", hold=0.4),
    _like("runner", "steady, but withdraws as soon as it is weaker", hold=1.0),
    _like("reckless", "steady, but ignores risks on the march", caution=0),
    _like("anxious", "steady, but counts every risk twice", caution=140),
    _like("rover", "steady, but leaves no garrisons", garrison=0),
    _like("settler", "steady, but leaves large garrisons", garrison=20),
    _like("divider", "steady, but mostly divides its forces", split=5),
    _like("massed", "steady, but never divides its forces", split=0),
    _like("warden", "steady, but always guards what it must not lose", guard=6),
    _like("raider", "bold, and guards nothing", BOLD, guard=0, garrison=0),
    _like("last stand", "steady, but its ships fight to the last box", break_off=100, retire=90),
    _like("nurse", "steady, but breaks off and repairs early", break_off=30, retire=20),
    _like("close in", "steady, but fires at the nearest target", targets="nearest"),
    _like("cull", "steady, but fires at the weakest target", targets="weakest"),
)


@dataclass(frozen=True, slots=True)
class War:
    """A war of the league: the numbers of the bots by faction."""

    scenario: str
    seed: int
    seats: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The winner of a war, a faction or None for a draw; `seconds` is processor time."""

    war: War
    winner: str | None
    seconds: float


def schedule(scenarios: Sequence[str], wars: int, first: int = 0) -> list[War]:
    """Return the wars: rounds in which every bot meets one other, from both seats, with the same
    dice.

    The scenarios take turns.

    Raises:
        ValueError: A scenario does not have two sides.
    """
    seats = {
        slug: sorted(faction.id for faction in fixture_scenario(slug).factions)
        for slug in scenarios
    }
    if wrong := [slug for slug, factions in seats.items() if len(factions) != 2]:
        raise ValueError(f"the league plays scenarios with two factions: {', '.join(wrong)}")
    wars_planned: list[War] = []
    number = 0
    while len(wars_planned) < wars:
        slug = scenarios[number % len(scenarios)]
        for first_bot, second_bot in _round(number):
            first_seat, second_seat = seats[slug]
            seed = first + len(wars_planned) // 2
            wars_planned.append(
                War(slug, seed, ((first_seat, first_bot), (second_seat, second_bot)))
            )
            wars_planned.append(
                War(slug, seed, ((first_seat, second_bot), (second_seat, first_bot)))
            )
        number += 1
    return wars_planned[:wars]


def _round(number: int) -> list[tuple[int, int]]:
    """Return the pairs of a round, by the circle method: the last bot stays, the others rotate."""
    last = len(BOTS) - 1
    ring = [(number + n) % last for n in range(last)]
    return [(ring[0], last), *((ring[n], ring[-n]) for n in range(1, len(BOTS) // 2))]


def play_war(war: War) -> Result:
    """Play a war of the league."""
    began = time.process_time()
    leaders: dict[str, str | Character] = {
        faction: BOTS[bot].character for faction, bot in war.seats
    }
    played = play(fixture_scenario(war.scenario), leaders, war.seed)
    return Result(war, played.winner, time.process_time() - began)


def table(results: Sequence[Result]) -> dict[str, Any]:
    """Return the league's table, best bot first, with rounded ratings and errors, and the seats'
    ratings.
    """
    model = PlackettLuce(tau=0.0)  # bots do not learn, so ratings do not drift
    bots = [model.rating(name=bot.name) for bot in BOTS]
    seats: dict[tuple[str, str], PlackettLuceRating] = {}
    counts = [dict.fromkeys(SHARES, 0) for _ in BOTS]
    for result in results:
        teams, ranks = [], []
        for faction, bot in result.war.seats:
            seat = seats.setdefault((result.war.scenario, faction), model.rating())
            teams.append([bots[bot], seat])
            ranks.append(0.0 if result.winner in (faction, None) else 1.0)
            counts[bot][
                "drawn" if result.winner is None else "won" if result.winner == faction else "lost"
            ] += 1
        for (faction, bot), (rated, seat) in zip(
            result.war.seats, model.rate(teams, ranks=ranks), strict=True
        ):
            bots[bot], seats[result.war.scenario, faction] = rated, seat
    lines = [
        {"name": bot.name, "words": bot.words, **_figures(rated), **count}
        for bot, rated, count in zip(BOTS, bots, counts, strict=True)
    ]
    return {
        "schema": 1,
        "rules": NEWEST,
        "wars": len(results),
        "bots": sorted(lines, key=lambda line: (-float(str(line["rating"])), str(line["name"]))),
        "seats": [
            {"scenario": slug, "faction": faction, **_figures(rated)}
            for (slug, faction), rated in sorted(seats.items())
        ],
    }


def _figures(rated: PlackettLuceRating) -> dict[str, float]:
    return {"rating": round(rated.mu, 1), "error": round(rated.sigma, 1)}


def main() -> int:
    """Return 0, or 1 if a scenario cannot be played in the league."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wars", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first war")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--scenario", action="append", help=f"with two factions; else {', '.join(SCENARIOS)}"
    )
    parser.add_argument(
        "--write", action="store_true", help="keep the table for the page of the league"
    )
    args = parser.parse_args()
    try:
        wars = schedule(args.scenario or SCENARIOS, args.wars, args.first)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    with Pool(args.jobs) as pool:
        results = pool.map(play_war, wars, chunksize=10)
    standings = table(results)
    for line in standings["bots"]:
        print(
            f"{line['name']:<12} {line['rating']:5.1f} ± {line['error']:3.1f}",
            *(line[share] for share in SHARES),
        )
    for line in standings["seats"]:
        print(f"{line['scenario']}/{line['faction']} {line['rating']:5.1f} ± {line['error']:3.1f}")
    print(
        f"{len(results)} wars in {sum(result.seconds for result in results):.0f} s of processor time"
    )
    if args.write:
        TABLE.write_text(
            json.dumps(standings, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
