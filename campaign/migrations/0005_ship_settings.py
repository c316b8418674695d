"""How ships are set and loaded, in the umpire's lists. A tech base is the scenario's: it has no table."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("campaign", "0004_battle_modes"),)

    operations = (
        migrations.AddField(model_name="ship", name="settings", field=models.JSONField(default=list)),
        migrations.DeleteModel(name="TechBase"),
    )
