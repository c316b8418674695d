"""Sentences of a replay: ships marked in texts, similar lines merged, a shooter's fire in one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from campaign.replays.events import Shot, shot_of
from campaign.words.battle.log import line_of, plural_of
from campaign.words.battle.phrases import BattleNames
from engine.core.phrase import join_phrases, localize, phrase
from engine.english import capitalize_first, counted_noun, join_names, kind_words, system_words
from engine.events.damage import (
    ArmourAbsorbed,
    ShipDamaged,
    ShipDestroyed,
    SystemChecked,
    ThresholdChecked,
)
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
# These stand for the rest of a sentence that is worded for all its subjects together.
CONTACT_REST = "\x04"  # "... is identified", of contacts
MOVE_REST = "\x05"  # "... moves"
IDENTIFIED_REST = "\x06"  # of own ships that the other side has identified
# A consequence sentence adds these events up instead of quoting their lines.
SUMMED_EVENTS = (
    ArmourAbsorbed,
    ShipDamaged,
    ThresholdChecked,
    SystemChecked,
    ShotRefused,
    ArcRolled,
)
MAX_NAMES = 4  # ships named in one sentence; more are counted


class Marking:
    """Names of ships that carry the ship's key, so that a sentence can link to the ship."""

    def __init__(self, names: BattleNames) -> None:
        self.names = names

    def of(self, ship: object) -> str:
        """Return the name of a ship or group, marked with its key."""
        return _marked(ship, self.names.of(ship))

    def bogey(self, code: object) -> str:
        """Return the name of an unidentified contact, marked with its code."""
        return _marked(code, self.names.bogey(code))

    def side(self, key: str) -> str:
        """Return the name of a side, without a mark."""
        return self.names.side(key)


def _marked(key: object, name: str) -> str:
    """Return a name between marks that hold its key."""
    return phrase("{}{}{}{}{}", OPEN, key, NAME, name, CLOSE)


def sentence(words: str) -> Sentence:
    """Split a marked text into parts, translated, with a capital letter and a full stop."""
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
        key, name = first
        parts[0] = (key, capitalize_first(name))
    return tuple(parts)


def sentence_text(parts: Sentence) -> str:
    """Return a sentence as text."""
    texts = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        else:
            _, name = part
            texts.append(name)
    return "".join(texts)


def without_marks(words: str) -> str:
    """Return a marked text without marks."""
    return MARK_PATTERN.sub(r"\2", words)


