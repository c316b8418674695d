"""The systems of a ship in the order, size and grouping of its record sheet, before placement.

Weapons come first, heavy before light, port at the left and starboard at the right; then bays and
stores, screens and other systems, and point defence. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from campaign.drawings.condition import Condition
from campaign.drawings.lettering import truncate, width_of
from campaign.drawings.symbols import EMPTY
from engine.core.phrase import join_phrases, phrase
from engine.core.sheet import Fit, Sheet
from engine.design.mass_pricing import CORE
from engine.english import join_names, kind_words, model_words, system_words, times_words
from engine.ship_profiles import full_contents, profile_of
from engine.weapons.registry import weapon_of
from engine.weapons.weapon import Trait

# Sizes of symbols, in units of a sheet 400 wide.
HEAVY = 46.0
LIGHT = 38.0
HOLDER = 40.0
OTHER = 30.0
PIP = 8.0  # the size of a box of a store
STEP = 10.0  # between boxes
LINE = 22.0  # between lines of boxes
MAX_PIPS = 24  # more are shown as a number
PIPS_A_LINE = 12
WORDS_SIZE = 9.0
MAX_WORDS = 96.0  # the width of a label
NUMBER_WIDTH = 52.0  # of a store that is shown as a number
ONE_DIE = 1
# The size of the symbols of each group; the main drive is as large as a heavy weapon.
SIZES: Final = {
    "heavy": HEAVY,
    "light": LIGHT,
    "holders": HOLDER,
    "others": OTHER,
    "guard": OTHER,
    "drives": HOLDER,
    "core": OTHER,
}

DRIVES: Final = ("drive", "ftl")
# The order of systems that are neither weapon, store nor drive; unlisted ones follow.
FIRST: Final = (
    *(
        "screen",
        "advanced-screen",
        "area-screen",
        "advanced-area-screen",
        "stealth-field",
        "holofield",
        "reflex-field",
    ),
    *(
        "shroud",
        "cloaking-device",
        "cloaking-field",
        "tuffley-cloak",
        "ecm",
        "area-ecm",
        "firecon",
        "advanced-firecon",
    ),
)
GUIDES: Final = ("adfc", "advanced-adfc")  # fire control for point defence
BADGE_LETTERS: Final = {"turret": "T", "magazine": "M"}
# By arc: -1 to port, 1 to starboard.
LEAN: Final = {"FP": -1, "AP": -1, "P": -1, "FS": 1, "AS": 1, "S": 1}


@dataclass(frozen=True, slots=True)
class Store:
    """A line of boxes for the contents of a system.

    Attributes:
        word: What it holds, as the label below the boxes.
        full: 0 if it is unknown what was loaded.
        amount: What is left; None if unknown.
    """

    word: str
    full: int
    amount: int | None

    @property
    def words(self) -> str:
        """Describe the contents."""
        if not self.full:
            return phrase("unknown load")
        if self.amount is None:
            amount_text = str(self.full)
        else:
            amount_text = phrase("{} of {}", self.amount, self.full)
        if self.word:
            return join_phrases(" ", (amount_text, self.word))
        return amount_text

    @property
    def is_number_only(self) -> bool:
        """Return whether there are too many for boxes."""
        return self.full > MAX_PIPS

    @property
    def lines(self) -> int:
        """Return the number of lines of boxes."""
        if self.is_number_only:
            return 1
        return -(-self.full // PIPS_A_LINE)

    @property
    def width(self) -> float:
        """Return the width of its boxes, or of its number."""
        if self.is_number_only:
            return NUMBER_WIDTH
        return min(self.full, PIPS_A_LINE) * STEP

    @property
    def height(self) -> float:
        """Return its height."""
        return LINE + STEP * (self.lines - 1) - (0.0 if self.word else WORDS_SIZE)


UNKNOWN: Final = Store("?", 0, None)


@dataclass(frozen=True, slots=True)
class Cell:
    """A system with its size.

    Attributes:
        size: The width and height of its symbol.
        hits: How often it was hit.
        most_hits: Hits that put it out of action.
        number: Shown in or at its symbol.
        badge: The turret or magazine that it belongs to.
        ordinal: Its number among systems of its type, as used in results of a battle.
        is_used_up: Its contents are gone.
    """

    fit: Fit
    size: float
    hits: int
    most_hits: int
    number: str
    badge: str
    ordinal: str
    stores: tuple[Store, ...]
    is_used_up: bool

    @property
    def is_lost(self) -> bool:
        """Return whether it is lost."""
        return self.hits >= self.most_hits

    @property
    def is_centred(self) -> bool:
        """Return whether its number is in the middle of the symbol."""
        return self.fit.type in EMPTY

    @property
    def stores_width(self) -> float:
        """Return the width of its stores beside the symbol."""
        if not self.stores:
            return 0.0
        widths = [store.width for store in self.stores]
        widths += [width_of(word, WORDS_SIZE) for word in self.store_words]
        return 4.0 + max(widths)

    @property
    def store_words(self) -> tuple[str, ...]:
        """Return the label below each line of boxes."""
        return tuple(truncate(store.word, MAX_WORDS, WORDS_SIZE) for store in self.stores)

    @property
    def width(self) -> float:
        """Return its total width."""
        return self.size + self.stores_width

    @property
    def height(self) -> float:
        """Return its total height."""
        return max(self.size, self.stores_height)

    @property
    def stores_height(self) -> float:
        """Return the height of its stores."""
        return sum(store.height for store in self.stores)

    @property
    def lean(self) -> int:
        """Return a number below 0 if it bears to port, above 0 if to starboard."""
        return sum(LEAN.get(arc, 0) for arc in self.fit.arcs)

    @property
    def words(self) -> str:
        """Describe the system and its condition as logs do: `battery 1: A, P F S, lost`."""
        parts = _fit_parts(self.fit)
        parts += [store.words for store in self.stores]
        if self.is_lost:
            parts.append(phrase("lost"))
        elif self.hits:
            parts.append(phrase("halved"))
        elif self.is_used_up:
            parts.append(phrase("used up"))
        name = system_words(self.fit.id)
        if not parts:
            return join_phrases(": ", (name,))
        return join_phrases(": ", (name, join_phrases(", ", parts)))


def _fit_parts(fit: Fit) -> list[str]:
    """Return what is fixed about a system: class, variant, arcs, turret, magazine."""
    parts = []
    if fit.size and fit.type not in DRIVES:
        parts.append(phrase("class {}", fit.size))
    if fit.variant:
        parts.append(phrase(fit.variant))
    if fit.arcs and not all_round(fit):
        parts.append(" ".join(fit.arcs))
    if fit.turret:
        parts.append(phrase("in {}", system_words(fit.turret)))
    if fit.magazine:
        parts.append(phrase("fed by {}", system_words(fit.magazine)))
    return parts


def all_round(fit: Fit) -> bool:
    """Return whether it bears in all arcs of its edition."""
    return len(fit.arcs) >= 6 or set(fit.arcs) >= {"F", "S", "A", "P"}


def name_of(fit: Fit) -> str:
    """Return a system's name with its class or letter: beam 3, A battery, hangar."""
    parts = [model_words(fit.type, fit.variant)]
    if fit.size and fit.type not in DRIVES:
        parts.append(str(fit.size))
    words = join_phrases(" ", parts)
    if fit.flags and not fit.load:
        return phrase("{} with {}", words, join_names(fit.flags))
    return words


