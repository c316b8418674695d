"""Heartbeats instead of leases by the clock."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Q


def running_rows_wait(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:  # noqa: ARG001 Django's signature
    """Whoever ran them has stopped for the update: they are done again."""
    job = apps.get_model("jobs", "Job")
    job.objects.filter(status="running").update(status="waiting", owner="", send_at=F("asked_at"))


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.RemoveConstraint("Job", "job_unfinished_has_a_lease"),
        migrations.RemoveIndex("Job", "job_unfinished"),
        migrations.RenameField("Job", "lease_until", "send_at"),
        migrations.AddField("Job", "beats", models.PositiveBigIntegerField(default=0)),
        migrations.RunPython(running_rows_wait, migrations.RunPython.noop),
        migrations.AddConstraint(
            "Job",
            models.CheckConstraint(
                condition=Q(status="done", done_at__isnull=False) | (~Q(status="done") & Q(done_at__isnull=True)),
                name="job_done_at_an_instant",
            ),
        ),
        migrations.AddConstraint(
            "Job",
            models.CheckConstraint(
                condition=Q(status="waiting", send_at__isnull=False) | (~Q(status="waiting") & Q(send_at__isnull=True)),
                name="job_waiting_is_sent_again",
            ),
        ),
        migrations.AddIndex("Job", models.Index(fields=["status", "send_at"], name="job_by_status")),
    ]
