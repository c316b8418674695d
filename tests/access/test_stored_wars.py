"""The stored pairs have rows of every model, so that leaks of any of them can be found."""

from __future__ import annotations

import pytest
from django.apps import apps

from tests.access.histories import build_history
from tests.access.stored_wars import store

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OWN_ACCOUNT = "of an account: read only with the account itself, for no campaign"
TRUTH = "of the truth: a contract keeps its module out of whatever players read"
OTHER_TESTS = "its own tests show who learns of it"
# Models without rows in the pairs, each with the reason.
NOT_PLANTED = {
    "campaign.BattleSlice": "written and read by workers alone, until their battle is over",
    "campaign.Check": "read by umpires and by the operator of the site alone",
    "campaign.Consent": f"{OTHER_TESTS}: tests/umpire/control/test_rollback.py",
    "campaign.DailyBattle": "a single battle of one player against the computer",
    "campaign.DailyTry": f"{OTHER_TESTS}: tests/campaign/seats/test_daily.py",
    "campaign.DiscordAccount": OWN_ACCOUNT,
    "campaign.Excuse": f"{OTHER_TESTS}: tests/umpire/control/test_absence.py",
    "campaign.GalleryConsent": f"{OTHER_TESTS}: tests/umpire/pages/test_gallery.py",
    "campaign.HeavyUse": OWN_ACCOUNT,
    "campaign.IdempotentCall": OWN_ACCOUNT,
    "campaign.MomentConsent": f"{OTHER_TESTS}: tests/umpire/pages/test_moments.py",
    "campaign.Preference": OWN_ACCOUNT,
    "campaign.GuestAccount": "says only when an account without a name is deleted",
    "campaign.PrintedDocument": "found by a hash of all that its reader may see",
    "campaign.Proposal": f"{OTHER_TESTS}: tests/umpire/control/test_rollback.py",
    "campaign.PublicMoment": f"{OTHER_TESTS}: tests/umpire/pages/test_moments.py",
    "campaign.PushDevice": OWN_ACCOUNT,
    "campaign.Repair": TRUTH,
    "campaign.Ruling": TRUTH,
    "campaign.SeatEnd": f"{OTHER_TESTS}: tests/campaign/seats/test_seat_ends.py",
    "jobs.WorkerPulse": "of the site: it tells of no campaign",
}
WITH_EVERYTHING = 20  # a pair with online battles, tables and plans


def test_pairs_of_worlds_have_rows_of_every_model() -> None:
    store(build_history(WITH_EVERYTHING), 0)
    models = [
        model for label in ("campaign", "jobs") for model in apps.get_app_config(label).get_models()
    ]
    empty = {model._meta.label for model in models if not model._default_manager.exists()}
    assert sorted(empty - set(NOT_PLANTED)) == [], (
        "the pairs of worlds hold no rows of these models: write rows of other factions in "
        "tests/access/private_rows.py, call it from `store` in tests/access/stored_wars.py, "
        "or name the model in NOT_PLANTED with a reason"
    )
    assert sorted(set(NOT_PLANTED) - empty) == [], "these have rows now: take them off NOT_PLANTED"
