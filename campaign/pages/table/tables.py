"""Tabletop battles: the set-up and record sheets to print, and the result that players enter."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
from campaign.kinds import StageStatus
from campaign.pages.battle.fights import TableMarker, table_markers
from campaign.pages.entry_page import EntryPage, EntryState, PageTexts
from campaign.pages.table.table_data import Colours
from campaign.selectors.envelopes import Document
from campaign.services.tables import TableBattle, TableResult, table_of
from campaign.web.common import absolute, ship_addresses
from campaign.web.pdf_responses import pdf_response
from campaign.web.seat_marks import power_names, seats
from campaign.web.sheet_pdf import PAPERS, SHEET_GRIDS, PaperSheet
from campaign.web.ship_drawings import record_sheet_svg
from campaign.web.turn_drawings import SCALE, units
from campaign.web.war import War, player_page, war_of
from campaign.words.battle.log import SideNames, contact_name
from campaign.words.common import place_words
from campaign.words.system_names import EXAMPLE
from engine.core.errors import Violation
from engine.core.phrase import join_phrases, phrase
from engine.core.ship import ShipState
from engine.core.terms import CORE_SYSTEMS
from engine.table_results.validation import own_state

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
    start: str
    drawing: SafeString  # empty for a decoy drone
    page: str  # of the reader's own ship, else ""


@dataclass(frozen=True, slots=True)
class SetUpMarker:
    """A ship or contact on the set-up drawing."""

    name: str
    seat: int  # seat number of its side
    is_own: bool
    x: int  # in drawing units
    y: int
    turn: int  # degrees
    at: str
    course: int
    velocity: int
    class_or_size: str
    is_bogey: bool


@dataclass(frozen=True, slots=True)
class SetUp:
    """The table at the start of a battle, in drawing units."""

    width: float
    height: float
    spots: tuple[SetUpMarker, ...]
    pieces: tuple[TableMarker, ...]

    @property
    def middle_x(self) -> float:
        """The middle of the drawing. Names right of it run to the left, so that none is cut off."""
        return self.width / 2


def record_sheets(
    sheet: Mapping[str, Any], names: Mapping[str, str], address: Callable[[str], str]
) -> tuple[RecordSheet, ...]:
    """Return the record sheets of a side's own ships at the start of the battle.

    Args:
        address: Returns the address of a ship's page.
    """
    core = CORE_SYSTEMS in sheet["options"]
    sheets: list[RecordSheet] = []
    for ship in own_state(sheet).ships:
        sheets.append(_record(ship, names[ship.id], core, address(ship.id)))
    return tuple(sheets)


def _record(ship: ShipState, name: str, core: bool, address: str) -> RecordSheet:
    return RecordSheet(
        name=name,
        cls=ship.sheet.cls,
        class_name=contact_name(ship.contact),
        start=phrase(
            "at {:g}, {:g} on course {}, velocity {}", ship.x, ship.y, ship.course, ship.velocity
        ),
        drawing=SafeString("")
        if ship.dummy
        else record_sheet_svg(
            ship.sheet,
            battle_condition(ship, name, is_own=True),
            core=core,
            numbered=True,
            address=address,
        ),
        page="" if ship.dummy else address,
    )


def set_up(sheet: Mapping[str, Any], names: Mapping[str, str], colours: Colours) -> SetUp:
    """Return the positions of all ships and objects that the side sees."""
    width, height = sheet["table"]
    mine = colours.seats.get(colours.faction, 0)
    spots = []
    for ship in sheet["own"]:
        spots.append(
            _set_up_marker(
                names[ship["id"]],
                mine,
                True,
                ship["at"],
                ship["course"],
                ship["velocity"],
                height,
                "",
                False,
            )
        )
    spots += [
        _set_up_marker(
            names[str(contact["id"])],
            colours.of(contact["side"]),
            False,
            contact["at"],
            contact["course"],
            contact["velocity"],
            height,
            _class_or_size(contact),
            "class" not in contact,
        )
        for contact in sheet["contacts"]
    ]
    pieces = table_markers(sheet["seen"], SideNames(names), height)
    return SetUp(
        width * SCALE,
        height * SCALE,
        tuple(spots),
        tuple(piece for piece in pieces if not piece.arrow),
    )


def _class_or_size(contact: Mapping[str, Any]) -> str:
    """Return the class of a contact, or its classification while only that is known."""
    if "class" in contact:
        return str(contact["class"])
    return phrase(str(contact["classification"]))


def _set_up_marker(  # noqa: PLR0913, PLR0917 -- what one marker shows
    name: str,
    seat: int,
    is_own: bool,
    at: Any,
    course: int,
    velocity: int,
    height: float,
    class_or_size: str,
    is_bogey: bool,
) -> SetUpMarker:
    x, y = at
    turn = int(course) % 12 * 30
    return SetUpMarker(
        name,
        seat,
        is_own,
        units(x),
        units(height - y),
        turn,
        phrase("{:g}, {:g}", x, y),
        course,
        velocity,
        class_or_size,
        is_bogey,
    )


@player_page
def table(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Show the result of a tabletop battle: draft, seal, unseal, and the sides' differences."""
    return TablePage(request, *open_table(viewer, battle)).response()