def cells_of(sheet: Sheet, condition: Condition, *, core: bool) -> dict[str, list[Cell]]:
    """Return the systems of a ship in drawing groups, each once.

    The groups are heavy, light, holders, others, guard, drives and core.

    Args:
        core: Whether core systems are in force; otherwise they are left out.
    """
    groups: dict[str, list[Cell]] = {
        group: [] for group in ("heavy", "light", "holders", "others", "guard", "drives", "core")
    }
    profile = profile_of(sheet)
    for index, fit in enumerate(sheet.fits):
        group = _group(sheet, fit, is_bay=bool(profile.craft[index]))
        if group == "core" and not core:
            continue
        size = HEAVY if fit.type == "drive" else SIZES[group]
        most_hits = profile.undamaged[index]
        groups[group].append(_cell(sheet, fit, condition, size=size, most_hits=most_hits))
    groups["heavy"].sort(key=lambda cell: -_strength(sheet, cell.fit))
    groups["others"].sort(
        key=lambda cell: FIRST.index(cell.fit.type) if cell.fit.type in FIRST else len(FIRST)
    )
    groups["guard"].sort(
        key=lambda cell: (cell.fit.type not in GUIDES, profile.indexes_by_type[cell.fit.type])
    )
    groups["drives"].sort(key=lambda cell: cell.fit.type == "drive")
    return groups


