"""The wording of notices to a faction: what happened, in sentences. Pure: values in, words out.

The umpire's report speaks of the same codes in words of its own (`umpire.notice_words`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import cast

from campaign.kinds import LossCause
from campaign.rules.bases import FIGHTER_BAYS
from campaign.rules.scenario import Scenario
from campaign.rules.skirmish import is_skirmish
from campaign.rules.view import Notice
from campaign.words.links import linked
from campaign.words.stored_reasons import told_again
from engine.core.phrase import joined_phrases, phrase
from engine.english import capital, counted_kind, counted_noun, kind_words, system_words

Facts = Mapping[str, str | int]

PRIZES: dict[str, str] = {
    LossCause.HULK: phrase("found drifting"),
    LossCause.STRUCK: phrase("which surrendered"),
    LossCause.LANDED: phrase("found on the ground"),
}
BOARDED = phrase("boarded")
RECOVERED: dict[str, str] = {
    LossCause.CAPTURED: phrase("retaken"),
    LossCause.STRUCK: phrase("recovered after its surrender"),
    LossCause.HULK: phrase("found drifting"),
}
HULL = "hull"  # what is repaired by as many points as the die shows

CHOICES = {"fight": phrase("to fight"), "stand-off": phrase("to stand off"), "withdraw": phrase("to withdraw")}
CAME_TO = {
    "battle": phrase("There will be a battle."),
    "overrun": phrase("Docked ships are captured without a battle."),
    "apart": phrase("Both stay: a stand-off."),
    "gone": phrase("No battle: one side leaves."),
}
CHASE_AT = 6
LOST = "ship-lost"
HOLDING = "holding"  # its words begin with the place themselves
OF_A_WAR = ("contested", HOLDING)  # who holds a system, which a single battle does not ask


def end_of(how: str, captor: str) -> str:
    """How a ship ended for its owner, in words. `captor`: who has it since, by name; empty where nobody has."""
    words = LossCause.words(how)
    if captor and how == LossCause.CAPTURED:
        return phrase("captured by {}", captor)
    if captor and how in (LossCause.STRUCK, LossCause.HULK, LossCause.LANDED):
        return phrase("{}, and {} now has it", words, captor)
    return words


def ship_lost(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that an own ship was lost."""
    captor = facts.get("captor")
    end = end_of(str(facts["how"]), reader.power(captor) if captor else "")
    return phrase("You lost {} ({}): {}.", facts["ship"], facts["class"], end), "bad"


