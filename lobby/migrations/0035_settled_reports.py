"""Close the open reports about accounts that are deleted."""

from django.db import migrations, models


def close(apps, schema_editor):
    Report = apps.get_model("lobby", "Report")
    Report.objects.filter(verdict="open", about__is_deleted=True).update(verdict="gone")


class Migration(migrations.Migration):
    dependencies = [("lobby", "0034_wording")]

    operations = [
        migrations.AlterField(
            model_name="report",
            name="verdict",
            field=models.CharField(
                choices=[
                    ("open", "open"),
                    ("acted", "acted upon"),
                    ("dismissed", "dismissed"),
                    ("gone", "account deleted"),
                ],
                db_index=True,
                default="open",
                max_length=9,
                verbose_name="verdict",
            ),
        ),
        migrations.RunPython(close, migrations.RunPython.noop),
    ]
