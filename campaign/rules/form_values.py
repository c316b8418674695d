"""Values of a scenario file, read from the texts of a form. Bad texts stay as they are."""

from __future__ import annotations


def read_number(text: str) -> int | str:
    """Return a whole number; other text stays unchanged and is a fault of the scenario."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 16:
        return int(text)
    return text


def read_hexes(text: str) -> list[str]:
    """Return labels that are separated by spaces or commas."""
    return text.replace(",", " ").split()


def read_numbers(text: str) -> list[int | str]:
    """Return numbers that are separated by spaces or commas."""
    return [read_number(part) for part in read_hexes(text)]


def read_words(text: str) -> list[str]:
    """Return texts that are separated by commas."""
    parts = [part.strip() for part in text.split(",")]
    return [part for part in parts if part]
