"""Archives for tests: a kept one, and copies with a change."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from proof.archive import archive_bytes, archive_line, read_lines
from proof.check import Options, Verdict, check

ARCHIVES = Path(__file__).parent / "archives"
EVACUATION = ARCHIVES / "evacuation-3.war.jsonl.gz"

Body = dict[str, Any]


@cache
def kept_lines() -> tuple[bytes, ...]:
    """Return the lines of the kept archive without the last one."""
    with gzip.open(EVACUATION) as file:
        return tuple(file.readlines()[:-1])


def whole(lines: Sequence[bytes]) -> bytes:
    """Return the bytes of a file with these lines and the right last one."""
    return b"".join(archive_bytes(lines))


def verdict_of(lines: Sequence[bytes], options: Options | None = None) -> Verdict:
    """Return the verdict on lines, to which the last line of an archive is added."""
    return verdict_of_bytes(whole(lines), options)


def verdict_of_bytes(data: bytes, options: Options | None = None) -> Verdict:
    """Return the verdict on the bytes of a file."""
    return check(read_lines(io.BytesIO(data)), options)


def changed(kind: str, change: Callable[[Body], object], skip: int = 0) -> tuple[list[bytes], int]:
    """Return the kept lines with a change in one of a kind, and the number of that line.

    Args:
        skip: How many lines of the kind come before it.
    """
    lines = list(kept_lines())
    for index, line in enumerate(lines):
        body = json.loads(line)
        if body["kind"] == kind:
            if not skip:
                change(body)
                lines[index] = archive_line(body.pop("kind"), body)
                return lines, index + 1
            skip -= 1
    raise AssertionError(f"there is no line '{kind}'")
