"""The check of an archive, from its first line to its last.

It stops at the first difference in order of time, or goes on with what the archive has. A server
checks its own database in the same way, with lines made from its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import Any

from campaign.kinds import StageKind
from engine.core.dice import Roll, keyed_die
from engine.core.errors import RuleViolations
from engine.core.fair import die_key, path_of
from engine.core.merkle import tree_root
from engine.core.signed_notes import (
    Checkpoint,
    NoteKey,
    read_checkpoint,
    read_note,
    read_verifier_key,
)
from engine.core.versions import UnknownRules
from engine.core.war_dice import WEEK
from engine.luck import FoughtBattle, LuckAccount, luck_account
from proof.archive import Ending, Line, Opening, StageLines, UnreadableArchive, read_parts
from proof.battles import RolledDice, War, fought_battles
from proof.beacons import UNCHECKED, Beacons
from proof.choices import (
    COMPUTERS,
    captain_differences,
    is_own_source,
    order_differences,
)
from proof.end_rows import end_row_differences
from proof.findings import Counts, Difference, Differs, Exit, Level, Unplayable, Where, where_of
from proof.forks import UNPROVEN, has_proof
from proof.integrity import Integrity
from proof.luck import Faces, faces_of
from proof.partial import OwnStage, PartialCheck, is_partial, whole_lines
from proof.replay import (
    PlayedStage,
    Position,
    Positions,
    first_position,
    play_stage,
    stored_position,
    war_of,
)
from proof.table_dice import table_counts
from proof.witnesses import (
    Finding,
    SealedRecord,
    Witnesses,
    earlier_keys,
    sealed_records,
)

DIE_PARTS = 5  # purpose, subject, number, sides, value
MAX_SIDES = 256
BATTLE_PLACE = "battle/"
WAR_GOES_ON = "the war goes on after the last week of this archive"  # a limit


@dataclass(frozen=True, slots=True)
class Options:
    """How a check is made.

    Attributes:
        level: The deepest level; CHOICES only where the same sources resolved a stage, unless
            `notes` is set.
        notes: Also say what computers of this release would have chosen in a war of another one.
        all: Go on after a difference, with what the archive has.
        heads: Heads that people kept: short names or signed notes.
        receipts: Receipts that people kept.
        key: The public key of the site, if the reader knows it already.
        luck: Also make the luck account.
        played: How many stages were played again before; for them only hashes are checked, and
            the next one is played from the position that is stored.
        goes_on: Asked after each stage that is played; False ends the check.
    """

    level: Level = Level.CHOICES
    notes: bool = False
    all: bool = False
    heads: Sequence[str] = ()
    receipts: Sequence[str] = ()
    key: str = ""
    luck: bool = False
    played: int = 0
    goes_on: Callable[[], bool] | None = None


@dataclass(slots=True)
class Verdict:
    """The outcome of a check.

    Attributes:
        unreadable: Line and words of what cannot be read.
        other_build: The hash of the sources that resolved the first stage that differs, if they are
            not those of this program.
        notes: What computers of this release would have chosen otherwise.
        faces: Of all proven dice, by purpose.
        luck: The luck account of all proven battles, if it was asked for.
        limits: Why something was not checked.
        findings: What became of heads and receipts.
        head: Of the whole ledger.
        signer: The name of the site that signed the head; empty if none did.
        has_end_row: The ledger ends with the row that publishes the seed.
        stopped: `Options.goes_on` ended the check.
        shown_for: The faction whose archive it is; empty for an archive of a whole war.
    """

    name: str = ""
    campaign: str = ""
    level: Level = Level.WEEKS
    differences: list[Difference] = field(default_factory=list)
    unreadable: tuple[int, str] | None = None
    other_build: str = ""
    notes: list[Difference] = field(default_factory=list)
    faces: tuple[Faces, ...] = ()
    luck: LuckAccount | None = None
    limits: list[str] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    findings: list[Finding] = field(default_factory=list)
    head: Checkpoint | None = None
    signer: str = ""
    has_end_row: bool = False
    stopped: bool = False
    shown_for: str = ""

    @property
    def exit(self) -> Exit:
        """Return the exit status."""
        if self.unreadable is not None:
            return Exit.DIFFERS if self.differences else Exit.UNREADABLE
        if self.differences:
            return Exit.DIFFERS
        if any(not finding.holds for finding in self.findings):
            return Exit.CONTRADICTED
        return Exit.AS_FAR_AS_SHOWN if self.limits else Exit.PROVEN


class _Stop(Exception):
    """Raised at the first difference of a check that does not go on."""


def check(lines: Iterable[Line], options: Options | None = None) -> Verdict:
    """Check the lines of an archive: of a whole war, or of what one faction can prove."""
    checker = _Checker(options or Options())
    pending = iter(lines)
    try:
        first = next(pending)
    except UnreadableArchive as error:
        verdict = Verdict()
        verdict.unreadable = (error.line, error.words)
        return verdict
    if is_partial(first):
        return checker.run_partial(first, pending)
    return checker.run(chain([first], pending))


class _Checker:
    """Checks one archive."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._verdict = Verdict(level=options.level)
        self._records: list[SealedRecord] = []
        self._war: War | None = None
        self._positions: Positions | None = None
        self._opening: Opening | None = None
        self._integrity: Integrity | None = None
        self._key: NoteKey | None = None
        self._earlier_keys: list[NoteKey] = []
        self._last_stage = ""
        self._rolls: list[Roll] = []
        self._battles: list[FoughtBattle] = []
        self._beacons = Beacons()

    def run(self, lines: Iterable[Line]) -> Verdict:
        """Return the verdict on the lines of an archive."""
        try:
            for part in read_parts(lines):
                if isinstance(part, Opening):
                    self._open(part)
                elif isinstance(part, StageLines):
                    self._stage(part)
                    self._pause()
                else:
                    self._end(part)
        except UnreadableArchive as error:
            self._verdict.unreadable = (error.line, error.words)
        except _Stop:
            pass
        self._verdict.faces = faces_of(self._rolls)
        if self._options.luck:
            self._verdict.luck = luck_account(self._battles)
        return self._verdict

    def _pause(self) -> None:
        """Stop after a stage if the check is to go on later. Raises _Stop."""
        goes_on = self._options.goes_on
        if goes_on is None or self._verdict.counts.rows <= self._options.played or goes_on():
            return
        self._verdict.stopped = True
        raise _Stop

    def run_partial(self, first: Line, lines: Iterable[Line]) -> Verdict:
        """Return the verdict on the archive of what one faction can prove."""
        verdict = self._verdict
        header = first.body
        verdict.name = header["name"]
        verdict.campaign = header["campaign"]
        verdict.level = Level.INTEGRITY
        verdict.shown_for = str(header["for"])
        verdict.counts.factions = 1
        try:
            self._read_key(first)
            part = PartialCheck(first)
            for line in whole_lines(lines):
                stage = part.take(line)
                if stage is not None:
                    self._report(
                        self._attempt(stage.row, stage.where, part.stage_differences(stage))
                    )
                    self._count_partial(stage)
            verdict.counts.views = part.views
            verdict.limits += part.limits
            self._records = part.records
            self._compare_kept(header, part.hashes(), part.heads, part.stages)
        except UnreadableArchive as error:
            verdict.unreadable = (error.line, error.words)
        except _Stop:
            pass
        return verdict

    def _count_partial(self, stage: OwnStage) -> None:
        """Count what is in a stage of one faction's archive."""
        counts = self._verdict.counts
        counts.weeks = max(counts.weeks, stage.body["week"])
        counts.rows += 1
        counts.entries += len(stage.of("entry"))
        counts.shares += sum("share" in line.body for line in stage.of("entry"))
        counts.reports += len(stage.of("report"))

    def _report(self, differences: Iterable[Difference]) -> None:
        """Keep differences; stop at the first unless the check goes on."""
        for difference in differences:
            self._verdict.differences.append(difference)
            if not self._options.all:
                raise _Stop

    def _open(self, opening: Opening) -> None:
        """Check what comes before the first stage."""
        verdict = self._verdict
        header = opening.header.body
        verdict.name = header["name"]
        verdict.campaign = header["campaign"]
        verdict.counts.factions = len(opening.factions)
        verdict.counts.rollbacks = len(opening.branches) - 1
        self._opening = opening
        self._read_key(opening.header)
        self._integrity = Integrity(opening)
        self._report(self._integrity.opening_differences())
        if not has_proof(opening):
            verdict.limits.append(UNPROVEN)
        if "seed" not in header:
            verdict.limits.append(
                "the seed is not in this archive: dice, results and weeks are not checked"
            )
        elif self._options.level >= Level.DICE:
            self._report(self._attempt(opening.header, Where(), self._begin(opening)))

    def _begin(self, opening: Opening) -> Iterator[Difference]:
        """Compute where the war begins, and yield what differs."""
        self._war = war_of(opening, opening.header.body["seed"])
        position, differences = first_position(self._war, opening)
        self._positions = Positions(opening, position)
        if self._options.level >= Level.WEEKS:
            yield from differences

    def _read_key(self, header: Line) -> None:
        """Read the public key of the site."""
        try:
            self._key = read_verifier_key(header.body["vkey"])
        except ValueError as error:
            words = f"the key of the site cannot be read: {error}"
            place = Where().difference(Level.INTEGRITY, header, "vkey", words)
            self._report([place])
        if self._options.key and self._options.key.strip() != header.body["vkey"]:
            words = "the key of the site is not the one that you know"
            self._verdict.findings.append(Finding(holds=False, words=words))

    def _stage(self, stage: StageLines) -> None:
        """Check a stage."""
        assert self._integrity is not None
        counts = self._verdict.counts
        where = where_of(stage)
        if stage.snapshot is not None:
            self._last_stage = stage.snapshot.body["stage"]
        self._report(self._attempt(stage.stage, where, self._integrity.stage_differences(stage)))
        self._records += sealed_records(stage)
        self._earlier_keys += earlier_keys(stage)
        self._beacons.keep(stage, counts)
        counts.weeks = max(counts.weeks, stage.stage.body["week"])
        counts.rows += 1
        counts.entries += len(stage.entries)
        counts.shares += sum("share" in line.body for line in stage.entries)
        counts.battles += len(stage.battles)
        counts.acts += len(stage.acts)
        counts.rulings += stage.ruling is not None
        counts.nameless_acts += sum("body" not in line.body for line in stage.acts)
        self._report(self._attempt(stage.stage, where, self._count_throws(stage)))
        if self._war is None or self._positions is None or stage.is_left:
            return
        if counts.rows <= self._options.played:
            self._report(self._attempt(stage.stage, where, self._keep_stored(stage)))
            return
        self._report(self._attempt(stage.stage, where, self._key_differences(stage)))
        self._report(self._attempt(stage.stage, where, self._play(stage)))

    def _count_throws(self, stage: StageLines) -> Iterator[Difference]:
        """Count the dice of the site in the records of tables; nothing differs."""
        throws = table_counts(stage.battles.values())
        self._verdict.counts.unshown_throws += throws.unshown
        self._verdict.counts.one_step_throws += throws.in_one_step
        yield from ()

    def _keep_stored(self, stage: StageLines) -> Iterator[Difference]:
        """Take a stage that was played before as it is stored; nothing differs."""
        assert self._positions is not None
        self._positions.keep(stage, stored_position(self._positions.before(stage), stage))
        yield from ()

    def _play(self, stage: StageLines) -> Iterator[Difference]:
        """Play a stage again, and yield what differs."""
        assert self._war is not None
        assert self._positions is not None
        level = self._options.level
        counts = self._verdict.counts
        assert self._opening is not None
        dice_number = self._opening.dice_numbers[stage.stage.body["branch"]]
        war = replace(self._war, branch=dice_number)
        before = self._positions.before(stage)
        played = play_stage(war, before, stage, level)
        counts.trusted_results += played.entered
        self._positions.keep(stage, played.after)
        if played.differences and not is_own_source(stage) and stage.row is not None:
            self._verdict.other_build = str(stage.row.body["body"].get("source") or "")
        yield from played.differences
        if played.differences:
            self._positions.keep(stage, stored_position(before, stage))
            return
        if level >= Level.WEEKS:
            counts.worlds += 1
            counts.views += len(stage.views)
        yield from _dice_differences(stage, played.dice, complete=level >= Level.WEEKS)
        counts.dice_proven += sum(len(rolled.rolls) for rolled in played.dice)
        for rolled in played.dice:
            self._rolls += rolled.rolls
        place = stage.stage.body
        if self._options.luck and self._opening.is_on_last_line(place["branch"], place["ordinal"]):
            self._battles += fought_battles(stage)
        if level >= Level.CHOICES:
            yield from self._choices(war, before, stage, played)

    def _choices(
        self, war: War, before: Position, stage: StageLines, played: PlayedStage
    ) -> Iterator[Difference]:
        """Yield what computers would have chosen otherwise; in another release it is a note."""
        counts = self._verdict.counts
        if not is_own_source(stage) and not self._options.notes:
            return
        differences = list(order_differences(war, before.views, self._admirals(stage), stage))
        for taken_over in played.taken_over:
            differences += captain_differences(war, stage, played.moment, taken_over)
        counts.choices += sum(line.body["source"] in COMPUTERS for line in stage.entries)
        counts.choices += len(played.taken_over)
        if is_own_source(stage):
            yield from differences
        else:
            self._verdict.notes += differences

    def _admirals(self, stage: StageLines) -> dict[str, str]:
        """Return the characters of the admirals in a stage, as far as the archive has them."""
        if stage.setting is not None:
            return dict(stage.setting.body["document"].get("admirals", {}))
        assert self._opening is not None
        return {line.body["key"]: line.body["admiral"] for line in self._opening.factions}

    def _key_differences(self, stage: StageLines) -> Iterator[Difference]:
        """Yield the first die of each line that does not follow from its key."""
        assert self._war is not None
        for line in stage.throws:
            key, context = die_key(self._war.seed, line.body["context"])
            for number, die in enumerate(line.body["dice"], start=1):
                roll = _roll_of(line, die)
                place = _die_place(line, number, die)
                if roll is None:
                    words = "it is not a die"
                    yield where_of(stage).difference(Level.DICE, line, place, words, die)
                    break
                self._verdict.counts.dice += 1
                should = keyed_die(key, context, roll)
                if roll.value != should:
                    words = "the die does not follow from the seed"
                    yield where_of(stage).difference(
                        Level.DICE, line, place, words, str(roll.value), str(should)
                    )
                    break

    def _attempt(
        self, line: Line, where: Where, differences: Iterator[Difference]
    ) -> Iterator[Difference]:
        """Yield differences; what cannot be played again is a difference or a limit, no crash."""
        try:
            yield from differences
        except Differs as found:
            yield found.difference
        except (Unplayable, UnknownRules) as error:
            self._verdict.limits.append(str(error))
            self._war = None
        except ModuleNotFoundError as error:
            self._verdict.limits.append(f"{error.name} is not installed: pip install {error.name}")
            self._war = None
        except RuleViolations as error:
            fault = error.violations[0]
            words = f"it cannot be played again: {fault.where}: {fault.message}"
            yield from self._cut(line, where, words)
        except Exception as error:  # noqa: BLE001 -- the file may be anything; whatever breaks is a difference
            words = f"it cannot be played again ({type(error).__name__}: {error})"
            yield from self._cut(line, where, words)

    def _cut(self, line: Line, where: Where, words: str) -> Iterator[Difference]:
        """Yield a difference beyond which nothing is played."""
        self._war = None
        place = "stage" if line.kind == "stage" else "war"
        yield where.difference(Level.WEEKS, line, place, words[:400])

    def _end(self, ending: Ending) -> None:
        """Check heads and witnesses."""
        assert self._integrity is not None
        assert self._opening is not None
        ledgers = {}
        for branch in self._opening.dice_numbers:
            ledgers[branch] = self._integrity.hashes_of(branch)
        self._check_beacons()
        if self._last_stage != StageKind.OVER:
            self._verdict.limits.append(WAR_GOES_ON)
        self._compare_kept(self._opening.header.body, ledgers, ending.heads)
        if ending.end_row is not None:
            self._end_row(ending.end_row, ledgers[self._opening.branch])

    def _compare_kept(
        self,
        header: Mapping[str, Any],
        ledgers: Mapping[int, Sequence[str]],
        signed_heads: Sequence[Line],
        stages: Collection[tuple[int, int]] | None = None,
    ) -> None:
        """Check the signed heads of an archive, and compare what the reader kept.

        Args:
            ledgers: The hashes of the rows of each branch and its ancestors.
            stages: As for `Witnesses`.
        """
        heads = []
        for branch, hashes in ledgers.items():
            root = tree_root([bytes.fromhex(hash_) for hash_ in hashes])
            origin = f"{header['site']}/war/{header['campaign']}/{branch}"
            heads.append(Checkpoint(origin, len(hashes), root))
        self._verdict.head = heads[-1]
        for line in signed_heads:
            self._report(self._attempt(line, Where(), self._head_differences(line, heads)))
        witnesses = Witnesses(
            campaign=header["campaign"],
            ledgers=ledgers,
            records=self._records,
            keys=self._earlier_keys if self._key is None else [self._key, *self._earlier_keys],
            stages=stages,
        )
        for text in self._options.heads:
            self._verdict.findings.append(witnesses.head(text))
        for text in self._options.receipts:
            self._verdict.findings += witnesses.receipts(text)

    def _check_beacons(self) -> None:
        """Check who has signed the public random values."""
        if not self._beacons.can_be_checked:
            self._verdict.limits.append(UNCHECKED)
        else:
            self._report(self._beacons.differences())

    def _end_row(self, line: Line, hashes: Sequence[str]) -> None:
        """Check the last row of the ledger, which is written after the war.

        Args:
            hashes: Of the rows before it.
        """
        assert self._opening is not None
        if self._last_stage != StageKind.OVER:
            words = "the seed was published while the war went on"
            self._report([Where().difference(Level.INTEGRITY, line, "last row", words)])
        differences = end_row_differences(line, self._opening, hashes)
        self._report(self._attempt(line, Where(), differences))
        self._verdict.has_end_row = True

    def _head_differences(self, line: Line, heads: Sequence[Checkpoint]) -> Iterator[Difference]:
        """Yield what differs in a signed head of the archive.

        Args:
            heads: Of all branches; that of the last one is the head of the war.
        """
        try:
            note = read_note(line.body["note"])
            found = read_checkpoint(note.text)
        except ValueError as error:
            words = f"the signed head cannot be read: {error}"
            yield Where().difference(Level.INTEGRITY, line, "head", words)
            return
        if found not in heads:
            should = next((head for head in heads if head.origin == found.origin), heads[-1])
            words = "the signed head is not that of these rows"
            yield Where().difference(Level.INTEGRITY, line, "head", words, found.text, should.text)
        elif self._key is None or not note.is_signed_by(self._key):
            words = "the site's key has not signed this head"
            yield Where().difference(Level.INTEGRITY, line, "head", words)
        else:
            self._verdict.signer = self._key.name


