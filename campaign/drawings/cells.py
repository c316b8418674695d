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
from engine.english import join_names, kind_words, system_words, times_words
from engine.ship_profiles import full_contents, profile_of
from engine.weapons.registry import weapon_of
from engine.weapons.weapon import Trait

HEAVY, LIGHT, HOLDER, OTHER = (
    46.0,
    38.0,
    40.0,
    30.0,
)  # sizes of symbols, in units of a sheet 400 wide
PIP, STEP, LINE = 8.0, 10.0, 22.0  # a box of a store, the distance between boxes, between lines
MOST_PIPS, PIPS_A_LINE = 24, 12  # more are shown as a number
WORDS_SIZE, MOST_WORDS = 9.0, 96.0
ONE_DIE = 1

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
LEAN: Final = {"FP": -1, "AP": -1, "P": -1, "FS": 1, "AS": 1, "S": 1}


@dataclass(frozen=True, slots=True)
class Store:
    """A line of boxes for the contents of a system.

    Attributes:
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
        return self.full > MOST_PIPS

    @property
    def lines(self) -> int:
        """Return the number of lines of boxes."""
        if self.is_number_only:
            return 1
        return -(-self.full // PIPS_A_LINE)

    @property
    def height(self) -> float:
        """Return its height."""
        return LINE + STEP * (self.lines - 1) - (0.0 if self.word else WORDS_SIZE)


UNKNOWN: Final = Store("?", 0, None)


@dataclass(frozen=True, slots=True)
class Cell:
    """A system with its size.

    Attributes:
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
        boxes = max(
            min(store.full, PIPS_A_LINE) * STEP if not store.is_number_only else 52.0
            for store in self.stores
        )
        return 4.0 + max(boxes, *(width_of(word, WORDS_SIZE) for word in self.store_words))

    @property
    def store_words(self) -> tuple[str, ...]:
        """Return the label below each line of boxes."""
        return tuple(truncate(store.word, MOST_WORDS, WORDS_SIZE) for store in self.stores)

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
        fit = self.fit
        parts = [phrase("class {}", fit.size)] if fit.size and fit.type not in DRIVES else []
        parts += [phrase(fit.variant)] if fit.variant else []
        parts += [" ".join(fit.arcs)] if fit.arcs and not all_round(fit) else []
        parts += [phrase("in {}", system_words(self.fit.turret))] if self.fit.turret else []
        parts += [phrase("fed by {}", system_words(self.fit.magazine))] if self.fit.magazine else []
        parts += [store.words for store in self.stores]
        if self.is_lost:
            parts.append(phrase("lost"))
        elif self.hits:
            parts.append(phrase("halved"))
        elif self.is_used_up:
            parts.append(phrase("used up"))
        return join_phrases(
            ": ", (part for part in (system_words(fit.id), join_phrases(", ", parts)) if part)
        )


def all_round(fit: Fit) -> bool:
    """Return whether it bears in all arcs of its edition."""
    return len(fit.arcs) >= 6 or set(fit.arcs) >= {"F", "S", "A", "P"}


def name_of(fit: Fit) -> str:
    """Return a system's name with its class or letter: beam 3, battery A, hangar."""
    if fit.size and fit.type not in DRIVES:
        number = str(fit.size)
    else:
        number = ""
    parts = (system_words(fit.type), phrase(fit.variant) if fit.variant else "", number)
    words = join_phrases(" ", (part for part in parts if part))
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
    several = {type_: len(places) > 1 for type_, places in profile.indexes_by_type.items()}
    for place, fit in enumerate(sheet.fits):
        group, size = _group(sheet, fit, bool(profile.craft[place]))
        if group == "core" and not core:
            continue
        most_hits = profile.undamaged[place]
        groups[group].append(_cell(sheet, fit, size, condition, most_hits, several))
    groups["heavy"].sort(key=lambda cell: -_strength(sheet, cell.fit))
    groups["others"].sort(
        key=lambda cell: FIRST.index(cell.fit.type) if cell.fit.type in FIRST else len(FIRST)
    )
    groups["guard"].sort(
        key=lambda cell: (cell.fit.type not in GUIDES, profile.indexes_by_type[cell.fit.type])
    )
    groups["drives"].sort(key=lambda cell: cell.fit.type == "drive")
    return groups


