"""A week's orders, and the doctrine for its battles: by a form, with the map beside it."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils.safestring import SafeString

from campaign.access import Viewer
from campaign.errors import NoViewer
from campaign.kept import Kept
from campaign.pages.chart import routed
from campaign.pages.cripples import left_behind, unmoved
from campaign.pages.dummyform import dummies_form, dummies_payload
from campaign.pages.entries import Entry, canonical_text, elsewhere, entry_of, entry_posted
from campaign.pages.fields import Payload, battles_payload, week_payload
from campaign.pages.orderform import fleets_fighting, week_form
from campaign.pages.orderparts import CHOICES, TARGETS, items, listed
from campaign.pages.refits import refit_payload
from campaign.pages.starmap import drawn
from campaign.pages.war import War, not_begun, player_page, war_of
from campaign.pages.words import orders_words

KINDS = ("orders", "battles")
LEAVE = "leave"  # an action: with a fleet's key, its cripples stay behind
_drawn: Kept[tuple[str, ...], SafeString] = Kept(128)


@player_page
def orders(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The orders of the open stage; other stages have pages of their own."""
    try:
        war = war_of(viewer)
    except NoViewer:
        return not_begun(viewer)
    stage = war.stage
    if stage is None:
        return render(request, "campaign/war_over.html", {"war": war})
    if stage.kind not in KINDS:
        return elsewhere(request, war)
    if request.method == "POST":
        done = entry_posted(request, war, stage, lambda posted: _payload(war, posted))
        return done if isinstance(done, HttpResponse) else _shown(request, war, done)
    return _shown(request, war, entry_of(war, stage))


def _payload(war: War, posted: QueryDict) -> Payload:
    view = war.sight.view
    if war.kind == "battles":
        return battles_payload(view, posted)
    verb, _, fleet = posted.get("action", "").partition(" ")
    more = {"dummies": dummies_payload(view, posted), "refit": refit_payload(war.scenario, view, posted)}
    payload = week_payload(view, posted) | {part: found for part, found in more.items() if found}
    return left_behind(war.scenario, view, payload, fleet) if verb == LEAVE else payload


def _shown(request: HttpRequest, war: War, entry: Entry) -> HttpResponse:
    view = war.sight.view
    shown = entry.sealed.receipt.payload if entry.sealed else entry.payload
    context = entry_context(war, entry)
    if entry.stage.kind == "orders":
        moves = (
            (str(move.get("fleet")), tuple(map(str, listed(move.get("path")))), str(move.get("to") or ""))
            for move in items(shown, "moves")
        )
        ways = routed(war.scenario, view, moves)
        context["map"] = drawn(war, ways=ways, beside=True)
        context["unmoved"] = unmoved(war.scenario, view, shown)
        if not entry.sealed:
            context["places"] = _places(war, entry)
    elif not entry.sealed:
        context["fighting"] = fleets_fighting(war.scenario, view, entry.payload, entry.faults)
    return render(request, f"campaign/orders_{entry.stage.kind}.html", context, status=entry.status)


def _places(war: War, entry: Entry) -> SafeString:
    """The form of all fleets, hex by hex. Of a draft without faults it is kept: draft and view make all of it."""
    sha256 = war.viewer.campaign.scenario.sha256

    def draw() -> SafeString:
        given = war.scenario, sha256, war.sight.view, entry.payload, entry.faults
        context = {"places": week_form(*given), "dummies": dummies_form(*given), "choices": CHOICES, "targets": TARGETS}
        return render_to_string("campaign/orders_places.html", context)

    if entry.faults:
        return draw()
    draft = json.dumps(entry.payload, sort_keys=True)
    return _drawn.made((war.id, sha256, war.faction.key, war.sight.etag, draft), draw)


def entry_context(war: War, entry: Entry) -> dict[str, object]:
    """What every page of an entry shows besides its own form."""
    shown = entry.sealed.receipt.payload if entry.sealed else entry.payload
    return {
        "war": war,
        "entry": entry,
        "choices": CHOICES,
        "targets": TARGETS,
        "words": orders_words(war.scenario, war.sight.view, shown),
        "canonical": canonical_text(shown) if entry.sealed else "",
    }


urlpatterns = [path("c/<str:c>/orders/", orders, name="orders")]
