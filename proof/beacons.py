"""The public random values of a war: which rounds its dice contain, and who has signed them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from campaign.rules.beacon import (
    SignedRound,
    can_verify,
    has_beacon,
    is_signature,
    round_after,
    unsigned_rounds,
)
from proof.archive import BattleLines, Line, StageLines
from proof.findings import Counts, Difference, Level, Where, where_of

NO_BEACON = "no-beacon"  # verb of the act by which a stage goes on without
PLAYERS = "players"  # who ordered a phase
UNCHECKED = (
    "the signatures of the public random values: install the package py-ecc, and check again"
)


def beacon_differences(stage: StageLines, ruleset: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield what is wrong with the public random values of a stage and of its phases.

    Without a public value a stage is played only if an act says so.
    """
    where = where_of(stage)
    is_played = has_beacon(ruleset) and not stage.is_left and stage.ruling is None
    if stage.beacon is not None:
        closed_at = stage.stage.body["closed_at"]
        yield from _line_differences(where, stage.beacon, closed_at, is_expected=is_played)
    elif is_played and not went_on_without(stage):
        words = "the stage has no public random value"
        yield where.difference(Level.INTEGRITY, stage.stage, "beacon", words)
    for battle in stage.battles.values():
        yield from _phase_differences(stage, battle, is_expected=has_beacon(ruleset))


def went_on_without(stage: StageLines) -> bool:
    """Return whether an act lets a stage go on without a public random value."""
    for act in stage.acts:
        words = act.body.get("body") or act.body.get("words") or {}
        if words.get("verb") == NO_BEACON:
            return True
    return False


def player_phases(battle: BattleLines) -> list[Line]:
    """Return the phases of a battle that players ordered."""
    return [line for line in battle.stops if line.body["inputs"].get("by") == PLAYERS]


def _phase_differences(
    stage: StageLines, battle: BattleLines, *, is_expected: bool
) -> Iterator[Difference]:
    """Yield what is wrong with the public random values of the phases of a battle."""
    where = where_of(stage)
    phases = {int(line.body["seq"]): line for line in player_phases(battle)}
    for number, beacon in battle.beacons.items():
        closed_at = beacon.body["closed_at"]
        has_phase = is_expected and number in phases
        yield from _line_differences(where, beacon, closed_at, is_expected=has_phase)
    if not is_expected or went_on_without(stage):
        return
    for number, line in phases.items():
        if number not in battle.beacons:
            place = f"battle {battle.key}, stop {number}"
            words = "the phase has no public random value"
            yield where.difference(Level.INTEGRITY, line, place, words)


def _line_differences(
    where: Where, line: Line, closed_at: str, *, is_expected: bool
) -> Iterator[Difference]:
    """Yield what is wrong with the line of a public random value."""

    def differs(words: str, stands: Any = None, should: Any = None) -> Difference:
        return where.difference(Level.INTEGRITY, line, "beacon", words, stands, should)

    if not is_expected:
        yield differs("no public random value belongs here")
        return
    if not is_signature(line.body["signature"]):
        yield differs("the signature has a wrong form", line.body["signature"])
        return
    number = round_after(datetime.fromisoformat(closed_at))
    if line.body["round"] != number:
        words = "the round is not the first one 30 seconds after the closing"
        yield differs(words, str(line.body["round"]), str(number))
    randomness = SignedRound(number, line.body["signature"]).randomness
    if line.body["randomness"] != randomness:
        yield differs("the value is not that of its signature", line.body["randomness"], randomness)


class Beacons:
    """Collects the public random values of a war, whose signatures are checked together."""

    def __init__(self) -> None:
        self._values: list[tuple[Where, Line, SignedRound]] = []

    def keep(self, stage: StageLines, counts: Counts) -> None:
        """Keep the values of a stage, and count stages and phases with and without."""
        lines = [] if stage.beacon is None else [stage.beacon]
        for battle in stage.battles.values():
            lines += battle.beacons.values()
        for line in lines:
            signed = SignedRound(line.body["round"], line.body["signature"])
            self._values.append((where_of(stage), line, signed))
        counts.beacons += len(lines)
        if went_on_without(stage):
            phases = sum(len(player_phases(battle)) for battle in stage.battles.values())
            counts.without_beacon += 1 + phases - len(lines)

    @property
    def can_be_checked(self) -> bool:
        """Return whether nothing is to be checked, or the package for it is installed."""
        return not self._values or can_verify()

    def differences(self) -> Iterator[Difference]:
        """Yield the values that drand has not signed."""
        unsigned = set(unsigned_rounds([signed for _, _, signed in self._values]))
        for where, line, signed in self._values:
            if signed in unsigned:
                words = "drand has not signed this value"
                yield where.difference(Level.INTEGRITY, line, "beacon", words)
