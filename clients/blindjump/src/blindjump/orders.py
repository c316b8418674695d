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

from blindjump import notation, shown
from blindjump.api import Answer, Api
from blindjump.errors import REFUSED, Failed, Misused, Refused
from blindjump.files import OrdersFile, orders_file
from blindjump.told import Commands, Told, command
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
class Desk:
    """Where orders lie: those of the week, or those at a stop of a battle (`battle`: they have no
    lines).
    """

    api: Api
    path: str
    battle: bool = False

    def read(self, name: str) -> OrdersFile:
        """The orders of a file."""
        return orders_file(name, typed=not self.battle)

    def sheet(self) -> Answer:
        """The sheet as it is now, with its ETag."""
        return self.api.call("GET", self.path)

    def tag(self, week: int | None) -> str:
        """The ETag of the sheet, where it is of the week that is meant (None: whichever it is).

        Raises Failed.
        """
        read = self.sheet()
        if week is not None and read.body["stage"]["week"] != week:
            raise Failed(
                f"these orders are for week {week}, and it is {shown.stage(read.body['stage'])}"
            )
        return read.etag

    def save(self, orders: dict[str, Any], week: int | None = None) -> Any:
        """Save a draft over what is there now.

        Raises Refused where somebody else writes at the same time.
        """
        return self.api.call("PUT", self.path, orders, if_match=self.tag(week)).body

    def told(self, sheet: dict[str, Any]) -> Told:
        """A sheet in words: with faults it counts as refused."""
        words = shown.sheet(sheet) if not self.battle else _battle_sheet(sheet)
        return Told(sheet, words, REFUSED if sheet["violations"] else 0)

    def show(self) -> Told:
        """What is sealed, else the draft."""
        sheet = self.sheet().body
        return Told(sheet, self.told(sheet).words)

    def default(self) -> Told:
        """What is done where nothing is sealed."""
        answer = self.api.get(f"{self.path}default/")
        return Told(answer, shown.orders(answer["orders"]))

    def set(self, name: str, week: int | None = None) -> Told:
        """A file becomes the draft; faults are told, and the draft is kept with them."""
        read = self.read(name)
        sheet = self.save(read.orders, week)
        return self.told({**sheet, "violations": read.located(sheet["violations"])})

    def check(self, name: str) -> Told:
        """The faults of a file; nothing is kept."""
        read = self.read(name)
        answer = self.api.post(f"{self.path}check/", read.orders)
        answer = {**answer, "violations": read.located(answer["violations"])}
        found = shown.faults(answer["violations"])
        return Told(
            answer, "\n".join(found) or "These orders can be sealed.", REFUSED if found else 0
        )

    def seal(
        self, name: str, keep: str, week: int | None = None, ready: bool | None = None
    ) -> Told:
        """Seal a file, or the draft; the receipt, kept in a file where one is named.

        Args:
            ready: Whether the side is ready to go on as soon as everybody is; None says nothing.

        Raises:
            Misused: There is no draft, or the receipt cannot be kept.
        """
        read = self.read(name) if name else None
        body: dict[str, Any] = {} if read is None else {"orders": read.orders}
        if ready is not None:
            body["ready"] = ready
        try:
            tag = "" if week is None else self.tag(week)
            receipt = self.api.call("POST", f"{self.path}seal/", body, if_match=tag).body
        except Refused as refused:
            if refused.code != NO_DRAFT:
                raise (
                    refused if read is None else refused.placed(read.located(refused.violations))
                ) from refused
            raise Misused(NO_DRAFT_WORDS) from refused
        words = shown.seal(receipt)
        if ready is not None:
            words += f"\n{READY if ready else UNREADY}"
        if keep:
            try:
                Path(keep).write_text(json.dumps(receipt, indent=1) + "\n", encoding="utf-8")
            except OSError as error:
                raise Misused(
                    f"these orders are {words}, but {keep} cannot be written: {error}"
                ) from error
            words += f"\nThe receipt is kept in {keep}."
        return Told(receipt, words)

    def unseal(self) -> Told:
        """Take back what is sealed; where nothing is, that is said, and done all the same."""
        before = self.sheet()
        answer = self.api.call("POST", f"{self.path}unseal/", {}, if_match=before.etag).body
        stage = _stop(answer["stop"]) if self.battle else shown.stage(answer["stage"])
        if before.body["sealed"] is None:
            return Told(answer, f"Nothing was sealed, and nothing has changed: {stage}.")
        return Told(answer, f"Taken back, and nothing is sealed now: {stage}.")


