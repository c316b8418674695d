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
        "show how an encounter may end and what it may cost, from what you know",
    )
    parser.add_argument("hex", help="where: the hex of a system, such as 0304")
    parser.add_argument("toward", help="the faction you would meet")
    parser.add_argument(
        "--fleet",
        action="append",
        default=[],
        metavar="KEY",
        help="a fleet that would be there, wherever it is now; repeat for more; "
        "by default your fleets in that hex",
    )
    parser.add_argument(
        "--decoys",
        choices=("likely", "none", "some", "many"),
        default="likely",
        help="how many of the escorts on their scan you take for decoys",
    )
    parser.add_argument("--to-the-end", action="store_true", help="your captain never breaks off")
    parser.add_argument(
        "--battles",
        type=int,
        metavar="N",
        help="the most battles to simulate; by default the site's limit",
    )
    parser.add_argument(
        "--case",
        choices=("garrison", "fleet"),
        help="what is there: the published garrison, or it and the strongest contact that can come",
    )
    parser.add_argument(
        "--at-most",
        type=float,
        default=MAX_WAIT_SECONDS,
        metavar="SECONDS",
        help="show what is known after this time",
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
    if args.case:
        question["case"] = args.case
    if args.battles is not None:
        question["battles"] = args.battles
    answer = api.post(path, question)
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
        shares = []
        for name in ("wins", "draws", "losses"):
            shares.append(f"{name} {_percent(answer[name], battles)}")
        lines.append(", ".join(shares))
    lines += _strength_lines(answer["by_strength"])
    coverage = answer["coverage"]
    lines += _loss_lines("you lose", answer["mine"], coverage=coverage, battles=battles)
    lines += _loss_lines("they lose", answer["theirs"], coverage=coverage, battles=battles)
    if answer["ended"] == "failed":
        lines.append("the simulation failed: there will be no more battles")
    elif answer["ended"]:
        lines.append("the battles take too long: there will be no more")
    elif not answer["mine"]:
        lines.append("too few battles yet to estimate losses: ask again")
    return "\n".join(lines)


def _strength_lines(by_strength: dict[str, Any] | None) -> list[str]:
    """Return a comparison of strengths, without any battle, as lines."""
    if not by_strength:
        return []
    empty = by_strength["empty"]
    if not by_strength["forces"]:
        return [f"nobody was there in any of {empty} estimated cases: there would be no battle"]
    low, high = by_strength["interval"]
    lines = [
        f"strength: yours is {by_strength['median']}% of theirs ({low}% to {high}%); "
        f"you are stronger than {by_strength['stronger']} of {by_strength['forces']} "
        "estimated forces"
    ]
    if empty:
        lines.append(f"nobody was there in {empty} more cases")
    return lines


def _loss_lines(
    words: str, side: dict[str, Any] | None, *, coverage: int, battles: int
) -> list[str]:
    """Return the losses of a side as lines: an interval, and the share of battles by tenths.

    Args:
        words: The beginning of the line, such as "you lose".
        coverage: The percentage of battles inside the interval.
        battles: How many battles were simulated.
    """
    if not side:
        return []
    low, high = side["interval"]
    tenths = []
    for tenth, count in enumerate(side["tenths"]):
        if count:
            tenths.append(f"{tenth * 10}-{tenth * 10 + 10}%: {_percent(count, battles)}")
    return [
        f"{words} {side['median']}% of the points in the median battle, "
        f"{low}% to {high}% in {coverage}% of battles",
        "  " + "  ".join(tenths),
    ]


def _percent(count: int, total: int) -> str:
    return f"{round(100 * count / total)}%"
