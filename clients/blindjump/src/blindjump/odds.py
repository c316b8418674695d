"""Odds of an actual or imagined encounter, which the site's workers simulate."""

from __future__ import annotations

import argparse
import time
from typing import Any

from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import UsageError
from blindjump.war import war_of

POLL_SECONDS = 1.0  # seconds between progress requests
MAX_WAIT_SECONDS = 60.0  # default for --at-most, in seconds


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare `odds`."""
    parser = command(
        commands,
        "odds",
        in_war,
        odds,
        "how a meeting may end and what it may cost, by all you know",
    )
    parser.add_argument("hex", help="where: the hex of a system, such as 0304")
    parser.add_argument("toward", help="the faction you would meet")
    parser.add_argument(
        "--fleet",
        action="append",
        default=[],
        metavar="KEY",
        help="one that would be there, wherever it is now, once for each; else those there",
    )
    parser.add_argument(
        "--decoys",
        choices=("likely", "none", "some", "many"),
        default="likely",
        help="what you take the escorts of their scan for",
    )
    parser.add_argument("--to-the-end", action="store_true", help="your captain never breaks off")
    parser.add_argument(
        "--battles", type=int, metavar="N", help="how many at most; else as many as the site fights"
    )
    parser.add_argument(
        "--at-most",
        type=float,
        default=MAX_WAIT_SECONDS,
        metavar="SECONDS",
        help="tell what is known by then",
    )


def odds(args: argparse.Namespace, api: Api) -> CommandResult:
    """Start the simulation, wait for it, and cancel what is left after the time limit."""
    if args.at_most < 0:
        raise UsageError("--at-most must not be below 0")
    path = f"{war_of(args, api, faction=True, has_begun=True)}odds/"
    until = time.monotonic() + args.at_most
    question = {
        "hex": args.hex,
        "toward": args.toward,
        "fleets": args.fleet,
        "decoys": args.decoys,
        "to_the_end": args.to_the_end,
    }
    answer = api.post(
        path, question if args.battles is None else {**question, "battles": args.battles}
    )
    address = f"{path}{answer['id']}/"
    try:
        while answer["working"] and time.monotonic() < until:
            time.sleep(min(POLL_SECONDS, max(0.0, until - time.monotonic())))
            answer = api.get(address)
    finally:
        if answer["working"]:
            api.call("DELETE", address)
    return CommandResult(answer, words(answer))


def words(answer: dict[str, Any]) -> str:
    """Return odds as text."""
    battles = answer["battles_done"] - answer["empty"]
    lines = [
        f"{battles} battles of {answer['battles_wanted']} at {answer['hex']} "
        f"against {answer['toward']}"
    ]
    if answer["empty"]:
        lines.append(f"nobody was there in {answer['empty']} more cases")
    if battles:
        lines.append(
            ", ".join(
                f"{name} {_percent(answer[name], battles)}" for name in ("wins", "draws", "losses")
            )
        )
    lines += _strength_lines(answer["by_strength"])
    lines += _loss_lines("you lose", answer["mine"], answer["coverage"], battles)
    lines += _loss_lines("they lose", answer["theirs"], answer["coverage"], battles)
    if answer["ended"]:
        lines.append(
            "no more of them can be fought"
            if answer["ended"] == "failed"
            else "they take too long: no more come"
        )
    elif not answer["mine"]:
        lines.append("too few to tell what they cost: ask again")
    return "\n".join(lines)


def _strength_lines(by_strength: dict[str, Any] | None) -> list[str]:
    """Return the odds by strength alone as lines."""
    if not by_strength:
        return []
    if not by_strength["forces"]:
        empty = by_strength["empty"]
        return [f"in none of {empty} cases imagined is anybody there: no battle follows"]
    low, high = by_strength["interval"]
    lines = [
        f"by strength alone yours is {by_strength['median']} % of theirs, {low} to {high} % by "
        f"{by_strength['forces']} forces, the stronger in {by_strength['stronger']}"
    ]
    if by_strength["empty"]:
        lines.append(f"nobody was there in {by_strength['empty']} more cases")
    return lines


def _loss_lines(name: str, side: dict[str, Any] | None, coverage: int, battles: int) -> list[str]:
    """Return the losses of a side as lines: an interval, and the share of battles by tenths."""
    if not side:
        return []
    low, high = side["interval"]
    tenths = [
        f"{n * 10}-{n * 10 + 10} %: {_percent(count, battles)}"
        for n, count in enumerate(side["tenths"])
        if count
    ]
    return [
        f"{name} {side['median']} % of the points in a usual one, "
        f"{low} to {high} % in {coverage} of 100",
        "  " + "  ".join(tenths),
    ]


def _percent(count: int, of: int) -> str:
    return f"{round(100 * count / of)} %"
