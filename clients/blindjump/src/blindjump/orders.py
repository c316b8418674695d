"""The orders of the stage now: shown, set, checked, sealed, taken back; and decisions, which are
orders of their stage.

What is the same at a stop of a battle online is a `Desk`, made of the address at which its orders
stand.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blindjump import display, notation
from blindjump.api import Answer, Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import REFUSED, ApiError, ClientError, UsageError
from blindjump.files import OrdersFile, orders_file
from blindjump.war import war_of

NO_DRAFT = "no-draft"
NO_DRAFT_WORDS = """there is no draft: write one with `set FILE`, name the file to be sealed, or seal the default:
  blindjump orders default | blindjump orders seal -"""
EMPTY_SHEET = """
The stage waits for your sheet all the same, so that nobody can tell who met whom. Seal it as it is:
  blindjump orders default | blindjump orders seal -"""
READY = "You are ready to go on: the stage closes as soon as every side is."
UNREADY = "You are not ready to go on: the stage keeps its deadline."
CHANGED = "lost-update"  # somebody else saved between our reading and our writing


@dataclass(frozen=True, slots=True)
class OrdersEndpoint:
    """Where orders lie: those of the week, or those at a stop of a battle (`battle`: they have no
    lines).
    """

    api: Api
    path: str
    battle: bool = False

    def read_file(self, name: str) -> OrdersFile:
        """The orders of a file."""
        return orders_file(name, typed=not self.battle)

    def sheet(self) -> Answer:
        """The sheet as it is now, with its ETag."""
        return self.api.call("GET", self.path)

    def tag(self, week: int | None) -> str:
        """The ETag of the sheet, where it is of the week that is meant (None: whichever it is).

        Raises Failed.
        """
        current = self.sheet()
        if week is not None and current.body["stage"]["week"] != week:
            raise ClientError(
                f"these orders are for week {week}, and it is {display.stage(current.body['stage'])}"
            )
        return current.etag

    def save(self, orders: dict[str, Any], week: int | None = None) -> Any:
        """Save a draft over what is there now.

        Raises Refused where somebody else writes at the same time.
        """
        return self.api.call("PUT", self.path, orders, if_match=self.tag(week)).body

    def sheet_result(self, sheet: dict[str, Any]) -> CommandResult:
        """A sheet in words: with faults it counts as refused."""
        words = display.sheet(sheet) if not self.battle else _battle_sheet(sheet)
        return CommandResult(sheet, words, REFUSED if sheet["violations"] else 0)

    def show(self) -> CommandResult:
        """What is sealed, else the draft."""
        sheet = self.sheet().body
        return CommandResult(sheet, self.sheet_result(sheet).words)

    def default(self) -> CommandResult:
        """What is done where nothing is sealed."""
        answer = self.api.get(f"{self.path}default/")
        return CommandResult(answer, display.orders(answer["orders"]))

    def set(self, name: str, week: int | None = None) -> CommandResult:
        """A file becomes the draft; faults are told, and the draft is kept with them."""
        file = self.read_file(name)
        sheet = self.save(file.orders, week)
        return self.sheet_result({**sheet, "violations": file.with_lines(sheet["violations"])})

    def check(self, name: str) -> CommandResult:
        """The faults of a file; nothing is kept."""
        file = self.read_file(name)
        answer = self.api.post(f"{self.path}check/", file.orders)
        answer = {**answer, "violations": file.with_lines(answer["violations"])}
        faults = display.faults(answer["violations"])
        return CommandResult(
            answer, "\n".join(faults) or "These orders can be sealed.", REFUSED if faults else 0
        )

    def seal(
        self, name: str, keep: str, week: int | None = None, ready: bool | None = None
    ) -> CommandResult:
        """Seal a file, or the draft; the receipt, kept in a file where one is named.

        Args:
            ready: Whether the side is ready to go on as soon as everybody is; None says nothing.

        Raises:
            Misused: There is no draft, or the receipt cannot be kept.
        """
        file = self.read_file(name) if name else None
        body: dict[str, Any] = {} if file is None else {"orders": file.orders}
        if ready is not None:
            body["ready"] = ready
        try:
            tag = "" if week is None else self.tag(week)
            receipt = self.api.call("POST", f"{self.path}seal/", body, if_match=tag).body
        except ApiError as refused:
            if refused.code != NO_DRAFT:
                raise (
                    refused
                    if file is None
                    else refused.with_violations(file.with_lines(refused.violations))
                ) from refused
            raise UsageError(NO_DRAFT_WORDS) from refused
        words = display.seal(receipt)
        if ready is not None:
            words += f"\n{READY if ready else UNREADY}"
        if keep:
            try:
                Path(keep).write_text(json.dumps(receipt, indent=1) + "\n", encoding="utf-8")
            except OSError as error:
                raise UsageError(
                    f"these orders are {words}, but {keep} cannot be written: {error}"
                ) from error
            words += f"\nThe receipt is kept in {keep}."
        return CommandResult(receipt, words)

    def unseal(self) -> CommandResult:
        """Take back what is sealed; where nothing is, that is said, and done all the same."""
        before = self.sheet()
        answer = self.api.call("POST", f"{self.path}unseal/", {}, if_match=before.etag).body
        stage = _stop(answer["stop"]) if self.battle else display.stage(answer["stage"])
        if before.body["sealed"] is None:
            return CommandResult(answer, f"Nothing was sealed, and nothing has changed: {stage}.")
        return CommandResult(answer, f"Taken back, and nothing is sealed now: {stage}.")


def _stop(stop: dict[str, Any]) -> str:
    return f"turn {stop['turn']}, {stop['kind']}"


def _battle_sheet(sheet: dict[str, Any]) -> str:
    lines = [json.dumps(sheet["orders"], indent=1, ensure_ascii=False)]
    lines += [f"! {line}" for line in display.faults(sheet["violations"])]
    return "\n".join([*lines, display.seal(sheet["sealed"])] if sheet["sealed"] else lines)


EndpointOf = Callable[[argparse.Namespace, Api], OrdersEndpoint]


def order_commands(
    commands: Commands,
    in_war: argparse.ArgumentParser,
    endpoint_of: EndpointOf,
    *,
    weekly: bool = False,
) -> list[argparse.ArgumentParser]:
    """`show`, `default`, `set`, `check`, `seal`, `unseal` of a kind of orders.

    `weekly`: they belong to a week.
    """
    show = command(
        commands,
        "show",
        in_war,
        lambda args, api: endpoint_of(args, api).show(),
        "show what is sealed, or the draft",
    )
    default = command(
        commands,
        "default",
        in_war,
        lambda args, api: endpoint_of(args, api).default(),
        "show what is done without orders",
    )
    save = command(
        commands,
        "set",
        in_war,
        lambda args, api: endpoint_of(args, api).set(args.file, args.week),
        "save a file as draft",
    )
    check = command(
        commands,
        "check",
        in_war,
        lambda args, api: endpoint_of(args, api).check(args.file),
        "check a file, save nothing",
    )
    for parser in (save, check):
        parser.add_argument("file", help="JSON, YAML or lines; - for what is piped in")
    seal = command(
        commands,
        "seal",
        in_war,
        lambda args, api: endpoint_of(args, api).seal(
            args.file, args.receipt, args.week, args.ready
        ),
        "seal a file, or the draft",
    )
    seal.add_argument("file", nargs="?", default="")
    seal.add_argument("--receipt", default="", metavar="FILE", help="keep the receipt there")
    seal.set_defaults(ready=None)
    if weekly:
        seal.add_argument(
            "--ready",
            action=argparse.BooleanOptionalAction,
            help="the stage may close as soon as every side is ready; hidden until all are",
        )
    for parser in (save, seal):
        if weekly:
            parser.add_argument(
                "--week",
                type=int,
                metavar="N",
                help="the week these orders are for: not in another",
            )
        parser.set_defaults(week=None)
    unseal = command(
        commands,
        "unseal",
        in_war,
        lambda args, api: endpoint_of(args, api).unseal(),
        "take back what is sealed",
    )
    return [show, default, save, check, seal, unseal]


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """`orders`, `encounters`, `decide`."""
    words = "the orders of the stage now"
    orders_parser = commands.add_parser("orders", help=words, description=f"{words}\n\n{notation.forms()}",
                              formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    order_commands(
        orders_parser.add_subparsers(required=True, metavar="ACT"),
        in_war,
        week_endpoint,
        weekly=True,
    )
    command(commands, "encounters", in_war, encounters, "list the decisions that are asked of you")
    decide_parser = command(commands, "decide", in_war, decide, "write a decision into the draft")
    decide_parser.add_argument("hex")
    decide_parser.add_argument("toward", help="the faction")
    decide_parser.add_argument("choice", choices=("fight", "stand-off", "withdraw"))
    decide_parser.add_argument("--seal", action="store_true", help="and seal the draft")


def week_endpoint(args: argparse.Namespace, api: Api) -> OrdersEndpoint:
    """The desk of the stage now."""
    return OrdersEndpoint(api, f"{war_of(args, api, faction=True)}orders/")


def encounters(args: argparse.Namespace, api: Api) -> CommandResult:
    """What is asked; where that is nothing and the stage waits all the same, that, too."""
    path = war_of(args, api, faction=True, has_begun=True)
    decisions = api.get(f"{path}contacts/")["asked"]
    words = display.encounters(decisions)
    if not decisions:
        wants = api.get(path)["wants"]
        words += EMPTY_SHEET if wants["due"] and wants["task"] == "decisions" else ""
    return CommandResult({"asked": decisions}, words)


def decide(args: argparse.Namespace, api: Api) -> CommandResult:
    """Put one decision into the draft in the place of the one before, and leave the rest as it
    is.
    """
    endpoint = week_endpoint(args, api)
    mine = {"hex": args.hex, "toward": args.toward, "choice": args.choice}
    while True:
        current = endpoint.sheet()
        others = [
            decision
            for decision in current.body["orders"].get("decide", [])
            if (decision["hex"], decision["toward"]) != (args.hex, args.toward)
        ]
        try:
            sheet = api.call(
                "PUT",
                endpoint.path,
                {**current.body["orders"], "decide": [*others, mine]},
                if_match=current.etag,
            ).body
        except ApiError as refused:
            if refused.code == CHANGED:
                continue
            raise
        break
    return (
        endpoint.sheet_result(sheet)
        if sheet["violations"] or not args.seal
        else endpoint.seal("", "")
    )
