"""A type of craft, with its guns and loads, and the modifications that make other types.

Dice are functions, as for weapons. They roll for all craft of a group at once: all first dice come
before the rerolls of sixes. So craft may carry beams, cannon, torpedoes or a ship's weapon.
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

GUNS = "fighters"  # the name of a group's guns in orders
ROLE = "="  # separates the id of a type from the role of a group
CANNON = "cannon"  # the modification, and part of the roles, with cannon instead of beams
GROUP = 6  # craft in a full group of most types, and in the groups that price lists count

# The effect of the fire of a number of craft. The shot says what the dice are for, who fires at
# whom, and what protects the target.
Fire = Callable[[Shot, Dice, int], Effect]


def no_fire(_shot: Shot, _dice: Dice, _craft: int) -> Effect:
    """Return no effect: the weapon may not be fired at such targets."""
    return Effect()


class CraftTrait(Enum):
    """Traits of a type of craft that rules ask for."""

    ROBOT = auto()  # flown by a computer; bays for robots carry no other craft
    FTL = auto()  # has an FTL drive: it arrives in flight, and goes home after its ships


@dataclass(frozen=True, slots=True, eq=False)
class Armament:
    """A weapon or load that a group may fire at one target.

    Attributes:
        name: Its name in orders.
        at_ships: Its dice at ships; `no_fire` if it may not be fired at them.
        at_craft: Its dice at craft; `no_fire` if it may not be fired at them.
        reach: MU.
        rounds: How many each craft carries. A weapon with rounds is a load: all craft fire all that
            they have left. 0 means that it fires every turn.
        combinable: It may be fired together with others at the same target.
        drain: Turns of endurance that fire at a ship takes.
        drain_at_craft: Turns of endurance that fire at craft takes.
        at_ordnance: Modifier of its dice at missiles and bolts; None if it may not be fired at
            them.
        rerolls: Dice at ordnance that show a 6 are rolled again.
        kills: How many targets of point defence each die result destroys.
        ordnance_dice: Dice of each craft at ordnance.
        close_dice: The same within 6 MU, where there are more.
        bursts: How a shot destroys craft or ordnance if it does not use such dice.
        at_boats: A gunboat's dice at other gunboats; None if they are those at any craft.
        near: MU up to which gunboats fire at craft and ordnance; 0 means the same as `reach`.
        with_ships: It fires at ships in the ships' fire phase, and needs a clear line of sight.
        narrow: It bears only within 15 degrees to either side of the bow.
        snipes: It is aimed at a system.
        jams: Its hits test electronics: the system it is aimed at, or else all in turn.
        guards: When ordered, it fires in the point defence phase at what attacks ships nearby; a
            stray scatterpack costs such a ship a point.
        launches: The type of the ship's weapon whose ordnance it launches; "" for fire.
        at_target: Its ordnance is launched at a ship; otherwise at a point.
        dropped: Its ordnance is left where the craft are.
        salvo: The most rounds in one launch; 0 means all.
        grade: The grade of its ordnance.
        lands: It lands people on a ship instead of firing.
        energy: Standard screens weaken its fire at ships, and reflex fields affect it.
        by_level: How it fares against ships where point defence is by level.
        carried_by: In a squadron of several types, how many of so many boats carry it; None means
            all.
        type_weapons: In a squadron of several types, the guns of each type.
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
    jams: bool = False
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
        """Return what so many craft fire, and how many of them; for mixed squadrons, by type.

        Rules: Continuum "Gunboat rules" 9.1 [pc.gunboats]
        """
        if self.type_weapons:
            return [(weapon, weapon.carriers(craft)) for weapon in self.type_weapons]
        return [(self, craft)]

    def carriers(self, craft: int) -> int:
        """Return how many of so many craft carry it."""
        if self.carried_by is not None:
            return self.carried_by(craft)
        return craft

    def fires(self) -> bool:
        """Return whether firing it has any effect."""
        return self.at_ships is not no_fire or self.at_craft is not no_fire or self.lands

    def reach_at_craft(self) -> float:
        """Return its reach in MU at craft and ordnance."""
        return self.near or self.reach

    def cost(self, *, at_ship: bool) -> int:
        """Return the turns of endurance that firing takes; a load takes the same at any target."""
        if at_ship or self.rounds:
            return self.drain
        return self.drain_at_craft


# Silhouettes of groups: fighters for any purpose, against craft, against ships or with marines, and
# gunboats.
OUTLINES = ("fighter", "interceptor", "bomber", "shuttle", "gunboat")


