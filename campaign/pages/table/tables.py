"""Tabletop battles: the set-up and record sheets to print, and the result that players enter."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import SafeString
from typing_extensions import override

from campaign.access import Viewer
from campaign.drawings.condition import battle_condition
from campaign.errors import NoViewer
from campaign.forms.faults import Faults, faults_about
from campaign.forms.field import Payload
from campaign.forms.table.table_form import (
    HOWS,
    anchor,
    fault_lines,
    form_rows,
    ground_rows,
    names_on_sheet,
    result_differences,
    table_payload,
)
from campaign.forms.week.set_up_form import planned_ships
from campaign.kinds import StageKind, StageStatus
from campaign.pages.entry_page import EntryPage, EntryState, PageTexts
from campaign.pages.table.table_data import Colours
from campaign.pages.table.table_markers import DEGREES_PER_COURSE, TableMarker, table_markers
from campaign.rules.set_up_sheets import sheet_at
from campaign.selectors.envelopes import envelope_of
from campaign.selectors.heads import head_of
from campaign.services.orders import WeekOrders
from campaign.services.tables import TableBattle, TableResult, table_of
from campaign.web.common import absolute, ship_addresses
from campaign.web.pdf_responses import pdf_response
from campaign.web.seat_marks import power_names, seats
from campaign.web.sheet_pdf import PAPERS, SHEET_GRIDS, PaperSheet
from campaign.web.ship_drawings import record_sheet_svg
from campaign.web.turn_drawings import SCALE, units
from campaign.web.war import War, player_page, war_of
from campaign.words.battle.log import SideNames, contact_name
from campaign.words.common import place_words, side_words
from campaign.words.system_names import EXAMPLE
from engine.core.errors import Violation
from engine.core.kinds import INBOUND
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.core.terms import CORE_SYSTEMS
from engine.table_results.validation import own_state

PRINTED_KEYS = ("at", "course", "velocity", "facing", "ftl_entry")  # of where a ship begins
TEXTS = PageTexts(
    sealed=phrase("Sealed. The results are compared when the other side has sealed too."),
    unsealed=phrase("Unsealed: your result is a draft again."),
    other_sealed=phrase(
        "Another result is already sealed. Unseal it first; yours is kept as the draft."
    ),
    unseal_until=phrase("You can unseal until the other side has sealed."),
    unsaved=phrase("Nothing saved yet. The result counts once every side has sealed the same one."),
)


@dataclass(frozen=True, slots=True)
class RecordSheet:
    """A ship's record sheet."""

    name: str
    cls: str
    class_name: str  # what the other side calls the ship
    start: str  # position, course and velocity in words
    drawing: SafeString  # empty for a decoy drone
    page: str  # address of the ship's page; "" for a decoy drone


@dataclass(frozen=True, slots=True)
class SetUpMarker:
    """A ship or contact on the set-up drawing."""

    name: str
    seat: int  # seat number of its side
    is_own: bool
    x: int  # in drawing units
    y: int
    turn: int  # degrees
    at: str  # its position in words
    course: int | str  # "" if its side has not placed it
    velocity: int | str
    has_place: bool
    class_or_size: str  # "" for own ships
    is_bogey: bool


@dataclass(frozen=True, slots=True)
class SetUp:
    """The table at the start of a battle, in drawing units."""

    width: float
    height: float
    markers: tuple[SetUpMarker, ...]
    objects: tuple[TableMarker, ...]

    @property
    def middle_x(self) -> float:
        """The middle of the drawing. Names right of it run to the left, so that none is cut off."""
        return self.width / 2


def sheet_with_set_up(war: War, table: TableBattle) -> Mapping[str, Any]:
    """Return the sheet of a battle with the faction's ships where its orders place them.

    The sheet shows no places of other ships then, because their sides place them in secret.
    """
    sheet: Mapping[str, Any] = table.sheet
    set_up = sheet_at(war.sight.view, sheet["hex"])
    if set_up is None or war.stage is None or war.kind != StageKind.BATTLES:
        return sheet
    envelope = envelope_of(WeekOrders(war.stage, war.faction, war.sight.view))
    places = {}
    for ship in planned_ships(war.scenario, war.sight.view, set_up, envelope.payload or {}):
        entry: Mapping[str, Any] = ship
        places[ship["id"]] = {key: entry[key] for key in PRINTED_KEYS if key in entry}
    own = [{**ship, **places.get(ship["id"], {})} for ship in sheet["own"]]
    return {**sheet, "own": own, "contacts": [_without_place(each) for each in sheet["contacts"]]}


def _without_place(contact: Mapping[str, Any]) -> dict[str, Any]:
    """Return a contact without where it begins."""
    return {key: value for key, value in contact.items() if key not in PRINTED_KEYS}


def record_sheets(
    sheet: Mapping[str, Any], names: Mapping[str, str], address: Callable[[str], str]
) -> tuple[RecordSheet, ...]:
    """Return the record sheets of a side's own ships at the start of the battle.

    Args:
        address: Returns the address of a ship's page.
    """
    has_core_systems = CORE_SYSTEMS in sheet["options"]
    sheets: list[RecordSheet] = []
    for ship in own_state(sheet).ships:
        page = "" if ship.dummy else address(ship.id)
        sheets.append(_record_sheet(ship, names[ship.id], has_core_systems, page))
    return tuple(sheets)


