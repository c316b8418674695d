"""Sentences of a replay: ships marked in texts, similar lines merged, a shooter's fire in one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from campaign.replays.events import Shot, shot_of
from campaign.words.battle.log import line_of
from campaign.words.battle.phrases import BattleNames
from engine.core.phrase import join_phrases, localize, phrase
from engine.english import capitalize_first, counted_noun, join_names, kind_words, system_words
from engine.events.damage import ArmourAbsorbed, ShipDamaged, SystemChecked, ThresholdChecked
from engine.events.detection import ContactIdentified
from engine.events.event import Event
from engine.events.fire import ArcRolled, ShotRefused
from engine.events.movement import ShipMoved

# A text, or a unit: its key and its name at that moment.
Part = str | tuple[str, str]
Sentence = tuple[Part, ...]
ShotEvent = tuple[Event, Shot]

OPEN, NAME, CLOSE = "\x01", "\x02", "\x03"  # around a unit in a text: its key, its name
MARK_PATTERN = re.compile(f"{OPEN}([^{NAME}]*){NAME}([^{CLOSE}]*){CLOSE}")
CONTACT_REST, MOVE_REST = (
    "\x04",
    "\x05",
)  # common sentences about identified and about moving ships
IDENTIFIED_REST = "\x06"  # about own ships that the other side has identified
SUMMED_EVENTS = (
    ArmourAbsorbed,
    ShipDamaged,
    ThresholdChecked,
    SystemChecked,
    ShotRefused,
    ArcRolled,
)  # events that a sentence adds up
MOST_NAMES = 4  # ships named in one sentence; more are counted


class Marking:
    """Names that are marked with their units in a text."""

    def __init__(self, names: BattleNames) -> None:
        self.names = names

    def of(self, ship: object) -> str:
        """Return the name of a ship or group, marked with its key."""
        return phrase("{}{}{}{}{}", OPEN, ship, NAME, self.names.of(ship), CLOSE)

    def bogey(self, code: object) -> str:
        """Return the name of an unidentified contact, marked with its code."""
        return phrase("{}{}{}{}{}", OPEN, code, NAME, self.names.bogey(code), CLOSE)

    def side(self, key: str) -> str:
        """Return the name of a side, without a mark."""
        return self.names.side(key)


def sentence(words: str) -> Sentence:
    """Split a marked text into parts, translated, with a capital letter and a full phase."""
    words = localize(words)
    marked_parts: list[Part] = []
    last = 0
    for mark in MARK_PATTERN.finditer(words):
        marked_parts += [words[last : mark.start()], (mark[1], mark[2])]
        last = mark.end()
    marked_parts.append(words[last:] + ("" if words.endswith((".", "!", "?")) else "."))
    parts = [part for part in marked_parts if part]
    first = parts[0]
    if isinstance(first, str):
        parts[0] = capitalize_first(first)
    else:
        parts[0] = (first[0], capitalize_first(first[1]))
    return tuple(parts)


def sentence_text(parts: Sentence) -> str:
    """Return a sentence as text."""
    return "".join(part if isinstance(part, str) else part[1] for part in parts)


def without_marks(words: str) -> str:
    """Return a marked text without marks."""
    return MARK_PATTERN.sub(r"\2", words)


def _line_words(event: Event, names: BattleNames) -> tuple[str, str]:
    line = line_of(event, names)
    if line is None:
        return ("", "")
    return (localize(line.words), localize(line.detail))


def _split_subject(words: str) -> tuple[str, str]:
    """Return the subject at the beginning of a text, or an empty text, and the rest."""
    mark = MARK_PATTERN.match(words)
    if mark:
        return (mark[0], words[mark.end() :])
    return ("", words)


def sentences_of(events: Iterable[Event], names: BattleNames) -> tuple[list[Sentence], list[str]]:
    """Return sentences about the events of a moment, and their details.

    Events that differ only in their subject share a sentence.
    """
    groups: dict[tuple[str, bool], list[str]] = {}
    details: list[str] = []
    for event in events:
        words, detail = _line_words(event, names)
        if not words:
            continue
        subject, rest = _split_subject(words)
        if isinstance(event, ContactIdentified):
            if event.ship != event.contact:
                rest = IDENTIFIED_REST
            else:
                rest = CONTACT_REST
            subject = names.of(event.ship)
        elif isinstance(event, ShipMoved):
            details.append(
                phrase(
                    "{}: course {}, velocity {}",
                    without_marks(subject),
                    event.course,
                    event.velocity,
                )
            )
            rest = MOVE_REST
        if detail:
            details.append(phrase("{}: {}", without_marks(words), detail))
        plurals = bool(getattr(event, "group", "")) and not getattr(event, "ship", "")
        groups.setdefault((rest, plurals), []).append(subject)
    result = []
    for (rest, plurals), subjects in groups.items():
        words, extra_details = _joint_sentence(rest, subjects, plurals, names)
        result.append(sentence(words))
        details += extra_details
    return result, details


def _joint_sentence(
    rest: str, subjects: Sequence[str], plurals: bool, names: BattleNames
) -> tuple[str, list[str]]:
    """Return one sentence about several subjects, and their names if it only counts them."""
    total = len(subjects)
    are_named = len(subjects) <= MOST_NAMES
    name_details = (
        [] if are_named else [join_names(sorted(without_marks(subject) for subject in subjects))]
    )
    if rest == MOVE_REST:
        return (
            phrase("{} moves", subjects[0]) if total == 1 else phrase("{} ships move", total)
        ), []
    if rest == IDENTIFIED_REST:
        return phrase(
            "They identified {}", join_names(subjects) if are_named else counted_noun(total, "ship")
        ), name_details
    if rest == CONTACT_REST and total == 1:
        code = MARK_PATTERN.match(subjects[0])
        return phrase("{} is identified: {}", names.bogey(code[1] if code else ""), subjects[0]), []
    if rest == CONTACT_REST:
        if are_named:
            return phrase("{} contacts are identified: {}", total, join_names(subjects)), []
        classes = Counter(without_marks(subject).rpartition(" ")[0] for subject in subjects)
        kinds = join_names([counted_noun(count, cls) for cls, count in sorted(classes.items())])
        return phrase("{} contacts are identified: {}", total, kinds), name_details
    if not subjects[0] or total == 1:
        words = phrase("{}{}", subjects[0], rest)
        return phrase("{} ({} times)", words, total) if total > 1 else words, []
    if plurals:
        return (
            phrase("{}{}", join_names(subjects), rest)
            if are_named
            else phrase("{} groups{}", total, rest)
        ), name_details
    return phrase("Each of {}{}", join_names(subjects), rest) if are_named else phrase(
        "Each of {} ships{}", total, rest
    ), name_details


def fire_sentence(events: Sequence[Event], names: BattleNames) -> tuple[Sentence, list[str]]:
    """Describe one shooter's fire, target by target with weapons and hits; and list all dice."""
    by: dict[str, list[ShotEvent]] = {}
    for event in events:
        shot = shot_of(event)
        if shot is not None:
            by.setdefault(_target(shot, names), []).append((event, shot))
    parts = []
    for target, shots in by.items():
        parts.append(_target_text(target, [shot for _, shot in shots]))
    details = []
    for shots in by.values():
        for line in _dice_of(shots, names):
            details.append(line)
    ((_, first), *_), *_ = by.values()
    if first.by_group:
        fires = phrase("{} fire {}")
    else:
        fires = phrase("{} fires {}")
    return sentence(fires.format(names.of(first.shooter), join_phrases("; ", parts))), details


