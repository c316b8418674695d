"""Style sheets: colours are defined once, references exist, and text has enough contrast."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parents[4] / "static" / "css"
TOKENS = CSS / "tokens.css"
PRINTED = {"sheets.css"}  # black on white paper in every theme
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgba?|hsla?|oklch)\(")
DEFINED = re.compile(r"(--[\w-]+)\s*:")
VARIABLE_USED = re.compile(r"var\((--[\w-]+)\s*[,)]")
READABLE = 4.5  # WCAG 2.1, 1.4.3: text; 3 for the edges of controls, 1.4.11
# The background of each kind of text.
WORDS = {
    "ink": ("paper", "sheet", "well", "raised", "accent-soft"),
    "ink-2": ("paper", "sheet", "well", "raised", "accent-soft"),
    "accent": ("paper", "sheet", "accent-soft"),
    "on-accent": ("accent", "accent-hover"),
    "wait": ("sheet", "wait-soft"),
    "bad": ("sheet", "bad-soft"),
    "good": ("sheet", "good-soft"),
    "bridge-ink": ("bridge",),
    "bridge-ink-2": ("bridge",),
    **{f"space-ink{n}": ("space", "space-floor", "space-panel") for n in ("", "-2", "-3")},
    **{f"seat-{n}": ("space", "space-floor") for n in range(7)},
    **{f"seat-{n}-ink": ("paper", "sheet", "accent-soft") for n in range(1, 7)},
}


def _own_style_sheets() -> list[Path]:
    return sorted(CSS.glob("*.css"))


def _tokens() -> dict[str, tuple[str, str]]:
    """Return every colour token, for the light and the dark theme."""
    tokens: dict[str, tuple[str, str]] = {}
    for name, value in re.findall(r"--([\w-]+):\s*([^;]+);", TOKENS.read_text(encoding="utf-8")):
        match = re.fullmatch(r"light-dark\((#\w+), (#\w+)\)", value) or re.fullmatch(
            r"(#\w+)", value
        )
        if match:
            tokens[name] = match[1], match[match.lastindex or 1]
    return tokens


def _light(colour: str) -> float:
    """Return the relative luminance of a colour."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _contrast(first: str, second: str) -> float:
    bright, dark = sorted((_light(first), _light(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    "sheet", [path for path in _own_style_sheets() if path != TOKENS], ids=lambda path: path.name
)
def test_colours_are_defined_in_tokens_only(sheet: Path) -> None:
    if sheet.name not in PRINTED:
        assert (
            COLOUR.findall(re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.S))
            == []
        )


def test_used_custom_properties_are_defined() -> None:
    vendor = "".join(
        path.read_text(encoding="utf-8") for path in (CSS.parent / "vendor").glob("*.css")
    )
    texts = {path.name: path.read_text(encoding="utf-8") for path in _own_style_sheets()}
    defined = set(DEFINED.findall("".join(texts.values()) + vendor))
    unknown = {
        (name, variable)
        for name, text in texts.items()
        for variable in VARIABLE_USED.findall(text)
        if variable not in defined
    }
    assert unknown == set()


@pytest.mark.parametrize("ink", WORDS)
def test_text_contrast_is_sufficient_in_both_themes(ink: str) -> None:
    tokens = _tokens()
    for ground in WORDS[ink]:
        for theme in (0, 1):
            ratio = _contrast(tokens[ink][theme], tokens[ground][theme])
            assert ratio >= READABLE, (ink, ground, theme, round(ratio, 2))


def test_control_borders_are_visible() -> None:
    tokens = _tokens()
    for theme in (0, 1):
        assert _contrast(tokens["line-strong"][theme], tokens["sheet"][theme]) >= 3


def test_log_emblems_match_the_sprite() -> None:
    sprite = (CSS.parent / "img" / "emblems.svg").read_text(encoding="utf-8")
    log = (CSS / "replay.css").read_text(encoding="utf-8").replace("'", '"')
    for n, path in re.findall(r'<symbol id="e(\d)"[^>]*>(<path[^>]*/>)', sprite):
        assert path in log, n
