"""A battle fought online, as its players' page shows it: the table and all that lies on it, the
log, the orders.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import path, reverse
from django_htmx.http import HttpResponseClientRefresh
from typing_extensions import override

from campaign.access import Viewer
from campaign.drawings.table_picture import picture
from campaign.errors import NoViewer
from campaign.forms.battle.craft_data import craft_data
from campaign.forms.battle.fight_form import FormSight, OrderRow, anchor
from campaign.forms.battle.fire_data import FIRE_FIELDS, fires_data, packed, targets_data
from campaign.forms.battle.launch_data import launch_data
from campaign.forms.battle.officers_form import officers_payload, officers_tick
from campaign.forms.battle.plot_data import PLOT_FIELDS, plots_data
from campaign.forms.battle.plot_form import plot_sent, words_row
from campaign.forms.battle.stop_forms import form_of
from campaign.forms.battle.task_data import tasks_data
from campaign.forms.faults import Faults, faults_about
from campaign.forms.field import Payload
from campaign.kinds import FactionBattleState
from campaign.pages.battle.fight_rows import ShownRow, shown_contact, shown_row, texts_of
from campaign.pages.battle.foreign_ships import foreign_ships
from campaign.pages.drafts import EntryPage, EntryShown, Says
from campaign.pages.table.table_data import Colours, table_data, things
from campaign.rules.queries import class_name, ship_classes
from campaign.selectors.envelopes import Document
from campaign.services.stops import Fight, StopOrders, fight_of, sheet_now
from campaign.sight.reports import battles_told, stops_outlined, stops_read
from campaign.store.battle_documents import StopSheet
from campaign.web.battle_ends import fates
from campaign.web.drawn_turns import turn_of, units
from campaign.web.seat_marks import power_names, seats
from campaign.web.ship_drawings import with_hulls
from campaign.web.war import War, player_page, war_of
from campaign.words.battle.log import SideNames, names_of
from campaign.words.design_faults import with_names, without_subject
from campaign.words.plot_text import with_bay_ids
from campaign.words.sayings import battle_words
from engine.asks.engage import PURSUE
from engine.battle import battle_from
from engine.core.errors import Violation
from engine.core.kinds import ShipStatus
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship import ShipState
from engine.core.state import ENGAGE, OVER, PLOT
from engine.core.terms import MOVING_TABLE
from engine.english import system_words
from engine.events.movement import LeftTable
from engine.pieces.registry import kinds
from engine.sequences import wording
from engine.view.told_events import told_of_kinds

TABLE_ALONE = "js/battle_alone.js"  # the script of a page with a table and nothing to order by it
SCRIPTS = {PLOT: "js/battle_plot.js", ENGAGE: "js/battle_fire.js"}  # by stop
# Ships of a side whose seldom orders, and whose usual ones, its page holds; those of more are asked
# for one by one.
SHOWN_AT_ONCE, LISTED_AT_ONCE = 6, 16
CHOICES = "js/battle_tasks.js"  # of the others
LAYOUTS = {PLOT: "", ENGAGE: "fire"}  # classes of the frame while scripts run, by stop
MARK, ARROW = 5, 6  # the size of a small mark and of an arrow on the drawing

SAYS = Says(
    sealed=phrase("Sealed. The orders are carried out when everybody has sealed."),
    unsealed=phrase("Unsealed: your orders are a draft again."),
    other=phrase(
        "Other orders are already sealed. Unseal them first; yours are kept as the draft."
    ),
    until=phrase("You can unseal until everybody has sealed."),
    unsaved=phrase("Your captain's orders. Used automatically if you don't seal."),
)


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on the drawing.

    `r`: its radius there; `turn` in degrees; `label`: written beside it.
    """

    kind: str
    x: int
    y: int
    r: int
    turn: int
    words: str
    label: str = ""
    arrow: bool = False


def things_of(view: Mapping[str, Any], names: SideNames, height: float) -> tuple[Thing, ...]:
    """All of them, as a side sees them; what is wide lies under what is small.

    `height`: of the table, in MU.

    A list that a view does not have is that of a kind which came after it.
    """
    return tuple(
        Thing(
            kind=thing["kind"],
            x=units(thing["x"]),
            y=units(height - thing["y"]),
            r=ARROW if thing["course"] else units(thing["r"]) or MARK,
            turn=thing["course"] % 12 * 30,
            words=thing["words"],
            label=thing["label"],
            arrow=bool(thing["course"]),
        )
        for thing in things(view, names)
    )


