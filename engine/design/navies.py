"""What the ships of a navy have as one: kinds of drive and of FTL drive, and of hangar.

None of it makes a fleet illegal, unless the players agree on the option `one-navy`.

Rules: Continuum "Advanced drives and FTL" 13.10, "Additional primary ship systems" 13.12
[pc.fleet-wide]
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.errors import Violation
from engine.core.kinds import HANGARS, FtlDrive
from engine.core.reason import reason
from engine.core.sheet import Sheet
from engine.core.terms import OVERLOAD
from engine.weapons.registry import weapon_of

MIXED_DRIVES = Violation(
    "",
    "mixed-drives",
    reason("mixed-drives", "the fleet has standard and advanced drives; a navy has one kind"),
)
MIXED_FTL = Violation(
    "",
    "mixed-ftl",
    reason("mixed-ftl", "the fleet has standard and advanced FTL drives; a navy has one kind"),
)
MIXED_HANGARS = Violation(
    "",
    "mixed-hangars",
    reason(
        "mixed-hangars",
        "the fleet has hangars with launch tubes and combined hangars; a navy has one kind",
    ),
)


def navy_warnings(sheets: Sequence[Sheet]) -> tuple[Violation, ...]:
    """Return what the ships of a navy do not have as one.

    Rules: Continuum 13.10, 13.12 [pc.fleet-wide]
    """
    drives = {sheet.drive for sheet in sheets if sheet.thrust}
    ftl_kinds = {_ftl_kind(sheet) for sheet in sheets} - {""}
    hangars = {fit.type for sheet in sheets for fit in sheet.fits if fit.type in HANGARS}
    mixed = ((drives, MIXED_DRIVES), (ftl_kinds, MIXED_FTL), (hangars, MIXED_HANGARS))
    return tuple(warning for kinds, warning in mixed if len(kinds) > 1)


def has_mixed_overloads(sheets: Sequence[Sheet]) -> bool:
    """Return whether only some of the torpedoes that could be overloaded can be.

    Torpedoes of a type that cannot be overloaded, such as short ones, do not count.

    Rules: Continuum "Overloaded pulse torpedoes" 5.14 [pc.fleet-wide]
    """
    upgrades: set[bool] = set()
    for sheet in sheets:
        for fit in sheet.fits:
            if fit.variant in weapon_of(sheet.edition, fit.type).overloads:
                upgrades.add(OVERLOAD in fit.flags)
    return len(upgrades) > 1


def _ftl_kind(sheet: Sheet) -> str:
    """Return whether a ship's FTL drive is standard or advanced, "" if it has none."""
    if sheet.ftl == FtlDrive.NONE:
        return ""
    is_advanced_tug = any(fit.type == "ftl" and fit.variant == "advanced" for fit in sheet.fits)
    return "advanced" if is_advanced_tug or sheet.ftl == FtlDrive.ADVANCED else "standard"
