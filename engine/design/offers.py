"""The systems that an edition sells, by category and model, for the palette of the design editor.

For each system it proposes a first fitting whose mount is legal.

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

# Categories of systems other than weapons, by the rule that sells them. Turrets and magazines are
# in the categories of weapons.
CATEGORIES = (
    ("Guns", ("pc.turrets",)),
    ("Missiles", ("pc.salvo-missiles",)),
    (
        phrase("Screens and fields"),
        (
            "pc.screens",
            "pc.advanced-screens",
            "pc.area-screens",
            "pc.stealth-field",
            "pc.holofield",
            "pc.cloaks",
            "pc.reflex-field",
            "pc.design",
            "2e.screens",
        ),
    ),
    (
        phrase("Sensors and fire control"),
        ("pc.adfc", "pc.ecm", "pc.fire-control", "pc.sensors", "2e.fire-control", "2e.dummies"),
    ),
    (
        phrase("Flight decks"),
        ("pc.fighter-launch", "pc.fighter-racks", "pc.gunboats", "pc.boat-bays", "2e.fighters"),
    ),
    ("Mines", ("pc.mines", "2e.mines")),
    (phrase("Cargo and crew"), ("pc.cargo", "pc.berthing")),
)
OTHER_SYSTEMS = phrase("Other systems")

FIRST_MASS = {MAGAZINE: 6}  # first mass of a freely sized system, by what it holds; otherwise 1
FRONT_THREE = 3  # arcs of a first mount, if sold


@dataclass(frozen=True, slots=True)
class Model:
    """A model or class of a system.

    Attributes:
        mounts: The numbers of arcs with which it is sold; empty if arcs do not apply.
        needs: The technologies that it needs.
        option: The option that players must have agreed on, or "".
        unless: The option with which it is excluded, or "".
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
        """The key of the model in forms: its class and its model."""
        return f"{self.size or ''}/{self.variant}"


