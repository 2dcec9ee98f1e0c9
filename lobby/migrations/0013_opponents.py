from collections import defaultdict

from django.db import migrations, models

ENOUGH = 5


def count_opponents(apps, schema_editor):
    """How many different people everybody has met in rated matches, up to as many as matter."""
    Result = apps.get_model("lobby", "Result")
    Rating = apps.get_model("lobby", "Rating")
    pools = Rating.objects.order_by().values_list("game", "family", "pool").distinct()
    for game, family, pool in list(pools):
        seats = Result.objects.filter(rated=True, game=game, family=family, pool=pool)
        met, match, together = defaultdict(set), None, []
        for match_id, user_id in seats.order_by("match").values_list("match_id", "user_id").iterator():
            if match_id != match:
                match, together = match_id, []
            for other in together:
                met[user_id].add(other)
                met[other].add(user_id)
            together.append(user_id)
        for user_id, others in met.items():
            rating = Rating.objects.filter(user_id=user_id, game=game, family=family, pool=pool)
            rating.update(opponents=min(len(others), ENOUGH))


class Migration(migrations.Migration):

    dependencies = [
        ('lobby', '0012_devices'),
    ]

    operations = [
        migrations.AddField(
            model_name='rating',
            name='opponents',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='different opponents'),
        ),
        migrations.RunPython(count_opponents, migrations.RunPython.noop),
    ]
