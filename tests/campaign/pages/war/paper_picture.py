"""A page of record sheets as a picture.

`python -m tests.campaign.pages.war.paper_picture` draws the stored one again. Look at it before
committing it: the test compares with it.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import replace
from pathlib import Path

from campaign.drawings.condition import fresh_condition
from campaign.web.sheet_pdf import PaperChoice, PaperSheet, document_of, fonts, program
from engine.notation.designs import sheet_of
from engine.notation.files import fixture_classes

PICTURE = Path(__file__).parent / "paper_picture.png"
DOTS = 36.0  # dots per inch
CLASSES = (
    ("second-edition", "Heavy Cruiser"),
    ("second-edition", "Fleet Carrier"),
    ("continuum", "Sovereign Battleship"),
    ("continuum", "Longshot Missile Cruiser"),
)


def ships() -> tuple[PaperSheet, ...]:
    """Return four ships of both editions, two of them damaged."""
    paper_ships = []
    for number, (edition, name) in enumerate(CLASSES):
        sheet = sheet_of(fixture_classes(edition)[name])
        condition = fresh_condition(sheet, f"Ship {number}")
        if number % 2 == 0:
            lost_systems = tuple(fit.id for fit in sheet.fits[::3])
            condition = replace(
                condition, damage=sheet.boxes // 2, lost_systems=(*lost_systems, "drive")
            )
        paper_ships.append(PaperSheet(sheet, condition, has_core_systems=True))
    return tuple(paper_ships)


def pages(choice: PaperChoice, of: tuple[PaperSheet, ...], dots: float = DOTS) -> list[bytes]:
    """Return the pages of a PDF as PNG."""
    import typst

    inputs = {"data": json.dumps(document_of("Record sheets", of, choice))}
    images = typst.compile(program(), font_paths=fonts(), format="png", ppi=dots, sys_inputs=inputs)
    return images if isinstance(images, list) else [images]


def pixels(png: bytes) -> tuple[int, int, bytearray]:
    """Return the width in bytes, the height, and the rows of a PNG with eight bits a channel."""
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert depth == 8
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    packed, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + length]
        at += length + 12
    raw, wide = zlib.decompress(packed), width * channels
    out = bytearray()
    for row in range(height):
        kind, line = (
            raw[row * (wide + 1)],
            bytearray(raw[row * (wide + 1) + 1 : (row + 1) * (wide + 1)]),
        )
        above = out[-wide:] if row else bytearray(wide)
        for n in range(wide):
            left_value, up = line[n - channels] if n >= channels else 0, above[n]
            corner = above[n - channels] if n >= channels else 0
            line[n] = (
                line[n]
                + (0, left_value, up, (left_value + up) // 2, _paeth(left_value, up, corner))[kind]
            ) & 255
        out += line
    return wide, height, out


def _paeth(left_value: int, up: int, corner: int) -> int:
    """Return the neighbour nearest to the estimate, PNG's Paeth prediction."""
    guess = left_value + up - corner
    return min((left_value, up, corner), key=lambda value: abs(guess - value))


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    PICTURE.write_bytes(pages(PaperChoice(), ships())[0])
