"""Matches can be saved, and seats can offer each other something."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_terms")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="offers",
            field=models.TextField(
                blank=True, editable=False, help_text="JSON", null=True, verbose_name="what is on offer"
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="status",
            field=models.CharField(
                choices=[("playing", "playing"), ("saved", "saved"), ("finished", "finished")],
                default="playing",
                max_length=8,
                verbose_name="status",
            ),
        ),
    ]