def _roll_of(line: Line, die: Any) -> Roll | None:
    """Return a die of an archive; None if it is not one."""
    if not isinstance(die, list) or len(die) != DIE_PARTS:
        return None
    purpose, subject, number, sides, value = die
    if not isinstance(purpose, str) or not isinstance(subject, str):
        return None
    if any(type(item) is not int for item in (number, sides, value)):
        return None
    if not 0 < sides <= MAX_SIDES:
        return None
    return Roll(line.body["place"], purpose, subject, number, sides, value)


def _is_of_battle(context: list[Any], place: str) -> bool:
    """Return whether dice are those of a battle, by either rules of dice."""
    path = path_of(context)
    return place.startswith(BATTLE_PLACE) if path is None else path[-1] != [WEEK]


def _spot_words(context: list[Any], place: str) -> str:
    """Return in words where dice are rolled."""
    path = path_of(context)
    if path is None or path[-1] == [WEEK]:
        return place or "the week"
    first = path[0]
    names = path[-1] if len(path) > 1 else [*first[1:2], *first[4:-1]]
    spot = "/".join(str(name) for name in names)
    return f"{spot}/{place}" if place else spot


def _die_place(line: Line, number: int, die: Any) -> str:
    """Return the place of a die in words."""
    place = _spot_words(line.body["context"], line.body["place"])
    words = f"{place}: die {number}"
    if isinstance(die, list) and len(die) == DIE_PARTS:
        words += f", {die[0]} by {die[1]}"
    return words


