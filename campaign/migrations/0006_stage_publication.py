"""When a stage closed, and from when on what came of it is public."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models import F, Q

from campaign.migrations._append_only import protect


def fill(apps: Any, schema_editor: Any) -> None:
    """What was resolved before is public. When it closed is not known any more: the instant at which it opened stands in."""
    stages = apps.get_model("campaign", "Stage").objects.using(schema_editor.connection.alias)
    stages.exclude(status="open").update(closed_at=F("opens"))
    stages.filter(status="resolved", battle__isnull=True).update(publishes_at=F("opens"))


class Migration(migrations.Migration):
    dependencies = (("campaign", "0005_ship_settings"),)

    operations = (
        migrations.AddField(model_name="stage", name="closed_at", field=models.DateTimeField(null=True)),
        migrations.AddField(model_name="stage", name="publishes_at", field=models.DateTimeField(null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=Q(status="resolved", publishes_at__isnull=False)
                | (~Q(status="resolved") & Q(publishes_at__isnull=True))
                | Q(battle__isnull=False),
                name="stage_resolved_is_published",
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=Q(status="open", closed_at__isnull=True)
                | (~Q(status="open") & Q(closed_at__isnull=False))
                | Q(battle__isnull=False),
                name="stage_closed_at_an_instant",
            ),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    )