def taken(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a docked ship was taken, or found scuttled."""
    what = phrase("a {} of {} in dock", facts["class"], reader.power(facts["owner"]))
    if facts["how"] != LossCause.CAPTURED:
        return phrase("You found {}, scuttled.", what), ""
    return phrase("You took {}. {}", what, _called(facts)).strip(), "good"


def _called(facts: Facts) -> str:
    """What a prize is called; reports from before prizes were sailed name none."""
    return phrase("It is now {}, under a prize crew.", facts["ship"]) if facts.get("ship") else ""


def prize(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship became a prize."""
    how = PRIZES.get(str(facts["how"]), BOARDED)
    return phrase(
        "A {} of {}, {}, is your prize. {}", facts["class"], reader.power(facts["owner"]), how, _called(facts)
    ), "good"


def recovered(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that an own ship was recovered."""
    again = RECOVERED.get(str(facts["how"]), phrase("recovered"))
    return phrase(
        "{} ({}) was {}. It is laid up until a base repairs it.", facts["ship"], facts["class"], again
    ), "warm"


def in_service(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship is back in service."""
    return phrase("{} is back in service.", facts["ship"]), "good"


def stores(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice of what a ship is short of."""
    short = [stock_words(system, int(left)) for system, left in facts.items() if system != "ship"]
    return phrase("{} is short of stores: {}.", facts["ship"], joined_phrases(", ", short)), "warm"


def cargo_lost(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship lost cargo."""
    ship, lost, what, left = (facts[name] for name in ("ship", "lost", "what", "left"))
    return phrase("{} lost {} {}; {} left.", ship, lost, what, left) if left else phrase(
        "{} lost {} {}; none left.", ship, lost, what
    ), "bad"


def tow_ended(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship was released from tow."""
    return phrase("{} was released from tow for the battle.", facts["ship"]), ""


def repaired(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice of a repair."""
    if facts["system"] == HULL:
        return phrase("{}: {} of damage repaired.", facts["ship"], counted(facts["die"], "point")), "good"
    return phrase(
        "{}: {} repaired (rolled {}).", facts["ship"], system_words(str(facts["system"])), facts["die"]
    ), "good"


def not_repaired(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice of a repair that failed."""
    return phrase(
        "{}: {} not repaired (rolled {}).", facts["ship"], system_words(str(facts["system"])), facts["die"]
    ), ""


def replenished(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a ship was replenished."""
    return phrase("{} was replenished.", facts["ship"]), "good"


def rearmed(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    """The line and the tone of a notice that a system was loaded."""
    system = system_words(str(facts["system"]))
    if facts["load"]:
        return phrase("{}: {} loaded with {}.", facts["ship"], system, kind_words(str(facts["load"]))), "good"
    return phrase("{}: {} loaded as it was designed.", facts["ship"], system), "good"


def launched(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return phrase(
        "{} ({}) was launched for {}.", facts["ship"], facts["class"], counted(facts["points"], "point")
    ), "good"


def modified(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return phrase(
        "{} was rebuilt as {} for {}.", facts["ship"], facts["class"], counted(facts["points"], "point")
    ), "good"


def work_dropped(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return phrase("A ship that was to be rebuilt as {} is gone: the yard dropped the work.", facts["class"]), "warm"


def stock_words(system: str, left: int) -> str:
    """What is left in a bay, pack, magazine or minelayer: fighter bay 1 with 4 craft, submunition 1 used up, magazine 1
    with 2 salvoes (extended).
    """
    holder, _, load = system.partition("/")
    bay = system.rpartition("-")[0] in FIGHTER_BAYS
    if bay and not left:
        said = phrase("{} empty", system_words(holder))
    elif not left:
        said = phrase("{} used up", system_words(holder))
    else:
        unit = "craft" if bay else "salvo" if load else "mine"
        said = phrase("{} with {}", system_words(holder), counted_noun(left, unit))
    return phrase("{} ({})", said, kind_words(load)) if load else said


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


@dataclass(frozen=True, slots=True)
class NoticeLinks:
    """Addresses of what notices name: pages of one's ships by their names, places on the map by systems' keys."""

    ships: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)


NO_LINKS = NoticeLinks()


class NoticeReader:
    """The reader of notices, and the names he knows things by."""

    def __init__(self, scenario: Scenario, faction: str, links: NoticeLinks = NO_LINKS) -> None:
        self.faction, self.open_play, self.links = faction, scenario.open_play, links
        self.single = is_skirmish(scenario)
        self._hexes = {system.hex: system.name for system in scenario.systems}
        self._systems = {system.id: system.name for system in scenario.systems}
        self._powers = {power.id: power.name for power in scenario.factions}

    def place(self, hex_: str) -> str:
        return self._hexes.get(hex_, phrase("hex {}", hex_) if hex_ else "")

    def system(self, key: str) -> str:
        return linked(self._systems.get(key, key), self.links.systems.get(key, ""))

    def power(self, key: object) -> str:
        """A faction in the middle of a sentence, the reader's own as one speaks to him of more than one side."""
        return phrase("you") if key == self.faction else self._powers.get(str(key), str(key))

    def facts(self, notice: Notice) -> Facts:
        """The facts of a notice; ships that have a page lead to it."""
        facts = dict(notice.facts)
        return facts | {"ship": self.ship(str(facts["ship"]))} if "ship" in facts else facts

    def ship(self, name: str) -> str:
        """A ship by its name, which leads to its page where it has one."""
        return linked(name, self.links.ships.get(name, ""))

    def mine(self, facts: Facts) -> bool:
        return facts.get("a") == self.faction


def lines_of(
    scenario: Scenario, faction: str, notices: Iterable[Notice], links: NoticeLinks = NO_LINKS
) -> tuple[NoticeLine, ...]:
    """Notices as the faction they are addressed to reads them: what concerns all first, then place by place. Ships that
    were destroyed at one place are one line. `links`: what the names in them lead to.

    Raises KeyError for a code that has no words.
    """
    reader = NoticeReader(scenario, faction, links)
    if reader.single:
        notices = [one for one in notices if one.code not in OF_A_WAR]
    found: list[NoticeLine] = []
    rank = {code: n for n, code in enumerate(PLAYER_WORDS)}
    for (hex_, code, gone), several in groupby(sorted(notices, key=lambda one: (one.hex, rank[one.code])), key=_alike):
        facts = [reader.facts(notice) for notice in several]
        place = "" if code == HOLDING else reader.place(hex_)
        together = gone and len(facts) > 1
        told = [_destroyed(facts)] if together else [PLAYER_WORDS[code](reader, one) for one in facts]
        found += [NoticeLine(code, hex_, place, words, tone) for words, tone in told]
    return tuple(found)


def _alike(notice: Notice) -> tuple[str, str, bool]:
    """Place and code of a notice, and whether it is of a ship destroyed, which is told together with others."""
    return notice.hex, notice.code, destroyed(notice)


def destroyed(notice: Notice) -> bool:
    """Whether it is of a ship destroyed, which is told together with others."""
    return notice.code == LOST and dict(notice.facts)["how"] == LossCause.DESTROYED


def _destroyed(facts: Sequence[Facts]) -> tuple[str, str]:
    """The line and the tone of notices that several ships were destroyed."""
    names = joined_phrases(", ", (cast(str, one["ship"]) for one in facts))
    return phrase("You lost {}, destroyed: {}.", counted(len(facts), "ship"), names), "bad"


def _deployed(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    ships = counted(facts["ships"], "ship")
    return (
        phrase(
            "You deployed {} in {}, worth {}.",
            ships,
            counted(facts["fleets"], "fleet"),
            counted(facts["points"], "point"),
        ),
        "info",
    )


def _dropped(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return phrase("An order could not be carried out ({}): {}.", facts["order"], told_again(str(facts["why"]))), "warm"


def _scan(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    seen = [counted_kind(int(many), kind) for kind, many in facts.items() if kind != "faction"]
    whose = reader.power(facts["faction"])
    if not seen:
        return phrase("Long range scan of {}: no contacts.", whose), "warm"
    return phrase("Long range scan of {}: {}.", whose, joined_phrases(", ", seen)), "warm"


def _survivors(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    left = [counted_kind(int(many), kind) for kind, many in facts.items() if kind != "faction"]
    whose = reader.power(facts["faction"])
    if not left:
        return phrase("As far as you saw, no ship of {} is left here.", whose), "good"
    contacts = joined_phrases(", ", left)
    return phrase("As far as you saw, {} still has here: {}.", whose, contacts), "warm"


def _decided(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    mine, other = ("a", "b") if reader.mine(facts) else ("b", "a")
    own, theirs = str(facts[f"{mine}-choice"]), str(facts[f"{other}-choice"])
    words = phrase(
        "You chose {}; {} chose {}.", CHOICES.get(own, own), reader.power(facts[other]), CHOICES.get(theirs, theirs)
    )
    came_to = str(facts["came-to"])
    return phrase("{} {}", words, CAME_TO.get(came_to, "")).strip(), "warm" if came_to in ("battle", "overrun") else ""


def _chase(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    die, caught = facts["die"], facts["die"] == CHASE_AT
    if facts["withdraws"] == reader.faction:
        whom = reader.power(facts["fights"])
        if caught:
            return phrase("{} pursued, rolled {}, and caught you.", whom, die), "bad"
        return phrase("{} pursued, rolled {}, and you got away.", whom, die), "good"
    whom = reader.power(facts["withdraws"])
    if caught:
        return phrase("You pursued {}, rolled {}; it was caught.", whom, die), "good"
    return phrase("You pursued {}, rolled {}; it got away.", whom, die), ""


def _withdrew(reader: NoticeReader, _: Facts) -> tuple[str, str]:
    if reader.open_play:
        return phrase("Your ships withdrew under FTL. They hold nothing, and must move this week."), ""
    return phrase("Your ships withdrew under FTL. They are unseen, hold nothing, and must move this week."), ""


def _stand_off(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    other = reader.power(facts["b"] if reader.mine(facts) else facts["a"])
    return phrase("Stand-off with {}: both sides stay and do not fight.", other), "warm"


def _contested(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    other = reader.power(facts["b"] if reader.mine(facts) else facts["a"])
    return phrase("You and {} both stay. The system is contested; nobody holds it.", other), "warm"


def _reinforced(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return (
        phrase(
            "{} arrived: {} worth {}.",
            facts["fleet"],
            counted(facts["ships"], "ship"),
            counted(facts["points"], "point"),
        ),
        "good",
    )


def _dummy_lost(_: NoticeReader, facts: Facts) -> tuple[str, str]:
    return phrase("{} met another fleet and is removed from the map.", facts["dummy"]), "warm"


def _dummy_found(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    whose = reader.power(facts["faction"])
    return phrase("Marker {} of {} is a dummy.", facts["marker"], whose), "good"


def _joined(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    keys = str(facts["sides"]).split(" v ")
    sides = [joined_phrases(" and ", map(reader.power, side.split("+"))) for side in keys]
    if len(keys) == 2 and reader.faction in keys:
        if keys[0] == reader.faction:
            return phrase("A battle begins: you against {}.", sides[1]), "warm"
        return phrase("A battle begins: {} against you.", sides[0]), "warm"
    return phrase("A battle begins: {}.", joined_phrases(" against ", sides)), "warm"


def _over(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    victors = [power for power in str(facts["winner"]).split("+") if power]
    won = reader.faction in victors
    result = (
        phrase("you won")
        if won
        else phrase("{} won", joined_phrases(" and ", map(reader.power, victors)))
        if victors
        else phrase("there was no winner")
    )
    lost = [cost(reader, key.removesuffix("-lost"), int(many)) for key, many in facts.items() if key.endswith("-lost")]
    words = phrase(
        "The battle ended after {}; {}. {}.",
        counted(facts["turns"], "turn"),
        result,
        capital(joined_phrases(", ", lost)),
    )
    return words, "good" if won else "bad" if victors else ""


def cost(
    reader: NoticeReader,
    who: str,
    ships: int,
    ours: tuple[str, str] = (phrase("you lost {}"), phrase("you lost no ship")),
) -> str:
    """What a battle cost a faction. `ours`: where it is the reader, of some ships and of none."""
    if who == reader.faction:
        some, none = ours
        return some.format(counted(ships, "ship")) if ships else none
    name = reader.power(who)
    return phrase("{} lost {}", name, counted(ships, "ship")) if ships else phrase("{} lost no ship", name)


def standing(reader: NoticeReader, facts: Facts, held: str, ours: str = phrase("{}; you have superiority")) -> str:
    """Who holds a system (`held`), with what else there is to say of it: a stand-off, and who has superiority. `ours`:
    where it is the reader.
    """
    if facts["state"] == "stand-off":
        held = phrase("{}, in a stand-off", held)
    superior = str(facts["superior"])
    if superior == reader.faction:
        return ours.format(held)
    return phrase("{}; {} has superiority", held, reader.power(superior)) if superior else held


def _holding(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    name, holder = reader.system(str(facts["system"])), str(facts["holder"])
    if facts["state"] == "contested":
        return phrase("{} is contested.", name), "warm"
    if holder == reader.faction:
        held, tone = phrase("{} is now held by you", name), "good"
    elif holder:
        held, tone = phrase("{} is now held by {}", name, reader.power(holder)), "bad"
    else:
        held, tone = phrase("{} is now held by nobody", name), ""
    return phrase("{}.", standing(reader, facts, held)), tone


def _ground_hit(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    target, left, boxes = facts["target"], facts["left"], counted(facts["boxes"], "box")
    if facts["owner"] == reader.faction:
        if left:
            return phrase("On the ground, your {} has {} of {} left.", target, left, boxes), "bad"
        return phrase("On the ground, your {} lies in ruins.", target), "bad"
    whose = reader.power(facts["owner"])
    if left:
        return phrase("On the ground, {}'s {} has {} of {} left.", whose, target, left, boxes), "good"
    return phrase("On the ground, {}'s {} lies in ruins.", whose, target), "good"


def _war_over(reader: NoticeReader, facts: Facts) -> tuple[str, str]:
    winner = str(facts["winner"])
    tone = "good" if winner == reader.faction else "bad" if winner else "info"
    result = capital(phrase(str(facts["result"])))
    if reader.single:
        return phrase("The battle is over: {}.", result), tone
    return phrase("The war is over: {}.", result), tone


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
    "survivors": _survivors,
    LOST: ship_lost,
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
