"""A battle fought online, as its players' page shows it: the table, what happened since, and the orders of the stop."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django_htmx.http import HttpResponseClientRefresh

from campaign.access import Viewer
from campaign.errors import AlreadySealed, LostUpdate, NothingSealed, NoViewer, StageIsClosed
from campaign.pages.battlelog import DESTROYED, SCALE, fates, turn_of
from campaign.pages.battlewords import Names, names_of
from campaign.pages.entries import CLOSED, FAULTY, LOST, Shown, canonical_text
from campaign.pages.fightcontrol import control_payload, control_rows
from campaign.pages.fightfire import fire_payload, fire_rows
from campaign.pages.fightflights import flight_payload, flight_rows
from campaign.pages.fightform import Row, Sight, plot_payload, plot_rows
from campaign.pages.fighttable import things_of
from campaign.pages.sayings import battle_words
from campaign.pages.war import War, player_page, war_of
from campaign.papers import sealed_of
from campaign.rules.lookup import class_name
from campaign.services.orders import submission_unseal
from campaign.services.stops import Fight, fight_of, sheet_now, stage_asked, stop_draft, stop_seal, stop_violations
from campaign.sight import battles_told, stops_outlined, stops_read
from engine.battle import battle_from
from engine.errors import RuleViolations, Violation, listed
from engine.state import CONTROL, ENGAGE, FIGHTERS, OVER, PLOT
from engine.stops import PURSUE

# a stop -> (what it is called, what is to be done)
STOPS = {
    PLOT: ("movement", "Plot the movement of every ship"),
    FIGHTERS: ("fighters", "Give orders to your fighters"),
    ENGAGE: ("fire", "Choose targets for your weapons"),
    CONTROL: ("damage control", "Assign your damage control parties"),
}


@player_page
def battle_now(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """The battle as it stands, and its stop: draft, seal, unseal."""
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404("there is no such battle") from error
    mine = fight_of(viewer.campaign, war.faction, str(fight))
    at = request.GET.get("at")
    if at is not None:  # asked by the page itself while it waits
        return HttpResponse(status=204) if at == _pulse(mine) else HttpResponseClientRefresh()
    if mine.state == OVER and any(battle.id == mine.id for battle in battles_told(viewer.campaign, war.faction)):
        return redirect("battle", c=war.id, battle=mine.id)
    sheet = sheet_now(viewer.campaign, war.faction, mine)
    if request.method == "POST":
        done = _posted(request, war, mine, sheet)
        return done if isinstance(done, HttpResponse) else _page(request, war, mine, sheet, done)
    return _page(request, war, mine, sheet, _stored(mine, sheet))


def _pulse(mine: Fight) -> str:
    """A text that changes with what the page can do."""
    return f"{mine.last.number}-{mine.state}"


def called(war: War, mine: Fight) -> Names:
    """What everything on the table is called: own ships by name, others as they will be called for ever."""
    told = stops_outlined(war.viewer.campaign, war.faction, mine.id)
    logs = [*(stop["log"] for stop in told[1:]), []]
    stops = [{**stop, "log": log} for stop, log in zip(told, logs, strict=True)]
    return names_of({"stops": stops}, {ship.key: ship.name for ship in war.sight.view.ships})


def _stored(mine: Fight, sheet: Mapping[str, Any]) -> Shown:
    """The draft as it is stored: what the captain proposes, until somebody writes another."""
    if mine.draft is None:
        return Shown({}, 0)
    payload = mine.draft.payload
    untouched = mine.draft.version == 1 and set(payload) <= {"schema", "battle", "stop"}
    return Shown(sheet.get("advice") or {} if untouched else payload, mine.draft.version)


def _page(request: HttpRequest, war: War, mine: Fight, sheet: dict[str, Any], shown: Shown) -> HttpResponse:
    names = called(war, mine)
    sealed = sealed_of(mine.stage, war.faction) if mine.stage is not None and mine.sealed is not None else None
    body = {"stops": [{**sheet["view"], "turn": sheet["turn"], "log": sheet["log"]}]}
    title, verb = STOPS.get(sheet["kind"], ("over", ""))
    payload = sealed.receipt.payload if sealed else shown.payload
    powers = {power.id: power.name for power in war.scenario.factions}
    winner = sheet["winner"]
    faults = _by_subject(sheet, shown.faults)
    context = {
        "war": war,
        "mine": mine,
        "sheet": sheet,
        "called": battle_words(war.scenario, sheet["hex"]),
        "stop": title,
        "verb": verb,
        "turn": turn_of(body, names, sheet["turn"], sheet["table"][1]),
        "things": things_of(sheet["view"], names, sheet["table"][1]),
        "width": sheet["table"][0] * SCALE,
        "half": sheet["table"][0] * SCALE / 2,
        "height": sheet["table"][1] * SCALE,
        "decided_by": [
            (powers.get(one.get("winner", ""), ""), one["why"]) for one in war.scenario.battle.get("victory", ())
        ],
        "rows": _rows(sheet, payload, names, faults) if mine.stage is not None and sheet["asked"] else (),
        "general": faults.get("", ()),
        "pursue": payload.get(PURSUE) is True,
        "may_pursue": sheet["kind"] == ENGAGE,
        "shown": shown,
        "sealed": sealed,
        "canonical": canonical_text(sealed.receipt.payload) if sealed else "",
        "winner": winner and " and ".join(powers.get(part, part) for part in winner.split("+")),
        "won": winner == sheet["side"],
        "closes": mine.stage.closes if mine.stage is not None else None,
        "state": mine.state,
        "pulse": _pulse(mine),
    }
    if mine.state == OVER:
        context |= _ended(war, mine, names)
    return render(request, "campaign/fight.html", context, status=shown.status)


def _ended(war: War, mine: Fight, names: Names) -> dict[str, Any]:
    """How the battle ended, ship by ship, as the stops told."""
    sheets = stops_read(war.viewer.campaign, war.faction, mine.id)
    stops = [{**now["view"], "log": after["log"]} for now, after in pairwise(sheets)]
    ships = {ship.key: class_name(war.scenario, ship.faction, ship.cls) for ship in war.sight.view.ships}
    ended = fates({"stops": stops}, names, ships)
    own, others = [fate for fate in ended if fate.own], [fate for fate in ended if not fate.own]
    return {
        "own": own,
        "others": others,
        "lost": sum(fate.how == DESTROYED for fate in own),
        "killed": sum(fate.how == DESTROYED for fate in others),
    }


def _sight(sheet: Mapping[str, Any], names: Names) -> Sight:
    state = battle_from(sheet["known"]).state
    groups = [*sheet["view"]["groups"], *sheet["view"]["flyers"]]
    known = dict(names.known) | {group["id"]: names.of(group["id"]) for group in groups}
    return Sight(state, sheet["at"], frozenset(sheet["mine"]), known)


def _rows(
    sheet: Mapping[str, Any], payload: Mapping[str, Any], names: Names, faults: Mapping[str, tuple[str, ...]]
) -> tuple[Row, ...]:
    """The form of the stop, whichever it is."""
    form = {PLOT: plot_rows, FIGHTERS: flight_rows, ENGAGE: fire_rows, CONTROL: control_rows}[sheet["kind"]]
    return form(_sight(sheet, names), payload, faults)


def _payload(sheet: Mapping[str, Any], names: Names, posted: QueryDict) -> dict[str, Any]:
    """The orders that the form says."""
    seen = _sight(sheet, names)
    if sheet["kind"] == PLOT:
        return {"plot": plot_payload(seen, posted)}
    if sheet["kind"] == FIGHTERS:
        return {"fighters": flight_payload(seen, posted)}
    if sheet["kind"] == CONTROL:
        return {"control": control_payload(seen, posted)}
    return {"engage": fire_payload(seen, posted)} | ({PURSUE: True} if posted.get(PURSUE) else {})


def _by_subject(sheet: Mapping[str, Any], found: tuple[Violation, ...]) -> dict[str, tuple[str, ...]]:
    """Faults in words by the ship or group they concern; those of none under the empty key."""
    by: dict[str, tuple[str, ...]] = {}
    for fault in found:
        rest = f"{fault.where.partition('.')[2]}."
        key = next((key for key in sheet["mine"] if rest.startswith((f"{key}.", f"{key}["))), "")
        by[key] = (*by.get(key, ()), fault.message)
    return by


def _posted(request: HttpRequest, war: War, mine: Fight, sheet: dict[str, Any]) -> Shown | HttpResponse:
    """Do what the form asks: save, seal, take the captain's proposal, or unseal."""
    here, action = redirect("battle-now", c=war.id, fight=mine.id), request.POST.get("action", "save")
    if request.POST.get("stop") != str(mine.last.number) or not sheet["asked"]:
        messages.warning(request, CLOSED)
        return here
    payload: dict[str, Any] = {}
    try:
        if action == "unseal":
            submission_unseal(stage=stage_asked(mine), faction=war.faction)
            messages.success(request, "Unsealed: your orders are a draft again.")
            return here
        payload = sheet["advice"] if action == "advice" else _payload(sheet, called(war, mine), request.POST)
        version = request.POST.get("version", "")
        draft = stop_draft(
            fight=mine,
            faction=war.faction,
            payload=payload,
            version=int(version) if version.isascii() and version.isdigit() and len(version) < 9 else -1,
        )
        if action != "seal":
            messages.success(request, "Draft saved. It counts only once it is sealed.")
            return here
        return _seal(request, war, mine, payload, draft.version) or here
    except LostUpdate:
        again = fight_of(war.viewer.campaign, war.faction, mine.id)
        stored = {} if again.draft is None else again.draft.payload
        if stored == {**payload, "battle": mine.id, "stop": mine.last.number}:
            return here  # the same form sent twice
        version_now = 0 if again.draft is None else again.draft.version
        return Shown(payload, version_now, listed(stop_violations(sheet, payload)), lost=True, status=LOST)
    except StageIsClosed:
        messages.warning(request, CLOSED)
        return here
    except NothingSealed:
        return here


def _seal(request: HttpRequest, war: War, mine: Fight, payload: dict[str, Any], version: int) -> Shown | None:
    user: Any = request.user
    try:
        stop_seal(fight=mine, faction=war.faction, payload=payload, nonce=request.POST.get("nonce", ""), author=user)
    except AlreadySealed:
        messages.warning(request, "Other orders are already sealed. Unseal them first; yours are kept as the draft.")
    except RuleViolations as refused:
        return Shown(payload, version, refused.listed, status=FAULTY)
    else:
        messages.success(request, "Sealed. The orders are carried out when everybody has sealed.")
    return None


urlpatterns = [path("c/<str:c>/battles/<uuid:fight>/now/", battle_now, name="battle-now")]
