from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0022_withdrawal_words'),
    ]

    operations = [
        migrations.AddField(
            model_name='preference',
            name='sealed_mail',
            field=models.BooleanField(default=False),
        ),
    ]