def _line_words(event: Event, names: BattleNames) -> tuple[str, str]:
    """Return an event's line in the log and its detail, both translated; empty without a line."""
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

    Events that differ only in their subject share a sentence, if their class has a plural.
    """
    groups: dict[tuple[type[Event], str, bool], list[tuple[Event, str]]] = {}
    details: list[str] = []
    for event in events:
        words, detail = _line_words(event, names)
        if not words:
            continue
        subject, rest = _split_subject(words)
        if isinstance(event, ContactIdentified):
            rest = CONTACT_REST if event.ship == event.contact else IDENTIFIED_REST
            subject = names.of(event.ship)
        elif isinstance(event, ShipMoved):
            mover = without_marks(subject)
            details.append(
                phrase("{}: course {}, velocity {}", mover, event.course, event.velocity)
            )
            rest = MOVE_REST
        if detail:
            details.append(phrase("{}: {}", without_marks(words), detail))
        is_group = bool(subject) and subject == names.of(getattr(event, "group", ""))
        groups.setdefault((type(event), rest, is_group), []).append((event, subject))
    result: list[Sentence] = []
    for (_, rest, is_group), events_with_subjects in groups.items():
        subjects = [subject for _, subject in events_with_subjects]
        first_event, _ = events_with_subjects[0]
        texts, extra_details = _joint_texts(first_event, rest, subjects, is_group, names)
        result += map(sentence, texts)
        details += extra_details
    return result, details


def _joint_texts(
    event: Event, rest: str, subjects: Sequence[str], are_groups: bool, names: BattleNames
) -> tuple[list[str], list[str]]:
    """Return the texts about several subjects: one, or without a plural one for each.

    Of many subjects a text only gives the number; their names are returned as a detail.

    Args:
        event: The event of the first subject.
        rest: What follows the subject, or CONTACT_REST, MOVE_REST or IDENTIFIED_REST.
        subjects: Names with their markup; empty texts if the sentence has no subject.
        are_groups: Whether the subjects are groups of craft.
    """
    if rest == MOVE_REST:
        return [_moves(subjects)], []
    if rest == CONTACT_REST:
        return [_contacts_identified(subjects, names)], _names_of_many(subjects)
    if rest == IDENTIFIED_REST:
        return [phrase("They identified {}", _count_or_names(subjects))], _names_of_many(subjects)
    if len(subjects) == 1:
        return [phrase("{}{}", subjects[0], rest)], []
    if not subjects[0]:
        return [phrase("{} ({} times)", rest, len(subjects))], []
    mark = MARK_PATTERN.match(subjects[0])
    joint_subject = _count_or_names(subjects, "group" if are_groups else "ship")
    plural = plural_of(event, mark[1], joint_subject, names) if mark else ""
    if plural:
        return [plural], _names_of_many(subjects)
    return [phrase("{}{}", subject, rest) for subject in subjects], []


def _count_or_names(subjects: Sequence[str], noun: str = "ship") -> str:
    """Return the names of subjects, or of many only their number with a noun."""
    if len(subjects) > MAX_NAMES:
        return counted_noun(len(subjects), noun)
    return join_names(subjects)


def _moves(subjects: Sequence[str]) -> str:
    """Say that a ship moves, or how many do."""
    if len(subjects) == 1:
        return phrase("{} moves", subjects[0])
    return phrase("{} ships move", len(subjects))


def _names_of_many(subjects: Sequence[str]) -> list[str]:
    """Return the names of subjects as a detail, if there are too many for a sentence."""
    if len(subjects) <= MAX_NAMES:
        return []
    return [join_names(sorted(map(without_marks, subjects)))]


def _contacts_identified(subjects: Sequence[str], names: BattleNames) -> str:
    """Say which contacts were identified: by name, or many of them by class."""
    total = len(subjects)
    if total == 1:
        code = MARK_PATTERN.match(subjects[0])
        return phrase("{} is identified: {}", names.bogey(code[1] if code else ""), subjects[0])
    if total <= MAX_NAMES:
        return phrase("{} contacts are identified: {}", total, join_names(subjects))
    # A foreign ship's name is its class and a number.
    classes = Counter(without_marks(subject).rpartition(" ")[0] for subject in subjects)
    kinds = join_names([counted_noun(count, cls) for cls, count in sorted(classes.items())])
    return phrase("{} contacts are identified: {}", total, kinds)


def fire_sentence(events: Sequence[Event], names: BattleNames) -> tuple[Sentence, list[str]]:
    """Describe one shooter's fire, target by target with weapons and hits; and list all dice."""
    shots_by_target: dict[str, list[ShotEvent]] = {}
    for event in events:
        shot = shot_of(event)
        if shot is not None:
            shots_by_target.setdefault(_target(shot, names), []).append((event, shot))
    parts = []
    details = []
    for target, shot_events in shots_by_target.items():
        parts.append(_target_text(target, [shot for _, shot in shot_events]))
        details += _dice_of(shot_events, names)
    first_shots = next(iter(shots_by_target.values()))
    _, first = first_shots[0]
    if first.by_group:
        fires = phrase("{} fire {}")
    else:
        fires = phrase("{} fires {}")
    return sentence(fires.format(names.of(first.shooter), join_phrases("; ", parts))), details


def _dice_of(shots: Sequence[ShotEvent], names: BattleNames) -> list[str]:
    """Return the dice at one target: common details once, then weapon by weapon."""
    weapons_by_head: dict[str, list[str]] = {}
    for event, shot in shots:
        _, detail = _line_words(event, names)
        head, dice, rolls = detail.partition(localize(phrase("dice {}", "")))
        weapon = _weapon_text(shot)
        weapons = weapons_by_head.setdefault(head.rstrip(", "), [])
        weapons.append(phrase("{}({})", weapon, rolls) if dice else weapon.strip())
    _, first = shots[0]
    target = without_marks(_target(first, names))
    lines: list[str] = []
    for head, weapons in weapons_by_head.items():
        weapon_list = join_phrases("; ", weapons)
        if head:
            lines.append(phrase("At {}, {}: {}", target, head, weapon_list))
        else:
            lines.append(phrase("At {}: {}", target, weapon_list))
    return lines


