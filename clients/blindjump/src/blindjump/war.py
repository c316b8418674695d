"""The player's wars, and what is known in one: reports, fleets, contacts, results, ship classes."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

from blindjump import display
from blindjump.api import Api
from blindjump.commands import CommandResult, Commands, command
from blindjump.errors import ApiError, ClientError, Unreachable, UsageError, WaitTimeout

NO_WARS = "You are in no war."
WATCHED_KEYS = ("state", "paused", "stage", "wants")
POLL = 5.0  # seconds between requests


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """Declare the commands that read, from `wars` to `classes`."""
    command(commands, "wars", in_war, wars, "list your wars")
    command(commands, "status", in_war, status, "show the state of the war and what you have to do")
    wait_parser = command(
        commands, "wait", in_war, wait, "wait until you have something to do, or the war is over"
    )
    wait_parser.add_argument(
        "--at-most",
        type=float,
        default=3600.0,
        metavar="SECONDS",
        help="the longest wait (default: an hour)",
    )
    watch_parser = command(
        commands, "watch", in_war, watch, "print a line whenever the war goes on, until it is over"
    )
    for parser in (wait_parser, watch_parser):
        parser.add_argument(
            "--every",
            type=float,
            default=POLL,
            metavar="SECONDS",
            help="time between two requests (default: 5)",
        )
    reports = command(commands, "report", in_war, report, "show your reports of a week")
    reports.add_argument("--week", type=int, help="by default the newest week with a report")
    command(commands, "fleets", in_war, fleets, "list your fleets")
    command(
        commands,
        "map",
        in_war,
        list_systems,
        "list the systems, and who holds them as far as you know",
    )
    reach_parser = command(
        commands, "reach", in_war, reach, "list the hexes a fleet can move to this week"
    )
    reach_parser.add_argument("fleet", help="its key, such as ember/f2")
    command(commands, "contacts", in_war, contacts, "show scans and contacts")
    command(commands, "results", in_war, results, "list your battles and the result of the war")
    replays = command(
        commands,
        "replay",
        in_war,
        replay,
        "save a battle as your side saw it, phase by phase, and show the address of its page",
    )
    replays.add_argument("battle", help="its id in `results`, or the beginning of its id")
    replays.add_argument(
        "-o", "--output", default="", metavar="FILE", help="save the battle in FILE"
    )
    classes = command(commands, "classes", in_war, classes_export, "export your ship designs")
    classes.add_argument("--form", choices=("json", "yaml", "ftlibship"), default="json")
    classes.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="by default they are printed"
    )


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
    war = find_war(args, api)
    if faction and war["faction"] is None:
        roles = " and ".join(war["roles"])
        raise ClientError(f"you have no faction in {war['name']}: you are its {roles}")
    if has_begun and war["state"] == "lobby":
        raise ClientError(f"{war['name']} has not begun: there is nothing to show yet")
    return f"campaigns/{war['campaign']}/"


def find_war(args: argparse.Namespace, api: Api) -> dict[str, Any]:
    """Return the entry of the requested war in the list of the player's wars.

    Raises:
        UsageError: If no war or more than one matches.
    """
    wars: list[dict[str, Any]] = api.get("campaigns/")["campaigns"]
    if not wars:
        raise UsageError(NO_WARS)
    name = args.war or os.environ.get("BLINDJUMP_WAR", "")
    if name:
        matching = [war for war in wars if war["campaign"].startswith(name) or war["name"] == name]
    elif len(wars) == 1:
        matching = wars
    else:
        matching = [war for war in wars if war["state"] != "over"]
    if len(matching) == 1:
        return matching[0]
    if name and not matching:
        reason = f"you are in no war '{name}'"
    else:
        reason = "name the war with --war"
    raise UsageError(f"{reason}:\n{display.wars(wars)}")


def wars(_args: argparse.Namespace, api: Api) -> CommandResult:
    """List the player's wars, their state and their tasks."""
    answer = api.get("campaigns/")
    return CommandResult(answer, display.wars(answer["campaigns"]) or NO_WARS)


