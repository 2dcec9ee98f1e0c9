from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def mark_guests(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Mark the guests who were created while their evening went on: before, nobody noted where."""
    people = apps.get_model("lobby", "EveningGuest").objects.using(editor.connection.alias)
    created = people.filter(user__is_guest=True, user__date_joined__gte=F("evening__created"))
    created.update(created_here=True)


class Migration(migrations.Migration):
    dependencies = [("lobby", "0036_final_sheets")]

    operations = [
        migrations.AddField(
            model_name="eveningguest",
            name="created_here",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark_guests, migrations.RunPython.noop, elidable=True),
    ]
