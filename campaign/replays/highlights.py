"""What was greatest in a replay: a headline and a few sentences. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from campaign.replays.moments import Moment
from campaign.replays.replay import Replay
from campaign.replays.sentences import Sentence
from campaign.replays.units import NO_SIDE
from engine.core.phrase import join_phrases, phrase
from engine.english import counted_noun

MOST_SENTENCES = 2


def headline_of(replay: Replay) -> str:
    """Return the greatest act of a replay in a few words; empty if nobody was hit or destroyed.

    That is the destroyed ship that took most hits in that moment, else the ship that took most.
    """
    best_hits, best_name, is_destroyed = -1, "", False
    for moment in replay.moments:
        for hits, name, was_destroyed in _acts(replay, moment):
            if (was_destroyed, hits) > (is_destroyed, best_hits):
                best_hits, best_name, is_destroyed = hits, name, was_destroyed
    if not best_name:
        return ""
    if not is_destroyed:
        return phrase("{} takes {}", best_name, counted_noun(best_hits, "hit"))
    if best_hits > 0:
        return phrase("{}, and {} is gone", counted_noun(best_hits, "hit"), best_name)
    return phrase("{} is gone", best_name)


def _acts(replay: Replay, moment: Moment) -> Iterator[tuple[int, str, bool]]:
    """Yield how many hits each ship of a moment took, its name, and whether it was destroyed."""
    hits = Counter(moment.shots)
    for consequence in moment.consequences:
        key, name = _subject(consequence.sentence)
        if consequence.is_destroyed and name:
            yield hits.pop(key, 0), name, True
    for key, count in hits.items():
        if count and key in replay.units:
            yield count, replay.units[key].name, False


def _subject(sentence: Sentence) -> tuple[str, str]:
    """Return the key and name of the first unit of a sentence; empty texts if it has none."""
    for part in sentence:
        if not isinstance(part, str):
            return part
    return "", ""


def forces_of(replay: Replay) -> str:
    """Return the sides of a replay, with the ships and groups that each of them shows."""
    ships: Counter[int] = Counter()
    groups: Counter[int] = Counter()
    for key, side_number in _sides_of_units(replay).items():
        counts = groups if replay.units[key].is_craft else ships
        counts[side_number] += 1
    parts = []
    for number, side in enumerate(replay.sides):
        figures = counted_noun(ships[number], "ship")
        if groups[number]:
            figures = phrase("{}, {}", figures, counted_noun(groups[number], "group"))
        parts.append(phrase("{} ({})", side.name, figures))
    return join_phrases(phrase(" against "), parts)


def _sides_of_units(replay: Replay) -> dict[str, int]:
    """Return the last known side of each unit that has one."""
    sides: dict[str, int] = {}
    for moment in replay.moments:
        for key, changes in moment.changes.items():
            side = changes.get("s", sides.get(key, NO_SIDE))
            if side != NO_SIDE and key in replay.units:
                sides[key] = side
    return sides


def events_of(replay: Replay) -> str:
    """Return the first sentences about ships that were destroyed."""
    sentences = []
    for moment in replay.moments:
        for consequence in moment.consequences:
            if consequence.is_destroyed:
                sentences.append(_text(consequence.sentence))
    return " ".join(sentences[:MOST_SENTENCES])


def _text(sentence: Iterable[str | tuple[str, str]]) -> str:
    """Return a sentence as text."""
    return "".join(part if isinstance(part, str) else part[1] for part in sentence)
