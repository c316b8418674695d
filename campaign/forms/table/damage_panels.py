"""The player's ships on the page of a tabletop battle, with everything that can be marked off."""

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
    ship, sheet, core = marks.ship, marks.ship.sheet, CORE_SYSTEMS in options
    least = least_lost(ship, options)
    ends = dict(profile_of(sheet).row_ends)
    crossed = marks.crossed
    rows: list[BoxRow] = []
    first = 1
    for box_count in sheet.rows:
        boxes = tuple(
            (n, n in crossed, sheet.crew.count(n)) for n in range(first, first + box_count)
        )
        first += box_count
        if box_count:
            die = ends.get(first - 1, 0)
            # From the second row on, one point less likely
            core_die = die + 1 if core and die and rows else 0
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
    """Return the dice of a threshold check, system by system."""
    return join_phrases(
        ", ", (phrase("{} {}", system_words(system), die) for system, die in check_rolls.items())
    )


def _drawing(marks: Marks, name: str, core: bool) -> SafeString:
    """Return the record sheet with its marks."""
    status, _, _ = marks.fate
    fate_text = "" if status == FIGHTING else ShipStatus.label_of(status)
    armour = armour_from(marks.ship.sheet, marks.stock)
    condition = Condition(
        name, marks.damage, tuple(marks.lost), armour, tuple(marks.stock.items()), fate_text
    )
    return record_sheet_svg(marks.ship.sheet, condition, orders=False, core=core, numbered=True)
