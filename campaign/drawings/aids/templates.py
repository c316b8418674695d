"""Templates of weapons that work over an area, true to scale.

Rules: 2E "Spinal-mount nova cannon" [aid.templates]; Continuum "Nova cannon" 7.23, "Wave gun" 7.24,
"Plasma bolt launchers" 6.8 [aid.templates]
"""

from __future__ import annotations

from collections.abc import Iterable

from campaign.drawings.aids.sheets import (
    MM_PER_MU,
    AidDrawing,
    AidPage,
    Circle,
    Label,
    Line,
    cross,
    number,
)
from engine.core.phrase import phrase
from engine.weapons.nova import FLARES
from engine.weapons.ordnance import PLASMA_RADIUS
from engine.weapons.wave import WAVE

MARGIN = 2.0  # mm
WIDEST = 190.0  # mm that fit on both papers


def template_pages(unit: str) -> tuple[AidPage, ...]:
    """Return a page for each weapon, at one inch or one centimetre to the MU."""
    scale = MM_PER_MU[unit]
    nova_radii = [flare.radius for flare in FLARES]
    wave_radii = [radius for _, radius, _ in WAVE]
    measured = phrase("1 MU is 1 inch") if unit == "inch" else phrase("1 MU is 1 cm")
    return (
        AidPage(phrase("Nova cannon"), (rings(nova_radii, scale),), note=measured),
        AidPage(phrase("Wave gun"), (rings(wave_radii, scale),), note=measured),
        AidPage(phrase("Plasma bolt"), (plasma_blast(scale),), note=measured),
    )


def rings(radii: Iterable[float], scale: float) -> AidDrawing:
    """Draw circles round one middle, each with its diameter.

    Args:
        radii: In MU.
        scale: Millimetres of a MU.
    """
    largest = max(radii) * scale
    middle = largest + MARGIN
    circles = []
    labels = []
    for radius in radii:
        circles.append(Circle(middle, middle, radius * scale))
        text = phrase("{} MU", f"{2 * radius:g}")
        labels.append(Label(middle, middle - radius * scale + 4, text, 3.5))
    return AidDrawing(
        width=2 * middle,
        height=2 * middle,
        alt=phrase("Rings of {} MU across", ", ".join(f"{2 * radius:g}" for radius in radii)),
        lines=(Line(cross(middle, middle, 6), "thin"),),
        circles=tuple(circles),
        labels=tuple(labels),
    )


def plasma_blast(scale: float) -> AidDrawing:
    """Draw the blast of a plasma bolt; a quarter of it if the whole is wider than the paper."""
    radius = PLASMA_RADIUS * scale
    if 2 * (radius + MARGIN) <= WIDEST:
        return rings([PLASMA_RADIUS], scale)
    side = radius + 2 * MARGIN
    corner = f"M{number(MARGIN)} {number(MARGIN)}"
    arc = f"v{number(radius)}a{number(radius)} {number(radius)} 0 0 0 {number(radius)}"
    outline = f"{corner}{arc} -{number(radius)}z"
    text = phrase("A quarter of the blast: turn it about this corner")
    return AidDrawing(
        width=side,
        height=side,
        alt=phrase("A quarter of a circle with a radius of {} MU", f"{PLASMA_RADIUS:g}"),
        lines=(Line(outline),),
        labels=(
            Label(MARGIN + 4, MARGIN + 8, text, 3.5, "start"),
            Label(MARGIN + 4, MARGIN + 14, phrase("{} MU", f"{PLASMA_RADIUS:g}"), 3.5, "start"),
        ),
    )
