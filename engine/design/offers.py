"""What a yard offers: every system of an edition by shelves, with its models, and how each is first
fitted.

A price list says what is sold; this says it for a designer's palette, and proposes a mount that is
lawful by itself.
Rules: 2E "Mass values and points costs" [2e.design]; Continuum "Ship construction summary" 14
[pc.design]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from engine.core.phrase import phrase
from engine.core.terms import NO_MULTI_STAGE
from engine.craft.registry import family_of
from engine.design.loads import BAYS
from engine.design.mass_pricing import CORE
from engine.design.value import Fitting
from engine.english import capitalize_first, system_words
from engine.prices.continuum import LEAST_MINES, LOADS, MAGAZINE, MINE_RACK
from engine.prices.system_price import SystemPrice, SystemSpec
from engine.ruleset import RuleSet, rules_of
from engine.weapons.ordnance import TWO_STAGE
from engine.weapons.registry import WEAPON_CATEGORIES, category_of

# The shelves of what is no weapon, by the rule for which it is bought; turrets and magazines stand
# with weapons.
CATEGORIES = (
    ("Guns", ("pc.turrets",)),
    ("Missiles", ("pc.salvo-missiles",)),
    (
        phrase("Screens and fields"),
        (
            *(
                "pc.screens",
                "pc.advanced-screens",
                "pc.area-screens",
                "pc.stealth-field",
                "pc.holofield",
                "pc.cloaks",
            ),
            *("pc.reflex-field", "pc.design", "2e.screens"),
        ),
    ),
    (
        phrase("Sensors and control"),
        ("pc.adfc", "pc.ecm", "pc.fire-control", "pc.sensors", "2e.fire-control", "2e.dummies"),
    ),
    (
        phrase("Flight decks"),
        ("pc.fighter-launch", "pc.fighter-racks", "pc.gunboats", "pc.boat-bays", "2e.fighters"),
    ),
    ("Mines", ("pc.mines", "2e.mines")),
    (phrase("Room and crew"), ("pc.cargo", "pc.berthing")),
)
OTHER_SYSTEMS = phrase("Other systems")

FIRST_MASS = {
    MAGAZINE: 6
}  # of what says its mass itself, by what it holds; 1 where nothing is said
FRONT_THREE = 3  # arcs of a first mount, where it is sold so


@dataclass(frozen=True, slots=True)
class Model:
    """A model or class of a system.

    `mounts`: the numbers of arcs it is sold with, () where arcs are not asked.

    `needs`: the technologies it asks for; `option`: what players must have agreed on, "" where
    nothing; `unless`: what they must not.
    """

    variant: str
    size: int
    title: str
    mounts: tuple[int, ...] = ()
    needs: tuple[str, ...] = ()
    option: str = ""
    unless: str = ""

    @property
    def key(self) -> str:
        """How forms name it: its class, and its model."""
        return f"{self.size or ''}/{self.variant}"


@dataclass(frozen=True, slots=True)
class Offer:
    """A type of system, with its models in the order of the price list.

    `free`: it says how much mass it takes; `flags`: upgrades it may have; `turreted`: it may stand
    in a turret; `fed`: it launches from a magazine; `holds`: kinds of what it may hold, `mods`: how
    they may be modified, `mixed`: several kinds at once. `kinds`: the hulls it is for, () for all.
    """

    type: str
    title: str
    category: str
    models: tuple[Model, ...]
    free: bool = False
    flags: tuple[str, ...] = ()
    turreted: bool = False
    fed: bool = False
    holds: tuple[str, ...] = ()
    mods: tuple[str, ...] = ()
    mixed: bool = False
    bay: str = ""
    kinds: tuple[str, ...] = ()

    def model(self, variant: str, size: int) -> Model | None:
        """The model of that name and class, None where it is not sold."""
        return next(
            (
                candidate
                for candidate in self.models
                if (candidate.variant, candidate.size) == (variant, size)
            ),
            None,
        )


def offers_of(
    rules: RuleSet, *, technologies: Collection[str] | None = None, agreed: bool = False
) -> tuple[Offer, ...]:
    """Every system of an edition.

    `known`: the technologies of the yards, None: all; `agreed`: only what needs no option, or one
    that is in force. What they have agreed to have none of is left out.
    """
    offers: list[Offer] = []
    for offer in _all_offers(rules.edition):
        models = tuple(
            model
            for model in offer.models
            if (technologies is None or all(id_ in technologies for id_ in model.needs))
            and not (agreed and model.option and model.option not in rules.options)
            and model.unless not in rules.options
        )
        holds = tuple(
            kind for kind in offer.holds if kind != TWO_STAGE or NO_MULTI_STAGE not in rules.options
        )
        if models:
            is_unchanged = (models, holds) == (offer.models, offer.holds)
            offers.append(offer if is_unchanged else replace(offer, models=models, holds=holds))
    return tuple(offers)


def system_types(edition: str) -> tuple[str, ...]:
    """Every type of system that a ship of an edition may have."""
    return (*(offer.type for offer in _all_offers(edition)), "drive", "ftl", *CORE)


def by_category(offers: Iterable[Offer]) -> tuple[tuple[str, tuple[Offer, ...]], ...]:
    """Offers by their shelves: weapons' first."""
    titles = dict.fromkeys((*WEAPON_CATEGORIES, *(title for title, _ in CATEGORIES), OTHER_SYSTEMS))
    offers_by_category: dict[str, list[Offer]] = {title: [] for title in titles}
    for offer in offers:
        offers_by_category[offer.category].append(offer)
    return tuple((title, tuple(of)) for title, of in offers_by_category.items() if of)


