"""The wars one plays, and what is known in one: reports, fleets, contacts, results, ship
classes.
"""

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

from blindjump import shown
from blindjump.api import Api
from blindjump.errors import Failed, Misused, NotReached, NotYet, Refused
from blindjump.told import Commands, Told, command

NO_WARS = "You have no part in any war."
WATCHED = ("state", "paused", "stage", "wants")
POLL = 5.0  # seconds between looks at whether it is one's turn


def declare(commands: Commands, in_war: argparse.ArgumentParser) -> None:
    """What one reads of wars, from `wars` to `classes`."""
    command(commands, "wars", in_war, wars, "list the wars you have a part in")
    command(
        commands, "status", in_war, status, "show where the war stands and what it wants of you"
    )
    waits = command(
        commands, "wait", in_war, wait, "wait until the war wants something of you, or is over"
    )
    waits.add_argument(
        "--at-most", type=float, default=3600.0, metavar="SECONDS", help="else an hour"
    )
    waits.add_argument(
        "--every", type=float, default=POLL, metavar="SECONDS", help="between two looks, else 5"
    )
    looks = command(
        commands, "watch", in_war, watch, "say a line whenever the war goes on, until it is over"
    )
    looks.add_argument(
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
        commands, "map", in_war, starmap, "list the systems, and who holds them as far as you know"
    )
    goes = command(commands, "reach", in_war, reach, "list the hexes a fleet may go to this week")
    goes.add_argument("fleet", help="its key, such as ember/f2")
    command(commands, "contacts", in_war, contacts, "show scans and contacts")
    command(commands, "results", in_war, results, "list your battles and the result of the war")
    replays = command(
        commands,
        "replay",
        in_war,
        replay,
        "save a battle as your side saw it, stop by stop, and say where its page is",
    )
    replays.add_argument("battle", help="its id in `results`, or the beginning of that")
    replays.add_argument("-o", "--output", default="", metavar="FILE", help="else it is not saved")
    classes = command(commands, "classes", in_war, classes_export, "export your ship designs")
    classes.add_argument("--form", choices=("json", "yaml", "ftlibship"), default="json")
    classes.add_argument("-o", "--output", default="-", help="a file; else they are printed")


def war_of(
    given: argparse.Namespace, api: Api, *, faction: bool = False, begun: bool = False
) -> str:
    """The address of the war that is meant; without a name, the only one there is or goes on.

    `faction`: the caller must have one there; `begun`: before it has, there is nothing to know.
    Raises Misused, Failed.
    """
    parts = api.get("campaigns/")["campaigns"]
    wanted = given.war or os.environ.get("BLINDJUMP_WAR", "")
    if wanted:
        found = [
            part for part in parts if part["campaign"].startswith(wanted) or part["name"] == wanted
        ]
    else:
        found = [part for part in parts if len(parts) == 1 or part["state"] != "over"]
    if len(found) != 1:
        if not parts:
            raise Misused(NO_WARS)
        known = shown.wars(parts)
        why = f"no war of yours is '{wanted}'" if wanted and not found else "say which war by --war"
        raise Misused(f"{why}:\n{known}")
    if faction and found[0]["faction"] is None:
        raise Failed(
            f"you have no faction in {found[0]['name']}: you are its {' and '.join(found[0]['roles'])}"
        )
    if begun and found[0]["state"] == "lobby":
        raise Failed(f"{found[0]['name']} has not begun: nothing is known yet")
    return f"campaigns/{found[0]['campaign']}/"


def wars(_given: argparse.Namespace, api: Api) -> Told:
    """The caller's wars, how each stands, and what waits for him there."""
    answer = api.get("campaigns/")
    return Told(answer, shown.wars(answer["campaigns"]) or NO_WARS)


def status(given: argparse.Namespace, api: Api) -> Told:
    """Where the war stands."""
    return _status(api.get(war_of(given, api)))


