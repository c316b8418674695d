"""The options of the fields of a scenario's form: what a file has, and what the rules offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from campaign.rules.battle_builder import MENUS
from campaign.rules.battle_rows import fighter_types, ship_choices
from campaign.rules.choice_rows import ENTRY, HEX, NAMED, OWN_BASE
from campaign.rules.files import available_sheets, fixture_bases, fixture_navies
from campaign.rules.forces import proposed_names
from campaign.rules.form_fields import Of
from campaign.rules.scenario_drafts import check_draft
from campaign.rules.scenario_editing import GROUPS, Document, rows_of
from campaign.rules.scenario_menus import (
    ALL_SHIPS,
    CHOICE_LABELS,
    CHOICES,
    EMPTY_LABELS,
    MENU_LABELS,
)
from campaign.rules.scenario_set_up import MANNERS
from campaign.rules.station_rows import gate_choices
from campaign.web.agreement_forms import restriction_choices
from engine.core.edition import EDITIONS
from engine.core.kinds import INSTALLATION
from engine.core.phrase import Count, phrase
from engine.craft.roles import CHOICES as CHOICES_OF_ROLES
from engine.design.techbase import technologies_under
from engine.english import kind_words
from engine.notation.terms import MAX_COUNT, ROLL
from engine.pieces.asteroid import ADDED
from engine.ruleset import rules_of

WITHOUT_TERRAIN_RULES = ("asteroids", "asteroid")  # what editions without terrain have
LAST_TURN = 30  # of battles that say nothing else
MAX_COURSE = 12  # of the clock
Option = tuple[str, str]  # value, label


class FormMenus:
    """The options of the fields of a page, each kind read once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._options: dict[Of, tuple[Option, ...]] = {}

    def options(self, of: Of) -> tuple[Option, ...]:
        """Return the options of a field by their kind; those of selects begin with an empty one."""
        if of not in self._options:
            self._options[of] = tuple(_options(of, self._document))
        return self._options[of]


def _options(of: Of, document: Document) -> Iterable[Option]:
    """Return the options of a field by their kind."""
    if of == "restrictions":
        return restriction_choices(str(document.get("edition")))
    if of == "editions":
        return [(edition.value, edition.label) for edition in EDITIONS]
    if of == "fleet-limits":
        return list(MENUS[of].items())
    return [("", EMPTY_LABELS.get(of, "-")), *_menu(of, document)]


def _menu(of: Of, document: Document) -> Iterable[Option]:
    """Return the options of a select after the empty one."""
    reader = _MENUS.get(of)
    if reader is not None:
        return reader(document)
    if of in CHOICES:
        labels = {**CHOICE_LABELS, **MENU_LABELS.get(of, {})}
        return [(value, labels.get(value, value)) for value in CHOICES[of]]
    if of in MENUS:
        return list(MENUS[of].items())
    return named_rows(of, document)


def _manners(_document: Document) -> Iterable[Option]:
    """Return the ways in which sides may set up."""
    return [(value, phrase(label)) for value, label in MANNERS.items()]


def _ship_kinds(document: Document) -> Iterable[Option]:
    """Return all classifications and all classes of the document's edition."""
    classes = [(sheet.cls, phrase(sheet.cls)) for sheet in available_sheets(document)]
    return [*ALL_SHIPS.items(), (NAMED, phrase("ships with these names")), *classes]


def _classes(document: Document) -> Iterable[Option]:
    """Return the classes of the document's edition, with what they cost."""
    for sheet in available_sheets(document):
        yield (
            sheet.cls,
            phrase("{} ({points:point})", phrase(sheet.cls), points=Count(sheet.points)),
        )


def _places(document: Document) -> Iterable[Option]:
    """Return where fleets can be placed: the faction's entry, a system, or any hex."""
    return [
        (ENTRY, phrase("where the faction enters the map")),
        *named_rows("systems", document),
        (HEX, phrase("in another hex")),
    ]


def _budgets(document: Document) -> Iterable[Option]:
    """Return the budgets of all factions, and those for the defence of systems."""
    systems = dict(named_rows("systems", document))
    options: dict[str, str] = {}
    for placed in rows_of(document, GROUPS["budgets"]):
        key = str(placed.row.get("key") or "")
        options[key] = key
    for placed in rows_of(document, GROUPS["defences"]):
        key = str(placed.row.get("system") or "")
        options.setdefault(key, phrase("defence of {}", systems.get(key, key)))
    return [(key, label) for key, label in options.items() if key]


def _tech_bases(_document: Document) -> Iterable[Option]:
    """Return the bundled tech bases, and the choice of technologies in the form."""
    names = []
    for key, base in fixture_bases().items():
        names.append((key, str(base.get("name") or key)))
    return [*names, (OWN_BASE, phrase("technologies chosen below"))]


def _technologies(document: Document) -> Iterable[Option]:
    """Return the technologies that a tech base may choose, with what they cost."""
    for row in technologies_under(_option_names(document)):
        if not row.free:
            yield row.id, phrase("{} ({choices:choice})", row.title, choices=Count(row.choices))


def _option_names(document: Document) -> list[str]:
    """Return the options of the document; none if they are malformed."""
    options = document.get("options")
    return [str(name) for name in options] if isinstance(options, list) else []


def _navies(_document: Document) -> Iterable[Option]:
    """Return the lists of class names."""
    return [(navy.id, phrase(navy.name)) for navy in fixture_navies()]


def goods_options(document: Document) -> Iterable[Option]:
    """Return the names of the document's goods."""
    return [(name, name) for name in document.get("goods") or ()]


