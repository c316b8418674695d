from __future__ import annotations

from django.db import migrations, models

from campaign.migrations._append_only import protect


class Migration(migrations.Migration):
    dependencies = (("campaign", "0033_api_tokens"),)

    operations = (
        migrations.AddField("Campaign", "paused_until", models.DateTimeField(null=True)),
        migrations.RunPython(protect, migrations.RunPython.noop),
    )
