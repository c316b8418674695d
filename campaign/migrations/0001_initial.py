"""Every table of the game, its constraints, and the triggers that keep written truth."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from campaign.migrations._append_only import protect, unprotect


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Branch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('reason', models.CharField(blank=True, max_length=400)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='branch_number_from_one'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Battle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(unique=True)),
                ('week', models.PositiveSmallIntegerField()),
                ('key', models.CharField(max_length=120)),
                ('mode', models.CharField(max_length=16)),
                ('rules_version', models.CharField(max_length=20)),
                ('schema', models.PositiveSmallIntegerField()),
                ('start', models.JSONField()),
                ('state', models.JSONField(null=True)),
                ('dice_context', models.JSONField()),
                ('status', models.CharField(max_length=16)),
                ('result', models.JSONField(null=True)),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='battles', to='campaign.branch')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'week', 'key'), name='battle_one_of_a_key_a_week'),
                    models.CheckConstraint(condition=models.Q(('mode__in', ('captains', 'online', 'table'))), name='battle_mode_is_known'),
                    models.CheckConstraint(condition=models.Q(('status__in', ('waiting', 'fought'))), name='battle_status_is_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('status', 'fought'), _negated=True), ('result__isnull', False), _connector='OR'), name='battle_fought_has_result'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(unique=True)),
                ('name', models.CharField(max_length=200)),
                ('ruleset', models.JSONField()),
                ('timetable', models.JSONField()),
                ('seed', models.CharField(max_length=64)),
                ('seed_sha256', models.CharField(max_length=64)),
                ('dice_key', models.CharField(max_length=80)),
                ('id_secret', models.CharField(max_length=64)),
                ('head_branch', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='headed', to='campaign.branch')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('seed_sha256__length', 64)), name='campaign_sha256_is_whole'),
                    models.CheckConstraint(condition=models.Q(('id_secret__length', 64), ('seed__length', 64), models.Q(('seed', models.F('id_secret')), _negated=True)), name='campaign_secrets_are_whole'),
                ],
            },
        ),
        migrations.AddField(
            model_name='branch',
            name='campaign',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='branches', to='campaign.campaign'),
        ),
        migrations.CreateModel(
            name='FacilityState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=120)),
                ('holder', models.CharField(blank=True, max_length=80)),
                ('since', models.PositiveSmallIntegerField()),
                ('state', models.CharField(max_length=16)),
                ('superior', models.CharField(blank=True, max_length=80)),
                ('facility', models.CharField(blank=True, max_length=80)),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='campaign.branch')),
            ],
            options={
                'abstract': False,
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'key'), name='facilitystate_one_of_a_key'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Faction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('alliance', models.CharField(blank=True, max_length=80)),
                ('admiral', models.CharField(blank=True, max_length=80)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='factions', to='campaign.campaign')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('campaign', 'key'), name='faction_one_of_a_key'),
                    models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='faction_has_a_key'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Fleet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=120)),
                ('faction', models.CharField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('hex', models.CharField(max_length=4)),
                ('in_ftl', models.BooleanField()),
                ('must_leave', models.BooleanField()),
                ('decoys', models.PositiveIntegerField()),
                ('ships', models.PositiveIntegerField()),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='campaign.branch')),
            ],
            options={
                'abstract': False,
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'key'), name='fleet_one_of_a_key'),
                ],
                'indexes': [
                    models.Index(fields=['branch', 'hex'], name='fleet_in_a_hex'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(max_length=16)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='campaign.campaign')),
                ('faction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='campaign.faction')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('role__in', ('player', 'staff', 'host', 'umpire', 'observer'))), name='membership_role_is_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('faction__isnull', False), ('role__in', ('player', 'staff'))), models.Q(models.Q(('role__in', ('player', 'staff')), _negated=True), ('faction__isnull', True)), _connector='OR'), name='membership_faction_fits_role'),
                    models.UniqueConstraint(condition=models.Q(('role', 'host'), _negated=True), fields=('campaign', 'user'), name='membership_one_part_a_user'),
                    models.UniqueConstraint(fields=('campaign', 'user', 'role'), name='membership_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Notification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('dedupe_key', models.CharField(max_length=200, unique=True)),
                ('body', models.CharField(max_length=400)),
                ('sent_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('body', ''), _negated=True), name='notification_says_something'),
                ],
                'indexes': [
                    models.Index(condition=models.Q(('sent_at__isnull', True)), fields=['id'], name='notification_unsent'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Repair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=120)),
                ('faction', models.CharField(max_length=80)),
                ('hex', models.CharField(max_length=4)),
                ('damage', models.PositiveIntegerField()),
                ('systems', models.JSONField()),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='campaign.branch')),
            ],
            options={
                'abstract': False,
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'key'), name='repair_one_of_a_key'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(unique=True)),
                ('seq', models.PositiveIntegerField()),
                ('week', models.PositiveSmallIntegerField()),
                ('stage', models.CharField(max_length=16)),
                ('kind', models.CharField(max_length=16)),
                ('subject', models.CharField(blank=True, max_length=80)),
                ('schema', models.PositiveSmallIntegerField()),
                ('body', models.JSONField()),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='campaign.branch')),
                ('faction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='campaign.faction')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'seq', 'faction', 'kind', 'subject'), name='report_one_of_a_kind_and_subject'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Scenario',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80)),
                ('version', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=200)),
                ('sha256', models.CharField(max_length=64)),
                ('schema', models.PositiveSmallIntegerField()),
                ('body', models.JSONField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('slug', 'version'), name='scenario_one_of_a_version'), models.CheckConstraint(condition=models.Q(('version__gte', 1)), name='scenario_version_from_one'), models.CheckConstraint(condition=models.Q(('sha256__length', 64)), name='scenario_sha256_is_whole')],
            },
        ),
        migrations.AddField(
            model_name='campaign',
            name='scenario',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='campaigns', to='campaign.scenario'),
        ),
        migrations.CreateModel(
            name='Ship',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=120)),
                ('faction', models.CharField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('cls', models.CharField(max_length=120)),
                ('fleet', models.CharField(max_length=120)),
                ('hex', models.CharField(max_length=4)),
                ('damage', models.PositiveIntegerField()),
                ('lost', models.JSONField()),
                ('docked', models.BooleanField()),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='campaign.branch')),
            ],
            options={
                'abstract': False,
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'key'), name='ship_one_of_a_key'),
                ],
                'indexes': [
                    models.Index(fields=['branch', 'fleet'], name='ship_in_a_fleet'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ShipClass',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(unique=True)),
                ('name', models.CharField(max_length=120)),
                ('mass', models.PositiveIntegerField()),
                ('points', models.PositiveIntegerField()),
                ('classification', models.CharField(max_length=40)),
                ('schema', models.PositiveSmallIntegerField()),
                ('design', models.JSONField()),
                ('sha256', models.CharField(max_length=64)),
                ('campaign', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='ship_classes', to='campaign.campaign')),
                ('faction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='ship_classes', to='campaign.faction')),
                ('supersedes', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='superseded_by', to='campaign.shipclass')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('sha256__length', 64)), name='ship_class_sha256_is_whole'),
                    models.UniqueConstraint(condition=models.Q(('campaign__isnull', True)), fields=('name', 'sha256'), name='ship_class_once_in_the_catalogue'),
                    models.UniqueConstraint(condition=models.Q(('campaign__isnull', False)), fields=('campaign', 'faction', 'name', 'sha256'), name='ship_class_once_in_a_campaign'),
                    models.CheckConstraint(condition=models.Q(('campaign__isnull', False), ('faction__isnull', True), _connector='OR'), name='ship_class_of_a_faction_has_campaign'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('week', models.PositiveSmallIntegerField()),
                ('stage', models.CharField(max_length=16)),
                ('schema', models.PositiveSmallIntegerField()),
                ('world', models.JSONField()),
                ('happenings', models.JSONField()),
                ('sha256', models.CharField(max_length=64)),
                ('rules_version', models.CharField(max_length=20)),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='snapshots', to='campaign.branch')),
                ('parent', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='children', to='campaign.snapshot')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'seq'), name='snapshot_one_of_a_seq'),
                    models.CheckConstraint(condition=models.Q(('sha256__length', 64)), name='snapshot_sha256_is_whole'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('schema', models.PositiveSmallIntegerField()),
                ('patch', models.JSONField()),
                ('audience', models.JSONField()),
                ('actor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to=settings.AUTH_USER_MODEL)),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='campaign.branch')),
                ('after', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ruling', to='campaign.snapshot')),
                ('before', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rulings_from_here', to='campaign.snapshot')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='ruling_has_a_reason'),
                    models.CheckConstraint(condition=models.Q(('before', models.F('after')), _negated=True), name='ruling_changes_something'),
                ],
            },
        ),
        migrations.AddField(
            model_name='campaign',
            name='forked_from',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='forks', to='campaign.snapshot'),
        ),
        migrations.AddField(
            model_name='branch',
            name='head',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='heads', to='campaign.snapshot'),
        ),
        migrations.AddField(
            model_name='branch',
            name='parent',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='branches_from_here', to='campaign.snapshot'),
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('week', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(max_length=16)),
                ('ordinal', models.PositiveIntegerField()),
                ('opens', models.DateTimeField()),
                ('closes', models.DateTimeField(null=True)),
                ('status', models.CharField(default='open', max_length=16)),
                ('battle', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='stages', to='campaign.battle')),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stages', to='campaign.branch')),
                ('from_snapshot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stages_from_here', to='campaign.snapshot')),
                ('to_snapshot', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='stage_to_here', to='campaign.snapshot')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('status__in', ('open', 'closed', 'resolved'))), name='stage_status_is_known'),
                    models.UniqueConstraint(condition=models.Q(('battle__isnull', True)), fields=('branch', 'ordinal'), name='stage_one_of_an_ordinal'),
                    models.UniqueConstraint(condition=models.Q(('battle__isnull', False)), fields=('battle', 'ordinal'), name='stage_one_of_a_battle_stop'),
                    models.UniqueConstraint(condition=models.Q(('battle__isnull', True)), fields=('branch', 'week', 'kind'), name='stage_one_of_a_kind_a_week'),
                    models.UniqueConstraint(condition=models.Q(('battle__isnull', True), ('status__in', ('open', 'closed'))), fields=('branch',), name='stage_one_unresolved_a_branch'),
                    models.CheckConstraint(condition=models.Q(models.Q(('status', 'resolved'), ('to_snapshot__isnull', False)), models.Q(models.Q(('status', 'resolved'), _negated=True), ('to_snapshot__isnull', True)), ('battle__isnull', False), _connector='OR'), name='stage_resolved_has_snapshot'),
                    models.CheckConstraint(condition=models.Q(('closes__isnull', True), ('closes__gte', models.F('opens')), _connector='OR'), name='stage_closes_after_opening'),
                ],
                'indexes': [
                    models.Index(fields=['status', 'closes'], name='stage_due'),
                ],
            },
        ),
        migrations.CreateModel(
            name='LedgerRow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('schema', models.PositiveSmallIntegerField()),
                ('body', models.JSONField()),
                ('prev_hash', models.CharField(max_length=64)),
                ('hash', models.CharField(max_length=64, unique=True)),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='campaign.branch')),
                ('stage', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='ledger_row', to='campaign.stage')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'seq'), name='ledger_row_one_of_a_seq'),
                    models.UniqueConstraint(fields=('branch', 'prev_hash'), name='ledger_row_one_after_another'),
                    models.CheckConstraint(condition=models.Q(('prev_hash__length', 64), ('hash__length', 64)), name='ledger_row_sha256_is_whole'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payload', models.JSONField()),
                ('version', models.PositiveIntegerField()),
                ('faction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='campaign.faction')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='campaign.stage')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('stage', 'faction'), name='draft_one_a_stage_and_faction'),
                ],
            },
        ),
        migrations.CreateModel(
            name='StarMap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('columns', models.PositiveSmallIntegerField()),
                ('rows', models.PositiveSmallIntegerField()),
                ('scenario', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='starmap', to='campaign.scenario')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('columns__gte', 1), ('columns__lte', 99), ('rows__gte', 1), ('rows__lte', 99)), name='starmap_has_hexes'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Link',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('a', models.CharField(max_length=4)),
                ('b', models.CharField(max_length=4)),
                ('cost', models.PositiveSmallIntegerField()),
                ('starmap', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='campaign.starmap')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('starmap', 'kind', 'a', 'b'), name='link_one_of_a_kind'),
                    models.CheckConstraint(condition=models.Q(('a', models.F('b')), _negated=True), name='link_joins_two_hexes'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ClosedHex',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hex', models.CharField(max_length=4)),
                ('starmap', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='closed_hexes', to='campaign.starmap')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('starmap', 'hex'), name='closed_hex_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('payload', models.JSONField()),
                ('nonce', models.CharField(max_length=32)),
                ('digest', models.CharField(max_length=64)),
                ('source', models.CharField(max_length=16)),
                ('sealed_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sealed', to=settings.AUTH_USER_MODEL)),
                ('faction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='campaign.faction')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='campaign.stage')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('withdrawn_at__isnull', True)), fields=('stage', 'faction'), name='submission_one_live_a_stage_and_faction'),
                    models.UniqueConstraint(fields=('stage', 'faction', 'revision'), name='submission_one_of_a_revision'),
                    models.CheckConstraint(condition=models.Q(('revision__gte', 1)), name='submission_revision_from_one'),
                    models.CheckConstraint(condition=models.Q(('nonce__length', 32)), name='submission_nonce_is_16_bytes'),
                    models.CheckConstraint(condition=models.Q(('source__in', ('player', 'standing', 'default', 'admiral', 'umpire'))), name='submission_source_is_known'),
                    models.CheckConstraint(condition=models.Q(('digest__length', 64)), name='submission_sha256_is_whole'),
                ],
            },
        ),
        migrations.CreateModel(
            name='System',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('hex', models.CharField(max_length=4)),
                ('owner', models.CharField(blank=True, max_length=80)),
                ('settled', models.BooleanField()),
                ('facility', models.CharField(blank=True, max_length=80)),
                ('starmap', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='systems', to='campaign.starmap')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('starmap', 'key'), name='system_one_of_a_key'),
                    models.UniqueConstraint(fields=('starmap', 'hex'), name='system_one_in_a_hex'),
                ],
            },
        ),
        migrations.CreateModel(
            name='TechBase',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('choices', models.JSONField()),
                ('faction', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='tech_base', to='campaign.faction')),
            ],
        ),
        migrations.CreateModel(
            name='View',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('schema', models.PositiveSmallIntegerField()),
                ('body', models.JSONField()),
                ('sha256', models.CharField(max_length=64)),
                ('branch', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='views', to='campaign.branch')),
                ('faction', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='views', to='campaign.faction')),
                ('snapshot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='views', to='campaign.snapshot')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('branch', 'seq', 'faction'), name='view_one_a_snapshot_and_faction'),
                    models.CheckConstraint(condition=models.Q(('sha256__length', 64)), name='view_sha256_is_whole'),
                ],
            },
        ),
        migrations.CreateModel(
            name='BattleStop',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('inputs', models.JSONField()),
                ('events', models.JSONField()),
                ('views', models.JSONField()),
                ('chain', models.CharField(max_length=64)),
                ('battle', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stops', to='campaign.battle')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('battle', 'seq'), name='battle_stop_one_of_a_seq'), models.CheckConstraint(condition=models.Q(('chain__length', 64)), name='battle_stop_sha256_is_whole')],
            },
        ),
        migrations.AddConstraint(
            model_name='branch',
            constraint=models.UniqueConstraint(fields=('campaign', 'number'), name='branch_one_of_a_number'),
        ),
        migrations.RunPython(protect, unprotect),
    ]
