"""Fight, stand off or withdraw: what the choices of hostile factions in one system hex come to,
pair by pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.rules.perception import Counts, ScanKey, standing_choice_at
from campaign.rules.scenario import Choice
from campaign.rules.world import Engagement, Pair, Settled
from engine.core.dice import Dice
from umpire.adjudication.indexes import ScenarioIndex, WorldIndex

ChooseFunction = Callable[[str, str, str], Choice]  # (hex, faction, toward) -> its choice

CAUGHT_ROLL = 6  # on this D6 of a faction that fights, the one that withdraws from it is caught

# What two choices come to where everybody can leave: "chase" is the D6.
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
    """The force of a faction in a hex: ships that can leave and ships that cannot, and of the
    helpless `runners` that can leave (prizes under way) and ships `bound` there (docked, or laid up
    without FTL).
    """

    leavers: bool
    stayers: bool
    bound: bool
    runners: bool = False

    @property
    def can_fight(self) -> bool:
        """Whether anything of it can fight."""
        return self.leavers or self.stayers

    @property
    def can_leave(self) -> bool:
        """Whether anything of it can leave."""
        return self.leavers or self.runners

    @property
    def is_present(self) -> bool:
        """Whether there is anything of it."""
        return self.can_fight or self.bound or self.runners

    def without_leavers(self) -> Force:
        """The force that stays behind when all that can leave has left."""
        return Force(False, self.stayers, self.bound)


@dataclass(frozen=True, slots=True)
class Chase:
    """A die for a faction that withdraws from one that fights it."""

    withdrawer: str
    fighter: str
    die: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """The outcome of a hex's pairs: each pair settled, the factions whose ships go, the dice
    thrown.
    """

    pairs: tuple[Pair, ...]
    leaving: tuple[str, ...]
    chases: tuple[Chase, ...]


def force_at(index: ScenarioIndex, world_index: WorldIndex, hex_: str, faction: str) -> Force:
    """The force that a faction has in a hex to fight or flee with."""
    leavers = stayers = bound = runners = False
    ships = world_index.ships(hex_, faction)
    for ship in ships:
        leaves = index.can_leave(ship, ships)
        if ship.is_helpless:
            runners, bound = runners or leaves, bound or not leaves
        else:
            leavers, stayers = leavers or leaves, stayers or not leaves
    return Force(leavers, stayers, bound, runners)


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
        read: This week's scans, from `index_scans`.

    Rules: 2E "When fleets meet" [camp.decision]
    """
    fleets = world_index.present(hex_).get(faction, ())
    return standing_choice_at(fleets, hex_, scans.get((faction, hex_, toward)))


def feasible_choice(choice: Choice, force: Force) -> Choice:
    """A choice as far as it can be carried out: helpless ships do not fight, ships that cannot
    leave do not withdraw.

    Rules: 2E "Non-FTL ships" [camp.non-ftl]; 2E "Repairs" [camp.repairs]
    """
    can = force.can_leave if choice == "withdraw" else force.can_fight
    return choice if can else "stand-off"


def settle_pairs(pairs: Sequence[Pair], forces: Mapping[str, Force], dice: Dice) -> Settlement:
    """All pairs of a hex settled at the same moment; each has both choices.

    Pairs settled with the orders stay so.

    A faction that withdraws dices against each that fights it, and goes unless it is caught or
    another battle holds it; what it has that cannot leave stands off. A fight against docked ships
    alone is no battle: they are overrun.

    Rules: 2E "When fleets meet" [camp.decision]; 2E "The stand off" [camp.stand-off]
    """
    chases: list[Chase] = []
    results: list[tuple[Pair, Settled, tuple[str, ...]]] = []  # who was caught comes last
    staying: set[str] = set()
    going: set[str] = set()
    for pair in pairs:
        if pair.settled is None:
            choices = {
                pair.a: feasible_choice(pair.choice_a or "stand-off", forces[pair.a]),
                pair.b: feasible_choice(pair.choice_b or "stand-off", forces[pair.b]),
            }
            new_chases = _chases(pair, choices, dice)
            caught = tuple(chase.withdrawer for chase in new_chases if chase.die == CAUGHT_ROLL)
            settled = _settle_pair(pair, choices, forces, bool(caught))
            chases.extend(new_chases)
            going.update(name for name, choice in choices.items() if choice == "withdraw")
        else:
            choices = {pair.a: pair.choice_a or "stand-off", pair.b: pair.choice_b or "stand-off"}
            caught, settled = pair.caught, pair.settled
        if settled == "overrun":
            staying.update(caught)  # prizes on their way, with nobody to fight for them
        if settled == "battle":
            staying.update(
                name for name, choice in choices.items() if choice != "withdraw" or name in caught
            )
        results.append((pair, settled, caught))
    leaving = tuple(sorted(going - staying))
    settled_pairs = []
    for pair, settled, caught in results:
        final = _settle_after_departures(pair, settled, leaving, forces)
        settled_pairs.append(
            Pair(pair.hex, pair.a, pair.b, pair.choice_a, pair.choice_b, final, caught)
        )
    return Settlement(tuple(settled_pairs), leaving, tuple(chases))