@player_page
def battle_now(request: HttpRequest, viewer: Viewer, fight: uuid.UUID) -> HttpResponse:
    """The battle as it stands, and its stop: draft, seal, unseal."""
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error
    mine = fight_of(viewer.campaign, war.faction, str(fight))
    at = request.GET.get("at")
    if at is not None:  # asked by the page itself while it waits
        return HttpResponse(status=204) if at == _pulse(mine) else HttpResponseClientRefresh()
    if mine.state == OVER and any(
        battle.id == mine.id for battle in battles_told(viewer.campaign, war.faction)
    ):
        return redirect("battle", c=war.id, battle=mine.id)
    page = FightPage(request, war, mine)
    panel = request.GET.get("panel")
    return page.response() if panel is None else page.panel(panel)


class FightPage(EntryPage):
    """The page of a battle online and of the orders at its stop."""

    says = SAYS

    def __init__(self, request: HttpRequest, war: War, mine: Fight) -> None:
        asked = mine.stage is not None and mine.state != OVER
        super().__init__(request, war, StopOrders(mine, war.faction) if asked else None)
        self.mine = mine

    @cached_property
    def sheet(self) -> StopSheet:
        """The sheet the faction was handed at this stop."""
        return sheet_now(self.war.viewer.campaign, self.war.faction, self.mine)

    @cached_property
    def names(self) -> SideNames:
        """The names of everything on the table."""
        return called(self.war, self.mine, self._told)

    @property
    def _told(self) -> list[dict[str, Any]]:
        """What was told of the battle at each of its stops, in outline."""
        return stops_outlined(self.war.viewer.campaign, self.war.faction, self.mine.id)

    @property
    def _foe_has_left(self) -> bool:
        """Whether a hostile ship has left over an edge of a table that moves along, so that it may
        be pursued.
        """
        if MOVING_TABLE not in self._seen.state.terms.options:
            return False
        own = self.sheet["view"]["own"]
        gone = (
            event.ship for stop in self._told for event in told_of_kinds(stop["log"], LeftTable)
        )
        return any(ship not in own for ship in gone)

    def key(self, document: Document) -> str:
        return f"{self.war.id}/{self.mine.id}/{document.stage.ordinal}"

    def here(self) -> HttpResponse:
        way = reverse("battle-now", kwargs={"c": self.war.id, "fight": self.mine.id})
        asked = next(iter(self._asked), "")
        return redirect(f"{way}?{urlencode({'more': asked})}#{anchor(asked)}" if asked else way)

    @property
    def _asked(self) -> frozenset[str]:
        """The ship whose seldom orders the address asks for, where it has one of its own."""
        return frozenset({self.request.GET.get("more", "")}) & frozenset(self.sheet["mine"])

    def panel(self, key: str) -> HttpResponse:
        """What one ship says seldom in its plot, as a part of a page, by the text and the fields in
        the address.
        """
        ship = self._known.get(key)
        document = self.document
        if (
            document is None
            or self.sheet["kind"] != PLOT
            or ship is None
            or key not in self.sheet["mine"]
        ):
            raise Http404(phrase("there is no such ship to order"))
        words = plot_sent(self._seen, ship, self.request.GET)
        found = document.faults({PLOT: {key: words}} if words else {})
        row = words_row(
            self._seen, ship, words, tuple(fault.message for fault in self._named(found))
        )
        return render(
            self.request, "campaign/_fight_more.html", {"row": row, "order": words, "helm": True}
        )

    def payload(self, posted: QueryDict) -> Payload:
        return _payload(self.sheet, self.names, posted)

    @override
    def placed(self, payload: Payload, found: Sequence[Violation]) -> Faults:
        return faults_about(self._named(found), self._about, self.names.of, anchor)

    def _named(self, found: Sequence[Violation]) -> list[Violation]:
        """Return faults that call ships, groups and systems by their names; each is shown beside
        what it is about.
        """
        names = self._names_by_id
        return [
            replace(
                fault,
                message=with_names(without_subject(fault.message, self._about(fault.where)), names),
            )
            for fault in found
        ]

    @property
    def _names_by_id(self) -> dict[str, str]:
        """Names of all that a fault may mean, by the ids in it."""
        ships = self._known
        systems = dict.fromkeys(fit.id for ship in ships.values() for fit in ship.sheet.fits)
        found: dict[str, str] = {system: system_words(system) for system in systems}
        units = [
            *ships,
            *(piece.id for piece in self._seen.state.pieces),
            *self.sheet["mine"],
        ]
        return found | {one: self.names.of(one) for one in units if one}

    def _about(self, where: str) -> str:
        """The ship or group that a place is about."""
        rest = f"{where.partition('.')[2]}."
        return next(
            (key for key in self.sheet["mine"] if rest.startswith((f"{key}.", f"{key}["))), ""
        )

    def drawn(self, entry: EntryShown) -> HttpResponse:
        by: dict[str, tuple[str, ...]] = {}
        for fault in self._named(entry.found):
            by[self._about(fault.where)] = (*by.get(self._about(fault.where), ()), fault.message)
        kind = self.sheet["kind"]
        rows = form_of(kind).rows(self._seen, entry.payload, by) if not entry.sealed else ()
        officers = officers_tick(self._seen, entry.payload)
        may_pursue = kind == ENGAGE and self._foe_has_left
        context = {
            "entry": entry,
            "rows": self._shown_rows(rows, entry.payload),
            "idle": not (entry.sealed or rows or officers or may_pursue),
            "changed": self._said(entry.payload) != self._said(self.sheet["advice"]),
            "pursue": entry.payload.get(PURSUE) is True,
            "may_pursue": may_pursue,
            "officers": officers,
            "live": LAYOUTS.get(kind, "fire tasks"),
        }
        more = scripted(kind, self._seen, entry.payload, self.sheet["advice"]) if rows else {}
        return self._page(context, entry.status, more)

    def _said(self, payload: Mapping[str, Any]) -> list[object]:
        """Return what a document orders as the form reads it, so that other words for the same
        orders are no change.
        """
        said: list[object] = [bool(payload.get(PURSUE))]
        ships = self._known
        for row in form_of(self.sheet["kind"]).rows(self._seen, payload, {}):
            text = "" if row.raw is None else row.raw.value
            ship = ships.get(row.key)
            said.append(
                (
                    row.picks,
                    row.ticks,
                    row.written,
                    text if ship is None else with_bay_ids(ship, text),
                )
            )
        return said

    @cached_property
    def _seen(self) -> FormSight:
        seen = _sight(self.sheet, self.names)
        many = len(seen.ships)
        return (
            seen
            if many <= SHOWN_AT_ONCE
            else replace(seen, opened=self._asked, lists=many <= LISTED_AT_ONCE)
        )

    @property
    def _known(self) -> dict[str, ShipState]:
        """The ships of the battle as the side knows it, by id; none where it is not asked for
        orders.
        """
        return {ship.id: ship for ship in self._seen.state.ships} if "known" in self.sheet else {}

    def _shown_rows(self, rows: Sequence[OrderRow], payload: Mapping[str, Any]) -> list[ShownRow]:
        said, advised = (
            texts_of(self.sheet["kind"], one) for one in (payload, self.sheet["advice"])
        )
        ships = self._known
        return [self._shown_row(row, ships.get(row.key), said, advised) for row in rows]

    def _shown_row(
        self,
        row: OrderRow,
        ship: ShipState | None,
        said: Mapping[str, str] | None,
        advised: Mapping[str, str] | None,
    ) -> ShownRow:
        foreign = ship is not None and ship.commander != self.sheet["at"]
        seat = self.colours.of(ship.commander) if ship is not None and foreign else self.seat
        return shown_row(
            row, ship, seat, self.sheet["at"], said, advised, asked=row.key in self._asked
        )

    @property
    def colours(self) -> Colours:
        """Whose colour things have."""
        return Colours(seats(self.war.scenario), tuple(self.sheet["sides"]), self.war.faction.key)

    @property
    def seat(self) -> int:
        """The reader's own seat."""
        return self.colours.seats.get(self.war.faction.key, 0)

    def idle(self) -> HttpResponse:
        return self._page(
            _ended(self.war, self.mine, self.names) if self.mine.state == OVER else {}, 200, {}
        )

    def _page(
        self, more: Mapping[str, Any], status: int, scripted: Mapping[str, Any]
    ) -> HttpResponse:
        """The table and what happened since, with what is done here now."""
        war, mine, sheet, names = self.war, self.mine, self.sheet, self.names
        words = wording(sheet["kind"])
        before = {} if "known" in sheet else foreign_ships(war, mine, sheet["view"])
        data = table_data(sheet, names, self.colours, self._known, self._sizes, before)
        body = {"stops": [{**sheet["view"], "turn": sheet["turn"], "log": sheet["log"]}]}
        powers = power_names(war.scenario)
        winner = sheet["winner"]
        context = {
            "war": war,
            "mine": mine,
            "sheet": sheet,
            "called": battle_words(war.scenario, sheet["hex"]),
            "stop": phrase(words["title"]) if words else phrase("over"),
            "verb": words.get("task", ""),
            "turn": turn_of(body, names, sheet["turn"], sheet["table"][1]),
            "data": data | {"kind": sheet["kind"], **scripted},
            "picture": picture(data),
            "contacts": [shown_contact(one) for one in data["contacts"]],
            "icons": static("img/battle.svg"),
            "scripted": bool(scripted),
            "vector": any("drift" in ship for ship in scripted.get("ships", {}).values()),
            "script": static(SCRIPTS.get(sheet["kind"], CHOICES) if scripted else TABLE_ALONE),
            "waits": mine.state in (FactionBattleState.SEALED, FactionBattleState.WAITING),
            "decided_by": [
                (powers.get(one.get("winner", ""), ""), one["why"])
                for one in war.scenario.battle.get("victory", ())
            ],
            "winner": winner
            and joined_phrases(" and ", (powers.get(part, part) for part in winner.split("+"))),
            "won": winner == sheet["side"],
            "closes": mine.stage.closes if mine.stage is not None else None,
            "state": mine.state,
            "pulse": _pulse(mine),
        }
        return render(self.request, "campaign/fight.html", {**context, **more}, status=status)

    @property
    def _sizes(self) -> dict[str, str]:
        """The silhouettes of the faction's own ships, by key."""
        classes = ship_classes(self.war.scenario)
        return {ship.key: classes[ship.cls].classification for ship in self.war.sight.view.ships}