def _group(sheet: Sheet, fit: Fit, bay: bool) -> tuple[str, float]:
    """Return the group of a system and the size of its symbol.

    Args:
        bay: The system is a bay for craft.
    """
    if fit.type in DRIVES:
        return "drives", HEAVY if fit.type == "drive" else HOLDER
    if fit.type in CORE:
        return "core", OTHER
    if fit.offensive:
        light = fit.expendable or _strength(sheet, fit) == ONE_DIE
        if light:
            return ("light", LIGHT)
        return ("heavy", HEAVY)
    weapon = weapon_of(sheet.edition, fit.type)
    if fit.type in GUIDES or weapon.guard is not None or Trait.ANTI_FIGHTER in weapon.traits:
        return "guard", OTHER
    if bay or any(most > 1 for most in full_contents(fit, sheet.edition).values()):
        return "holders", HOLDER
    return "others", OTHER


def _strength(sheet: Sheet, fit: Fit) -> int:
    """Return the class of a weapon, or its dice at close range, or else that of a heavy one."""
    if fit.size:
        return fit.size
    dice = weapon_of(sheet.edition, fit.type).beam_dice
    if dice:
        return dice[fit.variant][0]
    return 2


def _cell(
    sheet: Sheet,
    fit: Fit,
    size: float,
    condition: Condition,
    most_hits: int,
    several: dict[str, bool],
) -> Cell:
    shut = fit.id in condition.unknown_stores
    most_by_store = {} if shut else full_contents(fit, sheet.edition)
    stores = (UNKNOWN,) if shut else _stores(fit, most_by_store, condition)
    nothing = (
        condition.stock is not None
        and bool(most_by_store)
        and not any(condition.stores.get(name, 0) for name in most_by_store)
    )
    return Cell(
        fit=fit,
        size=size,
        hits=min(condition.hits[fit.id], most_hits),
        most_hits=most_hits,
        number=_number(sheet, fit),
        badge=_badge(fit, several),
        ordinal=fit.id.rpartition("-")[2] if several[fit.type] else "",
        stores=stores if shut or any(store.full > 1 for store in stores) else (),
        is_used_up=nothing,
    )


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


def _badge(fit: Fit, several: dict[str, bool]) -> str:
    """Return the turret of a weapon, or the magazine that feeds it if there are several."""
    for id_, letter in ((fit.turret, "T"), (fit.magazine, "M")):
        type_, _, number = id_.rpartition("-")
        if id_ and (letter == "T" or several.get(type_)):
            return f"{letter}{number}"
    if fit.type in ("turret", "magazine") and several.get(fit.type):
        return f"{'T' if fit.type == 'turret' else 'M'}{fit.id.rpartition('-')[2]}"
    return ""


def rows_of(cells: Sequence[Cell], max_width: float, gap: float) -> list[list[Cell]]:
    """Arrange cells in as few rows as fit, about equally long; port before starboard in each."""
    rows = _pack_rows(cells, max_width, gap)
    row_length = -(-len(cells) // len(rows)) if rows else 0
    even = (
        [list(cells[first : first + row_length]) for first in range(0, len(cells), row_length)]
        if row_length
        else []
    )
    if len(even) == len(rows) and all(_wide(row, gap) <= max_width for row in even):
        rows = even
    return [sorted(row, key=lambda cell: (cell.lean > 0) - (cell.lean < 0)) for row in rows]


def _pack_rows(cells: Iterable[Cell], max_width: float, gap: float) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for cell in cells:
        if rows and _wide((*rows[-1], cell), gap) <= max_width:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    return rows


def _wide(row: Sequence[Cell], gap: float) -> float:
    return sum(cell.width for cell in row) + gap * (len(row) - 1)


def systems_summary(cells: Iterable[Cell]) -> str:
    """Describe systems, equal ones together: `2 × beam 3 (FP F FS), 1 of them lost`."""
    together: dict[str, list[Cell]] = {}
    for cell in cells:
        name = name_of(cell.fit)
        arcs = " ".join(cell.fit.arcs)
        if arcs and not all_round(cell.fit):
            words = phrase("{} ({})", name, arcs)
        else:
            words = name
        together.setdefault(words, []).append(cell)
    parts = []
    for name, same_cells in together.items():
        lost_count = sum(cell.is_lost for cell in same_cells)
        count = len(same_cells)
        words = times_words(count, name)
        if lost_count:
            if lost_count == count:
                words = phrase("{}, lost", words)
            else:
                words = phrase("{}, {} of them lost", words, lost_count)
        elif same_cells[0].hits:
            words = phrase("{}, halved", words)
        stores = []
        for cell in same_cells:
            for store in cell.stores:
                stores.append(store.words)
        parts.append(phrase("{} with {}", words, join_names(stores)) if stores else words)
    return join_phrases("; ", parts)
