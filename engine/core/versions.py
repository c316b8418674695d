"""The versions of the rules: what each changed, and which of them the engine still plays.

A war is played by the version it began with until its host upgrades it; `Terms.rules` of every
battle states the version. A rule that changed keeps its old behaviour where that is cheap, and asks
`Terms.follows` about the change. A change whose old behaviour is not kept is listed under
`everywhere`: it applies to every war from that release on, and players are notified.

Any change of what happens in a battle makes a new version here. The choices of computer captains
and admirals are not rules, because their orders are recorded like those of players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.edition import EDITIONS, Edition

CONTINUUM = (Edition.CONTINUUM,)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the rules since a version; wars of older versions play by the old rule.

    Attributes:
        words: The new rule.
        editions: The editions that it concerns.
        option: It concerns only battles with this option; "": all.
    """

    since: str
    words: str
    editions: tuple[Edition, ...] = EDITIONS
    option: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the rules.

    Attributes:
        everywhere: Changes that also apply to wars of older versions, because the old behaviour is
            not kept.
        played: Whether this engine can still play it. Wars of a version that it cannot play go on
            by the next one that it can.
    """

    number: str
    everywhere: tuple[str, ...] = ()
    played: bool = True


CORES_STAY_HIT = Change(
    "0.4",
    "Core systems that are lost when a battle begins work on: dice are thrown for a burning "
    "reactor, and it can be dumped. What was noted of core systems, of what nobody can repair and "
    "of scarred armour goes along to the next battle.",
    CONTINUUM,
    "core-systems",
)
ENTRIES_ALONE = Change(
    "0.4",
    "At damage control a wrong entry is refused alone. Before, all orders of its ship were.",
    CONTINUUM,
)
NEEDLES_BEYOND_SENSORS = Change(
    "0.4",
    "A needle beam beyond its ship's sensors still does its point of damage; only the system is "
    "safe. Before, it could not fire there.",
    CONTINUUM,
)
NO_ENTRY_EITHER = Change(
    "0.4",
    "Where nobody can enter FTL, nobody drops out of it either.",
    EDITIONS,
    "no-ftl",
)
PLANETOIDS = Change(
    "0.5",
    "An asteroid that moves is met where a ship's move ends, and not on its way there; advanced "
    "drives count twice in getting by; a broken asteroid falls into up to six pieces. Before, "
    "asteroids were those of the second edition.",
    CONTINUUM,
)
ORDNANCE = Change(
    "0.5",
    "Missiles are launched, home and strike, and point defence meets them. Before, launchers, "
    "magazines, missiles and ADFCs did nothing in a battle.",
    CONTINUUM,
)
DOCKING = Change(
    "0.5",
    "Ships dock within 3 MU, and at ships of their side too, which take them aboard where they "
    "have room for them in tender bays or the field of a tug. Before, within 2 MU and at "
    "installations alone.",
    CONTINUUM,
)
CRAFT = Change(
    "0.5",
    "Fighters and gunboats are launched from hangars, racks and boat bays, attack ships, ordnance "
    "and each other, are met by point defence, land and are rearmed; gunboats of point defence "
    "guard ships near them; a hangar that is hit may explode where that is agreed on. Before, "
    "such bays and launch tubes did nothing in a battle.",
    CONTINUUM,
)
MINES = Change(
    "0.5",
    "Racks hold the mines that were bought with them, lay them and lose them; a mine has four "
    "beam dice with re-rolls. Before, racks and minesweepers did nothing in a battle.",
    CONTINUUM,
)
TORPEDOES_ABOARD = Change(
    "0.5",
    "Boarding torpedoes are fired: a hit is a point of damage, and two marines aboard where "
    "boarding is agreed on. Before, their launchers and magazines did nothing in a battle.",
    CONTINUUM,
)
TUGS_TOGETHER = Change(
    "0.5",
    "Tugs with advanced FTL drives that jump in one turn, beside each other, haul together what "
    "one of them has in tow. Before, each hauled by itself.",
    CONTINUUM,
)
SENSORS = Change(
    "0.5",
    "A ship scans one contact actively for each working FireCon. Before, escorts scanned one, "
    "cruisers two, capital ships three, whatever FireCons they had.",
    CONTINUUM,
)
FLAK_AMONG_CRAFT = Change(
    "0.5",
    "Flak is fired as ordnance is launched, and goes off at craft and missiles that pass within 2 "
    "MU of it. Before, it burst at the beginning of the ships' fire, and among ships alone.",
    CONTINUUM,
    "flak",
)
CRAFT_BEHIND_SCREENS = Change(
    "0.6",
    "Area screens protect fighters and gunboats within 3 MU as they protect ships. Before, they "
    "protected ships alone.",
    CONTINUUM,
)
PULLED_AT_REST = Change(
    "0.6",
    "Gravity pulls at a ship that begins its move at rest in a zone: it is turned and set moving. "
    "Before, it stayed where it was.",
    CONTINUUM,
)
CORES_BURN_OUT = Change(
    "0.6",
    "The power core of an abandoned ship goes on towards its explosion when the battle ends: the "
    "ship is lost. Before, it could be recovered.",
    CONTINUUM,
    "core-systems",
)
CHANGES = (
    CORES_STAY_HIT,
    ENTRIES_ALONE,
    NEEDLES_BEYOND_SENSORS,
    NO_ENTRY_EITHER,
    PLANETOIDS,
    ORDNANCE,
    DOCKING,
    CRAFT,
    MINES,
    TORPEDOES_ABOARD,
    TUGS_TOGETHER,
    SENSORS,
    FLAK_AMONG_CRAFT,
    CRAFT_BEHIND_SCREENS,
    PULLED_AT_REST,
    CORES_BURN_OUT,
)

# All versions, the oldest first.
VERSIONS = (
    Version("0.1", played=False),
    Version(
        "0.2",
        ("Everything of the second edition beyond its core, and battles fought by people.",),
        played=False,
    ),
    Version("0.3", ("Continuum, tech bases and refits.",)),
    Version(
        "0.4",
        (
            "A base gives back the core systems of a captured ship it repairs.",
            "A wreck at rest that a moving table leaves behind is off the table. Before, the "
            "battle ended in an error.",
            "A battle online that everybody has left is over at once.",
        ),
    ),
    Version(
        "0.5",
        (
            "Between the stars tugs of Continuum have in tow what their FTL drives transfer. "
            "Before, up to their own MASS.",
            "By Continuum the gates, portals and jump points of a system are on the table of "
            "battles there, and ships may leave through them. Before, they stood on the star map "
            "alone.",
        ),
    ),
    Version(
        "0.6",
        (
            "No die is rolled where the book rolls none: for the damage of point singularities to "
            "craft and ordnance, and for gunboats in the blast of a plasma bolt.",
        ),
    ),
)
NEWEST = VERSIONS[-1].number
PLAYED = tuple(version.number for version in VERSIONS if version.played)
_PLACE = {version.number: place for place, version in enumerate(VERSIONS)}


class UnknownRules(ValueError):
    """Raised for a version of the rules that only a later release knows; nothing was changed."""

    def __init__(self, number: str) -> None:
        super().__init__(
            f"rules version {number!r} is not known; this release knows {', '.join(_PLACE)}"
        )


def follows(rules: str, change: Change) -> bool:
    """Return whether a change applies to a version of the rules."""
    return _PLACE[rules] >= _PLACE[change.since]


def playable_version(number: str) -> str:
    """Return the version that a war of that version is played by.

    It is that version, or the next one that this engine can still play.

    Raises:
        UnknownRules: This release does not know the version.
    """
    if number not in _PLACE:
        raise UnknownRules(number)
    return next(version.number for version in VERSIONS[_PLACE[number] :] if version.played)


def is_newer(number: str, other: str) -> bool:
    """Return whether a version is newer than another.

    Raises:
        UnknownRules: This release does not know one of the versions.
    """
    for version in (number, other):
        if version not in _PLACE:
            raise UnknownRules(version)
    return _PLACE[number] > _PLACE[other]


def changes_between(old: str, new: str, edition: str, options: Sequence[str]) -> tuple[Change, ...]:
    """Return the changes for an edition with these options when a war is upgraded."""
    result: list[Change] = []
    for change in CHANGES:
        if (
            not follows(old, change)
            and follows(new, change)
            and edition in change.editions
            and (not change.option or change.option in options)
        ):
            result.append(change)
    return tuple(result)


def everywhere_since(number: str) -> tuple[Version, ...]:
    """Return the later versions that changed something in every war."""
    result: list[Version] = []
    for version in VERSIONS[_PLACE[number] + 1 :]:
        if version.everywhere:
            result.append(version)
    return tuple(result)