def _pulse(mine: Fight) -> str:
    """A text that changes with what the page can do."""
    return f"{mine.last.number}-{mine.state}"


def called(war: War, mine: Fight, told: list[dict[str, Any]] | None = None) -> SideNames:
    """Return the names of everything on the table: own ships by name, others as they will be called
    for ever.

    Args:
        told: The stops in outline, where they are read already.
    """
    if told is None:
        told = stops_outlined(war.viewer.campaign, war.faction, mine.id)
    logs = [*(stop["log"] for stop in told[1:]), []]
    stops = [{**stop, "log": log} for stop, log in zip(told, logs, strict=True)]
    return names_of(
        {"stops": stops},
        {ship.key: ship.name for ship in war.sight.view.ships},
        power_names(war.scenario),
    )


def _ended(war: War, mine: Fight, names: SideNames) -> dict[str, Any]:
    """How the battle ended, ship by ship, as the stops told."""
    sheets = stops_read(war.viewer.campaign, war.faction, mine.id)
    stops = [{**now["view"], "log": after["log"]} for now, after in pairwise(sheets)]
    ships = {
        ship.key: class_name(war.scenario, ship.faction, ship.cls) for ship in war.sight.view.ships
    }
    ended = with_hulls(war.scenario, war.sight.view.ships, fates({"stops": stops}, names, ships))
    own, others = [fate for fate in ended if fate.own], [fate for fate in ended if not fate.own]
    return {
        "own": own,
        "others": others,
        "lost": sum(fate.how == ShipStatus.DESTROYED.label for fate in own),
        "killed": sum(fate.how == ShipStatus.DESTROYED.label for fate in others),
    }


