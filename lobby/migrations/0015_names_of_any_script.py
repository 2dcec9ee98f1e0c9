from django.db import migrations, models

import lobby.people.names
import lobby.people.models
import lobby.people.spelling
from lobby.people.spelling import LONGEST_SKELETON, folded, skeleton


def fill(apps, schema_editor):
    """Note what every name looks like. Of two that have looked the same until now both are kept."""
    people = apps.get_model("lobby", "User").objects
    seen = set()
    for pk, name in people.order_by("pk").values_list("pk", "username").iterator():
        look = skeleton(name)
        if look in seen:
            look = f"{look[: LONGEST_SKELETON - 20]} {pk}"
        seen.add(look)
        people.filter(pk=pk).update(folded_name=folded(name), skeleton=look)


class Migration(migrations.Migration):
    dependencies = [("lobby", "0014_fewer_indexes")]

    operations = [
        migrations.RemoveConstraint(model_name="user", name="one_name_whatever_its_capitals"),
        migrations.AlterField(
            model_name="user",
            name="username",
            field=models.CharField(
                help_text="3 to 20 letters of one alphabet, digits, - and _.",
                max_length=80,
                unique=True,
                validators=[lobby.people.spelling.well_spelled, lobby.people.names.not_reserved],
                verbose_name="name",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="folded_name",
            field=lobby.people.models.OfName(folded, max_length=240, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="user",
            name="skeleton",
            field=lobby.people.models.OfName(skeleton, max_length=320, default=""),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="user",
            name="folded_name",
            field=lobby.people.models.OfName(folded, max_length=240, unique=True),
        ),
        migrations.AlterField(
            model_name="user",
            name="skeleton",
            field=lobby.people.models.OfName(skeleton, max_length=320, unique=True),
        ),
    ]
