from django.db import migrations, models

from campaign.migrations._append_only import protect

VERBS = (
    *('extend', 'pause', 'resume', 'resolve', 'excuse', 'join', 'leave', 'to-computer'),
    *('password-link', 'battle-mode', 'rules', 'remedy', 'table-result', 'umpire-event'),
    *('grace', 'hold', 'release', 'rebuild', 'key', 'take-back', 'reveal'),
    *('ruled', 'ruling-held', 'ruling-dropped', 'no-beacon'),
)


class Migration(migrations.Migration):
    """Public random values in the dice of stages."""

    dependencies = [
        ('campaign', '0019_fork_votes'),
    ]

    operations = [
        migrations.AddField(
            model_name='stage',
            name='beacon_signature',
            field=models.CharField(max_length=96, null=True),
        ),
        migrations.RemoveConstraint(model_name='act', name='act_verb_is_known'),
        migrations.AddConstraint(
            model_name='act',
            constraint=models.CheckConstraint(condition=models.Q(('verb__in', VERBS)), name='act_verb_is_known'),
        ),
        migrations.RemoveConstraint(model_name='proposal', name='proposal_kind_is_known'),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('rollback', 'umpire', 'fork', 'no-beacon'))), name='proposal_kind_is_known'),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    ]
