"""Sites of earlier releases go on under this one, and come to the same results."""

from __future__ import annotations

import json

import pytest

from campaign.models.battle import Battle
from campaign.models.stage import Stage
from engine.core.errors import RuleViolations
from engine.core.schemas import BATTLE
from engine.core.versions import UnknownRules
from tests.tampering import disarm
from tests.umpire.stored.site import HERE, ONLINE, RESULTS, restore_site, results
from umpire.services.battle_phases import phase_resolve
from umpire.services.records import result_of, start_of

pytestmark = pytest.mark.django_db
RELEASES = ("1.0",)


@pytest.mark.any_database
@pytest.mark.parametrize("release", RELEASES)
def test_wars_continue_to_the_same_results(release: str) -> None:
    restore_site(release)
    expected = json.loads((HERE / RESULTS.format(release)).read_text())
    assert json.loads(json.dumps(results())) == expected


@pytest.mark.any_database
def test_data_of_a_later_release_is_refused() -> None:
    restore_site(RELEASES[-1])
    row = Battle.objects.get(branch__campaign__name=ONLINE)
    rows = Battle.objects.filter(pk=row.pk)
    stage = Stage.objects.get(battle=row, status="open")
    assert row.state is not None
    disarm("campaign_battle")
    rows.update(state=row.state | {"schema": BATTLE.schema + 1})
    with pytest.raises(RuleViolations, match=f"version {BATTLE.schema + 1} of 'battle' cannot"):
        phase_resolve(stage=stage.pk, force=True)
    rows.update(state=row.state, rules_version="7")
    with pytest.raises(UnknownRules, match="'7' is not known"):
        phase_resolve(stage=stage.pk, force=True)
    rows.update(schema=2)
    with pytest.raises(RuleViolations, match="version 2 of 'battle start' cannot be read"):
        start_of(Battle.objects.select_related("branch__campaign").get(pk=row.pk))
    assert Stage.objects.get(pk=stage.pk).status == "closed"
    rows.update(schema=1, rules_version=row.rules_version)
    assert phase_resolve(stage=stage.pk)
    row.result = {"schema": 2}
    with pytest.raises(RuleViolations, match="battle result"):
        result_of(row)
