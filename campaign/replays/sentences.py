"""Sentences of a replay: words with the ships in them marked, many lines told as one, a shooter's fire in a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.replays.events import SHOOTING, Shooting
from campaign.words.battle.log import line_of
from campaign.words.battle.phrases import Called
from campaign.words.stored_reasons import told_again
from engine.core.phrase import joined_phrases, phrase, spoken
from engine.english import capital, counted_noun, kind_words, listed, system_words

# Words, or a unit: its key and the name it has at that moment.
Part = str | tuple[str, str]
Sentence = tuple[Part, ...]
Event = Mapping[str, Any]

OPEN, NAME, CLOSE = "\x01", "\x02", "\x03"  # around a unit in words: its key, its name
MARKED = re.compile(f"{OPEN}([^{NAME}]*){NAME}([^{CLOSE}]*){CLOSE}")
KNOWN, MOVED = "\x04", "\x05"  # what is said alike of who is identified, and of who moves
IDENTIFIED = "\x06"  # what is said of own ships that the other side has identified
SUMMED = ("absorbed", "damaged", "threshold", "system-check", "shot-refused", "arc")  # what a sentence adds up
MOST_NAMED = 4  # ships of one sentence by their names; more are counted


class Marking:
    """Names that mark in words which unit they are."""

    def __init__(self, names: Called) -> None:
        self.names = names

    def of(self, ship: object) -> str:
        """The name of a ship or group, marked with its key."""
        return phrase("{}{}{}{}{}", OPEN, ship, NAME, self.names.of(ship), CLOSE)

    def bogey(self, code: object) -> str:
        """The name of an unidentified contact, marked with its code."""
        return phrase("{}{}{}{}{}", OPEN, code, NAME, self.names.bogey(code), CLOSE)

    def side(self, key: str) -> str:
        """The name of a side, without a mark."""
        return self.names.side(key)


def sentence(words: str) -> Sentence:
    """Words with marks as parts, in the reader's language; it begins with a capital and ends with a full stop."""
    words = spoken(words)
    found: list[Part] = []
    last = 0
    for mark in MARKED.finditer(words):
        found += [words[last : mark.start()], (mark[1], mark[2])]
        last = mark.end()
    found.append(words[last:] + ("" if words.endswith((".", "!", "?")) else "."))
    parts = [part for part in found if part]
    first = parts[0]
    parts[0] = capital(first) if isinstance(first, str) else (first[0], capital(first[1]))
    return tuple(parts)


def plain(parts: Sentence) -> str:
    """A sentence as text."""
    return "".join(part if isinstance(part, str) else part[1] for part in parts)


def unmarked(words: str) -> str:
    """Marked words as text."""
    return MARKED.sub(r"\2", words)


def _told(event: Event, names: Called) -> tuple[str, str]:
    line = line_of(event, names)
    return ("", "") if line is None else (spoken(line.words), spoken(line.detail))


def _apart(words: str) -> tuple[str, str]:
    """The subject with which words begin, and the rest; no subject where they begin otherwise."""
    mark = MARKED.match(words)
    return (mark[0], words[mark.end() :]) if mark else ("", words)


def told_of(events: Iterable[Event], names: Called) -> tuple[list[Sentence], list[str]]:
    """Sentences about events of a moment, and their details. Those that say the same of several are one sentence."""
    same: dict[tuple[str, bool], list[str]] = {}
    details: list[str] = []
    for event in events:
        words, detail = _told(event, names)
        if not words:
            continue
        who, rest = _apart(words)
        kind = str(event["event"])
        if kind == "revealed":
            rest, who = IDENTIFIED if event["ship"] != event["contact"] else KNOWN, names.of(event["ship"])
        elif kind == "moved":
            details.append(phrase("{}: course {}, velocity {}", unmarked(who), event["course"], event["velocity"]))
            rest = MOVED
        if detail:
            details.append(phrase("{}: {}", unmarked(words), detail))
        plurals = bool(event.get("group")) and not event.get("ship")
        same.setdefault((rest, plurals), []).append(who)
    found = []
    for (rest, plurals), whose in same.items():
        words, more = _together(rest, whose, plurals, names)
        found.append(sentence(words))
        details += more
    return found, details


def _together(rest: str, who: Sequence[str], plurals: bool, names: Called) -> tuple[str, list[str]]:
    """The same said of several in one sentence, and who they are where they are only counted."""
    many, named = len(who), len(who) <= MOST_NAMED
    everybody = [] if named else [listed(sorted(unmarked(one) for one in who))]
    if rest == MOVED:
        return (phrase("{} moves", who[0]) if many == 1 else phrase("{} ships move", many)), []
    if rest == IDENTIFIED:
        return phrase("They identified {}", listed(who) if named else counted_noun(many, "ship")), everybody
    if rest == KNOWN and many == 1:
        code = MARKED.match(who[0])
        return phrase("{} is identified: {}", names.bogey(code[1] if code else ""), who[0]), []
    if rest == KNOWN:
        if named:
            return phrase("{} contacts are identified: {}", many, listed(who)), []
        classes = Counter(unmarked(one).rpartition(" ")[0] for one in who)
        kinds = listed([counted_noun(count, cls) for cls, count in sorted(classes.items())])
        return phrase("{} contacts are identified: {}", many, kinds), everybody
    if not who[0] or many == 1:
        words = phrase("{}{}", who[0], rest)
        return phrase("{} ({} times)", words, many) if many > 1 else words, []
    if plurals:
        return (phrase("{}{}", listed(who), rest) if named else phrase("{} groups{}", many, rest)), everybody
    return phrase("Each of {}{}", listed(who), rest) if named else phrase("Each of {} ships{}", many, rest), everybody


