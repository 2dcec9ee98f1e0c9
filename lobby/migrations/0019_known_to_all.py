from datetime import timedelta

from django.db import migrations, models
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from games.law.terms import LONGEST_DELAY
from games.watch import visibility


def fill_in(apps, schema_editor):
    """Note of what is settled already from when on everybody may know of it."""
    Match, Result = apps.get_model("games", "Match"), apps.get_model("lobby", "Result")
    # By then whatever has ended is known to everybody who ever may know of it.
    then = timezone.now() + timedelta(seconds=LONGEST_DELAY)
    ended = Match.objects.filter(visibility.over_for(None, then), pk=OuterRef("match"))
    Result.objects.update(known=Subquery(ended.values_list(visibility.known_from())))


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0011_players_found_by_matches'),
        ('lobby', '0018_results_indexed_once'),
    ]

    operations = [
        migrations.AddField(
            model_name='result',
            name='known',
            field=models.DateTimeField(null=True, verbose_name='when everybody may know of it'),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
        migrations.RemoveIndex(
            model_name='result',
            name='history',
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(fields=['user', 'ended', 'id', 'game', 'score', 'known', 'rated', 'match', 'family', 'pool', 'rating_before', 'rating_after'], name='history'),
        ),
    ]
