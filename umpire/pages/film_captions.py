"""One caption for each step of the film of a war: the largest things that happened. Pure.

For finished wars, whose truth is public. A caption has at most three sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campaign.kinds import StageKind
from campaign.rules.queries import result_words
from campaign.rules.scenario import Scenario
from campaign.rules.world import Fleet, Pair, World
from engine.core.phrase import capitalize_first, join_phrases, phrase
from engine.english import Count, counted_noun, join_names, short_name

MAX_SENTENCES = 3
MAX_MOVES = 2
SEPARATOR = "+"  # between the factions in the name of a battle's side


@dataclass(frozen=True, slots=True)
class FilmBattle:
    """A fought battle.

    Attributes:
        winner: The factions of the side that won, joined by "+"; empty if nobody did.
    """

    public_id: str
    week: int
    hex: str
    place: str
    winner: str
    turns: int


def caption(
    scenario: Scenario, before: World | None, world: World, battles: Sequence[FilmBattle]
) -> str:
    """Return the caption of a moment of the war.

    Args:
        before: The world at the step before; None at the first step.
        battles: Those that ended since the step before.
    """
    if before is None:
        sentences = _opening(scenario, world)
    elif world.stage == StageKind.DECISIONS:
        sentences = _meetings(scenario, world) or _moves(scenario, before, world)
    elif world.stage == StageKind.BATTLES:
        sentences = _battles(scenario, before, world)
    else:
        sentences = _results(scenario, before, world, battles)
    return join_phrases(" ", sentences[:MAX_SENTENCES])


def place_name(scenario: Scenario, hex_: str) -> str:
    """Return the name of the system in a hex, or the hex."""
    for system in scenario.systems:
        if system.hex == hex_:
            return system.name
    return phrase("hex {}", hex_)


def side_name(side: str) -> str:
    """Return the short names of a side's factions."""
    return join_names([short_name(power) for power in side.split(SEPARATOR)])


def _opening(scenario: Scenario, world: World) -> list[str]:
    """Return what each faction has at the start."""
    counts = Counter(ship.faction for ship in world.ships)
    strengths = []
    for faction in scenario.factions:
        ships = counted_noun(counts[faction.id], "ship")
        strengths.append(phrase("{}: {}", short_name(faction.id), ships))
    return [
        phrase("The war begins and can last {}.", counted_noun(scenario.weeks, "week")),
        phrase("{}.", join_phrases(", ", strengths)),
    ]


def _meetings(scenario: Scenario, world: World) -> list[str]:
    """Return the largest meeting, what its sides count wrongly, and the number of further ones."""
    counts = _ships_at(world)

    def total(pair: Pair) -> int:
        return counts[pair.hex, pair.a] + counts[pair.hex, pair.b]

    pairs = sorted(world.pairs, key=lambda pair: (-total(pair), pair.hex))
    if not pairs:
        return []
    pair = pairs[0]
    sentences = [
        phrase(
            "{}: {} of {} meet {} of {}.",
            place_name(scenario, pair.hex),
            counted_noun(counts[pair.hex, pair.a], "ship"),
            short_name(pair.a),
            Count(counts[pair.hex, pair.b]),
            short_name(pair.b),
        )
    ]
    for scan in world.scans:
        counted = sum(number for _, number in scan.counts)
        is_of_pair = scan.hex == pair.hex and {scan.viewer, scan.target} == {pair.a, pair.b}
        if is_of_pair and counted != counts[scan.hex, scan.target]:
            sentences.append(phrase("{} counts {}.", short_name(scan.viewer), Count(counted)))
    others = {place_name(scenario, other.hex): None for other in pairs[1:]}
    others.pop(place_name(scenario, pair.hex), None)
    if others and len(sentences) < MAX_SENTENCES:
        sentences.append(phrase("Fleets meet at {} too.", join_names(list(others))))
    return sentences