def _objectives(document: Document) -> Iterable[Option]:
    """Yield the objectives of all factions by key, such as `esu/sink`."""
    powers = dict(named_rows("factions", document))
    for placed in rows_of(document, GROUPS["objectives"]):
        faction = str(placed.row.get("faction"))
        kind = placed.row.get("kind")
        id_ = placed.row.get("id")
        if not id_:
            continue
        title = CHOICE_LABELS.get(str(kind), str(kind))
        if id_ != kind:
            title = phrase("{} ({})", title, id_)
        yield f"{faction}/{id_}", phrase("{}: {}", powers.get(faction, faction), title)


def _station_classes(document: Document) -> Iterable[Option]:
    """Yield the installations of the document's edition."""
    for sheet in available_sheets(document):
        if sheet.classification == INSTALLATION:
            yield sheet.cls, phrase("{}, MASS {}", phrase(sheet.cls), sheet.mass)


def _gates(document: Document) -> Iterable[Option]:
    """Yield the links of the document, named by their ends."""
    for id_, link in gate_choices(document):
        kind = phrase(str(link.get("kind") or "link"))
        yield id_, phrase("{}, {} to {}", kind, link.get("a") or "-", link.get("b") or "-")


def _link_users(_document: Document) -> Iterable[Option]:
    """Return who may use a link."""
    return [("all", phrase("all factions")), ("holder", phrase("only the side that holds it"))]


def _craft_types(_document: Document) -> Iterable[Option]:
    """Return the types among which multi-role fighters can be chosen."""
    return [(type_, kind_words(type_)) for type_ in CHOICES_OF_ROLES]


def _war_terrain(document: Document) -> Iterable[Option]:
    """Yield the kinds of terrain that a system can have by the document's edition."""
    for kind in CHOICES["war-terrain"]:
        if _has_terrain(document) or kind in WITHOUT_TERRAIN_RULES:
            yield kind, CHOICE_LABELS[kind]


def _battle_terrain(document: Document) -> Iterable[Option]:
    """Yield the kinds of terrain of a single battle by the document's edition."""
    for kind, label in MENUS["terrain-kinds"].items():
        if _has_terrain(document) or kind in WITHOUT_TERRAIN_RULES:
            yield kind, label


def _has_terrain(document: Document) -> bool:
    """Return whether the document's edition has terrain other than asteroids."""
    edition = document.get("edition")
    return edition not in EDITIONS or bool(rules_of(str(edition)).terrain)


def _battle_ships(document: Document) -> Iterable[Option]:
    """Yield all ships of each side that has ships, and those of each of its classes."""
    names = dict(named_rows("factions", document))
    for choice, ships in ship_choices(document).items():
        side, _, cls = choice.partition("/")
        name = names.get(side, side)
        if cls:
            yield choice, phrase("{}: {} ({ships:ship})", name, cls, ships=Count(len(ships)))
        else:
            yield choice, phrase("all ships of {}", name)


def _fighters(document: Document) -> Iterable[Option]:
    """Yield the types of fighters of the document's edition."""
    for name in fighter_types(str(document.get("edition")), _option_names(document)):
        yield name, kind_words(name)


def _clock_courses(_document: Document) -> Iterable[Option]:
    """Yield the courses of the clock."""
    for course in range(1, MAX_COURSE + 1):
        yield str(course), phrase("course {}", course)


def _drifts(document: Document) -> Iterable[Option]:
    """Yield the courses in which asteroids may drift."""
    yield ROLL, phrase("course and speed by dice")
    yield from _clock_courses(document)


def _asteroid_counts(_document: Document) -> Iterable[Option]:
    """Yield how many asteroids a field can have."""
    yield ROLL, phrase("D6 + {}, rolled", ADDED)
    for count in range(1, MAX_COUNT + 1):
        yield str(count), str(count)


def _turns(document: Document) -> Iterable[Option]:
    """Yield the turns of a battle."""
    battles = document.get("battles")
    last_turn = battles.get("max_turns") if isinstance(battles, dict) else None
    if not isinstance(last_turn, int) or not 1 <= last_turn <= LAST_TURN:
        last_turn = LAST_TURN
    for turn in range(1, last_turn + 1):
        yield str(turn), str(turn)


def _ship_names(document: Document) -> Iterable[Option]:
    """Return the names that ships of preset fleets and of reinforcements get, by faction."""
    scenario, _ = check_draft(document)
    names: list[str] = []
    for faction in scenario.factions:
        names += proposed_names(scenario, faction.id)
    return [(name, name) for name in dict.fromkeys(names)]


_MENUS: dict[Of, Callable[[Document], Iterable[Option]]] = {
    "manners": _manners,
    "ship-kinds": _ship_kinds,
    "navies": _navies,
    "goods": goods_options,
    "objectives": _objectives,
    "station-classes": _station_classes,
    "gates": _gates,
    "link-users": _link_users,
    "classes": _classes,
    "places": _places,
    "budgets": _budgets,
    "tech-bases": _tech_bases,
    "technologies": _technologies,
    "craft-types": _craft_types,
    "battle-ships": _battle_ships,
    "winners": lambda document: named_rows("factions", document),
    "fighters": _fighters,
    "clock-courses": _clock_courses,
    "drifts": _drifts,
    "asteroid-counts": _asteroid_counts,
    "turns": _turns,
    "war-terrain": _war_terrain,
    "terrain-kinds": _battle_terrain,
    "ship-names": _ship_names,
}


def named_rows(of: Of, document: Document) -> Iterable[Option]:
    """Yield factions, systems, or factions and alliances, with their names."""
    rows = document.get("systems" if of == "systems" else "factions") or ()
    for row in rows:
        if row.get("id"):
            yield (str(row["id"]), str(row.get("name") or row["id"]))
    if of == "sides":
        alliances = {str(row["alliance"]) for row in rows if row.get("alliance")}
        for name in sorted(alliances):
            yield (name, name)
