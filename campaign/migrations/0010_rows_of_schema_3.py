from django.db import migrations, models

from campaign.migrations._append_only import protect


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0009_lineage'),
    ]

    operations = [
        migrations.AddField(
            model_name='ledgerrow',
            name='leaves',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='ledgerrow',
            name='setting',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='report',
            name='sha256',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='tableentry',
            name='chain',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='campaign',
            name='hidden_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    ]
