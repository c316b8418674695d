"""The tables of release 1.0.0."""

from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=80)),
                ('args', models.JSONField()),
                ('dedupe_key', models.CharField(max_length=200, unique=True)),
                ('status', models.CharField(default='waiting', max_length=16)),
                ('owner', models.CharField(blank=True, max_length=32)),
                ('beats', models.PositiveBigIntegerField(default=0)),
                ('send_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('again', models.BooleanField(default=False)),
                ('result', models.JSONField(null=True)),
                ('error', models.CharField(blank=True, max_length=400)),
                ('asked_at', models.DateTimeField()),
                ('done_at', models.DateTimeField(null=True)),
                ('lane', models.CharField(default='short', max_length=16)),
                ('account', models.CharField(blank=True, default='', max_length=60)),
                ('war', models.PositiveBigIntegerField(null=True)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('release', models.CharField(blank=True, default='', max_length=40)),
            ],
            options={
                'indexes': [models.Index(fields=['status', 'send_at'], name='job_by_status')],
                'constraints': [models.CheckConstraint(condition=models.Q(('lane__in', ('short', 'long', 'interactive'))), name='job_lane_is_known'), models.UniqueConstraint(condition=models.Q(('status', 'running'), models.Q(('account', ''), _negated=True)), fields=('account',), name='job_one_running_an_account'), models.CheckConstraint(condition=models.Q(('status__in', ('waiting', 'running', 'done', 'quarantined'))), name='job_status_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('done_at__isnull', False), ('status', 'done')), models.Q(models.Q(('status', 'done'), _negated=True), ('done_at__isnull', True)), _connector='OR'), name='job_done_at_an_instant'), models.CheckConstraint(condition=models.Q(models.Q(('send_at__isnull', False), ('status', 'waiting')), models.Q(models.Q(('status', 'waiting'), _negated=True), ('send_at__isnull', True)), _connector='OR'), name='job_waiting_is_sent_again'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), models.Q(('owner', ''), _negated=True)), models.Q(models.Q(('status', 'running'), _negated=True), ('owner', '')), _connector='OR'), name='job_running_has_an_owner')],
            },
        ),
        migrations.CreateModel(
            name='WorkerPulse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, unique=True)),
                ('lanes', models.CharField(max_length=60)),
                ('seen_at', models.DateTimeField()),
            ],
        ),
    ]
