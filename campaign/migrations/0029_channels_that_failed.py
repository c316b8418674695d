from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("campaign", "0028_guided"),
    ]

    operations = [
        migrations.AddField(
            model_name="notification",
            name="failed",
            field=models.JSONField(default=list),
        ),
    ]
