"""The wording of the newspaper: headlines and sentences for what a reader was told, several for each. Pure.

Which wording stands is chosen by a hash of the week and of the event as the reader was told it, so that a week reads
the same whenever it is read and nothing hidden can turn a phrase. What is said is in the reader's report, no more and
no less: a wording names whom and where, and no cause that nobody reported.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from campaign.kinds import LossCause
from campaign.rules.view import Notice
from campaign.words.notices import (
    BOARDED,
    CHASE_AT,
    CHOICES,
    PRIZES,
    Facts,
    NoticeReader,
    cost,
    counted,
    end_of,
    standing,
)
from engine.core.phrase import joined_phrases, phrase
from engine.english import capital, counted_kind, listed

Words = Mapping[str, str]
Told = tuple[str, Words]  # what kind of event it is to the reader, and what fills its sentence

# kind of event -> its headlines; {place} and what its facts give
HEADLINES: dict[str, tuple[str, ...]] = {
    "war-over": (phrase("The war is over"), phrase("Peace, and an account of it"), phrase("The last week of the war")),
    "won": (phrase("Victory at {place}"), phrase("{place}: the field is ours"), phrase("We win at {place}")),
    "lost": (phrase("Defeat at {place}"), phrase("{place}: the field is theirs"), phrase("We are beaten at {place}")),
    "drawn": (
        phrase("No victor at {place}"),
        phrase("{place}: fought, and not decided"),
        phrase("A battle without a winner at {place}"),
    ),
    "battle": (phrase("Battle at {place}"), phrase("Guns heard at {place}"), phrase("Fighting at {place}")),
    "loss": (phrase("Ships lost at {place}"), phrase("{place}: not all came back"), phrase("Losses at {place}")),
    "taken": (
        phrase("Taken in dock at {place}"),
        phrase("{place}: ships in dock change hands"),
        phrase("A catch in the docks of {place}"),
    ),
    "prize": (
        phrase("A prize at {place}"),
        phrase("{place}: an enemy ship is ours"),
        phrase("Prize crew put aboard at {place}"),
    ),
    "caught": (phrase("Chased and caught at {place}"), phrase("{place}: no way out"), phrase("Overtaken at {place}")),
    "caught-them": (
        phrase("Run down at {place}"),
        phrase("{place}: the chase succeeds"),
        phrase("We catch them at {place}"),
    ),
    "gained": (phrase("{place} is ours"), phrase("Our flag over {place}"), phrase("We hold {place}")),
    "fallen": (
        phrase("{place} is held by {power}"),
        phrase("The flag of {power} over {place}"),
        phrase("{power} at {place}"),
    ),
    "empty": (phrase("Nobody holds {place}"), phrase("{place} without a flag"), phrase("{place} belongs to no one")),
    "contested": (phrase("{place} is contested"), phrase("Two flags at {place}"), phrase("Both sides stay at {place}")),
    "apart": (
        phrase("Stand-off at {place}"),
        phrase("{place}: both stay, nobody fires"),
        phrase("Guns silent at {place}"),
    ),
    "away": (
        phrase("We withdraw from {place}"),
        phrase("{place}: our ships leave"),
        phrase("Our squadrons quit {place}"),
    ),
    "away-safe": (
        phrase("We slip away from {place}"),
        phrase("{place}: pursued, and not caught"),
        phrase("A clean escape from {place}"),
    ),
    "away-them": (
        phrase("They slip away at {place}"),
        phrase("{place}: the chase fails"),
        phrase("Pursuit in vain at {place}"),
    ),
    "decided": (
        phrase("A decision at {place}"),
        phrase("{place}: the choice is made"),
        phrase("Fleets meet at {place}"),
    ),
    "remain": (
        phrase("{power} still at {place}"),
        phrase("{place}: what is left of {power}"),
    ),
    "none-left": (
        phrase("{power} gone from {place}"),
        phrase("{place}: nothing left of {power}"),
    ),
    "seen": (
        phrase("{power} read at {place}"),
        phrase("Contacts at {place}"),
        phrase("{place}: ships on the long range scan"),
    ),
    "silent": (phrase("Nothing read at {place}"), phrase("{place}: an empty scan"), phrase("No contacts at {place}")),
    "reinforced": (
        phrase("Fresh ships at {place}"),
        phrase("{place}: reinforcements are in"),
        phrase("A new fleet at {place}"),
    ),
    "deployed": (
        phrase("The fleets are at their posts"),
        phrase("Deployment is complete"),
        phrase("All squadrons in place"),
    ),
    "other": (phrase("Word from {place}"), phrase("Reports from {place}"), phrase("News of {place}")),
    "quiet": (phrase("A quiet week"), phrase("Nothing to report"), phrase("A week without news")),
}
SENTENCES: dict[str, tuple[str, ...]] = {
    "war-over": (phrase("The war is over: {result}."), phrase("It has ended: {result}.")),
    "deployed": (
        phrase("We deployed {ships} in {fleets}, worth {points}."),
        phrase("{Ships} in {fleets} took post, worth {points}."),
    ),
    "remain": (
        phrase("As far as we saw, {power} still has {contacts} here."),
        phrase("Of {power} we still count {contacts}."),
    ),
    "none-left": (
        phrase("As far as we saw, no ship of {power} is left here."),
        phrase("Of {power} we count no ship here any more."),
    ),
    "seen": (
        phrase("Our long range scan of {power} reads {contacts}."),
        phrase("Of {power} we read {contacts} at long range."),
        phrase("At long range {power} shows {contacts}."),
    ),
    "silent": (
        phrase("Our long range scan of {power} finds no contacts."),
        phrase("We scanned for {power} at long range and read nothing."),
    ),
    "decided": (
        phrase("We chose {own}; {power} chose {theirs}.{outcome}"),
        phrase("Our order was {own}. {power} chose {theirs}.{outcome}"),
    ),
    "caught": (
        phrase("{power} pursued us, rolled {die}, and caught us."),
        phrase("On a roll of {die} {power} overtook us."),
    ),
    "away-safe": (
        phrase("{power} pursued us, rolled {die}, and did not catch us."),
        phrase("{power} gave chase in vain, on a {die}."),
    ),
    "caught-them": (
        phrase("We pursued {power}, rolled {die}, and caught them."),
        phrase("On a roll of {die} we overtook {power}."),
    ),
    "away-them": (
        phrase("We pursued {power}, rolled {die}, and lost them."),
        phrase("On a roll of {die} {power} got away from us."),
    ),
    "away": (
        phrase("Our ships withdrew under FTL and must move this week."),
        phrase("We left under FTL; the ships hold nothing and must move this week."),
    ),
    "battle": (phrase("Battle was joined: {sides}."), phrase("The lines met: {sides}.")),
    "won": (phrase("After {turns} the field was ours. {losses}."), phrase("We won in {turns}. {losses}.")),
    "lost": (
        phrase("After {turns} the field belonged to {victors}. {losses}."),
        phrase("{Victors} won in {turns}. {losses}."),
    ),
    "drawn": (
        phrase("After {turns} there was no winner. {losses}."),
        phrase("It ended after {turns}, won by nobody. {losses}."),
    ),
    "loss": (phrase("We lost {ship} ({class}): {how}."), phrase("{ship} ({class}) is gone: {how}.")),
    "losses": (phrase("We lost {ships}, destroyed: {names}."), phrase("{Ships} are gone, destroyed: {names}.")),
    "taken": (
        phrase("We took a {class} of {power} in dock.{name}"),
        phrase("A {class} of {power} was in dock, and is ours.{name}"),
    ),
    "scuttled": (phrase("We found a {class} of {power} in dock, scuttled by its crew."),),
    "prize": (
        phrase("A {class} of {power}, {how}, is our prize.{name}"),
        phrase("Our prize: a {class} of {power}, {how}.{name}"),
    ),
    "apart": (
        phrase("We and {power} both stay, and nobody fires."),
        phrase("Neither we nor {power} left, and no shot was fired."),
    ),
    "contested": (
        phrase("We and {power} both stay: nobody holds the system."),
        phrase("{Power} did not leave, and neither did we: nobody holds the system."),
    ),
    "gained": (phrase("{system} is held by us"), phrase("We hold {system}")),
    "fallen": (
        phrase("{system} is held by {power}"),
        phrase("{Power} holds {system}"),
    ),
    "empty": (phrase("{system} is held by nobody"), phrase("Nobody holds {system}")),
    "disputed": (phrase("{system} is contested."),),
}
HOLDINGS = ("gained", "fallen", "empty")  # which go on with how it stands there
WE_LOST = (phrase("we lost {}"), phrase("we lost no ship"))
OUTCOMES = {
    "battle": phrase(" That means battle."),
    "overrun": phrase(" Ships in dock were captured without a battle."),
    "apart": phrase(" Both stay: a stand-off."),
    "gone": phrase(" No battle: one side leaves."),
}
# The kinds of events by what they weigh: the first one of a place gives it its headline.
RANK: tuple[str, ...] = tuple(HEADLINES)
HEADED_AS = {"losses": "loss", "scuttled": "taken", "disputed": "contested"}


def wording(choices: tuple[str, ...], *event: object) -> str:
    """One of some wordings, by a hash of the event as it was told."""
    number = int.from_bytes(hashlib.sha256(repr(event).encode()).digest()[:4], "big")
    return choices[number % len(choices)]


def sentence(reader: NoticeReader, several: Sequence[Notice]) -> tuple[str, str, Words]:
    """The kind of event that notices tell, its sentence, and what fills it: one notice, or several of ships that were
    destroyed together. Raises KeyError for other codes.
    """
    notice, *more = several
    if not more:
        kind, words = STORIES[notice.code](reader, reader.facts(notice))
    else:
        names = [reader.ship(str(dict(one.facts)["ship"])) for one in several]
        kind, words = "losses", {"ships": counted(len(several), "ship"), "names": joined_phrases(", ", names)}
    every = {**words, **{capital(name): capital(text) for name, text in words.items()}}
    told = wording(SENTENCES[kind], notice.week, notice.code, notice.hex, notice.facts).format_map(every)
    if kind in HOLDINGS:
        told = phrase("{}.", standing(reader, reader.facts(notice), told, phrase("{}; we have superiority")))
    return kind, capital(told), words


def headline(kind: str, week: int, place: str, words: Words) -> str:
    """The headline of a place whose weightiest event is of a kind."""
    choices = tuple(one for one in HEADLINES[kind] if place or "{place}" not in one)
    return capital(wording(choices, week, kind, place).format_map({**words, "place": place}))


def _over(_: NoticeReader, facts: Facts) -> Told:
    return "war-over", {"result": phrase(str(facts["result"]))}


def _deployed(_: NoticeReader, facts: Facts) -> Told:
    names = (("ships", "ship"), ("fleets", "fleet"), ("points", "point"))
    return "deployed", {name: counted(facts[name], noun) for name, noun in names}


def _scan(reader: NoticeReader, facts: Facts) -> Told:
    seen = [counted_kind(int(many), kind) for kind, many in facts.items() if kind != "faction"]
    return "seen" if seen else "silent", {"power": _name(reader, facts["faction"]), "contacts": listed(seen)}


def _survivors(reader: NoticeReader, facts: Facts) -> Told:
    left = [counted_kind(int(many), kind) for kind, many in facts.items() if kind != "faction"]
    words = {"power": _name(reader, facts["faction"]), "contacts": listed(left)}
    return "remain" if left else "none-left", words


def _decided(reader: NoticeReader, facts: Facts) -> Told:
    mine, other = ("a", "b") if reader.mine(facts) else ("b", "a")
    own, theirs = str(facts[f"{mine}-choice"]), str(facts[f"{other}-choice"])
    words = {"own": CHOICES.get(own, own), "theirs": CHOICES.get(theirs, theirs), "power": _name(reader, facts[other])}
    return "decided", {**words, "outcome": OUTCOMES.get(str(facts["came-to"]), "")}


def _chase(reader: NoticeReader, facts: Facts) -> Told:
    caught, ours = facts["die"] == CHASE_AT, facts["withdraws"] == reader.faction
    other = _name(reader, facts["fights" if ours else "withdraws"])
    kind = ("caught" if caught else "away-safe") if ours else "caught-them" if caught else "away-them"
    return kind, {"power": other, "die": str(facts["die"])}


def _withdrew(_: NoticeReader, __: Facts) -> Told:
    return "away", {}


def _joined(reader: NoticeReader, facts: Facts) -> Told:
    sides = [
        joined_phrases(" and ", (_name(reader, key, us=phrase("us") if n else phrase("we")) for key in side.split("+")))
        for n, side in enumerate(str(facts["sides"]).split(" v "))
    ]
    return "battle", {"sides": joined_phrases(" against ", sides)}


def _ended(reader: NoticeReader, facts: Facts) -> Told:
    victors = [power for power in str(facts["winner"]).split("+") if power]
    kind = "won" if reader.faction in victors else "lost" if victors else "drawn"
    lost = [
        cost(reader, key.removesuffix("-lost"), int(many), WE_LOST)
        for key, many in facts.items()
        if key.endswith("-lost")
    ]
    names = joined_phrases(" and ", (_name(reader, key) for key in victors))
    return kind, {
        "turns": counted(facts["turns"], "turn"),
        "victors": names,
        "losses": capital(joined_phrases(", ", lost)),
    }


def _lost(reader: NoticeReader, facts: Facts) -> Told:
    captor = facts.get("captor")
    how = end_of(str(facts["how"]), _name(reader, captor) if captor else "")
    return "loss", {"ship": cast(str, facts["ship"]), "class": str(facts["class"]), "how": how}


def _taken(reader: NoticeReader, facts: Facts) -> Told:
    kind = "taken" if facts["how"] == LossCause.CAPTURED else "scuttled"
    return kind, {"class": str(facts["class"]), "power": _name(reader, facts["owner"]), "name": _called(facts)}


def _prize(reader: NoticeReader, facts: Facts) -> Told:
    whose = {"class": str(facts["class"]), "power": _name(reader, facts["owner"]), "name": _called(facts)}
    return "prize", {**whose, "how": PRIZES.get(str(facts["how"]), BOARDED)}


def _apart(reader: NoticeReader, facts: Facts) -> Told:
    return "apart", {"power": _name(reader, facts["b"] if reader.mine(facts) else facts["a"])}


def _contested(reader: NoticeReader, facts: Facts) -> Told:
    return "contested", {"power": _name(reader, facts["b"] if reader.mine(facts) else facts["a"])}


def _holding(reader: NoticeReader, facts: Facts) -> Told:
    holder = str(facts["holder"])
    words = {"system": reader.system(str(facts["system"])), "power": _name(reader, holder)}
    if facts["state"] == "contested":
        return "disputed", words
    return "gained" if holder == reader.faction else "fallen" if holder else "empty", words


def _name(reader: NoticeReader, key: object, us: str = "") -> str:
    """A faction in the newspaper of one: we, or its name."""
    return (us or phrase("we")) if key == reader.faction else reader.power(key)


def _called(facts: Facts) -> str:
    """What a prize is called; reports from before prizes were sailed name none."""
    return phrase(" It is called {} now.", facts["ship"]) if facts.get("ship") else ""


# The codes of notices that make stories; all others are briefs, in the words of reports.
STORIES: dict[str, Callable[[NoticeReader, Facts], Told]] = {
    "war-over": _over,
    "deployed": _deployed,
    "scan": _scan,
    "decided": _decided,
    "chase": _chase,
    "withdrew": _withdrew,
    "battle-joined": _joined,
    "battle-over": _ended,
    "survivors": _survivors,
    "ship-lost": _lost,
    "taken-at-dock": _taken,
    "prize": _prize,
    "stand-off": _apart,
    "contested": _contested,
    "holding": _holding,
}
