"""The versions of the rules: what each changed, and which of them the engine still plays.

A war is played by the version it began with until its host upgrades it; `Terms.rules` of every
battle states the version. A rule that changes keeps its old behaviour where that is cheap, and asks
`Terms.follows` about the change. A change whose old behaviour is not kept is listed under
`everywhere`: it applies to every war from that release on, and players are notified.

Any change of what happens in a battle makes a new version here. The choices of computer captains
and admirals are not rules, because their orders are recorded like those of players. A better choice
is listed here only if it would change frozen battles, which are fought by the rules of 1.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.edition import EDITIONS, Edition
from engine.core.phrase import phrase


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the rules since a version; wars of older versions play by the old rule.

    Attributes:
        words: The new rule.
        editions: The editions that it concerns.
        option: It concerns only battles with this option; "": all.
        new_wars_only: Wars that change over to newer rules keep the old rule.
    """

    since: str
    words: str
    editions: tuple[Edition, ...] = EDITIONS
    option: str = ""
    new_wars_only: bool = False


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


ACTIVE_SCANS_TO_72 = Change(
    "1.1",
    phrase("A ship with a working advanced FireCon scans actively to 72 MU."),
    (Edition.CONTINUUM,),
)
SCREENS_OVER_CRAFT = Change(
    "1.1",
    phrase(
        "Over craft, each level of area screens subtracts 1 from the dice of beams and grasers. "
        "Point defence and flak ignore area screens."
    ),
    (Edition.CONTINUUM,),
)
CASUALTY_ORDER = Change(
    "1.1",
    phrase(
        "The attacker decides in which order the groups of a type take losses from point defence."
    ),
    (Edition.CONTINUUM,),
    "point-defence-level",
)
ORDER_OF_OTHERS = Change(
    "1.1",
    phrase(
        "With three sides or more, the winner of the initiative decides the order of the others."
    ),
    (Edition.CONTINUUM,),
)
RANDOM_MOUNTS = Change(
    "1.1",
    phrase(
        "On a closed record sheet, a needle beam may name a type of weapon; its 6 destroys a "
        "random working one."
    ),
    (Edition.CONTINUUM,),
    "advanced-sensors",
)
ABANDONED_CORES = Change(
    "1.1",
    phrase(
        "After the battle, dice are rolled for the power core of an abandoned ship until it "
        "explodes."
    ),
    (Edition.CONTINUUM,),
    "core-systems",
)
SET_UP = Change(
    "1.1",
    phrase("Before a battle, each side places its ships in a zone, which its situation decides."),
)
MINEFIELDS = Change(
    "1.1",
    phrase(
        "Mines that are left on the table stay in the system. In the next battle there they are "
        "open markers, but only their own side knows whose they are."
    ),
)
CARRIERS_TOLD = Change(
    "1.1",
    phrase("Identified ships are shown as carriers and gunboat mother ships."),
    (Edition.CONTINUUM,),
)
PILOTS_AT_DEPLOYMENT = Change(
    "1.1",
    phrase("The quality of pilots is rolled at the deployment, and their owner knows it."),
    (Edition.CONTINUUM,),
    "aces",
    new_wars_only=True,
)
GROUPS_BY_NAME = Change(
    "1.1",
    phrase("The fighter groups of a side move in the order of their names."),
    (Edition.SECOND_EDITION,),
)
ANY_ARC_AT_ONE_POINT = Change(
    "1.1",
    phrase("Ships of two sides at one point of an orbit fire at each other through any arc."),
    (Edition.CONTINUUM,),
    "shared-orbits",
)
LANDINGS_THAT_FIT = Change(
    "1.1",
    phrase("Captains land only as many groups of craft on a ship as it has room for."),
    (Edition.CONTINUUM,),
)
FIRE_SPREAD = Change(
    "1.1",
    phrase("Captains aim no more fire at a ship than it can take, if they can aim at another."),
)
SENSOR_PRICES = Change(
    "1.1",
    phrase(
        "Enhanced sensors take 4 mass and cost 24 points, superior sensors 8 mass and 48 points."
    ),
    (Edition.CONTINUUM,),
    new_wars_only=True,
)

CHANGES: tuple[Change, ...] = (
    ACTIVE_SCANS_TO_72,
    SCREENS_OVER_CRAFT,
    CASUALTY_ORDER,
    ORDER_OF_OTHERS,
    RANDOM_MOUNTS,
    ABANDONED_CORES,
    SET_UP,
    MINEFIELDS,
    CARRIERS_TOLD,
    PILOTS_AT_DEPLOYMENT,
    GROUPS_BY_NAME,
    ANY_ARC_AT_ONE_POINT,
    LANDINGS_THAT_FIT,
    FIRE_SPREAD,
    SENSOR_PRICES,
)

# All versions, the oldest first.
VERSIONS: tuple[Version, ...] = (Version("1.0"), Version("1.1"))
NEWEST = VERSIONS[-1].number
SALTED_SINCE = "1.1"


class UnknownRules(ValueError):
    """Raised for a version of the rules that only a later release knows; nothing was changed."""

    def __init__(self, number: str) -> None:
        known_versions = ", ".join(version.number for version in VERSIONS)
        super().__init__(
            f"rules version {number!r} is not known; this release knows {known_versions}"
        )


def played_versions() -> tuple[str, ...]:
    """Return the versions that this engine can play, the oldest first."""
    return tuple(version.number for version in VERSIONS if version.played)


def follows(rules: str, change: Change) -> bool:
    """Return whether a change applies to a version of the rules."""
    return _index_of(rules) >= _index_of(change.since)


def playable_version(number: str) -> str:
    """Return the version that a war of that version is played by.

    It is that version, or the next one that this engine can still play.

    Raises:
        UnknownRules: This release does not know the version.
    """
    return next(version.number for version in VERSIONS[_index_of(number) :] if version.played)


def is_newer(number: str, other: str) -> bool:
    """Return whether a version is newer than another.

    Raises:
        UnknownRules: This release does not know one of the versions.
    """
    return _index_of(number) > _index_of(other)


def changes_between(old: str, new: str, edition: str, options: Sequence[str]) -> tuple[Change, ...]:
    """Return what changes for an edition with these options when a war is upgraded."""
    result: list[Change] = []
    for change in CHANGES:
        concerns_battles = edition in change.editions and (
            not change.option or change.option in options
        )
        if change.new_wars_only:
            continue
        if concerns_battles and follows(new, change) and not follows(old, change):
            result.append(change)
    return tuple(result)


def has_salted_scenario(rules: str) -> bool:
    """Return whether wars that began with these rules have a salted commitment to their scenario.

    Older wars have its plain hash. None of them has objectives.
    """
    return not is_newer(SALTED_SINCE, rules)


def everywhere_since(number: str) -> tuple[Version, ...]:
    """Return the later versions that changed something in every war."""
    result: list[Version] = []
    for version in VERSIONS[_index_of(number) + 1 :]:
        if version.everywhere:
            result.append(version)
    return tuple(result)


def _index_of(number: str) -> int:
    """Return the index of a version among all versions, the oldest first."""
    for index, version in enumerate(VERSIONS):
        if version.number == number:
            return index
    raise UnknownRules(number)