def rolled_by_place(dice: Iterable[RolledDice]) -> dict[tuple[str, str], list[list[Any]]]:
    """Return rolled dice as an archive lists them, by context (as text) and place."""
    result: dict[tuple[str, str], list[list[Any]]] = {}
    for rolled in dice:
        context = repr(list(rolled.context))
        for roll in rolled.rolls:
            die = [roll.purpose, roll.subject, roll.number, roll.sides, roll.value]
            result.setdefault((context, roll.place), []).append(die)
    return result


def _dice_differences(
    stage: StageLines, dice: Iterable[RolledDice], *, complete: bool
) -> Iterator[Difference]:
    """Yield where the listed dice are not those that were rolled.

    Args:
        complete: Whether the week was resolved; else only dice of battles are compared.
    """
    where = where_of(stage)
    rolled = rolled_by_place(dice)
    places = list(rolled)
    for line in stage.throws:
        place = line.body["place"]
        if not complete and not _is_of_battle(line.body["context"], place):
            continue
        spot = (repr(line.body["context"]), place)
        if complete and spot in rolled and places.index(spot) != len(places) - len(rolled):
            words = "dice of an earlier place are missing before these"
            named = _spot_words(line.body["context"], place)
            yield where.difference(Level.DICE, line, named, words)
        should = rolled.pop(spot, [])
        pairs = zip_longest(line.body["dice"], should)
        for number, (stands, must) in enumerate(pairs, start=1):
            if stands != must:
                words = "other dice are rolled here"
                yield where.difference(
                    Level.DICE, line, _die_place(line, number, stands or must), words, stands, must
                )
                break
    for _, place in rolled:
        if stage.row is not None:
            words = "the dice that are rolled here are not listed"
            yield where.difference(Level.DICE, stage.row, place or "the week", words)
