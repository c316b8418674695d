"""What an umpire does to the history of a pair of wars: rulings, a rollback, a fork.

The umpire acts in both worlds at the same time, for reasons that one faction may not know.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from unittest import mock

from campaign import models
from campaign.access import Viewer, viewer_of
from campaign.rules.world import World
from campaign.selectors.truth import world_of
from tests.access.client_requests import Request, fixed_random
from tests.access.private_rows import BEGAN, CAMPAIGN
from tests.access.stored_wars import StoredWar
from umpire.adjudication.patch import Patch
from umpire.adjudication.rulings import Ruling
from umpire.adjudication.ship_patches import Rename, ShipRemove
from umpire.services import fork_rights, forks
from umpire.services.history import Place, Power, head_place, history_take_back
from umpire.services.rulings import ruling_make
from umpire.services.wars import campaign_start

KARST, HALCYON = "karst", "halcyon"  # two factions out of the sight of the third
UNUSED = 1000  # a place in the constants that replace random numbers
Act = Callable[[StoredWar, int], object]


def rule(stored_war: StoredWar, side: int) -> None:
    """Correct a fleet of a faction that the third does not see, or nothing."""
    viewer, world = _umpire(stored_war)
    ship = next(ship for ship in world.ships if ship.faction == KARST)
    patches: tuple[Patch, ...] = (ShipRemove(ship.key, "struck"),) if side == 0 else ()
    ruling_make(viewer=viewer, ruling=Ruling(patches, "A mistake"), hold=False)


def hold(stored_war: StoredWar, side: int) -> None:
    """Hold a ruling in one of the worlds."""
    viewer, world = _umpire(stored_war)
    fleet = next(fleet for fleet in world.fleets if fleet.faction == HALCYON)
    if side == 0:
        ruling = Ruling((Rename(fleet.key, "Rear guard"),), "A name")
        ruling_make(viewer=viewer, ruling=ruling, hold=True)


def roll_back(stored_war: StoredWar, side: int) -> None:
    """Roll the war back to the first orders, after a message that only others wrote."""
    viewer, _ = _umpire(stored_war)
    factions = {row.key: row for row in stored_war.campaign.factions.all()}
    if side == 0:
        models.Message.objects.create(
            public_id=uuid.UUID(int=9),
            campaign=viewer.campaign,
            sender=factions[KARST],
            receiver=factions[HALCYON],
            text="Go on",
            week=2,
            stage="orders",
            ordinal=9,
            written_at=BEGAN,
        )
    branch = viewer.campaign.head_branch
    assert branch is not None
    orders = models.Stage.objects.get(branch=branch, kind="orders", week=1, again=0)
    history_take_back(
        viewer=viewer,
        to=Place(branch.number, orders.ordinal),
        head=head_place(viewer.campaign),
        reason="A mistake",
    )


def fork(stored_war: StoredWar, side: int) -> None:
    """Fork the war from its first week, as if it had ended, and start the fork."""
    viewer, _ = _umpire(stored_war)
    fixed_random.count = UNUSED  # the id of the war was made from the first numbers
    with mock.patch.object(fork_rights, "fork_power", return_value=Power.ALONE):
        campaign_start(campaign=forks.history_fork(viewer=viewer, week=1))


ACTS: dict[str, Act] = {"held": hold, "ruling": rule, "rollback": roll_back, "fork": fork}


def proof_addresses() -> list[Request]:
    """Return the proofs of every row of the ledger that the pair may have."""
    return [
        Request("get", f"/api/campaigns/{CAMPAIGN}/ledger/{seq}/proofs/") for seq in range(1, 7)
    ]


def _umpire(stored_war: StoredWar) -> tuple[Viewer, World]:
    """Return the umpire, and the newest world."""
    viewer = viewer_of(stored_war.people["umpire"], CAMPAIGN)
    branch = viewer.campaign.head_branch
    assert branch is not None
    assert branch.head is not None
    return viewer, world_of(branch.head)
