"""The orders of the current stage: show, set, check, seal and unseal them, and decide encounters.

`OrdersEndpoint` also serves the orders of online battles.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blindjump import display, notation
from blindjump.api import Answer, Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import REFUSED, SUCCESS, ApiError, ClientError, UsageError
from blindjump.files import OrdersFile, orders_file
from blindjump.war import war_of

NO_DRAFT = "no-draft"
WORD_BYTES = 32
NONCE_DIGITS = 32  # 16 bytes in hexadecimal
WORD = re.compile(r"[0-9a-f]{64}")
NO_DRAFT_WORDS = """\
there is no draft: save one with `set FILE`, name a file to seal, or seal the default:
  blindjump orders default | blindjump orders seal -"""
EMPTY_SHEET = """
The stage still waits for your orders, so that nobody can tell who met whom. Seal them as they are:
  blindjump orders default | blindjump orders seal -"""
READY = "You are marked ready: the stage closes as soon as every side is ready."
UNREADY = "You are not marked ready: the stage closes at its deadline."
SHARE_BYTES = 32  # random bytes of a seal, which enter the dice
CHANGED = "lost-update"  # code for a draft that changed between reading and writing it


@dataclass(frozen=True, slots=True)
class OrdersEndpoint:
    """The API path of orders: those of the week, or those of an online battle.

    Orders of battles cannot be typed as lines.
    """

    api: Api
    path: str
    is_battle: bool = False

    def read_file(self, name: str) -> OrdersFile:
        """Return the orders of a file."""
        return orders_file(name, typed=not self.is_battle)

    def sheet(self) -> Answer:
        """Return the current sheet, with its ETag."""
        return self.api.call("GET", self.path)

    def tag(self, week: int | None) -> str:
        """Return the ETag of the sheet.

        Args:
            week: The week that the sheet must be for; None accepts any.

        Raises:
            ClientError: If the sheet is for another week.
        """
        current = self.sheet()
        if week is not None and current.body["stage"]["week"] != week:
            stage = display.stage(current.body["stage"])
            raise ClientError(f"these orders are for week {week}, but the open stage is {stage}")
        return current.etag

    def save(self, orders: dict[str, Any], week: int | None = None) -> Any:
        """Save a draft over the current one.

        Raises:
            ApiError: If someone else saves at the same time.
        """
        return self.api.call("PUT", self.path, orders, if_match=self.tag(week)).body

    def sheet_result(self, sheet: dict[str, Any]) -> CommandResult:
        """Return a sheet as a result, which counts as refused if it has faults."""
        words = _battle_sheet(sheet) if self.is_battle else display.sheet(sheet)
        return CommandResult(sheet, words, REFUSED if sheet["violations"] else SUCCESS)

    def show(self) -> CommandResult:
        """Show the sealed orders, or else the draft."""
        sheet = self.sheet().body
        return CommandResult(sheet, self.sheet_result(sheet).words)

    def default(self) -> CommandResult:
        """Show the orders that apply if none are sealed."""
        answer = self.api.get(f"{self.path}default/")
        return CommandResult(answer, display.orders(answer["orders"]))

    def set(self, name: str, week: int | None = None) -> CommandResult:
        """Save a file as the draft, and show its faults; a draft with faults is saved too."""
        file = self.read_file(name)
        sheet = self.save(file.orders, week)
        return self.sheet_result({**sheet, "violations": file.with_lines(sheet["violations"])})

    def check(self, name: str) -> CommandResult:
        """Show the faults of a file without saving it."""
        file = self.read_file(name)
        answer = self.api.post(f"{self.path}check/", file.orders)
        answer = {**answer, "violations": file.with_lines(answer["violations"])}
        faults = display.faults(answer["violations"])
        if faults:
            return CommandResult(answer, "\n".join(faults), REFUSED)
        return CommandResult(answer, "These orders can be sealed.")

    def seal(
        self,
        name: str = "",
        *,
        receipt_file: str = "",
        week: int | None = None,
        ready: bool | None = None,
    ) -> CommandResult:
        """Seal a file or the draft, and optionally save the receipt.

        Args:
            name: The file; "" seals the draft.
            receipt_file: The file for the receipt, with a word that later proves an unsealing; ""
                does not save it, and makes no word.
            week: The week that the orders must be for; None accepts any.
            ready: Whether the side is ready to go on as soon as all sides are; None leaves it as it
                is.

        Raises:
            UsageError: If there is no draft, or the receipt cannot be saved.
        """
        file = self.read_file(name) if name else None
        body: dict[str, Any] = {"share": secrets.token_hex(SHARE_BYTES)}
        word = ""
        if receipt_file:
            word = word_in(receipt_file) or secrets.token_hex(WORD_BYTES)
            body["nonce"] = hashlib.sha256(bytes.fromhex(word)).hexdigest()[:NONCE_DIGITS]
        if file is not None:
            body["orders"] = file.orders
        if ready is not None:
            body["ready"] = ready
        try:
            tag = "" if week is None else self.tag(week)
            receipt = self.api.call("POST", f"{self.path}seal/", body, if_match=tag).body
        except ApiError as refused:
            if refused.code == NO_DRAFT:
                raise UsageError(NO_DRAFT_WORDS) from refused
            if file is None:
                raise
            violations = file.with_lines(refused.violations)
            raise refused.with_violations(violations) from refused
        words = display.seal(receipt)
        if ready is not None:
            words += f"\n{READY if ready else UNREADY}"
        if receipt_file:
            text = json.dumps({**receipt, "word": word}, indent=1) + "\n"
            try:
                Path(receipt_file).write_text(text, encoding="utf-8")
            except OSError as error:
                raise UsageError(
                    f"these orders are {words}, but {receipt_file} cannot be written: {error}"
                ) from error
            words += f"\nThe receipt is saved in {receipt_file}."
        return CommandResult(receipt, words)

    def unseal(self, receipt_file: str = "") -> CommandResult:
        """Unseal the orders; say so if none were sealed.

        Args:
            receipt_file: The file with the receipt, whose word proves the unsealing to others.

        Raises:
            UsageError: There is no such file, or it has no word.
        """
        body = {}
        if receipt_file:
            body["word"] = word_in(receipt_file)
            if not body["word"]:
                raise UsageError(f"{receipt_file} has no withdrawal word")
        before = self.sheet()
        answer = self.api.call("POST", f"{self.path}unseal/", body, if_match=before.etag).body
        if self.is_battle:
            stage = f"turn {answer['phase']['turn']}, {answer['phase']['kind']}"
        else:
            stage = display.stage(answer["stage"])
        if before.body["sealed"] is None:
            return CommandResult(answer, f"Nothing was sealed, so nothing has changed: {stage}.")
        return CommandResult(answer, f"Unsealed; nothing is sealed now: {stage}.")


def word_in(receipt_file: str) -> str:
    """Return the withdrawal word in the file of a receipt; empty if it has none."""
    try:
        word = json.loads(Path(receipt_file).read_text(encoding="utf-8")).get("word", "")
    except (OSError, ValueError, AttributeError):
        return ""
    return word if isinstance(word, str) and WORD.fullmatch(word) else ""


def _battle_sheet(sheet: dict[str, Any]) -> str:
    """Return the orders of a battle as JSON, with their faults and seal."""
    lines = [json.dumps(sheet["orders"], indent=1, ensure_ascii=False)]
    lines += [f"! {line}" for line in display.faults(sheet["violations"])]
    if sheet["sealed"]:
        lines.append(display.seal(sheet["sealed"]))
    return "\n".join(lines)


EndpointOf = Callable[[argparse.Namespace, Api], OrdersEndpoint]


def order_commands(
    commands: Commands,
    in_war: argparse.ArgumentParser,
    endpoint_of: EndpointOf,
    *,
    weekly: bool = False,
) -> list[argparse.ArgumentParser]:
    """Declare `show`, `default`, `set`, `check`, `seal` and `unseal` for a kind of orders.

    Args:
        weekly: Whether the orders belong to a week.
    """
    show = command(
        commands,
        "show",
        in_war,
        lambda args, api: endpoint_of(args, api).show(),
        "show the sealed orders, or the draft",
    )
    default = command(
        commands,
        "default",
        in_war,
        lambda args, api: endpoint_of(args, api).default(),
        "show the orders that apply if you seal none",
    )
    save = command(
        commands,
        "set",
        in_war,
        lambda args, api: endpoint_of(args, api).set(args.file, args.week),
        "save a file as the draft",
    )
    check = command(
        commands,
        "check",
        in_war,
        lambda args, api: endpoint_of(args, api).check(args.file),
        "check a file without saving it",
    )
    for parser in (save, check):
        parser.add_argument("file", help="JSON, YAML or lines; - for standard input")
    seal = command(
        commands,
        "seal",
        in_war,
        lambda args, api: endpoint_of(args, api).seal(
            args.file, receipt_file=args.receipt, week=args.week, ready=args.ready
        ),
        "seal a file, or the draft",
    )
    seal.add_argument("file", nargs="?", default="", help="by default the draft")
    seal.add_argument("--receipt", default="", metavar="FILE", help="save the receipt in FILE")
    seal.set_defaults(ready=None)
    if weekly:
        seal.add_argument(
            "--ready",
            action=argparse.BooleanOptionalAction,
            help="mark your side ready (secret): the stage closes as soon as every side is ready",
        )
    for parser in (save, seal):
        if weekly:
            parser.add_argument(
                "--week",
                type=int,
                metavar="N",
                help="the week these orders are for; refused in any other week",
            )
        parser.set_defaults(week=None)
    unseal = command(
        commands,
        "unseal",
        in_war,
        lambda args, api: endpoint_of(args, api).unseal(args.receipt),
        "unseal the orders, so that you can change them",
    )
    unseal.add_argument(
        "--receipt",
        default="",
        metavar="FILE",
        help="the receipt that `seal --receipt` saved: its word proves the unsealing",
    )
    return [show, default, save, check, seal, unseal]


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare `orders`, `encounters` and `decide`."""
    words = "the orders of the open stage"
    orders_parser = commands.add_parser(
        "orders",
        help=words,
        description=f"{words}\n\n{notation.forms()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    order_commands(
        orders_parser.add_subparsers(required=True, metavar="ACT"),
        in_war,
        week_endpoint,
        weekly=True,
    )
    command(commands, "encounters", in_war, encounters, "list the decisions you have to make")
    decide_parser = command(commands, "decide", in_war, decide, "put a decision into the draft")
    decide_parser.add_argument("hex", help="where you have met them, such as 0304")
    decide_parser.add_argument("toward", help="the faction you have met")
    decide_parser.add_argument("choice", choices=("fight", "stand-off", "withdraw"))
    decide_parser.add_argument("--seal", action="store_true", help="also seal the draft")


