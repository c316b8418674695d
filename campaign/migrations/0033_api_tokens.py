import hashlib
import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def named(apps, schema_editor):
    """Keep the tokens there are, without a name; each is now one of many."""
    rows = apps.get_model("campaign", "ApiToken")
    for terms in apps.get_model("campaign", "TokenTerms").objects.select_related("token"):
        rows.objects.create(
            user_id=terms.token.user_id,
            public_id=uuid.UUID(hashlib.sha256(f"api-token {terms.token.key}".encode()).hexdigest()[:32]),
            key=terms.token.key,
            read_only=terms.read_only,
            password_sha256=terms.password_sha256,
            created_at=terms.token.created,
        )
    apps.get_model("authtoken", "Token").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("authtoken", "0004_alter_tokenproxy_options"),
        ("campaign", "0032_results_by_umpires"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(unique=True)),
                ("key", models.CharField(max_length=40, unique=True)),
                ("name", models.CharField(blank=True, max_length=60)),
                ("read_only", models.BooleanField()),
                ("password_sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("password_sha256__length", 64)), name="api_token_sha256_is_whole"
                    ),
                    models.CheckConstraint(condition=models.Q(("key__length", 40)), name="api_token_key_is_whole"),
                ],
            },
        ),
        migrations.RunPython(named, migrations.RunPython.noop),
        migrations.DeleteModel(name="TokenTerms"),
    ]
