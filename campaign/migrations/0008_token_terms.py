import hashlib

import django.db.models.deletion
from django.db import migrations, models


def keep(apps, schema_editor):
    """The tokens there are stay good for everything, until the password changes."""
    terms = apps.get_model('campaign', 'TokenTerms')
    for token in apps.get_model('authtoken', 'Token').objects.select_related('user'):
        mark = hashlib.sha256(f'api-token {token.user.password}'.encode()).hexdigest()
        terms.objects.create(token=token, read_only=False, password_sha256=mark)


class Migration(migrations.Migration):

    dependencies = [
        ('authtoken', '0004_alter_tokenproxy_options'),
        ('campaign', '0007_heavy_use'),
    ]

    operations = [
        migrations.AddField(
            model_name='invite',
            name='signed_up_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name='TokenTerms',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('read_only', models.BooleanField()),
                ('password_sha256', models.CharField(max_length=64)),
                ('token', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='terms', to='authtoken.token')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('password_sha256__length', 64)), name='token_terms_sha256_is_whole')],
            },
        ),
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
