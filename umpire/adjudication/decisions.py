"""Settles fight, stand off or withdraw between hostile factions in one system hex."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from campaign.rules.perception import Counts, ScanKey, standing_choice_at
from campaign.rules.scenario import Choice
from campaign.rules.world import Engagement, Pair, Settled
from engine.core.dice import Dice
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex

ChooseFunction = Callable[[str, str, str], Choice]  # (hex, faction, other faction) -> choice

CAUGHT_ROLL = 6  # D6 of a faction that fights, at which it catches the one that withdraws

# The outcome of two choices if all ships can leave. "chase" means that a D6 decides.
OUTCOME_TABLE: dict[tuple[Choice, Choice], str] = {
    ("fight", "fight"): "battle",
    ("fight", "stand-off"): "battle",
    ("fight", "withdraw"): "chase",
    ("stand-off", "fight"): "battle",
    ("stand-off", "stand-off"): "apart",
    ("stand-off", "withdraw"): "gone",
    ("withdraw", "fight"): "chase",
    ("withdraw", "stand-off"): "gone",
    ("withdraw", "withdraw"): "gone",
}


@dataclass(frozen=True, slots=True)
class Force:
    """The force of a faction in a hex, by what its ships can do.

    Attributes:
        leavers: Whether it has ships that can fight and leave.
        stayers: Whether it has ships that can fight but not leave.
        bound: Whether it has helpless ships that cannot leave: docked, or laid up without FTL.
        runners: Whether it has helpless ships that can leave, such as prizes under way.
    """

    leavers: bool
    stayers: bool
    bound: bool
    runners: bool = False

    @property
    def can_fight(self) -> bool:
        """Whether any of its ships can fight."""
        return self.leavers or self.stayers

    @property
    def can_leave(self) -> bool:
        """Whether any of its ships can leave."""
        return self.leavers or self.runners

    @property
    def is_present(self) -> bool:
        """Whether it has any ships."""
        return self.can_fight or self.bound or self.runners

    def without_leavers(self) -> Force:
        """Return the force that is left once all ships that can leave have left."""
        return Force(leavers=False, stayers=self.stayers, bound=self.bound)


@dataclass(frozen=True, slots=True)
class Chase:
    """The die rolled when a faction withdraws from one that fights it."""

    withdrawer: str
    fighter: str
    die: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """The outcome of a hex: the settled pairs, the factions that leave and the dice rolled."""

    pairs: tuple[Pair, ...]
    leaving: tuple[str, ...]
    chases: tuple[Chase, ...]


def force_at(index: ScenarioIndex, world_index: WorldIndex, hex_: str, faction: str) -> Force:
    """Return a faction's force in a hex."""
    ships = world_index.ships(hex_, faction)
    # (helpless, can leave) of each ship
    kinds = {(ship.is_helpless, index.can_leave(ship, ships)) for ship in ships}
    return Force(
        leavers=(False, True) in kinds,
        stayers=(False, False) in kinds,
        bound=(True, False) in kinds,
        runners=(True, True) in kinds,
    )


def standing_choice(
    world_index: WorldIndex,
    scans: Mapping[ScanKey, Counts],
    hex_: str,
    faction: str,
    toward: str,
) -> Choice:
    """Return the choice of a faction that sealed no decision toward another at a hex.

    It is the standing order of its fleets there, else to stand off.

    Args:
        scans: This week's scans, from `index_scans`.

    Rules: 2E "When fleets meet" [camp.decision]
    """
    fleets = world_index.present(hex_).get(faction, ())
    return standing_choice_at(fleets, hex_, scans.get((faction, hex_, toward)))


def feasible_choice(choice: Choice, force: Force) -> Choice:
    """Return the choice if the force can carry it out, else a stand-off.

    Helpless ships cannot fight, and ships without a way to leave cannot withdraw.

    Rules: 2E "Non-FTL ships" [camp.non-ftl]; 2E "Repairs" [camp.repairs]
    """
    is_possible = force.can_leave if choice == "withdraw" else force.can_fight
    return choice if is_possible else "stand-off"


def settle_pairs(pairs: Sequence[Pair], forces: Mapping[str, Force], dice: Dice) -> Settlement:
    """Settle all pairs of a hex simultaneously; each pair must have both choices.

    Pairs settled with the orders stay as they are. When a faction withdraws, each faction that
    fights it rolls a die. The faction leaves unless it is caught or another battle holds it; its
    ships that cannot leave stand off. A fight against docked ships alone is no battle: they are
    overrun.

    Rules: 2E "When fleets meet" [camp.decision]; 2E "The stand off" [camp.stand-off]
    """
    chases: list[Chase] = []
    results: list[tuple[Pair, Settled, tuple[str, ...]]] = []  # pair, outcome, factions caught
    staying: set[str] = set()
    going: set[str] = set()
    for pair in pairs:
        choices = {pair.a: pair.choice_a or "stand-off", pair.b: pair.choice_b or "stand-off"}
        if pair.settled is None:
            choices = {name: feasible_choice(choices[name], forces[name]) for name in choices}
            new_chases = _chases(pair, choices, dice)
            caught = tuple(chase.withdrawer for chase in new_chases if chase.die == CAUGHT_ROLL)
            settled = _settle_pair(pair, choices, forces, bool(caught))
            chases.extend(new_chases)
            going.update(name for name, choice in choices.items() if choice == "withdraw")
        else:
            caught, settled = pair.caught, pair.settled
        staying.update(_held_factions(choices, settled, caught))
        results.append((pair, settled, caught))
    leaving = tuple(sorted(going - staying))
    settled_pairs = []
    for pair, settled, caught in results:
        final = _settle_after_departures(pair, settled, leaving, forces)
        settled_pairs.append(replace(pair, settled=final, caught=caught))
    return Settlement(tuple(settled_pairs), leaving, tuple(chases))