def _dice_of(shots: Sequence[ShotEvent], names: BattleNames) -> list[str]:
    """Return the dice at one target: common details once, then weapon by weapon."""
    weapons_by_head: dict[str, list[str]] = {}
    for event, shot in shots:
        head, dice, rolls = _line_words(event, names)[1].partition(localize(phrase("dice {}", "")))
        if shot.mode:
            mode_text = phrase(" ({})", kind_words(shot.mode))
        else:
            mode_text = ""
        if shot.weapon:
            weapon = phrase("{}{} ", system_words(shot.weapon), mode_text)
        else:
            weapon = ""
        weapons_by_head.setdefault(head.rstrip(", "), []).append(
            phrase("{}({})", weapon, rolls) if dice else weapon.strip()
        )
    _, first = shots[0]
    at = without_marks(_target(first, names))
    return [
        phrase("At {}, {}: {}", at, head, join_phrases("; ", weapons))
        if head
        else phrase("At {}: {}", at, join_phrases("; ", weapons))
        for head, weapons in weapons_by_head.items()
    ]


def _target(shot: Shot, names: BattleNames) -> str:
    if shot.at_marker:
        return system_words(shot.target)
    return names.of(shot.target)


def _target_text(target: str, shots: Sequence[Shot]) -> str:
    guns: Counter[str] = Counter()
    for shot in shots:
        if shot.weapon:
            type_, _, number = shot.weapon.rpartition("-")
            guns[system_words(type_ if number.isdecimal() else shot.weapon)] += 1
    hits = sum(shot.hits for shot in shots)
    if shots[0].down:
        if hits:
            result = phrase("{} shot down", hits)
        else:
            result = phrase("none hit")
    elif hits:
        result = counted_noun(hits, "hit")
    else:
        result = phrase("no hit")
    ranges = sorted({round(shot.range) for shot in shots})
    if len(ranges) == 1:
        target = phrase("{} at {} MU", target, ranges[0])
    else:
        target = phrase("{} at {} to {} MU", target, ranges[0], ranges[-1])
    if guns:
        target = phrase(
            "{} with {}",
            target,
            join_names([counted_noun(count, gun) for gun, count in guns.items()]),
        )
    return phrase("at {}: {}", target, result)