def _record_sheet(ship: ShipState, name: str, has_core_systems: bool, page: str) -> RecordSheet:
    """Return a ship's record sheet, with numbered systems so that results can name them."""
    drawing = SafeString("")
    if not ship.dummy:
        condition = battle_condition(ship, name, is_own=True)
        drawing = record_sheet_svg(
            ship.sheet,
            condition,
            core=has_core_systems,
            numbered=True,
            address=page,
            start=_start_words(ship),
        )
    return RecordSheet(
        name=name,
        cls=phrase(ship.sheet.cls),
        class_name=contact_name(ship.contact),
        start=_start_words(ship),
        drawing=drawing,
        page=page,
    )


def _start_words(ship: ShipState) -> str:
    """Return where and when a ship begins."""
    words = phrase(
        "at {:g}, {:g} on course {}, velocity {}", ship.x, ship.y, ship.course, ship.velocity
    )
    if ship.status == INBOUND:
        return phrase("{}, out of FTL in turn {}", words, ship.due)
    return words


def set_up(sheet: Mapping[str, Any], names: Mapping[str, str], colours: Colours) -> SetUp:
    """Return the positions of all ships and objects that the side sees."""
    width, height = sheet["table"]
    own_seat = colours.seats.get(colours.faction, 0)
    markers = []
    for ship in sheet["own"]:
        markers.append(
            _set_up_marker(ship, name=names[ship["id"]], seat=own_seat, is_own=True, height=height)
        )
    for contact in sheet["contacts"]:
        marker = _set_up_marker(
            contact,
            name=names[str(contact["id"])],
            seat=colours.of(contact["side"]),
            is_own=False,
            height=height,
        )
        markers.append(marker)
    objects = table_markers(sheet["seen"], SideNames(names), height)
    return SetUp(
        width=width * SCALE,
        height=height * SCALE,
        markers=tuple(markers),
        objects=tuple(item for item in objects if not item.arrow),
    )


def _class_or_size(contact: Mapping[str, Any]) -> str:
    """Return the class of a contact, or its classification while only that is known."""
    if "class" in contact:
        return phrase(str(contact["class"]))
    return phrase(str(contact["classification"]))


def _set_up_marker(
    ship: Mapping[str, Any], *, name: str, seat: int, is_own: bool, height: float
) -> SetUpMarker:
    """Return the marker of an own ship or a contact on the sheet.

    Args:
        height: Height of the table in MU.
    """
    has_place = "at" in ship
    x, y = ship["at"] if has_place else (0, 0)
    return SetUpMarker(
        name=name,
        seat=seat,
        is_own=is_own,
        x=units(x),
        y=units(height - y),
        turn=int(ship.get("course", 0)) % 12 * DEGREES_PER_COURSE,
        at=phrase("{:g}, {:g}", x, y) if has_place else phrase("placed by its side"),
        course=ship.get("course", ""),
        velocity=ship.get("velocity", ""),
        has_place=has_place,
        class_or_size="" if is_own else _class_or_size(ship),
        is_bogey=not is_own and "class" not in ship,
    )


