"""A battle fought at a table at home: its set-up and record sheets to print, and the result its
players enter.
"""

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
from campaign.drawings.condition import in_battle
from campaign.errors import NoViewer
from campaign.forms.faults import Faults, faults_about
from campaign.forms.field import Payload
from campaign.forms.table.table_form import (
    HOWS,
    anchor,
    form_rows,
    ground_rows,
    impossible,
    names_at,
    table_payload,
    unlike,
)
from campaign.kinds import StageStatus
from campaign.pages.battle.fights import Thing, things_of
from campaign.pages.drafts import EntryPage, EntryShown, Says
from campaign.pages.table.table_data import Colours
from campaign.selectors.envelopes import Document
from campaign.services.tables import TableBattle, TableResult, table_of
from campaign.web.common import absolute, ship_addresses
from campaign.web.drawn_turns import SCALE, units
from campaign.web.paper import PAPERS, PLACES, OnPaper
from campaign.web.pdf_answers import pdf_answer
from campaign.web.seat_marks import power_names, seats
from campaign.web.ship_drawings import sheet_drawn
from campaign.web.war import War, player_page, war_of
from campaign.words.battle.log import SideNames, contact_name
from campaign.words.sayings import place_words
from campaign.words.system_names import EXAMPLE
from engine.core.errors import Violation
from engine.core.phrase import joined_phrases, phrase
from engine.core.ship import ShipState
from engine.core.terms import CORE_SYSTEMS
from engine.table_results.judging import own_state

SAYS = Says(
    sealed=phrase("Sealed. The results are compared when the other side has sealed too."),
    unsealed=phrase("Unsealed: your result is a draft again."),
    other=phrase("Another result is already sealed. Unseal it first; yours is kept as the draft."),
    until=phrase("You can unseal until the other side has sealed."),
    unsaved=phrase("Nothing saved yet. It counts when every side has sealed the same result."),
)


@dataclass(frozen=True, slots=True)
class Record:
    """A ship's record sheet.

    `called`: what the other side calls it; `drawn`: the sheet, of a decoy drone none; `page`: of
    the reader's own ship, else "".
    """

    name: str
    cls: str
    called: str
    start: str
    drawn: SafeString
    page: str


@dataclass(frozen=True, slots=True)
class Spot:
    """Something on the set-up: where, which way, how fast.

    `x`, `y`: on the drawing; `seat`: of whose side it is.
    """

    name: str
    seat: int
    own: bool
    x: int
    y: int
    turn: int
    at: str
    course: int
    velocity: int
    known: str
    bogey: bool


@dataclass(frozen=True, slots=True)
class SetUp:
    """The table as a battle begins, in the units of its drawing: ships and contacts, and what else
    lies on it.
    """

    width: float
    height: float
    spots: tuple[Spot, ...]
    pieces: tuple[Thing, ...]

    @property
    def half(self) -> float:
        """The middle of the drawing: names beyond it are written towards the left, so that none is
        cut off.
        """
        return self.width / 2


def record_sheets(
    sheet: Mapping[str, Any], names: Mapping[str, str], address: Callable[[str], str]
) -> tuple[Record, ...]:
    """The record sheets of a side's own ships, as they come to the table.

    `address`: of a ship's page.
    """
    core = CORE_SYSTEMS in sheet["options"]
    return tuple(
        _record(ship, names[ship.id], core, address(ship.id)) for ship in own_state(sheet).ships
    )


def _record(ship: ShipState, name: str, core: bool, address: str) -> Record:
    return Record(
        name=name,
        cls=ship.sheet.cls,
        called=contact_name(ship.contact),
        start=phrase(
            "at {:g}, {:g} on course {}, velocity {}", ship.x, ship.y, ship.course, ship.velocity
        ),
        drawn=SafeString("")
        if ship.dummy
        else sheet_drawn(
            ship.sheet, in_battle(ship, name, own=True), core=core, numbered=True, address=address
        ),
        page="" if ship.dummy else address,
    )


