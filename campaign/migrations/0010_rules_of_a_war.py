"""The host's act of changing over to other rules; wars whose rules changed before without a word are told so."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.utils import timezone

from campaign.migrations._append_only import protect
from engine.core.canonical import digest

VERBS = (
    *("extend", "pause", "resume", "resolve", "excuse", "join", "leave", "to-computer", "password-link"),
    *("battle-mode", "rules"),
)
REASON = "An update of the site changed the rules of this war, before wars kept theirs."


def fill(apps: Any, schema_editor: Any) -> None:
    """Write down what the ledger shows: from which week on a war was resolved by other rules than it began with."""
    alias, now = schema_editor.connection.alias, timezone.now()
    acts = apps.get_model("campaign", "Act").objects.using(alias)
    rows = apps.get_model("campaign", "LedgerRow").objects.using(alias)
    for campaign in apps.get_model("campaign", "Campaign").objects.using(alias).order_by("pk"):
        known = campaign.ruleset["rules_version"]
        for row in rows.filter(branch_id=campaign.head_branch_id or 0).order_by("seq"):
            version = row.body["rules_version"]
            if version != known:
                facts = {"from": known, "to": version, "week": row.body["week"]}
                body = {
                    "schema": 1, "verb": "rules", "actor": "", "at": now.isoformat(), "reason": REASON, "facts": facts,
                }  # fmt: skip
                acts.create(campaign=campaign, verb="rules", body=body, sha256=digest(body), at=now)
                known = version


class Migration(migrations.Migration):
    dependencies = (("campaign", "0009_empty_sheets"),)

    operations = (
        migrations.RemoveConstraint(model_name="act", name="act_verb_is_known"),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(condition=models.Q(verb__in=VERBS), name="act_verb_is_known"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(protect, migrations.RunPython.noop),
    )
