"""Play a whole war of people to its end, over the API or in a browser, and check what they could
see.

`python -m tools.bench.wars_to_the_end [--over api|browser] [--scenario knot-of-gates] [--seed N]
[--battles captains|online]` starts a site with a server, a worker and a clock, with one player for
each faction, who does whatever is due until the war is over. Over the API a player is a program
that decides by its own view like a computer admiral, and seals its captain's proposal at every
phase of an online battle. In the browser players accept proposals, send large fleets towards
foreign worlds, fight when asked, and leave battles to captains. A fault on a page ends the war. The
figures are printed as a line of JSON; the exit status is 1 if a document shows what it should not.
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
from tests.site.running import Site, run_site
from tests.wars.player import Player
from tests.wars.record_checks import PlayerRecord, check_records
from tests.wars.script import start_war
from tools.bench.wars_in_browser import BrowserPlayer

MAX_STAGES = 80
CHARACTERS = ("bold", "steady", "cautious")


def over_the_api(site: Site, slug: str, seed: int, battles: str) -> dict[str, Any]:
    """Play a war of programs to its end, and return its figures."""
    keys = [faction.id for faction in fixture_scenario(slug).factions]
    names = {key: f"{key}-{seed}" for key in keys}
    campaign = start_war(site, slug, names, battles=battles)
    players = [
        Player(site, names[key], campaign, CHARACTERS[(seed + n) % len(CHARACTERS)], leaves=False, faction=key,
               others=_others(keys, key), record=PlayerRecord(key))
        for n, key in enumerate(keys)
    ]  # fmt: skip
    scenario = players[0].scenario()
    for _ in range(MAX_STAGES):
        ordinal = {player.play(scenario) for player in players}.pop()
        sheet = players[0].fight_on(list(players[1:]), ordinal)
        print_state(sheet)
        if sheet["state"] == "over":
            break
    documents = [player.gather_record() for player in players]
    return summary(documents) | {
        "stops sealed": sum(len(player.battle_receipts) for player in players),
        "requests": sum(player.request_count.total() for player in players),
    }


def in_the_browser(site: Site, slug: str, seed: int, battles: str) -> dict[str, Any]:
    """Play a war of people in browsers to its end, and return its figures.

    The contents of their documents are requested afterwards.
    """
    scenario = fixture_scenario(slug)
    keys = [faction.id for faction in scenario.factions]
    names = {key: f"{key}-{seed}" for key in keys}
    campaign = start_war(site, slug, names, battles=battles)
    players = {
        key: Player(
            site,
            names[key],
            campaign,
            faction=key,
            others=_others(keys, key),
            record=PlayerRecord(key),
        )
        for key in keys
    }
    with chromium() as browser:
        readers = [
            BrowserPlayer(person(site, browser, names[key]), campaign, key, _others(keys, key), scenario,
                   Random(f"{seed} {key}"), players[key].record)
            for key in keys
        ]  # fmt: skip
        for _ in range(MAX_STAGES):
            now = stage_of(site, names[keys[0]], campaign)
            print(*now, file=sys.stderr, flush=True)
            if now[1] == OVER:
                break
            for reader in readers:
                reader.answer(now[1], last=reader is readers[-1])
            wait_until(site, lambda now=now: stage_of(site, names[keys[0]], campaign) != now)  # type: ignore[misc]
        for reader in readers:
            reader.read_story()
    acts: Counter[str] = Counter()
    for reader in readers:
        acts += reader.acts
    documents = [player.gather_record() for player in players.values()]
    return summary(documents) | {
        "pages": sum(reader.looked for reader in readers),
        "done": dict(sorted(acts.items())),
    }


def _others(keys: Sequence[str], own_key: str) -> tuple[str, ...]:
    return tuple(key for key in keys if key != own_key)


def summary(documents: Sequence[PlayerRecord]) -> dict[str, Any]:
    """Return how a war ended, and what was found in it."""
    findings = check_records(documents)
    last = documents[0].views[-1]
    results = {item.views[-1]["result"] for item in documents}
    return {
        "result": last["result"],
        "winner": last["winner"],
        "weeks": last["week"],
        "battles": len({battle["id"] for item in documents for battle in item.battles}),
        "seen": dict(sorted(findings.counts.items())),
        "faults": findings.faults
        + (["the war is not over for all"] if results != {last["result"]} or not results else []),
    }


def print_state(sheet: Any) -> None:
    """Print the state of the war."""
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
    args = parser.parse_args(arguments)
    if args.battles == "online" and (
        args.over == "browser" or len(fixture_scenario(args.scenario).factions) > 2
    ):
        parser.error(
            "battles online are played over the API alone, and in wars of two: where a third might learn of"
            " them by the clock, a week's battles last 72 hours"
        )
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="bj-war-") as folder,
        run_site(Path(folder), collected=args.over == "browser") as site,
    ):
        play = in_the_browser if args.over == "browser" else over_the_api
        figures = play(site, args.scenario, args.seed, args.battles)
    seconds = round(time.monotonic() - started)
    print(
        json.dumps(
            {
                "scenario": args.scenario,
                "over": args.over,
                "seed": args.seed,
                **figures,
                "seconds": seconds,
            }
        )
    )
    return 1 if figures["faults"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
