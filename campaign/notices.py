"""The wording of notices: what happened, to whom it is told, in sentences. Pure: values in, words out.

The umpire's report and a faction's speak of the same codes; both read their sentences here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from campaign.kinds import LossCause
from campaign.rules.bases import FIGHTER_BAYS
from campaign.rules.scenario import Scenario
from campaign.rules.view import Notice
from engine.english import capital, counted_kind, counted_noun, system_words

Facts = Mapping[str, str | int]

PRIZES: dict[str, str] = {
    LossCause.HULK: "found drifting",
    LossCause.STRUCK: "which surrendered",
    LossCause.LANDED: "found on the ground",
}
RECOVERED: dict[str, str] = {
    LossCause.CAPTURED: "retaken",
    LossCause.STRUCK: "recovered after its surrender",
    LossCause.HULK: "found drifting",
}
HULL = "hull"  # what is repaired by as many points as the die shows

__all__ = ["PLAYER_WORDS", "UMPIRE_LEFT_OUT", "UMPIRE_WORDS", "NoticeLine", "NoticeReader", "lines_of"]

# code of a happening -> the umpire's words; {place} and {whom} (its audience) stand besides its own facts
UMPIRE_WORDS: dict[str, str] = {
    "order-dropped": "{whom}: an order is not carried out, {order}: {why}",
    "decided": "{place}: {a} chooses {a-choice}, {b} chooses {b-choice}: {came-to}",
    "chase": "{place}: {fights} pursues {withdraws}, die {die}",
    "withdrew": "{place}: {whom} withdraws under FTL",
    "stand-off": "{place}: stand-off between {a} and {b}",
    "contested": "{place}: {a} and {b} both stay; the system is contested",
    "ship-lost": "{place}: {whom} loses {ship} ({class}), {how}",
    "taken-at-dock": "{place}: {whom} takes a docked {class} of {owner}, {how}",
    "reinforced": "{place}: {fleet} arrives for {whom}, {ships:ship} of {points:point}",
    "repaired": "{place}: {ship} of {whom} repairs its {system} (die {die})",
    "not-repaired": "{place}: {ship} of {whom} fails to repair its {system} (die {die})",
    "replenished": "{place}: {ship} of {whom} is replenished",
    "rearmed": "{place}: {ship} of {whom} changes the load of its {system}: {load}",
    "launched": "{place}: {whom} launches {ship} ({class}), {points:point}",
    "modified": "{place}: {ship} of {whom} is rebuilt as {class}, {points:point}",
    "work-dropped": "{place}: the yard of {whom} waits in vain for a ship that is gone",
    "prize": "{place}: {whom} takes a {class} of {owner} as a prize, {how}; it is called {ship}",
    "recovered": "{place}: {whom} recovers {ship} ({class}), {how}; it is laid up",
    "in-service": "{place}: {ship} of {whom} is fit for service again",
    "cargo-lost": "{place}: {ship} of {whom} loses {lost} {what}; {left} left",
    "tow-ended": "{place}: {ship} of {whom} is no longer in tow",
    "ground-hit": "{place}: {target} of {owner} is bombarded, {how}: {left} of {boxes:box} left",
    "dummy-lost": "{place}: {whom} loses the dummy counter {dummy}",
    "dummy-found": "{place}: {whom} finds out that marker {marker} of {faction} is a dummy",
}
# told to the umpire better from the worlds and the battles' results themselves
UMPIRE_LEFT_OUT = frozenset({"deployed", "scan", "battle-joined", "battle-over", "holding", "war-over", "stores"})

CHOICES = {"fight": "to fight", "stand-off": "to stand off", "withdraw": "to withdraw"}
CAME_TO = {
    "battle": "There will be a battle.",
    "overrun": "Docked ships are captured without a battle.",
    "apart": "Both stay: a stand-off.",
    "gone": "No battle: one side leaves.",
}
CHASE_AT = 6
HOLDING = "holding"  # its words begin with the place themselves


def ship_lost(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that an own ship was lost."""
    captor, how = facts.get("captor"), str(facts["how"])
    by = f" by {reader.power(captor)}" if captor and how == LossCause.CAPTURED else ""
    after = (
        f", and {reader.power(captor)} now has it"
        if captor and how in (LossCause.STRUCK, LossCause.HULK, LossCause.LANDED)
        else ""
    )
    return f"You lost {facts['ship']} ({facts['class']}): {LossCause.words(how)}{by}{after}.", "bad"


