from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("campaign", "0027_reckonings"),
    ]

    operations = [
        migrations.AddField(
            model_name="preference",
            name="guided",
            field=models.JSONField(default=list),
        ),
    ]
