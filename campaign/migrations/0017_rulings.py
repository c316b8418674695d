import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from campaign.migrations._append_only import protect

VERBS = (
    *('extend', 'pause', 'resume', 'resolve', 'excuse', 'join', 'leave', 'to-computer'),
    *('password-link', 'battle-mode', 'rules', 'remedy', 'table-result', 'umpire-event'),
    *('grace', 'hold', 'release', 'rebuild', 'key', 'take-back'),
    *('ruled', 'ruling-held', 'ruling-dropped'),
)


class Migration(migrations.Migration):
    """Rulings with their stage and number. No release wrote any, so the table is made anew."""

    dependencies = [
        ('campaign', '0016_umpire_votes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.DeleteModel(name='Ruling'),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('reason', models.TextField()),
                ('public_note', models.TextField(blank=True)),
                ('schema', models.PositiveSmallIntegerField()),
                ('patch', models.JSONField()),
                ('audience', models.JSONField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rulings', to=settings.AUTH_USER_MODEL)),
                ('after', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ruling', to='campaign.snapshot')),
                ('before', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings_from_here', to='campaign.snapshot')),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='campaign.branch')),
                ('stage', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ruling', to='campaign.stage')),
                ('undoes', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='campaign.ruling')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='ruling_has_a_reason'),
                    models.CheckConstraint(condition=models.Q(('before', models.F('after')), _negated=True), name='ruling_changes_something'),
                    models.UniqueConstraint(fields=('branch', 'number'), name='ruling_one_of_a_number'),
                ],
            },
        ),
        migrations.RemoveConstraint(model_name='act', name='act_verb_is_known'),
        migrations.AddConstraint(
            model_name='act',
            constraint=models.CheckConstraint(condition=models.Q(('verb__in', VERBS)), name='act_verb_is_known'),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    ]
