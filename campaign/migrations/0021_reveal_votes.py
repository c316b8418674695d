from django.db import migrations, models


class Migration(migrations.Migration):
    """Votes on publishing the story of a war."""

    dependencies = [('campaign', '0020_beacon')]

    operations = [
        migrations.RemoveConstraint(model_name='proposal', name='proposal_kind_is_known'),
        migrations.AddConstraint(
            model_name='proposal',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('rollback', 'umpire', 'fork', 'no-beacon', 'reveal'))), name='proposal_kind_is_known'),
        ),
    ]
