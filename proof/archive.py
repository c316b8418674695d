"""Archives of wars: a text file with a canonical JSON object on each line, perhaps gzipped.

`docs/reference/archives.md` describes the lines. Everything that is read is bounded, because the
file may come from anybody.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, NamedTuple

from engine.core.canonical import canonical_json, encode_floats
from proof.kinds import KINDS

FORMAT = 1
MAX_LINE = 4_000_000  # bytes
MAX_FILE = 200_000_000  # bytes, after decompression
MAX_NESTING = 64  # lists and objects inside each other
WHOLE_LIMIT = 2**53  # whole numbers from here on are not exact in JavaScript
GZIP_MAGIC = b"\x1f\x8b"
AFTER_STAGES = ("head", "end-row", "end")  # kinds of the lines after the last stage
LEFT = "left"  # how a stage ended that was not played, because the war was rolled back


HASHES = (  # keys whose values are 32 bytes in hexadecimal
    "sha256",
    "digest",
    "chain",
    "hash",
    "prev_hash",
    "seed",
    "seed_sha256",
    "share",
    "word",
    "randomness",
)
Body = dict[str, Any]


class UnreadableArchive(Exception):
    """Raised for a file that is not a whole archive.

    Attributes:
        line: The number of the line, from 1.
    """

    def __init__(self, line: int, words: str) -> None:
        super().__init__(words)
        self.line = line
        self.words = words


class Line(NamedTuple):
    """A line of an archive: its number from 1, its kind and its content."""

    number: int
    kind: str
    body: Body


@dataclass(slots=True)
class BattleLines:
    """The lines of a battle.

    Attributes:
        beacons: Public random values by the number of the phase whose dice they entered.
    """

    start: Line
    stops: list[Line] = field(default_factory=list)
    entries: list[Line] = field(default_factory=list)
    table_entries: list[Line] = field(default_factory=list)
    beacons: dict[int, Line] = field(default_factory=dict)
    result: Line | None = None

    @property
    def key(self) -> str:
        """Return the key of its engagement."""
        return str(self.start.body["key"])


@dataclass(slots=True)
class StageLines:
    """The lines of a stage, and of the ledger row that covers it.

    Attributes:
        battles: By key.
        views: By faction.
        leaves: By name.
        ruling: The ruling that closed the stage; None if it was played.
        beacon: The public random value that entered its dice; None if it has none.
    """

    stage: Line
    entries: list[Line] = field(default_factory=list)
    acts: list[Line] = field(default_factory=list)
    ruling: Line | None = None
    beacon: Line | None = None
    battles: dict[str, BattleLines] = field(default_factory=dict)
    throws: list[Line] = field(default_factory=list)
    snapshot: Line | None = None
    events: Line | None = None
    views: dict[str, Line] = field(default_factory=dict)
    setting: Line | None = None
    leaves: dict[str, Line] = field(default_factory=dict)
    row: Line | None = None

    @property
    def is_left(self) -> bool:
        """Return whether an abandoned timeline ended with the stage, which was not played."""
        return self.stage.body.get("how") == LEFT


@dataclass(slots=True)
class Opening:
    """The lines before the first stage.

    Attributes:
        branches: All branches of history by number. The war ended on the last one.
        parent: The row of another war whose world this one begins with; None if it is no fork.
        acts: Before the war; no row covers them.
        views: The first views, by faction.
    """

    header: Line
    scenario: Line
    factions: list[Line]
    sources: list[Line]
    branches: list[Line]
    acts: list[Line]
    snapshot: Line
    views: dict[str, Line]
    parent: Line | None = None

    @property
    def branch(self) -> int:
        """Return the number of the last branch."""
        return int(self.branches[-1].body["number"])

    @property
    def parents(self) -> dict[int, tuple[int, int]]:
        """Return branch and number of the snapshots from which branches start, by branch."""
        parents = {}
        for line in self.branches:
            parent = line.body.get("parent")
            if parent:
                parents[int(line.body["number"])] = (int(parent[0]), int(parent[1]))
        return parents

    @property
    def dice_numbers(self) -> dict[int, int]:
        """Return the numbers of branches in the keys of dice: their own, or that of a parent."""
        numbers = {}
        for line in self.branches:
            number = int(line.body["number"])
            numbers[number] = int(line.body.get("dice", number))
        return numbers

    def is_on_last_line(self, branch: int, ordinal: int) -> bool:
        """Return whether a stage led to the end of the war, so is on no abandoned timeline."""
        number = self.branch
        while number != branch:
            if number not in self.parents:
                return False
            number, start = self.parents[number]
            if ordinal >= start:
                return False
        return True


@dataclass(slots=True)
class Ending:
    """The lines after the last stage.

    Attributes:
        end_row: The last row of the ledger, which publishes the seed; archives of wars whose seed
            was published by an archive alone have none.
    """

    heads: list[Line]
    end: Line
    end_row: Line | None = None


def archive_line(kind: str, body: Mapping[str, Any]) -> bytes:
    """Return a line of an archive with its line break."""
    return canonical_json(encode_floats({"kind": kind, **body})) + b"\n"


def archive_bytes(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of an archive and the last one, which counts and hashes them."""
    count = 0
    hashed = hashlib.sha256()
    for line in lines:
        count += 1
        hashed.update(line)
        yield line
    yield archive_line("end", {"lines": count, "sha256": hashed.hexdigest()})


