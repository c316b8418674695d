"""What an umpire notes down about people of his campaign."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("campaign", "0016_single_keys"),
    )

    operations = (
        migrations.CreateModel(
            name="UmpireNote",
            fields=(
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField()),
                ("written_at", models.DateTimeField()),
                (
                    "about",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE, related_name="umpire_notes", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE, related_name="umpire_notes", to="campaign.campaign"
                    ),
                ),
            ),
            options={
                "constraints": (
                    models.UniqueConstraint(fields=("campaign", "author", "about"), name="umpire_note_one_a_person"),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="umpire_note_says_something"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("about", models.F("author")), _negated=True),
                        name="umpire_note_is_about_another",
                    ),
                ),
            },
        ),
    )
