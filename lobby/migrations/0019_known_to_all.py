from datetime import timedelta

from django.db import migrations, models
from django.db.models import F


def fill_in(apps, schema_editor):
    """Note of what is settled already from when on everybody may know of it."""
    seen_by_all = apps.get_model("lobby", "Result").objects.filter(match__watchable=True)
    for delay in list(seen_by_all.order_by().values_list("match__delay", flat=True).distinct()):
        behind = timedelta(seconds=delay)
        seen_by_all.filter(match__delay=delay).update(known=F("ended") + behind)


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
