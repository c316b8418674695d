"""A user's own shelf of ship designs."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (
        ("campaign", "0012_table_entries"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    )

    operations = (
        migrations.CreateModel(
            name="ShelfDesign",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(unique=True)),
                ("name", models.CharField(max_length=120)),
                ("edition", models.CharField(max_length=20)),
                ("schema", models.PositiveSmallIntegerField()),
                ("design", models.JSONField()),
                ("notes", models.TextField(blank=True)),
                ("changed_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="shelf", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "edition", "name"], name="shelf_design_by_name")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("name", ""), _negated=True), name="shelf_design_has_a_name")
                ],
            },
        ),
    )
