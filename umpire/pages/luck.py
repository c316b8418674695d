"""The luck account of a finished war: what dice did in battles, and what was to be expected.

There is none while the war goes on. Dice of hidden checks would reveal what is hidden, and so would
gaps where they were left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from campaign.access import Viewer
from campaign.selectors.truth import battles_of
from campaign.store.documents import scenario_of
from engine.core.luck import Part
from engine.core.phrase import phrase
from engine.luck import LuckLine
from umpire.pages.frame import battle_row, branch_of, is_single, page, show
from umpire.pages.stage_reports import story_campaign
from umpire.services.luck import luck_of

MANY_LINES = 10  # from which a low p is to be expected
BAR_WIDTH = 100  # units of a picture of two bars
# For a part of a battle: its title, and the sentence with what the dice did and what was to be
# expected.
WORDS: Mapping[Part, tuple[str, str]] = {
    Part.BEAMS: (
        phrase("Beams"),
        phrase("Beams did {} points of damage; {} were to be expected."),
    ),
    Part.TORPEDOES: (
        phrase("Pulse torpedoes"),
        phrase("Pulse torpedoes did {} points of damage; {} were to be expected."),
    ),
    Part.TORPEDO_HITS: (
        phrase("Pulse torpedoes"),
        phrase("{} pulse torpedoes hit; {} were to be expected."),
    ),
    Part.NEEDLES: (
        phrase("Needle beams"),
        phrase("Needle beams knocked out {} systems; {} were to be expected."),
    ),
    Part.SUBMUNITIONS: (
        phrase("Submunition packs"),
        phrase("Submunition packs did {} points of damage; {} were to be expected."),
    ),
    Part.FIGHTERS: (
        phrase("Fighters at ships"),
        phrase("Fighters did {} points of damage to ships; {} were to be expected."),
    ),
    Part.DOGFIGHTS: (
        phrase("Fighters at fighters"),
        phrase("Fighters shot down {} fighters; {} were to be expected."),
    ),
    Part.POINT_DEFENCE: (
        phrase("Point defence"),
        phrase("Point defence shot down {} fighters; {} were to be expected."),
    ),
    Part.MINES: (
        phrase("Mines"),
        phrase("Mines did {} points of damage to its ships; {} were to be expected."),
    ),
    Part.THRESHOLDS: (
        phrase("Threshold checks"),
        phrase("{} systems failed a threshold check; {} were to be expected."),
    ),
    Part.SYSTEM_CHECKS: (
        phrase("Other checks of systems"),
        phrase("{} systems failed another check; {} were to be expected."),
    ),
    Part.REPAIRS: (
        phrase("Damage control"),
        phrase("Damage control repaired {} systems; {} were to be expected."),
    ),
    Part.GRASERS: (
        phrase("Grasers"),
        phrase("Grasers did {} points of damage; {} were to be expected."),
    ),
    Part.PLASMA: (
        phrase("Plasma cannon"),
        phrase("Plasma cannon did {} points of damage; {} were to be expected."),
    ),
    Part.GUN_HITS: (
        phrase("K-guns and kinetic penetrators"),
        phrase("{} shots of K-guns and kinetic penetrators hit; {} were to be expected."),
    ),
    Part.DOUBLED_HITS: (
        phrase("K-guns, doubled hits"),
        phrase("{} hits of K-guns did double damage; {} were to be expected."),
    ),
    Part.DEFENCE_GUNS: (
        phrase("Point defence at ships"),
        phrase("Point defence did {} points of damage to ships; {} were to be expected."),
    ),
    Part.PHASERS: (
        phrase("Phasers"),
        phrase("Phasers did {} points of damage; {} were to be expected."),
    ),
    Part.FUSION: (
        phrase("Fusion arrays"),
        phrase("Fusion arrays did {} points of damage; {} were to be expected."),
    ),
    Part.NEEDLE_POINTS: (
        phrase("Needle beams"),
        phrase("Needle beams did {} points of damage; {} were to be expected."),
    ),
    Part.ORDNANCE_DEFENCE: (
        phrase("Point defence at ordnance"),
        phrase("Point defence shot down {} missiles and plasma bolts; {} were to be expected."),
    ),
    Part.SALVOES: (
        phrase("Salvoes at its ships"),
        phrase(
            "The dice for missiles on target at its ships add up to {}; {} were to be expected."
        ),
    ),
    Part.MISSILES: (
        phrase("Missiles at its ships"),
        phrase("The damage dice of missiles at its ships add up to {}; {} were to be expected."),
    ),
    Part.BLASTS: (
        phrase("Explosions"),
        phrase("Explosions did {} points of damage to its ships; {} were to be expected."),
    ),
    Part.INITIATIVE: (
        phrase("Initiative"),
        phrase("Its side came first in {} initiative rolls; {} were to be expected."),
    ),
}


# The parts that count damage which a side's dice do to its enemies.
DAMAGE_PARTS = frozenset(
    {
        *(Part.BEAMS, Part.TORPEDOES, Part.SUBMUNITIONS, Part.FIGHTERS, Part.GRASERS),
        *(Part.PLASMA, Part.DEFENCE_GUNS, Part.PHASERS, Part.FUSION, Part.NEEDLE_POINTS),
    }
)
EVEN, STRONG = 0.05, 0.15  # shares of what was to be expected


@dataclass(frozen=True, slots=True)
class CardLuck:
    """What the dice of damage did, on a result card: in a word, and in figures."""

    word: str
    figures: str


@dataclass(frozen=True, slots=True)
class LuckRow:
    """A line of the account on the page.

    Attributes:
        faction: Its name.
        words: What the dice did.
        luck: How lucky that was.
        percent: The chance of luck that is at least as far from the average.
        effect_bar: The length of the bar of what they did, of BAR_WIDTH.
        expected_bar: The length of the bar of what was to be expected.
    """

    line: LuckLine
    faction: str
    title: str
    words: str
    luck: str
    percent: float
    effect_bar: float
    expected_bar: float


@dataclass(frozen=True, slots=True)
class BattleLuck:
    """The rows of a battle."""

    title: str
    href: str
    rows: tuple[LuckRow, ...]


@page()
def luck(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the luck account, once the story is public."""
    campaign = story_campaign(viewer.campaign)
    branch = branch_of(campaign)
    scenario = scenario_of(campaign)
    account = luck_of(branch)
    names = {faction.id: faction.name for faction in scenario.factions}
    rows: dict[str, list[LuckRow]] = {}
    for line in account.lines:
        rows.setdefault(line.battle, []).append(_row(line, names))
    battles = []
    for battle in battles_of(branch=branch):
        if str(battle.public_id) in rows:
            shown = battle_row(scenario, battle, "story-battle", c=campaign.public_id)
            title = phrase("Week {}: {}", battle.week, shown["battle_name"])
            href = str(shown["href"])
            battles.append(BattleLuck(title, href, tuple(rows[str(battle.public_id)])))
    whole = rows.get("", [])
    return show(
        request,
        viewer,
        "luck",
        "",
        here="public",
        rows=whole,
        battles=() if is_single(campaign) else battles,
        single=is_single(campaign),
        many=len(whole) if len(whole) > MANY_LINES else 0,
        not_counted=sum(account.not_counted.values()),
        bar_width=BAR_WIDTH,
    )


