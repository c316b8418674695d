"""QR codes on sheets: modules are placed by the standard, and the address can be read back."""

from __future__ import annotations

import re
from collections.abc import Callable

from campaign.drawings.codes import QUIET, Code, code_of

ADDRESS = "https://war.example/c/0e2c1111-2222-3333-4444-555555555555/ships/ember/s12/"
BAR_PATH = re.compile(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z")
FINDER = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda i, j: (i + j) % 2 == 0,
    lambda i, _: i % 2 == 0,
    lambda _, j: j % 3 == 0,
    lambda i, j: (i + j) % 3 == 0,
    lambda i, j: (i // 2 + j // 3) % 2 == 0,
    lambda i, j: (i * j) % 2 + (i * j) % 3 == 0,
    lambda i, j: ((i * j) % 2 + (i * j) % 3) % 2 == 0,
    lambda i, j: ((i + j) % 2 + (i * j) % 3) % 2 == 0,
)
# Level M: the data bytes of each block, by the width in modules (ISO/IEC 18004, table 9).
BLOCKS = {33: (32, 32), 37: (43, 43), 41: (27, 27, 27, 27)}


def modules(code: Code) -> list[list[int]]:
    """Return the code as a square of 0 and 1, without its quiet zone."""
    grid = [[0] * code.modules for _ in range(code.modules)]
    for x, y, wide, back in BAR_PATH.findall(code.path):
        assert wide == back
        for n in range(int(wide)):
            grid[int(y) - QUIET][int(x) - QUIET + n] = 1
    assert "".join(match[0] for match in BAR_PATH.finditer(code.path)) == code.path
    return grid


def decode_text(code: Code) -> str:
    """Decode a byte-mode code of level M by the standard's steps, ignoring error correction."""
    grid, size = modules(code), code.modules
    last = size - 7  # centre of the alignment pattern
    is_reserved = [
        [
            (i < 9 and (j < 9 or j >= size - 8)) or (i >= size - 8 and j < 9) or 6 in (i, j)
            or (abs(i - last) < 3 and abs(j - last) < 3)
            for j in range(size)
        ]
        for i in range(size)
    ]  # fmt: skip
    form = [grid[8][j] for j in (0, 1, 2, 3, 4)]
    mask = MASKS[int("".join(map(str, form[2:])), 2) ^ 0b101]
    bits = []
    for turn, right in enumerate(range(size - 1, 0, -2)):
        right -= right <= 6
        rows = range(size - 1, -1, -1) if turn % 2 == 0 else range(size)
        for i in rows:
            pair = [j for j in (right, right - 1) if not is_reserved[i][j]]
            bits += [grid[i][j] ^ mask(i, j) for j in pair]
    words = [int("".join(map(str, bits[n : n + 8])), 2) for n in range(0, len(bits) - 7, 8)]
    blocks: list[list[int]] = [[] for _ in BLOCKS[size]]
    for n in range(sum(BLOCKS[size])):
        blocks[n % len(blocks)].append(words[n])
    data = "".join(f"{word:08b}" for block in blocks for word in block)
    assert data[:4] == "0100"  # bytes
    length = int(data[4:12], 2)
    return bytes(int(data[12 + 8 * n : 20 + 8 * n], 2) for n in range(length)).decode()


def test_code_contains_its_address() -> None:
    for address in (
        ADDRESS,
        ADDRESS.replace("s12", "s120"),
        "http://192.168.2.10:8000/c/0e2c1111-2222/ships/ember/s1/",
    ):
        assert decode_text(code_of(address, 0, 0, 96)) == address


def test_corners_are_the_finder_patterns() -> None:
    code = code_of(ADDRESS, 0, 0, 96)
    grid = modules(code)
    corners = [(0, 0), (0, code.modules - 7), (code.modules - 7, 0)]
    for top, left_column in corners:
        square = [
            "".join(map(str, row[left_column : left_column + 7])) for row in grid[top : top + 7]
        ]
        assert tuple(square) == FINDER


def test_code_is_large_enough_on_a_page_of_four_sheets() -> None:
    code = code_of(ADDRESS, 0, 0, 96)
    assert code.across == code.modules + 8
    assert code.scale * code.across <= 96.1
    on_paper = 90 / 400  # mm for each unit
    assert code.scale * on_paper > 0.4  # size that phones read from a hand's breadth


def test_code_depends_only_on_the_address() -> None:
    assert code_of(ADDRESS, 1, 2, 96) == code_of(ADDRESS, 1, 2, 96)
    assert code_of(ADDRESS, 1, 2, 96).path != code_of(f"{ADDRESS}?", 1, 2, 96).path
