"""A ship of one's own on the page of a battle at a table, with all that can be marked on it: a pad
to tap.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.safestring import SafeString

from campaign.drawings.condition import Condition
from campaign.forms.table.table_entries import CHECK_DICE, PLOT
from campaign.forms.table.table_form import DRONE_ENDS, ENDS, end_fields, stock_words
from campaign.rules.table_record import Marks, systems_to_check
from campaign.web.ship_drawings import record_sheet_svg
from engine.core.kinds import FIGHTING, ShipStatus
from engine.core.phrase import join_phrases, phrase
from engine.core.terms import CORE_SYSTEMS
from engine.design.mass_pricing import CORE
from engine.english import system_words
from engine.ship_profiles import armour_from, profile_of
from engine.table_results.validation import least_lost, most_stock

STATES = {
    1: (phrase("works"), phrase("lost")),
    2: (phrase("works"), phrase("halved"), phrase("lost")),
}


@dataclass(frozen=True, slots=True)
class BoxRow:
    """A row of the damage track to tap.

    `boxes`: (number, crossed, crew factors lost with it); `die`: what a system is lost on when the
    row is gone, 0 at the last; `gone`: it is; `core`: what a core system is lost on then, 0 where
    none is checked; `check`: what was thrown for it, or for which systems it is to be, where it is
    still `open`. `field`: the name of the field for dice thrown by hand.

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Core systems" 10.3 [pc.core-systems]
    """

    boxes: tuple[tuple[int, bool, int], ...]
    last: int
    die: int
    is_crossed: bool
    core_die: int
    check: str
    is_open: bool
    field: str


@dataclass(frozen=True, slots=True)
class SystemButton:
    """A system to tap.

    `state`: what has become of it, in a word; `hits`, `whole`: of how many it stands; `least`: the
    hits that nobody aboard can repair.
    """

    id: str
    words: str
    hits: int
    most_hits: int
    state: str
    least: int

    @property
    def next_hits(self) -> int:
        """Its hits after a tap."""
        return self.least if self.hits >= self.most_hits else self.hits + 1


@dataclass(frozen=True, slots=True)
class StoreLine:
    """A store with its two buttons."""

    name: str
    words: str
    amount: int
    most: int


@dataclass(frozen=True, slots=True)
class DamagePanel:
    """A ship of one's own with all that can be marked on it."""

    id: str
    anchor: str
    name: str
    cls: str
    is_drone: bool
    damage_before: int
    boxes: int
    marks: Marks
    rows: tuple[BoxRow, ...]
    systems: tuple[SystemButton, ...]
    stores: tuple[StoreLine, ...]
    drawing: SafeString
    ends: tuple[tuple[str, str], ...]

    @property
    def fields(self) -> dict[str, str]:
        """The names of the fields about its end, and of its plot."""
        return end_fields(self.id) | {"plot": PLOT.name(self.id)}

    @property
    def state_text(self) -> str:
        """How it is, in a word or two."""
        status, _, _ = self.marks.fate
        if status != FIGHTING:
            return ShipStatus.label_of(status)
        return phrase("{} of {} boxes", self.boxes - self.marks.damage, self.boxes)


def damage_panel(marks: Marks, name: str, options: Collection[str]) -> DamagePanel:
    """What a ship's part of the page shows. `options`: those of the battle."""
    ship, sheet, core = marks.ship, marks.ship.sheet, CORE_SYSTEMS in options
    least = least_lost(ship, options)
    ends, crossed = dict(profile_of(sheet).row_ends), marks.crossed
    rows: list[BoxRow] = []
    first = 1
    for box_count in sheet.rows:
        boxes = tuple(
            (n, n in crossed, sheet.crew.count(n)) for n in range(first, first + box_count)
        )
        first += box_count
        if box_count:
            die = ends.get(first - 1, 0)
            core_die = (
                die + 1 if core and die and rows else 0
            )  # from the second row on, a point less likely
            check_rolls = marks.checks.get(first - 1)
            check = (
                check_words(check_rolls)
                if check_rolls
                else join_phrases(
                    ", ", map(system_words, systems_to_check(marks, core=bool(core_die)))
                )
            )
            rows.append(
                BoxRow(
                    boxes,
                    first - 1,
                    die,
                    marks.damage >= first - 1,
                    core_die,
                    check,
                    check_rolls is None,
                    CHECK_DICE.name(ship.id, first - 1),
                )
            )
    systems = tuple(
        SystemButton(
            fit.id,
            system_words(fit.id),
            marks.hits[fit.id],
            most_hits,
            STATES[most_hits][marks.hits[fit.id]],
            least[fit.id],
        )
        for fit, most_hits in zip(sheet.fits, ship.profile.undamaged, strict=True)
        if core or fit.type not in CORE
    )
    most = most_stock(ship)
    return DamagePanel(
        id=ship.id,
        anchor=f"kept-{ship.id.replace('/', '-')}",
        name=name,
        cls=sheet.cls,
        is_drone=ship.dummy,
        damage_before=ship.damage,
        boxes=sheet.boxes,
        marks=marks,
        rows=() if ship.dummy else tuple(rows),
        systems=() if ship.dummy else systems,
        stores=()
        if ship.dummy
        else tuple(StoreLine(k, stock_words(k), n, most[k]) for k, n in marks.stock.items()),
        drawing=SafeString("") if ship.dummy else _drawing(marks, name, core),
        ends=DRONE_ENDS if ship.dummy else ENDS,
    )


def check_words(check_rolls: Mapping[str, int]) -> str:
    """The dice of a threshold check, system by system."""
    return join_phrases(
        ", ", (phrase("{} {}", system_words(system), die) for system, die in check_rolls.items())
    )


def _drawing(marks: Marks, name: str, core: bool) -> SafeString:
    """The drawn sheet as it is marked."""
    status, _, _ = marks.fate
    fate_text = "" if status == FIGHTING else ShipStatus.label_of(status)
    armour = armour_from(marks.ship.sheet, marks.stock)
    condition = Condition(
        name, marks.damage, tuple(marks.lost), armour, tuple(marks.stock.items()), fate_text
    )
    return record_sheet_svg(marks.ship.sheet, condition, orders=False, core=core, numbered=True)
