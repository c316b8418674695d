"""A ship's record sheet as a drawing: the positions of all systems, boxes and numbers.

Pure functions; templates and PDFs draw the values. Lengths are units of a sheet 400 wide, y
downwards. What is lost has a cross and is faded, so that colour is not the only sign. An empty box
can still be crossed out.
Rules: 2E "Filling out the ship record sheet" [2e.record-sheet]; Continuum "System status display"
2.4
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

from campaign.drawings.cells import (
    PIP,
    PIPS_A_LINE,
    STEP,
    WORDS_SIZE,
    Cell,
    Store,
    cells_of,
    row_width,
    rows_of,
    systems_summary,
)
from campaign.drawings.codes import Code, code_of
from campaign.drawings.condition import Condition
from campaign.drawings.lettering import fit_text, truncate, width_of
from campaign.drawings.symbols import symbol_of
from engine.core.phrase import join_phrases, phrase
from engine.core.sheet import Sheet
from engine.english import capitalize_first, counted_noun
from engine.ruleset import rules_of
from engine.ship_profiles import profile_of

WIDTH: Final = 400.0
MIDDLE: Final = WIDTH / 2
SQUARE: Final = ("hull", "store")  # kinds of square boxes; the others are round
MARGIN: Final = 14.0
ROW_WIDTH: Final = 360.0  # of a row of systems
TOP: Final = 62.0
TRACK: Final = 300.0  # of a row of the damage track
MAX_PER_LINE: Final = 25  # boxes; longer rows continue in the next line
LARGEST_STEP: Final = 22.0
ARMOUR_STEP: Final = 19.0
MAX_ARMOUR_PER_LINE: Final = 18
TURNS: Final = 12  # boxes for orders
START_LINE: Final = 14.0  # the height of the line that says where the ship begins
# Boxes for orders: their columns and width. A code beside them takes two columns.
SLOTS_ALONE = (6, 62.6)
SLOTS_BESIDE_A_CODE = (4, 68.5)
SLOT_HEIGHT: Final = 30.0
# The corner of such a box for the velocity.
VELOCITY_WIDTH: Final = 20.8
VELOCITY_HEIGHT: Final = 16.0
CODE_SIZE: Final = 96.0  # 22 mm on paper with four sheets
OPENS: Final = phrase("A QR code opens the page of this ship")
RING: Final = 14.2  # radius of the ring around a weapon, in the 32 units of a symbol
HALF_GAP: Final = 5.0  # degrees from the end of a segment to the border of its arc
REMARK_SIZE: Final = 11.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box to cross out.

    Attributes:
        kind: hull, armour, regenerative, store or star.
        is_crossed: It is already crossed out.
        crew_factors: Crew factors lost with it.
    """

    kind: str
    x: float
    y: float
    size: float
    is_crossed: bool = False
    crew_factors: int = 0


@dataclass(frozen=True, slots=True)
class Words:
    """A text on the sheet.

    Attributes:
        x: Its left end, or the point given by `anchor`.
    """

    kind: str
    x: float
    y: float
    text: str
    size: float
    anchor: str = "start"


@dataclass(frozen=True, slots=True)
class PlacedSystem:
    """A placed system: a square with its upper left corner at x, y.

    Attributes:
        bears: The path of the arcs in which it bears.
        rest: The path of the other arcs.
        turned: By how many degrees the arcs are turned to starboard.
    """

    cell: Cell
    x: float
    y: float
    symbol: str
    bears: str
    rest: str
    turned: int

    @property
    def scale(self) -> float:
        """Return its scale relative to the symbol."""
        return round(self.cell.size / 32, 4)

    @property
    def is_halved(self) -> bool:
        """Return whether it was hit and still works."""
        return 0 < self.cell.hits < self.cell.most_hits

    @property
    def is_crossed(self) -> bool:
        """Return whether it is lost or used up."""
        return self.cell.is_lost or self.cell.is_used_up


@dataclass(frozen=True, slots=True)
class Threshold:
    """The roll that loses a system at the end of a row of the track.

    Attributes:
        is_passed: The row is full.
    """

    x: float
    y: float
    text: str
    is_passed: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A box for a turn's orders and velocity."""

    turn: int
    x: float
    y: float
    width: float
    height: float

    @property
    def at_x(self) -> float:
        """Return the x of its number."""
        return round(self.x + 3, 1)

    @property
    def at_y(self) -> float:
        """Return the y of its number."""
        return round(self.y + 10, 1)

    @property
    def path(self) -> str:
        """Return its outline with that of the corner for the velocity."""
        across = _format(self.width - VELOCITY_WIDTH)
        down = _format(self.height - VELOCITY_HEIGHT)
        outline = _rectangle(self.width, self.height)
        corner = _rectangle(VELOCITY_WIDTH, VELOCITY_HEIGHT)
        return f"M{_format(self.x)} {_format(self.y)}{outline}m{across} {down}{corner}"


