"""Who missed a match. Matches that have ended before are not looked at."""

from django.db import migrations, models


def note(apps, schema_editor):
    apps.get_model("lobby", "Pairing").objects.filter(match__status="finished").update(noted=True)


class Migration(migrations.Migration):
    dependencies = [("lobby", "0037_guests_created_here")]

    operations = [
        migrations.AddField(
            model_name="entrant",
            name="away",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="entrant",
            name="missed",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="pairing",
            name="noted",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(note, migrations.RunPython.noop),
    ]
