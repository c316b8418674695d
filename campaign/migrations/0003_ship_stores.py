"""What ships have left, carry and tow, in the umpire's lists."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("campaign", "0002_seats_and_clock"),)

    operations = (
        migrations.AddField(model_name="ship", name="stock", field=models.JSONField(default=list)),
        migrations.AddField(
            model_name="ship", name="tug", field=models.CharField(blank=True, default="", max_length=120)
        ),
        migrations.AddField(model_name="ship", name="laid_up", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="ship", name="cargo", field=models.CharField(blank=True, default="", max_length=200)
        ),
    )
