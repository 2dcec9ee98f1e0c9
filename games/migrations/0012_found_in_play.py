from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0011_players_found_by_matches'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'playing')), fields=('id',), name='match_in_play'),
        ),
    ]
