"""Battles fought in slices, PDFs printed by workers, the pace of odds, and the act that helps a stage that cannot be computed.

It can be taken back as long as nobody has done such an act.
"""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from campaign.migrations._append_only import protect

VERBS = (
    *("extend", "pause", "resume", "resolve", "excuse", "join", "leave", "to-computer", "password-link"),
    *("battle-mode", "rules", "remedy"),
)


class Migration(migrations.Migration):
    dependencies = (
        ("campaign", "0030_push_devices_and_passwords"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    )

    operations = (
        migrations.CreateModel(
            name="BattleSlice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("basis", models.CharField(max_length=64)),
                ("stops", models.BinaryField()),
                ("position", models.BinaryField()),
                ("over", models.BooleanField(default=False)),
                (
                    "battle",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="slices", to="campaign.battle"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("battle", "seq"), name="battle_slice_one_of_a_seq"),
                    models.CheckConstraint(condition=models.Q(basis__length=64), name="battle_slice_sha256_is_whole"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PrintedPaper",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("content_type", models.CharField(blank=True, max_length=100)),
                ("body", models.BinaryField(default=b"")),
                ("asked_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="printed",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "key"), name="printed_paper_one_of_a_key"),
                ],
            },
        ),
        migrations.AddField("Reckoning", "pace", models.PositiveSmallIntegerField(default=0)),
        migrations.RemoveConstraint(model_name="act", name="act_verb_is_known"),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(condition=models.Q(verb__in=VERBS), name="act_verb_is_known"),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    )
