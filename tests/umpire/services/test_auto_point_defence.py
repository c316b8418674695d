"""Automatic point defence in an online battle: nobody waits for the faction or notices it."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from campaign.models import Battle, Notification, Stage, Submission
from engine.battle import battle_from
from engine.core.ids import ShipId
from engine.pieces.marker import Marker
from tests.umpire.services.damaged_battle import OTHER_FACTION, OWN_FACTION, DamagedBattle
from umpire.services.battle_phases import phase_resolve
from umpire.services.ledger_checks import ledger_faults
from umpire.services.phase_clock import phase_awaits, phase_due

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def under_attack(war: DamagedBattle, *keys: str) -> None:
    """Let missiles of the turn before fly straight on to ships of these factions, which hold still."""
    battle = battle_from(Battle.objects.get(pk=war.battle.pk).state or {})
    state = battle.state
    for key in keys:
        ship = next(ship for ship in state.ships if state.sides[ship.owner] == key and ship.y == 30)
        other = next(other_ship for other_ship in state.ships if other_ship.owner != ship.owner)
        state.launch_count += 1
        state.pieces.append(
            Marker(
                f"marker-{state.launch_count}",
                other.owner,
                ShipId(other.id),
                "heavy-missile",
                1,
                ship.x,
                ship.y - 24,
                1,
                state.turn,
            )
        )
    Battle.objects.filter(pk=war.battle.pk).update(state=battle.to_json())


def first_phase(war: DamagedBattle, leaving: tuple[str, ...], attacked: tuple[str, ...]) -> Stage:
    """Return the phase after the first plots; these factions use automatic point defence, all hold
    still.
    """
    war.battle.refresh_from_db()
    battle = battle_from(war.battle.state or {})
    for ship in battle.state.ships:
        ship.velocity = 0
    Battle.objects.filter(pk=war.battle.pk).update(state=battle.to_json())
    under_attack(war, *attacked)
    for key in (OWN_FACTION, OTHER_FACTION):
        orders: dict[str, Any] = {"plot": {}}
        if key in leaving:
            orders["officers"] = dict.fromkeys(war.sheet(key)["mine"], True)
        war.seal(key, orders)
    stage = war.open_phase()
    assert stage is not None
    assert phase_resolve(stage=stage.pk)
    phase = war.open_phase()
    assert phase is not None
    return phase


def test_side_with_automatic_defence_is_sealed_with_captain_orders() -> None:
    war = DamagedBattle(at_control=False)
    phase = first_phase(war, (OWN_FACTION,), (OWN_FACTION, OTHER_FACTION))
    assert phase.kind == "defend"
    sealed = Submission.objects.get(stage=phase)
    assert (sealed.faction.key, sealed.source) == (OWN_FACTION, "standing")
    assert sealed.payload["defend"] == war.advice(OWN_FACTION)["defend"]
    assert [row.key for row in phase_awaits(phase)] == [OTHER_FACTION]
    assert not phase_due(stage=phase, now=timezone.now())
    notifications = Notification.objects.filter(
        dedupe_key__contains=f"/{phase.ordinal}/", dedupe_key__startswith="phase/"
    )
    assert list(notifications.values_list("user__username", flat=True)) == [
        f"player-{OTHER_FACTION}"
    ]
    war.seal(OTHER_FACTION)
    assert phase_resolve(stage=phase.pk)
    assert ledger_faults(branch=war.stage.branch) == ()


def test_phase_without_other_decisions_is_due_at_once() -> None:
    war = DamagedBattle(at_control=False)
    phase = first_phase(war, (OWN_FACTION, OTHER_FACTION), (OWN_FACTION,))
    assert phase.kind == "defend"
    assert phase_due(stage=phase, now=timezone.now())
    assert phase_resolve(stage=phase.pk)
    after = war.open_phase()
    assert after is not None
    assert after.kind == "control", "nothing is in reach of fire"
    assert [row.key for row in phase_awaits(after)] == [
        OWN_FACTION
    ]  # all other decisions are asked for as before


def test_others_cannot_tell_automatic_defence() -> None:
    sheets = []
    for leaving in ((), (OWN_FACTION,)):
        war = DamagedBattle(at_control=False)
        phase = first_phase(war, leaving, (OWN_FACTION, OTHER_FACTION))
        sheets_handed = [war.sheet(OTHER_FACTION)]
        if not leaving:
            war.seal(OWN_FACTION)
        war.seal(OTHER_FACTION)
        assert phase_resolve(stage=phase.pk)
        sheets_handed.append(war.sheet(OTHER_FACTION))
        sheets.append(
            [
                {key: value for key, value in sheet.items() if key not in ("chain", "battle")}
                for sheet in sheets_handed
            ]
        )
    # The dice of a phase depend on everything sealed before, so results may differ; what is visible
    # may not.
    for first, other in zip(*sheets, strict=True):
        assert set(first) == set(other)
        assert first["mine"] == other["mine"]
        assert "officers" not in str(first) + str(other)
    assert sheets[0][0]["view"] == sheets[1][0]["view"]
    assert sheets[0][0]["log"] == sheets[1][0]["log"]
