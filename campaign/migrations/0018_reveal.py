from django.db import migrations, models

from campaign.migrations._append_only import protect

VERBS = (
    *('extend', 'pause', 'resume', 'resolve', 'excuse', 'join', 'leave', 'to-computer'),
    *('password-link', 'battle-mode', 'rules', 'remedy', 'table-result', 'umpire-event'),
    *('grace', 'hold', 'release', 'rebuild', 'key', 'take-back', 'reveal'),
    *('ruled', 'ruling-held', 'ruling-dropped'),
)


class Migration(migrations.Migration):
    """The act with which the ledger of a war ends: it publishes the seed."""

    dependencies = [('campaign', '0017_rulings')]

    operations = [
        migrations.RemoveConstraint(model_name='act', name='act_verb_is_known'),
        migrations.AddConstraint(
            model_name='act',
            constraint=models.CheckConstraint(condition=models.Q(('verb__in', VERBS)), name='act_verb_is_known'),
        ),
        migrations.AddConstraint(
            model_name='act',
            constraint=models.UniqueConstraint(condition=models.Q(('verb', 'reveal')), fields=('campaign',), name='act_reveal_once_a_campaign'),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    ]
