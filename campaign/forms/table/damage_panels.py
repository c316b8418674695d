"""The player's ships on the page of a tabletop battle, with everything that can be marked off."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from campaign.drawings.condition import Condition
from campaign.forms.table.table_entries import CHECK_DICE, PLOT
from campaign.forms.table.table_form import DECOY_ENDS, ENDS, end_fields, stock_words
from campaign.rules.table_record import Marks, systems_to_check
from campaign.web.ship_drawings import record_sheet_svg
from engine.core.kinds import FIGHTING, ShipStatus
from engine.core.phrase import join_phrases, phrase
from engine.core.terms import CORE_SYSTEMS
from engine.design.mass_pricing import CORE
from engine.english import system_words
from engine.ship_profiles import armour_from, profile_of
from engine.table_results.validation import least_lost, most_stock

# The state of a system in a word: by the hits it can take, then by the hits it has
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
    is_decoy: bool
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
    """Build the panel of a ship; a decoy has nothing to mark but its end.

    Args:
        options: The battle's options.
    """
    ship = marks.ship
    panel = DamagePanel(
        id=ship.id,
        anchor=f"kept-{ship.id.replace('/', '-')}",
        name=name,
        cls=phrase(ship.sheet.cls),
        is_decoy=ship.dummy,
        damage_before=ship.damage,
        boxes=ship.sheet.boxes,
        marks=marks,
        rows=(),
        systems=(),
        stores=(),
        drawing=SafeString(""),
        ends=DECOY_ENDS if ship.dummy else ENDS,
    )
    if ship.dummy:
        return panel
    has_core = CORE_SYSTEMS in options
    return replace(
        panel,
        rows=tuple(_box_rows(marks, has_core=has_core)),
        systems=tuple(_system_buttons(marks, options, has_core=has_core)),
        stores=tuple(_store_lines(marks)),
        drawing=_drawing(marks, name, has_core=has_core),
    )


def _system_buttons(
    marks: Marks, options: Collection[str], *, has_core: bool
) -> Iterator[SystemButton]:
    """Yield a ship's systems, with core systems only if the battle has them."""
    ship = marks.ship
    least_hits = least_lost(ship, options)
    for fit, most_hits in zip(ship.sheet.fits, ship.profile.undamaged, strict=True):
        if fit.type in CORE and not has_core:
            continue
        hits = marks.hits[fit.id]
        yield SystemButton(
            id=fit.id,
            words=system_words(fit.id),
            hits=hits,
            most_hits=most_hits,
            state=STATES[most_hits][hits],
            least=least_hits[fit.id],
        )


def _box_rows(marks: Marks, *, has_core: bool) -> Iterator[BoxRow]:
    """Yield the rows of a ship's damage track that have boxes.

    Core systems are checked from the second row on, where their loss is one point less likely than
    that of other systems.
    """
    sheet = marks.ship.sheet
    die_at_row_end = dict(profile_of(sheet).row_ends)
    first = 1
    for box_count in sheet.rows:
        if not box_count:
            continue
        last = first + box_count - 1
        die = die_at_row_end.get(last, 0)
        is_first_row = first == 1
        checks_core = has_core and die > 0 and not is_first_row
        rolls = marks.checks.get(last)
        yield BoxRow(
            boxes=_boxes(marks, first, last),
            last=last,
            die=die,
            is_crossed=marks.damage >= last,
            core_die=die + 1 if checks_core else 0,
            check=_check_text(marks, rolls, checks_core=checks_core),
            is_open=rolls is None,
            field=CHECK_DICE.name(marks.ship.id, last),
        )
        first = last + 1


def _boxes(marks: Marks, first: int, last: int) -> tuple[tuple[int, bool, int], ...]:
    """Return the boxes of a row as (number, crossed off, crew factors lost with it)."""
    boxes = []
    for number in range(first, last + 1):
        boxes.append((number, number in marks.crossed, marks.ship.sheet.crew.count(number)))
    return tuple(boxes)


def _check_text(marks: Marks, rolls: Mapping[str, int] | None, *, checks_core: bool) -> str:
    """Return the rolls of a threshold check, or the systems still to check."""
    if rolls:
        return check_words(rolls)
    systems = systems_to_check(marks, core=checks_core)
    return join_phrases(", ", map(system_words, systems))


def _store_lines(marks: Marks) -> Iterator[StoreLine]:
    """Yield a ship's stores with what is left."""
    most = most_stock(marks.ship)
    for stock, amount in marks.stock.items():
        yield StoreLine(stock, stock_words(stock), amount, most[stock])


def check_words(rolls: Mapping[str, int]) -> str:
    """Return the dice of a threshold check, system by system."""
    parts = [phrase("{} {}", system_words(system), die) for system, die in rolls.items()]
    return join_phrases(", ", parts)


def _drawing(marks: Marks, name: str, *, has_core: bool) -> SafeString:
    """Return the record sheet with its marks."""
    status, _, _ = marks.fate
    condition = Condition(
        name=name,
        damage=marks.damage,
        lost_systems=tuple(marks.lost),
        armour=armour_from(marks.ship.sheet, marks.stock),
        stock=tuple(marks.stock.items()),
        fate_text="" if status == FIGHTING else ShipStatus.label_of(status),
    )
    return record_sheet_svg(marks.ship.sheet, condition, orders=False, core=has_core, numbered=True)