def week_endpoint(args: argparse.Namespace, api: Api) -> OrdersEndpoint:
    """Return the endpoint for orders of the current stage."""
    return OrdersEndpoint(api, f"{war_of(args, api, faction=True)}orders/")


def encounters(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the decisions needed; if there are none, say whether the stage still needs a sheet."""
    path = war_of(args, api, faction=True, has_begun=True)
    decisions = api.get(f"{path}contacts/")["open_decisions"]
    words = display.encounters(decisions)
    if not decisions:
        wants = api.get(path)["wants"]
        words += EMPTY_SHEET if wants["due"] and wants["task"] == "decisions" else ""
    return CommandResult({"open_decisions": decisions}, words)


def decide(args: argparse.Namespace, api: Api) -> CommandResult:
    """Put one decision into the draft, replacing an earlier one, and keep the rest."""
    endpoint = week_endpoint(args, api)
    new_decision = {"hex": args.hex, "toward": args.toward, "choice": args.choice}
    while True:
        current = endpoint.sheet()
        orders = current.body["orders"]
        decisions = [new_decision]
        for decision in orders.get("decide", []):
            if (decision["hex"], decision["toward"]) != (args.hex, args.toward):
                decisions.insert(-1, decision)
        body = {**orders, "decide": decisions}
        try:
            sheet = api.call("PUT", endpoint.path, body, if_match=current.etag).body
        except ApiError as refused:
            if refused.code == CHANGED:
                continue
            raise
        break
    if args.seal and not sheet["violations"]:
        return endpoint.seal()
    return endpoint.sheet_result(sheet)
