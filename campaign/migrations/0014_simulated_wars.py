from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0013_umpire_records'),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='simulation', name='simulation_kind_is_known'),
        migrations.AddConstraint(
            model_name='simulation',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('contest', 'meeting', 'war'))), name='simulation_kind_is_known'),
        ),
    ]