def _status(sheet: dict[str, Any]) -> Told:
    return Told(sheet, f"{sheet['name']}: {shown.standing(sheet)}")


def wait(given: argparse.Namespace, api: Api) -> Told:
    """Look again and again until something is due. Raises NotYet where that takes too long."""
    if given.every <= 0 or given.at_most < 0:
        raise Misused("--every must be above 0, and --at-most not below it")
    path, until = war_of(given, api), time.monotonic() + given.at_most
    while True:
        why = f"nothing was wanted of you within {given.at_most:.0f} seconds"
        try:
            sheet = api.get(path)
        except NotReached as away:
            why = str(away)  # a site is started again now and then
        else:
            if sheet["state"] == "over" or sheet["wants"]["due"]:
                return _status(sheet)
        if time.monotonic() >= until:
            raise NotYet(why)
        time.sleep(min(given.every, max(0.0, until - time.monotonic())))


def watch(given: argparse.Namespace, api: Api) -> Told:
    """Say a line whenever the war goes on or wants something else of the caller, until it is
    over.
    """
    if given.every <= 0:
        raise Misused("--every must be above 0")
    path, before, away = war_of(given, api), None, ""
    while True:
        try:
            sheet = api.get(path)
        except NotReached as error:
            if str(error) != away:
                print(error, file=sys.stderr, flush=True)
            away = str(error)
        else:
            now, away = [sheet[name] for name in WATCHED], ""
            if now != before:
                print(
                    json.dumps(sheet, ensure_ascii=False) if given.json else _watched(sheet),
                    flush=True,
                )
            before = now
            if sheet["state"] == "over":
                return Told(sheet, "", said=True)
        time.sleep(given.every)


def _watched(sheet: dict[str, Any]) -> str:
    return f"{datetime.now():%H:%M:%S}  {shown.standing(sheet)}"


def report(given: argparse.Namespace, api: Api) -> Told:
    """The reports of a week, else of the newest one, whole."""
    path = war_of(given, api, faction=True)
    lines = api.get(f"{path}reports/")["reports"]
    week = (
        given.week if given.week is not None else max((line["week"] for line in lines), default=0)
    )
    found = [api.get(f"{path}reports/{line['id']}/") for line in lines if line["week"] == week]
    stages = {
        one["seq"] for one in found if one["kind"] == "stage"
    }  # they tell of the battles that came with them
    telling = [
        one
        for one in found
        if one["lines"] and (one["kind"] == "stage" or one["seq"] not in stages)
    ]
    parts = [f"week {one['week']}, {one['stage']}\n{shown.told(one['lines'])}" for one in telling]
    nothing = f"Nothing was reported of week {week}{'' if given.week is not None else ' so far'}."
    return Told({"week": week, "reports": found}, "\n\n".join(parts) or nothing)


def fleets(given: argparse.Namespace, api: Api) -> Told:
    """The caller's fleets, with their ships."""
    path = war_of(given, api, faction=True, begun=True)
    answer, ships = api.get(f"{path}fleets/"), api.get(f"{path}ships/")["ships"]
    return Told(
        {**answer, "ships": ships}, shown.fleets(answer["fleets"], ships) or "You have no fleets."
    )


def starmap(given: argparse.Namespace, api: Api) -> Told:
    """The systems of the map, with who holds them as far as the caller's faction knows."""
    path = war_of(given, api, faction=True, begun=True)
    answer, view = api.get(f"{path}map/"), api.get(f"{path}view/")["view"]
    known = {one["system"]: one for one in view["systems"]}
    rows = []
    for system in sorted(answer["systems"], key=lambda one: one["hex"]):
        seen = known.get(system["id"])
        held = (
            (seen["holder"] or seen["state"], f"as of week {seen['week']}")
            if seen
            else (system["owner"] or "-", "at first")
        )
        rows.append((system["hex"], system["name"], *held))
    return Told({**answer, "known": view["systems"]}, shown.table(rows))