def _chases(pair: Pair, choices: Mapping[str, Choice], dice: Dice) -> list[Chase]:
    """The D6 of the one that fights, where the other withdraws."""
    result = []
    for withdrawer, fighter in ((pair.a, pair.b), (pair.b, pair.a)):
        if choices[withdrawer] == "withdraw" and choices[fighter] == "fight":
            die = dice.at(pair.hex).roll("catch", f"{withdrawer}>{fighter}")
            result.append(Chase(withdrawer, fighter, die))
    return result


def _settle_pair(
    pair: Pair, choices: Mapping[str, Choice], forces: Mapping[str, Force], caught: bool
) -> Settled:
    """A cell of the table, with what cannot leave standing off and helpless ships unable to
    fight.
    """
    cell = OUTCOME_TABLE[choices[pair.a], choices[pair.b]]
    if caught or cell == "battle":
        return "battle" if forces[pair.a].can_fight and forces[pair.b].can_fight else "overrun"
    if cell == "chase":  # the leavers get away; whoever cannot leave stands off, and is fought
        remaining = forces[pair.a if choices[pair.a] == "withdraw" else pair.b].without_leavers()
        if remaining.stayers:
            return "battle"
        return "overrun" if remaining.bound else "gone"
    return "apart"  # until it is known who goes


def _settle_after_departures(
    pair: Pair,
    before: Settled,
    leaving: Sequence[str],
    forces: Mapping[str, Force],
) -> Settled:
    """Return how a pair is settled once it is known who goes.

    Another battle may hold a faction that would get away from this one.
    """
    if before == "battle":
        return before
    settled: Settled = "apart"
    for name in (pair.a, pair.b):
        remaining = forces[name] if name not in leaving else forces[name].without_leavers()
        if not remaining.is_present:
            settled = "gone"
        elif not remaining.can_fight and before == "overrun" and settled != "gone":
            settled = "overrun"
    return settled


def form_engagements(index: ScenarioIndex, week: int, pairs: Sequence[Pair]) -> list[Engagement]:
    """The battles of one hex: pairs linked by battle form one, a faction in it is in it whole,
    allies are one side.

    Rules: 2E "When fleets meet" [camp.battle]
    """
    battles = sorted((pair.a, pair.b) for pair in pairs if pair.settled == "battle")
    if not battles:
        return []
    hex_ = pairs[0].hex
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while root.setdefault(name, name) != name:
            name = root[name]
        return name

    for a, b in battles:
        first, second = sorted((find(a), find(b)))
        root[second] = first
    linked: dict[str, list[str]] = {}
    for name in sorted(root):
        linked.setdefault(find(name), []).append(name)
    caught = {name for pair in pairs for name in pair.caught}
    stood = {
        name
        for pair in pairs
        if pair.settled == "battle"
        for name, choice in ((pair.a, pair.choice_a), (pair.b, pair.choice_b))
        if choice != "withdraw"
    }
    result = []
    for _, names in sorted(linked.items()):
        sides: dict[str, list[str]] = {}
        for name in names:
            sides.setdefault(index.side[name], []).append(name)
        result.append(
            Engagement(
                key=f"{hex_}/w{week}/{'+'.join(names)}",
                hex=hex_,
                sides=tuple(sorted(tuple(side) for side in sides.values())),
                hostile=tuple(pair for pair in battles if pair[0] in names),
                caught=tuple(name for name in names if name in caught and name not in stood),
            )
        )
    return result


def group_by_hex(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """The pairs of each hex."""
    result: dict[str, list[Pair]] = {}
    for pair in pairs:
        result.setdefault(pair.hex, []).append(pair)
    return result


def with_choices(pair: Pair, choice: ChooseFunction) -> Pair:
    """A pair with both choices: those given with the orders, else what `choice` says."""
    return Pair(
        pair.hex,
        pair.a,
        pair.b,
        pair.choice_a or choice(pair.hex, pair.a, pair.b),
        pair.choice_b or choice(pair.hex, pair.b, pair.a),
        pair.settled,
        pair.caught,
    )
