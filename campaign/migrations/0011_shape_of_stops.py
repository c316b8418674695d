"""Stops of battles say of which shape they are. What was written before is of the first."""

from __future__ import annotations

from django.db import migrations, models

from campaign.migrations._append_only import protect


class Migration(migrations.Migration):
    dependencies = (("campaign", "0010_rules_of_a_war"),)

    operations = (
        migrations.AddField(
            model_name="battlestop",
            name="schema",
            field=models.PositiveSmallIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    )