def taken(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a docked ship was taken, or found scuttled."""
    what = f"a {facts['class']} of {reader.power(facts['owner'])} in dock"
    if facts["how"] != LossCause.CAPTURED:
        return f"You found {what}, scuttled.", ""
    return f"You took {what}. {_called(facts)}".strip(), "good"


def _called(facts: Facts) -> str:
    """What a prize is called; reports from before prizes were sailed name none."""
    return f"It is now {facts['ship']}, under a prize crew." if facts.get("ship") else ""


def prize(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship became a prize."""
    how = PRIZES.get(str(facts["how"]), "boarded")
    return f"A {facts['class']} of {reader.power(facts['owner'])}, {how}, is your prize. {_called(facts)}", "good"


def recovered(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that an own ship was recovered."""
    again = RECOVERED.get(str(facts["how"]), "recovered")
    return f"{facts['ship']} ({facts['class']}) was {again}. It is laid up until a base repairs it.", "warm"


def in_service(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship is back in service."""
    return f"{facts['ship']} is back in service.", "good"


def stores(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice of what a ship is short of."""
    short = [stock_words(system, int(left)) for system, left in facts.items() if system != "ship"]
    return f"{facts['ship']} is short of stores: {', '.join(short)}.", "warm"


def cargo_lost(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship lost cargo."""
    left = f"{facts['left']} left" if facts["left"] else "none left"
    return f"{facts['ship']} lost {facts['lost']} {facts['what']}; {left}.", "bad"


def tow_ended(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship was released from tow."""
    return f"{facts['ship']} was released from tow for the battle.", ""


def repaired(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice of a repair."""
    if facts["system"] == HULL:
        return f"{facts['ship']}: {counted(facts['die'], 'point')} of damage repaired.", "good"
    return f"{facts['ship']}: {system_words(str(facts['system']))} repaired (rolled {facts['die']}).", "good"


def not_repaired(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice of a repair that failed."""
    return f"{facts['ship']}: {system_words(str(facts['system']))} not repaired (rolled {facts['die']}).", ""


def replenished(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship was replenished."""
    return f"{facts['ship']} was replenished.", "good"


def rearmed(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a system was loaded."""
    loaded = f"loaded with {facts['load']}" if facts["load"] else "loaded as it was designed"
    return f"{facts['ship']}: {system_words(str(facts['system']))} {loaded}.", "good"


def launched(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return f"{facts['ship']} ({facts['class']}) was launched for {counted(facts['points'], 'point')}.", "good"


def modified(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return f"{facts['ship']} was rebuilt as {facts['class']} for {counted(facts['points'], 'point')}.", "good"


def work_dropped(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return f"A ship that was to be rebuilt as {facts['class']} is gone: the yard dropped the work.", "warm"


def stock_words(system: str, left: int) -> str:
    """What is left in a bay, pack, magazine or minelayer: fighter bay 1 with 4 craft, submunition 1 used up, magazine 1
    with 2 salvoes (extended).
    """
    holder, _, load = system.partition("/")
    bay = system.rpartition("-")[0] in FIGHTER_BAYS
    of_load = f" ({load})" if load else ""
    if not left:
        return f"{system_words(holder)} {'empty' if bay else 'used up'}{of_load}"
    unit = "craft" if bay else "salvo" if load else "mine"
    return f"{system_words(holder)} with {counted_noun(left, unit)}{of_load}"


def counted(many: str | int, noun: str) -> str:
    """A number of a notice with its noun."""
    return counted_noun(int(many), noun)


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """A notice in words. `place`: where, empty for all; `tone`: good, bad, warm (of note), info or empty."""

    code: str
    hex: str
    place: str
    words: str
    tone: str = ""


class NoticeReader:
    """The reader of notices, and the names he knows things by."""

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


def lines_of(scenario: Scenario, faction: str, notices: Iterable[Notice]) -> tuple[NoticeLine, ...]:
    """Notices as the faction they are addressed to reads them: what concerns all first, then place by place.

    Raises KeyError for a code that has no words.
    """
    reader, found = NoticeReader(scenario, faction), []
    rank = {code: n for n, code in enumerate(PLAYER_WORDS)}
    for notice in sorted(notices, key=lambda notice: (notice.hex, rank[notice.code])):
        words, tone = PLAYER_WORDS[notice.code](reader, dict(notice.facts))
        place = "" if notice.code == HOLDING else reader.place(notice.hex)
        found.append(NoticeLine(notice.code, notice.hex, place, words, tone))
    return tuple(found)


def _deployed(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    ships = counted(facts["ships"], "ship")
    return (
        f"You deployed {ships} in {counted(facts['fleets'], 'fleet')}, worth {counted(facts['points'], 'point')}.",
        "info",
    )


def _dropped(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return f"An order could not be carried out ({facts['order']}): {facts['why']}.", "warm"


def _scan(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    seen = [counted_kind(int(many), kind) for kind, many in facts.items() if kind != "faction"]
    whose = reader.power(facts["faction"])
    if not seen:
        return f"Long range scan of {whose}: no contacts.", "warm"
    return f"Long range scan of {whose}: {', '.join(seen)}.", "warm"


def _decided(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    mine, other = ("a", "b") if reader.mine(facts) else ("b", "a")
    own, theirs = str(facts[f"{mine}-choice"]), str(facts[f"{other}-choice"])
    words = f"You chose {CHOICES.get(own, own)}; {reader.power(facts[other])} chose {CHOICES.get(theirs, theirs)}."
    came_to = str(facts["came-to"])
    return f"{words} {CAME_TO.get(came_to, '')}".strip(), "warm" if came_to in ("battle", "overrun") else ""


def _chase(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    die, caught = facts["die"], facts["die"] == CHASE_AT
    if facts["withdraws"] == reader.faction:
        came_to = "and caught you" if caught else "and you got away"
        return (
            f"{capital(reader.power(facts['fights']))} pursued, rolled {die}, {came_to}.",
            "bad" if caught else "good",
        )
    whom, came_to = reader.power(facts["withdraws"]), "caught" if caught else "got away"
    return (
        f"You pursued {whom}, rolled {die}; it {'was ' if caught else ''}{came_to}.",
        "good" if caught else "",
    )


def _withdrew(reader: NoticeReader, _: Facts) -> tuple[str, str]:
    unseen = "" if reader.open_play else "are unseen, "
    return f"Your ships withdrew under FTL. They {unseen}hold nothing, and must move this week.", ""


def _stand_off(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    other = reader.power(facts["b"] if reader.mine(facts) else facts["a"])
    return f"Stand-off with {other}: both sides stay and do not fight.", "warm"


def _contested(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    other = reader.power(facts["b"] if reader.mine(facts) else facts["a"])
    return f"You and {other} both stay. The system is contested; nobody holds it.", "warm"


def _reinforced(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return (
        f"{facts['fleet']} arrived: {counted(facts['ships'], 'ship')} worth {counted(facts['points'], 'point')}.",
        "good",
    )


def _dummy_lost(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return f"{facts['dummy']} met another fleet and is removed from the map.", "warm"


def _dummy_found(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    whose = reader.power(facts["faction"])
    return f"Marker {facts['marker']} of {whose} is a dummy.", "good"


def _joined(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    sides = [" and ".join(map(reader.power, side.split("+"))) for side in str(facts["sides"]).split(" v ")]
    return f"A battle begins: {' against '.join(sides)}.", "warm"


def _over(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    victors = [power for power in str(facts["winner"]).split("+") if power]
    won = reader.faction in victors
    result = (
        "you won" if won else f"{' and '.join(map(reader.power, victors))} won" if victors else "there was no winner"
    )
    lost = [
        f"{reader.power(key.removesuffix('-lost'))} lost {counted(many, 'ship') if many else 'no ship'}"
        for key, many in facts.items()
        if key.endswith("-lost")
    ]
    words = f"The battle ended after {counted(facts['turns'], 'turn')}; {result}. {capital(', '.join(lost))}."
    return words, "good" if won else "bad" if victors else ""


def _holding(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    name, holder, state = reader.system(str(facts["system"])), str(facts["holder"]), str(facts["state"])
    if state == "contested":
        return f"{name} is contested.", "warm"
    held = f"held by {reader.power(holder)}" if holder else "held by nobody"
    standing = ", in a stand-off" if state == "stand-off" else ""
    superior = str(facts["superior"])
    over = (
        f"; {reader.power(superior)} {'have' if superior == reader.faction else 'has'} superiority" if superior else ""
    )
    tone = "good" if holder == reader.faction else "bad" if holder else ""
    return f"{name} is now {held}{standing}{over}.", tone


def _ground_hit(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    owner, left = str(facts["owner"]), facts["left"]
    whose = "your" if owner == reader.faction else f"{reader.power(owner)}'s"
    state = f"has {left} of {counted(facts['boxes'], 'box')} left" if left else "lies in ruins"
    return f"On the ground, {whose} {facts['target']} {state}.", "bad" if owner == reader.faction else "good"


def _war_over(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    winner = str(facts["winner"])
    tone = "good" if winner == reader.faction else "bad" if winner else "info"
    return f"The war is over: {capital(str(facts['result']))}.", tone


# in the order in which things are told of a place
PLAYER_WORDS: dict[str, Callable[[NoticeReader, Facts], tuple[str, str]]] = {
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
    "ship-lost": ship_lost,
    "taken-at-dock": taken,
    "prize": prize,
    "recovered": recovered,
    "cargo-lost": cargo_lost,
    "stores": stores,
    "tow-ended": tow_ended,
    "stand-off": _stand_off,
    "contested": _contested,
    HOLDING: _holding,
    "ground-hit": _ground_hit,
    "repaired": repaired,
    "not-repaired": not_repaired,
    "replenished": replenished,
    "rearmed": rearmed,
    "in-service": in_service,
    "launched": launched,
    "modified": modified,
    "work-dropped": work_dropped,
}
