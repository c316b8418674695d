from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0023_sealed_mails'),
    ]

    operations = [
        migrations.AddField(
            model_name='preference',
            name='seen_language',
            field=models.CharField(blank=True, default='', max_length=8),
        ),
    ]
