"""Give wars lineage, so that a branch can share the history of the branch from which it begins.

Every war so far has one line. Branches with a parent, which no release could make, are read by it.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import functions

from campaign.migrations._append_only import protect, unprotect

WHOLE = 2147483647


def fill(apps: Any, schema_editor: Any) -> None:
    """Write the lineage of all branches, and where battles, excuses, acts and messages belong."""

    def get(name: str) -> Any:
        return apps.get_model("campaign", name)

    lineage = get("Lineage").objects
    for branch in get("Branch").objects.order_by("pk"):
        branch.dice_number = branch.number
        branch.kind = "rollback" if branch.parent_id else "beginning"
        branch.save(update_fields=["dice_number", "kind"])
        lineage.create(branch=branch, ancestor=branch, upto=WHOLE, distance=0)
        if branch.parent_id:
            parent = get("Snapshot").objects.values("branch_id", "seq").get(pk=branch.parent_id)
            for row in lineage.filter(branch_id=parent["branch_id"]):
                upto = min(row.upto, parent["seq"])
                lineage.create(branch=branch, ancestor_id=row.ancestor_id, upto=upto, distance=row.distance + 1)
    of_stage = get("Stage").objects.filter
    of_stage(battle__isnull=True, status="resolved").update(how="played")
    snapshots = get("Snapshot").objects.filter(
        branch=models.OuterRef("branch"), week=models.OuterRef("week"), stage="battles"
    )
    seq = models.Subquery(snapshots.order_by("seq").values("seq")[:1])
    get("Battle").objects.update(seq=functions.Coalesce(seq, 0))
    stage_branch = models.Subquery(get("Stage").objects.filter(pk=models.OuterRef("stage")).values("branch")[:1])
    get("Act").objects.filter(stage__isnull=False).update(branch=stage_branch)
    head = models.Subquery(get("Campaign").objects.filter(pk=models.OuterRef("campaign")).values("head_branch")[:1])
    get("Message").objects.exclude(stage="").update(branch=head)
    for excuse in get("Excuse").objects.select_related("faction__campaign"):
        campaign = excuse.faction.campaign
        acts = get("Act").objects.filter(campaign=campaign, verb="excuse", stage__isnull=False).select_related("stage")
        facts = {"faction": excuse.faction.key, "week": excuse.week}
        granted = [act.stage.ordinal for act in acts if act.body["facts"] == facts]
        excuse.branch_id = campaign.head_branch_id
        excuse.ordinal = min(granted, default=0)
        excuse.save(update_fields=["branch", "ordinal"])


def check_references(apps: Any, schema_editor: Any) -> None:
    """Let PostgreSQL check references now: until then it makes no index of the changed tables."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.connection.check_constraints()


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0008_umpire_levers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Lineage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ancestry', to='campaign.branch')),
                ('ancestor', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='heirs', to='campaign.branch')),
                ('upto', models.PositiveIntegerField()),
                ('distance', models.PositiveIntegerField()),
            ],
            options={
                'indexes': [models.Index(fields=['branch', 'ancestor', 'upto'], name='lineage_of_branch')],
                'constraints': [models.UniqueConstraint(fields=('branch', 'ancestor'), name='lineage_one_of_ancestor')],
            },
        ),
        migrations.RemoveConstraint(model_name='excuse', name='excuse_once_a_week'),
        migrations.RemoveConstraint(model_name='stage', name='stage_status_is_known'),
        migrations.RemoveConstraint(model_name='stage', name='stage_one_of_a_kind_a_week'),
        migrations.RemoveConstraint(model_name='stage', name='stage_resolved_is_published'),
        migrations.AddField(
            model_name='act',
            name='branch',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='campaign.branch'),
        ),
        migrations.AddField(
            model_name='message',
            name='branch',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='messages', to='campaign.branch'),
        ),
        migrations.AddField(
            model_name='battle', name='seq', field=models.PositiveIntegerField(default=0), preserve_default=False
        ),
        migrations.AddField(model_name='branch', name='dice', field=models.CharField(default='fresh', max_length=16)),
        migrations.AddField(
            model_name='branch', name='dice_number', field=models.PositiveIntegerField(default=1), preserve_default=False
        ),
        migrations.AddField(model_name='branch', name='kind', field=models.CharField(default='beginning', max_length=16)),
        migrations.AddField(model_name='branch', name='left_at', field=models.DateTimeField(null=True)),
        migrations.AddField(model_name='branch', name='opened_at', field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name='branch',
            name='opened_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='excuse',
            name='branch',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='excuses', to='campaign.branch'),
        ),
        migrations.AddField(
            model_name='excuse', name='ordinal', field=models.PositiveIntegerField(default=0), preserve_default=False
        ),
        migrations.AddField(model_name='stage', name='again', field=models.PositiveSmallIntegerField(default=0)),
        migrations.AddField(model_name='stage', name='how', field=models.CharField(max_length=16, null=True)),
        migrations.AddConstraint(
            model_name='branch',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('beginning', 'rollback', 'fork'))), name='branch_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='branch',
            constraint=models.CheckConstraint(condition=models.Q(('dice__in', ('fresh', 'same'))), name='branch_dice_is_known'),
        ),
        migrations.AddConstraint(
            model_name='excuse',
            constraint=models.UniqueConstraint(fields=('faction', 'week', 'branch'), name='excuse_once_a_week_and_branch'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ('open', 'closed', 'resolved', 'left'))), name='stage_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('how__isnull', True), ('how__in', ('played', 'ruled')), _connector='OR'), name='stage_how_is_known'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.UniqueConstraint(condition=models.Q(('battle__isnull', True)), fields=('branch', 'week', 'kind', 'again'), name='stage_one_of_a_kind_a_week'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(('publishes_at__isnull', False), ('status', 'resolved')),
                    models.Q(('publishes_at__isnull', True), ('status__in', ('open', 'closed'))),
                    models.Q(('publishes_at__isnull', False), ('status', 'left')),
                    ('battle__isnull', False),
                    _connector='OR',
                ),
                name='stage_resolved_is_published',
            ),
        ),
        migrations.RunPython(protect, unprotect),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(check_references, migrations.RunPython.noop),
    ]
