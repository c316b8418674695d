"""The wording of notices: what happened, to whom it is told, in sentences. Pure: values in, words out.

The umpire's report and a faction's speak of the same codes; both wordings of a code stand here side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from campaign import notices_ships as ships
from campaign.notices_ships import system_words
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice

__all__ = ["PLAYER_WORDS", "UMPIRE_LEFT_OUT", "UMPIRE_WORDS", "Line", "Reader", "lines_of", "system_words"]

# code of a happening -> the umpire's words; {place} and {whom} (its audience) stand besides its own facts
UMPIRE_WORDS: dict[str, str] = {
    "order-dropped": "{whom}: an order is not carried out, {order}: {why}",
    "decided": "{place}: {a} chooses {a-choice}, {b} chooses {b-choice}: {came-to}",
    "chase": "{place}: {fights} gives chase to {withdraws}, die {die}",
    "withdrew": "{place}: {whom} withdraws under FTL",
    "stand-off": "{place}: {a} and {b} glare at each other",
    "contested": "{place}: {a} and {b} both remain; the system is contested",
    "ship-lost": "{place}: {whom} loses {ship} ({class}), {how}",
    "taken-at-dock": "{place}: {whom} takes a {class} of {owner} at dock, {how}",
    "reinforced": "{place}: {fleet} arrives for {whom}, {ships} ships of {points} points",
    "repaired": "{place}: {ship} of {whom} has its {system} repaired (die {die})",
    "not-repaired": "{place}: {ship} of {whom} does not get its {system} repaired (die {die})",
    "replenished": "{place}: {ship} of {whom} is replenished",
    "rearmed": "{place}: {ship} of {whom} has its {system} loaded otherwise: {load}",
    "prize": "{place}: {whom} takes a {class} of {owner} as a prize, {how}; it is called {ship}",
    "recovered": "{place}: {whom} recovers {ship} ({class}), {how}; it is laid up",
    "in-service": "{place}: {ship} of {whom} is fit for service again",
    "cargo-lost": "{place}: {ship} of {whom} loses {lost} {what}; {left} left",
    "tow-ended": "{place}: the tow of {ship} of {whom} is cast off",
    "dummy-lost": "{place}: {whom} loses the dummy counter {dummy}",
    "dummy-found": "{place}: {whom} finds that marker {marker} of {faction} is a dummy",
}
# told to the umpire better from the worlds and the battles' results themselves
UMPIRE_LEFT_OUT = frozenset({"deployed", "scan", "battle-joined", "battle-over", "holding", "war-over", "stores"})

CHOICES = {"fight": "to fight", "stand-off": "to stand off", "withdraw": "to withdraw"}
CAME_TO = {
    "battle": "It comes to battle.",
    "overrun": "What lay at dock is overrun without a battle.",
    "apart": "Both stay, and keep their distance.",
    "gone": "There is no battle: one side leaves.",
}
CHASE_AT = 6
HOLDING = "holding"  # its words begin with the place themselves
Facts = Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Line:
    """A notice in words. `place`: where, empty for all; `tone`: good, bad, warm (of note), info or empty."""

    code: str
    hex: str
    place: str
    words: str
    tone: str = ""


class Reader:
    """Who reads, and the names he knows things by."""

    def __init__(self, scenario: Scenario, faction: str) -> None:
        self.faction, self.open_play = faction, scenario.open_play
        self._hexes = {system.hex: system.name for system in scenario.systems}
        self._systems = {system.id: system.name for system in scenario.systems}
        self._powers = {power.id: power.name for power in scenario.factions}

    def place(self, hex_: str) -> str:
        return self._hexes.get(hex_, f"hex {hex_}" if hex_ else "")

    def system(self, key: str) -> str:
        return self._systems.get(key, key)

    def power(self, key: object) -> str:
        """A faction in the middle of a sentence."""
        return "you" if key == self.faction else self._powers.get(str(key), str(key))

    def mine(self, facts: Facts) -> bool:
        return facts.get("a") == self.faction


def lines_of(scenario: Scenario, faction: str, notices: Iterable[Notice]) -> tuple[Line, ...]:
    """Notices as the faction they are addressed to reads them: what concerns all first, then place by place.

    Raises KeyError for a code that has no words.
    """
    reader, found = Reader(scenario, faction), []
    rank = {code: n for n, code in enumerate(PLAYER_WORDS)}
    for notice in sorted(notices, key=lambda notice: (notice.hex, rank[notice.code])):
        words, tone = PLAYER_WORDS[notice.code](reader, dict(notice.facts))
        place = "" if notice.code == HOLDING else reader.place(notice.hex)
        found.append(Line(notice.code, notice.hex, place, words, tone))
    return tuple(found)


def _deployed(_: Reader, facts: Facts) -> tuple[str, str]:
    ships = _count(facts["ships"], "ship")
    return f"You deployed {ships} in {_count(facts['fleets'], 'fleet')}, worth {facts['points']} points.", "info"


def _dropped(_: Reader, facts: Facts) -> tuple[str, str]:
    return f"An order could not be carried out ({facts['order']}): {facts['why']}.", "warm"


def _scan(reader: Reader, facts: Facts) -> tuple[str, str]:
    seen = [f"{many} {kind.upper()}" for kind, many in facts.items() if kind != "faction"]
    whose = reader.power(facts["faction"])
    if not seen:
        return f"{whose} is here, but your long range scan reads no contacts.", "warm"
    return f"Long range scan of {whose}: {', '.join(seen)}.", "warm"


def _decided(reader: Reader, facts: Facts) -> tuple[str, str]:
    mine, other = ("a", "b") if reader.mine(facts) else ("b", "a")
    own, theirs = str(facts[f"{mine}-choice"]), str(facts[f"{other}-choice"])
    words = f"You chose {CHOICES.get(own, own)}; {reader.power(facts[other])} chose {CHOICES.get(theirs, theirs)}."
    came_to = str(facts["came-to"])
    return f"{words} {CAME_TO.get(came_to, '')}".strip(), "warm" if came_to in ("battle", "overrun") else ""


def _chase(reader: Reader, facts: Facts) -> tuple[str, str]:
    die, caught = facts["die"], facts["die"] == CHASE_AT
    if facts["withdraws"] == reader.faction:
        came_to = "and caught you" if caught else "and you got away"
        return f"{reader.power(facts['fights'])} gave chase, rolled {die}, {came_to}.", "bad" if caught else "good"
    whom, came_to = reader.power(facts["withdraws"]), "caught" if caught else "got away"
    return (
        f"You gave chase to {whom}: a roll of {die}, it {'was ' if caught else ''}{came_to}.",
        "good" if caught else "",
    )


def _withdrew(reader: Reader, _: Facts) -> tuple[str, str]:
    unseen = "" if reader.open_play else "are unseen, "
    return f"Your ships withdrew under FTL. They {unseen}hold nothing, and must move on.", ""


def _stand_off(reader: Reader, facts: Facts) -> tuple[str, str]:
    other = reader.power(facts["b"] if reader.mine(facts) else facts["a"])
    return f"A stand-off: your ships and those of {other} glare at each other.", "warm"


def _contested(reader: Reader, facts: Facts) -> tuple[str, str]:
    other = reader.power(facts["b"] if reader.mine(facts) else facts["a"])
    return f"You and {other} both remain. The system is contested and nobody's.", "warm"


def _reinforced(_: Reader, facts: Facts) -> tuple[str, str]:
    return f"{facts['fleet']} arrived: {_count(facts['ships'], 'ship')} of {facts['points']} points.", "good"


def _dummy_lost(_: Reader, facts: Facts) -> tuple[str, str]:
    return f"{facts['dummy']} met somebody and is off the map.", "warm"


def _dummy_found(reader: Reader, facts: Facts) -> tuple[str, str]:
    whose = reader.power(facts["faction"])
    return f"Marker {facts['marker']} of {whose} is a dummy: there is nothing behind it.", "good"


def _joined(reader: Reader, facts: Facts) -> tuple[str, str]:
    sides = [" and ".join(map(reader.power, side.split("+"))) for side in str(facts["sides"]).split(" v ")]
    return f"A battle is joined: {' against '.join(sides)}.", "warm"


def _over(reader: Reader, facts: Facts) -> tuple[str, str]:
    victors = [power for power in str(facts["winner"]).split("+") if power]
    won = reader.faction in victors
    whose = "yours" if won else f"left to {' and '.join(map(reader.power, victors))}" if victors else "nobody's"
    lost = [
        f"{reader.power(key.removesuffix('-lost'))} lost {_count(many, 'ship') if many else 'no ship'}"
        for key, many in facts.items()
        if key.endswith("-lost")
    ]
    words = (
        f"The battle ended after {_count(facts['turns'], 'turn')}; the field is {whose}. {_capital(', '.join(lost))}."
    )
    return words, "good" if won else "bad" if victors else ""


def _holding(reader: Reader, facts: Facts) -> tuple[str, str]:
    name, holder, state = reader.system(str(facts["system"])), str(facts["holder"]), str(facts["state"])
    if state == "contested":
        return f"{name} is contested.", "warm"
    held = f"held by {reader.power(holder)}" if holder else "nobody's"
    standing = ", in a stand-off" if state == "stand-off" else ""
    superior = str(facts["superior"])
    over = (
        f"; {reader.power(superior)} {'have' if superior == reader.faction else 'has'} superiority" if superior else ""
    )
    tone = "good" if holder == reader.faction else "bad" if holder else ""
    return f"{name} is now {held}{standing}{over}.", tone


def _war_over(reader: Reader, facts: Facts) -> tuple[str, str]:
    winner = str(facts["winner"])
    tone = "good" if winner == reader.faction else "bad" if winner else "info"
    return f"The war is over: {facts['result']}.", tone


# in the order in which things are told of a place
PLAYER_WORDS: dict[str, Callable[[Reader, Facts], tuple[str, str]]] = {
    "war-over": _war_over,
    "deployed": _deployed,
    "order-dropped": _dropped,
    "reinforced": _reinforced,
    "scan": _scan,
    "dummy-lost": _dummy_lost,
    "dummy-found": _dummy_found,
    "decided": _decided,
    "chase": _chase,
    "withdrew": _withdrew,
    "battle-joined": _joined,
    "battle-over": _over,
    "ship-lost": ships.ship_lost,
    "taken-at-dock": ships.taken,
    "prize": ships.prize,
    "recovered": ships.recovered,
    "cargo-lost": ships.cargo_lost,
    "stores": ships.stores,
    "tow-ended": ships.tow_ended,
    "stand-off": _stand_off,
    "contested": _contested,
    HOLDING: _holding,
    "repaired": ships.repaired,
    "not-repaired": ships.not_repaired,
    "replenished": ships.replenished,
    "rearmed": ships.rearmed,
    "in-service": ships.in_service,
}


def _count(many: object, noun: str) -> str:
    return f"{many} {noun}{'' if many == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