def _group(sheet: Sheet, fit: Fit, *, is_bay: bool) -> str:
    """Return the group of a system.

    Args:
        is_bay: Whether the system is a bay for craft.
    """
    if fit.type in DRIVES:
        return "drives"
    if fit.type in CORE:
        return "core"
    if fit.offensive:
        is_light = fit.expendable or _strength(sheet, fit) == ONE_DIE
        return "light" if is_light else "heavy"
    if _is_point_defence(sheet, fit):
        return "guard"
    holds_several = any(most > 1 for most in full_contents(fit, sheet.edition).values())
    if is_bay or holds_several:
        return "holders"
    return "others"


def _is_point_defence(sheet: Sheet, fit: Fit) -> bool:
    """Return whether a system fires at craft and ordnance, or guides such fire."""
    weapon = weapon_of(sheet.edition, fit.type)
    return fit.type in GUIDES or weapon.guard is not None or Trait.ANTI_FIGHTER in weapon.traits


def _strength(sheet: Sheet, fit: Fit) -> int:
    """Return the class of a weapon, or its dice at close range, or else that of a heavy one."""
    if fit.size:
        return fit.size
    dice = weapon_of(sheet.edition, fit.type).beam_dice
    if dice:
        return dice[fit.variant][0]
    return 2


def _cell(sheet: Sheet, fit: Fit, condition: Condition, *, size: float, most_hits: int) -> Cell:
    """Return the cell of a system in its present condition."""
    is_unknown = fit.id in condition.unknown_stores
    most_by_store: dict[str, int] = {}
    stores: tuple[Store, ...] = (UNKNOWN,)
    if not is_unknown:
        most_by_store = full_contents(fit, sheet.edition)
        stores = _stores(fit, most_by_store, condition)
    is_used_up = False
    if condition.stock is not None and most_by_store:
        is_used_up = not any(condition.stores.get(name, 0) for name in most_by_store)
    shows_stores = is_unknown or any(store.full > 1 for store in stores)
    return Cell(
        fit=fit,
        size=size,
        hits=min(condition.hits[fit.id], most_hits),
        most_hits=most_hits,
        number=_number(sheet, fit),
        badge=_badge(sheet, fit),
        ordinal=fit.id.rpartition("-")[2] if _has_several(sheet, fit.type) else "",
        stores=stores if shows_stores else (),
        is_used_up=is_used_up,
    )


def _has_several(sheet: Sheet, type_: str) -> bool:
    """Return whether a ship has more than one system of a type."""
    return len(profile_of(sheet).indexes_by_type.get(type_, ())) > 1


