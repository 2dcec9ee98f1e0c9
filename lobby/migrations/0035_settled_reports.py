"""Close the open reports about accounts that are deleted."""

from django.db import migrations


def close(apps, schema_editor):
    Report = apps.get_model("lobby", "Report")
    Report.objects.filter(verdict="open", about__is_deleted=True).update(verdict="gone")


class Migration(migrations.Migration):
    dependencies = [("lobby", "0034_wording")]

    operations = [migrations.RunPython(close, migrations.RunPython.noop)]
