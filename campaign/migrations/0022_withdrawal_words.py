from django.db import migrations, models

from campaign.migrations._append_only import protect


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0021_reveal_votes'),
    ]

    operations = [
        migrations.AddField(
            model_name='submission',
            name='withdrawal_word',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.RunPython(protect, migrations.RunPython.noop),
    ]
