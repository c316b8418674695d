"""What a faction means to do with its fleets after this week."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("campaign", "0013_shelf"),)

    operations = (
        migrations.CreateModel(
            name="Plan",
            fields=(
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fleet", models.CharField(max_length=80)),
                ("goals", models.CharField(max_length=80)),
                ("week", models.PositiveSmallIntegerField()),
                (
                    "branch",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE, related_name="plans", to="campaign.branch"
                    ),
                ),
                (
                    "faction",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE, related_name="plans", to="campaign.faction"
                    ),
                ),
            ),
            options={
                "constraints": (
                    models.UniqueConstraint(fields=("branch", "faction", "fleet"), name="plan_one_a_fleet"),
                    models.CheckConstraint(
                        condition=models.Q(("goals", ""), _negated=True), name="plan_leads_somewhere"
                    ),
                ),
            },
        ),
    )
