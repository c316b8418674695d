"""What a rollback would reveal, by faction, for umpires."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.access import Viewer, require
from campaign.errors import NoViewer
from campaign.lineage import of_line, played_on_line
from campaign.models.campaign import Branch, Faction
from campaign.models.knowledge import ViewOpening
from campaign.models.stage import Submission
from campaign.models.truth import Snapshot
from campaign.selectors.truth import world_of
from campaign.services.foreign_classes import foreign_classes_of
from campaign.sight.reports import list_battles
from campaign.sight.views import sight_in_snapshot
from umpire.adjudication.spoils import Spoil, foreign_class_spoils, spoils_of
from umpire.services.history import Target


@dataclass(frozen=True, slots=True)
class FactionSpoils:
    """What a faction has learnt since the moment to which a war would go back.

    Attributes:
        seen_to: The last week whose reports a player of the faction has opened since then, or for
            which they sealed orders, because orders need the reports. None without such a week.
    """

    faction: Faction
    spoils: tuple[Spoil, ...]
    seen_to: int | None

    @property
    def true_count(self) -> int:
        """Return how much of it stays true after the rollback."""
        return sum(spoil.is_still_true for spoil in self.spoils)


def spoil_report(*, viewer: Viewer, target: Target) -> tuple[FactionSpoils, ...]:
    """Return what each faction has learnt since a snapshot. Empty for the end of a timeline.

    Raises:
        NotFound: The viewer is not an umpire.
    """
    campaign = require(viewer, umpire=True).campaign
    branch = campaign.head_branch
    if target.abandoned is not None or branch is None or branch.head_id is None:
        return ()
    snapshot = target.stage.from_snapshot
    truth = world_of(snapshot)
    reports = []
    for faction in campaign.factions.order_by("key"):
        try:
            then = sight_in_snapshot(snapshot.pk, faction).view
            now = sight_in_snapshot(branch.head_id, faction).view
        except NoViewer:
            continue
        battles = []
        for battle in list_battles(campaign, faction):
            if battle.seq > snapshot.seq:
                battles.append((battle.week, battle.hex))
        classes_then = foreign_classes_of(campaign, faction, up_to=snapshot.seq)
        spoils = (
            *spoils_of(then, now, truth, battles),
            *foreign_class_spoils(classes_then, foreign_classes_of(campaign, faction)),
        )
        reports.append(FactionSpoils(faction, spoils, _seen_to(branch, faction, snapshot.seq)))
    return tuple(reports)


def _seen_to(branch: Branch, faction: Faction, seq: int) -> int | None:
    """Return the last week in which a faction's people opened a view or sealed after a snapshot."""
    weeks = [_opened_to(branch, faction, seq), _sealed_to(branch, faction, seq)]
    return max((week for week in weeks if week is not None), default=None)


def _opened_to(branch: Branch, faction: Faction, seq: int) -> int | None:
    """Return the week of the last view after a snapshot that a faction's people opened."""
    openings = of_line(ViewOpening.objects.filter(faction=faction, seq__gt=seq), branch.pk)
    last = openings.order_by("-seq").values_list("seq", flat=True).first()
    if last is None:
        return None
    snapshots = of_line(Snapshot.objects.filter(seq=last), branch.pk)
    week: int | None = snapshots.values_list("week", flat=True).first()
    return week


def _sealed_to(branch: Branch, faction: Faction, seq: int) -> int | None:
    """Return the last week in which a faction's people sealed orders after a snapshot."""
    entries = Submission.objects.filter(
        faction=faction, author__isnull=False, stage__battle__isnull=True, stage__ordinal__gt=seq
    )
    entries = played_on_line(entries, branch.pk, "stage__ordinal")
    week: int | None = (
        entries.order_by("-stage__ordinal").values_list("stage__week", flat=True).first()
    )
    return week