def _stores(fit: Fit, most_by_store: dict[str, int], condition: Condition) -> tuple[Store, ...]:
    """Return a system's contents, one line per kind: craft, rounds, mines, packs."""
    stores = []
    kinds = dict(fit.load)
    for name, full in most_by_store.items():
        if "/" in name:
            kind = [name.partition("/")[2]]
        else:
            kind = [*fit.flags, *list(kinds)[:1]]
        amount = None if condition.stock is None else condition.stores.get(name, 0)
        stores.append(Store(join_phrases(" ", map(kind_words, kind)), full, amount))
    return tuple(stores)


def _number(sheet: Sheet, fit: Fit) -> str:
    """Return the number or letter at a symbol."""
    if fit.type == "drive":
        return str(sheet.thrust)
    if fit.type == "ftl":
        return ""
    if len(fit.variant) == 1:
        return fit.variant
    if fit.size:
        return str(fit.size)
    return ""


def _badge(sheet: Sheet, fit: Fit) -> str:
    """Return the turret of a weapon (T1), or the magazine that feeds it if there are several (M1).

    Turrets and magazines themselves have such a badge if there are several.
    """
    if fit.turret:
        return f"T{fit.turret.rpartition('-')[2]}"
    if fit.magazine:
        type_, _, number = fit.magazine.rpartition("-")
        if _has_several(sheet, type_):
            return f"M{number}"
    if fit.type in BADGE_LETTERS and _has_several(sheet, fit.type):
        return f"{BADGE_LETTERS[fit.type]}{fit.id.rpartition('-')[2]}"
    return ""


def rows_of(cells: Sequence[Cell], max_width: float, gap: float) -> list[list[Cell]]:
    """Arrange cells in as few rows as fit, about equally long; port before starboard in each."""
    rows = _pack_rows(cells, max_width, gap)
    if not rows:
        return []
    row_length = -(-len(cells) // len(rows))
    even_rows = []
    for first in range(0, len(cells), row_length):
        even_rows.append(list(cells[first : first + row_length]))
    if len(even_rows) == len(rows) and all(row_width(row, gap) <= max_width for row in even_rows):
        rows = even_rows
    return [sorted(row, key=_side) for row in rows]


def _side(cell: Cell) -> int:
    """Return -1 for a system that bears to port, 1 to starboard, else 0."""
    return (cell.lean > 0) - (cell.lean < 0)


def _pack_rows(cells: Iterable[Cell], max_width: float, gap: float) -> list[list[Cell]]:
    """Fill one row after the other."""
    rows: list[list[Cell]] = []
    for cell in cells:
        if rows and row_width((*rows[-1], cell), gap) <= max_width:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return rows


def row_width(row: Sequence[Cell], gap: float) -> float:
    """Return the width of a row of cells."""
    return sum(cell.width for cell in row) + gap * (len(row) - 1)


def systems_summary(cells: Iterable[Cell]) -> str:
    """Describe systems, equal ones together: `2 × beam 3 (FP F FS), 1 of them lost`."""
    cells_by_name: dict[str, list[Cell]] = {}
    for cell in cells:
        name = name_of(cell.fit)
        if cell.fit.arcs and not all_round(cell.fit):
            name = phrase("{} ({})", name, " ".join(cell.fit.arcs))
        cells_by_name.setdefault(name, []).append(cell)
    parts = []
    for name, same_cells in cells_by_name.items():
        words = _equal_systems_text(name, same_cells)
        stores = []
        for cell in same_cells:
            stores += [store.words for store in cell.stores]
        if stores:
            words = phrase("{} with {}", words, join_names(stores))
        parts.append(words)
    return join_phrases("; ", parts)


def _equal_systems_text(name: str, cells: Sequence[Cell]) -> str:
    """Return how many systems of a name there are, and how many of them are lost."""
    count = len(cells)
    lost_count = sum(cell.is_lost for cell in cells)
    words = times_words(count, name)
    if lost_count == count:
        return phrase("{}, lost", words)
    if lost_count:
        return phrase("{}, {} of them lost", words, lost_count)
    if cells[0].hits:
        return phrase("{}, halved", words)
    return words
