"""Sentences of a replay: words with the ships in them marked, many lines told as one, a shooter's
fire in a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from campaign.replays.events import Shot, shot_of
from campaign.words.battle.log import line_of
from campaign.words.battle.phrases import Called
from campaign.words.stored_reasons import reason_words
from engine.core.phrase import joined_phrases, phrase, spoken
from engine.english import capital, counted_noun, kind_words, listed, system_words
from engine.events.damage import Absorbed, Damaged, SystemChecked, Threshold
from engine.events.detection import Revealed
from engine.events.event import Event
from engine.events.fire import ArcRolled, ShotRefused
from engine.events.movement import Moved

# Words, or a unit: its key and the name it has at that moment.
Part = str | tuple[str, str]
Sentence = tuple[Part, ...]
Fired = tuple[Event, Shot]

OPEN, NAME, CLOSE = "\x01", "\x02", "\x03"  # around a unit in words: its key, its name
MARKED = re.compile(f"{OPEN}([^{NAME}]*){NAME}([^{CLOSE}]*){CLOSE}")
KNOWN, MOVED = "\x04", "\x05"  # what is said alike of who is identified, and of who moves
IDENTIFIED = "\x06"  # what is said of own ships that the other side has identified
SUMMED = (
    Absorbed,
    Damaged,
    Threshold,
    SystemChecked,
    ShotRefused,
    ArcRolled,
)  # what a sentence adds up
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
    """Words with marks as parts, in the reader's language; it begins with a capital and ends with a
    full stop.
    """
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
    """Sentences about events of a moment, and their details.

    Those that say the same of several are one sentence.
    """
    same: dict[tuple[str, bool], list[str]] = {}
    details: list[str] = []
    for event in events:
        words, detail = _told(event, names)
        if not words:
            continue
        who, rest = _apart(words)
        if isinstance(event, Revealed):
            rest = IDENTIFIED if event.ship != event.contact else KNOWN
            who = names.of(event.ship)
        elif isinstance(event, Moved):
            details.append(
                phrase("{}: course {}, velocity {}", unmarked(who), event.course, event.velocity)
            )
            rest = MOVED
        if detail:
            details.append(phrase("{}: {}", unmarked(words), detail))
        plurals = bool(getattr(event, "group", "")) and not getattr(event, "ship", "")
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
        return phrase(
            "They identified {}", listed(who) if named else counted_noun(many, "ship")
        ), everybody
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
        return (
            phrase("{}{}", listed(who), rest) if named else phrase("{} groups{}", many, rest)
        ), everybody
    return phrase("Each of {}{}", listed(who), rest) if named else phrase(
        "Each of {} ships{}", many, rest
    ), everybody


def fire_told(events: Sequence[Event], names: Called) -> tuple[Sentence, list[str]]:
    """The fire of one shooter in a sentence, target by target with weapons and hits; and every shot
    with its dice.
    """
    by: dict[str, list[Fired]] = {}
    for event in events:
        shot = shot_of(event)
        if shot is not None:
            by.setdefault(_target(shot, names), []).append((event, shot))
    parts = [_at_one(target, [shot for _, shot in shots]) for target, shots in by.items()]
    details = [line for shots in by.values() for line in _dice_of(shots, names)]
    ((_, first), *_), *_ = by.values()
    fires = phrase("{} fire {}") if first.by_group else phrase("{} fires {}")
    return sentence(fires.format(names.of(first.who), joined_phrases("; ", parts))), details


def _dice_of(shots: Sequence[Fired], names: Called) -> list[str]:
    """The dice at one target: what is alike of all shots once, then weapon by weapon."""
    alike: dict[str, list[str]] = {}
    for event, shot in shots:
        head, dice, thrown = _told(event, names)[1].partition(spoken(phrase("dice {}", "")))
        how = phrase(" ({})", kind_words(shot.mode)) if shot.mode else ""
        weapon = phrase("{}{} ", system_words(shot.weapon), how) if shot.weapon else ""
        alike.setdefault(head.rstrip(", "), []).append(
            phrase("{}({})", weapon, thrown) if dice else weapon.strip()
        )
    _, first = shots[0]
    at = unmarked(_target(first, names))
    return [
        phrase("At {}, {}: {}", at, head, joined_phrases("; ", weapons))
        if head
        else phrase("At {}: {}", at, joined_phrases("; ", weapons))
        for head, weapons in alike.items()
    ]


def _target(shot: Shot, names: Called) -> str:
    return system_words(shot.at) if shot.at_marker else names.of(shot.at)


def _at_one(target: str, shots: Sequence[Shot]) -> str:
    guns: Counter[str] = Counter()
    for shot in shots:
        if shot.weapon:
            type_, _, number = shot.weapon.rpartition("-")
            guns[system_words(type_ if number.isdecimal() else shot.weapon)] += 1
    hits = sum(shot.hits for shot in shots)
    if shots[0].down:
        made = phrase("{} shot down", hits) if hits else phrase("none hit")
    else:
        made = counted_noun(hits, "hit") if hits else phrase("no hit")
    ranges = sorted({round(shot.range) for shot in shots})
    if len(ranges) == 1:
        target = phrase("{} at {} MU", target, ranges[0])
    else:
        target = phrase("{} at {} to {} MU", target, ranges[0], ranges[-1])
    if guns:
        target = phrase(
            "{} with {}", target, listed([counted_noun(many, gun) for gun, many in guns.items()])
        )
    return phrase("at {}: {}", target, made)


def followed(events: Sequence[Event], names: Called) -> tuple[Sentence, list[str]]:
    """What befell one ship or group, in a sentence: damage added up, systems lost, its end; and the
    dice.
    """
    who = names.of(events[0].subject)
    rests: list[str] = []
    details: list[str] = []
    armour = sum(event.points for event in events if isinstance(event, Absorbed))
    damage = [event for event in events if isinstance(event, Damaged)]
    if armour:
        rests.append(phrase("takes {} on its armour", armour))
    if damage:
        points, total = sum(event.points for event in damage), damage[-1].total
        rests.append(
            phrase("takes {} ({} in all)", points, total)
            if total > points
            else phrase("takes {}", points)
        )
    checks = [event for event in events if isinstance(event, (Threshold, SystemChecked))]
    if checks:
        lost = [system_words(system) for event in checks for system in event.lost]
        rests.append(phrase("loses {}", listed(lost)) if lost else phrase("loses no system"))
    for why, weapons in _held(events).items():
        rests.append(phrase("holds fire with {} ({})", listed(weapons), why))
    for event in events:
        words, detail = _told(event, names)
        if detail and not isinstance(event, Absorbed):
            details.append(phrase("{}: {}", unmarked(words), detail))
        if words and not isinstance(event, SUMMED):
            begins, rest = _apart(words)
            rests.append(rest.strip() if begins == who else words)
    return (
        sentence(phrase("{} {}", who, listed(list(dict.fromkeys(rests))))) if rests else ()
    ), details


def _held(events: Iterable[Event]) -> dict[str, list[str]]:
    """Weapons that did not fire, by the reason."""
    found: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, ShotRefused):
            found.setdefault(reason_words(event.why), []).append(system_words(event.weapon))
    return found