@dataclass(frozen=True, slots=True, eq=False)
class CraftType:
    """A type of craft.

    Captains read these values very often, so derived ones are computed once per type.

    Attributes:
        id: Unique among all types.
        type: Its name in designs and documents, unique in its family.
        guns: What it fires every turn.
        loads: What it carries for a few shots.
        exhausted_fire: What its guns do to craft that hold it in a dogfight once its endurance is
            spent.
        full: Craft in a full group.
        speed: MU a turn.
        endurance: How often a group can fight before it has to go home; 0 means without limit.
        modifier: Modifier of the dice of point defence and of craft that fire at it.
        mods: The restricted modifications of its family that it may have.
        berth: Mass of one craft in a bay, for gunboats only.
        ecm: Levels of ECM that shorten the range at which others can lock on to it.
        points: Cost of each craft in the groups that price lists count.
        dearer: An option, and the additional cost of each craft with it.
        needs: The technologies it needs, all of them.
        option: The option without which there is no such type.
        builder: Its names in the ftLibShip builder, each with the modifications it implies.
        word: What pages call it; "" for ordinary fighters.
        outline: The silhouette of its groups, one of OUTLINES.
        roles: The roles its groups may be fitted out for, the default first.
        roles_agreed: Further roles, with the option for them.
        roles_chosen: Further roles that players may choose for the war or battle.
        armaments: Everything it may fire, guns first.
        reach: MU of the armament with the longest reach.
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
    option: str = ""
    builder: tuple[tuple[str, tuple[str, ...]], ...] = ()
    word: str = ""
    outline: str = "fighter"
    roles: tuple[str, ...] = ()
    roles_agreed: tuple[str, ...] = ()
    roles_chosen: tuple[str, ...] = ()
    armaments: tuple[Armament, ...] = field(init=False)
    reach: float = field(init=False)

    def __post_init__(self) -> None:
        armaments = (self.guns, *self.loads)
        object.__setattr__(self, "armaments", armaments)
        object.__setattr__(self, "reach", max(armament.reach for armament in armaments))

    @property
    def all_roles(self) -> tuple[str, ...]:
        """All roles that any players may agree on; the setting of a bay is a place in this list."""
        return (*self.roles, *self.roles_agreed, *self.roles_chosen)

    def armament(self, name: str) -> Armament | None:
        """Return the armament with that name in orders."""
        return next((weapon for weapon in self.armaments if weapon.name == name), None)

    def arrives_in_flight(self, turn: int) -> bool:
        """Return whether craft that leave their bays this turn arrived by their own FTL drives.

        Rules: Continuum "FTL fighters" 8.15 [pc.fighter-types]; Continuum "FTL gunboats" 9.2
        [pc.gunboats]
        """
        return turn == 1 and CraftTrait.FTL in self.traits

    def price(self, number: int, options: Collection[str] = ()) -> Fraction:
        """Return the points for a number of craft under these options.

        A full group costs as much as the number of craft that price lists count, whatever its size.
        """
        option, surcharge = self.dearer
        points_each = self.points + (surcharge if option in options else 0)
        return Fraction(points_each * number * GROUP, self.full)


def keep_row(row: CraftType) -> CraftType:
    """Return the type unchanged, for a modification that affects only its cost."""
    return row


@dataclass(frozen=True, slots=True)
class Mod:
    """A modification of a type.

    Attributes:
        change: Makes the modified type.
        points: Additional cost of each craft.
        needs: A technology.
        excludes: Modifications it cannot be combined with, and the reason.
        restricted_to: If not empty, only types that name it in `mods` may have it. The code and the
            text of the fault for others; `{type}` is the type and `{types}` are those that may.
        builder: Its name in the ftLibShip builder.
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
    """The types that one kind of bay holds, and their modifications.

    Attributes:
        name: The name of a bay's contents in price lists.
        craft: What people call them, in the plural.
        group: What people call a full group.
        mixed: One group may hold several types.
    """

    name: str
    types: tuple[CraftType, ...]
    mods: tuple[Mod, ...] = ()
    craft: str = "fighters"
    group: str = "group"
    mixed: bool = False

    def of(self, type_: str) -> CraftType | None:
        """Return the type with that name in designs."""
        return next((row for row in self.types if row.type == type_), None)

    def types_under(self, options: Collection[str]) -> tuple[CraftType, ...]:
        """Return the types that there are under these options."""
        return tuple(row for row in self.types if not row.option or row.option in options)

    def mod(self, name: str) -> Mod | None:
        """Return the modification with that name."""
        return next((mod for mod in self.mods if mod.name == name), None)

    def modified(self, row: CraftType, names: Iterable[str]) -> CraftType:
        """Return a type with modifications, in the family's order; unknown names are ignored."""
        mod_names = set(names)
        for mod in self.mods:
            if mod.name not in mod_names:
                continue
            needs = (*row.needs, mod.needs) if mod.needs else row.needs
            priced = replace(
                row, id=f"{row.id}+{mod.name}", points=row.points + mod.points, needs=needs
            )
            row = mod.change(priced)
        return row

    def as_role(self, row: CraftType, role: str) -> CraftType | None:
        """Return a type with the weapons of another type; None if it cannot take the role.

        Args:
            role: The other type's name, and `cannon` if it has cannon instead of beams.
        """
        if role not in row.all_roles:
            return None
        words = [word for word in role.split("-") if word != CANNON]
        role_type = self.of("-".join(words) or row.roles[0])
        assert role_type is not None  # roles are types of their family
        mods = row.id.split("+")[1:]
        if role.endswith(CANNON):
            mods.append(CANNON)
        armed_type = self.modified(role_type, mods)
        return replace(
            row,
            id=f"{row.id}{ROLE}{role}",
            guns=armed_type.guns,
            loads=armed_type.loads,
            exhausted_fire=armed_type.exhausted_fire,
        )
