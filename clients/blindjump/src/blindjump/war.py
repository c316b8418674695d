"""The player's wars, and what is known in one: reports, fleets, contacts, results, ship classes."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from blindjump import display
from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import ApiError, ClientError, Unreachable, UsageError, WaitTimeout

NO_WARS = "You have no part in any war."
WATCHED_KEYS = ("state", "paused", "stage", "wants")
POLL = 5.0  # seconds between requests


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare the commands that read, from `wars` to `classes`."""
    command(commands, "wars", in_war, wars, "list the wars you have a part in")
    command(
        commands, "status", in_war, status, "show where the war stands and what it wants of you"
    )
    wait_parser = command(
        commands, "wait", in_war, wait, "wait until the war wants something of you, or is over"
    )
    wait_parser.add_argument(
        "--at-most", type=float, default=3600.0, metavar="SECONDS", help="else an hour"
    )
    wait_parser.add_argument(
        "--every", type=float, default=POLL, metavar="SECONDS", help="between two looks, else 5"
    )
    watch_parser = command(
        commands, "watch", in_war, watch, "say a line whenever the war goes on, until it is over"
    )
    watch_parser.add_argument(
        "--every", type=float, default=POLL, metavar="SECONDS", help="between two looks, else 5"
    )
    reports = command(
        commands,
        "report",
        in_war,
        report,
        "show what was reported to you, the newest where no week is named",
    )
    reports.add_argument("--week", type=int)
    command(commands, "fleets", in_war, fleets, "list your fleets")
    command(
        commands,
        "map",
        in_war,
        list_systems,
        "list the systems, and who holds them as far as you know",
    )
    reach_parser = command(
        commands, "reach", in_war, reach, "list the hexes a fleet may go to this week"
    )
    reach_parser.add_argument("fleet", help="its key, such as ember/f2")
    command(commands, "contacts", in_war, contacts, "show scans and contacts")
    command(commands, "results", in_war, results, "list your battles and the result of the war")
    replays = command(
        commands,
        "replay",
        in_war,
        replay,
        "save a battle as your side saw it, phase by phase, and say where its page is",
    )
    replays.add_argument("battle", help="its id in `results`, or the beginning of that")
    replays.add_argument("-o", "--output", default="", metavar="FILE", help="else it is not saved")
    classes = command(commands, "classes", in_war, classes_export, "export your ship designs")
    classes.add_argument("--form", choices=("json", "yaml", "ftlibship"), default="json")
    classes.add_argument("-o", "--output", default="-", help="a file; else they are printed")


def war_of(
    args: argparse.Namespace, api: Api, *, faction: bool = False, has_begun: bool = False
) -> str:
    """Return the API path of the requested war.

    Without a name, that is the only war, or the only one in progress.

    Args:
        faction: Whether the player must have a faction in it.
        has_begun: Whether the war must have begun.

    Raises:
        UsageError: If no war or more than one matches.
        ClientError: If the war does not meet a requirement.
    """
    parts = api.get("campaigns/")["campaigns"]
    name = args.war or os.environ.get("BLINDJUMP_WAR", "")
    if name:
        matching = [
            part for part in parts if part["campaign"].startswith(name) or part["name"] == name
        ]
    else:
        matching = [part for part in parts if len(parts) == 1 or part["state"] != "over"]
    if len(matching) != 1:
        if not parts:
            raise UsageError(NO_WARS)
        war_list = display.wars(parts)
        reason = (
            f"no war of yours is '{name}'" if name and not matching else "say which war by --war"
        )
        raise UsageError(f"{reason}:\n{war_list}")
    if faction and matching[0]["faction"] is None:
        roles = " and ".join(matching[0]["roles"])
        raise ClientError(f"you have no faction in {matching[0]['name']}: you are its {roles}")
    if has_begun and matching[0]["state"] == "lobby":
        raise ClientError(f"{matching[0]['name']} has not begun: nothing is known yet")
    return f"campaigns/{matching[0]['campaign']}/"


def wars(_args: argparse.Namespace, api: Api) -> CommandResult:
    """List the player's wars, their state and their tasks."""
    answer = api.get("campaigns/")
    return CommandResult(answer, display.wars(answer["campaigns"]) or NO_WARS)