@dataclass(frozen=True)
class RecordSheet:
    """The drawing of a record sheet.

    Attributes:
        plate: The path of the outline.
        fate_text: How the ship left the game, for a stamp; empty while it is in it.
        alt: The whole content in words.
        is_numbered: Whether systems of a type are numbered.
        code: A QR code with the address of the ship's page.
    """

    height: float
    words: tuple[Words, ...]
    systems: tuple[PlacedSystem, ...]
    boxes: tuple[Box, ...]
    thresholds: tuple[Threshold, ...]
    slots: tuple[Slot, ...]
    plate: str
    fate_text: str
    alt: str
    is_numbered: bool
    code: Code | None = None
    width: float = WIDTH

    @property
    def intact_path(self) -> str:
        """Return the outlines of the boxes that are left, as one path."""
        return "".join(_outline(box) for box in self.boxes if not box.is_crossed)

    @property
    def crossed_path(self) -> str:
        """Return the outlines of the boxes that are crossed out."""
        return "".join(_outline(box) for box in self.boxes if box.is_crossed)

    @property
    def strokes_path(self) -> str:
        """Return the strokes through crossed boxes."""
        return "".join(_stroke(box) for box in self.boxes if box.is_crossed)

    @property
    def stars(self) -> tuple[Box, ...]:
        """Return the crew stars: one for each crew factor, in the box with which it is lost."""
        stars: list[Box] = []
        for box in self.boxes:
            if box.crew_factors:
                stars += _stars_in(box)
        return tuple(stars)

    @property
    def stamp(self) -> tuple[float, float]:
        """Return the middle of the stamp of a ship that is gone."""
        return MIDDLE, round(self.height / 2, 1)


def _stars_in(box: Box) -> list[Box]:
    """Return the crew stars of a box, side by side."""
    width = box.size / box.crew_factors
    size = round(min(width * 0.9, box.size * 0.76), 1)
    stars = []
    for number in range(box.crew_factors):
        x = box.x + width * number + (width - size) / 2
        y = box.y + (box.size - size) / 2
        stars.append(Box("star", round(x, 1), round(y, 1), size))
    return stars


def _format(value: float) -> str:
    """Format a number for a path."""
    return f"{value:.1f}".removesuffix(".0")


def _rectangle(width: float, height: float) -> str:
    """Return the path of a rectangle from its upper left corner."""
    return f"h{_format(width)}v{_format(height)}h-{_format(width)}z"


def _stroke(box: Box) -> str:
    """Return the path of the stroke through a crossed box."""
    length = _format(box.size * 0.6)
    x = _format(box.x + box.size * 0.2)
    y = _format(box.y + box.size * 0.8)
    return f"M{x} {y}l{length}-{length}"


def _outline(box: Box) -> str:
    """Return the path of a box: a square, a circle, or two circles for regenerative armour."""
    size = _format(box.size)
    if box.kind in SQUARE:
        return f"M{_format(box.x)} {_format(box.y)}{_rectangle(box.size, box.size)}"
    radius = box.size / 2
    half_circle = f"a{_format(radius)} {_format(radius)} 0 1 1"
    start = f"M{_format(box.x)} {_format(box.y + radius)}"
    circle = f"{start}{half_circle} {size} 0{half_circle}-{size} 0z"
    if box.kind == "regenerative":
        inner = Box("armour", box.x + radius / 2, box.y + radius / 2, radius)
        return circle + _outline(inner)
    return circle


def arc_ring(arcs: tuple[str, ...], all_arcs: tuple[str, ...]) -> tuple[str, str]:
    """Return the ring around a weapon as paths: segments in which it bears, and the others.

    Args:
        arcs: The arcs in which the weapon bears.
        all_arcs: The arcs of the edition, clockwise from the bow.
    """
    if not arcs:
        return "", ""
    bears = ""
    rest = ""
    half = 180 / len(all_arcs) - HALF_GAP
    for number, arc in enumerate(all_arcs):
        middle = 360 / len(all_arcs) * number
        x1, y1 = _ring_point(middle - half)
        x2, y2 = _ring_point(middle + half)
        segment = f"M{x1:.2f} {y1:.2f}A{RING} {RING} 0 0 1 {x2:.2f} {y2:.2f}"
        if arc in arcs:
            bears += segment
        else:
            rest += segment
    return bears, rest