def _row(line: LuckLine, names: Mapping[str, str]) -> LuckRow:
    """Return a line of the account in words."""
    title, sentence = WORDS[line.part]
    longest = max(line.effect, line.expected, 1)
    return LuckRow(
        line=line,
        faction=_faction_name(line.faction.split("+"), names),
        title=phrase(title),
        words=phrase(sentence, line.effect, round(line.expected, 1)),
        luck=luck_words(line.better_than),
        percent=100 * line.p,
        effect_bar=round(BAR_WIDTH * line.effect / longest, 1),
        expected_bar=round(BAR_WIDTH * line.expected / longest, 1),
    )


def _faction_name(keys: Sequence[str], names: Mapping[str, str]) -> str:
    """Return the name of a faction, or of the factions of a side."""
    return " + ".join(names.get(key, key) for key in keys)


def luck_words(better_than: float) -> str:
    """Return in words how lucky dice were.

    Args:
        better_than: The share of wars with worse luck.
    """
    percent = round(100 * better_than)
    if percent > 52:
        return phrase("Better luck than in {} of 100 wars.", min(percent, 99))
    if percent < 48:
        return phrase("Worse luck than in {} of 100 wars.", min(100 - percent, 99))
    return phrase("Neither good nor bad luck.")


def damage_luck(lines: Iterable[LuckLine], own_side: str) -> CardLuck | None:
    """Return the luck of a side in the damage of its dice, and that of the others.

    Args:
        lines: Of the account of one battle, or of all battles.
        own_side: The keys of its factions, joined by "+".

    Returns:
        None if it rolled no such dice.
    """
    own_factions = set(own_side.split("+"))
    effects = {True: 0, False: 0}
    expected = {True: 0.0, False: 0.0}
    for line in lines:
        if line.part in DAMAGE_PARTS:
            is_own = own_factions <= set(line.faction.split("+"))
            effects[is_own] += line.effect
            expected[is_own] += line.expected
    if not expected[True]:
        return None
    figures = phrase(
        "Your dice did {} points of damage, {} expected; theirs {} of {}.",
        effects[True],
        round(expected[True]),
        effects[False],
        round(expected[False]),
    )
    return CardLuck(_word_of(effects[True] / expected[True] - 1), figures)


def _word_of(share: float) -> str:
    """Return in a word how far dice were from what was to be expected, by its share."""
    if abs(share) <= EVEN:
        return phrase("Even.")
    if share > 0:
        return phrase("Very good.") if share > STRONG else phrase("Good.")
    return phrase("Very bad.") if share < -STRONG else phrase("Bad.")
