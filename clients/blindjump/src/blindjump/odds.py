"""Odds of a meeting, at hand or thought of: fought by the site's workers while one waits, and told
as one says them.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from blindjump.api import Api
from blindjump.errors import Misused
from blindjump.told import Commands, Told, command
from blindjump.war import war_of

EVERY = 1.0  # seconds between looks at how far the battles are
AT_MOST = 60.0  # seconds for them, unless told otherwise


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """`odds`."""
    made = command(
        commands,
        "odds",
        in_war,
        odds,
        "how a meeting may end and what it may cost, by all you know",
    )
    made.add_argument("hex", help="where: the hex of a system, such as 0304")
    made.add_argument("toward", help="the faction you would meet")
    made.add_argument("--fleet", action="append", default=[], metavar="KEY",
                      help="one that would be there, wherever it is now, once for each; else those there")  # fmt: skip
    made.add_argument("--decoys", choices=("likely", "none", "some", "many"), default="likely",
                      help="what you take the escorts of their scan for")  # fmt: skip
    made.add_argument("--to-the-end", action="store_true", help="your captain never breaks off")
    made.add_argument(
        "--battles", type=int, metavar="N", help="how many at most; else as many as the site fights"
    )
    made.add_argument(
        "--at-most",
        type=float,
        default=AT_MOST,
        metavar="SECONDS",
        help="tell what is known by then",
    )


def odds(given: argparse.Namespace, api: Api) -> Told:
    """Ask, wait for the battles, and stop those that nobody waits for any more."""
    if given.at_most < 0:
        raise Misused("--at-most must not be below 0")
    path, until = (
        f"{war_of(given, api, faction=True, begun=True)}odds/",
        time.monotonic() + given.at_most,
    )
    question = {
        "hex": given.hex,
        "toward": given.toward,
        "fleets": given.fleet,
        "decoys": given.decoys,
        "to_the_end": given.to_the_end,
    }
    found = api.post(
        path, question if given.battles is None else {**question, "battles": given.battles}
    )
    asked = f"{path}{found['id']}/"
    try:
        while found["working"] and time.monotonic() < until:
            time.sleep(min(EVERY, max(0.0, until - time.monotonic())))
            found = api.get(asked)
    finally:
        if found["working"]:
            api.call("DELETE", asked)
    return Told(found, words(found))


def words(found: dict[str, Any]) -> str:
    """Odds in lines."""
    met = found["fought"] - found["empty"]
    lines = [f"{met} battles of {found['wanted']} at {found['hex']} against {found['toward']}"]
    if found["empty"]:
        lines.append(f"nobody was there in {found['empty']} more cases")
    if met:
        lines.append(
            ", ".join(f"{name} {_percent(found[name], met)}" for name in ("won", "drawn", "lost"))
        )
    if weighed := found["by_strength"]:
        low, high = weighed["within"]
        if weighed["forces"]:
            lines.append(f"by strength alone yours is {weighed['usual']} % of theirs, {low} to {high} % by "
                         f"{weighed['forces']} forces, the stronger in {weighed['stronger']}")  # fmt: skip
        if not weighed["forces"]:
            lines.append(
                f"in none of {weighed['empty']} cases imagined is anybody there: no battle follows"
            )
        elif weighed["empty"]:
            lines.append(f"nobody was there in {weighed['empty']} more cases")
    for name, side in (("you lose", found["mine"]), ("they lose", found["theirs"])):
        if side:
            low, high = side["within"]
            lines.append(
                f"{name} {side['usual']} % of the points in a usual one, {low} to {high} % in {found['held']} of 100"
            )
            lines.append("  " + "  ".join(
                f"{n * 10}-{n * 10 + 10} %: {_percent(many, met)}" for n, many in enumerate(side["tenths"]) if many
            ))  # fmt: skip
    if found["ended"]:
        lines.append(
            "no more of them can be fought"
            if found["ended"] == "failed"
            else "they take too long: no more come"
        )
    elif not found["mine"]:
        lines.append("too few to tell what they cost: ask again")
    return "\n".join(lines)


def _percent(many: int, of: int) -> str:
    return f"{round(100 * many / of)} %"
