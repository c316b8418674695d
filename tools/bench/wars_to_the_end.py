"""A whole war of people, played to its end over the API or in a browser, and what its players found
by their papers.

`python -m tools.bench.wars_to_the_end [--over api|browser] [--scenario knot-of-gates] [--seed N]
[--battles captains|online]` starts a site of its own with a server, a worker and a clock, sits a
player down for each faction, and lets each answer whatever waits for him until the war is over.
Over the API a player is a program that decides by its own view like a computer admiral, and seals
its captain's proposal at every stop of a battle online; in the browser he takes what pages propose,
sends his large fleets on towards worlds that are not his, fights where he is asked, and leaves
battles to captains. Whatever a page complains of ends the war with it. Figures go out as a line of
JSON; the exit status is 1 where a paper shows what it should not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from campaign.rules.files import fixture_scenario
from tests.browser.chromium import chromium
from tests.browser.people import OVER, person, stage_of, wait_until
from tests.site.running import Site, running
from tests.wars.player import Player
from tests.wars.script import war_begun
from tests.wars.watch import Papers, found
from tools.bench.wars_in_browser import Reader

MOST_STAGES = 80
CHARACTERS = ("bold", "steady", "cautious")


def over_the_api(site: Site, slug: str, seed: int, battles: str) -> dict[str, Any]:
    """A war of programs to its end: figures of it."""
    keys = [faction.id for faction in fixture_scenario(slug).factions]
    names = {key: f"{key}-{seed}" for key in keys}
    campaign = war_begun(site, slug, names, battles=battles)
    players = [
        Player(site, names[key], campaign, CHARACTERS[(seed + n) % len(CHARACTERS)], leaves=False, faction=key,
               others=_others(keys, key), papers=Papers(key))
        for n, key in enumerate(keys)
    ]  # fmt: skip
    scenario = players[0].scenario()
    for _ in range(MOST_STAGES):
        ordinal = {player.play(scenario) for player in players}.pop()
        sheet = players[0].fight_on(list(players[1:]), ordinal)
        told(sheet)
        if sheet["state"] == "over":
            break
    papers = [player.gathered() for player in players]
    return summary(papers) | {
        "stops sealed": sum(len(player.battle_receipts) for player in players),
        "requests": sum(player.asked.total() for player in players),
    }


def in_the_browser(site: Site, slug: str, seed: int, battles: str) -> dict[str, Any]:
    """A war of people at their browsers to its end: figures of it.

    What the papers hold is asked for afterwards.
    """
    scenario = fixture_scenario(slug)
    keys = [faction.id for faction in scenario.factions]
    names = {key: f"{key}-{seed}" for key in keys}
    campaign = war_begun(site, slug, names, battles=battles)
    players = {
        key: Player(
            site, names[key], campaign, faction=key, others=_others(keys, key), papers=Papers(key)
        )
        for key in keys
    }
    with chromium() as browser:
        readers = [
            Reader(person(site, browser, names[key]), campaign, key, _others(keys, key), scenario,
                   Random(f"{seed} {key}"), players[key].papers)
            for key in keys
        ]  # fmt: skip
        for _ in range(MOST_STAGES):
            now = stage_of(site, names[keys[0]], campaign)
            print(*now, file=sys.stderr, flush=True)
            if now[1] == OVER:
                break
            for reader in readers:
                reader.answer(now[1], last=reader is readers[-1])
            wait_until(site, lambda now=now: stage_of(site, names[keys[0]], campaign) != now)  # type: ignore[misc]
        for reader in readers:
            reader.told()
    done: Counter[str] = Counter()
    for reader in readers:
        done += reader.done
    papers = [player.gathered() for player in players.values()]
    return summary(papers) | {
        "pages": sum(reader.looked for reader in readers),
        "done": dict(sorted(done.items())),
    }


def _others(keys: Sequence[str], own: str) -> tuple[str, ...]:
    return tuple(key for key in keys if key != own)


def summary(papers: Sequence[Papers]) -> dict[str, Any]:
    """How a war ended, and what was found in it."""
    seen = found(papers)
    last = papers[0].views[-1]
    results = {one.views[-1]["result"] for one in papers}
    return {
        "result": last["result"],
        "winner": last["winner"],
        "weeks": last["week"],
        "battles": len({battle["id"] for one in papers for battle in one.battles}),
        "seen": dict(sorted(seen.told.items())),
        "faults": seen.faults
        + (["the war is not over for all"] if results != {last["result"]} or not results else []),
    }


def told(sheet: Any) -> None:
    """Say where the war stands."""
    stage = sheet["stage"]
    print(
        f"week {stage['week']}, {stage['kind']}" if stage else sheet["state"],
        file=sys.stderr,
        flush=True,
    )


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.wars_to_the_end", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--over", choices=("api", "browser"), default="api")
    parser.add_argument(
        "--scenario", default="knot-of-gates", help="of those that come with the project"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="what the players decide by; dice are the site's own"
    )
    parser.add_argument("--battles", choices=("captains", "online"), default="captains")
    given = parser.parse_args(arguments)
    if given.battles == "online" and (
        given.over == "browser" or len(fixture_scenario(given.scenario).factions) > 2
    ):
        parser.error(
            "battles online are played over the API alone, and in wars of two: where a third might learn of"
            " them by the clock, a week's battles last 72 hours"
        )
    begun = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="bj-war-") as folder,
        running(Path(folder), collected=given.over == "browser") as site,
    ):
        play = in_the_browser if given.over == "browser" else over_the_api
        figures = play(site, given.scenario, given.seed, given.battles)
    seconds = round(time.monotonic() - begun)
    print(
        json.dumps(
            {
                "scenario": given.scenario,
                "over": given.over,
                "seed": given.seed,
                **figures,
                "seconds": seconds,
            }
        )
    )
    return 1 if figures["faults"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
