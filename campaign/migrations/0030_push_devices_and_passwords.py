import hashlib

from django.db import migrations, models
from django.db.models import Q


def marked(apps, schema_editor):
    """The browsers that are told already are so under the password of today."""
    for device in apps.get_model("campaign", "PushDevice").objects.select_related("user"):
        device.password_sha256 = hashlib.sha256(f"push {device.user.password}".encode()).hexdigest()
        device.save(update_fields=["password_sha256"])


class Migration(migrations.Migration):

    dependencies = [
        ("campaign", "0029_channels_that_failed"),
    ]

    operations = [
        migrations.AddField(
            model_name="pushdevice",
            name="password_sha256",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(marked, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="pushdevice", name="push_device_sha256_is_whole"),
        migrations.AddConstraint(
            model_name="pushdevice",
            constraint=models.CheckConstraint(
                condition=Q(endpoint_sha256__length=64) & Q(password_sha256__length=64),
                name="push_device_sha256_is_whole",
            ),
        ),
    ]