@dataclass(frozen=True, slots=True)
class Offer:
    """A type of system, with its models in the order of the price list.

    Attributes:
        free: Whether its mass can be chosen.
        flags: The upgrades it may have.
        turreted: Whether it may be mounted in a turret.
        fed: Whether a magazine feeds it.
        holds: The kinds of contents it may hold.
        mods: The modifications its craft may have.
        mixed: Whether it may hold several kinds at once.
        bay: The word of the price list for what it holds.
        kinds: The kinds of hull that may have it; empty: all.
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
        """Return the model with this name and class, None if it is not sold."""
        for candidate in self.models:
            if (candidate.variant, candidate.size) == (variant, size):
                return candidate
        return None


def offers_of(
    rules: RuleSet, *, technologies: Collection[str] | None = None, agreed: bool = False
) -> tuple[Offer, ...]:
    """Return the systems that an edition sells, without those that an option excludes.

    Args:
        technologies: The technologies of the yards; None means all.
        agreed: Whether to leave out models whose option is not in force.
    """
    offers: list[Offer] = []
    for offer in _all_offers(rules.edition):
        models = []
        for model in offer.models:
            lacks_option = bool(model.option) and model.option not in rules.options
            if not (agreed and lacks_option) and _is_sold(model, rules, technologies):
                models.append(model)
        holds = _allowed_contents(offer, rules, agreed=agreed)
        is_unchanged = (tuple(models), holds) == (offer.models, offer.holds)
        if models and is_unchanged:
            offers.append(offer)
        elif models:
            offers.append(replace(offer, models=tuple(models), holds=holds))
    return tuple(offers)


def _allowed_contents(offer: Offer, rules: RuleSet, *, agreed: bool) -> tuple[str, ...]:
    """Return the kinds of contents of a system, without those that an option excludes.

    Args:
        agreed: Whether to leave out types of craft whose option is not in force.
    """
    if NO_MULTI_STAGE in rules.options:
        return tuple(kind for kind in offer.holds if kind != TWO_STAGE)
    family = family_of(rules.edition, BAYS[offer.bay]) if agreed and offer.bay in BAYS else None
    if family is None:
        return offer.holds
    return tuple(row.type for row in family.types_under(rules.options))


def _is_sold(model: Model, rules: RuleSet, technologies: Collection[str] | None) -> bool:
    """Return whether no option excludes a model, and the yards have its technologies."""
    if model.unless in rules.options:
        return False
    return technologies is None or all(id_ in technologies for id_ in model.needs)


def system_types(edition: str) -> tuple[str, ...]:
    """Return every type of system that a ship of an edition may have."""
    return (*(offer.type for offer in _all_offers(edition)), "drive", "ftl", *CORE)


def by_category(offers: Iterable[Offer]) -> tuple[tuple[str, tuple[Offer, ...]], ...]:
    """Group offers by category, weapons first."""
    offers_by_category: dict[str, list[Offer]] = {title: [] for title in WEAPON_CATEGORIES}
    for title, _ in CATEGORIES:
        offers_by_category.setdefault(title, [])
    offers_by_category.setdefault(OTHER_SYSTEMS, [])
    for offer in offers:
        offers_by_category[offer.category].append(offer)
    return tuple((title, tuple(group)) for title, group in offers_by_category.items() if group)


def offer_of(rules: RuleSet, type_: str) -> Offer | None:
    """Return the offer for a type, None if it is not sold."""
    return next((offer for offer in _all_offers(rules.edition) if offer.type == type_), None)


def first_fitting(offer: Offer, model: Model, rules: RuleSet) -> Fitting:
    """Return a new fitting of a system, with a mount that is sold and the smallest load."""
    return Fitting(
        offer.type,
        model.variant,
        first_arcs(model, rules),
        size=model.size,
        mass=FIRST_MASS.get(offer.bay, 1) if offer.free else 0,
        load=(("mines", LEAST_MINES),) if offer.bay == MINE_RACK else (),
    )


def first_arcs(model: Model, rules: RuleSet) -> tuple[str, ...]:
    """Return the arcs that a newly chosen weapon gets.

    They are the three front arcs if it is sold with three, and otherwise as many front arcs as its
    smallest mount has. Empty if it has no arcs, or always all of them.
    """
    if not model.mounts or model.mounts == (len(rules.arcs),):
        return ()
    number = FRONT_THREE if FRONT_THREE in model.mounts else model.mounts[0]
    return front_arcs(number, rules)


def front_arcs(number: int, rules: RuleSet) -> tuple[str, ...]:
    """Return this many adjacent arcs around the bow, in the edition's order."""
    ring = rules.arcs
    first = -((number - 1) // 2)
    front = {ring[(first + step) % len(ring)] for step in range(number)}
    return tuple(arc for arc in ring if arc in front)


def _all_offers(edition: str) -> tuple[Offer, ...]:
    """Return all that an edition sells, by the piece or by mass, in the order of its lists."""
    rules = rules_of(edition)
    specs_by_type: dict[str, list[SystemSpec]] = {}
    for spec in rules.systems:
        specs_by_type.setdefault(spec.type, []).append(spec)
    offers = [_offer_by_piece(rules, type_, specs) for type_, specs in specs_by_type.items()]
    for type_, system_prices in rules.system_prices.items():
        offers.append(_offer_by_mass(rules, type_, system_prices))
    return tuple(offers)


def _offer_by_piece(rules: RuleSet, type_: str, specs: Iterable[SystemSpec]) -> Offer:
    """Return the offer of a type that is sold by the piece."""
    rows = tuple(specs)
    arc_counts = tuple(range(1, len(rules.arcs) + 1))
    mounts_by_arcs = {"none": (), "one": (1,), "fore": (1,), "adjacent": arc_counts}
    models = tuple(Model(row.variant, 0, row.title, mounts_by_arcs[row.arcs]) for row in rows)
    title = _title(type_, tuple(row.title for row in rows))
    return Offer(type_, title, _category(rules.edition, type_, rows[0].rule), models)


def _offer_by_mass(rules: RuleSet, type_: str, system_prices: tuple[SystemPrice, ...]) -> Offer:
    """Return the offer of a type that is sold by mass."""
    first = system_prices[0]
    flags: dict[str, None] = {}
    for row in system_prices:
        flags |= dict.fromkeys(row.flags)
    kinds, mods, mixed = _contents_of(first.holds, rules.edition)
    return Offer(
        type_,
        _title(type_, tuple(row.title for row in system_prices)),
        _category(rules.edition, type_, first.rule),
        models=tuple(_model_of(row) for row in system_prices),
        free=first.free,
        flags=tuple(flags),
        turreted=first.turreted,
        fed=bool(first.fires),
        holds=kinds,
        mods=mods,
        mixed=mixed,
        bay=first.holds,
        kinds=first.kinds,
    )


def _model_of(row: SystemPrice) -> Model:
    """Return a row of the price list as a model."""
    return Model(
        variant=row.model,
        size=row.size,
        title=row.title,
        mounts=tuple(number for number, _ in row.mounts),
        needs=row.needs,
        option=row.option,
        unless=row.unless,
    )


def _contents_of(holds: str, edition: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Return the kinds a system holds, their modifications, and whether kinds may be mixed."""
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
    """Return the category of a type: that of the weapon, or that of the rule that sells it."""
    weapon_category = category_of(edition, type_)
    if weapon_category:
        return weapon_category
    return next((title for title, rules in CATEGORIES if rule in rules), OTHER_SYSTEMS)


def _title(type_: str, titles: tuple[str, ...]) -> str:
    """Return the common title of a type's models."""
    if len(titles) == 1:
        return phrase(titles[0])
    return capitalize_first(system_words(type_))
