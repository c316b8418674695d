"""What a type of craft is: one row, with what its guns and its loads do; and what modifies a type,
a row too.

Dice are functions, as those of weapons are, and throw for all craft of a group at once: all first
dice come before what their sixes earned. So craft may carry beams, cannon, torpedoes or a ship's
weapon.
Rules: 2E "Fighters" [2e.fighters]; Continuum "Fighter types" 8.15 [pc.fighter-types]; Continuum
"Gunboat types" 9.2 [pc.gunboats]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from fractions import Fraction

from engine.core.dice import Dice
from engine.core.rolls import Effect, Shot
from engine.craft.level_fire import BY_BEAMS, LevelFire
from engine.weapons.guard import BY_CRAFT, DefenceFire, Kills

GUNS = "fighters"  # what orders call the guns of a group
ROLE = "="  # between the id of a type and what a group of it is fitted out as
CANNON = "cannon"  # the modification, and the roles, whose craft carry them instead of beams
GROUP = 6  # craft of a full group of most types, and those that price lists count

# What so many craft's fire does: `shot` says what is thrown for, whose at whom, and what the target
# meets it with.
Fire = Callable[[Shot, Dice, int], Effect]


def no_fire(_shot: Shot, _dice: Dice, _craft: int) -> Effect:
    """The fire of what does nothing to such targets."""
    return Effect()


class CraftTrait(Enum):
    """The traits of a type of craft that rules ask about."""

    ROBOT = auto()  # a computer flies it: racks for robots carry no others
    FTL = (
        auto()
    )  # it has an FTL drive: it comes to a battle in flight, and goes home after its ships


@dataclass(frozen=True, slots=True, eq=False)
class Armament:
    """A weapon that a group may fire at one target. `name`: what orders call it.

    `at_ships`, `at_craft`: its dice; `no_fire` where it may not be fired at such. `reach`: MU.
    `rounds`: how many each craft carries, 0: as many as there are turns. What has rounds is a load:
    all craft fire all they have left of it. `beside`: it may be fired together with others at the
    same target. `drain`, `drain_at_craft`: of the endurance. `at_ordnance`: what is added to its
    dice at missiles and bolts, None where it is not fired at such; `rerolls`: those that show a 6
    are thrown again; `kills`: what they take, and `ordnance_dice` of each craft, `close_dice` where
    they are more within 6 MU. `bursts`: how a shot takes craft or ordnance where it throws no such
    dice.

    Of gunboats: `at_boats`: its dice at others, None: those at any craft. `near`: MU up to which
    craft and ordnance are met, 0: its reach. `with_ships`: it is fired at ships in the ships' fire,
    and no sight may be blocked. `narrow`: it bears 15 degrees to either side of the bow alone.
    `snipes`: it is aimed at a system.

    `guards`: by order it meets what attacks ships near them, in the phase of point defence; a pack
    that strays costs such a ship a point.

    `launches`: in the place of fire, the type of the ship's weapon whose ordnance it is, "" for
    what is fired: at a ship where it is `at_target`, left where the craft are where it is
    `dropped`, else at a point. `salvo`: rounds of one launch at most, 0: all; `grade`: of what is
    launched. `lands`: it sets people down on a ship instead. `energy`: standard screens weaken its
    fire at ships, and a reflex field meets it.

    `by_level`: how it fares at ships where point defence goes by level. Of squadrons of several
    types: `carried_by`: how many of so many boats carry it, None: all; `crews`: of the guns of all
    together, those of each type.
    """

    name: str = GUNS
    at_ships: Fire = no_fire
    at_craft: Fire = no_fire
    reach: float = 6.0
    rounds: int = 0
    combinable: bool = False
    drain: int = 1
    drain_at_craft: int = 1
    at_ordnance: int | None = None
    rerolls: bool = True
    kills: Kills = field(default_factory=lambda: BY_CRAFT)
    ordnance_dice: int = 1
    close_dice: int = 0
    bursts: DefenceFire | None = None
    at_boats: Fire | None = None
    near: float = 0.0
    with_ships: bool = False
    narrow: bool = False
    snipes: bool = False
    guards: bool = False
    launches: str = ""
    at_target: bool = False
    dropped: bool = False
    salvo: int = 0
    grade: str = ""
    lands: bool = False
    energy: bool = False
    by_level: LevelFire = BY_BEAMS
    carried_by: Callable[[int], int] | None = None
    type_weapons: tuple[Armament, ...] = ()

    def by_type(self, craft: int) -> list[tuple[Armament, int]]:
        """What so many craft fire, and how many of them: of a squadron of several types each type's
        by itself.

        Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
        """
        return (
            [(weapon, weapon.carriers(craft)) for weapon in self.type_weapons]
            if self.type_weapons
            else [(self, craft)]
        )

    def carriers(self, craft: int) -> int:
        """How many of so many craft carry it."""
        return self.carried_by(craft) if self.carried_by is not None else craft

    def fires(self) -> bool:
        """Whether it does anything where it is fired."""
        return self.at_ships is not no_fire or self.at_craft is not no_fire or self.lands

    def reach_at_craft(self) -> float:
        """MU up to which it meets craft and ordnance."""
        return self.near or self.reach

    def cost(self, *, at_ship: bool) -> int:
        """The turns of endurance that firing it takes of a group; a load takes the same at whatever
        it is fired at.
        """
        return self.drain if at_ship or self.rounds else self.drain_at_craft


@dataclass(frozen=True, slots=True, eq=False)
class CraftType:
    """A type of craft.

    `id`: one of its own; `type`: what designs and documents call it, one of its own in its family.

    `guns`: what it fires turn by turn; `loads`: what it carries for a few shots. `spent`: what its
    guns still do to craft that hold it in a fight when its endurance is gone. `full`: craft of a
    full group; `speed`: MU a turn; `endurance`: how often a group can fight before it has to go
    home, 0: as often as it likes. `modifier`: to the dice of point defence and of craft that fire
    at it. `mods`: those of its family it may have that not all may. `berth`: mass of one in a bay,
    of gunboats alone; `ecm`: levels of what shortens others' lock on it. `points`: of each craft,
    of so many as price lists count; `dearer`: an option, and how much more it costs with that.
    `needs`: technologies, all of them. `builder`: what the ftLibShip builder calls it, each name
    with the mods that it brings. `word`: what pages call it, "" for what is simply fighters.
    `roles`: what its groups are fitted out as, the usual first; `roles_agreed`: with the option for
    it, as these too. `armaments`: all it may fire, its guns first; `reach`: MU of what reaches
    farthest.

    There is one row of a type, and what it does is kept by the row itself: captains ask for it
    again and again.
    """

    id: str
    type: str
    guns: Armament = Armament()
    loads: tuple[Armament, ...] = ()
    exhausted_fire: Fire = no_fire
    full: int = GROUP
    speed: float = 12.0
    endurance: int = 0
    modifier: int = 0
    traits: tuple[CraftTrait, ...] = ()
    mods: tuple[str, ...] = ()
    berth: int = 0
    ecm: int = 0
    points: int = 0
    dearer: tuple[str, int] = ("", 0)
    needs: tuple[str, ...] = ()
    builder: tuple[tuple[str, tuple[str, ...]], ...] = ()
    word: str = ""
    roles: tuple[str, ...] = ()
    roles_agreed: tuple[str, ...] = ()
    armaments: tuple[Armament, ...] = field(init=False)
    reach: float = field(init=False)

    def __post_init__(self) -> None:
        armaments = (self.guns, *self.loads)
        object.__setattr__(self, "armaments", armaments)
        object.__setattr__(self, "reach", max(armament.reach for armament in armaments))

    def armament(self, name: str) -> Armament | None:
        """The armament that orders call so."""
        return next((weapon for weapon in self.armaments if weapon.name == name), None)

    def arrives_in_flight(self, turn: int) -> bool:
        """Whether craft that leave their bays in a turn have come to the battle in flight, by their
        own drives.

        Rules: Continuum "FTL fighters" 8.15 [pc.fighter-types]; Continuum "FTL gunboats" 9.2
        [pc.gunboats]
        """
        return turn == 1 and CraftTrait.FTL in self.traits

    def price(self, number: int, options: Collection[str] = ()) -> Fraction:
        """The points of so many under these options: a full group costs what as many as price lists
        count do, whatever is full for it.
        """
        option, surcharge = self.dearer
        points_each = self.points + (surcharge if option in options else 0)
        return Fraction(points_each * number * GROUP, self.full)


def keep_row(row: CraftType) -> CraftType:
    """The row of a type that a mod changes in nothing but what it costs."""
    return row


@dataclass(frozen=True, slots=True)
class Mod:
    """A modification of a type: `change` makes another row of it.

    `points`: more for each craft; `needs`: a technology.

    `apart`: mods that do not go with it, and why in words. `some`: only types that name it in their
    row may have it; the code and the words where others do, `{type}` being the type and `{types}`
    those that may. `builder`: what the ftLibShip builder calls it.
    """

    name: str
    change: Callable[[CraftType], CraftType] = keep_row
    points: int = 0
    needs: str = ""
    excludes: tuple[tuple[str, ...], str] = ((), "")
    restricted_to: tuple[str, str] = ("", "")
    builder: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """Types that bays of one kind hold, with what may modify them.

    `name`: what price lists call what a bay holds.

    `craft`: what people call them, several; `group`: a full one. `mixed`: types of one group may
    differ.
    """

    name: str
    types: tuple[CraftType, ...]
    mods: tuple[Mod, ...] = ()
    craft: str = "fighters"
    group: str = "group"
    mixed: bool = False

    def of(self, type_: str) -> CraftType | None:
        """The row of a type by what designs call it."""
        return next((row for row in self.types if row.type == type_), None)

    def mod(self, name: str) -> Mod | None:
        """The modification of its types under that name."""
        return next((mod for mod in self.mods if mod.name == name), None)

    def modified(self, row: CraftType, names: Iterable[str]) -> CraftType:
        """The row that mods make of a type's row, in the family's order; names it does not know are
        left out.
        """
        mod_names = set(names)
        for mod in self.mods:
            if mod.name in mod_names:
                needs = (*row.needs, mod.needs) if mod.needs else row.needs
                new_row = replace(
                    row, id=f"{row.id}+{mod.name}", points=row.points + mod.points, needs=needs
                )
                row = mod.change(new_row)
        return row

    def as_role(self, row: CraftType, role: str) -> CraftType | None:
        """The row of a type with what another flies with, by its role: the other's name, and
        `cannon` where it has cannon instead of beams. None where groups of the type are never
        fitted out so.
        """
        if role not in (*row.roles, *row.roles_agreed):
            return None
        words = [word for word in role.split("-") if word != CANNON]
        role_type = self.of("-".join(words) or row.roles[0])
        assert role_type is not None  # roles are types of their family
        mods = [*row.id.split("+")[1:], *([CANNON] if role.endswith(CANNON) else [])]
        like = self.modified(role_type, mods)
        return replace(
            row,
            id=f"{row.id}{ROLE}{role}",
            guns=like.guns,
            loads=like.loads,
            exhausted_fire=like.exhausted_fire,
        )
