from django.db import migrations

from games.domain.texts import without_ignorables
from lobby.people.spelling import folded, skeleton


def rebuild(apps, schema_editor):
    """Compute the keys of names with invisible characters again.

    If another row has the new key already, the old one stays: that name is found to be taken anyway.
    """
    for model, column in (("User", "username"), ("Club", "name")):
        rows = apps.get_model("lobby", model).objects
        for number, name in list(rows.values_list("pk", column).iterator()):
            if name == without_ignorables(name):
                continue
            for key, value in (("folded_name", folded(name)), ("skeleton", skeleton(name))):
                if not rows.filter(**{key: value}).exclude(pk=number).exists():
                    rows.filter(pk=number).update(**{key: value})


class Migration(migrations.Migration):
    dependencies = [("lobby", "0040_commands")]

    operations = [migrations.RunPython(rebuild, migrations.RunPython.noop, elidable=True)]
