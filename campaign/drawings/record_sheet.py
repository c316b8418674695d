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
MOST_IN_A_LINE: Final = 25  # boxes; longer rows continue in the next line
LARGEST_STEP: Final = 22.0
ARMOUR_STEP, MOST_ARMOUR_IN_A_LINE = 19.0, 18
TURNS: Final = 12  # boxes for orders
# Boxes for orders: columns, width, height. A code beside them takes two columns.
SLOTS_ALONE = (6, 62.6)
SLOTS_BESIDE_A_CODE = (4, 68.5)
SLOT_HIGH = 30.0
VELOCITY_WIDE, VELOCITY_HIGH = 20.8, 16.0  # corner of such a box for the velocity
CODE_SIZE: Final = 96.0  # 22 mm on paper with four sheets
OPENS: Final = phrase("A QR code opens the page of this ship")
RING, HALF_GAP = 14.2, 5.0  # the ring around a weapon, in the 32 units of a symbol
REMARK_SIZE: Final = 11.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box to cross out.

    Attributes:
        kind: hull, armour, regenerative or store.
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
    """A placed system: a square with its upper left corner at x, y."""

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
    wide: float
    high: float

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
        across = _n(self.wide - VELOCITY_WIDE)
        down = _n(self.high - VELOCITY_HIGH)
        corner = f"m{across} {down}h{_n(VELOCITY_WIDE)}v{_n(VELOCITY_HIGH)}h-{_n(VELOCITY_WIDE)}z"
        return (
            f"M{_n(self.x)} {_n(self.y)}h{_n(self.wide)}v{_n(self.high)}h-{_n(self.wide)}z{corner}"
        )