def reach(given: argparse.Namespace, api: Api) -> Told:
    """Where a fleet may go this week. One of others and one that is not there are told alike."""
    path = war_of(given, api, faction=True, begun=True)
    try:
        answer = api.get(f"{path}reach/", fleet=given.fleet)
    except Refused as refused:
        raise refused.of(
            f"you have no fleet '{given.fleet}': `blindjump fleets` lists yours"
        ) from refused
    near: dict[int, list[str]] = {}
    for one in answer["hexes"]:
        near.setdefault(one["steps"], []).append(one["hex"])
    lines = [f"{shown.counted(steps, 'step')}: {' '.join(near[steps])}" for steps in sorted(near)]
    return Told(answer, "\n".join(lines) or f"{given.fleet} cannot move this week.")


def contacts(given: argparse.Namespace, api: Api) -> Told:
    """What was scanned, and what is asked."""
    answer = api.get(f"{war_of(given, api, faction=True, begun=True)}contacts/")
    seen = [
        (one["week"], one["hex"], one["faction"], _counts_in_words(one))
        for one in answer["sightings"]
    ]
    return Told(
        answer,
        f"{shown.table(seen) or 'Nothing was scanned.'}\n{shown.encounters(answer['asked'])}",
    )


def _counts_in_words(sighting: Mapping[str, Any]) -> str:
    """The contacts of a sighting, and how they were seen where that was no scan."""
    counts = ", ".join(f"{many} {kind}" for kind, many in sighting["counts"]) or "none"
    how = {"battle": " (after the battle)", "withdrawal": " (withdrew)"}
    return counts + how.get(sighting.get("source", ""), "")


def results(given: argparse.Namespace, api: Api) -> Told:
    """Battles, and how the war ended if it has."""
    path = war_of(given, api, faction=True, begun=True)
    fought, view = api.get(f"{path}battles/")["battles"], api.get(f"{path}view/")["view"]
    rows = [
        (
            one["id"][:8],
            f"week {one['week']}",
            one["hex"],
            shown.counted(one["turns"], "turn"),
            f"won by {one['winner'] or 'nobody'}",
        )
        for one in fought
    ]
    end = f"The war is over: {view['result']}." if view["result"] else "The war goes on."
    answer = {"battles": fought, "result": view["result"], "winner": view["winner"]}
    return Told(answer, f"{shown.table(rows) or 'You have fought no battle.'}\n{end}")


def replay(given: argparse.Namespace, api: Api) -> Told:
    """A battle that was fought, whole. Raises Misused."""
    path = war_of(given, api, faction=True)
    known = api.get(f"{path}battles/")["battles"]
    found = [one["id"] for one in known if one["id"].startswith(given.battle)]
    if len(found) != 1:
        raise Misused(
            f"no battle or more than one is '{given.battle}': `blindjump results` lists them"
        )
    answer = api.get(f"{path}battles/{found[0]}/")
    page = f"{api.address}/{path.replace('campaigns/', 'c/')}battles/{found[0]}/"
    words = [
        f"{shown.counted(answer['turns'], 'turn')}, {shown.counted(len(answer['stops']), 'stop')}; its page: {page}"
    ]
    if given.output:
        _written(given.output, json.dumps(answer, indent=1, ensure_ascii=False) + "\n")
        words.append(f"Written: {given.output}")
    return Told(answer, "\n".join(words))


def classes_export(given: argparse.Namespace, api: Api) -> Told:
    """The caller's own designs as a text, printed or in a file."""
    answer = api.get(f"{war_of(given, api, faction=True)}classes/export/", form=given.form)
    text = str(answer["text"])
    if given.output == "-":
        return Told(answer, text)
    _written(given.output, text)
    return Told(answer, f"Written: {given.output}")


def _written(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Misused(f"cannot write {name}: {error}") from error