def read_lines(stream: IO[bytes]) -> Iterator[Line]:
    """Yield the lines of an archive, gzipped or not; the last one is `end`.

    Raises:
        UnreadableArchive: A line is not canonical JSON of a known kind, or the file is not whole.
    """
    number = 0
    size = 0
    hashed = hashlib.sha256()
    for raw in _raw_lines(stream):
        number += 1
        size += len(raw)
        if size > MAX_FILE:
            raise UnreadableArchive(number, f"the file is longer than {MAX_FILE} bytes")
        line = Line(number, *_content(number, raw))
        if line.kind == "end":
            _check_end(line, number - 1, hashed.hexdigest())
            yield line
            break
        hashed.update(raw)
        yield line
    else:
        raise UnreadableArchive(number + 1, "the file ends too early: its last line is missing")
    if stream.read(1):
        raise UnreadableArchive(number + 1, "there is something after the last line")


def _raw_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield lines with their line breaks."""
    number = 0
    while True:
        number += 1
        try:
            raw = stream.readline(MAX_LINE + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise UnreadableArchive(number, f"the file cannot be decompressed: {error}") from error
        if not raw:
            return
        if len(raw) > MAX_LINE:
            raise UnreadableArchive(number, f"the line is longer than {MAX_LINE} bytes")
        if not raw.endswith(b"\n"):
            raise UnreadableArchive(number, "the file ends within this line")
        yield raw


def open_archive(stream: IO[bytes]) -> IO[bytes]:
    """Return the text of an archive; `stream` can seek."""
    begins = stream.read(len(GZIP_MAGIC))
    stream.seek(0)
    if begins == GZIP_MAGIC:
        return gzip.GzipFile(fileobj=stream)  # type: ignore[return-value]
    return stream


def _content(number: int, raw: bytes) -> tuple[str, Body]:
    """Return kind and content of a line.

    Raises:
        UnreadableArchive: It is not canonical JSON, or not of a known kind and shape.
    """
    try:
        body = json.loads(
            raw, parse_float=_refuse_number, parse_constant=_refuse_number, parse_int=_whole
        )
        canonical = canonical_json(body) + b"\n"
    except (ValueError, TypeError, RecursionError) as error:
        raise UnreadableArchive(number, f"the line is not canonical JSON: {error}") from error
    if not isinstance(body, dict) or canonical != raw:
        raise UnreadableArchive(number, "the line is not canonical JSON")
    if _nesting(body) > MAX_NESTING:
        raise UnreadableArchive(number, f"the line is nested deeper than {MAX_NESTING}")
    kind = body.pop("kind", "")
    shape = KINDS.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise UnreadableArchive(number, "the line is of an unknown kind")
    _check_shape(number, kind, body, shape)
    return kind, body


def _refuse_number(text: str) -> Any:
    """Refuse numbers with a fraction, which canonical JSON does not have."""
    raise ValueError(f"{text[:40]} is not a whole number")


def _whole(text: str) -> int:
    """Return a whole number that JavaScript can hold."""
    number = int(text) if len(text) <= len(str(WHOLE_LIMIT)) + 1 else WHOLE_LIMIT
    if abs(number) >= WHOLE_LIMIT:
        raise ValueError(f"{text[:40]} is too large a number")
    return number


def _nesting(value: Any) -> int:
    """Return how deep lists and objects are nested; keys beyond the BMP count as too deep."""
    deepest = 0
    pending = [(value, 1)]
    while pending:
        item, depth = pending.pop()
        if isinstance(item, dict):
            if any(not key.isascii() and max(key) > "\uffff" for key in item):
                return MAX_NESTING + 1
            children: Iterable[Any] = item.values()
        elif isinstance(item, list):
            children = item
        else:
            continue
        deepest = max(deepest, depth)
        for child in children:
            if isinstance(child, (dict, list)):
                pending.append((child, depth + 1))
    return deepest


def _check_shape(number: int, kind: str, body: Body, shape: Mapping[str, tuple[type, ...]]) -> None:
    """Check keys and types of a line.

    Raises:
        UnreadableArchive: A key is missing, unknown or of another type.
    """
    known = set()
    for name, types in shape.items():
        key = name.removesuffix("?")
        known.add(key)
        if key not in body:
            if name == key:
                raise UnreadableArchive(number, f"the line '{kind}' has no '{key}'")
            continue
        value = body[key]
        if not isinstance(value, types) or isinstance(value, bool):
            raise UnreadableArchive(number, f"'{key}' of the line '{kind}' has a wrong type")
        text = str(value)
        if key in HASHES and not _is_hex(text, 64):
            raise UnreadableArchive(number, f"'{key}' of the line '{kind}' is not a hash")
        if key == "nonce" and not _is_hex(text, 32):
            raise UnreadableArchive(number, "the nonce is not 16 bytes")
    for key in body:
        if key not in known:
            raise UnreadableArchive(number, f"the line '{kind}' has an unknown '{key[:40]}'")


def _is_hex(text: str, length: int) -> bool:
    """Return whether a text has so many hexadecimal digits and nothing else."""
    return len(text) == length and set(text) <= set("0123456789abcdef")


def _check_end(line: Line, count: int, sha256: str) -> None:
    """Check the last line against all lines before it."""
    if line.body["lines"] != count:
        words = f"the last line counts {line.body['lines']} lines before it; there are {count}"
        raise UnreadableArchive(line.number, words)
    if line.body["sha256"] != sha256:
        words = "the file was changed after it was written: its bytes have another hash"
        raise UnreadableArchive(line.number, words)


def read_parts(lines: Iterable[Line]) -> Iterator[Opening | StageLines | Ending]:
    """Yield the parts of an archive in order: opening, stages, ending.

    Raises:
        UnreadableArchive: A line is missing, doubled or not in its place.
    """
    pending = iter(lines)
    yield _opening(pending)
    stage: StageLines | None = None
    last: Line | None = None
    for line in pending:
        if line.kind in AFTER_STAGES and stage is None:
            yield _ending(line, pending)
            return
        if line.kind == "stage" and stage is None:
            stage = StageLines(line)
        elif stage is None:
            raise UnreadableArchive(line.number, f"a line '{line.kind}' outside a stage")
        else:
            _check_order(last if last is not stage.stage else None, line)
            _add(stage, line)
            if stage.row is not None:
                yield stage
                stage = None
        last = line
    raise UnreadableArchive(0, "the file ends too early")


def _ending(line: Line, lines: Iterator[Line]) -> Ending:
    """Return the lines after the last stage, from the first of them on.

    Raises:
        UnreadableArchive: One of them is missing or not in its place.
    """
    heads = []
    while line.kind == "head":
        heads.append(line)
        line = _next_in_file(lines)
    end_row = None
    if line.kind == "end-row":
        end_row = line
        line = _next_in_file(lines)
    if line.kind != "end":
        raise UnreadableArchive(line.number, f"a line '{line.kind}' outside a stage")
    return Ending(heads, line, end_row)


def _next_in_file(lines: Iterator[Line]) -> Line:
    """Return the next line. Raises UnreadableArchive if there is none."""
    for line in lines:
        return line
    raise UnreadableArchive(0, "the file ends too early")


def _opening(lines: Iterator[Line]) -> Opening:
    """Return the lines before the first stage."""
    header = _next(lines, "archive")
    if header.body["format"] != FORMAT:
        words = f"archives of format {header.body['format']} are for a newer release"
        raise UnreadableArchive(header.number, words)
    scenario = _next(lines, "scenario")
    kinds: dict[str, list[Line]] = {"faction": [], "source": [], "branch": []}
    kinds |= {"parent": [], "act": []}
    before = "faction"
    line = next(lines)
    while line.kind in kinds:
        if list(kinds).index(line.kind) < list(kinds).index(before):
            raise UnreadableArchive(line.number, f"the line '{line.kind}' is not in its place")
        before = line.kind
        kinds[line.kind].append(line)
        line = next(lines)
    if line.kind != "snapshot":
        raise UnreadableArchive(line.number, f"expected a line 'snapshot', not '{line.kind}'")
    factions = [str(item.body["key"]) for item in kinds["faction"]]
    numbers = [int(item.body["number"]) for item in kinds["branch"]]
    if factions != sorted(set(factions)) or numbers != sorted(set(numbers)) or not numbers:
        raise UnreadableArchive(line.number, "factions or branches before it are not in order")
    for later in kinds["branch"][1:]:
        _check_parent(later, numbers)
    if len(kinds["parent"]) > 1:
        raise UnreadableArchive(line.number, "a war is forked from one world")
    snapshot = line
    views = {}
    for faction in factions:
        view = _next(lines, "view")
        if view.body["faction"] != faction:
            raise UnreadableArchive(view.number, f"expected the first view of {faction}")
        views[faction] = view
    return Opening(
        header=header,
        scenario=scenario,
        factions=kinds["faction"],
        sources=kinds["source"],
        branches=kinds["branch"],
        acts=kinds["act"],
        snapshot=snapshot,
        views=views,
        parent=kinds["parent"][0] if kinds["parent"] else None,
    )


def _check_parent(line: Line, branches: Sequence[int]) -> None:
    """Check that a later branch starts from a snapshot of an earlier one.

    Raises:
        UnreadableArchive: It does not.
    """
    match line.body.get("parent"):
        case [int(branch), int(seq)] if branch in branches:
            if branch < line.body["number"] and seq >= 0:
                return
    words = "the branch does not start from a snapshot of an earlier one"
    raise UnreadableArchive(line.number, words)


def _next(lines: Iterator[Line], kind: str) -> Line:
    """Return the next line, which must be of a kind."""
    line = next(lines)
    if line.kind != kind:
        raise UnreadableArchive(line.number, f"expected a line '{kind}', not '{line.kind}'")
    return line


# The order of lines in a stage, and what sorts those of a kind.
ORDER = {
    **{"entry": 0, "act": 1, "ruling": 2, "beacon": 3},
    **{"battle": 4, "stop": 4, "stop-entry": 4, "table-entry": 4, "result": 4},
    **{"snapshot": 5, "happenings": 6, "view": 7, "setting": 8, "throws": 9, "leaf": 10, "row": 11},
}
# A beacon with a battle is that of a phase, and one of the lines of this battle.
IN_BATTLE = {"battle": 0, "stop": 1, "stop-entry": 2, "beacon": 3, "table-entry": 4, "result": 5}
SORTED_BY: dict[str, tuple[str, ...]] = {
    "entry": ("faction", "revision"),
    "battle": ("key",),
    "stop": ("seq",),
    "stop-entry": ("stop", "faction", "revision"),
    "beacon": ("stop",),
    "table-entry": ("number",),
    "view": ("faction",),
    "leaf": ("name",),
}


def _sort_key(line: Line) -> tuple[Any, ...]:
    """Return what sorts a line among those of its stage."""
    if line.kind == "beacon" and not _is_of_phase(line):
        return (ORDER[line.kind],)
    own = tuple(line.body[key] for key in SORTED_BY.get(line.kind, ()))
    if line.kind in IN_BATTLE:
        battle = line.body.get("battle", line.body.get("key"))
        return (ORDER["battle"], battle, IN_BATTLE[line.kind], *own)
    return (ORDER[line.kind], *own)


def _is_of_phase(line: Line) -> bool:
    """Return whether a beacon is that of a phase of a battle."""
    return {"battle", "stop", "closed_at"} <= line.body.keys()


def _check_order(last: Line | None, line: Line) -> None:
    """Check that a line may follow another one in its stage.

    Raises:
        UnreadableArchive: It may not.
    """
    if line.kind not in ORDER:
        raise UnreadableArchive(line.number, f"a line '{line.kind}' within a stage")
    if last is None:
        return
    before = _sort_key(last)
    after = _sort_key(line)
    is_sorted = before < after or (before == after and line.kind in ("act", "throws"))
    if not is_sorted:
        raise UnreadableArchive(line.number, f"the line '{line.kind}' is not in its place")


# Kinds of which a stage has one line, and the attribute that holds it.
SINGLE = {
    **{"ruling": "ruling", "snapshot": "snapshot", "happenings": "events"},
    **{"setting": "setting", "row": "row"},
}


def _add(stage: StageLines, line: Line) -> None:
    """Add a line to its stage."""
    kind = line.kind
    if kind in SINGLE:
        setattr(stage, SINGLE[kind], line)
    elif kind == "battle":
        stage.battles[line.body["key"]] = BattleLines(line)
    elif kind in ("entry", "act", "throws"):
        {"entry": stage.entries, "act": stage.acts, "throws": stage.throws}[kind].append(line)
    elif kind == "beacon" and not _is_of_phase(line):
        stage.beacon = line
    elif kind == "view":
        stage.views[line.body["faction"]] = line
    elif kind == "leaf":
        stage.leaves[line.body["name"]] = line
    elif line.body.get("battle") in stage.battles:
        _add_to_battle(stage.battles[line.body["battle"]], line)
    else:
        raise UnreadableArchive(line.number, f"a line '{kind}' that is not in its place")


def _add_to_battle(battle: BattleLines, line: Line) -> None:
    """Add a line to its battle."""
    if line.kind == "stop":
        if line.body["seq"] != len(battle.stops):
            raise UnreadableArchive(line.number, f"stop {len(battle.stops)} is missing before it")
        battle.stops.append(line)
    elif line.kind == "stop-entry":
        battle.entries.append(line)
    elif line.kind == "table-entry":
        battle.table_entries.append(line)
    elif line.kind == "beacon":
        battle.beacons[line.body["stop"]] = line
    else:
        battle.result = line