def _sight(sheet: Mapping[str, Any], names: SideNames) -> FormSight:
    state = battle_from(sheet["known"]).state
    ids = [
        piece["id"]
        for kind in kinds()
        if kind.commanded
        for key in kind.view_keys
        for piece in sheet["view"][key]
    ]
    ids += [ship.id for ship in state.ships]
    known = dict(names.known) | {id_: names.of(id_) for id_ in ids}
    return FormSight(state, sheet["at"], frozenset(sheet["mine"]), known)


def scripted(
    stop: str, seen: FormSight, payload: Mapping[str, Any], advice: Mapping[str, Any]
) -> dict[str, Any]:
    """What the script of a stop is given besides the table."""
    if stop == ENGAGE:
        return packed(fires_data(seen, advice)) | {
            "targets": targets_data(seen),
            "fields": FIRE_FIELDS,
        }
    if stop == PLOT:
        cards = craft_data(seen, advice) | launch_data(seen, advice)
        return {"ships": plots_data(seen, payload, advice), "fields": PLOT_FIELDS} | cards
    form = form_of(stop)
    return {
        "tasks": tasks_data(stop, seen, form.rows(seen, payload, {}), form.rows(seen, advice, {}))
    }


def _rows(
    sheet: Mapping[str, Any],
    payload: Mapping[str, Any],
    names: SideNames,
    faults: Mapping[str, tuple[str, ...]],
) -> tuple[OrderRow, ...]:
    """The form of the stop, whichever it is."""
    return form_of(sheet["kind"]).rows(_sight(sheet, names), payload, faults)


def _payload(sheet: Mapping[str, Any], names: SideNames, posted: QueryDict) -> dict[str, Any]:
    """The orders that the form says."""
    kind = sheet["kind"]
    seen, form = _sight(sheet, names), form_of(kind)
    said = (
        {kind: form.payload(seen, posted)}
        | form.beside(seen, posted)
        | officers_payload(seen, posted)
    )
    return said | ({PURSUE: True} if kind == ENGAGE and posted.get(PURSUE) else {})


urlpatterns = [path("c/<str:c>/battles/<uuid:fight>/now/", battle_now, name="battle-now")]