def consequence_sentence(events: Sequence[Event], names: BattleNames) -> tuple[Sentence, list[str]]:
    """Describe what happened to one ship or group: damage, lost systems, end; and the dice."""
    subject = names.of(events[0].subject)
    rests: list[str] = []
    details: list[str] = []
    armour = sum(event.points for event in events if isinstance(event, ArmourAbsorbed))
    damage = [event for event in events if isinstance(event, ShipDamaged)]
    if armour:
        rests.append(phrase("takes {} on its armour", armour))
    if damage:
        points = sum(event.points for event in damage)
        total = damage[-1].total
        rests.append(
            phrase("takes {} ({} in all)", points, total)
            if total > points
            else phrase("takes {}", points)
        )
    checks = [event for event in events if isinstance(event, (ThresholdChecked, SystemChecked))]
    if checks:
        lost_systems = [system_words(system) for event in checks for system in event.lost]
        rests.append(
            phrase("loses {}", join_names(lost_systems))
            if lost_systems
            else phrase("loses no system")
        )
    for reason, weapons in _refused_weapons(events).items():
        rests.append(phrase("holds fire with {} ({})", join_names(weapons), reason))
    for event in events:
        words, detail = _line_words(event, names)
        if detail and not isinstance(event, ArmourAbsorbed):
            details.append(phrase("{}: {}", without_marks(words), detail))
        if words and not isinstance(event, SUMMED_EVENTS):
            begins, rest = _split_subject(words)
            rests.append(rest.strip() if begins == subject else words)
    return (
        sentence(phrase("{} {}", subject, join_names(list(dict.fromkeys(rests))))) if rests else ()
    ), details


def _refused_weapons(events: Iterable[Event]) -> dict[str, list[str]]:
    """Return weapons that did not fire, by reason."""
    weapons_by_reason: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, ShotRefused):
            weapons_by_reason.setdefault(event.reason, []).append(system_words(event.weapon))
    return weapons_by_reason