@player_page
def table(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Show the result of a tabletop battle: draft, seal, unseal, and the sides' differences."""
    return TablePage(request, *open_table(viewer, battle)).response()


@player_page
def sheets(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Show the record sheets and the set-up of a tabletop battle for printing."""
    war, own_table = open_table(viewer, battle)
    sheet = sheet_with_set_up(war, own_table)
    names = ship_names(war, own_table)
    colours = Colours(seats(war.scenario), tuple(sheet["sides"]), war.faction.key)
    address = ship_addresses(request, war.id, war.faction.key)
    context = {
        **table_context(war, own_table),
        "sheets": record_sheets(sheet, names, address),
        "setup": set_up(sheet, names, colours),
        "papers": tuple(PAPERS.items()),
        "per": tuple(SHEET_GRIDS),
        "ledger_head": head_of(viewer.campaign),
    }
    return render(request, "campaign/table_sheets.html", context)


@player_page
def sheets_pdf(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponseBase:
    """Return the record sheets of a tabletop battle as a PDF."""
    war, own_table = open_table(viewer, battle)
    names = ship_names(war, own_table)
    table_sheet = sheet_with_set_up(war, own_table)
    title = phrase("Record sheets: {}", place_words(war.scenario, own_table.sheet["hex"]))
    address = ship_addresses(request, war.id, war.faction.key)

    def paper_sheets() -> list[PaperSheet]:
        sheets: list[PaperSheet] = []
        for ship in own_state(table_sheet).ships:
            if not ship.dummy:
                sheet = PaperSheet(
                    ship.sheet,
                    battle_condition(ship, names[ship.id], is_own=True),
                    has_core_systems=CORE_SYSTEMS in table_sheet["options"],
                    is_numbered=True,
                    address=address(ship.id),
                    start=_start_words(ship),
                )
                sheets.append(sheet)
        return sheets

    cache_key = (
        war.id,
        own_table.id,
        war.faction.key,
        tuple(names.items()),
        json.dumps(table_sheet["own"], sort_keys=True),
        absolute(request, "/"),
    )
    head = head_of(viewer.campaign)
    footer = "" if head is None else phrase("Ledger: {}", head.short_name)
    return pdf_response(request, cache_key, title, paper_sheets, footer)


def open_table(viewer: Viewer, battle: uuid.UUID) -> tuple[War, TableBattle]:
    """Return the war and the battle of a tabletop page.

    Raises:
        Http404: If the viewer has no view of the war.
        NotFound: If there is no such battle.
    """
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error
    return war, table_of(viewer.campaign, war.faction, str(battle))


def ship_names(war: War, table: TableBattle) -> dict[str, str]:
    """Return the names of the ships on the battle's sheet."""
    return names_on_sheet(table.sheet, {ship.key: ship.name for ship in war.sight.view.ships})


def table_context(war: War, table: TableBattle) -> dict[str, Any]:
    """Return the context that the templates of these pages share."""
    powers = power_names(war.scenario)
    other_sides = [side for side in table.sheet["sides"] if side != table.sheet["side"]]
    return {
        "war": war,
        **war.tabs("battle"),
        "table": table,
        "place": place_words(war.scenario, table.sheet["hex"]),
        "foes": join_phrases(" and ", [side_words(side, powers) for side in other_sides]),
    }


class TablePage(EntryPage):
    """The page of a tabletop battle and its result."""

    texts = TEXTS

    def __init__(self, request: HttpRequest, war: War, table: TableBattle) -> None:
        super().__init__(request, war, TableResult(table, war.faction))
        self.table = table

    @property
    def names(self) -> dict[str, str]:
        """The names of the ships on the sheet."""
        return ship_names(self.war, self.table)

    @property
    @override
    def battle_id(self) -> str:
        return self.table.id

    def redirect_here(self) -> HttpResponse:
        return redirect("battle-table", c=self.war.id, battle=self.table.id)

    def payload(self, post: QueryDict) -> Payload:
        sheet = self.table.sheet
        return table_payload(
            own_state(sheet).ships,
            sheet["contacts"],
            post,
            edition=sheet["edition"],
            sites=sheet["seen"].get("sites", ()),
        )

    @override
    def place_faults(self, payload: Payload, violations: Sequence[Violation]) -> Faults:
        names = self.names

        def ship_of_fault(where: str) -> str:
            """Return the ship that a fault's path is about, or ""."""
            return next((name for name in names if f"{where}.".startswith(f"ships.{name}.")), "")

        return faults_about(violations, ship_of_fault, names.__getitem__, anchor)

    def render_entry(self, entry: EntryState) -> HttpResponse:
        sheet = self.table.sheet
        powers = power_names(self.war.scenario)
        side_names = [side_words(side, powers) for side in sheet["sides"]]
        rows = form_rows(
            own_state(sheet).ships,
            sheet["contacts"],
            entry.shown_payload,
            names=self.names,
            violations=entry.violations,
        )
        sites = sheet["seen"].get("sites", ())
        is_resolved = self.table.stage.status == StageStatus.RESOLVED
        context = {
            **table_context(self.war, self.table),
            **self._comparison_context(powers),
            "entry": entry,
            "own_rows": [row for row in rows if row.is_own],
            "foreign_rows": [row for row in rows if not row.is_own],
            "turns": entry.shown_payload.get("turns", 1),
            "ground_targets": ground_rows(sites, entry.shown_payload, side_names),
            "hows": HOWS,
            "example": EXAMPLE,
            "captors": list(zip(sheet["sides"], side_names, strict=True)),
            "is_over": not self.table.is_open,
            "results_agree": is_resolved and entry.sealed is not None,
            "closes": self._closing_time(),
        }
        return render(self.request, "campaign/table.html", context, status=entry.status)

    def _closing_time(self) -> datetime | None:
        """Return the stage's deadline; None while the clock is paused or if there is none."""
        if self.war.is_paused or self.war.stage is None:
            return None
        return self.war.stage.closes

    def _comparison_context(self, powers: Mapping[str, str]) -> dict[str, Any]:
        """Return how the sides' results last differed, and an umpire's ruling about it."""
        if not self.table.checks:
            return {"differences": (), "impossible_results": (), "has_ruling": False}
        newest_check = self.table.checks[-1]
        return {
            "differences": result_differences(newest_check, self.names, powers),
            "impossible_results": fault_lines(newest_check, self.names),
            "has_ruling": "ruling" in newest_check,
            "ruling": newest_check.get("ruling", ""),
        }


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/table/", table, name="battle-table"),
    path("c/<str:c>/battles/<uuid:battle>/sheets/", sheets, name="battle-sheets"),
    path("c/<str:c>/battles/<uuid:battle>/sheets.pdf", sheets_pdf, name="battle-sheets-pdf"),
]