def fire_told(events: Sequence[Event], names: Called) -> tuple[Sentence, list[str]]:
    """The fire of one shooter in a sentence, target by target with weapons and hits; and every shot with its dice."""
    by: dict[str, list[Event]] = {}
    row = SHOOTING[str(events[0]["event"])]
    for event in events:
        by.setdefault(_target(event, SHOOTING[str(event["event"])], names), []).append(event)
    parts = [_at_one(target, shots) for target, shots in by.items()]
    details = [line for shots in by.values() for line in _dice_of(shots, names)]
    who = names.of(events[0][row.who])
    fires = phrase("{} fire {}") if row.who == "group" else phrase("{} fires {}")
    return sentence(fires.format(who, joined_phrases("; ", parts))), details


def _dice_of(shots: Sequence[Event], names: Called) -> list[str]:
    """The dice at one target: what is alike of all shots once, then weapon by weapon."""
    alike: dict[str, list[str]] = {}
    for shot in shots:
        head, dice, thrown = _told(shot, names)[1].partition(spoken(phrase("dice {}", "")))
        how = phrase(" ({})", kind_words(str(shot["mode"]))) if shot.get("mode") else ""
        weapon = phrase("{}{} ", system_words(str(shot["weapon"])), how) if shot.get("weapon") else ""
        alike.setdefault(head.rstrip(", "), []).append(phrase("{}({})", weapon, thrown) if dice else weapon.strip())
    at = unmarked(_target(shots[0], SHOOTING[str(shots[0]["event"])], names))
    return [
        phrase("At {}, {}: {}", at, head, joined_phrases("; ", weapons))
        if head
        else phrase("At {}: {}", at, joined_phrases("; ", weapons))
        for head, weapons in alike.items()
    ]


def _target(event: Event, row: Shooting, names: Called) -> str:
    key = event[row.at]
    return system_words(str(key)) if row.at == "marker" else names.of(key)


def _at_one(target: str, shots: Sequence[Event]) -> str:
    guns: Counter[str] = Counter()
    for shot in shots:
        if shot.get("weapon"):
            type_, _, number = str(shot["weapon"]).rpartition("-")
            guns[system_words(type_ if number.isdecimal() else shot["weapon"])] += 1
    hits = sum(int(shot["hits"]) for shot in shots)
    if SHOOTING[str(shots[0]["event"])].down:
        made = phrase("{} shot down", hits) if hits else phrase("none hit")
    else:
        made = counted_noun(hits, "hit") if hits else phrase("no hit")
    ranges = sorted({round(shot["range"]) for shot in shots if shot.get("range") is not None})
    if len(ranges) == 1:
        target = phrase("{} at {} MU", target, ranges[0])
    elif ranges:
        target = phrase("{} at {} to {} MU", target, ranges[0], ranges[-1])
    if guns:
        target = phrase("{} with {}", target, listed([counted_noun(many, gun) for gun, many in guns.items()]))
    return phrase("at {}: {}", target, made)


def followed(events: Sequence[Event], names: Called) -> tuple[Sentence, list[str]]:
    """What befell one ship or group, in a sentence: damage added up, systems lost, its end; and the dice."""
    key = subject_of(events[0])
    who = names.of(key)
    rests: list[str] = []
    details: list[str] = []
    armour = sum(int(event["points"]) for event in events if event["event"] == "absorbed")
    damage = [event for event in events if event["event"] == "damaged"]
    if armour:
        rests.append(phrase("takes {} on its armour", armour))
    if damage:
        points, total = sum(int(event["points"]) for event in damage), int(damage[-1]["total"])
        rests.append(phrase("takes {} ({} in all)", points, total) if total > points else phrase("takes {}", points))
    checks = [event for event in events if event["event"] in ("threshold", "system-check")]
    if checks:
        lost = [system_words(str(one)) for event in checks for one in event["lost"]]
        rests.append(phrase("loses {}", listed(lost)) if lost else phrase("loses no system"))
    for why, weapons in _held(events).items():
        rests.append(phrase("holds fire with {} ({})", listed(weapons), why))
    for event in events:
        words, detail = _told(event, names)
        if detail and event["event"] != "absorbed":
            details.append(phrase("{}: {}", unmarked(words), detail))
        if words and event["event"] not in SUMMED:
            begins, rest = _apart(words)
            rests.append(rest.strip() if begins == who else words)
    return (sentence(phrase("{} {}", who, listed(list(dict.fromkeys(rests))))) if rests else ()), details


def _held(events: Iterable[Event]) -> dict[str, list[str]]:
    """Weapons that did not fire, by the reason."""
    found: dict[str, list[str]] = {}
    for event in events:
        if event["event"] == "shot-refused":
            found.setdefault(told_again(str(event["why"])), []).append(system_words(str(event["weapon"])))
    return found


def subject_of(event: Event) -> str:
    """The key of the ship or group that an event is about."""
    return str(event.get("ship") or event.get("group") or "")