def status(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show the state of the war."""
    return _status(api.get(war_of(args, api)))


def _status(sheet: dict[str, Any]) -> CommandResult:
    return CommandResult(sheet, f"{sheet['name']}: {display.war_status(sheet)}")


def wait(args: argparse.Namespace, api: Api) -> CommandResult:
    """Poll until something is due.

    Raises:
        WaitTimeout: If that takes too long.
    """
    if args.every <= 0 or args.at_most < 0:
        raise UsageError("--every must be above 0, and --at-most not below it")
    path = war_of(args, api)
    until = time.monotonic() + args.at_most
    while True:
        reason = f"nothing was wanted of you within {args.at_most:.0f} seconds"
        try:
            sheet = api.get(path)
        except Unreachable as away:
            reason = str(away)  # sites restart now and then
        else:
            if sheet["state"] == "over" or sheet["wants"]["due"]:
                return _status(sheet)
        if time.monotonic() >= until:
            raise WaitTimeout(reason)
        time.sleep(min(args.every, max(0.0, until - time.monotonic())))


def watch(args: argparse.Namespace, api: Api) -> CommandResult:
    """Print a line whenever the state or the task changes, until the war is over."""
    if args.every <= 0:
        raise UsageError("--every must be above 0")
    path = war_of(args, api)
    before = None
    away = ""
    while True:
        try:
            sheet = api.get(path)
        except Unreachable as error:
            if str(error) != away:
                print(error, file=sys.stderr, flush=True)
            away = str(error)
        else:
            now = [sheet[name] for name in WATCHED_KEYS]
            away = ""
            if now != before:
                print(
                    json.dumps(sheet, ensure_ascii=False) if args.json else _status_line(sheet),
                    flush=True,
                )
            before = now
            if sheet["state"] == "over":
                return CommandResult(sheet, "", is_printed=True)
        time.sleep(args.every)


def _status_line(sheet: dict[str, Any]) -> str:
    return f"{datetime.now():%H:%M:%S}  {display.war_status(sheet)}"


def report(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show all reports of a week, by default the newest."""
    path = war_of(args, api, faction=True)
    lines = api.get(f"{path}reports/")["reports"]
    week = args.week if args.week is not None else max((line["week"] for line in lines), default=0)
    report_texts = [
        api.get(f"{path}reports/{line['id']}/") for line in lines if line["week"] == week
    ]
    # The report of a stage includes the battles that were reported before it.
    stages = {item["seq"] for item in report_texts if item["kind"] == "stage"}
    telling = [
        item
        for item in report_texts
        if item["lines"] and (item["kind"] == "stage" or item["seq"] not in stages)
    ]
    parts = [
        f"week {item['week']}, {item['stage']}\n{display.report_lines(item['lines'])}"
        for item in telling
    ]
    nothing = f"Nothing was reported of week {week}{'' if args.week is not None else ' so far'}."
    return CommandResult({"week": week, "reports": report_texts}, "\n\n".join(parts) or nothing)


def fleets(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the player's fleets, with their ships."""
    path = war_of(args, api, faction=True, has_begun=True)
    answer = api.get(f"{path}fleets/")
    ships = api.get(f"{path}ships/")["ships"]
    return CommandResult(
        {**answer, "ships": ships}, display.fleets(answer["fleets"], ships) or "You have no fleets."
    )


def list_systems(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the systems of the map, and their holders as far as the player's faction knows."""
    path = war_of(args, api, faction=True, has_begun=True)
    answer = api.get(f"{path}map/")
    view = api.get(f"{path}view/")["view"]
    system_view = {system_row["system"]: system_row for system_row in view["systems"]}
    rows = []
    for system in sorted(answer["systems"], key=lambda system_row: system_row["hex"]):
        last_seen = system_view.get(system["id"])
        holder = (
            (last_seen["holder"] or last_seen["state"], f"as of week {last_seen['week']}")
            if last_seen
            else (system["owner"] or "-", "at first")
        )
        rows.append((system["hex"], system["name"], *holder))
    return CommandResult({**answer, "known": view["systems"]}, display.table(rows))


def reach(args: argparse.Namespace, api: Api) -> CommandResult:
    """List where a fleet may go this week.

    The error is the same for a foreign fleet and for one that does not exist.
    """
    path = war_of(args, api, faction=True, has_begun=True)
    try:
        answer = api.get(f"{path}reach/", fleet=args.fleet)
    except ApiError as refused:
        raise refused.with_words(
            f"you have no fleet '{args.fleet}': `blindjump fleets` lists yours"
        ) from refused
    near: dict[int, list[str]] = {}
    for step in answer["hexes"]:
        near.setdefault(step["steps"], []).append(step["hex"])
    lines = [
        f"{display.count_noun(steps, 'step')}: {' '.join(near[steps])}" for steps in sorted(near)
    ]
    return CommandResult(answer, "\n".join(lines) or f"{args.fleet} cannot move this week.")


def contacts(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show scans, and the decisions needed."""
    answer = api.get(f"{war_of(args, api, faction=True, has_begun=True)}contacts/")
    rows = [
        (sighting["week"], sighting["hex"], sighting["faction"], _counts_in_words(sighting))
        for sighting in answer["sightings"]
    ]
    contacts = display.table(rows) or "Nothing was scanned."
    decisions = display.encounters(answer["open_decisions"])
    return CommandResult(answer, f"{contacts}\n{decisions}")


def _counts_in_words(sighting: Mapping[str, Any]) -> str:
    """Return the contacts of a sighting, and their source if that was not a scan."""
    counts = ", ".join(f"{count} {kind}" for kind, count in sighting["counts"]) or "none"
    suffixes = {"battle": " (after the battle)", "withdrawal": " (withdrew)"}
    return counts + suffixes.get(sighting.get("source", ""), "")


def results(args: argparse.Namespace, api: Api) -> CommandResult:
    """List battles, and the result of the war if it is over."""
    path = war_of(args, api, faction=True, has_begun=True)
    battles = api.get(f"{path}battles/")["battles"]
    view = api.get(f"{path}view/")["view"]
    rows = [
        (
            battle["id"][:8],
            f"week {battle['week']}",
            battle["hex"],
            display.count_noun(battle["turns"], "turn"),
            f"won by {battle['winner'] or 'nobody'}",
        )
        for battle in battles
    ]
    end = f"The war is over: {view['result']}." if view["result"] else "The war goes on."
    answer = {"battles": battles, "result": view["result"], "winner": view["winner"]}
    return CommandResult(answer, f"{display.table(rows) or 'You have fought no battle.'}\n{end}")


def replay(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show or save a whole battle.

    Raises:
        UsageError: If no battle or more than one matches.
    """
    path = war_of(args, api, faction=True)
    battles = api.get(f"{path}battles/")["battles"]
    ids = [battle["id"] for battle in battles if battle["id"].startswith(args.battle)]
    if len(ids) != 1:
        raise UsageError(
            f"no battle or more than one is '{args.battle}': `blindjump results` lists them"
        )
    answer = api.get(f"{path}battles/{ids[0]}/")
    page = f"{api.address}/{path.replace('campaigns/', 'c/')}battles/{ids[0]}/"
    turns = display.count_noun(answer["turns"], "turn")
    phases = display.count_noun(len(answer["phases"]), "phase")
    words = [f"{turns}, {phases}; its page: {page}"]
    if args.output:
        _write_file(args.output, json.dumps(answer, indent=1, ensure_ascii=False) + "\n")
        words.append(f"Written: {args.output}")
    return CommandResult(answer, "\n".join(words))


def classes_export(args: argparse.Namespace, api: Api) -> CommandResult:
    """Export the player's own designs, to standard output or a file."""
    answer = api.get(f"{war_of(args, api, faction=True)}classes/export/", form=args.form)
    text = str(answer["text"])
    if args.output == "-":
        return CommandResult(answer, text)
    _write_file(args.output, text)
    return CommandResult(answer, f"Written: {args.output}")


def _write_file(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {name}: {error}") from error
