from django.db import migrations, models

from campaign.migrations._append_only import protect


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0014_simulated_wars'),
    ]

    operations = [
        migrations.AddField(
            model_name='submission',
            name='share',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    ]
