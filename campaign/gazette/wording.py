"""The wording of the newspaper: headlines and sentences for what a reader was told, several for each. Pure.

Which wording stands is chosen by a hash of the week and of the event as the reader was told it, so that a week reads
the same whenever it is read and nothing hidden can turn a phrase. What is said is in the reader's report, no more and
no less: a wording names whom and where, and no cause that nobody reported.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from campaign.kinds import LossCause
from campaign.notices import PRIZES, NoticeReader, counted
from campaign.rules.view import Notice
from engine.english import capital, counted_kind, listed

Facts = Mapping[str, str | int]
Words = Mapping[str, str]
Told = tuple[str, Words]  # what kind of event it is to the reader, and what fills its sentence

# kind of event -> its headlines; {place} and what its facts give
HEADLINES: dict[str, tuple[str, ...]] = {
    "war-over": ("The war is over", "Peace, and an account of it", "The last week of the war"),
    "won": ("Victory at {place}", "{place}: the field is ours", "We win at {place}"),
    "lost": ("Defeat at {place}", "{place}: the field is theirs", "We are beaten at {place}"),
    "drawn": ("No victor at {place}", "{place}: fought, and not decided", "A battle without a winner at {place}"),
    "battle": ("Battle at {place}", "Guns heard at {place}", "Fighting at {place}"),
    "loss": ("Ships lost at {place}", "{place}: not all came back", "Losses at {place}"),
    "taken": ("Taken in dock at {place}", "{place}: ships in dock change hands", "A catch in the docks of {place}"),
    "prize": ("A prize at {place}", "{place}: an enemy ship is ours", "Prize crew put aboard at {place}"),
    "caught": ("Chased and caught at {place}", "{place}: no way out", "Overtaken at {place}"),
    "caught-them": ("Run down at {place}", "{place}: the chase succeeds", "We catch them at {place}"),
    "gained": ("{place} is ours", "Our flag over {place}", "We hold {place}"),
    "fallen": ("{place} is held by {power}", "The flag of {power} over {place}", "{power} at {place}"),
    "empty": ("Nobody holds {place}", "{place} without a flag", "{place} belongs to no one"),
    "contested": ("{place} is contested", "Two flags at {place}", "Both sides stay at {place}"),
    "apart": ("Stand-off at {place}", "{place}: both stay, nobody fires", "Guns silent at {place}"),
    "away": ("We withdraw from {place}", "{place}: our ships leave", "Our squadrons quit {place}"),
    "away-safe": ("We slip away from {place}", "{place}: pursued, and not caught", "A clean escape from {place}"),
    "away-them": ("They slip away at {place}", "{place}: the chase fails", "Pursuit in vain at {place}"),
    "decided": ("A decision at {place}", "{place}: the choice is made", "Fleets meet at {place}"),
    "seen": ("{power} read at {place}", "Contacts at {place}", "{place}: ships on the long range scan"),
    "silent": ("Nothing read at {place}", "{place}: an empty scan", "No contacts at {place}"),
    "reinforced": ("Fresh ships at {place}", "{place}: reinforcements are in", "A new fleet at {place}"),
    "deployed": ("The fleets are at their posts", "Deployment is complete", "All squadrons in place"),
    "other": ("Word from {place}", "Reports from {place}", "News of {place}"),
    "quiet": ("A quiet week", "Nothing to report", "A week without news"),
}
SENTENCES: dict[str, tuple[str, ...]] = {
    "war-over": ("The war is over: {result}.", "It has ended: {result}."),
    "deployed": ("We deployed {ships} in {fleets}, worth {points}.", "{Ships} in {fleets} took post, worth {points}."),
    "seen": (
        "Our long range scan of {power} reads {contacts}.",
        "Of {power} we read {contacts} at long range.",
        "At long range {power} shows {contacts}.",
    ),
    "silent": (
        "Our long range scan of {power} finds no contacts.",
        "We scanned for {power} at long range and read nothing.",
    ),
    "decided": (
        "We chose {own}; {power} chose {theirs}.{outcome}",
        "Our order was {own}. {power} chose {theirs}.{outcome}",
    ),
    "caught": ("{power} pursued us, rolled {die}, and caught us.", "On a roll of {die} {power} overtook us."),
    "away-safe": ("{power} pursued us, rolled {die}, and did not catch us.", "{power} gave chase in vain, on a {die}."),
    "caught-them": ("We pursued {power}, rolled {die}, and caught them.", "On a roll of {die} we overtook {power}."),
    "away-them": ("We pursued {power}, rolled {die}, and lost them.", "On a roll of {die} {power} got away from us."),
    "away": (
        "Our ships withdrew under FTL and must move this week.",
        "We left under FTL; the ships hold nothing and must move this week.",
    ),
    "battle": ("Battle was joined: {sides}.", "The lines met: {sides}."),
    "won": ("After {turns} the field was ours. {losses}.", "We won in {turns}. {losses}."),
    "lost": ("After {turns} the field belonged to {victors}. {losses}.", "{Victors} won in {turns}. {losses}."),
    "drawn": (
        "After {turns} there was no winner. {losses}.",
        "It ended after {turns}, won by nobody. {losses}.",
    ),
    "loss": ("We lost {ship} ({class}): {how}.", "{ship} ({class}) is gone: {how}."),
    "taken": ("We took a {class} of {power} in dock.{name}", "A {class} of {power} was in dock, and is ours.{name}"),
    "scuttled": ("We found a {class} of {power} in dock, scuttled by its crew.",),
    "prize": ("A {class} of {power}, {how}, is our prize.{name}", "Our prize: a {class} of {power}, {how}.{name}"),
    "apart": ("We and {power} both stay, and nobody fires.", "Neither we nor {power} left, and no shot was fired."),
    "contested": (
        "We and {power} both stay: nobody holds the system.",
        "{Power} did not leave, and neither did we: nobody holds the system.",
    ),
    "gained": ("{system} is held by us{standing}{over}.", "We hold {system}{standing}{over}."),
    "fallen": ("{system} is held by {power}{standing}{over}.", "{Power} holds {system}{standing}{over}."),
    "empty": ("{system} is held by nobody{standing}{over}.", "Nobody holds {system}{standing}{over}."),
    "disputed": ("{system} is contested.",),
}
CHOSEN = {"fight": "to fight", "stand-off": "to stand off", "withdraw": "to withdraw"}
OUTCOMES = {
    "battle": " That means battle.",
    "overrun": " Ships in dock were captured without a battle.",
    "apart": " Both stay: a stand-off.",
    "gone": " No battle: one side leaves.",
}
CHASE_AT = 6
# The kinds of events by what they weigh: the first one of a place gives it its headline.
RANK: tuple[str, ...] = tuple(HEADLINES)
HEADED_AS = {"scuttled": "taken", "disputed": "contested"}


def wording(choices: tuple[str, ...], *event: object) -> str:
    """One of some wordings, by a hash of the event as it was told."""
    number = int.from_bytes(hashlib.sha256(repr(event).encode()).digest()[:4], "big")
    return choices[number % len(choices)]


def sentence(reader: NoticeReader, notice: Notice) -> tuple[str, str, Words]:
    """The kind of event that a notice tells, its sentence, and what fills it. Raises KeyError for other codes."""
    kind, words = STORIES[notice.code](reader, dict(notice.facts))
    every = {**words, **{capital(name): capital(text) for name, text in words.items()}}
    told = wording(SENTENCES[kind], notice.week, notice.code, notice.hex, notice.facts).format_map(every)
    return kind, capital(told), words


def headline(kind: str, week: int, place: str, words: Words) -> str:
    """The headline of a place whose weightiest event is of a kind."""
    choices = tuple(one for one in HEADLINES[kind] if place or "{place}" not in one)
    return capital(wording(choices, week, kind, place).format_map({**words, "place": place}))


def _over(_: NoticeReader, facts: Facts) -> Told:
    return "war-over", {"result": str(facts["result"])}


def _deployed(_: NoticeReader, facts: Facts) -> Told:
    names = (("ships", "ship"), ("fleets", "fleet"), ("points", "point"))
    return "deployed", {name: counted(facts[name], noun) for name, noun in names}


def _scan(reader: NoticeReader, facts: Facts) -> Told:
    seen = [counted_kind(int(many), kind) for kind, many in facts.items() if kind != "faction"]
    return "seen" if seen else "silent", {"power": _name(reader, facts["faction"]), "contacts": listed(seen)}


def _decided(reader: NoticeReader, facts: Facts) -> Told:
    mine, other = ("a", "b") if reader.mine(facts) else ("b", "a")
    own, theirs = str(facts[f"{mine}-choice"]), str(facts[f"{other}-choice"])
    words = {"own": CHOSEN.get(own, own), "theirs": CHOSEN.get(theirs, theirs), "power": _name(reader, facts[other])}
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
        " and ".join(_name(reader, key, us="us" if n else "we") for key in side.split("+"))
        for n, side in enumerate(str(facts["sides"]).split(" v "))
    ]
    return "battle", {"sides": " against ".join(sides)}


def _ended(reader: NoticeReader, facts: Facts) -> Told:
    victors = [power for power in str(facts["winner"]).split("+") if power]
    kind = "won" if reader.faction in victors else "lost" if victors else "drawn"
    lost = [
        f"{_name(reader, key.removesuffix('-lost'))} lost {counted(many, 'ship') if many else 'no ship'}"
        for key, many in facts.items()
        if key.endswith("-lost")
    ]
    names = " and ".join(_name(reader, key) for key in victors)
    return kind, {"turns": counted(facts["turns"], "turn"), "victors": names, "losses": capital(", ".join(lost))}


def _lost(reader: NoticeReader, facts: Facts) -> Told:
    how, captor = str(facts["how"]), facts.get("captor")
    by = f" by {_name(reader, captor)}" if captor and how == LossCause.CAPTURED else ""
    after = (
        f", and {_name(reader, captor)} now has it"
        if captor and how in (LossCause.STRUCK, LossCause.HULK, LossCause.LANDED)
        else ""
    )
    named = {"ship": str(facts["ship"]), "class": str(facts["class"])}
    return "loss", {**named, "how": f"{LossCause.words(how)}{by}{after}"}


def _taken(reader: NoticeReader, facts: Facts) -> Told:
    kind = "taken" if facts["how"] == LossCause.CAPTURED else "scuttled"
    return kind, {"class": str(facts["class"]), "power": _name(reader, facts["owner"]), "name": _called(facts)}


def _prize(reader: NoticeReader, facts: Facts) -> Told:
    whose = {"class": str(facts["class"]), "power": _name(reader, facts["owner"]), "name": _called(facts)}
    return "prize", {**whose, "how": PRIZES.get(str(facts["how"]), "boarded")}


def _apart(reader: NoticeReader, facts: Facts) -> Told:
    return "apart", {"power": _name(reader, facts["b"] if reader.mine(facts) else facts["a"])}


def _contested(reader: NoticeReader, facts: Facts) -> Told:
    return "contested", {"power": _name(reader, facts["b"] if reader.mine(facts) else facts["a"])}


def _holding(reader: NoticeReader, facts: Facts) -> Told:
    system, holder, state = reader.system(str(facts["system"])), str(facts["holder"]), str(facts["state"])
    superior = str(facts["superior"])
    has = "have" if superior == reader.faction else "has"
    words = {
        "system": system,
        "power": _name(reader, holder),
        "standing": ", in a stand-off" if state == "stand-off" else "",
        "over": f"; {_name(reader, superior)} {has} superiority" if superior else "",
    }
    if state == "contested":
        return "disputed", words
    return "gained" if holder == reader.faction else "fallen" if holder else "empty", words


def _name(reader: NoticeReader, key: object, us: str = "we") -> str:
    """A faction in the newspaper of one: we, or its name."""
    return us if key == reader.faction else reader.power(key)


def _called(facts: Facts) -> str:
    """What a prize is called; reports from before prizes were sailed name none."""
    return f" It is called {facts['ship']} now." if facts.get("ship") else ""


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
    "ship-lost": _lost,
    "taken-at-dock": _taken,
    "prize": _prize,
    "stand-off": _apart,
    "contested": _contested,
    "holding": _holding,
}