def status(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show the state of the war."""
    return _status(api.get(war_of(args, api)))


def _status(sheet: dict[str, Any]) -> CommandResult:
    """Return the state of a war as a result."""
    text = f"{sheet['name']}: {display.war_status(sheet)}"
    if head := sheet.get("ledger_head"):
        text += f"\nLedger: {head['name']}"
    return CommandResult(sheet, text)


def wait(args: argparse.Namespace, api: Api) -> CommandResult:
    """Poll until something is due.

    Raises:
        WaitTimeout: If that takes too long.
    """
    if args.every <= 0 or args.at_most < 0:
        raise UsageError("--every must be above 0, and --at-most must not be below 0")
    path = war_of(args, api)
    until = time.monotonic() + args.at_most
    while True:
        reason = f"there was nothing to do for you within {args.at_most:.0f} seconds"
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
                line = json.dumps(sheet, ensure_ascii=False) if args.json else _status_line(sheet)
                print(line, flush=True)
            before = now
            if sheet["state"] == "over":
                return CommandResult(sheet, "", is_printed=True)
        time.sleep(args.every)


def _status_line(sheet: dict[str, Any]) -> str:
    """Return the time of day and the state of a war, as one line."""
    return f"{datetime.now():%H:%M:%S}  {display.war_status(sheet)}"


def report(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show all reports of a week, by default the newest."""
    path = war_of(args, api, faction=True)
    listed = api.get(f"{path}reports/")["reports"]
    if args.week is None:
        week = max([entry["week"] for entry in listed], default=0)
        nothing = f"There is no report of week {week} yet."
    else:
        week = args.week
        nothing = f"There is no report of week {week}."
    ids = [entry["id"] for entry in listed if entry["week"] == week]
    reports = [api.get(f"{path}reports/{report_id}/") for report_id in ids]
    # The report of a stage includes the battles that were reported before it.
    stages = {report["seq"] for report in reports if report["kind"] == "stage"}
    texts = []
    for report_ in reports:
        is_included = report_["kind"] != "stage" and report_["seq"] in stages
        if report_["lines"] and not is_included:
            title = f"week {report_['week']}, {report_['stage']}"
            texts.append(f"{title}\n{display.report_lines(report_['lines'])}")
    return CommandResult({"week": week, "reports": reports}, "\n\n".join(texts) or nothing)


def fleets(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the player's fleets, with their ships."""
    path = war_of(args, api, faction=True, has_begun=True)
    answer = api.get(f"{path}fleets/")
    ships = api.get(f"{path}ships/")["ships"]
    words = display.fleets(answer["fleets"], ships) or "You have no fleets."
    return CommandResult({**answer, "ships": ships}, words)


def list_systems(args: argparse.Namespace, api: Api) -> CommandResult:
    """List the systems of the map, and their holders as far as the player's faction knows."""
    path = war_of(args, api, faction=True, has_begun=True)
    answer = api.get(f"{path}map/")
    view = api.get(f"{path}view/")["view"]
    known_systems = {system["system"]: system for system in view["systems"]}
    rows = []
    for system in sorted(answer["systems"], key=itemgetter("hex")):
        known = known_systems.get(system["id"])
        if known:
            holder = known["holder"] or known["state"]
            when = f"as of week {known['week']}"
        else:
            holder = system["owner"] or "-"
            when = "at the start"
        rows.append((system["hex"], system["name"], holder, when))
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
    hexes_by_steps: dict[int, list[str]] = {}
    for entry in answer["hexes"]:
        hexes_by_steps.setdefault(entry["steps"], []).append(entry["hex"])
    lines = []
    for steps, hexes in sorted(hexes_by_steps.items()):
        lines.append(f"{display.count_noun(steps, 'step')}: {' '.join(hexes)}")
    return CommandResult(answer, "\n".join(lines) or f"{args.fleet} cannot move this week.")


def contacts(args: argparse.Namespace, api: Api) -> CommandResult:
    """Show scans, and the decisions needed."""
    answer = api.get(f"{war_of(args, api, faction=True, has_begun=True)}contacts/")
    rows = []
    for sighting in answer["sightings"]:
        counts = _counts_in_words(sighting)
        rows.append((sighting["week"], sighting["hex"], sighting["faction"], counts))
    scans = display.table(rows) or "No scan has shown anything."
    decisions = display.encounters(answer["open_decisions"])
    return CommandResult(answer, f"{scans}\n{decisions}")


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
    rows = []
    for battle in battles:
        turns = display.count_noun(battle["turns"], "turn")
        winner = f"won by {battle['winner'] or 'nobody'}"
        rows.append((battle["id"][:8], f"week {battle['week']}", battle["hex"], turns, winner))
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
            f"'{args.battle}' is the beginning of {len(ids)} ids of your battles: "
            "`blindjump results` lists them"
        )
    answer = api.get(f"{path}battles/{ids[0]}/")
    page = f"{api.address}/{path.replace('campaigns/', 'c/')}battles/{ids[0]}/"
    turns = display.count_noun(answer["turns"], "turn")
    phases = display.count_noun(len(answer["phases"]), "phase")
    words = [f"{turns}, {phases}; its page: {page}result/"]
    outcome = answer["outcome"]
    if outcome["turning_point"]:
        words.append(f"turning point: turn {outcome['turning_point']}")
    if best := outcome["best_ship"]:
        hits = display.count_noun(best["hits"], "hit")
        words.append(f"best ship: {best['ship']}, {hits}, {best['destroyed']} destroyed")
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