def _ring_point(angle: float) -> tuple[float, float]:
    """Return the point of a ring at an angle in degrees, clockwise from the bow."""
    return 16 + RING * sin(radians(angle)), 16 - RING * cos(radians(angle))


class _SheetBuilder:
    """Builds a sheet from the top downwards."""

    def __init__(self, sheet: Sheet, condition: Condition, core: bool) -> None:
        self.sheet = sheet
        self.condition = condition
        self.groups = cells_of(sheet, condition, core=core)
        self.arcs = rules_of(sheet.edition).arcs
        self.words: list[Words] = []
        self.systems: list[PlacedSystem] = []
        self.boxes: list[Box] = []
        self.thresholds: list[Threshold] = []
        self.y = TOP

    def add_head(self) -> None:
        """Add the ship's name, class and figures."""
        sheet = self.sheet
        name = self.condition.name or self.sheet.cls
        points = counted_noun(sheet.points, "point")
        figures = phrase("mass {}, thrust {}", sheet.mass, sheet.thrust)
        if name == sheet.cls:
            kind = phrase(sheet.classification)
        else:
            kind = sheet.cls
        text_width = WIDTH - 2 * MARGIN - 10
        name_text, name_size = fit_text(name, text_width - width_of(points, 12), 18, 10)
        kind_text = truncate(kind, text_width - width_of(figures, 12), 12)
        right = WIDTH - MARGIN
        self._write("name", MARGIN, 24, name_text, size=name_size)
        self._write("cls", MARGIN, 39, kind_text, size=12)
        self._write("fig", right, 22, points, size=12, anchor="end")
        self._write("fig muted", right, 38, figures, size=12, anchor="end")

    def _write(
        self, kind: str, x: float, y: float, text: str, *, size: float, anchor: str = "start"
    ) -> None:
        """Add a text."""
        self.words.append(Words(kind=kind, x=x, y=y, text=text, size=size, anchor=anchor))

    def add_systems(self) -> None:
        """Add the rows of its systems."""
        groups = self.groups
        self._add_rows(groups["heavy"], gap=6)
        self._add_rows(groups["light"], gap=6)
        self._add_rows(groups["holders"], gap=12)
        if len(groups["others"]) + len(groups["guard"]) > 8:
            self._add_rows(groups["others"], gap=9)
            self._add_rows(groups["guard"], gap=9)
        else:
            self._add_rows([*groups["others"], *groups["guard"]], gap=9)
        self.y += 2

    def _add_rows(self, cells: list[Cell], *, gap: float) -> None:
        """Add systems in centred rows."""
        for row in rows_of(cells, ROW_WIDTH, gap):
            x = MIDDLE - row_width(row, gap) / 2
            for cell in row:
                self.add_system(cell, x, self.y)
                x += cell.width + gap
            self.y += max(cell.height for cell in row) + 6

    def add_system(self, cell: Cell, x: float, y: float) -> None:
        """Add a system, vertically centred, with its stores beside it."""
        bears, rest = arc_ring(cell.fit.arcs, self.arcs)
        self.systems.append(
            PlacedSystem(
                cell=cell,
                x=round(x, 1),
                y=round(y + (cell.height - cell.size) / 2, 1),
                symbol=symbol_of(cell.fit, self.sheet),
                bears=bears,
                rest=rest,
                turned=30 if self.sheet.beta and bears else 0,
            )
        )
        store_x = round(x + cell.size + 4, 1)
        top = y + (cell.height - cell.stores_height) / 2
        for store, label in zip(cell.stores, cell.store_words, strict=True):
            self._add_store(store, label, store_x, round(top, 1), is_lost=cell.is_lost)
            top += store.height

    def _add_store(self, store: Store, label: str, x: float, y: float, *, is_lost: bool) -> None:
        """Add boxes (or a number) for one kind of contents, with its label below.

        Args:
            is_lost: Whether its system is lost, and its contents with it.
        """
        if store.is_number_only:
            amount = store.full if store.amount is None else store.amount
            if amount < store.full:
                amount_text = phrase("{} of {}", amount, store.full)
            else:
                amount_text = f"× {store.full}"
            self._write("store", x, y + 9, amount_text, size=WORDS_SIZE)
        else:
            for number in range(store.full):
                line, column = divmod(number, PIPS_A_LINE)
                is_empty = store.amount is not None and number >= store.amount
                box = Box(
                    kind="store",
                    x=x + column * STEP,
                    y=y + 1 + line * STEP,
                    size=PIP,
                    is_crossed=is_empty or is_lost,
                )
                self.boxes.append(box)
        if label:
            self._write("store", x, y + 1 + store.lines * STEP + 8, label, size=WORDS_SIZE)

    def add_armour(self) -> None:
        """Add the layers of its armour, outermost on top, in the order in which they are hit."""
        full = self.sheet.armour
        now = self.condition.armour
        for layer in reversed(range(len(full))):
            standard, regenerative = full[layer]
            standard_left, regenerative_left = now[layer] if layer < len(now) else full[layer]
            boxes = [("armour", number >= standard_left) for number in range(standard)]
            for number in range(regenerative):
                boxes.append(("regenerative", number >= regenerative_left))
            for first in range(0, len(boxes), MAX_ARMOUR_PER_LINE):
                self._add_armour_line(boxes[first : first + MAX_ARMOUR_PER_LINE])

    def _add_armour_line(self, boxes: list[tuple[str, bool]]) -> None:
        """Add a line of armour: for each box its kind, and whether it is crossed out."""
        left = MIDDLE - len(boxes) * ARMOUR_STEP / 2 + 2.5
        for number, (kind, is_crossed) in enumerate(boxes):
            x = round(left + number * ARMOUR_STEP, 1)
            self.boxes.append(Box(kind, x, self.y + 1, size=14, is_crossed=is_crossed))
        self.y += ARMOUR_STEP + 2

    def add_hull(self) -> None:
        """Add the damage track: its rows, crew stars, and the threshold at the end of each row."""
        sheet = self.sheet
        damage = self.condition.damage
        longest = min(MAX_PER_LINE, max(sheet.rows, default=1) or 1)
        step = round(min(LARGEST_STEP, TRACK / longest), 1)
        size = round(step - (4 if step > 16 else 3), 1)
        left = round(MIDDLE - longest * step / 2 - 14, 1)
        right = round(left + longest * step + 8, 1)
        threshold_dice = dict(profile_of(sheet).row_ends)  # by the number of the last box
        box_number = 0
        for boxes in sheet.rows:
            if not boxes:
                continue
            for place in range(boxes):
                line, column = divmod(place, MAX_PER_LINE)
                box_number += 1
                box = Box(
                    kind="hull",
                    x=round(left + column * step, 1),
                    y=round(self.y + line * step, 1),
                    size=size,
                    is_crossed=box_number <= damage,
                    crew_factors=sheet.crew.count(box_number),
                )
                self.boxes.append(box)
            self.y += ((boxes - 1) // MAX_PER_LINE) * step
            die = threshold_dice.get(box_number)
            if die is None:
                self.y += step
                continue
            text = str(die) if die == 6 else f"{die}+"
            top = round(self.y + size / 2 - 8, 1)
            self.thresholds.append(Threshold(right, top, text, is_passed=damage >= box_number))
            self.y += max(step, 18.0)
        self.y = round(self.y + 6, 1)

    def add_drives(self) -> None:
        """Add FTL drive, main drive and core systems."""
        drives = self.groups["drives"]
        core = self.groups["core"]
        if not drives and not core:
            return
        width = sum(cell.size for cell in drives) + 18 * max(0, len(drives) - 1)
        x = MIDDLE - width / 2 - (62 if core else 0)
        for cell in drives:
            self.add_system(cell, x, self.y + (46 - cell.size) / 2)
            x += cell.size + 18
            is_halved = 0 < cell.hits < cell.most_hits
            if cell.fit.type == "drive" and is_halved:
                note = phrase("thrust {}", self.sheet.thrust // 2)
                self._write("cls", x - 14, self.y + 27, note, size=12)
        for number, cell in enumerate(core):
            self.add_system(cell, WIDTH - 140 + number * 36, self.y + 8)
        self.y += 50

    def add_remarks(self) -> None:
        """Add the remarks."""
        for remark in (*_hull_remarks(self.sheet), *self.condition.remarks):
            text = truncate(remark, ROW_WIDTH, REMARK_SIZE)
            self._write("remark", MIDDLE, self.y + 10, text, size=REMARK_SIZE, anchor="middle")
            self.y += 15


def _hull_remarks(sheet: Sheet) -> tuple[str, ...]:
    """Describe properties of its hull that no symbol shows."""
    remarks = []
    if sheet.stealth:
        remarks.append(phrase("stealth hull {}", sheet.stealth))
    if sheet.beta:
        remarks.append(phrase("arcs turned 30° to starboard"))
    if sheet.rams:
        remarks.append(phrase("built to ram"))
    if sheet.flawed:
        remarks.append(phrase("flawed: a critical hit may destroy it"))
    if remarks:
        return (capitalize_first(join_phrases(", ", remarks)),)
    return ()


def record_sheet(
    sheet: Sheet,
    condition: Condition,
    *,
    orders: bool = True,
    core: bool = False,
    numbered: bool = False,
    address: str = "",
    start: str = "",
) -> RecordSheet:
    """Draw the record sheet of a ship.

    Args:
        orders: Whether to include boxes for orders.
        core: Whether the option for core systems is in force.
        numbered: Whether to number systems of a type as results of a battle do.
        address: Address of its page, for a QR code; "": none.
        start: Where it begins the battle, in words; "": not said.
    """
    builder = _SheetBuilder(sheet, condition, core)
    builder.add_head()
    builder.add_systems()
    builder.add_armour()
    builder.add_hull()
    builder.add_drives()
    builder.add_remarks()
    bottom = round(builder.y + 2, 1)
    below = 10.0  # the height of what is below the outline
    slots: tuple[Slot, ...] = ()
    if start:
        caption = phrase("Set-up: {}", start)
        builder.words.append(Words("cap", MARGIN, bottom + 20, caption, size=8.5))
    line = START_LINE if start else 0.0
    below += line
    if orders:
        columns, width = SLOTS_BESIDE_A_CODE if address else SLOTS_ALONE
        caption = phrase("Orders and velocity")
        builder.words.append(Words("cap", MARGIN, bottom + 20 + line, caption, size=9.5))
        slots = _order_slots(bottom + 26 + line, columns, width)
        below = 34 + line + SLOT_HEIGHT * TURNS / columns
    alt = sheet_description(sheet, condition, builder.groups)
    code = None
    if address:
        code_top = round(bottom + 20 + line, 1)
        code = code_of(address, WIDTH - 12 - CODE_SIZE, code_top, CODE_SIZE)
        below = max(below, 24 + line + CODE_SIZE)
        alt = phrase("{} {}.", alt, OPENS)
    return RecordSheet(
        height=round(bottom + below, 1),
        words=tuple(builder.words),
        systems=tuple(builder.systems),
        boxes=tuple(builder.boxes),
        thresholds=tuple(builder.thresholds),
        slots=slots,
        plate=_plate(bottom),
        fate_text=condition.fate_text,
        alt=alt,
        is_numbered=numbered,
        code=code,
    )


def _order_slots(top: float, columns: int, width: float) -> tuple[Slot, ...]:
    """Return the boxes for orders, row by row."""
    slots = []
    for number in range(TURNS):
        row, column = divmod(number, columns)
        slot = Slot(
            turn=number + 1,
            x=round(12 + column * width, 1),
            y=round(top + row * SLOT_HEIGHT, 1),
            width=width,
            height=SLOT_HEIGHT,
        )
        slots.append(slot)
    return tuple(slots)


def _plate(bottom: float) -> str:
    """Return the path of the outline of the sheet, with bevelled corners."""
    right = WIDTH - 12
    low = _format(bottom - 16)
    return (
        f"M46 44H{_format(right - 34)}L{_format(right)} 66V{low}"
        f"L{_format(right - 22)} {_format(bottom)}H34L12 {low}V66z"
    )


def sheet_description(sheet: Sheet, condition: Condition, groups: dict[str, list[Cell]]) -> str:
    """Describe the whole drawing for readers who cannot see it."""
    if condition.name and condition.name != sheet.cls:
        name = phrase("{}, {}", condition.name, sheet.cls)
    else:
        name = sheet.cls
    boxes_left = sheet.boxes - min(condition.damage, sheet.boxes)
    parts = [
        phrase(
            "{}: {}, mass {}, thrust {}, {} points",
            name,
            phrase(sheet.classification),
            sheet.mass,
            sheet.thrust,
            sheet.points,
        )
    ]
    if condition.fate_text:
        parts.append(condition.fate_text)
    row_list = join_phrases(", ", map(str, sheet.rows))
    parts.append(phrase("hull: {} of {} boxes, in rows of {}", boxes_left, sheet.boxes, row_list))
    if sheet.crew:
        crew_boxes = join_phrases(", ", map(str, sheet.crew))
        if len(sheet.crew) == 1:
            parts.append(phrase("a crew factor is lost with box {}", crew_boxes))
        else:
            parts.append(phrase("a crew factor is lost with each of boxes {}", crew_boxes))
    if sheet.armour:
        now = condition.armour or sheet.armour
        parts.append(phrase("armour {} of {}", sum(map(sum, now)), sum(map(sum, sheet.armour))))
    for group in groups.values():
        words = systems_summary(group)
        if words:
            parts.append(words)
    parts += [*_hull_remarks(sheet), *condition.remarks]
    return join_phrases(". ", map(capitalize_first, parts)) + "."