def offer_of(rules: RuleSet, type_: str) -> Offer | None:
    """What is sold of a type, None where nothing is."""
    return next((offer for offer in _all_offers(rules.edition) if offer.type == type_), None)


def first_fitting(offer: Offer, model: Model, rules: RuleSet) -> Fitting:
    """A system as it is first fitted: a mount that is sold, and the least load."""
    return Fitting(
        offer.type,
        model.variant,
        first_arcs(model, rules),
        size=model.size,
        mass=FIRST_MASS.get(offer.bay, 1) if offer.free else 0,
        load=(("mines", LEAST_MINES),) if offer.bay == MINE_RACK else (),
    )


def first_arcs(model: Model, rules: RuleSet) -> tuple[str, ...]:
    """The front arcs, three of them where the mount is sold so; all round needs no telling."""
    if not model.mounts or model.mounts == (len(rules.arcs),):
        return ()
    number = FRONT_THREE if FRONT_THREE in model.mounts else model.mounts[0]
    return front_arcs(number, rules)


def front_arcs(number: int, rules: RuleSet) -> tuple[str, ...]:
    """So many arcs side by side about the bow, in the edition's order."""
    ring = rules.arcs
    first = -((number - 1) // 2)
    chosen = {ring[(first + step) % len(ring)] for step in range(number)}
    return tuple(arc for arc in ring if arc in chosen)


def _all_offers(edition: str) -> tuple[Offer, ...]:
    """All that an edition sells, by the piece or by mass, in the order of its lists."""
    rules = rules_of(edition)
    pieces: dict[str, list[SystemSpec]] = {}
    for spec in rules.systems:
        pieces.setdefault(spec.type, []).append(spec)
    return (
        *(_offer_by_piece(rules, type_, specs) for type_, specs in pieces.items()),
        *(
            _offer_by_mass(rules, type_, system_prices)
            for type_, system_prices in rules.system_prices.items()
        ),
    )


def _offer_by_piece(rules: RuleSet, type_: str, specs: Iterable[SystemSpec]) -> Offer:
    rows = tuple(specs)
    numbers = tuple(range(1, len(rules.arcs) + 1))
    mounts_by_arcs = {"none": (), "one": (1,), "fore": (1,), "adjacent": numbers}
    models = tuple(Model(row.variant, 0, row.title, mounts_by_arcs[row.arcs]) for row in rows)
    title = _title(type_, tuple(row.title for row in rows))
    return Offer(type_, title, _category(rules.edition, type_, rows[0].rule), models)


def _offer_by_mass(rules: RuleSet, type_: str, system_prices: tuple[SystemPrice, ...]) -> Offer:
    models = tuple(
        Model(
            row.model,
            row.size,
            row.title,
            tuple(number for number, _ in row.mounts),
            row.needs,
            row.option,
            row.unless,
        )
        for row in system_prices
    )
    first = system_prices[0]
    kinds, mods, mixed = _contents_of(first.holds, rules.edition)
    return Offer(
        type_,
        _title(type_, tuple(row.title for row in system_prices)),
        _category(rules.edition, type_, first.rule),
        models,
        free=first.free,
        flags=tuple(dict.fromkeys(flag for row in system_prices for flag in row.flags)),
        turreted=first.turreted,
        fed=bool(first.fires),
        holds=kinds,
        mods=mods,
        mixed=mixed,
        bay=first.holds,
        kinds=first.kinds,
    )


def _contents_of(holds: str, edition: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """What something holds: its kinds, their modifications, and whether several kinds may lie
    together.
    """
    if holds in LOADS:
        return tuple(LOADS[holds]), (), len(LOADS[holds]) > 1
    family = family_of(edition, BAYS[holds]) if holds in BAYS else None
    if family is None:
        return (), (), False
    return (
        tuple(row.type for row in family.types),
        tuple(mod.name for mod in family.mods),
        family.mixed,
    )


def _category(edition: str, type_: str, rule: str) -> str:
    weapons = category_of(edition, type_)
    return weapons or next((title for title, of in CATEGORIES if rule in of), OTHER_SYSTEMS)


def _title(type_: str, titles: tuple[str, ...]) -> str:
    """What the models of a type are called together."""
    return phrase(titles[0]) if len(titles) == 1 else capitalize_first(system_words(type_))
