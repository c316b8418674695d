"""Seats that change hands, seats that were lost, and sides that are ready to go on."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

from campaign.migrations._append_only import protect


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0034_pauses_until"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # SQLite drops the triggers of `submission` whenever it alters that table.
        migrations.RunPython(migrations.RunPython.noop, protect),
        migrations.AddField(
            model_name="submission",
            name="ready_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="invite",
            name="replaces",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="invite",
            constraint=models.CheckConstraint(
                condition=Q(replaces__isnull=True) | Q(role="player"),
                name="invite_that_replaces_is_for_a_player",
            ),
        ),
        migrations.CreateModel(
            name="SeatEnd",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("role", models.CharField(max_length=16)),
                ("cause", models.CharField(max_length=16)),
                ("by", models.CharField(blank=True, max_length=150)),
                ("new", models.CharField(blank=True, max_length=150)),
                ("reason", models.CharField(blank=True, max_length=400)),
                ("at", models.DateTimeField()),
                ("hidden_at", models.DateTimeField(null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seat_ends",
                        to="campaign.campaign",
                    ),
                ),
                (
                    "faction",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="campaign.faction",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seat_ends",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(
                            role__in=("player", "staff", "host", "umpire", "observer", "guest")
                        ),
                        name="seat_end_role_is_known",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            cause__in=(
                                "left",
                                "computer",
                                "replaced",
                                "sent-away",
                                "ran-out",
                                "unplayed",
                            )
                        ),
                        name="seat_end_cause_is_known",
                    ),
                    models.UniqueConstraint(
                        fields=("campaign", "user"), name="seat_end_newest_alone"
                    ),
                ],
            },
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    ]
