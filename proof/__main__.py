"""`python -m proof verify FILE`: check a finished war from its archive.

`python -m proof page FILE -o OUT.html` writes an HTML page that checks it in a browser, offline.

Exit statuses: 0 all proven, 1 something differs, 2 the file cannot be read, 3 proven as far as it
is shown or can be played again, 4 proven, but contradicted by a head, a receipt or a key.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from proof.archive import open_archive, read_lines
from proof.check import Options, Verdict, check
from proof.findings import Exit, Level
from proof.html_page import html_page
from proof.words import faces_text, json_of, luck_text, text_of

MAX_WITNESS = 100_000  # bytes of a file with a head or a receipt


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m proof", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="check an archive")
    verify.add_argument("file", type=Path)
    verify.add_argument(
        "--receipt",
        action="append",
        default=[],
        metavar="FILE",
        help="a file with receipts that you kept",
    )
    verify.add_argument(
        "--head",
        action="append",
        default=[],
        metavar="HEAD",
        help="a head that you kept: its short name, or a file with the signed note",
    )
    verify.add_argument("--key", default="", help="the site's public key, if you know it")
    verify.add_argument(
        "--level",
        type=int,
        choices=[int(level) for level in Level],
        help=(
            "1 hashes, 2 dice and battles, 3 weeks, 4 choices of computers; "
            "default 3, and 4 where this very release resolved a stage"
        ),
    )
    verify.add_argument("--all", action="store_true", help="go on after the first difference")
    verify.add_argument(
        "--luck", action="store_true", help="also say what was to be expected of the dice"
    )
    verify.add_argument("--json", action="store_true", help="print JSON")
    page = commands.add_parser("page", help="write an HTML page that checks an archive offline")
    page.add_argument("file", type=Path, nargs="?", help="the archive to put into the page")
    page.add_argument("-o", "--output", type=Path, required=True)
    parsed = parser.parse_args(arguments)
    try:
        return _page(parsed) if parsed.command == "page" else _verify(parsed)
    except OSError as error:
        print(f"{parsed.file} cannot be opened: {error.strerror}", file=sys.stderr)
        return Exit.UNREADABLE


def _page(parsed: argparse.Namespace) -> int:
    """Write the offline page, with the archive if one is given. Raises OSError."""
    archive = None if parsed.file is None else parsed.file.read_bytes()
    parsed.output.write_text(html_page(archive), encoding="utf-8")
    return Exit.PROVEN


def _verify(parsed: argparse.Namespace) -> int:
    """Check an archive, print the verdict and return its exit status. Raises OSError."""
    options = Options(
        level=Level(parsed.level or Level.CHOICES),
        notes=parsed.level == Level.CHOICES,
        all=parsed.all,
        heads=[_text_or_file(text) for text in parsed.head],
        receipts=[_text_of(Path(name)) for name in parsed.receipt],
        key=parsed.key,
        luck=parsed.luck,
    )
    verdict = verify_file(parsed.file, options)
    if parsed.json:
        print(json.dumps(json_of(verdict), ensure_ascii=False, indent=1))
    else:
        print(text_of(verdict), end="")
        if parsed.luck:
            print(luck_text(verdict), faces_text(verdict), sep="", end="")
    return verdict.exit


def verify_file(path: Path, options: Options | None = None) -> Verdict:
    """Return the verdict on an archive. Raises OSError."""
    with path.open("rb") as file:
        return check(read_lines(open_archive(file)), options)


def _text_or_file(text: str) -> str:
    """Return a head, or what is in the file of that name."""
    path = Path(text)
    if "\n" not in text and len(text) < 256 and path.is_file():
        return _text_of(path)
    return text


def _text_of(path: Path) -> str:
    """Return the text of a small file; empty if it cannot be read as text."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_WITNESS).decode()
    except (OSError, UnicodeDecodeError):
        return ""


if __name__ == "__main__":
    sys.exit(main())