def _moves(scenario: Scenario, before: World, world: World) -> list[str]:
    """Return the largest moves."""
    old_hexes = {fleet.key: fleet.hex for fleet in before.fleets}
    ships = Counter(ship.fleet for ship in world.ships)
    moved: list[Fleet] = []
    for fleet in world.fleets:
        if ships[fleet.key] and old_hexes.get(fleet.key, fleet.hex) != fleet.hex:
            moved.append(fleet)
    moved.sort(key=lambda fleet: (-ships[fleet.key], fleet.key))
    sentences = []
    for fleet in moved[:MAX_MOVES]:
        sentences.append(
            phrase(
                "{} of {} ({}) moves to {}.",
                fleet.name,
                short_name(fleet.faction),
                counted_noun(ships[fleet.key], "ship"),
                place_name(scenario, fleet.hex),
            )
        )
    sentences.append(phrase("Nobody meets."))
    return sentences


def _battles(scenario: Scenario, before: World, world: World) -> list[str]:
    """Return where battles are fought, and who was caught."""
    places = {place_name(scenario, item.hex): None for item in world.engagements}
    if not places:
        if before.pairs:
            return [phrase("The fleets part without a battle.")]
        return [phrase("No battles this week.")]
    sentences = [phrase("Battle at {}.", join_names(list(places)))]
    for item in world.engagements:
        if item.caught:
            caught = join_names([short_name(power) for power in item.caught])
            where = place_name(scenario, item.hex)
            sentences.append(phrase("{} is caught withdrawing at {}.", caught, where))
    return sentences


def _results(
    scenario: Scenario, before: World, world: World, battles: Sequence[FilmBattle]
) -> list[str]:
    """Return the results of battles, the losses, and which systems changed hands."""
    sentences = []
    if world.stage == StageKind.OVER and world.result:
        result = capitalize_first(result_words(scenario, world.result))
        sentences.append(phrase("{}.", result))
    for battle in battles:
        turns = counted_noun(battle.turns, "turn")
        if battle.winner:
            winner = side_name(battle.winner)
            sentences.append(phrase("{} wins at {} after {}.", winner, battle.place, turns))
        else:
            sentences.append(phrase("{}: nobody wins after {}.", battle.place, turns))
    if len(sentences) < MAX_SENTENCES:
        sentences += _losses(scenario, before, world)
    sentences += _new_holders(scenario, before, world)
    return sentences or [phrase("Nothing changes hands.")]


def _losses(scenario: Scenario, before: World, world: World) -> Iterable[str]:
    """Yield how many ships each faction lost."""
    counts = Counter(loss.ship.faction for loss in world.losses[len(before.losses) :])
    losses = []
    for faction in scenario.factions:
        if counts[faction.id]:
            losses.append(phrase("{} {}", short_name(faction.id), Count(counts[faction.id])))
    if losses:
        yield phrase("Ships lost: {}.", join_phrases(", ", losses))


def _new_holders(scenario: Scenario, before: World, world: World) -> Iterable[str]:
    """Yield which systems each faction took, then those that nobody holds any more."""
    old = {holding.system: holding.holder for holding in before.holdings}
    names = {system.id: system.name for system in scenario.systems}
    taken: dict[str, list[str]] = {}
    for holding in world.holdings:
        if holding.holder != old.get(holding.system):
            taken.setdefault(holding.holder or "", []).append(names[holding.system])
    for holder, systems in sorted(taken.items(), key=lambda item: (not item[0], item[0])):
        places = join_names(systems)
        if holder:
            yield phrase("{} takes {}.", short_name(holder), places)
        else:
            yield phrase("Nobody holds {} any more.", places)


def _ships_at(world: World) -> Counter[tuple[str, str]]:
    """Return the number of ships by hex and faction, without those in FTL space."""
    fleets = {fleet.key: fleet for fleet in world.fleets if not fleet.in_ftl}
    counts: Counter[tuple[str, str]] = Counter()
    for ship in world.ships:
        if ship.fleet in fleets:
            counts[fleets[ship.fleet].hex, ship.faction] += 1
    return counts