@dataclass(frozen=True)
class RecordSheet:
    """The drawing of a record sheet.

    Attributes:
        alt: The whole content in words.
        is_numbered: Systems of a type are numbered.
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
        stars_drawn = []
        for box in (box for box in self.boxes if box.crew_factors):
            wide = box.size / box.crew_factors
            size = round(min(wide * 0.9, box.size * 0.76), 1)
            for n in range(box.crew_factors):
                x = box.x + wide * n + (wide - size) / 2
                y = box.y + (box.size - size) / 2
                stars_drawn.append(Box("star", round(x, 1), round(y, 1), size))
        return tuple(stars_drawn)

    @property
    def stamp(self) -> tuple[float, float]:
        """Return the middle of the stamp of a ship that is gone."""
        return MIDDLE, round(self.height / 2, 1)


def _n(value: float) -> str:
    """Format a number for a path."""
    return f"{value:.1f}".removesuffix(".0")


def _stroke(box: Box) -> str:
    length = _n(box.size * 0.6)
    return f"M{_n(box.x + box.size * 0.2)} {_n(box.y + box.size * 0.8)}l{length}-{length}"


def _outline(box: Box) -> str:
    x = box.x
    y = box.y
    size = box.size
    if box.kind in SQUARE:
        return f"M{_n(x)} {_n(y)}h{_n(size)}v{_n(size)}h-{_n(size)}z"
    r = size / 2
    half_circle = f"a{_n(r)} {_n(r)} 0 1 1"
    circle = f"M{_n(x)} {_n(y + r)}{half_circle} {_n(size)} 0{half_circle}-{_n(size)} 0z"
    if box.kind == "regenerative":
        return circle + _outline(Box("armour", x + r / 2, y + r / 2, r))
    return circle


def arc_ring(arcs: tuple[str, ...], of: tuple[str, ...]) -> tuple[str, str]:
    """Return the ring around a weapon as paths: segments in which it bears, and the others."""
    paths = {True: "", False: ""}
    if not arcs:
        return "", ""
    half = 180 / len(of) - HALF_GAP
    for number, arc in enumerate(of):
        middle = 360 / len(of) * number
        (x1, y1), (x2, y2) = (
            (16 + RING * sin(radians(angle)), 16 - RING * cos(radians(angle)))
            for angle in (middle - half, middle + half)
        )
        paths[arc in arcs] += f"M{x1:.2f} {y1:.2f}A{RING} {RING} 0 0 1 {x2:.2f} {y2:.2f}"
    return paths[True], paths[False]


class _SheetBuilder:
    """Builds a sheet from the top downwards."""

    def __init__(self, sheet: Sheet, condition: Condition, core: bool) -> None:
        self.sheet, self.condition = sheet, condition
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
        rooms = [WIDTH - 2 * MARGIN - 10 - width_of(text, 12) for text in (points, figures)]
        text, size = fit_text(name, rooms[0], 18, 10)
        self.words += [
            Words("name", MARGIN, 24, text, size),
            Words("cls", MARGIN, 39, truncate(kind, rooms[1], 12), 12),
            Words("fig", WIDTH - MARGIN, 22, points, 12, "end"),
            Words("fig muted", WIDTH - MARGIN, 38, figures, 12, "end"),
        ]

    def add_systems(self) -> None:
        """Add the rows of its systems."""
        groups = self.groups
        self._rows(groups["heavy"], 6)
        self._rows(groups["light"], 6)
        self._rows(groups["holders"], 12)
        if len(groups["others"]) + len(groups["guard"]) > 8:
            self._rows(groups["others"], 9)
            self._rows(groups["guard"], 9)
        else:
            self._rows([*groups["others"], *groups["guard"]], 9)
        self.y += 2

    def _rows(self, cells: list[Cell], gap: float) -> None:
        for row in rows_of(cells, ROW_WIDTH, gap):
            x = MIDDLE - (sum(cell.width for cell in row) + gap * (len(row) - 1)) / 2
            for cell in row:
                self.add_system(cell, x, self.y)
                x += cell.width + gap
            self.y += max(cell.height for cell in row) + 6

    def add_system(self, cell: Cell, x: float, y: float) -> None:
        """Add a system, vertically centred, with its stores beside it."""
        bears, rest = arc_ring(cell.fit.arcs, self.arcs)
        turned = 30 if self.sheet.beta and bears else 0
        at_y = round(y + (cell.height - cell.size) / 2, 1)
        self.systems.append(
            PlacedSystem(
                cell, round(x, 1), at_y, symbol_of(cell.fit, self.sheet), bears, rest, turned
            )
        )
        top = y + (cell.height - cell.stores_height) / 2
        for store, word in zip(cell.stores, cell.store_words, strict=True):
            self._add_store(store, word, round(x + cell.size + 4, 1), round(top, 1), cell.is_lost)
            top += store.height

    def _add_store(self, store: Store, word: str, x: float, y: float, out: bool) -> None:
        """Add boxes (or a number) for one kind of contents, with its label below."""
        if store.is_number_only:
            if store.amount is None:
                amount = store.full
            else:
                amount = store.amount
            if amount < store.full:
                amount_text = phrase("{} of {}", amount, store.full)
            else:
                amount_text = f"× {store.full}"
            self.words.append(Words("store", x, y + 9, amount_text, WORDS_SIZE))
        for n in range(0 if store.is_number_only else store.full):
            line, column = divmod(n, PIPS_A_LINE)
            is_empty = store.amount is not None and n >= store.amount
            self.boxes.append(
                Box("store", x + column * STEP, y + 1 + line * STEP, PIP, is_empty or out)
            )
        if word:
            self.words.append(Words("store", x, y + 1 + store.lines * STEP + 8, word, WORDS_SIZE))

    def add_armour(self) -> None:
        """Add the layers of its armour, outermost on top, in the order in which they are hit."""
        full = self.sheet.armour
        now = self.condition.armour
        for layer in reversed(range(len(full))):
            (standard, regenerative), layer_left = (
                full[layer],
                now[layer] if layer < len(now) else full[layer],
            )
            kinds = [("armour", n >= layer_left[0]) for n in range(standard)]
            kinds += [("regenerative", n >= layer_left[1]) for n in range(regenerative)]
            for first in range(0, len(kinds), MOST_ARMOUR_IN_A_LINE):
                line = kinds[first : first + MOST_ARMOUR_IN_A_LINE]
                x = MIDDLE - len(line) * ARMOUR_STEP / 2 + 2.5
                for n, (kind, off) in enumerate(line):
                    self.boxes.append(Box(kind, round(x + n * ARMOUR_STEP, 1), self.y + 1, 14, off))
                self.y += ARMOUR_STEP + 2

    def add_hull(self) -> None:
        """Add the damage track: its rows, crew stars, and the threshold at the end of each row."""
        sheet = self.sheet
        damage = self.condition.damage
        n = 0
        longest = min(MOST_IN_A_LINE, max(sheet.rows, default=1) or 1)
        step = round(min(LARGEST_STEP, TRACK / longest), 1)
        size = round(step - (4 if step > 16 else 3), 1)
        x0 = round(MIDDLE - longest * step / 2 - 14, 1)
        ends = dict(profile_of(sheet).row_ends)
        for boxes in sheet.rows:
            if not boxes:
                continue
            for k in range(boxes):
                line, column = divmod(k, MOST_IN_A_LINE)
                n += 1
                x = round(x0 + column * step, 1)
                y = round(self.y + line * step, 1)
                self.boxes.append(Box("hull", x, y, size, n <= damage, sheet.crew.count(n)))
            self.y += ((boxes - 1) // MOST_IN_A_LINE) * step
            if n in ends:
                die = ends[n]
                text = str(die) if die == 6 else f"{die}+"
                top = round(self.y + size / 2 - 8, 1)
                self.thresholds.append(
                    Threshold(round(x0 + longest * step + 8, 1), top, text, damage >= n)
                )
            self.y += max(step, 18.0) if n in ends else step
        self.y = round(self.y + 6, 1)

    def add_drives(self) -> None:
        """Add FTL drive, main drive and core systems."""
        drives = self.groups["drives"]
        core = self.groups["core"]
        notes = []
        for cell in drives:
            notes.append(
                phrase("thrust {}", self.sheet.thrust // 2)
                if cell.fit.type == "drive" and 0 < cell.hits < cell.most_hits
                else ""
            )
        if not drives and not core:
            return
        wide = sum(cell.size for cell in drives) + 18 * max(0, len(drives) - 1)
        x = MIDDLE - wide / 2 - (62 if core else 0)
        for cell, note in zip(drives, notes, strict=True):
            self.add_system(cell, x, self.y + (46 - cell.size) / 2)
            x += cell.size + 18
            if note:
                self.words.append(Words("cls", x - 14, self.y + 27, note, 12))
        for n, cell in enumerate(core):
            self.add_system(cell, WIDTH - 140 + n * 36, self.y + 8)
        self.y += 50

    def add_remarks(self) -> None:
        """Add the remarks."""
        for remark in (*_marks(self.sheet), *self.condition.remarks):
            self.words.append(
                Words(
                    "remark",
                    MIDDLE,
                    self.y + 10,
                    truncate(remark, ROW_WIDTH, REMARK_SIZE),
                    REMARK_SIZE,
                    "middle",
                )
            )
            self.y += 15


def _marks(sheet: Sheet) -> tuple[str, ...]:
    """Describe properties of its hull that no symbol shows."""
    marks = [phrase("stealth hull {}", sheet.stealth)] if sheet.stealth else []
    marks += [phrase("arcs turned 30° to starboard")] if sheet.beta else []
    marks += [phrase("built to ram")] if sheet.rams else []
    marks += [phrase("flawed: a critical hit may destroy it")] if sheet.flawed else []
    if marks:
        return (capitalize_first(join_phrases(", ", marks)),)
    return ()


def record_sheet(
    sheet: Sheet,
    condition: Condition,
    *,
    orders: bool = True,
    core: bool = False,
    numbered: bool = False,
    address: str = "",
) -> RecordSheet:
    """Draw the record sheet of a ship.

    Args:
        orders: Include boxes for orders.
        core: Core systems are in force.
        numbered: Number systems of a type as results of a battle do.
        address: Address of its page, for a code.
    """
    builder = _SheetBuilder(sheet, condition, core)
    builder.add_head()
    builder.add_systems()
    builder.add_armour()
    builder.add_hull()
    builder.add_drives()
    builder.add_remarks()
    bottom = round(builder.y + 2, 1)
    slots: list[Slot] = []
    (columns, wide), below = SLOTS_BESIDE_A_CODE if address else SLOTS_ALONE, 10.0
    if orders:
        builder.words.append(Words("cap", MARGIN, bottom + 20, phrase("Orders and velocity"), 9.5))
        slots = []
        for turn in range(TURNS):
            slots.append(
                Slot(
                    turn + 1,
                    round(12 + turn % columns * wide, 1),
                    round(bottom + 26 + turn // columns * SLOT_HIGH, 1),
                    wide,
                    SLOT_HIGH,
                )
            )
        below = 34 + SLOT_HIGH * TURNS / columns
    code = (
        code_of(address, WIDTH - 12 - CODE_SIZE, round(bottom + 20, 1), CODE_SIZE)
        if address
        else None
    )
    if code is not None:
        below = max(below, 24 + CODE_SIZE)
    alt = sheet_description(sheet, condition, builder.groups)
    right = WIDTH - 12
    low = _n(bottom - 16)
    plate = (
        f"M46 44H{_n(right - 34)}L{_n(right)} 66V{low}"
        f"L{_n(right - 22)} {_n(bottom)}H34L12 {low}V66z"
    )
    return RecordSheet(
        height=round(bottom + below, 1),
        words=tuple(builder.words),
        systems=tuple(builder.systems),
        boxes=tuple(builder.boxes),
        thresholds=tuple(builder.thresholds),
        slots=tuple(slots),
        plate=plate,
        fate_text=condition.fate_text,
        alt=alt if code is None else phrase("{} {}.", alt, OPENS),
        is_numbered=numbered,
        code=code,
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
    parts += [condition.fate_text] if condition.fate_text else []
    parts.append(
        phrase(
            "hull: {} of {} boxes, in rows of {}",
            boxes_left,
            sheet.boxes,
            join_phrases(", ", map(str, sheet.rows)),
        )
    )
    if sheet.crew:
        parts.append(
            phrase("a crew factor is lost with boxes {}", join_phrases(", ", map(str, sheet.crew)))
        )
    if sheet.armour:
        now = condition.armour or sheet.armour
        parts.append(phrase("armour {} of {}", sum(map(sum, now)), sum(map(sum, sheet.armour))))
    parts += [words for group in groups.values() if (words := systems_summary(group))]
    return (
        join_phrases(
            ". ", (capitalize_first(part) for part in (*parts, *_marks(sheet), *condition.remarks))
        )
        + "."
    )
