from __future__ import annotations

from django.db import migrations, models

from campaign.migrations._append_only import protect

VERBS = (
    *("extend", "pause", "resume", "resolve", "excuse", "join", "leave", "to-computer", "password-link"),
    *("battle-mode", "rules", "remedy", "table-result"),
)


class Migration(migrations.Migration):
    dependencies = (("campaign", "0031_background_work"),)

    operations = (
        migrations.RemoveConstraint(model_name="act", name="act_verb_is_known"),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(condition=models.Q(verb__in=VERBS), name="act_verb_is_known"),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    )