def _held_factions(
    choices: Mapping[str, Choice], settled: Settled, caught: Sequence[str]
) -> set[str]:
    """Return the factions of a pair that its outcome keeps in the hex.

    Args:
        choices: The choices of both factions.
        caught: The factions caught while they withdrew.
    """
    if settled == "battle":
        fighting = {name for name, choice in choices.items() if choice != "withdraw"}
        return fighting | set(caught)
    if settled == "overrun":
        return set(caught)  # prizes under way without any ship to fight for them
    return set()


def _chases(pair: Pair, choices: Mapping[str, Choice], dice: Dice) -> list[Chase]:
    """Roll the D6 of each faction that fights while the other withdraws."""
    result = []
    for withdrawer, fighter in ((pair.a, pair.b), (pair.b, pair.a)):
        if choices[withdrawer] == "withdraw" and choices[fighter] == "fight":
            die = dice.at(pair.hex).roll("catch", f"{withdrawer}>{fighter}")
            result.append(Chase(withdrawer, fighter, die))
    return result


def _settle_pair(
    pair: Pair, choices: Mapping[str, Choice], forces: Mapping[str, Force], caught: bool
) -> Settled:
    """Return the outcome of a pair's choices.

    Ships that cannot leave stand off, and helpless ships cannot fight.
    """
    cell = OUTCOME_TABLE[choices[pair.a], choices[pair.b]]
    if caught or cell == "battle":
        if forces[pair.a].can_fight and forces[pair.b].can_fight:
            return "battle"
        return "overrun"
    if cell == "chase":  # ships that can leave get away; the others stand off and are attacked
        remaining = forces[pair.a if choices[pair.a] == "withdraw" else pair.b].without_leavers()
        if remaining.stayers:
            return "battle"
        if remaining.bound:
            return "overrun"
        return "gone"
    return "apart"  # until the leaving factions are known


def _settle_after_departures(
    pair: Pair,
    before: Settled,
    leaving: Sequence[str],
    forces: Mapping[str, Force],
) -> Settled:
    """Return how a pair is settled once the leaving factions are known.

    Another battle may hold a faction that would get away from this one.
    """
    if before == "battle":
        return before
    settled: Settled = "apart"
    for name in (pair.a, pair.b):
        if name not in leaving:
            remaining = forces[name]
        else:
            remaining = forces[name].without_leavers()
        if not remaining.is_present:
            settled = "gone"
        elif not remaining.can_fight and before == "overrun" and settled != "gone":
            settled = "overrun"
    return settled


def form_engagements(index: ScenarioIndex, week: int, pairs: Sequence[Pair]) -> list[Engagement]:
    """Form the battles of one hex.

    Pairs linked by battle form one engagement. A faction takes part with all its ships there, and
    allies form one side.

    Rules: 2E "When fleets meet" [camp.battle]
    """
    fights = [pair for pair in pairs if pair.settled == "battle"]
    if not fights:
        return []
    hex_ = pairs[0].hex
    hostile = sorted((pair.a, pair.b) for pair in fights)
    caught: set[str] = set()
    for pair in pairs:
        caught.update(pair.caught)
    for pair in fights:  # a faction that also chose to stay and fight does not count as caught
        for name, choice in ((pair.a, pair.choice_a), (pair.b, pair.choice_b)):
            if choice != "withdraw":
                caught.discard(name)
    result = []
    for names in _linked_factions(hostile):
        sides: dict[str, list[str]] = {}
        for name in names:
            sides.setdefault(index.side[name], []).append(name)
        result.append(
            Engagement(
                key=f"{hex_}/w{week}/{'+'.join(names)}",
                hex=hex_,
                sides=tuple(sorted(tuple(side) for side in sides.values())),
                hostile=tuple(pair for pair in hostile if pair[0] in names),
                caught=tuple(name for name in names if name in caught),
            )
        )
    return result


def _linked_factions(hostile: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Group factions that fight each other, directly or through others.

    Returns:
        The groups, each sorted, in the order of their first factions.
    """
    first_of: dict[str, str] = {}  # towards the first faction of the group, step by step

    def find_first(name: str) -> str:
        while first_of.setdefault(name, name) != name:
            name = first_of[name]
        return name

    for a, b in hostile:
        first, second = sorted((find_first(a), find_first(b)))
        first_of[second] = first
    groups: dict[str, list[str]] = {}
    for name in sorted(first_of):
        groups.setdefault(find_first(name), []).append(name)
    return [groups[first] for first in sorted(groups)]


def group_by_hex(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """Return the pairs of each hex."""
    result: dict[str, list[Pair]] = {}
    for pair in pairs:
        result.setdefault(pair.hex, []).append(pair)
    return result


def with_choices(pair: Pair, choose: ChooseFunction) -> Pair:
    """Return a pair with both choices: those given with the orders, else those from `choose`."""
    return replace(
        pair,
        choice_a=pair.choice_a or choose(pair.hex, pair.a, pair.b),
        choice_b=pair.choice_b or choose(pair.hex, pair.b, pair.a),
    )
