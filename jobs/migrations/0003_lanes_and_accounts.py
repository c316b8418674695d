"""Lanes, accounts, quarantine, and signs of life of workers."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Q

STATUSES = ("waiting", "running", "done")


def quarantined_rows_wait(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:  # noqa: ARG001 Django's
    """On the way back: the release before knows no quarantine and tries for ever."""
    job = apps.get_model("jobs", "Job")
    job.objects.filter(status="quarantined").update(status="waiting", send_at=F("asked_at"))


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_job_beats")]

    operations = [
        migrations.CreateModel(
            name="WorkerPulse",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80, unique=True)),
                ("lanes", models.CharField(max_length=60)),
                ("seen_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField("Job", "lane", models.CharField(max_length=16, default="short")),
        migrations.AddField("Job", "account", models.CharField(max_length=60, blank=True, default="")),
        migrations.AddField("Job", "war", models.PositiveBigIntegerField(null=True)),
        migrations.AddField("Job", "failures", models.PositiveIntegerField(default=0)),
        migrations.AddField("Job", "release", models.CharField(max_length=40, blank=True, default="")),
        migrations.RemoveConstraint("Job", "job_status_is_known"),
        migrations.RunPython(migrations.RunPython.noop, quarantined_rows_wait),
        migrations.AddConstraint(
            "Job",
            models.CheckConstraint(condition=Q(status__in=(*STATUSES, "quarantined")), name="job_status_is_known"),
        ),
        migrations.AddConstraint(
            "Job",
            models.CheckConstraint(condition=Q(lane__in=("short", "long", "interactive")), name="job_lane_is_known"),
        ),
        migrations.AddConstraint(
            "Job",
            models.UniqueConstraint(
                fields=("account",),
                condition=Q(status="running") & ~Q(account=""),
                name="job_one_running_an_account",
            ),
        ),
    ]
