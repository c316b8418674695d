"""The player's ships on the page of a tabletop battle, with everything that can be marked off."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
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

    Rules: 2E "Threshold points" [2e.thresholds]; Continuum "Core systems" 10.3 [pc.core-systems]
    """

    boxes: tuple[tuple[int, bool, int], ...]  # (number, crossed off, crew factors lost with it)
    last: int  # number of the row's last box
    die: int  # a system is lost on this roll when the row is gone; 0 for the last row
    is_crossed: bool
    core_die: int  # the same for core systems; 0 without a check
    check: str  # the check's rolls, or the systems still to check
    is_open: bool  # whether the check is still to be made
    field: str  # name of the field for dice rolled by hand


@dataclass(frozen=True, slots=True)
class SystemButton:
    """A system to tap."""

    id: str
    words: str
    hits: int  # hits marked on it
    most_hits: int  # hits it can take
    state: str  # in a word
    least: int  # hits that the crew cannot repair

    @property
    def next_hits(self) -> int:
        """The hits after a tap."""
        if self.hits >= self.most_hits:
            return self.least
        return self.hits + 1


@dataclass(frozen=True, slots=True)
class StoreLine:
    """A store with its two buttons."""

    name: str
    words: str
    amount: int
    most: int


@dataclass(frozen=True, slots=True)
class DamagePanel:
    """One of the player's ships, with everything that can be marked on it."""

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
        """The names of the fields for its end and its plot."""
        return end_fields(self.id) | {"plot": PLOT.name(self.id)}

    @property
    def state_text(self) -> str:
        """Its state in a word or two."""
        status, _, _ = self.marks.fate
        if status != FIGHTING:
            return ShipStatus.label_of(status)
        return phrase("{} of {} boxes", self.boxes - self.marks.damage, self.boxes)


def damage_panel(marks: Marks, name: str, options: Collection[str]) -> DamagePanel:
    """Build the panel of a ship.

    Args:
        options: The battle's options.
    """
    ship = marks.ship
    sheet = ship.sheet
    core = CORE_SYSTEMS in options
    least = least_lost(ship, options)
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
    return DamagePanel(
        id=ship.id,
        anchor=f"kept-{ship.id.replace('/', '-')}",
        name=name,
        cls=sheet.cls,
        is_drone=ship.dummy,
        damage_before=ship.damage,
        boxes=sheet.boxes,
        marks=marks,
        rows=() if ship.dummy else tuple(_box_rows(marks, core=core)),
        systems=() if ship.dummy else systems,
        stores=() if ship.dummy else tuple(_store_lines(marks)),
        drawing=SafeString("") if ship.dummy else _drawing(marks, name, core),
        ends=DRONE_ENDS if ship.dummy else ENDS,
    )


def _box_rows(marks: Marks, *, core: bool) -> Iterator[BoxRow]:
    """Yield the rows of a ship's damage track."""
    sheet = marks.ship.sheet
    ends = dict(profile_of(sheet).row_ends)
    crossed = marks.crossed
    last = 0
    is_first_row = True
    for box_count in sheet.rows:
        if not box_count:
            continue
        first = last + 1
        last += box_count
        die = ends.get(last, 0)
        # From the second row on, one point less likely
        if core and die and not is_first_row:
            core_die = die + 1
        else:
            core_die = 0
        is_first_row = False
        check_rolls = marks.checks.get(last)
        if check_rolls:
            check = check_words(check_rolls)
        else:
            systems = systems_to_check(marks, core=bool(core_die))
            check = join_phrases(", ", map(system_words, systems))
        yield BoxRow(
            tuple((n, n in crossed, sheet.crew.count(n)) for n in range(first, last + 1)),
            last,
            die,
            marks.damage >= last,
            core_die,
            check,
            check_rolls is None,
            CHECK_DICE.name(marks.ship.id, last),
        )


def _store_lines(marks: Marks) -> Iterator[StoreLine]:
    most = most_stock(marks.ship)
    for stock, amount in marks.stock.items():
        yield StoreLine(stock, stock_words(stock), amount, most[stock])


def check_words(check_rolls: Mapping[str, int]) -> str:
    """Return the dice of a threshold check, system by system."""
    return join_phrases(
        ", ", (phrase("{} {}", system_words(system), die) for system, die in check_rolls.items())
    )


def _drawing(marks: Marks, name: str, core: bool) -> SafeString:
    """Return the record sheet with its marks."""
    status, _, _ = marks.fate
    if status == FIGHTING:
        fate_text = ""
    else:
        fate_text = ShipStatus.label_of(status)
    armour = armour_from(marks.ship.sheet, marks.stock)
    condition = Condition(
        name, marks.damage, tuple(marks.lost), armour, tuple(marks.stock.items()), fate_text
    )
    return record_sheet_svg(marks.ship.sheet, condition, orders=False, core=core, numbered=True)