def _weapon_text(shot: Shot) -> str:
    """Return a shot's weapon, its mode in brackets, and a space; empty if none is named."""
    if not shot.weapon:
        return ""
    mode_text = phrase(" ({})", kind_words(shot.mode)) if shot.mode else ""
    return phrase("{}{} ", system_words(shot.weapon), mode_text)


def _target(shot: Shot, names: BattleNames) -> str:
    """Return the name of a shot's target; ordnance is named by its kind."""
    if shot.at_ordnance:
        return system_words(shot.target)
    return names.of(shot.target)


def _target_text(target: str, shots: Sequence[Shot]) -> str:
    """Describe all shots at one target: range, weapons, result."""
    hits = sum(shot.hits for shot in shots)
    ranges = sorted({round(shot.range) for shot in shots})
    if len(ranges) == 1:
        target = phrase("{} at {} MU", target, ranges[0])
    else:
        target = phrase("{} at {} to {} MU", target, ranges[0], ranges[-1])
    guns = _guns(shots)
    if guns:
        gun_list = join_names([counted_noun(count, gun) for gun, count in guns.items()])
        target = phrase("{} with {}", target, gun_list)
    return phrase("at {}: {}", target, _hits_text(hits, shoots_down=shots[0].shoots_down))


def _guns(shots: Iterable[Shot]) -> Counter[str]:
    """Count the weapons of shots by name, without their numbers."""
    guns: Counter[str] = Counter()
    for shot in shots:
        if shot.weapon:
            type_, _, number = shot.weapon.rpartition("-")
            guns[system_words(type_ if number.isdecimal() else shot.weapon)] += 1
    return guns


def _hits_text(hits: int, *, shoots_down: bool) -> str:
    """Return a number of hits in words."""
    if shoots_down:
        return phrase("{} shot down", hits) if hits else phrase("none hit")
    if hits:
        return counted_noun(hits, "hit")
    return phrase("no hit")


def consequence_sentence(events: Sequence[Event], names: BattleNames) -> tuple[Sentence, list[str]]:
    """Describe what happened to one ship or group: damage, lost systems, end; and the dice."""
    subject = names.of(events[0].subject)
    rests = _damage_rests(events) + _check_rests(events)
    details: list[str] = []
    for reason, weapons in _refused_weapons(events).items():
        rests.append(phrase("holds fire with {} ({})", join_names(weapons), reason))
    for event in events:
        words, detail = _line_words(event, names)
        if detail and not isinstance(event, ArmourAbsorbed):
            details.append(phrase("{}: {}", without_marks(words), detail))
        if words and not isinstance(event, SUMMED_EVENTS):
            line_subject, rest = _split_subject(words)
            rests.append(rest.strip() if line_subject == subject else words)
    if not rests:
        return (), details
    return sentence(phrase("{} {}", subject, join_names(list(dict.fromkeys(rests))))), details


def _damage_rests(events: Sequence[Event]) -> list[str]:
    """Return what a ship takes on its armour and hull, without the subject."""
    rests: list[str] = []
    armour = sum(event.points for event in events if isinstance(event, ArmourAbsorbed))
    if armour:
        rests.append(phrase("takes {} on its armour", armour))
    damage = [event for event in events if isinstance(event, ShipDamaged)]
    if damage:
        points = sum(event.points for event in damage)
        total = damage[-1].total
        is_destroyed = any(isinstance(event, ShipDestroyed) for event in events)
        if total != points and not is_destroyed:  # a destroyed ship's total leaves out the excess
            rests.append(phrase("takes {} ({} in all)", points, total))
        else:
            rests.append(phrase("takes {}", points))
    return rests


def _check_rests(events: Iterable[Event]) -> list[str]:
    """Return which systems a ship loses in threshold checks, without the subject."""
    lost_systems: list[str] = []
    is_checked = False
    for event in events:
        if isinstance(event, (ThresholdChecked, SystemChecked)):
            is_checked = True
            lost_systems += map(system_words, event.lost)
    if lost_systems:
        return [phrase("loses {}", join_names(lost_systems))]
    if is_checked:
        return [phrase("loses no system")]
    return []


def _refused_weapons(events: Iterable[Event]) -> dict[str, list[str]]:
    """Return weapons that did not fire, by reason."""
    weapons_by_reason: dict[str, list[str]] = {}
    for event in events:
        if isinstance(event, ShotRefused):
            weapons_by_reason.setdefault(event.reason, []).append(system_words(event.weapon))
    return weapons_by_reason
