"""Commands for umpires: checklist, events, late orders, holding a stage, handing over."""

from __future__ import annotations

import argparse
from typing import Any

from blindjump import display, people
from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import ClientError, UsageError
from blindjump.war import war_of

KINDS = ("report", "rumour", "contact", "reinforcements", "bulletin", "press")
STAGES = ("orders", "decisions", "battles")  # in whose opening an event can be delivered
TO_ALL = ("bulletin", "press")  # kinds that go to all factions unless some are named


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare `checklist`, `events`, `event`, `late`, `hold`, `no-beacon` and the others."""
    command(commands, "checklist", in_war, checklist, "umpire: list what is due and what waits")
    command(commands, "events", in_war, events, "umpire: list the events written so far")
    _declare_event(commands, in_war)
    late_parser = command(
        commands, "late", in_war, late, "umpire: accept late orders in the open stage"
    )
    late_parser.add_argument(
        "hours", type=int, help="after the deadline; 0 accepts late orders no longer"
    )
    hold_parser = command(commands, "hold", in_war, hold, "umpire: hold back the next stage")
    release_parser = command(
        commands, "release", in_war, release, "umpire: release the stage that is held back"
    )
    no_beacon_parser = command(
        commands,
        "no-beacon",
        in_war,
        no_beacon,
        "host or umpire: let a closed stage go on without public dice",
    )
    for parser in (late_parser, hold_parser, release_parser, no_beacon_parser):
        parser.add_argument(
            "--reason", default="", help="in quotation marks; everybody in the war reads it"
        )
    hand_parser = command(
        commands,
        "hand-over",
        in_war,
        hand_over,
        "umpire: make a link for the person who becomes umpire in your place",
    )
    hand_parser.add_argument(
        "--days", type=int, default=14, metavar="N", help="how many days the link is valid"
    )


def _declare_event(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare `event`."""
    parser = command(
        commands,
        "event",
        in_war,
        event,
        "umpire: write an event; it is sealed at once and cannot be changed or withdrawn",
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("text", nargs="?", default="", help="in quotation marks")
    parser.add_argument(
        "--to",
        action="append",
        default=[],
        metavar="FACTION",
        help="its key in `seats`; repeat for more; a bulletin goes to all",
    )
    parser.add_argument("--week", type=int, required=True, help="when it is delivered")
    parser.add_argument(
        "--stage",
        choices=STAGES,
        default="orders",
        help="at whose opening it is delivered (default: orders)",
    )
    parser.add_argument("--headline", default="", help="of a press item")
    parser.add_argument("--hex", default="", help="where it happens, such as 0304")
    parser.add_argument(
        "--unconfirmed", action="store_true", help="mark a report or rumour as unconfirmed"
    )
    parser.add_argument("--power", default="", help="the faction of a reported contact")
    parser.add_argument(
        "--contacts",
        action="append",
        default=[],
        metavar="KIND=NUMBER",
        help="of a reported contact, such as escort=3; repeat for more",
    )
    parser.add_argument("--name", default="", help="of the fleet of reinforcements")
    parser.add_argument(
        "--ships",
        action="append",
        default=[],
        metavar="CLASS=NUMBER",
        help="that arrive; repeat for more",
    )


def checklist(args: argparse.Namespace, api: Api) -> CommandResult:
    """List what is due in the open stage, with a cross before what is done."""
    answer = api.get(war_of(args, api, has_begun=True) + "umpire/checklist/")
    lines = [_checklist_line(item) for item in answer["items"]]
    return CommandResult(answer, "\n".join(lines) or "Nothing to look after.")


def _checklist_line(item: dict[str, Any]) -> str:
    """Return an item of the checklist with a box; facts about the stage have none."""
    if not item["done"]:
        return f"[ ] {item['text']}"
    if item["kind"] == "stage":
        return str(item["text"])
    return f"[x] {item['text']}"


def events(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the written events, newest first."""
    answer = api.get(war_of(args, api, has_begun=True) + "umpire/events/")
    lines: list[str] = []
    for row in answer["events"]:
        lines += _event_lines(row)
    return CommandResult(answer, "\n".join(lines) or "No events have been written.")


def event(args: argparse.Namespace, api: Api) -> CommandResult:
    """Write an event."""
    war = war_of(args, api, has_begun=True)
    factions = args.to
    if not factions and args.kind in TO_ALL:
        factions = [seat["faction"] for seat in api.get(f"{war}seats/")["seats"]]
    body = {
        "kind": args.kind,
        "factions": factions,
        "week": args.week,
        "at": args.stage,
        "text": args.text,
        "headline": args.headline,
        "hex": args.hex,
        "unconfirmed": args.unconfirmed,
        "power": args.power,
        "counts": _numbers(args.contacts),
        "name": args.name,
        "ships": _numbers(args.ships),
    }
    answer = api.post(f"{war}umpire/events/", body)
    return CommandResult(answer, "\n".join(["Sealed:", *_event_lines(answer)]))


def late(args: argparse.Namespace, api: Api) -> CommandResult:
    """Accept late orders in the open stage for some hours, or no longer."""
    war = war_of(args, api, has_begun=True)
    body = {"stage": _ordinal(api, war), "hours": args.hours, "reason": args.reason}
    answer = api.post(f"{war}umpire/grace/", body)
    if answer["grace_until"]:
        words = f"Late orders are accepted until {display.local_time(answer['grace_until'])}."
    else:
        words = "Late orders are not accepted."
    return CommandResult(answer, words)


def hold(args: argparse.Namespace, api: Api) -> CommandResult:
    """Hold back the stage after the open one."""
    answer = _hold(args, api, held=True)
    return CommandResult(answer, "The next stage is held back until you release it.")


def release(args: argparse.Namespace, api: Api) -> CommandResult:
    """Release the stage that is held back."""
    return CommandResult(_hold(args, api, held=False), "The next stage is released.")


def _hold(args: argparse.Namespace, api: Api, *, held: bool) -> Any:
    """Hold back the next stage or release it, and return the API's answer."""
    war = war_of(args, api, has_begun=True)
    body = {"stage": _ordinal(api, war), "held": held, "reason": args.reason}
    return api.post(f"{war}umpire/hold/", body)


def no_beacon(args: argparse.Namespace, api: Api) -> CommandResult:
    """Let the closed stage go on without public dice, or propose that to the other sides."""
    war = war_of(args, api, has_begun=True)
    body = {"stage": _ordinal(api, war), "reason": args.reason}
    answer = api.post(f"{war}umpire/no-beacon/", body)
    text = (
        "The stage goes on without public dice; if an administrator plays in this war, as soon as "
        "the other sides have agreed."
    )
    return CommandResult(answer, text)


def hand_over(args: argparse.Namespace, api: Api) -> CommandResult:
    """Make the link for the person who becomes umpire in the caller's place."""
    args.role = people.UMPIRE
    args.faction = ""
    args.replaces = api.get("me/")["username"]
    return people.invite(args, api)


def _ordinal(api: Api, war: str) -> int:
    """Return the number of the stage that is open or held back.

    Raises:
        ClientError: The war is over.
    """
    stage = api.get(war)["stage"]
    if stage is None:
        raise ClientError("the war is over")
    ordinal: int = stage["ordinal"]
    return ordinal


def _numbers(texts: list[str]) -> dict[str, int]:
    """Return the numbers by name of texts such as `escort=3`.

    Raises:
        UsageError: A text has another form.
    """
    numbers = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        if not name or not (number.isascii() and number.isdigit()):
            raise UsageError(f"'{text}' is not a name and a number, such as escort=3")
        numbers[name] = int(number)
    return numbers


def _event_lines(event_row: dict[str, Any]) -> tuple[str, str]:
    """Return an event as two lines: kind, receivers and time, then its content."""
    state = "delivered" if event_row["delivered"] else "not delivered yet"
    receivers = ", ".join(event_row["factions"])
    when = f"week {event_row['week']}, {event_row['at']}"
    parts = [event_row["headline"], event_row["text"], event_row["power"], event_row["name"]]
    for numbers in (event_row["counts"], event_row["ships"]):
        parts += [f"{number} {name}" for name, number in numbers.items()]
    if event_row["hex"]:
        parts.append(f"hex {event_row['hex']}")
    content = "; ".join(filter(None, parts))
    return f"{event_row['kind']} to {receivers}, {when}: {state}", f"    {content}"
