"""The lines of an archive that follow from its other lines: dice, and leaves of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.core.errors import RuleViolations
from engine.core.versions import UnknownRules
from proof.archive import Ending, Line, Opening, StageLines, read_parts
from proof.battles import RolledDice, War
from proof.findings import Differs, Level, Unplayable
from proof.replay import Positions, first_position, play_stage, stored_position, war_of
from proof.rows import leaves_of

NO_NUMBER = 0  # lines that are to be written are numbered when they are read


def with_derived(lines: Iterable[Line], played: int = 0) -> Iterator[Line]:
    """Yield the lines of an archive without its last one, with the dice and leaves of each stage.

    A stage that cannot be played again has no lines of dice, and neither have those after it; a
    check then says where the first difference is.

    Args:
        played: How many stages a check has played before. No dice are added to them.
    """
    read: list[Line] = []
    replay: _DiceReplay | None = None
    for part in read_parts(_with_end(lines, read)):
        if isinstance(part, Opening):
            replay = _DiceReplay(part, played)
        elif isinstance(part, StageLines) and replay is not None:
            row = read.pop()
            stored = [line for line in read if line.kind == "leaf"]
            yield from read[: len(read) - len(stored)]
            yield from replay.dice_lines(part)
            yield from stored
            for name, (_, value) in sorted(leaves_of(part).items()) if not stored else ():
                yield Line(NO_NUMBER, "leaf", {"name": name, "digest": value})
            yield row
            read.clear()
        elif isinstance(part, Ending):
            yield from read[:-1]
            return
        yield from read
        read.clear()


def _with_end(lines: Iterable[Line], read: list[Line]) -> Iterator[Line]:
    """Yield lines and a last one, and keep them."""
    for line in lines:
        read.append(line)
        yield line
    end = Line(NO_NUMBER, "end", {})
    read.append(end)
    yield end


class _DiceReplay:
    """Plays a war again to learn its dice."""

    def __init__(self, opening: Opening, played: int) -> None:
        self._skipped = played
        self._war: War | None = war_of(opening, opening.header.body["seed"])
        self._dice_numbers = opening.dice_numbers
        position, _ = first_position(self._war, opening)
        self._positions = Positions(opening, position)

    def dice_lines(self, stage: StageLines) -> Iterator[Line]:
        """Yield the lines of the dice of a stage."""
        is_skipped = self._skipped > 0
        self._skipped -= 1
        if self._war is None or stage.is_left:
            return
        try:
            before = self._positions.before(stage)
            if is_skipped:
                self._positions.keep(stage, stored_position(before, stage))
                return
            war = replace(self._war, branch=self._dice_numbers[stage.stage.body["branch"]])
            played = play_stage(war, before, stage, Level.WEEKS)
            differs = bool(played.differences)
            after = stored_position(before, stage) if differs else played.after
            self._positions.keep(stage, after)
        except (RuleViolations, UnknownRules, Unplayable, Differs):
            self._war = None
            return
        for rolled in played.dice:
            yield from throw_lines(rolled)


def throw_lines(rolled: RolledDice) -> Iterator[Line]:
    """Yield a line for each place at which dice of a context were rolled."""
    places: dict[str, list[list[str | int]]] = {}
    for roll in rolled.rolls:
        die: list[str | int] = [roll.purpose, roll.subject, roll.number, roll.sides, roll.value]
        places.setdefault(roll.place, []).append(die)
    for place, dice in places.items():
        body = {"context": list(rolled.context), "place": place, "dice": dice}
        yield Line(NO_NUMBER, "throws", body)