@player_page
def sheets(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """Show the record sheets and the set-up of a tabletop battle for printing."""
    war, mine = open_table(viewer, battle)
    names = ship_names(war, mine)
    context = {
        **table_context(war, mine),
        "sheets": record_sheets(
            mine.sheet, names, ship_addresses(request, war.id, war.faction.key)
        ),
        "setup": set_up(
            mine.sheet,
            names,
            Colours(seats(war.scenario), tuple(mine.sheet["sides"]), war.faction.key),
        ),
        "papers": tuple(PAPERS.items()),
        "per": tuple(SHEET_GRIDS),
    }
    return render(request, "campaign/table_sheets.html", context)


@player_page
def sheets_pdf(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponseBase:
    """Return the record sheets of a tabletop battle as a PDF."""
    war, mine = open_table(viewer, battle)
    names = ship_names(war, mine)
    core = CORE_SYSTEMS in mine.sheet["options"]
    title = phrase("Record sheets: {}", place_words(war.scenario, mine.sheet["hex"]))
    address = ship_addresses(request, war.id, war.faction.key)

    def ships() -> list[PaperSheet]:
        ships: list[PaperSheet] = []
        for ship in own_state(mine.sheet).ships:
            if not ship.dummy:
                ships.append(
                    PaperSheet(
                        ship.sheet,
                        battle_condition(ship, names[ship.id], is_own=True),
                        core,
                        is_numbered=True,
                        address=address(ship.id),
                    )
                )
        return ships

    key = (war.id, mine.id, war.faction.key, tuple(names.items()), absolute(request, "/"))
    return pdf_response(request, key, title, ships)


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


def ship_names(war: War, mine: TableBattle) -> dict[str, str]:
    """Return the names of the ships on the battle's sheet."""
    return names_on_sheet(mine.sheet, {ship.key: ship.name for ship in war.sight.view.ships})


def table_context(war: War, mine: TableBattle) -> dict[str, Any]:
    """Return the context that the templates of these pages share."""
    return {
        "war": war,
        **war.tabs("battle"),
        "mine": mine,
        "place": place_words(war.scenario, mine.sheet["hex"]),
        "foes": join_phrases(
            " and ",
            (side_words(war, name) for name in mine.sheet["sides"] if name != mine.sheet["side"]),
        ),
    }


def side_words(war: War, side: str) -> str:
    """Return the names of a side's factions."""
    powers = power_names(war.scenario)
    return join_phrases(" and ", (powers.get(part, part) for part in side.split("+")))


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

    def key(self, document: Document) -> str:
        return f"{self.war.id}/{self.table.id}/{document.stage.ordinal}"

    def redirect_here(self) -> HttpResponse:
        return redirect("battle-table", c=self.war.id, battle=self.table.id)

    def payload(self, post: QueryDict) -> Payload:
        sheet = self.table.sheet
        return table_payload(
            own_state(sheet).ships,
            sheet["contacts"],
            post,
            sheet["edition"],
            sheet["seen"].get("sites", ()),
        )

    @override
    def place_faults(self, payload: Payload, violations: Sequence[Violation]) -> Faults:
        names = self.names

        def about(where: str) -> str:
            return next((name for name in names if f"{where}.".startswith(f"ships.{name}.")), "")

        return faults_about(violations, about, names.__getitem__, anchor)

    def render_entry(self, entry: EntryState) -> HttpResponse:
        war = self.war
        battle = self.table
        names = self.names
        powers = power_names(self.war.scenario)
        check = battle.checks[-1] if battle.checks else None
        sides = [side_words(war, name) for name in battle.sheet["sides"]]
        rows = form_rows(
            own_state(battle.sheet).ships,
            battle.sheet["contacts"],
            entry.shown_payload,
            names,
            entry.violations,
        )
        context = {
            **table_context(war, battle),
            "entry": entry,
            "rows": [row for row in rows if row.is_own],
            "others": [row for row in rows if not row.is_own],
            "turns": entry.shown_payload.get("turns", 1),
            "ground": ground_rows(
                battle.sheet["seen"].get("sites", ()), entry.shown_payload, sides
            ),
            "hows": HOWS,
            "example": EXAMPLE,
            "captors": list(zip(battle.sheet["sides"], sides, strict=True)),
            "unlike": result_differences(check, names, powers) if check else (),
            "impossible": fault_lines(check, names) if check else (),
            "over": not battle.open,
            "ruled": check is not None and "ruling" in check,
            "ruling": check.get("ruling", "") if check else "",
            "agreed": battle.stage.status == StageStatus.RESOLVED and entry.sealed is not None,
            "closes": war.stage.closes if war.stage is not None else None,
        }
        return render(self.request, "campaign/table.html", context, status=entry.status)


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/table/", table, name="battle-table"),
    path("c/<str:c>/battles/<uuid:battle>/sheets/", sheets, name="battle-sheets"),
    path("c/<str:c>/battles/<uuid:battle>/sheets.pdf", sheets_pdf, name="battle-sheets-pdf"),
]