def _stop(stop: dict[str, Any]) -> str:
    return f"turn {stop['turn']}, {stop['kind']}"


def _battle_sheet(sheet: dict[str, Any]) -> str:
    found = [json.dumps(sheet["orders"], indent=1, ensure_ascii=False)]
    found += [f"! {line}" for line in shown.faults(sheet["violations"])]
    return "\n".join([*found, shown.seal(sheet["sealed"])] if sheet["sealed"] else found)


DeskOf = Callable[[argparse.Namespace, Api], Desk]


def desk_commands(
    commands: Commands, in_war: argparse.ArgumentParser, desk: DeskOf, *, weekly: bool = False
) -> list[argparse.ArgumentParser]:
    """`show`, `default`, `set`, `check`, `seal`, `unseal` of a kind of orders.

    `weekly`: they belong to a week.
    """
    show = command(
        commands,
        "show",
        in_war,
        lambda given, api: desk(given, api).show(),
        "show what is sealed, or the draft",
    )
    default = command(
        commands,
        "default",
        in_war,
        lambda given, api: desk(given, api).default(),
        "show what is done without orders",
    )
    save = command(
        commands,
        "set",
        in_war,
        lambda given, api: desk(given, api).set(given.file, given.week),
        "save a file as draft",
    )
    check = command(
        commands,
        "check",
        in_war,
        lambda given, api: desk(given, api).check(given.file),
        "check a file, save nothing",
    )
    for made in (save, check):
        made.add_argument("file", help="JSON, YAML or lines; - for what is piped in")
    seal = command(
        commands,
        "seal",
        in_war,
        lambda given, api: desk(given, api).seal(
            given.file, given.receipt, given.week, given.ready
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
    for made in (save, seal):
        if weekly:
            made.add_argument(
                "--week",
                type=int,
                metavar="N",
                help="the week these orders are for: not in another",
            )
        made.set_defaults(week=None)
    unseal = command(
        commands,
        "unseal",
        in_war,
        lambda given, api: desk(given, api).unseal(),
        "take back what is sealed",
    )
    return [show, default, save, check, seal, unseal]


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """`orders`, `encounters`, `decide`."""
    words = "the orders of the stage now"
    own = commands.add_parser("orders", help=words, description=f"{words}\n\n{notation.forms()}",
                              formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    desk_commands(own.add_subparsers(required=True, metavar="ACT"), in_war, week_desk, weekly=True)
    command(commands, "encounters", in_war, encounters, "list the decisions that are asked of you")
    made = command(commands, "decide", in_war, decide, "write a decision into the draft")
    made.add_argument("hex")
    made.add_argument("toward", help="the faction")
    made.add_argument("choice", choices=("fight", "stand-off", "withdraw"))
    made.add_argument("--seal", action="store_true", help="and seal the draft")


def week_desk(given: argparse.Namespace, api: Api) -> Desk:
    """The desk of the stage now."""
    return Desk(api, f"{war_of(given, api, faction=True)}orders/")


def encounters(given: argparse.Namespace, api: Api) -> Told:
    """What is asked; where that is nothing and the stage waits all the same, that, too."""
    path = war_of(given, api, faction=True, begun=True)
    asked = api.get(f"{path}contacts/")["asked"]
    words = shown.encounters(asked)
    if not asked:
        wants = api.get(path)["wants"]
        words += EMPTY_SHEET if wants["due"] and wants["task"] == "decisions" else ""
    return Told({"asked": asked}, words)


def decide(given: argparse.Namespace, api: Api) -> Told:
    """Put one decision into the draft in the place of the one before, and leave the rest as it
    is.
    """
    desk = week_desk(given, api)
    mine = {"hex": given.hex, "toward": given.toward, "choice": given.choice}
    while True:
        read = desk.sheet()
        others = [
            one
            for one in read.body["orders"].get("decide", [])
            if (one["hex"], one["toward"]) != (given.hex, given.toward)
        ]
        try:
            sheet = api.call(
                "PUT",
                desk.path,
                {**read.body["orders"], "decide": [*others, mine]},
                if_match=read.etag,
            ).body
        except Refused as refused:
            if refused.code == CHANGED:
                continue
            raise
        break
    return desk.told(sheet) if sheet["violations"] or not given.seal else desk.seal("", "")