def set_up(sheet: Mapping[str, Any], names: Mapping[str, str], colours: Colours) -> SetUp:
    """The places of everybody that the side sees: its own ships, contacts, what lies on the
    table.
    """
    width, height = sheet["table"]
    mine = colours.seats.get(colours.own, 0)
    spots = [
        _spot(
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
        for ship in sheet["own"]
    ]
    spots += [
        _spot(
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
    pieces = things_of(sheet["seen"], SideNames(names), height)
    return SetUp(
        width * SCALE,
        height * SCALE,
        tuple(spots),
        tuple(piece for piece in pieces if not piece.arrow),
    )


def _class_or_size(contact: Mapping[str, Any]) -> str:
    """Return the class of a contact, or its classification while only that is known."""
    return str(contact["class"]) if "class" in contact else phrase(str(contact["classification"]))


def _spot(
    name: str,
    seat: int,
    own: bool,
    at: Any,
    course: int,
    velocity: int,
    height: float,
    known: str,
    unknown: bool,
) -> Spot:
    x, y = at
    turn = int(course) % 12 * 30
    return Spot(
        name,
        seat,
        own,
        units(x),
        units(height - y),
        turn,
        phrase("{:g}, {:g}", x, y),
        course,
        velocity,
        known,
        unknown,
    )


@player_page
def table(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """The result of a battle at a table: draft, seal, unseal, and what the sides say
    differently.
    """
    return TablePage(request, *opened(viewer, battle)).response()


@player_page
def sheets(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponse:
    """The record sheets and the set-up of a battle at a table, to print."""
    war, mine = opened(viewer, battle)
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
        "per": tuple(PLACES),
    }
    return render(request, "campaign/table_sheets.html", context)


@player_page
def sheets_pdf(request: HttpRequest, viewer: Viewer, battle: uuid.UUID) -> HttpResponseBase:
    """The record sheets of a battle at a table as PDF."""
    war, mine = opened(viewer, battle)
    names, core = ship_names(war, mine), CORE_SYSTEMS in mine.sheet["options"]
    title = phrase("Record sheets: {}", place_words(war.scenario, mine.sheet["hex"]))
    address = ship_addresses(request, war.id, war.faction.key)

    def ships() -> list[OnPaper]:
        return [
            OnPaper(
                ship.sheet,
                in_battle(ship, names[ship.id], own=True),
                core,
                numbered=True,
                address=address(ship.id),
            )
            for ship in own_state(mine.sheet).ships
            if not ship.dummy
        ]

    key = (war.id, mine.id, war.faction.key, tuple(names.items()), absolute(request, "/"))
    return pdf_answer(request, key, title, ships)


def opened(viewer: Viewer, battle: uuid.UUID) -> tuple[War, TableBattle]:
    """The war and the battle of a page about a battle at a table. Raises Http404, NotThere."""
    try:
        war = war_of(viewer)
    except NoViewer as error:
        raise Http404(phrase("there is no such battle")) from error
    return war, table_of(viewer.campaign, war.faction, str(battle))


def ship_names(war: War, mine: TableBattle) -> dict[str, str]:
    """The names of the ships on the battle's sheet."""
    return names_at(mine.sheet, {ship.key: ship.name for ship in war.sight.view.ships})


def table_context(war: War, mine: TableBattle) -> dict[str, Any]:
    """What the templates of these pages share."""
    return {
        "war": war,
        **war.tabs("battle"),
        "mine": mine,
        "place": place_words(war.scenario, mine.sheet["hex"]),
        "foes": joined_phrases(
            " and ",
            (side_words(war, name) for name in mine.sheet["sides"] if name != mine.sheet["side"]),
        ),
    }


def side_words(war: War, side: str) -> str:
    """The name of a side: its factions."""
    powers = power_names(war.scenario)
    return joined_phrases(" and ", (powers.get(part, part) for part in side.split("+")))


class TablePage(EntryPage):
    """The page of a battle at a table and of its result."""

    says = SAYS

    def __init__(self, request: HttpRequest, war: War, mine: TableBattle) -> None:
        super().__init__(request, war, TableResult(mine, war.faction))
        self.mine = mine

    @property
    def names(self) -> dict[str, str]:
        """The names of the ships on the sheet."""
        return ship_names(self.war, self.mine)

    def key(self, document: Document) -> str:
        return f"{self.war.id}/{self.mine.id}/{document.stage.ordinal}"

    def here(self) -> HttpResponse:
        return redirect("battle-table", c=self.war.id, battle=self.mine.id)

    def payload(self, posted: QueryDict) -> Payload:
        sheet = self.mine.sheet
        return table_payload(
            own_state(sheet).ships,
            sheet["contacts"],
            posted,
            sheet["edition"],
            sheet["seen"].get("sites", ()),
        )

    @override
    def placed(self, payload: Payload, found: Sequence[Violation]) -> Faults:
        names = self.names

        def about(where: str) -> str:
            return next((name for name in names if f"{where}.".startswith(f"ships.{name}.")), "")

        return faults_about(found, about, names.__getitem__, anchor)

    def drawn(self, entry: EntryShown) -> HttpResponse:
        war, mine, names, powers = self.war, self.mine, self.names, power_names(self.war.scenario)
        check = mine.checks[-1] if mine.checks else None
        sides = [side_words(war, name) for name in mine.sheet["sides"]]
        rows = form_rows(
            own_state(mine.sheet).ships, mine.sheet["contacts"], entry.shown, names, entry.found
        )
        context = {
            **table_context(war, mine),
            "entry": entry,
            "rows": [row for row in rows if row.own],
            "others": [row for row in rows if not row.own],
            "turns": entry.shown.get("turns", 1),
            "ground": ground_rows(mine.sheet["seen"].get("sites", ()), entry.shown, sides),
            "hows": HOWS,
            "example": EXAMPLE,
            "captors": list(zip(mine.sheet["sides"], sides, strict=True)),
            "unlike": unlike(check, names, powers) if check else (),
            "impossible": impossible(check, names) if check else (),
            "over": not mine.open,
            "ruled": check is not None and "ruling" in check,
            "ruling": check.get("ruling", "") if check else "",
            "agreed": mine.stage.status == StageStatus.RESOLVED and entry.sealed is not None,
            "closes": war.stage.closes if war.stage is not None else None,
        }
        return render(self.request, "campaign/table.html", context, status=entry.status)


urlpatterns = [
    path("c/<str:c>/battles/<uuid:battle>/table/", table, name="battle-table"),
    path("c/<str:c>/battles/<uuid:battle>/sheets/", sheets, name="battle-sheets"),
    path("c/<str:c>/battles/<uuid:battle>/sheets.pdf", sheets_pdf, name="battle-sheets-pdf"),
]
