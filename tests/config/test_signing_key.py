"""`manage.py signing_key`, and wars on a site whose key changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from campaign.models import Act
from campaign.services.signing_keys import key_change_record
from campaign.store.signatures import sign_text, site_key
from engine.core.signed_notes import read_note, read_verifier_key
from tests.umpire.services.wars import start_campaign
from umpire.services.checking import campaign_faults

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
OTHER = "another key of the site, long enough to be one"


def test_key_is_exported_and_imported(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SIGNING_KEY", raising=False)
    campaign, stage = start_campaign()
    old = site_key().verifier
    note = sign_text("a head\n")
    settings.VAR_DIR = tmp_path
    exported = tmp_path / "exported"
    call_command("signing_key", "export", str(exported), verbosity=0)
    assert exported.read_text() == settings.SIGNING_KEY
    assert exported.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError):
        call_command("signing_key", "export", str(exported))
    call_command("signing_key", "import", str(exported))
    assert not Act.objects.filter(verb="key").exists()

    exported.write_text(OTHER)
    call_command("signing_key", "import", str(exported))
    assert (tmp_path / "signing_key").read_text() == OTHER
    settings.SIGNING_KEY = OTHER
    act = Act.objects.get(verb="key")
    assert (act.stage, act.actor, act.body["actor"]) == (stage, None, "")
    assert act.body["facts"] == {"before": old, "after": site_key().verifier}
    assert read_note(note).is_signed_by(read_verifier_key(old)), "older notes stay valid"
    assert not read_note(note).is_signed_by(site_key())
    assert campaign_faults(campaign) == []
    assert key_change_record(before=site_key().verifier) == 0

    exported.write_text("short")
    with pytest.raises(CommandError, match="characters"):
        call_command("signing_key", "import", str(exported))
    monkeypatch.setenv("SIGNING_KEY", OTHER)
    with pytest.raises(CommandError, match="environment"):
        call_command("signing_key", "import", str(exported))
